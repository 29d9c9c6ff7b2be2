"""How people stand to each other: following, blocking, reporting, and what moderators do."""
