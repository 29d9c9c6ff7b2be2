"""Conditional moves: what to answer, prepared while the others think."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.errors import Fault, InvalidRecordError

ANY = -1  # stands for any move of somebody else that has no branch of its own

_MOST = 500  # moves in a plan
_DEEPEST = 60  # moves in a line


@dataclass(frozen=True, slots=True)
class Branch:
    """One move of a plan and what comes after it."""

    move: int
    then: Plan


@dataclass(frozen=True, slots=True)
class Plan:
    """A tree of moves from the position on the board.

    In somebody else's turn each branch is a move that may come, in one's own the one branch is the
    answer. A plan knows nothing of turns; the match looks whose turn it is.
    """

    branches: tuple[Branch, ...] = ()

    def __bool__(self) -> bool:
        """Be true where something is planned."""
        return bool(self.branches)

    def after(self, move: int) -> Plan:
        """Return what is planned after a move of somebody else; empty if nothing is."""
        by_move = {branch.move: branch.then for branch in self.branches}
        return by_move.get(move, by_move.get(ANY, Plan()))

    @property
    def answer(self) -> Branch | None:
        """The answer of a plan whose turn has come."""
        return self.branches[0] if len(self.branches) == 1 else None

    def as_json(self) -> list[dict[str, Any]]:
        """Return lists and numbers for JSON."""
        return [{"move": one.move, "then": one.then.as_json()} for one in self.branches]

    @classmethod
    def read(cls, data: object) -> Plan:
        """Read what :meth:`as_json` gives.

        Raises:
            InvalidRecordError: it is something else, or too large.
        """
        plan, size = _read(data, 0)
        if size > _MOST:
            raise _invalid(
                "a plan of {size} moves is too large; {most} at most", size=size, most=_MOST
            )
        return plan


def _read(data: object, depth: int) -> tuple[Plan, int]:
    if not isinstance(data, list) or depth > _DEEPEST:
        raise _invalid("a plan is a list of moves at most {deepest} deep", deepest=_DEEPEST)
    branches = []
    size = 0
    for item in data:
        move = item.get("move") if isinstance(item, Mapping) else None
        if not isinstance(item, Mapping) or not isinstance(move, int) or isinstance(move, bool):
            raise _invalid("each part of a plan is an object with a move")
        then, below = _read(item.get("then", []), depth + 1)
        branches.append(Branch(move, then))
        size += 1 + below
    if len({branch.move for branch in branches}) < len(branches):
        raise _invalid("a plan has the same move twice in one place")
    return Plan(tuple(branches)), size


def _invalid(template: str, **values: object) -> InvalidRecordError:
    return InvalidRecordError([Fault.of("match/plan", template, **values)])
