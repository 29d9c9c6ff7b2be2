"""The directive ``{course} COURSE``: a course of lessons, made from its file.

Each step has its text, the picture of its position, and folded hints and an answer.
"""

from __future__ import annotations

import html
import re
from typing import Any

from antipodes_docs import depend, picture
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from antipodes.learn.exercise import Exercise
from antipodes.learn.model import Step
from antipodes.learn.store import FOLDER, find_course
from antipodes.notation.svg import render_svg

_MARKED = re.compile(r"`([^`]+)`|\b_(\w[^_]*)_\b")


def marked(text: str) -> list[nodes.Node]:
    """Return a paragraph's text with its code and emphasis as nodes."""
    found: list[nodes.Node] = []
    end = 0
    for match in _MARKED.finditer(text):
        found.append(nodes.Text(text[end : match.start()]))
        code, emphasis = match.groups()
        found.append(nodes.literal("", code) if code else nodes.emphasis("", emphasis))
        end = match.end()
    return [*found, nodes.Text(text[end:])]


def folded(step: Step) -> str:
    """Return hints and an answer as folded HTML."""
    answer = step.right[0] if step.right else Exercise(step).suggestion() or ""
    hints = "".join(f"<li>{html.escape(hint)}</li>" for hint in step.hints)
    return (
        f"<details><summary>Hints</summary><ul>{hints}</ul></details>"
        f"<details><summary>An answer</summary><p><code>{html.escape(answer)}</code>"
        f" {html.escape(step.done)}</p></details>"
    )


class CourseDirective(SphinxDirective):
    """All steps of a course."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build rubrics, paragraphs and pictures."""
        course = find_course(self.arguments[0])
        depend(self, "antipodes.learn.exercise")
        self.env.note_dependency(str(FOLDER / f"{course.id}.toml"))
        command = nodes.literal("", f"antipodes learn {course.id}")
        tail = nodes.Text(".")
        start = nodes.paragraph(
            "", "", nodes.Text(f"{course.summary} To solve it: "), command, tail
        )
        found: list[nodes.Node] = [start]
        for number, step in enumerate(course.steps, 1):
            found.append(nodes.rubric("", f"{number}. {step.title}"))
            position = Exercise(step).position
            figure = nodes.figure("", classes=["board"], align="center")
            figure += picture(self, position.to_svg(), position.caption())
            found += [nodes.paragraph("", "", *marked(one)) for one in step.text.split("\n\n")]
            found += [figure, nodes.raw("", folded(step), format="html")]
            if step.demonstration:
                found += self._demonstration(step)
        return found

    def _demonstration(self, step: Step) -> list[nodes.Node]:
        """Return the folded picture of a step's demonstration, with the moves numbered."""
        position = step.position
        numbers: dict[int, int] = {}
        for number, text in enumerate(step.demonstration, 1):
            position = position.play(position.parse_move(text))
            if position.last_cell is not None:
                numbers[position.last_cell] = number
        drawn = render_svg(position.scene().with_numbers(numbers))
        figure = nodes.figure("", classes=["board"], align="center")
        figure += picture(self, drawn, position.caption())
        figure += nodes.caption("", "", nodes.literal("", " ".join(step.demonstration)))
        start = "<details><summary>A line of moves</summary>"
        return [
            nodes.raw("", start, format="html"),
            figure,
            nodes.raw("", "</details>", format="html"),
        ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive to Sphinx."""
    app.add_directive("course", CourseDirective)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
