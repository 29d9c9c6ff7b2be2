"""Deterministic matches and reports for tests of answers."""

from __future__ import annotations

import random
from dataclasses import replace

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.mail.layout import BoardReport, PlayerLine
from antipodes.match import Match, Play, Terms, handle

BEGUN = 1_795_000_000_000  # milliseconds since 1970
HOUR = 3_600_000
NAMES = ("ann", "bob", "cat-3", "dan_the_man")


def begun(game_id, options=None, *, players=None, control="3d/move+10d", rated=True):
    """Return a match that has just begun."""
    game = make_game(game_id, options or {})
    terms = Terms(
        game=game,
        players=players or tuple(str(seat) for seat in range(game.seats)),
        control=read_control(control),
        rated=rated,
    )
    return Match.begun(terms, BEGUN)


def carried_out(match, *commands, at=None):
    """Return a match after some commands, an hour apart: each a type of command and its values."""
    for command, values in commands:
        now = match.clock.latest + HOUR if at is None else at
        key = f"key {now} {command.__name__} {len(match.keys)}"
        match, _ = handle(match, command(ply=match.ply, key=key, **values), now)
    return match


def played(match, texts):
    """Return a match after some moves, an hour apart."""
    for text in texts:
        move = match.position.parse_move(text)
        match = carried_out(match, (Play, {"seat": match.position.seat_to_move, "move": move}))
    return match


def at_random(match, count, seed=1):
    """Return a match after a number of random moves without swap, or at its end."""
    rng = random.Random(seed)
    while match.result is None and match.ply < count:
        position = match.position
        moves = position.legal_moves.array()
        move = rng.choice(moves[moves != position.game.swap_move])
        values = {"seat": position.seat_to_move, "move": int(move)}
        match = carried_out(match, (Play, values))
    return match


def reported(match, *, number=101, **more):
    """Return a report about a match, written an hour after its last event."""
    ratings = ("1612", "1500?", "1745", "1398")
    players = tuple(
        PlayerLine(name=NAMES[seat], rating=ratings[seat]) for seat in range(match.terms.game.seats)
    )
    values = {
        "number": number,
        "match": match,
        "players": players,
        "now": match.clock.latest + HOUR,
        "link": f"https://antipodes.example/m/{number}abc/",
        "address": "play+token@antipodes.example",
    }
    return BoardReport(**(values | more))


def rated_again(report, *changes):
    """Return a report in which ratings have changed: before and after for each seat."""
    players = tuple(
        replace(player, before=before, after=after)
        for player, (before, after) in zip(report.players, changes, strict=True)
    )
    return replace(report, players=players)
