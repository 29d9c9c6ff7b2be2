"""Moves, points and pictures as text and drawings, without rules of games."""
