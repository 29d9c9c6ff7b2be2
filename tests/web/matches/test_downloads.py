"""Downloads of a match: records and images."""

import json
import re
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from threading import BoundedSemaphore

import pytest
from django.core.cache import caches

from antipodes.core import Move
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Start, Terms
from antipodes.records import read_record
from antipodes.records.json_format import setup_data
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform import pictures, rasterizer

pytestmark = pytest.mark.django_db


@pytest.fixture
def row(begin):
    """A match of Hex after two moves."""
    row = begin(size=3)
    for ply, move in enumerate((4, 0)):
        carry_out(row.slug, Play(seat=ply, ply=ply, key=f"move number {ply}", move=move))
    return row


@pytest.mark.parametrize("kind", ["json", "sgf"])
def test_a_downloaded_record_has_names_and_date(client, row, kind):
    answer = client.get(f"/m/{row.slug}/record.{kind}")
    record = read_record(answer.content.decode())
    assert [int(move) for move in record.moves()] == [4, 0]
    assert record.players == ("ann", "bob")
    assert record.date
    assert f'filename="hex-{row.slug}.{kind}"' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(("milliseconds", "date"), [(0, "2026-02-01"), (-1, "2026-01-31")])
def test_the_date_of_a_record_is_the_day_in_utc_on_which_the_match_began(
    client, row, milliseconds, date
):
    begun = int(datetime(2026, 2, 1, tzinfo=UTC).timestamp()) * 1_000
    MatchRow.objects.filter(pk=row.pk).update(begun_at=begun + milliseconds)
    snapshots.forget()
    answer = client.get(f"/m/{row.slug}/record.json")
    assert read_record(answer.content.decode()).date == date


def test_a_match_of_hex_opens_in_hexworld_and_others_do_not(client, row, begin):
    answer = client.get(f"/m/{row.slug}/hexworld")
    assert answer.headers["Location"] == "https://hexworld.org/board/#3nc1,b2a1"
    other = begin(game_id="antipode")
    assert client.get(f"/m/{other.slug}/hexworld").status_code == 404
    for one, is_on in ((row, True), (other, False)):
        board = re.search(r"<antipodes-match[^>]*>", client.get(f"/m/{one.slug}/").text)
        assert board is not None
        assert ("hexworld" in board[0].rstrip(">").split()) == is_on


def test_an_image_shows_the_requested_position(client, row):
    pictures = [client.get(f"/m/{row.slug}/board.svg?ply={ply}").content for ply in range(3)]
    assert len(set(pictures)) == 3
    assert client.get(f"/m/{row.slug}/board.svg").content == pictures[2]
    numbered = client.get(f"/m/{row.slug}/board.svg?numbers").content
    texts = [f">{number}</text>".encode() for number in range(4)]
    added = [numbered.count(text) - pictures[2].count(text) for text in texts]
    assert added == [0, 1, 1, 0]
    assert client.get(f"/m/{row.slug}/board.svg?theme=slate").content != pictures[2]
    assert client.get(f"/m/{row.slug}/board.svg?theme=pink").status_code == 404


def test_an_image_is_available_as_png(client, row):
    answer = client.get(f"/m/{row.slug}/board.png?ply=1")
    assert answer.content.startswith(b"\x89PNG")
    assert answer.headers["Content-Type"] == "image/png"


@pytest.mark.parametrize("ply", ["3", "-1", "one", "9" * 50, "²"])
def test_a_position_that_never_occurred_has_no_image(client, row, ply):
    assert client.get(f"/m/{row.slug}/board.svg?ply={ply}").status_code == 404


def test_a_match_is_embedded_with_options_moves_and_setup(client, row, people):
    frame = client.get(f"/m/{row.slug}/embed/")
    shown = [frame.context[name] for name in ("options", "setup", "moves")]
    assert shown == ["size=3", "", "4,0"]
    game = make_game("hex", {"size": 3, "swap": "off"})
    users = people[:2]
    position = game.initial().play(Move(4))
    terms = Terms(
        game=game,
        players=tuple(str(user.pk) for user in users),
        start=Start(setup=position.to_setup(), moves=(0,)),
    )
    other = client.get(f"/m/{begin_match(terms, users).slug}/embed/")
    assert json.loads(other.context["setup"]) == setup_data(position.to_setup())
    assert other.context["moves"] == "0"


def test_a_preview_tells_the_state_of_a_match_and_has_a_frame_if_it_is_public(client, row, people):
    client.force_login(people[0], "django.contrib.auth.backends.ModelBackend")

    def preview(query=""):
        snapshots.forget()
        return client.get(f"/m/{row.slug}/{query}").context["preview"]

    address = f"http://testserver/m/{row.slug}"
    found = preview()
    assert preview("?ply=1").picture == f"{address}/board.png?ply=1"
    assert preview("?ply=9").picture == preview("?ply=x").picture == found.picture
    assert (found.title, found.url) == ("Hex · size 3: ann – bob", f"{address}/")
    assert found.description == "Hex, move 3: Black to move."
    assert found.picture == f"{address}/board.png?ply=2"
    assert found.frame == f"{address}/embed/"
    carry_out(row.slug, Resign(seat=0, ply=2, key="resignation"))
    assert preview().description == "White wins by resignation"
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    assert preview().frame == ""


