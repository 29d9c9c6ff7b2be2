"""``antipodes replay``: a record, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from antipodes.cli.parameters import lenient_option
from antipodes.cli.sources import STDIN, read_record
from antipodes.cli.terminal import Terminal, is_interactive
from antipodes.core.numbers import read_number

if TYPE_CHECKING:
    from antipodes.records import Node, Record

_PROMPT = "Enter for the next move (back, first, last, a number, quit): "


@click.command("replay")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option("--words", is_flag=True, help="Describe positions in words instead of pictures.")
@lenient_option
def replay_command(source: str, *, words: bool, lenient: bool) -> None:
    """Step through the moves of a record; in a pipe print all positions.

    FILE is a record; - is standard input.
    """
    record = read_record(source, lenient=lenient)
    pages = _Pages(record, words=words)
    terminal = Terminal()
    if is_interactive() and source != STDIN:
        _step(pages, terminal)
        return
    for number in range(len(pages)):
        terminal.say(pages.text(number) + "\n")


class _Pages:
    """The pages of a record, one for each move: a heading, the position, the comment."""

    def __init__(self, record: Record, *, words: bool) -> None:
        self._record = record
        self._nodes = [record.root, *record.main_line()]
        self._words = words

    def __len__(self) -> int:
        return len(self._nodes)

    def text(self, number: int) -> str:
        from antipodes.local_game import move_sentence
        from antipodes.notation.words import describe

        node = self._nodes[number]
        parts = [self._heading()] if number == 0 else []
        if node.parent is not None and node.move is not None:
            parts.append(f"{number}. {move_sentence(node.parent.position, node.move)}")
        shown = describe(node.position.scene()) if self._words else node.position.picture()
        parts.append(shown)
        if not self._words:
            parts.append(node.position.caption())
        parts += self._notes(node, last=number == len(self) - 1)
        return "\n\n".join(part for part in parts if part)

    def _heading(self) -> str:
        """Name the game, the players and the occasion."""
        record = self._record
        names = [
            f"{record.game.color_of(seat).title}: {name}"
            for seat, name in enumerate(record.players)
            if name
        ]
        occasion = [text for text in (record.event, record.place, record.date) if text]
        parts = [record.game.title, ", ".join(names), ", ".join(occasion), record.comment]
        return "\n".join(part for part in parts if part)

    def _notes(self, node: Node, *, last: bool) -> list[str]:
        """Return the comment, the other moves of the record, and at the end the result."""
        notes = [node.comment]
        if len(node.children) > 1:
            notes.append("Variations: " + ", ".join(child.text for child in node.children[1:]))
        result = self._record.result
        if last and result is not None and node.position.outcome is None:
            notes.append(f"{result}.")
        return notes


def _step(pages: _Pages, terminal: Terminal) -> None:
    """Show one page after another, as a person at the terminal asks for."""
    number = 0
    while True:
        terminal.say(pages.text(number) + "\n")
        line = terminal.ask(_PROMPT)
        if line is None or line.strip().lower() in ("q", "quit", "exit"):
            return
        wanted = _page(line.strip().lower(), number, len(pages))
        if wanted is None:
            terminal.say(f"{line.strip()!r} is no number from 0 to {len(pages) - 1}, nor a word.")
        elif wanted == number:
            terminal.say("There are no more moves.")
        number = number if wanted is None else wanted


def _page(word: str, number: int, count: int) -> int | None:
    """Return the page that a word means, or ``None``."""
    fixed = {"": number + 1, "n": number + 1, "next": number + 1, "b": number - 1}
    fixed |= {"back": number - 1, "first": 0, "last": count - 1}
    if word in fixed:
        return min(max(fixed[word], 0), count - 1)
    return read_number(word, count - 1)
