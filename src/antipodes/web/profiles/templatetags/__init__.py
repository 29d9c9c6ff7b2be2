"""Template tags of the profiles app."""
