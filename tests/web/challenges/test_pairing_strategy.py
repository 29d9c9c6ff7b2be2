"""The computer's pairing strategy: where it applies, and that it never loses."""

import random

import pytest

from antipodes.core import Color
from antipodes.errors import InvalidOptionsError
from antipodes.games import pairing_strategy
from antipodes.games.registry import game_ids, make_game
from antipodes.match import Offer, OfferKind, Play, Resign
from antipodes.web.challenges.services import GameRequest, request_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out

FITS = [
    ("antipod", {"side": 4, "handicap": "none"}),
    ("cylindrical-hex", {"rows": 3, "columns": 4, "first": "white"}),
]


def begin(user, game_id="antipod", seat=None, **options):
    request = GameRequest(
        game=make_game(game_id, options), level=pairing_strategy.PLAYER, seat=seat
    )
    return request_game(user, request)


def match_of(row):
    return MatchRow.objects.get(pk=row.pk).match()


@pytest.mark.parametrize(("game_id", "options"), FITS)
def test_the_pairing_strategy_beats_random_moves(people, work_off, game_id, options):
    row = begin(people[0], game_id, **options)
    choose = random.Random(7)
    while (match := match_of(row)).result is None:
        assert match.color_of(match.seat_to_move) is Color.WHITE
        move = choose.choice(match.position.legal_moves.array().tolist())
        carry_out(row.slug, Play(seat=0, ply=match.ply, key=f"my move {match.ply}", move=move))
        work_off()
    assert match.result.winner is Color.BLACK


@pytest.mark.parametrize(
    ("game_id", "options", "code"),
    [
        ("antipod", {}, "pairing/handicap"),
        ("antipod", {"handicap": "none", "swap": "on"}, "pairing/swap"),
        ("antipod", {"handicap": "none", "first": "black"}, "pairing/first"),
        ("cylindrical-hex", {"first": "white", "columns": 7}, "pairing/odd"),
        ("hex", {}, "pairing/no-such-game"),
        ("antipalos", {}, "pairing/no-such-game"),
        ("antipode", {}, "pairing/no-such-game"),
    ],
)
def test_the_pairing_strategy_refuses_games_to_which_it_does_not_apply(
    people, game_id, options, code
):
    with pytest.raises(InvalidOptionsError) as refusal:
        begin(people[0], game_id, **options)
    assert code in [fault.code for fault in refusal.value.faults]
    assert not MatchRow.objects.exists()


def test_the_pairing_strategy_does_not_move_first(people):
    with pytest.raises(InvalidOptionsError, match="can only move second"):
        begin(people[0], seat=1, handicap="none")


@pytest.mark.parametrize("game_id", game_ids())
def test_the_form_offers_the_pairing_strategy_where_it_can_apply(client, db, game_id):
    page = client.get(f"/new/{game_id}/").content.decode()
    assert ('value="pairing"' in page) == (game_id in {"antipod", "cylindrical-hex"})


def test_the_form_starts_a_game_against_the_pairing_strategy(client, db):
    fields = {"opponent": "computer", "level": "pairing", "control": "unlimited"}
    refused = client.post("/new/antipod/", fields)
    assert "it must be none" in refused.content.decode()
    answer = client.post("/new/antipod/", {**fields, "option-handicap": "none"}, follow=True)
    text = answer.content.decode()
    assert "The pairing strategy cannot lose" in text
    row = MatchRow.objects.get()
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert [seat["name"] for seat in view["seats"]][1] == "computer, pairing strategy"
    assert [seat["level"] for seat in view["seats"]] == [None, None]
    assert view["own"] == [0]


def test_the_page_of_a_match_against_a_level_does_not_mention_pairing(client, people):
    row = request_game(
        people[0], GameRequest(game=make_game("antipod", {"handicap": "none"}), seat=0)
    )
    assert "pairing" not in client.get(f"/m/{row.slug}/").content.decode()


def test_a_rematch_with_the_pairing_strategy_keeps_the_seats(people, work_off):
    row = begin(people[0], handicap="none")
    carry_out(row.slug, Resign(seat=0, ply=0, key="it is enough"))
    carry_out(row.slug, Offer(seat=0, ply=0, key="again", kind=OfferKind.REMATCH))
    work_off()
    again = MatchRow.objects.get(rematch_of=row)
    assert again.terms().players == row.terms().players


def test_the_page_of_the_pairing_strategy_explains_why_it_cannot_lose(client, people):
    begin(people[0], handicap="none")
    page = client.get("/people/computer-pairing/").content.decode()
    assert "The pairing strategy cannot lose" in page
    assert "Challenge computer" not in page
