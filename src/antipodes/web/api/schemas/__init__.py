"""Shapes of what programs send and get: read, checked and documented from the same classes."""
