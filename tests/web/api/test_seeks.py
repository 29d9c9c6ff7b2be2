"""Seeks in the API."""

import pytest

from antipodes.web.accounts import bots
from antipodes.web.matches.models import MatchRow
from antipodes.web.matchmaking import services
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.platform.clock import now

HEX = {"game": "hex", "board": "small"}


def test_two_matching_seeks_are_paired(ask, token, people):
    ann, bob = token(people[0]), token(people[1])
    begun = ask("POST", "searches", ann, HEX)
    assert (begun.status_code, begun.data["match"]) == (201, None)
    assert (begun.data["control"], begun.data["speed"]) == ("10m+5s", "rapid")
    assert begun.data["lowest"] < begun.data["rating"] < begun.data["highest"]
    slug = begun.data["slug"]
    assert ask("GET", f"searches/{slug}", ann).data["match"] is None
    found = ask("POST", "searches", bob, HEX).data["match"]
    assert ask("GET", f"searches/{slug}", ann).data["match"]["slug"] == found["slug"]
    assert ask("GET", "searches", ann).data == []
    assert {one["name"] for one in found["seats"]} == {"ann", "bob"}


def test_a_seek_has_all_its_fields_and_widens_as_it_waits(ask, token, people, clocks):
    ann = token()
    begun = ask("POST", "searches", ann, HEX).data
    row = SeekRow.objects.get()
    at_first = services.reach_of(row, 0)
    assert begun == {
        "slug": row.slug,
        "game": "hex",
        "title": "Hex · size 8",
        "board": "small",
        "control": "10m+5s",
        "speed": "rapid",
        "rated": False,
        "flexible": False,
        "since": now(),
        "rating": 1500,
        "lowest": 1500 - at_first,
        "highest": 1500 + at_first,
        "patience": services.TIMEOUT,
        "match": None,
    }
    clocks.advance(9_000)
    [later] = ask("GET", "searches", ann).data
    width = services.reach_of(row, 9_000)
    assert width > at_first
    assert later == {**begun, "lowest": 1500 - width, "highest": 1500 + width}
    SeekRow.objects.update(rating=100)
    assert ask("GET", "searches", ann).data[0]["lowest"] == 0
    assert ask("GET", "searches", token(people[1])).data == []


def test_a_seek_of_another_player_is_listed_and_accepted(ask, token, people):
    ann, bob = token(), token(people[1])
    slug = ask("POST", "searches", ann, HEX).data["slug"]
    assert ask("GET", "searches/open", ann).data == []
    [line] = ask("GET", "searches/open", bob).data
    assert (line["slug"], line["by"]["name"], line["title"]) == (slug, "ann", "Hex · size 8")
    match = ask("POST", f"searches/{slug}/accept", bob).data["slug"]
    assert ask("GET", f"searches/{slug}", ann).data["match"]["slug"] == match
    again = ask("POST", f"searches/{slug}/accept", bob)
    assert (again.status_code, again.data["code"]) == (409, "pairing/over")


def test_polling_keeps_a_seek_alive_and_listing_does_not(ask, token):
    ann = token()
    slug = ask("POST", "searches", ann, HEX).data["slug"]
    assert ask("GET", f"searches/{slug}", ann).data["patience"] == services.TIMEOUT
    SeekRow.objects.update(seen_at=5)
    assert [one["slug"] for one in ask("GET", "searches", ann).data] == [slug]
    assert SeekRow.objects.get().seen_at == 5
    ask("GET", f"searches/{slug}", ann)
    assert SeekRow.objects.get().seen_at > 5
    SeekRow.objects.update(seen_at=5)
    services.drop_absent()
    assert ask("GET", f"searches/{slug}", ann).status_code == 404


def test_a_correspondence_seek_does_not_expire(ask, token):
    wanted = {**HEX, "control": "3d/move+10d"}
    assert ask("POST", "searches", token(), wanted).data["patience"] is None


def test_cancelling_a_seek_returns_a_match_found_just_before(ask, token, people):
    ann, bob = token(people[0]), token(people[1])
    slug = ask("POST", "searches", ann, HEX).data["slug"]
    assert ask("DELETE", f"searches/{slug}", bob).status_code == 404
    assert ask("DELETE", f"searches/{slug}", ann).data == {"match": None}
    assert not SeekRow.objects.exists()
    slug = ask("POST", "searches", ann, HEX).data["slug"]
    match = ask("POST", "searches", bob, HEX).data["match"]["slug"]
    assert ask("DELETE", f"searches/{slug}", ann).data["match"]["slug"] == match


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess"}, "game/unknown"),
        ({"game": "antipode", "board": "large"}, "pairing/board"),
        ({"game": "hex", "control": "unlimited"}, "pairing/clock"),
        ({"game": "hex", "board": "huge"}, "api/body"),
        ({}, "api/body"),
    ],
)
def test_an_invalid_seek_is_refused_with_a_code(ask, token, wanted, code):
    response = ask("POST", "searches", token(), wanted)
    assert (response.status_code, response.data["code"]) == (422, code)
    assert not SeekRow.objects.exists()


def test_in_rated_games_bots_are_paired_with_bots_only(ask, token, people):
    for bot in people[1:3]:
        bots.mark_as_bot(bot)
    rated = {**HEX, "rated": True}
    ann, *bot_tokens = [token(one) for one in people[:3]]
    assert ask("POST", "searches", ann, rated).data["match"] is None
    assert ask("POST", "searches", bot_tokens[0], rated).data["match"] is None
    match = ask("POST", "searches", bot_tokens[1], rated).data["match"]
    assert {one["name"] for one in match["seats"]} == {"bob", "cy"}
    assert ask("POST", "searches", token(people[3]), rated).data["match"]["rated"]
    assert MatchRow.objects.count() == 2


def test_in_casual_games_bots_are_paired_with_all_players(ask, token, people):
    bots.mark_as_bot(people[1])
    ask("POST", "searches", token(), HEX)
    match = ask("POST", "searches", token(people[1]), HEX).data["match"]
    assert [one["kind"] for one in match["seats"]].count("bot") == 1
