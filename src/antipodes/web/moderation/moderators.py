"""The moderators' group and its permissions."""

from __future__ import annotations

MODERATORS = "Moderators"

# App, model and codename of each permission.
PERMISSIONS = (
    ("moderation", "reportrow", "view_reportrow"),
    ("moderation", "reportrow", "moderate"),
    ("moderation", "sanctionrow", "view_sanctionrow"),
    ("moderation", "hiddenlinerow", "view_hiddenlinerow"),
    ("moderation", "auditrow", "view_auditrow"),
    ("accounts", "user", "view_user"),
    ("matches", "matchrow", "view_matchrow"),
    ("matches", "chatline", "view_chatline"),
    ("challenges", "challengerow", "view_challengerow"),
    ("puzzles", "puzzlereportrow", "view_puzzlereportrow"),
)
