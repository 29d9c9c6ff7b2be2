"""A game in lines of text: for terminals without a full screen, screen readers and pipes."""

from antipodes.cli.line_mode.loop import play

__all__ = ["play"]
