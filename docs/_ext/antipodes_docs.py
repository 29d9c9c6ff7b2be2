"""Directives of the docs that read the program: options, boards, rulings, commands by mail.

``{options-table} GAME`` is the table of a game's options, read from the code. ``{board} GAME`` is
the picture of a position, drawn by the program::

    ```{board} hex
    :set: size=5 swap=off
    :moves: c3 b4
    :numbers:

    The caption.
    ```

``{inventor-figure} GAME LETTER`` is a figure of an inventor's text, redrawn.

``{words-table}``, ``{keys-table}`` and ``{levels-table}`` are the words of the line mode, the keys
of the full screen and the levels of the computer. ``{ours}`NAME` `` marks a ruling of this program
and links to its reasons in ``rulings.md``.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from antipodes.core import Setup
from antipodes.games.figures import FIGURES
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, make_game, option_rows
from antipodes.mail.layout import mail_examples
from antipodes.search.levels import levels

# Drawn pictures lie here, inside the folder of sources, where Sphinx finds them by their address.
PICTURES = "_build/pictures"


def drawn_game(name: str, settings: str = "") -> Game:
    """Return the game that ``antipod`` or ``module:Class`` names, with ``key=value`` options."""
    options = dict(setting.split("=", 1) for setting in settings.split())
    if ":" not in name:
        return make_game(name, options)
    module, class_name = name.split(":")
    game: Game = getattr(import_module(module), class_name)(**options)
    return game


def drawn_position(
    game: Game, moves: str = "", stones: str = "", turn: str | None = None
) -> tuple[Position, dict[int, int]]:
    """Return a position and the number of the move that filled each cell.

    Args:
        game: the game.
        moves: moves from the start, with spaces between them.
        stones: instead of the start position, colours each followed by their points.
        turn: the colour to move where stones are given.
    """
    position = game.initial()
    if stones:
        color, found = "", []
        for word in stones.split():
            if word in {str(one) for one in game.colors}:
                color = word
            else:
                found.append((word, color))
        position = game.position(Setup(stones=tuple(found), to_move=turn, composed=True))
    numbers = {}
    for number, text in enumerate(moves.split(), start=1):
        position = position.play(text)
        if position.last_cell is not None:
            numbers[position.last_cell] = number
    return position, numbers


def word_rows() -> list[tuple[str, str]]:
    """Return the words of the line mode and what they do."""
    from antipodes.cli.line_mode.commands import COMMANDS  # noqa: PLC0415 - only where shown

    return list(dict.fromkeys((command.usage, command.help) for command in COMMANDS.values()))


def mail_rows() -> dict[str, list[tuple[str, str, str]]]:
    """Return for each group of commands by mail how they are written, their other names and use."""
    from antipodes.mail.commands import COMMANDS, Proof  # noqa: PLC0415 - only where shown

    rows: dict[str, list[tuple[str, str, str]]] = {}
    for info in COMMANDS:
        needs = "" if info.proof is Proof.NONE else " Needs proof of who you are."
        row = (info.usage, " | ".join(info.names), info.summary + needs)
        rows.setdefault(info.group, []).append(row)
    return rows


def key_rows() -> list[tuple[str, str]]:
    """Return the keys of the full screen and what they do, as its help has them."""
    from antipodes.tui import texts  # noqa: PLC0415 - only where shown

    rows = []
    for line in texts._KEYS.strip().splitlines():  # noqa: SLF001 - the help itself
        key, meaning = line.split("  ", 1)
        rows.append((key, meaning.strip().format(slash="; in most games also /")))
    return rows


def level_rows() -> list[tuple[str, str, str]]:
    """Return what to type for each level of the computer, its name and what it is like."""
    return [(f"computer:{level.number}", level.name, level.description) for level in levels()]


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]], codes: int) -> nodes.table:
    """Return a table whose first ``codes`` columns are what a person types."""
    group = nodes.tgroup(cols=len(head))
    group += [nodes.colspec(colwidth=100 // len(head)) for _ in head]
    group += nodes.thead("", _row(head))
    group += nodes.tbody("", *(_row(row, codes) for row in rows))
    return nodes.table("", group, classes=["options"])


class OptionsTable(SphinxDirective):
    """The table of a game's options, as the code declares them."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        game_id = self.arguments[0]
        depend(self, game_class(game_id).__module__)
        head = ("option", "default", "values", "meaning")
        return [table(head, option_rows(game_id), codes=3)]


class WordsTable(SphinxDirective):
    """The words that the line mode knows besides moves."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        depend(self, "antipodes.cli.line_mode.commands")
        return [table(("word", "what it does"), word_rows(), codes=1)]


class MailCommands(SphinxDirective):
    """The commands that can be sent by mail, a table for each group."""

    def run(self) -> list[nodes.Node]:
        """Build the tables."""
        depend(self, "antipodes.mail.commands")
        head = ("how it is written", "names", "what it does")
        found: list[nodes.Node] = []
        for group, rows in mail_rows().items():
            found += [nodes.rubric("", group.capitalize()), table(head, rows, codes=2)]
        return found


class MailExamples(SphinxDirective):
    """How a game is played by mail, as its mail help has it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Build the block."""
        depend(self, "antipodes.mail.layout.helping")
        text = textwrap.dedent("\n".join(mail_examples(self.arguments[0])))
        return [nodes.literal_block(text, text, language="text")]


class KeysTable(SphinxDirective):
    """The keys of the full screen."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        depend(self, "antipodes.tui.texts")
        return [table(("key", "what it does"), key_rows(), codes=0)]


