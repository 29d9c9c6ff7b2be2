"""The board as pictures that go with a letter: one to look at, one to keep."""

from __future__ import annotations

from antipodes.mail.layout import Answer
from antipodes.web.notifications.board_images import PNG, SVG, drawing_of
from antipodes.web.notifications.email_message import Attachment


def enclosures_of(answer: Answer, cid: str, name: str) -> tuple[Attachment, ...]:
    """Return the board in an answer as a PNG, which the page shows, and as an SVG to keep.

    Args:
        answer: what the letter says.
        cid: by which the page shows the PNG, without brackets.
        name: of the files, without an ending.
    """
    picture = picture_of(answer, cid, name)
    drawing = Attachment(cid=f"svg.{cid}", name=f"{name}.svg", type=SVG, drawing=picture.drawing)
    return picture, drawing


def picture_of(answer: Answer, cid: str, name: str) -> Attachment:
    """Return the board in an answer as a PNG; it is drawn when the letter is sent.

    Raises:
        ValueError: there is no board in it.
    """
    shown = answer.picture
    if shown is None:
        raise ValueError("there is no board in this answer")
    drawing = drawing_of(shown.position.game, shown.moves, shown.side)
    return Attachment(cid=cid, name=f"{name}.png", type=PNG, drawing=drawing)
