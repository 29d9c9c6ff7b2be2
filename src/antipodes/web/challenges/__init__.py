"""Challenges: offers to play that other players can join."""
