"""Who moderators are: a group of the staff that may look into reports and act on them."""

from __future__ import annotations

MODERATORS = "Moderators"

# Of each: the app, the model, and the permission's own name.
PERMISSIONS = (
    ("community", "reportrow", "view_reportrow"),
    ("community", "reportrow", "moderate"),
    ("community", "measurerow", "view_measurerow"),
    ("community", "hiddenline", "view_hiddenline"),
    ("community", "auditrow", "view_auditrow"),
    ("people", "user", "view_user"),
    ("matches", "matchrow", "view_matchrow"),
    ("matches", "chatline", "view_chatline"),
    ("matches", "challengerow", "view_challengerow"),
)
