"""Print the sizes of responses about boards: the text, the page, the pictures, the whole mail.

    python bench/mail_answers.py

Random games of sixty moves are shown on the default board of each game, and on its largest.
"""

from __future__ import annotations

import os
import random
from email.message import EmailMessage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")

import django

django.setup()

from antipodes.clocks import read_control  # noqa: E402 - after Django is set up
from antipodes.games.registry import make_game  # noqa: E402
from antipodes.mail.layout import (  # noqa: E402
    BoardReport,
    PlayerLine,
    board_answer,
    board_subject,
    html_of,
    write,
)
from antipodes.match import Match, Play, Terms, handle  # noqa: E402
from antipodes.web.email_play.match_emails import board_attachments  # noqa: E402

_MOVES = 60
_STARTED_AT = 1_795_000_000_000
_BOARDS = (
    ("antipod", {}),
    ("antipod", {"side": 10}),
    ("antipalos", {}),
    ("antipalos", {"size": 20, "seats": "cutthroat4"}),
    ("antipalos", {"ruleset": "mail", "size": 26}),
    ("antipode", {}),
    ("hex", {}),
    ("hex", {"size": 26}),
    ("cylindrical-hex", {}),
    ("cylindrical-hex", {"rows": 26, "columns": 26}),
)


def report(game_id: str, options: dict[str, object]) -> BoardReport:
    """Return a report about a random game."""
    game = make_game(game_id, options)
    names = ("ann", "bob", "cat", "dan")[: game.seats]
    match = Match.begun(
        Terms(game=game, players=names, control=read_control("3d/move")), _STARTED_AT
    )
    rng = random.Random(1)
    while match.result is None and match.ply < _MOVES:
        seat = match.position.seat_to_move
        move = int(rng.choice(match.position.legal_moves.array()))
        command = Play(seat=seat, ply=match.ply, key=f"k{match.ply}", move=move)
        match, _ = handle(match, command, match.clock.latest + 1000)
    return BoardReport(
        number=101,
        match=match,
        players=tuple(PlayerLine(name=name, rating="1612") for name in names),
        now=match.clock.latest,
        link="https://antipodes.example/m/2f8Ab_cd/",
        viewer=0,
        address="play@antipodes.example",
    )


def sizes(game_id: str, options: dict[str, object]) -> tuple[int, ...]:
    """Return the bytes of text, page, PNG, SVG and the whole mail."""
    board = report(game_id, options)
    answer = board_answer(board)
    png, svg = board_attachments(answer, "0123456789abcdef@antipodes.example", "board")
    text, page = write(answer), html_of(answer, png.cid, link=board.link)
    mail = EmailMessage()
    mail["Subject"] = board_subject(game_id, 101, "ann")
    mail["From"] = "Antipodes <play@antipodes.example>"
    mail["To"] = "ann@example.org"
    mail.set_content(text)
    mail.add_alternative(page, subtype="html")
    related = mail.get_payload()[1]
    for image in (png, svg):
        encoding = "base64" if image is png else "quoted-printable"
        kind = image.type.removeprefix("image/")
        related.add_related(
            image.content, "image", kind, cid=f"<{image.cid}>", filename=image.name, cte=encoding
        )
    parts = (text.encode(), page.encode(), png.content, svg.content, mail.as_bytes())
    return tuple(map(len, parts))


def main() -> None:
    """Print a line for each board."""
    print(f"{'board':<44}{'text':>8}{'page':>8}{'PNG':>8}{'SVG':>8}{'mail':>9}")
    for game_id, options in _BOARDS:
        name = " ".join([game_id, *(f"{key}={value}" for key, value in options.items())])
        text, page, png, svg, mail = sizes(game_id, options)
        print(f"{name:<44}{text:>8}{page:>8}{png:>8}{svg:>8}{mail:>9}")


if __name__ == "__main__":
    main()
