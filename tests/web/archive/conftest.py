"""Fixtures and helpers to play matches for the archive."""

import random

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import Abort, Play, Resign, Terms
from antipodes.web.archive.services import archive_match
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up


def play(row, *moves):
    """Play moves, as text or numbers."""
    for text in moves:
        match = look_up(row.slug).match
        move = match.position.parse_move(text) if isinstance(text, str) else int(text)
        seat = match.position.seat_to_move
        carry_out(row.slug, Play(seat=seat, ply=match.ply, key=f"move {match.ply}", move=move))


def resign(row):
    """Resign for the player to move; before the first moves this aborts the game."""
    match = look_up(row.slug).match
    carry_out(row.slug, Resign(seat=match.position.seat_to_move, ply=match.ply, key="resign"))


def abort(row):
    """Abort the game for the first seat."""
    carry_out(row.slug, Abort(seat=0, ply=0, key="abort"))


def play_out(row, seed):
    """Play random moves until the game ends."""
    rng = random.Random(seed)
    while (match := look_up(row.slug).match).result is None:
        play(row, rng.choice(list(match.position.legal_moves)))


def finisher(people):
    """Return a function that plays a match between some people and archives it."""

    def make(game_id="hex", *, moves=(), by=None, seed=None, users=None, **terms):
        fields = {name: terms.pop(name) for name in ("rated", "control") if name in terms}
        if "control" in fields:
            fields["control"] = read_control(fields["control"])
        is_private = terms.pop("is_private", False)
        game = make_game(game_id, terms)
        seated = list(users or people[: game.seats])
        players = tuple(str(user.pk) for user in seated)
        row = begin_match(Terms(game=game, players=players, **fields), seated)
        if is_private:
            MatchRow.objects.filter(pk=row.pk).update(is_private=True)
        play(row, *moves)
        if by is not None:
            by(row)
        elif seed is not None:
            play_out(row, seed)
        row = MatchRow.objects.get(pk=row.pk)
        assert archive_match(row)
        return row

    return make


@pytest.fixture
def finish(people):
    """Return a function that plays a match between the users and archives it."""
    return finisher(people)
