"""Random games and full boards of the oracles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tests.oracles import (
    Oracle,
    Outcome,
)

Node = TypeVar("Node")
Tour = tuple[list[str], Oracle]


def result(oracle: Oracle) -> Outcome | None:
    """Return the outcome, read again, since a type checker assumes that it is unchanged."""
    return oracle.outcome


def play_random(oracle: Oracle, seed: int) -> Tour:
    """Play random moves to the end of the game and return them with the game."""
    dice = random.Random(seed)
    played = []
    while result(oracle) is None:
        moves = sorted(oracle.legal())
        assert moves, "a game that goes on must have a legal move"
        played.append(dice.choice(moves))
        oracle.play(played[-1])
        assert len(played) < 5000
    assert oracle.legal() == set()
    return played, oracle


def fill(board: Mapping[str, str], empty: Iterable[str], seed: int) -> dict[str, str]:
    """Return a board on which every empty place has got a black or a white stone."""
    dice = random.Random(seed)
    return {**board, **{name: dice.choice(["black", "white"]) for name in sorted(empty)}}


def winds(stones: set[Node], steps: Callable[[Node], Iterable[tuple[Node, float]]]) -> bool:
    """Whether a walk over the stones can come back to its start after a full turn."""
    turned: dict[Node, float] = {}
    for start in stones:
        if start in turned:
            continue
        turned[start] = 0.0
        todo = [start]
        while todo:
            here = todo.pop()
            for there, turn in steps(here):
                if there not in stones:
                    continue
                if there not in turned:
                    turned[there] = turned[here] + turn
                    todo.append(there)
                elif abs(turned[there] - turned[here] - turn) > 0.1:
                    return True
    return False
