"""URLs of simuls."""

from __future__ import annotations

from django.urls import path

from antipodes.web.simuls import views

urlpatterns = [
    path("simuls/", views.index, name="simuls"),
    path("simuls/new/", views.new_simul, name="new-simul"),
    path("simul/<str:slug>/", views.simul, name="simul"),
    path("simul/<str:slug>/now", views.simul_now, name="simul-now"),
    path("simul/<str:slug>/next", views.next_board, name="simul-next"),
    path("simul/<str:slug>/do/<str:action>", views.act, name="simul-do"),
]
