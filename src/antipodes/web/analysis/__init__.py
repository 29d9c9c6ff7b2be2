"""Positions of any game beside matches: tried out, analysed and reviewed."""
