"""Board pictures in e-mails."""

import email
import email.policy

import pytest

from antipodes.games.registry import make_game
from antipodes.mail.layout import Preview, preview_answer, svg_of
from antipodes.mail.layout.items import Answer, Title
from antipodes.web.email_play.match_emails import board_attachments, board_png
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.outbox import django_message, enqueue
from tests.thorough import sample

pytestmark = pytest.mark.django_db

MAX_BYTES = 100_000  # of an e-mail with pictures of one of the largest boards


def sent(game_id, **options):
    """Return the SVG of a board, an e-mail with it as bytes, and the same parsed."""
    start = make_game(game_id, options).initial()
    answer = preview_answer(Preview(start=start, moves=(), now=0))
    row = enqueue(
        EmailMessage(
            key="k",
            to="ann@example.org",
            subject="Board",
            text="text",
            html="<p>page</p>",
            message_id="<k@antipodes.example>",
            attachments=board_attachments(answer, "board.1@antipodes.example", "board-1"),
        )
    )
    assert row is not None
    raw = django_message(row).message().as_bytes()
    return svg_of(answer), raw, email.message_from_bytes(raw, policy=email.policy.default)


def test_an_email_has_the_board_as_png_and_svg():
    svg, _, mail = sent("antipod")
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds[2:] == ["text/plain", "text/html", "image/png", "image/svg+xml"]
    png, drawing = list(mail.walk())[-2:]
    assert png["Content-ID"] == "<board.1@antipodes.example>"
    assert png.get_content()[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawing.get_filename() == "board-1.svg"
    assert drawing.get_content().decode() == svg


@pytest.mark.parametrize(
    ("game_id", "options"),
    sample(
        [
            ("antipod", {"side": 10}),
            ("antipode", {}),
            ("hex", {"size": 26}),
            ("cylindrical-hex", {"rows": 26, "columns": 26}),
            ("antipalos", {"size": 20, "seats": "cutthroat4"}),
            ("antipalos", {"ruleset": "mail", "size": 26}),
        ],
        3,
    ),
)
def test_emails_are_small_and_have_short_lines(game_id, options):
    _, raw, _ = sent(game_id, **options)
    assert len(raw) < MAX_BYTES
    assert max(map(len, raw.splitlines())) < 200


def test_an_answer_without_a_board_has_no_picture():
    with pytest.raises(ValueError, match="no board"):
        board_png(Answer.of([Title("Hex")]), "board.1@antipodes.example", "board-1")
