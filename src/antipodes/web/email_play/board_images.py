"""Board pictures attached to e-mails: a PNG for the HTML part, and an SVG to keep."""

from __future__ import annotations

from antipodes.mail.layout import Answer
from antipodes.web.notifications.board_images import PNG, SVG, drawing_of
from antipodes.web.notifications.email_message import Attachment


def board_attachments(answer: Answer, cid: str, name: str) -> tuple[Attachment, ...]:
    """Return the board in an answer as a PNG, which the HTML part shows, and as an SVG.

    Args:
        answer: the body of the e-mail.
        cid: Content-ID of the PNG, without brackets.
        name: of the files, without extension.
    """
    png = board_png(answer, cid, name)
    svg = Attachment(cid=f"svg.{cid}", name=f"{name}.svg", type=SVG, drawing=png.drawing)
    return png, svg


def board_png(answer: Answer, cid: str, name: str) -> Attachment:
    """Return the board in an answer as a PNG, which is drawn when the e-mail is sent.

    Raises:
        ValueError: the answer has no board.
    """
    picture = answer.picture
    if picture is None:
        raise ValueError("there is no board in this answer")
    drawing = drawing_of(picture.position.game, picture.moves, picture.side, picture.setup)
    return Attachment(cid=cid, name=f"{name}.png", type=PNG, drawing=drawing)
