"""Fixtures of the tests of tournaments."""

import random

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.tournaments import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import carry_out
from antipodes.web.tournaments import progress, services
from antipodes.web.tournaments.models import GameRow
from antipodes.web.tournaments.plans import Plan

GAME = make_game("hex", {"size": 3, "swap": "off"})


@pytest.fixture
def host(db):
    """The host of all events."""
    return User.objects.create(username="host")


@pytest.fixture
def make_event(host):
    """Return a function that makes an event, and lets so many players join."""

    def make(players=0, **wanted):
        rules = {"title": "Cup", "format": Swiss(), "game": GAME}
        clock = read_control(wanted.pop("control", "5m+5s"))
        row = services.create_tournament(host, Plan(**{**rules, "control": clock, **wanted}))
        for number in range(players):
            user, _ = User.objects.get_or_create(username=f"p{number:03}")
            services.join(row.pk, user)
        return row

    return make


def move(game, seat):
    """Make a move in a game that has begun."""
    match = game.match.match()
    number = min(match.position.legal_moves)
    play = Play(seat=seat, ply=match.ply, key=f"{game.pk} {match.ply}", move=number)
    carry_out(game.match.slug, play)


def resign(game, seat):
    """Let both players of a game move, then one resign."""
    for _ in range(2):
        game.match.refresh_from_db()
        move(game, game.match.match().seat_to_move)
    game.match.refresh_from_db()
    ply = game.match.match().ply
    carry_out(game.match.slug, Resign(seat=seat, ply=ply, key=f"over {game.pk}"))


def unfinished(row):
    """Return the games of an event that are being played."""
    games = GameRow.objects.filter(pairing__tournament=row, match__ended_at=None)
    return list(games.select_related("match", "pairing").order_by("pk"))


def advance(row):
    """Take all steps that the event can take now."""
    for _ in range(200):
        if not progress.step(row.pk):
            break
    else:
        raise AssertionError("the event never rests")
    row.refresh_from_db()
    return row


def play_round(row, rng=None):
    """Finish all games that have begun; the loser is drawn by chance, or the first seat."""
    for game in unfinished(row):
        resign(game, rng.randrange(2) if rng else 0)


def play_out(row, seed=0):
    """Play an event to its end."""
    rng = random.Random(seed)
    for _ in range(100):
        advance(row)
        if row.is_over:
            return row
        play_round(row, rng)
    raise AssertionError("the event never ends")
