"""Whole events with random results."""

import random
from dataclasses import replace

from antipodes.tournaments import Pairing
from antipodes.tournaments.swiss import pair_swiss


def decided(pairings, rng, draws=0.2):
    """Return pairings with random points; the stronger player wins more often."""
    found = []
    for one in pairings:
        if one.second is None:
            found.append(one)
            continue
        favourite = 0.35 + 0.3 * (one.first < one.second)
        chance = rng.random()
        is_draw = chance < draws and not one.needs_winner
        points = (0.5, 0.5) if is_draw else (1.0, 0.0)
        if points == (1.0, 0.0) and rng.random() > favourite:
            points = (0.0, 1.0)
        found.append(replace(one, points=points, is_forfeit=rng.random() < 0.03))
    return found


def swiss_event(count, rounds, seed, *, accelerated=False, withdrawals=0.0):
    """Play a whole event; return the players and pairings of each round."""
    rng = random.Random(seed)
    players, found = list(range(1, count + 1)), []
    history: list[Pairing] = []
    for number in range(1, rounds + 1):
        pairings = pair_swiss(players, history, number, rounds, accelerated=accelerated)
        found.append((list(players), pairings))
        history += decided(pairings, rng)
        players = [one for one in players if rng.random() >= withdrawals]
        if len(players) <= rounds + 1:
            break
    return found, history
