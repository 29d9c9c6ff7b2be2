"""Template tags of simuls."""
