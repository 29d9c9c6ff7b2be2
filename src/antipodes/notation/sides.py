"""Views of a square board from other seats: A1 is at the lower left of each player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from antipodes.notation.scene import Overlay, Rod, Scene

_T = TypeVar("_T")
_OTHER = {"/": "\\", "\\": "/"}


def turned(scene: Scene, quarter_turns: int) -> Scene:
    """Return a scene of a square board after some clockwise quarter turns.

    Whatever stands on a square stands on the square to which the turns bring it, so the coordinates
    of a drawing are those that the player on that side reads. Rods lie on the other diagonal after
    an odd number of turns.
    """
    if quarter_turns % 4 == 0:
        return scene
    image = scene.topology.symmetries[quarter_turns % 4]
    is_odd = quarter_turns % 2 == 1

    def moved(marked: Mapping[int, _T]) -> dict[int, _T]:
        return {image[cell]: found for cell, found in marked.items()}

    rods = moved(scene.rods)
    if is_odd:
        rods = {cell: Rod(rod.color, _OTHER[rod.diagonal]) for cell, rod in rods.items()}
    overlay = scene.overlay
    marks = moved(overlay.marks)
    if is_odd:
        marks = {cell: _turned_mark(mark) for cell, mark in marks.items()}
    return replace(
        scene,
        stones=moved(scene.stones),
        rods=rods,
        pawns=moved(scene.pawns),
        poles=tuple(image[cell] for cell in scene.poles),
        last=None if scene.last is None else image[scene.last],
        chain=tuple(image[cell] for cell in scene.chain),
        numbers=moved(scene.numbers),
        hints=tuple(image[cell] for cell in scene.hints),
        overlay=Overlay(marks=marks, weights=moved(overlay.weights), words=overlay.words),
    )


def _turned_mark(mark: str) -> str:
    """Return a mark such as ``1/`` with the other diagonal."""
    return mark[:-1] + _OTHER.get(mark[-1], mark[-1]) if mark else mark
