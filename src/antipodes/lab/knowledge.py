"""Answers to questions about the games, from measured balance; for the docs and the site.

The words are fixed and translated; the numbers come from the summary of
:mod:`antipodes.lab.measured_balance`. Tests hold the words against the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.errors import Phrase
from antipodes.lab.measured_balance import measured_balance

_FEWEST = 5  # games of a setting that is shown

Row = Mapping[str, Any]
Cell = str | Phrase


@dataclass(frozen=True, slots=True)
class Table:
    """A table of measurements.

    Attributes:
        head: titles of the columns.
        rows: cells.
    """

    head: tuple[Phrase, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A question with its answer.

    Attributes:
        key: names it in addresses and in the docs.
        question: the question.
        paragraphs: the answer in words.
        table: the measurements, or ``None``.
    """

    key: str
    question: Phrase
    paragraphs: tuple[Phrase, ...]
    table: Table | None = None

    def phrases(self) -> Iterator[Phrase]:
        """Yield all texts, for translation."""
        yield self.question
        yield from self.paragraphs
        if self.table is not None:
            yield from self.table.head
            yield from (cell for row in self.table.rows for cell in row if isinstance(cell, Phrase))


def answers() -> tuple[Answer, ...]:
    """Return all questions with their answers."""
    return (
        _six_stones(),
        _size(),
        _fair_stones(),
        _first_move(),
        _antipalos(),
        _antipode(),
        _cylinder(),
        _proven(),
    )


def settings_of(game_id: str) -> list[Row]:
    """Return the settings of a game with enough games, by options and then by player."""
    return [
        one
        for one in measured_balance()["balance"]
        if one["game"] == game_id and one["games"] >= _FEWEST
    ]


def six_stones() -> list[Row]:
    """Return the measurements of Antipod with the inventor's stones, by side and player."""
    plain = {"handicap": "six", "first": "white", "swap": "off", "extra_stones": 0}
    found = [
        one
        for one in settings_of("antipod")
        if all(one["options"][name] == value for name, value in plain.items())
    ]
    return sorted(found, key=lambda one: (one["options"]["side"], one["player"]))


def fair_stones() -> list[Row]:
    """Return the fairest settings of Antipod, by side."""
    return sorted(measured_balance()["fair"], key=lambda one: one["options"]["side"])


def interval(one: Row) -> str:
    """Return a share with its 95 % interval in per cent."""
    return f"{percent(one['share'])} ({round(100 * one['low'])}–{round(100 * one['high'])})"


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{round(100 * share)}\u00a0%"


def level_of(player: str) -> Cell:
    """Return a player in words."""
    kind, _, level = player.partition(":")
    return Phrase("level {level}", {"level": level}) if kind == "computer" else player


def texts() -> Iterator[str]:
    """Yield all texts, for translation."""
    for answer in answers():
        yield from (phrase.template for phrase in answer.phrases())


_GAMES = Phrase("games")
_PLAYER = Phrase("players")
_BLACK = Phrase("Black’s share")
_SIDE = Phrase("side")
_EXTRA = Phrase("extra stones")
_COLUMNS = {
    "size": Phrase("size"),
    "rows": Phrase("rows"),
    "columns": Phrase("columns"),
    "first": Phrase("first"),
}


def _six_stones() -> Answer:
    rows = six_stones()
    return Answer(
        "antipod-fair",
        Phrase("Is Antipod fair?"),
        (
            Phrase(
                "Not with the six white stones of its inventor: Black wins most games between equal"
                " computer players, on every board and at every strength that we have measured. On"
                " sides 3 and 4 that is proven: Black can force a win, whichever colour begins."
            ),
            Phrase(
                "The table has the share of games that Black won, with its 95 % interval (Wilson)."
            ),
        ),
        Table(
            (_SIDE, _PLAYER, _GAMES, _BLACK),
            tuple(
                (
                    str(one["options"]["side"]),
                    level_of(one["player"]),
                    str(one["games"]),
                    interval(one),
                )
                for one in rows
            ),
        ),
    )


def _size() -> Answer:
    return Answer(
        "antipod-size",
        Phrase("Do small boards favour Black and large ones White?"),
        (
            Phrase(
                "The help of the classic mail server said so in 2003. Our games do not confirm it:"
                " with six stones Black has the better chances on the larger boards too, as far as"
                " we have measured. To make up for it White needs as many extra stones as on a"
                " small board or more."
            ),
        ),
    )


