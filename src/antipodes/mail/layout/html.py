"""The second part of an answer about a board: the same as HTML, with the board as a drawing."""

from __future__ import annotations

from antipodes.mail.layout.report import BoardReport


def board_svg(report: BoardReport, *, ply: int | None = None) -> str:
    """Return the drawing of the board as SVG text."""
    raise NotImplementedError


def board_html(report: BoardReport, cid: str, *, ply: int | None = None) -> str:
    """Return the answer about a board as a small page that shows the drawing by ``cid:``."""
    raise NotImplementedError
