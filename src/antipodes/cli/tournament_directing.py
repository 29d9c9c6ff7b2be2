"""Commands of ``antipodes tournament`` for hosts: make a tournament, and direct it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import reduce
from typing import IO, Any, TypeVar

import click

from antipodes.cli.parameters import read_openings_file, read_settings, site_options
from antipodes.cli.tournament_site import act, site_at, slug_argument
from antipodes.errors import Fault, InvalidOptionsError

Command = TypeVar("Command", bound=Callable[..., Any])


def read_instant(text: str) -> int:
    """Return a time in milliseconds since 1970; one without a zone is in UTC.

    Raises:
        InvalidOptionsError: the text is no time.
    """
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        message = f"{text!r} is no time such as 2027-03-01T19:00, in UTC, or 2027-03-01T19:00+01:00"
        raise InvalidOptionsError([Fault("tournament/time", message)]) from None
    return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1_000)


def read_plan(file: IO[str]) -> dict[str, Any]:
    """Read the rules of a tournament as the API takes them.

    Raises:
        InvalidOptionsError: the file is no JSON object.
    """
    try:
        found = json.load(file)
    except ValueError as error:
        message = f"{file.name} is no JSON: {error}"
        raise InvalidOptionsError([Fault("client/file", message, "--file")]) from None
    if not isinstance(found, dict):
        message = f"{file.name} has no JSON object with the rules of a tournament"
        raise InvalidOptionsError([Fault("client/file", message, "--file")])
    return found


# Options of `create` by the names of the API: metavar or type, and help.
_TEXTS = {
    "title": ("TEXT", "Title."),
    "description": ("TEXT", "Description."),
    "format": ("NAME", 'Format, such as "swiss"; the page "Pairings" of the docs lists them.'),
    "game": ("GAME", "Game."),
    "control": ("CLOCK", 'Time control, such as "10m+5s" or "3d/move+10d".'),
    "games": ("NAME", "Games of a pairing: single, mirrored, pair, best-of-3 to 9, match-6 to 15."),
    "openings": ("fair|FILE", "Given first moves: fair ones, or a file with a line for each."),
    "repeats": ("NAME", "weekly or monthly."),
    "filler": ("LEVEL", "Level of the computer that evens out the players."),
    "club": ("SLUG", "Only members of this club may join."),
    "guest-club": ("SLUG", "In a team match: the club that plays against it."),
}
_NUMBERS = {
    "most-players": "Players at most.",
    "lowest": "Lowest rating of players.",
    "highest": "Highest rating of players.",
    "least-games": "Rated games of players at least.",
    "check-in": "Minutes of check-in before the start.",
}
_TIMES = {"opens-at": "When registration opens.", "starts-at": "When the tournament starts."}
_FLAGS = {
    "rated": "Games count for ratings.",
    "starts-when-full": "Start as soon as it is full.",
    "bots": "Bots may play.",
    "by-invitation": "Only invited players may join.",
    "private": "Only members of the club see it.",
}


def _plan_options(command: Command) -> Command:
    """Add an option for each rule of a new tournament."""
    settings = "KEY=VALUE"
    added = [
        *(click.option(f"--{name}", metavar=of, help=more) for name, (of, more) in _TEXTS.items()),
        *(click.option(f"--{name}", type=int, help=more) for name, more in _NUMBERS.items()),
        *(click.option(f"--{name}", metavar="TIME", help=more) for name, more in _TIMES.items()),
        *(click.option(f"--{name}", is_flag=True, help=more) for name, more in _FLAGS.items()),
        click.option("--tie-break", multiple=True, metavar="NAME", help="In their order."),
        click.option("--rule", multiple=True, metavar=settings, help="A rule of the format."),
        click.option("--set", multiple=True, metavar=settings, help="An option of the game."),
    ]
    return reduce(lambda made, add: add(made), reversed(added), command)


def _plan(file: IO[str] | None, chosen: dict[str, Any]) -> dict[str, Any]:
    """Return the rules of a file with those of options, which come first."""
    rules, options = read_settings(chosen.pop("rule")), read_settings(chosen.pop("set"))
    breaks = chosen.pop("tie_break")
    plan = {} if file is None else read_plan(file)
    given = {name: value for name, value in chosen.items() if value not in {None, False}}
    for name in ("opens_at", "starts_at"):
        if name in given:
            given[name] = read_instant(given[name])
    if given.get("openings", "fair") != "fair":
        given["openings"] = read_openings_file(given["openings"], "fair")
    plan |= {_as_in_api(name): value for name, value in given.items()}
    if breaks:
        plan["tieBreaks"] = list(breaks)
    for name, values in (("rules", rules), ("options", options)):
        if values:
            plan[name] = {**plan.get(name, {}), **values}
    return plan


def _as_in_api(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(word.capitalize() for word in more)


@click.command("create")
@click.option(
    "--file",
    type=click.File(encoding="utf-8"),
    help='A JSON object with the rules as the API takes them, "-" for the standard input.',
)
@_plan_options
@site_options
def create_command(url: str, token: str | None, file: IO[str] | None, **chosen: Any) -> None:
    """Make a tournament, from a file, from options, or from both: options come first."""
    found = site_at(url, token, needs_token=True).send("POST", "tournaments", _plan(file, chosen))
    click.echo(
        f"the tournament {found['slug']} is made: {url.rstrip('/')}/tournament/{found['slug']}/"
    )


_reason_option = click.option("--reason", required=True, metavar="TEXT", help="Players read it.")

# Actions that change the state of a tournament: what it does then, help, and options.
_STATES: dict[str, tuple[Any, ...]] = {
    "start": ("starts", "Start a tournament now; absent players of a check-in are left out."),
    "pause": (
        "is paused",
        "Let no games begin; those that have begun go on.",
        click.option("--reason", default="", metavar="TEXT", help="Players read it."),
    ),
    "resume": ("continues", "Resume a paused tournament."),
    "finish": (
        "is finished",
        "Finish an arena, ladder or rolling Swiss; games that go on count no more.",
    ),
    "cancel": (
        "is cancelled",
        "Cancel a tournament for good; games that have begun go on.",
        _reason_option,
    ),
}


def _direct(url: str, token: str | None, slug: str, action: str, **data: object) -> None:
    act(url, token, slug, "direct", action=action, **data)


def _state_command(action: str, told: str, about: str, *options: Any) -> click.Command:
    """Return the command of an action that changes the state of a tournament."""

    @click.command(action, help=about)
    @slug_argument
    @site_options
    def command(slug: str, url: str, token: str | None, **data: str) -> None:
        _direct(url, token, slug, action, **data)
        click.echo(f"the tournament {slug} {told}")

    for add in options:
        add(command)
    return command


@click.command("change")
@slug_argument
@click.option("--title", metavar="TEXT", help="Title.")
@click.option("--description", metavar="TEXT", help="Description.")
@click.option("--starts-at", metavar="TIME", help="When the tournament starts.")
@site_options
def change_command(slug: str, url: str, token: str | None, **wanted: str | None) -> None:
    """Change title, description or start of a tournament that has not begun."""
    given: dict[str, object] = {name: text for name, text in wanted.items() if text is not None}
    if "starts_at" in given:
        given["startsAt"] = read_instant(str(given.pop("starts_at")))
    _direct(url, token, slug, "change", **given)
    click.echo(f"the tournament {slug} is changed")


@click.command("withdraw")
@slug_argument
@click.argument("player", metavar="PLAYER")
@_reason_option
@site_options
def withdraw_command(slug: str, player: str, url: str, token: str | None, reason: str) -> None:
    """Take a player out of a tournament."""
    _direct(url, token, slug, "withdraw", name=player, reason=reason)
    click.echo(f"{player} is out of the tournament {slug}")


@click.command("prove")
@slug_argument
@click.argument("pairing", metavar="PAIRING")
@site_options
def prove_command(slug: str, pairing: str, url: str, token: str | None) -> None:
    """Ask the computer to prove the result of a game in progress, which then counts.

    PAIRING is round and table, such as 2.1.
    """
    _direct(url, token, slug, "prove", pairing=pairing)
    click.echo(f"the computer looks for a proof of pairing {pairing} of the tournament {slug}")


@click.command("decide")
@slug_argument
@click.argument("pairing", metavar="PAIRING")
@click.argument("result", metavar="RESULT")
@_reason_option
@site_options
def decide_command(
    slug: str, pairing: str, result: str, url: str, token: str | None, reason: str
) -> None:
    """Decide a pairing, or correct its result; the game itself goes on.

    PAIRING is round and table, such as 2.1. RESULT is 1-0, 0-1, draw or 0-0; at a table of three or
    four the number of the seat that wins, draw or 0-0.
    """
    _direct(url, token, slug, "adjudicate", pairing=pairing, result=result, reason=reason)
    click.echo(f"the pairing {pairing} is decided: {result}")


@click.command("invite")
@slug_argument
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@site_options
def invite_command(slug: str, players: tuple[str, ...], url: str, token: str | None) -> None:
    """Invite players to a tournament."""
    for player in players:
        _direct(url, token, slug, "invite", name=player)
        click.echo(f"you have invited {player}")


@click.command("add-computer")
@slug_argument
@click.argument("level", metavar="LEVEL")
@site_options
def add_computer_command(slug: str, level: str, url: str, token: str | None) -> None:
    """Let a level of the computer play in a casual tournament that has not begun."""
    _direct(url, token, slug, "add-computer", level=level)
    click.echo(f"level {level} of the computer plays in the tournament {slug}")


COMMANDS = (
    create_command,
    *(_state_command(action, *rest) for action, rest in _STATES.items()),
    withdraw_command,
    decide_command,
    prove_command,
    change_command,
    invite_command,
    add_computer_command,
)
