"""The address at which a language is chosen."""

from __future__ import annotations

from django.urls import path

from antipodes.web.languages import views

urlpatterns = [path("language", views.choose_language, name="language")]
