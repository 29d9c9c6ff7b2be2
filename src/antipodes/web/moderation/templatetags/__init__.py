"""Template tags of sanctions."""
