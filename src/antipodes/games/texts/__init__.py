"""Short rules of the games and notes on them, for terminals, mail and the site."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from antipodes.games.registry import game_class


@dataclass(frozen=True, slots=True)
class ShortRules:
    """The rules of a game in a minute's reading.

    Attributes:
        byline: the game, its inventor and its year.
        paragraphs: the rules, each paragraph in one line.
        text: all of it, in lines for a terminal.
    """

    byline: str
    paragraphs: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or a table of a section.

    Attributes:
        text: of a paragraph, in one line; empty for a table.
        rows: of a table, beginning with the headings; empty for a paragraph.
    """

    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the notes on a game."""

    title: str
    blocks: tuple[Block, ...]


def short_rules(game_id: str) -> ShortRules:
    """Return the short rules of a game; without a file of them, its title and ``rules_text``.

    Raises:
        UnknownGameError: no game has this id.
    """
    game = game_class(game_id)
    try:
        text = _read(game.id)
    except FileNotFoundError:
        text = f"{game.title}\n\n{game.rules_text.strip() or game.summary}"
    byline, *paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return ShortRules(byline, tuple(paragraphs), text)


def game_notes(game_id: str) -> tuple[Section, ...]:
    """Return notes on a game: equipment, examples, history, references.

    In their file a section begins with ``# Title``; lines with bars are rows of a table. Notes are
    optional.
    """
    try:
        text = _read(f"{game_id}-notes")
    except FileNotFoundError:
        return ()
    parts = text.removeprefix("# ").split("\n\n# ")
    return tuple(_section(*part.split("\n\n")) for part in parts)


def _section(title: str, *parts: str) -> Section:
    return Section(title, tuple(map(_block, parts)))


def _block(part: str) -> Block:
    if not part.startswith("|"):
        return Block(" ".join(part.split()))
    lines = (line.strip("| ").split("|") for line in part.splitlines())
    return Block(rows=tuple(tuple(cell.strip() for cell in line) for line in lines))


def _read(name: str) -> str:
    return (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").rstrip()
