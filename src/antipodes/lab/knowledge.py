"""Answers to questions about the games, from measured balance; for the docs and the site.

The words are fixed and translated; the numbers come from the summary of
:mod:`antipodes.lab.measured_balance`. Tests hold the words against the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from antipodes.errors import Phrase
from antipodes.lab.intervals import Estimate
from antipodes.lab.measured_balance import measured_balance, strength_of
from antipodes.lab.sections import Cell, Section, Table, interval, percent

_FEWEST = 30  # games of a setting that is shown
_JUDGES = ("computer:3", "computer:5")  # levels that have played many games on all sides
_ADVISED = {"computer:3": 5, "computer:5": 6, "computer:6": 6}  # sides for each strength

Row = Mapping[str, Any]


def answers() -> tuple[Section, ...]:
    """Return all questions with their answers."""
    return (
        _six_stones(),
        _size(),
        _fair_stones(),
        _first_move(),
        _antipalos(),
        _antipalos_seats(),
        _antipode(),
        _cylinder(),
        _proven(),
    )


def overview() -> Table:
    """Return how many games one colour of each game wins between two equal players."""
    antipod = [one for one in _at_level("antipod") if _is_plain(one, {"side": 6})]
    usual = min(antipod, key=lambda one: one["options"]["extra_stones"])
    even = min(antipod, key=lambda one: abs(one["share"] - 0.5))
    boxed = [one for one in _at_level("antipalos") if _has(one, {"ruleset": "boxed", "size": 16})]
    wide = [one for one in settings_of("cylindrical-hex") if _is_square(one)]
    extra = {"count": str(even["options"]["extra_stones"])}
    lines: list[tuple[Phrase, Row]] = [
        (Phrase("Antipod, six stones: Black"), usual),
        (Phrase("Antipod, {count} stones more: Black", extra), even),
        (Phrase("Antipalos: Black"), boxed[0]),
        (Phrase("Antipode: Blue"), _at_level("antipode")[0]),
        (Phrase("Cylindrical Hex: Black"), max(wide, key=lambda one: strength_of(one["player"]))),
    ]
    return Table(
        (Phrase("share of"), _PLAYER, _GAMES),
        tuple((title, level_of(row["player"]), str(row["games"])) for title, row in lines),
        tuple(share_of(row) for _title, row in lines),
        2,
    )


def _at_level(game_id: str) -> list[Row]:
    """Return the measurements of two good players, who have played many games of all games."""
    return [one for one in settings_of(game_id) if one["player"] == _JUDGES[-1]]


def _is_square(one: Row) -> bool:
    return bool(one["options"]["rows"] == one["options"]["columns"])


def settings_of(game_id: str) -> list[Row]:
    """Return the settings of a game with enough games, by options and then by strength."""
    settings = [
        row
        for row in measured_balance()["balance"]
        if row["game"] == game_id and row["games"] >= _FEWEST
    ]
    # Options are numbers or texts, the same for all settings of a game.
    return sorted(
        settings, key=lambda one: (list(one["options"].values()), strength_of(one["player"]))
    )


def six_stones() -> list[Row]:
    """Return the measurements of Antipod with the inventor's stones, by side and player."""
    found = [one for one in settings_of("antipod") if _is_plain(one, {"extra_stones": 0})]
    return sorted(found, key=lambda one: (one["options"]["side"], strength_of(one["player"])))


def fair_stones() -> list[Row]:
    """Return the fairest settings of Antipod without a swap, by side."""
    found = [one for one in measured_balance()["fair"] if _is_plain(one, {})]
    return sorted(found, key=lambda one: one["options"]["side"])


def _is_plain(one: Row, more: Mapping[str, object]) -> bool:
    """Return whether a setting of Antipod differs from the inventor's at most in its stones."""
    return _has(one, {"handicap": "six", "first": "white", "swap": "off", **more})


def _has(one: Row, wanted: Mapping[str, object]) -> bool:
    """Return whether a measurement has these options, whatever its others."""
    options: Mapping[str, object] = one["options"]
    return wanted.items() <= options.items()


def share_of(one: Row) -> Estimate:
    """Return the share of a measurement with its 95 % interval."""
    return Estimate(one["share"], one["low"], one["high"])


def level_of(player: str) -> Cell:
    """Return a player in words."""
    if player == "random":
        return Phrase("random moves")
    kind, _, level = player.partition(":")
    return Phrase("level {level}", {"level": level}) if kind == "computer" else player


def texts() -> Iterator[str]:
    """Yield all texts, for translation."""
    sections = (*answers(), Section("overview", "", table=overview()))
    for section in sections:
        yield from (phrase.template for phrase in section.phrases())