def _fair_stones() -> Answer:
    rows = tuple(
        (
            str(one["options"]["side"]),
            str(one["value"]),
            level_of(line["player"]),
            str(line["games"]),
            interval(line),
            str(line["alone"]),
        )
        for one in fair_stones()
        for line in one["players"]
    )
    return Answer(
        "antipod-stones",
        Phrase("With which stones is Antipod fair?"),
        (
            Phrase(
                "With a few more white stones on the rim, shared out evenly between the six. How"
                " many depends on the strength of the players: at level 5 White needs fewer than at"
                " level 3. The table has for each side the number that is fairest for the levels"
                " measured, with Black’s share there, and the number that is fairest for each level"
                " alone. The shares are estimated from the games of the side with any number of"
                " extra stones."
                " The intervals are still wide, so the numbers may change."
            ),
            Phrase(
                "The handicap “fair” chooses the number that is fairest for both levels, where we"
                " have measured enough games. It is our recommendation, not a rule of the inventor."
            ),
        ),
        Table(
            (
                _SIDE,
                _EXTRA,
                _PLAYER,
                _GAMES,
                _BLACK,
                Phrase("fairest for this level"),
            ),
            rows,
        ),
    )


def _first_move() -> Answer:
    rows = tuple(
        (
            str(one["options"]["side"]),
            str(one["options"]["extra_stones"]),
            ", ".join(f"{move['move']} {percent(move['value'])}" for move in one["moves"][:3]),
        )
        for one in measured_balance()["first_moves"]
    )
    return Answer(
        "antipod-first-move",
        Phrase("What is the right first move?"),
        (
            Phrase(
                "The table has the moves that a search of a few thousand visits prefers at the"
                " start, each with White’s chances after it by the search. A turned or mirrored"
                " move is the same move. These are estimates. On sides 3 and 4 with six stones no"
                " first move of White wins: that is proven."
            ),
        ),
        Table((_SIDE, _EXTRA, Phrase("best moves and White’s chances")), rows),
    )


def _balance_table(game_id: str, option_names: tuple[str, ...], share: Phrase) -> Table:
    """Return the measurements of a game, with columns for some of its options."""
    rows = [
        (
            *(str(one["options"][name]) for name in option_names),
            level_of(one["player"]),
            str(one["games"]),
            interval(one),
            str(one["draws"]),
        )
        for one in settings_of(game_id)
    ]
    columns = tuple(_COLUMNS[name] for name in option_names)
    return Table((*columns, _PLAYER, _GAMES, share, Phrase("draws")), tuple(rows))


def _antipalos() -> Answer:
    return Answer(
        "antipalos",
        Phrase("Is Antipalos fair?"),
        (
            Phrase(
                "As far as we know. White moves first, and between two equal players the games do"
                " not show that either colour has an advantage. Games of three and four players"
                " have not been measured."
            ),
        ),
        _balance_table("antipalos", ("size",), _BLACK),
    )


def _antipode() -> Answer:
    return Answer(
        "antipode",
        Phrase("Is Antipode fair?"),
        (
            Phrase(
                "As far as we know. Blue moves first, and between equal players the games do not"
                " show that either colour has an advantage. Some games end in a draw on a full"
                " board."
            ),
        ),
        _balance_table("antipode", (), Phrase("Blue’s share")),
    )


def _cylinder() -> Answer:
    return Answer(
        "cylindrical-hex",
        Phrase("Is Cylindrical Hex fair?"),
        (
            Phrase(
                "No. Black wins nearly all games on the cylinders that we have measured, also where"
                " White moves first. For every even circumference it is proven that Black wins:"
                " Black answers each stone at the opposite point of its ring."
            ),
        ),
        _balance_table("cylindrical-hex", ("rows", "columns", "first"), _BLACK),
    )


def _proven() -> Answer:
    data = measured_balance()
    values = {"games": data["games"], "hours": data["cpu_hours"]}
    return Answer(
        "proven",
        Phrase("What is proven, and what is estimated?"),
        (
            Phrase(
                "Proven is only what the solver has searched to the end: see the page on solving in"
                " the documentation. All shares on this page are estimates from games between equal"
                " computer players, which make mistakes. A share near one half says that the game"
                " is balanced for players of that strength, not who wins with perfect play."
            ),
            Phrase("There are {games} games so far, which took {hours} hours of CPU time.", values),
        ),
    )
