"""Pictures as SVG text."""

from __future__ import annotations

from antipodes.notation.scene import Scene


def render_svg(scene: Scene) -> str:
    """Return the picture of a scene as SVG text."""
    raise NotImplementedError(scene.title)
