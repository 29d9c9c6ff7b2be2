"""Telling people what happened while they were away."""
