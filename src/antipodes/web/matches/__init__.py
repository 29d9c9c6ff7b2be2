"""Matches as they are kept, served and watched."""