_GAMES = Phrase("games")
_PLAYER = Phrase("players")
_BLACK = Phrase("Black’s share")
_SIDE = Phrase("side")
_EXTRA = Phrase("extra stones")
_DRAWS = Phrase("draws")
_COLUMNS = {
    "side": _SIDE,
    "size": Phrase("size"),
    "rows": Phrase("rows"),
    "columns": Phrase("columns"),
    "first": Phrase("first"),
    "full_board": Phrase("full board"),
}


def _six_stones() -> Section:
    rows = six_stones()
    return Section(
        "antipod-fair",
        Phrase("Is Antipod fair?"),
        (
            Phrase(
                "Not with the six white stones of its inventor: Black wins most games between equal"
                " computer players, on every board and at every strength that we have measured"
                " (random moves and levels 3 and 5 on sides 4 to 10, stronger levels on side 4"
                " alone). On sides 3 and 4 that is proven: Black can force a win, whichever colour"
                " begins."
            ),
            Phrase(
                "The table has the share of games that Black won, with its 95 % interval (Wilson)."
            ),
        ),
        _share_table(rows, ("side",), _BLACK),
        "antipod",
        brief=Phrase("Not with the six white stones of its inventor: Black wins most games."),
    )


def optimal_size() -> Phrase:
    """Return the answer to the inventors' question about the best size, in one sentence."""
    shares: dict[int, list[float]] = {}
    for row in six_stones():
        if row["player"] in _JUDGES:
            shares.setdefault(row["options"]["side"], []).append(row["share"])
    nearest = min(shares, key=lambda side: abs(sum(shares[side]) / len(shares[side]) - 0.5))
    return Phrase(
        "Of sides {least} to {most} side {nearest} is the nearest to even with six white stones,"
        " yet Black still wins {low} to {high} of its games between two computers of level 3 or 5:"
        " larger boards do favour White more, as the inventors saw, but on none of these sides"
        " does White win most games.",
        {
            "least": str(min(shares)),
            "most": str(max(shares)),
            "nearest": str(nearest),
            "low": percent(min(shares[nearest])),
            "high": percent(max(shares[nearest])),
        },
    )


def best_size(game_id: str) -> tuple[Phrase, ...]:
    """Return in two sentences which size of a game is best, if that has been measured."""
    return _BEST_SIZES[game_id]() if game_id in _BEST_SIZES else ()


def even_games() -> dict[str, tuple[int, int]]:
    """Return the side to choose and its white stones at the start, by player of that strength."""
    found = {}
    for player, side in _ADVISED.items():
        fairest = next(one for one in fair_stones() if one["options"]["side"] == side)
        line = next(line for line in fairest["players"] if line["player"] == player)
        found[player] = (side, 6 + line["alone"])
    return found


def _advice() -> Phrase:
    """Return which side and stones to choose, in one sentence."""
    values = {}
    for player, (side, stones) in even_games().items():
        level = player.partition(":")[2]
        values.update({f"side{level}": str(side), f"stones{level}": str(stones)})
    return Phrase(
        "For an even game choose side {side3} with {stones3} white stones as a beginner (level 3),"
        " side {side5} with {stones5} as a club player (level 5), and side {side6} with {stones6}"
        " as a strong player (level 6, after a few dozen games only).",
        values,
    )


_BEST_SIZES: dict[str, Callable[[], tuple[Phrase, ...]]] = {
    "antipod": lambda: (optimal_size(), _advice())
}


def _sizes() -> dict[str, str]:
    """Return Black's share at level 3 on the smallest and the largest side, as text."""
    shares = {
        row["options"]["side"]: row["share"]
        for row in six_stones()
        if row["player"] == "computer:3"
    }
    least, most = min(shares), max(shares)
    return {
        "least": str(least),
        "most": str(most),
        "small": percent(shares[least]),
        "large": percent(shares[most]),
    }


def _size() -> Section:
    return Section(
        "antipod-size",
        Phrase("Do small boards favour Black and large ones White?"),
        (
            *best_size("antipod"),
            Phrase(
                "The help of the classic mail server said in 2003 that small boards favour Black"
                " and large ones White. The direction is right: Black’s share falls with the side,"
                " but slowly, so that even the largest of its boards favours Black. Between two"
                " players of level 3 the share is {small} on side {least} and {large} on side"
                " {most}; between random players it falls faster.",
                _sizes(),
            ),
            Phrase(
                "To make up for Black’s advantage White needs more extra stones on a large board"
                " than on a small one."
            ),
        ),
        brief=Phrase("Large boards favour White more, yet Black wins most games on all of them."),
    )


