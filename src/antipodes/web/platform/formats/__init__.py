"""Formats of dates and times that replace those of Django, for each language."""