@pytest.fixture
def drawn(monkeypatch):
    """Images requested from the rasterizer, which a fake replaces."""
    found = []

    def draw(svg, _width):
        found.append(svg)
        return b"\x89PNG"

    monkeypatch.setattr(pictures, "draw_png_soon", draw)
    caches["pictures"].clear()
    return found


def test_an_image_is_drawn_once_and_cached(client, row, drawn):
    answers = [client.get(f"/m/{row.slug}/board.png?ply=1") for _ in range(3)]
    assert len(drawn) == 1
    assert len({answer.headers["ETag"] for answer in answers}) == 1
    known = {"If-None-Match": answers[0].headers["ETag"]}
    assert client.get(f"/m/{row.slug}/board.png?ply=1", headers=known).status_code == 304
    assert client.get(f"/m/{row.slug}/board.png?ply=2", headers=known).status_code == 200
    assert client.get(f"/m/{row.slug}/board.png?ply=1&numbers").status_code == 200
    assert len(drawn) == 3


def test_images_of_a_finished_match_may_be_cached(client, people, row):
    address = f"/m/{row.slug}/board.svg?ply=1"
    assert client.get(address).headers["Cache-Control"] == "no-cache"
    carry_out(row.slug, Resign(seat=0, ply=2, key="resignation"))
    assert client.get(address).headers["Cache-Control"] == "public, max-age=86400"
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    snapshots.forget()
    client.force_login(people[0], "django.contrib.auth.backends.ModelBackend")
    assert client.get(address).headers["Cache-Control"] == "private, max-age=86400"


def test_drawing_images_is_rate_limited(client, row, drawn, monkeypatch):
    monkeypatch.setenv("LIMIT_PICTURES", "9/hour")
    far = {"REMOTE_ADDR": "192.0.2.7"}
    answers = [client.get(f"/m/{row.slug}/board.png?ply={ply}", **far) for ply in (0, 1, 2)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2].headers["Retry-After"]) > 0
    assert client.get(f"/m/{row.slug}/board.png?ply=1", **far).status_code == 200, "it is kept"


def test_when_the_rasterizer_is_busy_more_images_are_refused(client, row, monkeypatch):
    caches["pictures"].clear()
    monkeypatch.setattr(rasterizer, "_places", BoundedSemaphore(1))
    assert rasterizer._places.acquire()
    answer = client.get(f"/m/{row.slug}/board.png")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    rasterizer._places.release()
    assert client.get(f"/m/{row.slug}/board.png").status_code == 200


def test_a_failed_drawing_frees_its_slot():
    for _ in range(rasterizer._QUEUE + 1):
        with pytest.raises(OSError, match="could not be drawn"):
            rasterizer.draw_png_soon("this is no picture", 100)


def test_a_match_is_replayed_once_for_all_viewers(client, row, monkeypatch):
    snapshots.forget()
    played = []

    def shown(_match, added):
        played.append(len(added))
        return tuple("{}" for _ in added)

    monkeypatch.setattr(snapshots, "_shown", shown)
    for name in ("record.sgf", "record.json", "board.svg", "match.json"):
        assert client.get(f"/m/{row.slug}/{name}").status_code == 200
    assert len(played) == 1
    snapshots.forget()


def test_the_snapshot_cache_is_bounded_by_moves(row, monkeypatch):
    snapshots.forget()
    monkeypatch.setattr(snapshots, "_MOST_MOVES", 5)
    one = snapshots.look_up(row.slug)
    for name in ("a", "b", "c"):
        other = copy(one.row)
        other.slug = name
        snapshots.keep(replace(one, row=other))
    assert [name for name in (row.slug, "a", "b", "c") if snapshots.kept(name)] == ["b", "c"]
    monkeypatch.setattr(snapshots, "_MOST_MOVES", 1)
    other = copy(one.row)
    other.slug = "d"
    snapshots.keep(replace(one, row=other))
    assert list(snapshots._kept) == ["d"], "one match is kept, however long it is"
    snapshots.forget()


def test_the_snapshot_cache_is_bounded_by_matches(row, monkeypatch):
    snapshots.forget()
    monkeypatch.setattr(snapshots, "_MOST", 2)
    one = snapshots.look_up(row.slug)
    for name in ("a", row.slug, "b", "c"):
        other = copy(one.row)
        other.slug = name
        snapshots.keep(replace(one, row=other))
    assert list(snapshots._kept) == ["b", "c"]
    snapshots.keep(replace(one, row=copy(snapshots._kept["b"].row)))
    assert list(snapshots._kept) == ["c", "b"], "the latest one comes last"
    snapshots.forget()
