"""Antipalos by mail: each player reads and writes moves from their own side."""

import pytest

from antipodes.web.email_play.match_emails import board_content, board_report
from antipodes.web.matches.snapshots import look_up
from antipodes.web.matches.viewpoints import choose_side
from antipodes.web.notifications.models import NotificationRow
from tests.web.email_play.conftest import moves_of, on_the_site


@pytest.fixture
def row(slow):
    return slow(game_id="antipalos")


def test_the_second_player_writes_moves_from_their_own_corner(post, people, row):
    post.reply(people[0], row, "B4*")
    answer = post.reply(people[1], row, "*A1")
    assert moves_of(row) == ["B4*", "*P16"]
    assert "View: seat 2; Black (x); A1 is at the lower left of this seat" in answer.text
    assert "1. O13*  2. *A1" in answer.text
    assert "You played *A1." in answer.text
    assert "Last move: *A1." in " ".join(answer.text.split())
    picture = answer.text.partition("Picture: ")[2].splitlines()
    bottom = next(line for line in picture if line.lstrip().startswith("1 "))
    assert bottom.lstrip().startswith("1  x\\")


def test_the_first_player_and_spectators_have_the_first_seats_view(post, people, row):
    answer = post.reply(people[0], row, "B4*")
    assert "View: seat 1; White (o); A1 is at the lower left of this seat" in answer.text
    assert "1. B4*" in answer.text
    shown = board_content(board_report(look_up(row.slug), people[2]), people[2])
    assert "View: seat 1" in shown.text
    assert "1. B4*" in shown.text


def test_an_email_names_the_opponents_move_as_the_reader_sees_it(post, by_mail, row):
    on_the_site(row, "B4*")
    [email] = post.notifications()
    assert email.to == "bob@example.org"
    assert "ann played O13*." in email.text
    [notification] = NotificationRow.objects.filter(user=by_mail[1], kind="your-turn")
    assert notification.arguments["move"] == "O13*"


def test_a_player_may_choose_the_first_seats_view(post, people, row):
    on_the_site(row, "B4*")
    choose_side(people[1], own=False)
    answer = post.reply(people[1], row, "*A1")
    assert moves_of(row) == ["B4*", "*A1"]
    assert "View: seat 1; White (o)" in answer.text
    choose_side(people[1], own=True)
    assert "1. O13*" in post.reply(people[1], row, "show").text


def test_queued_and_submitted_moves_use_the_same_view(post, people, row):
    queued = post.reply(people[1], row, "queue *A1")
    assert "Conditional: *A1" in queued.text
    post.reply(people[0], row, "B4*")
    assert moves_of(row) == ["B4*", "*P16"]
    post.reply(people[0], row, "C4*")
    submitted = post.reply(people[1], row, "submit A2*")
    assert "Submitted: A2*; confirm plays it" in submitted.text
    post.reply(people[1], row, "confirm")
    assert moves_of(row)[-1] == "P15*"


def test_lines_and_previews_use_the_senders_view(post, people, row):
    on_the_site(row, "B4*")
    post.reply(people[1], row, "*A1 B1* *A2")
    assert moves_of(row) == ["B4*", "*P16"]
    preview = post.reply(people[1], row, "preview B1*")
    assert "3. B1*" in preview.text
    post.reply(people[0], row, "O16*")
    assert moves_of(row) == ["B4*", "*P16", "O16*", "*P15"]


def test_a_refusal_names_the_move_as_written(post, people, row):
    on_the_site(row, "B4*")
    answer = post.reply(people[1], row, "O13*")
    assert "Refused: move/occupied" in answer.text
    assert "O13* is not legal" in answer.text
    assert moves_of(row) == ["B4*"]


def test_team_partners_have_views_of_their_own(post, people, slow):
    row = slow(game_id="antipalos", seats="team")
    for user, seen in zip(people, ("A1*", "A1*", "A1*", "A1*"), strict=True):
        post.reply(user, row, seen)
    assert moves_of(row) == ["A1*", "*A16", "P16*", "*P1"]


def test_the_picture_has_the_readers_view(post, people, row):
    on_the_site(row, "B4*")
    email = post.reply(people[1], row, "show")
    assert {(one.drawing or {}).get("side") for one in email.attachments.all()} == {1}
