"""Making the summary of many games that comes with the program."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from antipodes.games.registry import make_game
from antipodes.lab.balance import Setting, first_move, tallied
from antipodes.lab.fair import Family, Search
from antipodes.lab.measured_balance import strength_of
from antipodes.lab.tasks import GameRow
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits

TUNED = "extra_stones"  # the option of Antipod that is tuned
FIRST_MOVES = 5  # of a position that the summary keeps

_Item = Mapping[str, Any]

# Those for whom the recommended stones are fair: about as strong as people who know the game. The
# stronger the players, the fewer stones are fair.
_JUDGES = ("computer:3", "computer:5")
_FEWEST = 30  # games of a player whose share is shown


def summarised(rows: Iterable[GameRow]) -> dict[str, Any]:
    """Return the summary of games: balance of each setting, and the fairest settings of Antipod."""
    found = list(rows)
    balances = [one.as_dict() for one in tallied(found).balances.values() if one.total]
    for one in balances:
        del one["first_moves"]  # too few games of each
    return _summary(balances, {row.version for row in found})


def joined(before: Mapping[str, Any], added: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary of both, with the figures of more games for each setting.

    Seeds may be the same in both, so games of one setting are never added up.
    """
    items_by_setting: dict[str, _Item] = {}
    for item in (*before["balance"], *added["balance"]):
        setting = json.dumps([item["game"], item["options"], item["player"]])
        if setting not in items_by_setting or item["games"] > items_by_setting[setting]["games"]:
            items_by_setting[setting] = item
    return _summary(list(items_by_setting.values()), {*before["versions"], *added["versions"]})


def _summary(balances: Sequence[_Item], versions: Iterable[str]) -> dict[str, Any]:
    return {
        "games": sum(one["games"] + one["failed"] for one in balances),
        "cpu_hours": round(sum(one["cpu"] for one in balances) / 3600, 2),
        "versions": sorted(versions),
        "balance": balances,
        "fair": _fair(balances),
    }


def _fair(balances: Sequence[_Item]) -> list[dict[str, Any]]:
    """Return the fairest settings of all families, for the players with enough games."""
    tuned = [one for one in balances if TUNED in one["options"]]
    players: dict[str, Counter[str]] = {}
    for item in tuned:
        others = {name: v for name, v in item["options"].items() if name != TUNED}
        line = players.setdefault(json.dumps([item["game"], others]), Counter())
        line[item["player"]] += item["games"]
    families = []
    for text, lines in players.items():
        game_id, options = json.loads(text)
        names = sorted(
            (name for name, games in lines.items() if games >= _FEWEST and strength_of(name)),
            key=strength_of,
        )
        if names:
            judges = tuple(name for name in _JUDGES if name in names)
            families.append(Family(make_game(game_id, options), TUNED, tuple(names), judges))
    search = Search(families, 0, None)
    for item in tuned:
        game = make_game(item["game"], item["options"])
        search.tallies.watch(Setting(game, item["player"])).restore(item)
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
    moves_by_name: dict[str, dict[str, Any]] = {}
    for candidate in search.candidates():
        move = first_move(game, start.format_move(candidate.move))
        known = moves_by_name.setdefault(
            move, {"move": move, "visits": 0, "value": round(candidate.value, 3)}
        )
        known["visits"] += candidate.visits
    moves = sorted(moves_by_name.values(), key=lambda one: -one["visits"])[:FIRST_MOVES]
    return {
        "options": game.options.as_dict(),
        "visits": search.visits,
        "proven": None if search.proven is None else search.proven.value,
        "moves": moves,
    }
