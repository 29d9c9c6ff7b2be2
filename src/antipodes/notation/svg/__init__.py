"""Pictures as SVG text: flat boards with coordinates, stones, rods and pawns.

No style sheet and no script is used, and every id begins with the picture's own scope, so several
pictures can stand on one page and none needs anything from outside.
"""

from antipodes.notation.svg.render import picture_size, render_svg

__all__ = ["picture_size", "render_svg"]
