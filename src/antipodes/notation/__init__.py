"""Moves, points and pictures as text and drawings; it knows boards, but no rules."""
