"""Events as text in FIDE's tournament report format (TRF16), which pairing programs read and write.

The player with the first seat is written as White. A game of this package may count more than one
result, such as a pair of mirrored games; then the line has the result of the pair. Lines of players
have fixed columns, so spaces at their ends count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.tournaments.history import History, Pairing
from antipodes.tournaments.standings import Standing

_LONGEST_NAME = 33
_MOST = 9_999  # the highest number that fits
_NAME, _RATING, _ROUNDS = slice(14, 47), slice(48, 52), 89  # columns of a player's line
_BLOCK = 10  # columns of a round
_COLORS = {"w": "w", "b": "b", "s": "b", "-": "", " ": ""}  # some programs write German names
# A game without a result goes on. W, D and L are games that are not rated.
_POINTS = dict.fromkeys("1w+", 1.0) | dict.fromkeys("=d", 0.5) | dict.fromkeys("0l- ", 0.0)
_BYES = dict.fromkeys("uf+", 1.0) | dict.fromkeys("h=", 0.5) | dict.fromkeys("z- ", 0.0)
_FORFEITS = "+-"


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A player in a report.

    Attributes:
        name: up to 33 characters are written.
        rating: at the start of the event; 0 for none.
    """

    name: str
    rating: int = 0


@dataclass(frozen=True, slots=True)
class TrfEvent:
    """An event as a report has it.

    Attributes:
        title: of the event.
        system: its type, such as "Swiss system".
        players: by their pairing numbers.
        pairings: of all rounds so far.
        rounds: of the event.
        starts: the day on which it began.
        ends: the day on which it ended.
        teams: how many it has.
    """

    title: str
    system: str
    players: Mapping[int, TrfPlayer]
    pairings: Sequence[Pairing]
    rounds: int
    starts: date | None = None
    ends: date | None = None
    teams: int = 0


def to_trf(event: TrfEvent, table: Sequence[Standing]) -> str:
    """Return an event in FIDE's format.

    Args:
        event: the event.
        table: its standings, with all players.
    """
    rated = sum(one.rating > 0 for one in event.players.values())
    fields = {
        "012": event.title,
        "042": _day(event.starts),
        "052": _day(event.ends),
        "062": str(len(event.players)),
        "072": str(rated),
        "082": str(event.teams),
        "092": event.system,
        "XXR": str(event.rounds),
    }
    history = History(event.pairings)
    lines = [f"{number} {value}" for number, value in fields.items() if value]
    lines += [
        _line(standing, event.players[standing.player], history, event.rounds)
        for standing in sorted(table, key=lambda one: one.player)
    ]
    return "\n".join(lines) + "\n"


def _day(day: date | None) -> str:
    return "" if day is None else f"{day:%Y/%m/%d}"


def _line(standing: Standing, player: TrfPlayer, history: History, rounds: int) -> str:
    """Return a player's line."""
    points = f"{standing.points:.1f}"
    start = f"001 {standing.player:4} {'':4} {player.name[:_LONGEST_NAME]:33} {player.rating:4}"
    # Federation, number and birthday are empty.
    start += f" {'':3} {'':11} {'':10} {points if len(points) < 5 else points[:-2]:>4}"
    games = {one.round: one for one in history.games(standing.player)}
    blocks = (
        f"  {_result(games[number], standing.player)}" if number in games else " " * _BLOCK
        for number in range(1, max([rounds, *games]) + 1)
    )
    return f"{start} {standing.rank:4}{''.join(blocks)}"


def _result(pairing: Pairing, player: int) -> str:
    """Return a pairing as a player's line has it: opponent, colour and result."""
    other = pairing.opponent_of(player)
    if other is None:
        signs = {value: sign for sign, value in [("Z", 0.0), ("H", 0.5), ("U", 1.0)]}
        return f"0000 - {signs.get(pairing.points_of(player), 'U')}"
    color = "w" if pairing.first == player else "b"
    return f"{other:4} {color} {_sign(pairing, player)}"


def _sign(pairing: Pairing, player: int) -> str:
    if pairing.points is None:
        return " "
    own, theirs = pairing.points_of(player), pairing.points_of(pairing.opponent_of(player) or 0)
    if pairing.is_forfeit:
        return "+" if own > theirs else "-"
    if own == theirs:
        return "=" if own else "0"
    return "1" if own > theirs else "0"


# --- reading ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """Lines of a report, before the results of two players are held against each other."""

    fields: dict[str, str] = field(default_factory=dict)
    players: dict[int, TrfPlayer] = field(default_factory=dict)
    blocks: dict[tuple[int, int], tuple[int, str, str]] = field(default_factory=dict)


