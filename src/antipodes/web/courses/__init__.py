"""Courses that teach the games: lessons with tasks, progress, and a coached first game."""
