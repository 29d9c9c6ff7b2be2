"""Making the summary of many games that comes with the program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from antipodes.games.registry import make_game
from antipodes.lab.balance import first_move, tallied
from antipodes.lab.fair import Family, Search
from antipodes.lab.measured_balance import strength_of
from antipodes.lab.tasks import GameRow
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits

TUNED = "extra_stones"  # the option of Antipod that is tuned
FIRST_MOVES = 5  # of a position that the summary keeps

_Item = Mapping[str, Any]

_FEWEST = 30  # games of a player for which stones are recommended
_JUDGES = 2  # the strongest players, for whom these are fair


def summarised(rows: Iterable[GameRow]) -> dict[str, Any]:
    """Return the summary of games: balance of each setting, and the fairest settings of Antipod."""
    found = list(rows)
    tallies = tallied(found)
    balances = [one.as_dict() for one in tallies.balances.values() if one.games]
    for one in balances:
        del one["first_moves"]  # too few games of each
    return {
        "games": tallies.games,
        "cpu_hours": round(sum(one["cpu"] for one in balances) / 3600, 2),
        "versions": sorted({row.version for row in found}),
        "balance": balances,
        "fair": _fair(balances, found),
    }


def joined(kept: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary of both: for each setting and family that with more games.

    Seeds may be the same in both, so games of one setting are never added up.
    """
    balances = _largest(kept["balance"], added["balance"], _setting, lambda one: one["games"])
    return {
        "games": sum(one["games"] + one["failed"] for one in balances),
        "cpu_hours": round(sum(one["cpu"] for one in balances) / 3600, 2),
        "versions": sorted({*kept["versions"], *added["versions"]}),
        "balance": balances,
        "fair": _largest(
            kept["fair"],
            added["fair"],
            _family,
            lambda one: sum(line["games"] for line in one["players"]),
        ),
    }


def _largest(
    kept: Sequence[_Item],
    added: Sequence[_Item],
    key: Callable[[_Item], str],
    size: Callable[[_Item], int],
) -> list[_Item]:
    """Return the largest item of each key, in the order in which the keys are first found."""
    found: dict[str, _Item] = {}
    for one in (*kept, *added):
        known = found.get(key(one))
        if known is None or size(one) > size(known):
            found[key(one)] = one
    return list(found.values())


def _setting(balance: _Item) -> str:
    return json.dumps([balance["game"], balance["options"], balance["player"]])


def _family(fair: _Item) -> str:
    others = {name: value for name, value in fair["options"].items() if name != fair["tuned"]}
    return json.dumps([fair["game"], others])


def _fair(balances: Sequence[Mapping[str, Any]], rows: Sequence[GameRow]) -> list[dict[str, Any]]:
    """Return the fairest settings of all families, for the players with enough games."""
    players: dict[str, Counter[str]] = {}
    for one in balances:
        if TUNED in one["options"]:
            others = {name: v for name, v in one["options"].items() if name != TUNED}
            line = players.setdefault(json.dumps([one["game"], others]), Counter())
            line[one["player"]] += one["games"]
    families = []
    for text, lines in players.items():
        game_id, options = json.loads(text)
        levels = (name for name, games in lines.items() if games >= _FEWEST and strength_of(name))
        names = sorted(levels, key=strength_of)
        if names:
            judges = tuple(names[-_JUDGES:])
            families.append(Family(make_game(game_id, options), TUNED, tuple(names), judges))
    search = Search(families, 0, None)
    search.tallies.add(rows)
    return [one.as_dict() for one in search.found()]


def searched_first_moves(options: Mapping[str, object], visits: int) -> dict[str, Any]:
    """Return the best first moves of Antipod by a search, images under symmetries joined.

    Args:
        options: of the game.
        visits: of the search.
    """
    game = make_game("antipod", options)
    start = game.initial()
    search = make_search(start, seed=1)
    search.run(Limits(visits=visits))
    found: dict[str, dict[str, Any]] = {}
    for one in search.candidates():
        move = first_move(game, start.format_move(one.move))
        known = found.setdefault(move, {"move": move, "visits": 0, "value": round(one.value, 3)})
        known["visits"] += one.visits
    moves = sorted(found.values(), key=lambda one: -one["visits"])[:FIRST_MOVES]
    return {
        "options": game.options.as_dict(),
        "visits": search.visits,
        "proven": None if search.proven is None else search.proven.value,
        "moves": moves,
    }
