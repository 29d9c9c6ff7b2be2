"""Seeks: players who look for an opponent, and how they are paired."""