def read_trf(text: str) -> TrfEvent:
    """Return the event of a report in FIDE's format.

    Games that are not rated count like others. A result that one of both players lacks is an error.

    Raises:
        InputError: there is no player, or a line of a player cannot be read; the message names it.
    """
    reading = _Reading()
    for number, line in enumerate(_lines(text), start=1):
        if line.startswith("001"):
            _read_player(line, number, reading)
        else:
            reading.fields[line[:3]] = line[4:].strip()
    if not reading.players:
        fault = Fault.of("tournament/trf", "the report has no players, whose lines begin with 001")
        raise InputError([fault])
    pairings = sorted(_pairings(reading), key=lambda one: (one.round, one.second is None))
    latest = max((one.round for one in pairings), default=0)
    planned = reading.fields.get("XXR", "")
    teams = reading.fields.get("082", "")
    return TrfEvent(
        reading.fields.get("012", ""),
        reading.fields.get("092", ""),
        reading.players,
        pairings,
        max(latest, int(planned) if _is_number(planned) else 0),
        _read_day(reading.fields.get("042", "")),
        _read_day(reading.fields.get("052", "")),
        int(teams) if _is_number(teams) else 0,
    )


def _lines(text: str) -> list[str]:
    """Return the lines of a file of any system; other programs write its mark of Unicode too."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(_MOST))


def _read_day(text: str) -> date | None:
    """Return a day; ``None`` if it is not written as 2027/03/01 or with dots or hyphens."""
    try:
        return date.fromisoformat(text.replace("/", "-").replace(".", "-"))
    except ValueError:
        return None


def _read_player(line: str, at: int, reading: _Reading) -> None:
    number, rating = line[4:8].strip(), line[_RATING].strip()
    if not _is_number(number) or int(number) in {0, *reading.players}:
        fault = Fault.of(
            "tournament/trf",
            "line {line} of the report: the number of the player is {number}, but has to be a new "
            "one from 1 to {most}",
            line=at,
            number=shorten(number),
            most=_MOST,
        )
        raise InputError([fault])
    player = int(number)
    reading.players[player] = TrfPlayer(
        line[_NAME].strip(), int(rating) if _is_number(rating) else 0
    )
    for at_round, start in enumerate(range(_ROUNDS, len(line), _BLOCK), start=1):
        block = line[start : start + _BLOCK]
        if block.strip():
            reading.blocks[at_round, player] = _read_block(block.ljust(_BLOCK), at)


def _read_block(block: str, at: int) -> tuple[int, str, str]:
    """Return the opponent of a round, 0 for none, the colour and the result."""
    opponent, color, result = block[2:6].strip() or "0", block[7].lower(), block[9].lower()
    known = _POINTS if _is_number(opponent) and int(opponent) else _BYES
    if not _is_number(opponent) or color not in _COLORS or result not in known:
        fault = Fault.of(
            "tournament/trf",
            "line {line} of the report: {block} is no result of a round",
            line=at,
            block=shorten(block.strip()),
        )
        raise InputError([fault])
    return int(opponent), _COLORS[color], result


def _pairings(reading: _Reading) -> Iterator[Pairing]:
    """Yield the pairings.

    Raises:
        InputError: the results of two players do not fit.
    """
    for (number, player), (opponent, color, result) in reading.blocks.items():
        if opponent == 0:
            yield Pairing(number, player, None, (_BYES[result], 0.0))
            continue
        theirs = reading.blocks.get((number, opponent))
        if theirs is None or not _fit((player, color, result), theirs, opponent):
            fault = Fault.of(
                "tournament/trf",
                "round {round} of the report: the results of players {one} and {other} do not fit",
                round=number,
                one=player,
                other=opponent,
            )
            raise InputError([fault])
        colors = color + theirs[1]  # forfeits may have none
        if color == "w" or theirs[1] == "b" or (not colors and player < opponent):
            is_over = result != " "
            points = (_POINTS[result], _POINTS[theirs[2]]) if is_over else None
            yield Pairing(number, player, opponent, points, is_forfeit=result in _FORFEITS)


def _fit(own: tuple[int, str, str], theirs: tuple[int, str, str], opponent: int) -> bool:
    """Return whether the blocks of two players tell of one game."""
    (player, color, result), (named, their_color, their_result) = own, theirs
    if named != player or player == opponent or (color and color == their_color):
        return False
    if " " in (result, their_result) or (result in _FORFEITS) != (their_result in _FORFEITS):
        return result == their_result
    return _POINTS[result] + _POINTS[their_result] in (0.0, 1.0)  # or both have lost
