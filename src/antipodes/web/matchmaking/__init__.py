"""Matchmaking: seeks, and how they are paired."""
