"""Laws of what can be taken along from a match."""

import pytest

from antipodes.match import Play
from antipodes.records import read_record
from antipodes.web.matches.services import carry_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(begin):
    """A match of Hex after two moves."""
    row = begin(size=3)
    for ply, move in enumerate((4, 0)):
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"move number {ply}", move=move))
    return row


@pytest.mark.parametrize("kind", ["json", "sgf"])
def test_the_record_is_read_back_with_names_and_date(client, row, kind):
    answer = client.get(f"/m/{row.slug}/record.{kind}")
    record = read_record(answer.content.decode())
    assert [int(move) for move in record.moves()] == [4, 0]
    assert record.players == ("ann", "bob")
    assert record.date
    assert f'filename="hex-{row.slug}.{kind}"' in answer.headers["Content-Disposition"]


def test_a_picture_shows_the_position_that_was_asked_for(client, row):
    pictures = [client.get(f"/m/{row.slug}/board.svg?ply={ply}").content for ply in range(3)]
    assert len(set(pictures)) == 3
    assert client.get(f"/m/{row.slug}/board.svg").content == pictures[2]
    assert client.get(f"/m/{row.slug}/board.svg?numbers").content != pictures[2]


def test_a_picture_comes_as_pixels_too(client, row):
    answer = client.get(f"/m/{row.slug}/board.png?ply=1")
    assert answer.content.startswith(b"\x89PNG")
    assert answer.headers["Content-Type"] == "image/png"


@pytest.mark.parametrize("ply", ["3", "-1", "one", "9" * 50, "%00", "²"])
def test_what_was_never_on_the_board_has_no_picture(client, row, ply):
    assert client.get(f"/m/{row.slug}/board.svg?ply={ply}").status_code == 404


@pytest.mark.parametrize("name", ["record.json", "record.sgf", "board.svg", "board.png"])
def test_a_match_that_is_not_there_has_nothing_to_take_along(client, db, name):
    assert client.get(f"/m/nowhere/{name}").status_code == 404
    assert client.post(f"/m/nowhere/{name}").status_code == 405
