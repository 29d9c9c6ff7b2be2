"""Fixtures of the tests of tournaments."""

import random
from contextlib import contextmanager
from functools import partial

import pytest
from django.db import transaction

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import carry_out
from antipodes.web.platform import limits
from antipodes.web.tournaments import progress, services
from antipodes.web.tournaments.log import Step, locked, record
from antipodes.web.tournaments.models import GameRow, TournamentState
from antipodes.web.tournaments.plans import Plan
from tests.web.conftest import kept

GAME = make_game("hex", {"size": 3, "swap": "off"})


@pytest.fixture
def host(db):
    """The host of all events."""
    return User.objects.create(username="host")


@pytest.fixture
def make_event(host):
    """Return a function that makes an event, and lets so many players join."""

    return partial(event_of, host)


def event_of(host, players=0, **wanted):
    """Make an event, and let so many players join."""
    rules = {"title": "Cup", "format": Swiss(), "game": GAME}
    clock = read_control(wanted.pop("control", "5m+5s"))
    row = services.create_tournament(host, Plan(**{**rules, "control": clock, **wanted}))
    users = [User.objects.get_or_create(username=f"p{one:03}")[0] for one in range(players)]
    if row.state != TournamentState.OPEN or row.starts_when_full or row.format.has_teams:
        for user in users:
            services.join(row.pk, user)
    elif users:
        _enter(row, users)
    return row


def _enter(row, users):
    """Store what `services.join` stores, without its checks, which would take half of the time."""
    with locked(row.pk) as again:
        for user in users:
            services.add_entry(again, user).save()
            record(again, Step.JOINED, user, user=user.pk, players=[], places=[])


@contextmanager
def kept_events(django_db_blocker):
    """Keep rows for the tests of a module, as `kept` does; callbacks on commit run at once."""
    limits.limiter().storage.reset()
    with kept(django_db_blocker), pytest.MonkeyPatch.context() as patch:
        patch.setattr(transaction, "on_commit", lambda callback, *_rest, **_options: callback())
        yield


def move(game, seat):
    """Make a move in a game that has begun."""
    _move(game, game.match.match(), seat)


def _move(game, match, seat):
    """Make a move in a game whose match is known; return the match after it."""
    number = min(match.position.legal_moves)
    play = Play(seat=seat, ply=match.ply, key=f"{game.pk} {match.ply}", move=number)
    return carry_out(game.match.slug, play)[0]


def resign(game, seat):
    """Let both players of a game move, then one resign."""
    game.match.refresh_from_db()
    match = game.match.match()
    for _ in range(2):
        match = _move(game, match, match.seat_to_move)
    carry_out(game.match.slug, Resign(seat=seat, ply=match.ply, key=f"over {game.pk}"))


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
