"""``antipodes perft``: count positions, to check rules and to measure their speed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.parameters import chosen_game, game_argument, json_option, set_option
from antipodes.cli.terminal import Terminal

if TYPE_CHECKING:
    from antipodes.games.position import Game, Position

_PIECE = 3  # plies that are counted without a look at the clock


@click.command("perft")
@game_argument()
@click.argument("depth", type=click.IntRange(min=0))
@set_option
@click.option("--divide", is_flag=True, help="Count below each first move as well.")
@json_option
def perft_command(
    game_id: str, depth: int, settings: tuple[str, ...], *, divide: bool, as_json: bool
) -> None:
    """Count the positions at exactly DEPTH moves from the start, each line of moves by itself.

    Lines of moves that end earlier count nothing.
    """
    game = chosen_game(game_id, settings)
    terminal = Terminal()
    terminal.status("Preparing the engine")
    game.perft(0)
    counts, seconds = _count(game, depth, terminal)
    nodes = sum(counts.values()) if depth else 1
    rate = round(nodes / seconds) if seconds > 0 else 0
    if as_json:
        report: dict[str, Any] = {
            "game": game.id,
            "options": game.options.as_dict(),
            "depth": depth,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nodes_per_second": rate,
        }
        click.echo(json.dumps({**report, "divide": counts} if divide else report, indent=2))
        return
    if divide:
        for text, count in counts.items():
            click.echo(f"{text} {count}")
    click.echo(str(nodes))
    click.echo(f"{seconds:.3f} s, {rate:,} nodes/s", err=True)


def _count(game: Game, depth: int, terminal: Terminal) -> tuple[dict[str, int], float]:
    """Return the positions below each first move, and the seconds that counting took."""
    start = game.initial()
    counts: dict[str, int] = {}
    positions = 0
    began = time.perf_counter()

    def tell(more: int) -> None:
        nonlocal positions
        positions += more
        spent = time.perf_counter() - began
        terminal.status(
            f"{len(counts)} of {len(first_moves)} first moves, {positions:,} positions,"
            f" {spent:.0f} s"
        )

    first_moves = list(start.legal_moves) if depth else []
    for move in first_moves:
        counts[start.format_move(move)] = _count_below(start.play(move), depth - 1, tell)
    terminal.end_status()
    return counts, time.perf_counter() - began


def _count_below(position: Position, depth: int, tell: Callable[[int], None]) -> int:
    """Count in pieces, so that progress shows and an interruption is noticed."""
    if depth <= _PIECE:
        count: int = position.game.perft(depth, position)
        tell(count)
        return count
    return sum(_count_below(position.play(move), depth - 1, tell) for move in position.legal_moves)
