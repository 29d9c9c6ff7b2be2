"""Conditional moves: answers that a player prepares while the others think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.errors import Fault, InvalidRecordError

ANY = -1  # stands for any move of another player that has no branch of its own

_MOST = 500  # moves in a tree
_DEEPEST = 60  # moves in a line


@dataclass(frozen=True, slots=True)
class Branch:
    """One conditional move and what comes after it."""

    move: int
    then: ConditionalMoves


@dataclass(frozen=True, slots=True)
class ConditionalMoves:
    """A tree of moves from the position on the board.

    Where another player is to move each branch is a move that may come; where it is the player's
    own turn the one branch is the answer. The tree does not say whose turn it is; the match does.
    """

    branches: tuple[Branch, ...] = ()

    @classmethod
    def line(cls, *moves: int) -> ConditionalMoves:
        """Return one line of moves without forks."""
        tree = cls()
        for move in reversed(moves):
            tree = cls((Branch(move, tree),))
        return tree

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.branches)

    def after(self, move: int) -> ConditionalMoves:
        """Return the conditional moves after a move of another player; they may be empty."""
        by_move = {branch.move: branch.then for branch in self.branches}
        return by_move.get(move, by_move.get(ANY, ConditionalMoves()))

    @property
    def answer(self) -> Branch | None:
        """The answer, where it is the player's turn."""
        return self.branches[0] if len(self.branches) == 1 else None

    def as_json(self) -> list[dict[str, Any]]:
        """Return lists and numbers for JSON."""
        return [{"move": one.move, "then": one.then.as_json()} for one in self.branches]

    @classmethod
    def read(cls, data: object) -> ConditionalMoves:
        """Read what :meth:`as_json` gives.

        Raises:
            InvalidRecordError: it is something else, or too large.
        """
        tree, size = _read(data, 0)
        if size > _MOST:
            raise _invalid(
                "{size} conditional moves are too many; {most} at most", size=size, most=_MOST
            )
        return tree


def _read(data: object, depth: int) -> tuple[ConditionalMoves, int]:
    if not isinstance(data, list) or depth > _DEEPEST:
        raise _invalid(
            "conditional moves are a list of moves at most {deepest} deep", deepest=_DEEPEST
        )
    branches = []
    size = 0
    for item in data:
        move = item.get("move") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or not isinstance(move, int) or isinstance(move, bool):
            raise _invalid("each conditional move is an object with a move")
        then, below = _read(item.get("then", []), depth + 1)
        branches.append(Branch(move, then))
        size += 1 + below
    if len({branch.move for branch in branches}) < len(branches):
        raise _invalid("the same move is twice in one place")
    return ConditionalMoves(tuple(branches)), size


def _invalid(template: str, **values: object) -> InvalidRecordError:
    return InvalidRecordError([Fault.of("match/conditional-moves", template, **values)])
