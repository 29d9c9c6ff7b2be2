"""URLs of players' pages, and of following and blocking players."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.profiles import relation_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("people/<str:name>/", views.profile, name="profile"),
    path("people/<str:name>/against/<str:other>/", views.crosstable, name="crosstable"),
    path("accounts/profile/", views.edit, name="edit-profile"),
    path("following/", relation_views.following, name="following"),
    path("blocked/", relation_views.blocked, name="blocked"),
    *(
        path(
            f"people/<str:name>/{action}",
            relation_views.run_action,
            {"action": action},
            name=action,
        )
        for action in relation_views.ACTIONS
    ),
    path("m/<str:slug>/follow", relation_views.follow_match, name="follow-match"),
    path("m/<str:slug>/unfollow", relation_views.unfollow_match, name="unfollow-match"),
]