class LevelsTable(SphinxDirective):
    """The levels of the computer."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        depend(self, "antipodes.search.levels")
        return [table(("player", "name", "what to expect"), level_rows(), codes=1)]


def depend(directive: SphinxDirective, module: str) -> None:
    """Have the page built again when a module changes."""
    directive.env.note_dependency(str(import_module(module).__file__))


def _row(texts: tuple[str, ...], codes: int = 0) -> nodes.row:
    """Return a row; what a person types stands as code in the first ``codes`` columns."""
    entries = []
    for column, text in enumerate(texts):
        parts: list[nodes.Node] = []
        for i, word in enumerate(text.split(" | ") if column < codes else [text]):
            code, comma, rest = word.partition(",")
            parts += [nodes.Text(" | ")] if i else []
            parts += [nodes.literal("", code), nodes.Text(comma + rest)] if column < codes else []
            parts += [nodes.Text(word)] if column >= codes else []
        entries.append(nodes.entry("", nodes.paragraph("", "", *parts)))
    return nodes.row("", *entries)


class Board(SphinxDirective):
    """The picture of a position, drawn by the program while the docs are built."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "set": directives.unchanged,
        "moves": directives.unchanged,
        "stones": directives.unchanged,
        "turn": directives.unchanged,
        "hints": directives.unchanged,
        "numbers": directives.flag,
        "width": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Draw the position and put it into a figure with the caption."""
        options = self.options
        game = drawn_game(self.arguments[0], options.get("set", ""))
        position, numbers = drawn_position(
            game, options.get("moves", ""), options.get("stones", ""), options.get("turn")
        )
        hints = tuple(game.topology.cell(name) for name in options.get("hints", "").split())
        if None in hints:
            raise self.error(f"no such point among {options['hints']!r}")
        svg = _svg(position, numbers if "numbers" in options else {}, hints)
        image = picture(self, svg, position.caption())
        if "width" in options:
            image["width"] = options["width"]
        figure = nodes.figure("", image, classes=["board"], align="center")
        if self.content:
            caption, _ = self.parse_inline(" ".join(self.content))
            figure += nodes.caption("", "", *caption)
        return [figure]


def picture(directive: SphinxDirective, svg: str, said: str) -> nodes.image:
    """Keep a drawing beside the pages; return the image, for whose readers ``said`` is the text."""
    address = f"{PICTURES}/{hashlib.sha256(svg.encode()).hexdigest()[:16]}.svg"
    path = Path(directive.env.srcdir) / address
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg, encoding="utf-8")
    # The uri is relative to the page for the writers, as Sphinx's own image directive has it.
    return nodes.image(uri="../" * directive.env.docname.count("/") + address, alt=said)


def _svg(position: Position, numbers: dict[int, int], hints: tuple[Any, ...]) -> str:
    from antipodes.notation.svg import render_svg  # noqa: PLC0415 - only where boards are drawn

    return render_svg(position.scene().with_numbers(numbers).with_hints(hints))


class InventorFigure(SphinxDirective):
    """A figure with which an inventor explains a game, as the page of its rules has it."""

    required_arguments = 2

    def run(self) -> list[nodes.Node]:
        """Draw its pictures and put them into a figure with its caption."""
        game_id, letter = self.arguments
        depend(self, "antipodes.games.figures")
        found = next(one for one in FIGURES[game_id] if one.letter == letter)
        figure = nodes.figure("", classes=["board"], align="center")
        for drawing in found.drawings:
            figure += picture(self, drawing.svg(bare=True), drawing.position().caption())
        caption = [nodes.strong("", letter), nodes.Text(f" {found.caption}")]
        figure += nodes.caption("", "", *caption)
        return [figure]


class Ours(SphinxRole):
    """A mark: this is a ruling of the program, not of the inventor; see the page of rulings."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Link the mark to the ruling's heading."""
        target = f"ruling-{self.text}"
        link = addnodes.pending_xref(
            "",
            nodes.inline("", "our ruling"),
            refdomain="std",
            reftype="ref",
            reftarget=target,
            refexplicit=True,
            refwarn=True,
            refdoc=self.env.docname,
        )
        return [link], []


def give_captions_a_level(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> None:
    """Say the level of the headings of contents, which Sphinx leaves out, to screen readers."""
    for name in ("body", "furo_navigation_tree"):
        if name in context:
            context[name] = context[name].replace(
                'role="heading">', 'role="heading" aria-level="2">'
            )


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directives and the role to Sphinx, and complete its pages."""
    app.add_directive("options-table", OptionsTable)
    app.add_directive("words-table", WordsTable)
    app.add_directive("mail-commands", MailCommands)
    app.add_directive("mail-examples", MailExamples)
    app.add_directive("keys-table", KeysTable)
    app.add_directive("levels-table", LevelsTable)
    app.add_directive("board", Board)
    app.add_directive("inventor-figure", InventorFigure)
    app.add_role("ours", Ours())
    app.connect("html-page-context", give_captions_a_level, priority=900)  # after the theme
    return {"version": "2", "parallel_read_safe": True, "parallel_write_safe": True}
