"""Who moderators are: a group of the staff that may look into reports and act on them."""

from __future__ import annotations

MODERATORS = "Moderators"

# Of each: the app, the model, and the permission's own name.
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
)
