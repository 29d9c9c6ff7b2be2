"""The board as pictures that go with a letter: one to look at, one to keep."""

from __future__ import annotations

from functools import lru_cache

import resvg_py

from antipodes.mail.layout import Answer, svg_of
from antipodes.web.notices.outbox import Enclosure

# Twice as broad as it is shown, without soft edges: mail programs soften them by making it smaller,
# and the file is a third as large.
_WIDTH = 720


def enclosures_of(answer: Answer, cid: str, name: str) -> tuple[Enclosure, ...]:
    """Return the board in an answer as a PNG, which the page shows, and as an SVG to keep.

    Args:
        answer: what the letter says.
        cid: by which the page shows the PNG, without brackets.
        name: of the files, without an ending.
    """
    svg = svg_of(answer)
    return (
        Enclosure(cid=cid, name=f"{name}.png", content=_pixels(svg)),
        Enclosure(
            cid=f"svg.{cid}"[:60], name=f"{name}.svg", content=svg.encode(), type="image/svg+xml"
        ),
    )


@lru_cache(maxsize=64)
def _pixels(svg: str) -> bytes:
    # Those who play a match are sent the same picture one after the other.
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=_WIDTH, shape_rendering="crisp_edges"))
