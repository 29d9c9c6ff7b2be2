"""The board as pictures that go with a letter: one to look at, one to keep."""

from __future__ import annotations

from antipodes.mail.layout import Answer, svg_of
from antipodes.web.notices.outbox import Enclosure


def enclosures_of(answer: Answer, cid: str, name: str) -> tuple[Enclosure, ...]:
    """Return the board in an answer as a PNG, which the page shows, and as an SVG to keep.

    Args:
        answer: what the letter says.
        cid: by which the page shows the PNG, without brackets.
        name: of the files, without an ending.
    """
    svg = svg_of(answer)
    return (
        # Made of the drawing when the letter is sent: nobody who plays waits for it.
        Enclosure(cid=cid, name=f"{name}.png", content=b""),
        Enclosure(
            cid=f"svg.{cid}"[:60], name=f"{name}.svg", content=svg.encode(), type="image/svg+xml"
        ),
    )
