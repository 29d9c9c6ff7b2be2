"""Plots as PDF files, for papers."""

from __future__ import annotations

import logging

from antipodes.errors import NotInstalledError

try:
    from fpdf import FPDF
    from fpdf.svg import SVGObject
except ModuleNotFoundError:
    raise NotInstalledError.of("a plot as PDF", "fpdf2", "lab") from None

# It warns of titles, which it leaves out.
logging.getLogger("fpdf.svg").setLevel(logging.ERROR)


def as_pdf(svg: str) -> bytes:
    """Return a plot as a PDF file of one page, which has the size of the plot.

    Args:
        svg: a whole file. The fonts that each reader of PDF has know the letters of Latin-1;
            others become question marks.

    Raises:
        ValueError: the file has no ``viewBox``.
    """
    plot = SVGObject(svg.encode("latin-1", "replace").decode("latin-1"))
    if plot.viewbox is None:
        raise ValueError("the plot has no viewBox, which says how large it is")
    _, _, width, height = plot.viewbox
    page = FPDF(unit="pt", format=(width, height))
    page.set_margin(0)
    page.set_auto_page_break(False)
    page.add_page()
    page.set_font("helvetica")
    plot.draw_to_page(page)
    return bytes(page.output())
