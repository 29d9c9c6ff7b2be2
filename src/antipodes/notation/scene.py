"""Scenes: the contents of a picture, independent of the game; the input of all drawing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from antipodes.boards import Topology
from antipodes.core import Color


@dataclass(frozen=True, slots=True)
class Rod:
    r"""A rod on a square: its colour and its diagonal, ``/`` or ``\``."""

    color: Color
    diagonal: str


@dataclass(frozen=True)
class Overlay:
    """The overlay of an analysis on a picture.

    Attributes:
        marks: cell -> its text, at most three characters: the place of a proposed
            move among the best (``1``), in Antipalos with the rod's diagonal (``1/``).
        weights: cell -> how strongly it is shaded, from 0 (not at all) to 1.
        words: sentences that say what is drawn, where it is something else than an analysis.
        lines: ``neighbours`` draws a line between any two neighbours, ``graph`` what Black can
            still join on a board with poles; empty for none.
    """

    marks: Mapping[int, str] = field(default_factory=dict)
    weights: Mapping[int, float] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    lines: str = ""


@dataclass(frozen=True)
class Scene:
    """The contents of a picture of a position.

    Attributes:
        topology: the board.
        title: the position in words, for people who do not see the picture.
        stones: cell -> colour of the stone or token on it.
        rods: square -> rod on it (Antipalos).
        pawns: cell -> colour of the pawn on it (Antipode).
        goals: colour -> named rims or cells that it joins, for the drawing of borders.
        poles: cells that are goals by themselves.
        last: cell of the last stone, or ``None``.
        chain: cells of the winning chain.
        numbers: cell -> number of the move that filled it.
        hints: cells where something is proposed or legal.
        points_named: whether the coordinates belong to the grid points between squares and not to
            the squares (Antipalos as the mail server plays it).
    """

    topology: Topology
    title: str
    stones: Mapping[int, Color] = field(default_factory=dict)
    rods: Mapping[int, Rod] = field(default_factory=dict)
    pawns: Mapping[int, Color] = field(default_factory=dict)
    goals: Mapping[Color, tuple[str, ...]] = field(default_factory=dict)
    poles: tuple[int, ...] = ()
    last: int | None = None
    chain: tuple[int, ...] = ()
    numbers: Mapping[int, int] = field(default_factory=dict)
    hints: tuple[int, ...] = ()
    points_named: bool = False
    overlay: Overlay = field(default_factory=Overlay)

    def with_numbers(self, numbers: Mapping[int, int]) -> Scene:
        """Return the same scene with move numbers."""
        return replace(self, numbers=numbers)

    def with_hints(self, hints: tuple[int, ...]) -> Scene:
        """Return the same scene with hints on some cells."""
        return replace(self, hints=hints)

    def with_overlay(self, overlay: Overlay) -> Scene:
        """Return the same scene with an overlay."""
        return replace(self, overlay=overlay)
