"""Pictures of the games: the examples beside their rules, and the figures of their inventors."""

from __future__ import annotations

from functools import lru_cache

from antipodes.games.examples import sample_position
from antipodes.games.figures import FIGURES
from antipodes.games.registry import game_class
from antipodes.games.samples import RuleExample
from antipodes.notation.svg import render_svg


def showpiece(game_id: str) -> RuleExample:
    """Return the example that stands for a game: the fullest board beside its rules.

    For a game without examples that is the start.
    """
    beside = [
        example for example in game_class(game_id).rule_examples if isinstance(example.after, int)
    ]
    return max(beside, key=lambda example: len(example.moves), default=RuleExample(0, ""))


def shown_example(game_id: str, number: int | None) -> RuleExample:
    """Return an example by its index, or the one that represents the game.

    Raises:
        IndexError: there is no such example.
    """
    return showpiece(game_id) if number is None else game_class(game_id).rule_examples[number]


@lru_cache
def picture(game_id: str, number: int | None = None) -> str:
    """Return an example as SVG, by its index, or the one that represents the game.

    Raises:
        IndexError: there is no such example.
    """
    return render_svg(sample_position(game_id, shown_example(game_id, number)).scene(), bare=True)


@lru_cache
def figure_picture(game_id: str, letter: str, number: int) -> str:
    """Return a picture of a figure as SVG, by the figure's letter and its own number.

    Raises:
        KeyError: there is no such figure.
        IndexError: it has no such picture.
    """
    figures = {one.letter: one for one in FIGURES.get(game_id, ())}
    return figures[letter].drawings[number].svg(bare=True)
