"""The directive ``{answer} KEY``: an answer of :mod:`antipodes.lab.knowledge` with its plot."""

from __future__ import annotations

from typing import Any, ClassVar

from antipodes_docs import depend, picture, table
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.lab.knowledge import answers
from antipodes.lab.measured_balance import FILE
from antipodes.lab.sections import share_plot

_SVG = "http://www.w3.org/2000/svg"


class AnswerDirective(SphinxDirective):
    """The paragraphs of an answer, its plot and its table; the heading stands in the page.

    The option ``only`` gives the number of first paragraphs to show, without the others.
    """

    required_arguments = 1
    option_spec: ClassVar[Any] = {"only": directives.positive_int}

    def run(self) -> list[nodes.Node]:
        """Build the nodes."""
        depend(self, "antipodes.lab.knowledge")
        depend(self, "antipodes.lab.sections")
        self.env.note_dependency(str(FILE))
        answer = next(one for one in answers() if one.key == self.arguments[0])
        found: list[nodes.Node] = [
            nodes.paragraph("", str(paragraph))
            for paragraph in answer.paragraphs[: self.options.get("only")]
        ]
        if "only" not in self.options and answer.table is not None and answer.table.rows:
            if answer.table.shares:
                said = f"{answer.title} The table below has the same shares with their intervals."
                svg = share_plot(answer.table, str(answer.title), xmlns=_SVG)
                found.append(nodes.figure("", picture(self, svg, said), align="center"))
            head = tuple(map(str, answer.table.head))
            rows = [tuple(map(str, row)) for row in answer.table.rows]
            found.append(table(head, rows, codes=0))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("answer", AnswerDirective)
    return {"version": "1", "parallel_read_safe": True}
