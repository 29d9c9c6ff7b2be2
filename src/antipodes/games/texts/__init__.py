"""The rules of the games in short, for the help in the terminal and for the site."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class ShortRules:
    """The rules of a game in a minute's reading.

    Attributes:
        byline: the game, who invented it, and when.
        paragraphs: the rules, each paragraph in one line.
        text: all of it, in lines of a terminal's width.
    """

    byline: str
    paragraphs: tuple[str, ...]
    text: str


def short_rules(game_id: str) -> ShortRules:
    """Return the rules of a game in short.

    Raises:
        FileNotFoundError: nobody has written them.
    """
    text = (files(__name__) / f"{game_id}.txt").read_text(encoding="utf-8").rstrip()
    byline, *paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return ShortRules(byline, tuple(paragraphs), text)
