"""QR codes as SVG."""

from __future__ import annotations

import qrcode  # type: ignore[import-untyped]  # it has no types
from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped]

_BORDER = 4  # modules of the quiet zone
_MODULE = 8  # pixels


def qr_svg(text: str) -> str:
    """Return a text as a QR code, dark on white in every theme."""
    code = qrcode.QRCode(error_correction=ERROR_CORRECT_M, border=_BORDER)
    code.add_data(text)
    code.make()
    rows = code.get_matrix()
    size = len(rows)
    dark = "".join(
        f"M{x} {y}h1v1h-1z"
        for y, row in enumerate(rows)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}"'
        f' width="{size * _MODULE}" height="{size * _MODULE}" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}" fill="#000"/></svg>'
    )
