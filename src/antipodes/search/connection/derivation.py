"""Derivations of virtual connections: trees that a reader or a checker can follow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """The rule that made a connection.

    Attributes:
        STEP: its ends are neighbours.
        AND: two full connections with a common end, the ``key``.
        OR: semi connections of the same ends, whose carriers have no cell in common.
        RING: a full ring at an empty cell, the ``key``, which its owner must still play.
    """

    STEP = "step"
    AND = "and"
    OR = "or"
    RING = "ring"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An end of a connection: an empty cell, or a group.

    Attributes:
        root: the empty cell, or the node of a group from which windings are counted.
        nodes: the cell alone, or all nodes of the group; borders are numbered after the cells.
        empty: whether it is a cell without a stone.
    """

    root: int
    nodes: frozenset[int]
    empty: bool


@dataclass(frozen=True, slots=True)
class VirtualConnection:
    """A virtual connection with its derivation.

    Attributes:
        ends: the two points; the same point twice for a ring.
        full: whether it holds if the opponent moves first; otherwise its owner must move first.
        winding: of all paths that it can become, from the root of the first end to that of the
            second; 0 for Black. A ring has some other winding than 0, and does not say which.
        carrier: the empty cells that it needs.
        rule: that made it.
        key: the common point of ``AND``, the cell to play of ``RING``; else ``None``.
        parents: the connections it was made from.
    """

    ends: tuple[Endpoint, Endpoint]
    full: bool
    winding: int
    carrier: frozenset[int]
    rule: Rule
    key: Endpoint | None
    parents: tuple[VirtualConnection, ...]
