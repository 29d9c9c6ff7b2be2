"""Antipodes: antipodal connection games to play, to program and to study."""

__version__ = "0.1.0"
