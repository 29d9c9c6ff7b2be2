"""Template tags for pictures of the rules."""
