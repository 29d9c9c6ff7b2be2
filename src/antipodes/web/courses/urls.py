"""URLs of courses, their steps, and the first games."""

from __future__ import annotations

from django.urls import path

from antipodes.web.courses import first_game_views, views

urlpatterns = [
    path("learn/", views.index, name="courses"),
    path("learn/first-game/<str:game_id>/", first_game_views.first_game, name="first-game"),
    path(
        "learn/first-game/<str:game_id>/answer",
        first_game_views.answer,
        name="first-game-answer",
    ),
    path("learn/first-game/<str:game_id>.svg", first_game_views.picture, name="first-game-picture"),
    path("learn/<str:course_id>/", views.course, name="course"),
    path("learn/<str:course_id>.svg", views.course_picture, name="course-picture"),
    path("learn/<str:course_id>/<str:step_id>/", views.lesson, name="lesson"),
    path("learn/<str:course_id>/<str:step_id>/answer", views.answer, name="lesson-answer"),
    path("learn/<str:course_id>/<str:step_id>.svg", views.picture, name="lesson-picture"),
]
