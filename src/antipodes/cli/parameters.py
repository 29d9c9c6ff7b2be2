"""Parameters of several commands: a game, its options, and their completion in the shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from antipodes.errors import AntipodesError, Fault, InputError, InvalidOptionsError
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.games.options import OptionInfo
    from antipodes.games.position import Game

Command = TypeVar("Command", bound=Callable[..., Any])


def chosen_game(game_id: str, settings: Sequence[str]) -> Game:
    """Return a game with the options that ``--set`` gave.

    Raises:
        UnknownGameError: no game has this id.
        InvalidOptionsError: a setting is not ``key=value``, is given twice, or is not allowed.
    """
    from antipodes.games.registry import game_class, make_game

    game_class(game_id)
    return make_game(game_id, read_settings(settings))


def read_settings(settings: Sequence[str]) -> dict[str, str]:
    """Read the values of ``--set``; hyphens and underscores in names are the same.

    Raises:
        InvalidOptionsError: with all settings that are not ``key=value`` or are given twice.
    """
    faults = []
    values: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        name = key.strip().lower().replace("-", "_")
        if not equals or not name:
            message = f"{shorten(setting)} is not of the form KEY=VALUE, such as size=11"
            faults.append(Fault("option/malformed", message, "--set"))
        elif name in values:
            faults.append(Fault("option/twice", f"{name} is set twice", "--set"))
        else:
            values[name] = value.strip()
    if faults:
        raise InvalidOptionsError(faults)
    return values


def read_openings_file(path: str) -> str:
    """Return the text of a file that ``--openings`` names.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = f"{path!r} is neither a number nor a file that can be read: {reason}"
        raise InputError([Fault("openings/unreadable", message, "--openings")]) from None


# Completion in the shell. It must never fail: what it cannot know it leaves out.


def complete_game(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the id of a game."""
    from antipodes.games.registry import game_ids

    return [CompletionItem(name) for name in game_ids() if name.startswith(incomplete)]


def complete_setting(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the name of an option, or behind ``=`` its value."""
    from antipodes.games.registry import game_class

    try:
        # While an option waits for its value, Click has not yet sorted the other words.
        game_id = context.params.get("game_id") or next(iter(context.args), "")
        table = game_class(game_id).option_table()
    except AntipodesError:
        return []
    key, equals, _ = incomplete.partition("=")
    if equals:
        words = [f"{i.name}={v}" for i in table if i.name == key for v in _values(i)]
        return [CompletionItem(word) for word in words if word.startswith(incomplete)]
    return [
        CompletionItem(f"{info.name}=", help=info.help)
        for info in table
        if info.name.startswith(incomplete)
    ]


def _values(info: OptionInfo) -> Sequence[str]:
    if info.values:
        return info.values
    few = info.high - info.low < 32
    return [str(number) for number in range(info.low, info.high + 1)] if few else []


def complete_source(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete a game; a file is completed by the shell."""
    games = complete_game(context, parameter, incomplete)
    return [*games, CompletionItem(incomplete, type="file")]


# Decorators.


def game_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """Add the argument GAME, passed on as ``game_id``."""
    metavar = "GAME" if required else "[GAME]"
    return click.argument(
        "game_id", metavar=metavar, required=required, shell_complete=complete_game
    )


def source_argument(*, required: bool = True) -> Callable[[Command], Command]:
    """Add the argument FILE|GAME, passed on as ``source``."""
    metavar = "FILE|GAME" if required else "[FILE|GAME]"
    return click.argument(
        "source", metavar=metavar, required=required, shell_complete=complete_source
    )


def set_option(command: Command) -> Command:
    """Add the option ``--set``, passed on as ``settings``."""
    return click.option(
        "--set",
        "settings",
        metavar="KEY=VALUE",
        multiple=True,
        shell_complete=complete_setting,
        help='Choose an option of the game; may be given several times. "antipodes games" '
        "lists them.",
    )(command)


def seed_option(command: Command) -> Command:
    """Add the option ``--seed``, passed on as ``seed``."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="NUMBER",
        help="Make the choices of the computer and of chance the same each time.",
    )(command)


def jobs_option(command: Command) -> Command:
    """Add the option ``--jobs``, passed on as ``jobs``."""
    return click.option(
        "--jobs",
        type=click.IntRange(min=1, max=1024),
        default=1,
        show_default=True,
        metavar="J",
        help="Games or positions that are worked on at once; several need the extra lab.",
    )(command)


def threads_option(command: Command) -> Command:
    """Add the option ``--threads``, passed on as ``threads``."""
    return click.option(
        "--threads",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        metavar="NUMBER",
        help="How many threads think about a position.",
    )(command)


def memory_option(command: Command) -> Command:
    """Add the option ``--memory``, passed on as ``memory``."""
    return click.option(
        "--memory",
        type=click.IntRange(1, 1 << 20),
        default=256,
        show_default=True,
        metavar="MIB",
        help="Memory for the tables of a search, in MiB.",
    )(command)


def lenient_option(command: Command) -> Command:
    """Add the flag ``--lenient``, passed on as ``lenient``."""
    return click.option(
        "--lenient",
        is_flag=True,
        help="Read what can be read of a record with faults; tell the faults on standard error.",
    )(command)


def json_option(command: Command) -> Command:
    """Add the flag ``--json``, passed on as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        command
    )


def site_options(command: Command) -> Command:
    """Add the options ``--url`` and ``--token`` of a site."""
    for option in (
        click.option(
            "--token",
            envvar="ANTIPODES_TOKEN",
            metavar="TOKEN|@FILE",
            help="Token of the account, or @ and a file that holds it.",
        ),
        click.option(
            "--url",
            required=True,
            envvar="ANTIPODES_URL",
            help="Address of the site, such as https://example.org.",
        ),
    ):
        command = option(command)
    return command
