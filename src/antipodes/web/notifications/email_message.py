"""Outgoing e-mails with their attachments, as they are passed to the outbox.

Board images are stored as game and moves, and drawn when the e-mail is sent: in the worker, outside
of requests and transactions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from antipodes.core import Setup
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.records.json_format import read_setup, setup_data
from antipodes.web.accounts.models import User
from antipodes.web.platform.rasterizer import draw_png

PNG = "image/png"
SVG = "image/svg+xml"

# Twice the displayed width, without anti-aliasing: mail clients smooth the edges when they scale
# the image down, and the file is a third smaller.
_WIDTH = 720

_KEPT = 64  # images; all players of a match get the same one, shortly after each other

Drawing = Mapping[str, Any]  # plain values, as JSON keeps them


def drawing_of(
    game: Game, moves: Iterable[int], side: int = 0, setup: Setup | None = None
) -> Drawing:
    """Return what is stored of a board until it is drawn.

    Args:
        game: with its options.
        moves: all moves from the start.
        side: seat from whose side the board is drawn.
        setup: the start; ``None`` for that of the game.
    """
    drawing: dict[str, Any] = {"game": game.id, "options": dict(game.options.changed())}
    if setup is not None:
        drawing["setup"] = setup_data(setup)
    drawing["moves"] = [int(move) for move in moves]
    if side:
        drawing["side"] = side
    return drawing


def draw(drawing: Drawing, kind: str) -> bytes:
    """Render a board as an image file.

    Args:
        drawing: from :func:`drawing_of`.
        kind: media type, ``PNG`` or ``SVG``.
    """
    key = json.dumps(drawing, sort_keys=True)
    return _svg(key).encode() if kind == SVG else _pixels(_svg(key))


@lru_cache(maxsize=_KEPT)
def _svg(key: str) -> str:
    drawing = json.loads(key)
    game = make_game(drawing["game"], drawing["options"])
    setup = drawing.get("setup")
    position = game.initial() if setup is None else game.position(read_setup(setup))
    for move in drawing["moves"]:
        position = position.play(move)
    svg: str = position.to_svg(seat=drawing.get("side", 0))
    return svg


@lru_cache(maxsize=_KEPT)
def _pixels(svg: str) -> bytes:
    """Convert SVG to PNG."""
    return draw_png(svg, _WIDTH, shape_rendering="crisp_edges")


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """An inline image in an e-mail.

    Attributes:
        cid: content id that the HTML refers to, without brackets.
        name: file name.
        content: file content; empty for a board that is drawn when the e-mail is sent.
        type: media type, ``image/...``.
        drawing: that board, see :mod:`antipodes.web.notifications.email_message`.
    """

    cid: str
    name: str
    content: bytes = b""
    type: str = PNG
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class EmailMessage:
    """An e-mail to send.

    Attributes:
        key: unique among all e-mails; a second one with the same key is not sent.
        to: address of the recipient.
        user: the recipient's account, if there is one.
        message_id: with angle brackets; the same for each attempt.
        thread: names the conversation, so that later e-mails can refer to it.
        headers: additional headers.
        html: alternative with images, which it refers to by ``cid:``.
    """

    key: str
    to: str
    subject: str
    text: str
    message_id: str
    user: User | None = None
    html: str = ""
    thread: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    attachments: tuple[Attachment, ...] = ()
