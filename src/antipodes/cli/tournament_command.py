"""``antipodes tournament``: tournaments of a site, through its API."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from antipodes.cli.balance_commands import table
from antipodes.cli.parameters import json_option, site_options
from antipodes.cli.tournament_site import act, path_of, site_at, slug_argument

if TYPE_CHECKING:
    from antipodes.cli.site_client import Data

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("tournament")
def tournament_command() -> None:
    """List the tournaments of a site, look at one, or play in it.

    The variables ANTIPODES_URL and ANTIPODES_TOKEN can stand for --url and --token. SLUG is the
    last part of the address of a tournament's page.
    """


def _print(
    found: Any, *, as_json: bool, head: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    click.echo(json.dumps(found, indent=2) if as_json else table(head, rows))


@tournament_command.command("list")
@click.option(
    "--state",
    type=click.Choice(["upcoming", "running", "finished"]),
    help="Only these; by default those that are running and those to come.",
)
@site_options
@json_option
def list_command(url: str, token: str | None, state: str | None, *, as_json: bool) -> None:
    """List the tournaments of a site."""
    site = site_at(url, token)
    states = [state] if state else ["running", "upcoming"]
    tournaments = [one for name in states for one in site.get("tournaments", state=name)]
    rows = [
        (
            tournament["slug"],
            tournament["title"],
            tournament["format"],
            tournament["game"],
            tournament["control"],
            _time(tournament["startsAt"]),
            f"{tournament['players']}/{tournament['mostPlayers']}",
            tournament["state"],
        )
        for tournament in tournaments
    ]
    head = ("slug", "title", "format", "game", "clock", "start (UTC)", "players", "state")
    _print(tournaments, as_json=as_json, head=head, rows=rows)


def _time(milliseconds: int | None) -> str:
    if milliseconds is None:
        return ""
    return f"{datetime.fromtimestamp(milliseconds / 1_000, UTC):%Y-%m-%d %H:%M}"


@tournament_command.command("standings")
@slug_argument
@site_options
@json_option
def standings_command(slug: str, url: str, token: str | None, *, as_json: bool) -> None:
    """Show the table of a tournament; before its start its players."""
    standings = site_at(url, token).get(path_of(slug, "standings"))
    rows = [
        (
            "" if standing["rank"] is None else str(standing["rank"]),
            standing["person"]["shown"],
            str(standing["rating"]),
            f"{standing['points']:g}",
            " ".join(f"{value:g}" for value in standing["tieBreaks"]),
            _note(standing),
        )
        for standing in standings
    ]
    head = ("rank", "player", "rating", "points", "tie-breaks", "")
    _print(standings, as_json=as_json, head=head, rows=rows)


def _note(line: Data) -> str:
    notes = [
        ("withdrawn", line["withdrawn"]),
        ("checked in", line["checkedIn"] and line["rank"] is None),
        (f"team {line['team']}", line["team"]),
    ]
    return ", ".join(text for text, is_so in notes if is_so)


@tournament_command.command("pairings")
@slug_argument
@click.option(
    "--round", "number", type=click.IntRange(min=1), metavar="N", help="By default the latest."
)
@site_options
@json_option
def pairings_command(
    slug: str, url: str, token: str | None, number: int | None, *, as_json: bool
) -> None:
    """Show the pairings of a round."""
    query = {} if number is None else {"round": number}
    pairings = site_at(url, token).get(path_of(slug, "pairings"), **query)
    rows = [
        (
            f"{pairing['round']}.{pairing['table']}",
            ", ".join(pairing["players"]) + ("" if pairing["second"] else " (bye)"),
            _score(pairing["points"], "-"),
            _score(pairing["score"], ":") if len(pairing["games"]) > 1 else "",
            pairing["opening"],
            " ".join(f"{url.rstrip('/')}/m/{game}/" for game in pairing["games"]),
        )
        for pairing in pairings
    ]
    head = ("pairing", "players", "points", "score", "opening", "games")
    _print(pairings, as_json=as_json, head=head, rows=rows)


def _score(points: Sequence[float] | None, mark: str) -> str:
    return "" if points is None else mark.join(f"{one:g}" for one in points)


@tournament_command.command("join")
@slug_argument
@click.option("--team", type=click.IntRange(1, 2), help="In a team match; for members of both.")
@site_options
def join_command(slug: str, url: str, token: str | None, team: int | None) -> None:
    """Join a tournament; during check-in this checks in too."""
    act(url, token, slug, "join" if team is None else f"join?team={team}")
    click.echo(f"you have joined the tournament {slug}")


@tournament_command.command("check-in")
@slug_argument
@site_options
def check_in_command(slug: str, url: str, token: str | None) -> None:
    """Check in before the start."""
    act(url, token, slug, "check-in")
    click.echo(f"you are checked in for the tournament {slug}")


@tournament_command.command("leave")
@slug_argument
@site_options
def leave_command(slug: str, url: str, token: str | None) -> None:
    """Leave a tournament; games that have begun go on."""
    act(url, token, slug, "leave")
    click.echo(f"you have left the tournament {slug}")


@tournament_command.command("challenge")
@slug_argument
@click.argument("player", metavar="PLAYER")
@site_options
def challenge_command(slug: str, player: str, url: str, token: str | None) -> None:
    """Challenge a player of a ladder who stands a few places higher; the game begins."""
    act(url, token, slug, "challenge", username=player)
    click.echo(f"you have challenged {player}")
