"""Descriptions of positions for screen readers, drawings and plain terminals."""

from __future__ import annotations

from collections.abc import Iterable

from antipodes.core import Color
from antipodes.notation.rods import rod_by_points, rod_by_square
from antipodes.notation.scene import Rod, Scene

_HEAVIEST = 5  # points that are named as the most important ones
_LIGHTEST = 0.1  # smallest weight that is shown


def describe(scene: Scene) -> str:
    """Return a description of the picture of a scene in one paragraph.

    The title comes first, then the pieces of each colour with their points, pawns, the last move
    and the winning chain. A rim point of the sphere has the name that moves write: the one on the
    left board and a plus sign.
    """
    sentences = [scene.title, *_pieces(scene), *_pawns(scene), *highlights(scene)]
    return " ".join(sentence for sentence in sentences if sentence)


def highlights(scene: Scene) -> list[str]:
    """Return sentences about the last move, the winning chain and the hints."""
    sentences = []
    if scene.last is not None:
        sentences.append(f"Last move: {point_name(scene, scene.last)}.")
    if scene.chain:
        names = _listed(point_name(scene, cell) for cell in scene.chain)
        sentences.append(f"Winning chain: {names}.")
    if scene.hints:
        sentences.append(f"Pointed out: {_listed(scene.topology.name(c) for c in scene.hints)}.")
    return sentences + _of_overlay(scene)


def _of_overlay(scene: Scene) -> list[str]:
    """Return sentences about the moves and the critical points of an analysis."""
    if scene.overlay.words:
        return list(scene.overlay.words)
    name = scene.topology.name
    marks = sorted(scene.overlay.marks.items(), key=lambda item: (len(item[1]), item[1]))
    shaded = {cell: weight for cell, weight in scene.overlay.weights.items() if shade_level(weight)}
    heavy = sorted(shaded, key=lambda cell: (-shaded[cell], cell))[:_HEAVIEST]
    sentences = []
    if marks:
        proposed = _listed(f"{mark} at {name(cell)}" for cell, mark in marks)
        sentences.append(f"Proposed moves: {proposed}.")
    if heavy:
        sentences.append(f"The game hangs most on {_listed(map(name, heavy))}.")
    return sentences


def shade_level(weight: float) -> int:
    """Return the step of a weight, from 1 to 4; 0 if it is too light to be shown."""
    return 0 if weight < _LIGHTEST else min(4, 1 + int(4 * weight))


def point_name(scene: Scene, cell: int) -> str:
    """Return the name of a point, or of the rod on it, as in moves: rim points have a plus."""
    rod = scene.rods.get(cell)
    if rod is not None:
        return rod_name(scene, cell, rod)
    return scene.topology.name(cell) + "+" * (len(scene.topology.names[cell]) > 1)


def rod_name(scene: Scene, square: int, rod: Rod) -> str:
    """Return the name of a rod as in moves of the scene's rules."""
    if scene.points_named:
        row, column = divmod(square, scene.topology.size[0])
        return rod_by_points(row, column, rod.diagonal)
    return rod_by_square(scene.topology.name(square), rod.diagonal)


def colors_on_board(scene: Scene) -> list[Color]:
    """Return the colours of the pieces in a fixed order."""
    found = {*scene.stones.values(), *(rod.color for rod in scene.rods.values())}
    return [color for color in Color if color in found]


def _pieces(scene: Scene) -> list[str]:
    if not scene.stones and not scene.rods:
        return ["The board is empty."]
    sentences = []
    for color in colors_on_board(scene):
        cells = sorted(
            [cell for cell, found in scene.stones.items() if found is color]
            + [cell for cell, rod in scene.rods.items() if rod.color is color]
        )
        names = _listed(point_name(scene, cell) for cell in cells)
        sentences.append(f"{color.title} ({len(cells)}): {names}.")
    return sentences


def _pawns(scene: Scene) -> list[str]:
    return [
        f"{color.title} pawn: {scene.topology.name(cell)}."
        for cell, color in sorted(scene.pawns.items(), key=lambda item: item[1].value)
    ]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
