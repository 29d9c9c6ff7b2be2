"""The directive ``{answer} KEY``: an answer of :mod:`antipodes.lab.knowledge` with its table."""

from __future__ import annotations

from typing import Any

from antipodes_docs import depend, table
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.lab.knowledge import answers
from antipodes.lab.measured_balance import FILE


class AnswerDirective(SphinxDirective):
    """The paragraphs of an answer, and its table; the heading stands in the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build the nodes."""
        depend(self, "antipodes.lab.knowledge")
        self.env.note_dependency(str(FILE))
        answer = next(one for one in answers() if one.key == self.arguments[0])
        found: list[nodes.Node] = [
            nodes.paragraph("", str(paragraph)) for paragraph in answer.paragraphs
        ]
        if answer.table is not None and answer.table.rows:
            head = tuple(map(str, answer.table.head))
            rows = [tuple(map(str, row)) for row in answer.table.rows]
            found.append(table(head, rows, codes=0))
        return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("answer", AnswerDirective)
    return {"version": "1", "parallel_read_safe": True}
