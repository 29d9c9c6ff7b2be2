"""``antipodes games``: which games there are, and their options."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli.parameters import game_argument, json_option

if TYPE_CHECKING:
    from antipodes.games.options import OptionInfo
    from antipodes.games.position import Game


@click.command("games")
@game_argument(required=False)
@json_option
def games_command(game_id: str | None, *, as_json: bool) -> None:
    """List the games, or one game, with their options."""
    from antipodes.games.registry import game_class, game_ids

    classes = [game_class(name) for name in ([game_id] if game_id else game_ids())]
    if as_json:
        described = [_as_json(one) for one in classes]
        click.echo(json.dumps(described[0] if game_id else described, indent=2))
        return
    click.echo("\n\n".join(_as_text(one) for one in classes))


def _as_json(game: type[Game]) -> dict[str, Any]:
    return {
        "id": game.id,
        "title": game.title,
        "summary": game.summary,
        "rules_version": game.rules_version,
        "options": [_option_as_json(info) for info in game.option_table()],
    }


def _option_as_json(info: OptionInfo) -> dict[str, Any]:
    allowed: dict[str, Any] = (
        {"values": list(info.values)}
        if info.values
        else {"minimum": info.low, "maximum": info.high}
    )
    return {"name": info.name, "default": info.default, "help": info.help, **allowed}


def _as_text(game: type[Game]) -> str:
    lines = [f"{game.id}: {game.title}", f"  {game.summary}"]
    lines += [f"  {line}" for line in option_lines(game.option_table())]
    return "\n".join(lines)


def option_lines(table: tuple[OptionInfo, ...], values: dict[str, Any] | None = None) -> list[str]:
    """Return a line for each option: its value or default, what is allowed, what it means."""
    lines = []
    for info in table:
        if values is not None:
            now = f"{info.name}={values[info.name]}"
        elif info.default is None:
            now = info.name
        else:
            now = f"{info.name}={info.default}"
        lines.append(f"{now}  ({info.allowed})  {info.help}")
    return lines