def _fair_stones() -> Section:
    lines = [(one, line) for one in fair_stones() for line in one["players"]]
    sides: dict[str, list[str]] = {"fair": [], "none": [], "open": []}
    for setting in fair_stones():
        sides[setting["verdict"]].append(str(setting["options"]["side"]))
    rows = tuple(
        (
            str(setting["options"]["side"]),
            str(setting["value"]),
            level_of(line["player"]),
            str(line["games"]),
            interval(share_of(line)),
            str(line["alone"]),
        )
        for setting, line in lines
    )
    return Section(
        "antipod-stones",
        Phrase("With which stones is Antipod fair?"),
        (
            Phrase(
                "With a few more white stones on the rim, shared out evenly between the six. How"
                " many depends on the strength of the players: good players need fewer than casual"
                " ones. So no number is fair for everybody."
            ),
            Phrase(
                "The table has for each side the number that is fairest for levels 3 and 5 of the"
                " computer together, Black’s share there at every level measured, and the number"
                " that is fairest for each level alone. The shares are estimated from the games of"
                " the side with about as many extra stones."
            ),
            Phrase(
                "A number counts as fair if the intervals of both levels lie between 45 and 55 %,"
                " and as unfair if the games with this number and its neighbours show that the"
                " share of one level does not."
            ),
            *_verdicts(sides),
            Phrase(
                "A swap after the first stone did not make chances even in our games: the"
                " computer’s levels swap too seldom or too often. Among people it may."
            ),
            Phrase(
                "The handicap “fair” chooses the number in the table, where two levels have been"
                " measured. It is our recommendation, not a rule of the inventor."
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
            tuple(share_of(line) for _, line in lines),
            3,
        ),
        brief=Phrase("With a few more white stones; good players need fewer than casual ones."),
    )


def _verdicts(sides: Mapping[str, Sequence[str]]) -> list[Phrase]:
    """Return a sentence for each verdict on the stones of some sides."""
    names = {verdict: ", ".join(some) for verdict, some in sides.items()}
    measured = sorted(int(side) for some in sides.values() for side in some)
    ends = {"least": str(measured[0]), "most": str(measured[-1])}
    if len(sides["none"]) == len(measured):
        none = Phrase(
            "No side from {least} to {most} has a number that is fair for both levels.",
            ends,
        )
    else:
        none = Phrase("Sides where no number is fair for both levels: {none}.", names)
    sentences = {
        "fair": Phrase("Sides with a fair number: {fair}.", names),
        "none": none,
        "open": Phrase("Sides that need more games: {open}; their numbers may change.", names),
    }
    return [sentence for verdict, sentence in sentences.items() if sides[verdict]]


def _first_move() -> Section:
    rows = tuple(
        (
            str(row["options"]["side"]),
            str(row["options"]["extra_stones"]),
            ", ".join(f"{move['move']} {percent(move['value'])}" for move in row["moves"][:3]),
        )
        for row in measured_balance()["first_moves"]
    )
    return Section(
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
        brief=Phrase("None is known to be the best one; a search names its favourites."),
    )


def _share_table(
    rows: Sequence[Row],
    option_names: tuple[str, ...],
    share: Phrase,
    more: Mapping[Phrase, Callable[[Row], Cell]] | None = None,
) -> Table:
    """Return measurements as a table.

    Args:
        rows: the measurements.
        option_names: options that have a column.
        share: title of the column of shares.
        more: titles of further columns, and what they show.
    """
    columns = dict(more or {})
    if any(one["draws"] for one in rows):
        columns[_DRAWS] = lambda one: str(one["draws"])
    return Table(
        (*(_COLUMNS[name] for name in option_names), _PLAYER, _GAMES, share, *columns),
        tuple(
            (
                *(str(row["options"][name]) for name in option_names),
                level_of(row["player"]),
                str(row["games"]),
                interval(share_of(row)),
                *(shown(row) for shown in columns.values()),
            )
            for row in rows
        ),
        tuple(map(share_of, rows)),
        len(option_names) + 1,
    )


def antipalos(seats: str) -> list[Row]:
    """Return the measurements of the boxed game of Antipalos with some seats."""
    wanted = {"ruleset": "boxed", "seats": seats}
    return [one for one in settings_of("antipalos") if _has(one, wanted)]


def antipalos_by_mail() -> dict[str, str]:
    """Return Vert's share in the game of the mail server, without a swap, as text by player."""
    wanted = {"ruleset": "mail", "swap": "off"}
    return {
        one["player"]: interval(share_of(one))
        for one in settings_of("antipalos")
        if _has(one, wanted)
    }


def _chart_a(one: Row) -> str:
    """Return how many games were won with how many points."""
    return ", ".join(f"{points}: {games}" for points, games in one["scores"].items())


def _antipalos() -> Section:
    by_mail = antipalos_by_mail()
    return Section(
        "antipalos",
        Phrase("Is Antipalos fair?"),
        (
            Phrase(
                "That depends on the players. White moves first, and wins most games between two"
                " players of level 5 or 6; at other levels the games do not show that either colour"
                " is better on all boards. The levels often repeat the same first moves, so the"
                " intervals are a little too narrow. In match play the loser begins the next game,"
                " so both players have the first move in turn."
            ),
            Phrase(
                "In the game of the mail server, where Vert moves first, chances are about even:"
                " Vert’s share is {casual} at level 3 and {good} at level 5.",
                {"casual": by_mail["computer:3"], "good": by_mail["computer:5"]},
            ),
            Phrase(
                "The table also has the numbers of games won with each number of points of Chart"
                " A: wins with 4 or 3 points come before Phase Two, those with 2 or 1 in it."
            ),
        ),
        _share_table(antipalos("two"), ("size",), _BLACK, {Phrase("points of the wins"): _chart_a}),
        "antipalos",
        brief=Phrase(
            "That depends on the players: White, who begins, wins most games at levels 5 and 6."
        ),
    )


def _antipalos_seats() -> Section:
    rows = [*antipalos("cutthroat3"), *antipalos("cutthroat4"), *antipalos("team")]
    cells = tuple(
        (
            Phrase(_SEATS[row["options"]["seats"]]),
            level_of(row["player"]),
            str(row["games"]),
            ", ".join(interval(share_of(share)) for share in row["shares"].values()),
            str(row["draws"]),
        )
        for row in rows
    )
    return Section(
        "antipalos-seats",
        Phrase("Is Antipalos fair for three and four players?"),
        (
            Phrase(
                "Each colour should win one game in three or four, and each team every second one."
                " The table has the shares of the colours in the order of the first turns: White,"
                " Black, Red, Blue. The games do not show that any seat is better."
            ),
            Phrase(
                "Most games in which each player plays alone end in a draw, because the others can"
                " block every chain until the limit of Phase Two. Games of teams have a winner."
            ),
        ),
        Table((Phrase("seats"), _PLAYER, _GAMES, Phrase("shares of the colours"), _DRAWS), cells),
        "antipalos",
        brief=Phrase("No seat is shown to be better, but without teams most games are drawn."),
    )


_SEATS = {
    "cutthroat3": "three players",
    "cutthroat4": "four players",
    "team": "two teams",
}


def _antipode() -> Section:
    return Section(
        "antipode",
        Phrase("Is Antipode fair?"),
        (
            Phrase(
                "Not between good players. Blue moves first, and wins about seven of ten games"
                " between two players of level 6 or 7; up to level 5 both colours win about as"
                " often. The levels repeat some openings, so the intervals are a little too narrow."
            ),
            Phrase(
                "Some games end with a full board: a draw by default. By an option the player to"
                " move loses it instead. As all 61 cells are full after Blue’s last move that is"
                " Red, and between random players Blue then wins most games."
            ),
        ),
        _share_table(settings_of("antipode"), ("full_board",), Phrase("Blue’s share")),
        "antipode",
        brief=Phrase(
            "Not between good players: Blue, who moves first, wins about seven of ten games."
        ),
    )


def _cylinder() -> Section:
    return Section(
        "cylindrical-hex",
        Phrase("Is Cylindrical Hex fair?"),
        (
            Phrase(
                "No. Black wins nearly all games on cylinders that are as wide as they are high, or"
                " wider, also where White moves first. For every even circumference it is proven"
                " that Black wins: Black answers each stone at the opposite point of its ring."
            ),
            Phrase(
                "On high and narrow cylinders White’s rings are short: with three columns and White"
                " moving first, White wins more games the higher the cylinder is, and at nine rows"
                " chances are about even between two players of level 3."
            ),
        ),
        _share_table(settings_of("cylindrical-hex"), ("rows", "columns", "first"), _BLACK),
        "cylindrical-hex",
        brief=Phrase("No: Black wins nearly all games, except on high and narrow cylinders."),
    )


def _proven() -> Section:
    data = measured_balance()
    values = {"games": data["games"], "hours": data["cpu_hours"]}
    return Section(
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
        brief=Phrase(
            "Proven is only what the solver has searched to the end; all shares are estimates."
        ),
    )
