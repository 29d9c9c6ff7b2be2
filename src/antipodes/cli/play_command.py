"""``antipodes play``: a game at the terminal."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from antipodes.cli.parameters import chosen_game, game_argument, seed_option, set_option
from antipodes.cli.seats import COMPUTER, complete_player, seated
from antipodes.cli.sources import begin_from, read_record
from antipodes.cli.terminal import Terminal, is_interactive
from antipodes.core import Color
from antipodes.errors import Fault, InvalidOptionsError, InvalidRecordError, NotInstalledError
from antipodes.local_game import HUMAN

if TYPE_CHECKING:
    from antipodes.games.match_play import MatchPlay
    from antipodes.games.position import Game
    from antipodes.records import Record


Command = TypeVar("Command", bound=Callable[..., Any])

_HOW = """\
say which game to play, such as "antipodes play antipod"; there are {games}.
At a terminal "antipodes play" asks. In a pipe moves are read line by line:
    printf 'a2\\nquit\\n' | antipodes play hex --line"""


def _player_options(command: Command) -> Command:
    """Add an option for each colour, passed on under the colour's name."""
    first, *_ = Color
    who = "Who has {}: human, computer:LEVEL, search:SETTINGS, random or pairing."
    for color in reversed(Color):
        command = click.option(
            f"--{color}",
            metavar="PLAYER",
            shell_complete=complete_player,
            help=who.format(color.title) if color is first else f"The same for {color.title}.",
        )(command)
    return command


class _PlayCommand(click.Command):
    """Its help ends with the levels, which are imported only when it is shown."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the levels of the computer."""
        from antipodes.search.levels import DEFAULT_LEVEL, levels, measured

        rows = [(f"{one.number} {one.name}", one.description) for one in levels()]
        if measured():
            rows.append(("", f"Elo ratings, level 1 to {len(levels())}, where level 1 has 1000:"))
            rows += [(game_id, _listed(one["ratings"])) for game_id, one in measured().items()]
        with formatter.section(f"Levels of the computer ({DEFAULT_LEVEL} if you do not say)"):
            formatter.write_dl(rows)
        super().format_epilog(ctx, formatter)


def _listed(ratings: Sequence[int]) -> str:
    return " ".join(map(str, ratings))


@click.command("play", cls=_PlayCommand)
@game_argument(required=False)
@set_option
@_player_options
@click.option(
    "--seat",
    "seats",
    metavar="NUMBER=PLAYER",
    multiple=True,
    shell_complete=complete_player,
    help="Player at a seat; seats count from 1 in the order of the first turns.",
)
@click.option("--level", metavar="LEVEL", help="Level of computers that are named without one.")
@click.option("--line", "mode", flag_value="line", help="Talk in lines of text.")
@click.option("--full-screen", "mode", flag_value="full", help="Show the board on a full screen.")
@click.option(
    "--match-play",
    type=click.Choice(["6", "9", "15"]),
    help="Antipalos: play a match to so many points, in lines of text.",
)
@seed_option
@click.option("--load", "load_path", metavar="FILE", help="Go on from the end of a record.")
@click.option(
    "--from",
    "start",
    metavar="FILE|MOVES",
    help="Begin a new game where a record or a picture ends, or after moves such as 'c3 d4'.",
)
@click.option(
    "--ply", type=int, metavar="N", help="With --from: after N moves; negative: from the end."
)
@click.option("--save", "save_path", metavar="FILE", help="Save the game to FILE after each move.")
def play_command(
    game_id: str | None,
    *,
    settings: tuple[str, ...],
    seats: tuple[str, ...],
    level: str | None,
    mode: str | None,
    match_play: str | None,
    seed: int | None,
    load_path: str | None,
    start: str | None,
    ply: int | None,
    save_path: str | None,
    **players: str | None,
) -> int:
    """Play a game against the computer, or with others at the same keyboard.

    Without anything else one person plays first against a computer, on the full screen if there is
    one. Without GAME you are asked which. Started from a position, the person has the side to move.
    """
    by_color = {Color(name): text for name, text in players.items() if text is not None}
    if load_path is not None and start is not None:
        raise click.UsageError("--load goes on with a game, --from begins a new one; give one.")
    record = None if load_path is None else _loaded(load_path, game_id, settings)
    if start is not None:
        record = begin_from(start, game_id, settings, ply)
        if not by_color and not seats:
            seats = (f"{record.final_position().seat_to_move + 1}={HUMAN}",)
    elif ply is not None:
        raise click.UsageError("--ply belongs to --from.")
    if record is not None:
        game = record.game
    elif game_id is not None:
        game = chosen_game(game_id, settings)
    else:
        asked = _ask(settings, whom=not by_color and not seats)
        if asked is None:
            return 0
        game, chosen_seats = asked
        seats += chosen_seats
    people = seated(game, by_color, seats, level)
    if match_play is not None:
        match = _match(game, int(match_play), record, mode)
        return _in_lines(game, people, seed, record, save_path, match)
    fits = all(player == people[seat % len(game.colors)] for seat, player in enumerate(people))
    if mode == "full" and not fits:
        raise click.UsageError("on the full screen both seats of a team are played alike.")
    if mode == "full" or (mode is None and fits and _has_full_screen()):
        return _full_screen(game, people, seed, record, save_path)
    return _in_lines(game, people, seed, record, save_path)


def _loaded(path: str, game_id: str | None, settings: tuple[str, ...]) -> Record:
    """Read the record to go on with.

    Raises:
        InvalidRecordError: it cannot be read, or is of another game than the one named.
        InvalidOptionsError: settings are given too; a record has its own.
    """
    from antipodes.games.registry import game_class

    record = read_record(path)
    if game_id is not None and game_class(game_id).id != record.game.id:
        message = f"{path!r} is a record of {record.game.id}, not of {game_id}"
        raise InvalidRecordError([Fault("record/other-game", message)])
    if settings:
        message = "a record has its options in it; --set is for new games"
        raise InvalidOptionsError([Fault("option/conflict", message, "--set")])
    return record


def _match(game: Game, target: int, record: Record | None, mode: str | None) -> MatchPlay:
    """Return the match to begin.

    Raises:
        InvalidOptionsError: the game has no match play.
    """
    from antipodes.games.antipalos import Antipalos
    from antipodes.games.match_play import MatchPlay

    if record is not None or mode == "full":
        raise click.UsageError("--match-play begins a match in lines; leave out the other option.")
    if not isinstance(game, Antipalos):
        message = f"{game.title} has no match play; Antipalos has"
        raise InvalidOptionsError([Fault("match-play/no-such-game", message)])
    return MatchPlay(game, target)


def _in_lines(
    game: Game,
    people: tuple[str, ...],
    seed: int | None,
    record: Record | None,
    save_path: str | None,
    match: MatchPlay | None = None,
) -> int:
    from antipodes.cli.line_mode import play
    from antipodes.local_game import LocalGame, continued

    start = game.initial() if record is None else record.root.position
    local_game = LocalGame(start, people, match_play=match)
    if record is not None:
        continued(local_game, record)
    return play(local_game, Terminal(), seed, save_path)


def _has_full_screen() -> bool:
    """Return whether there is a full screen; say so if only the package for it is missing."""
    if not is_interactive() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    if find_spec("textual") is None:
        click.echo("The full screen needs textual: pip install 'antipodes[terminal]'", err=True)
        return False
    return True


def _full_screen(
    game: Game,
    people: tuple[str, ...],
    seed: int | None,
    record: Record | None,
    save_path: str | None,
) -> int:
    try:
        from antipodes.tui.app import run
    except ImportError as error:
        raise NotInstalledError.of("the full screen", error.name, "terminal") from None
    if not is_interactive():
        raise click.UsageError("--full-screen needs a terminal; use --line in a pipe.")
    return run(game, people, seed, record, None if save_path is None else Path(save_path))


def _ask(settings: tuple[str, ...], *, whom: bool) -> tuple[Game, tuple[str, ...]] | None:
    """Ask which game to play, and perhaps with whom; return ``None`` without an answer."""
    terminal = Terminal()
    game_id = _ask_game(terminal)
    if game_id is None:
        return None
    game = chosen_game(game_id, settings)
    seats = _ask_players(terminal, game) if whom else ()
    return None if seats is None else (game, seats)


def _ask_game(terminal: Terminal) -> str | None:
    """Ask which game to play; return ``None`` without an answer."""
    from antipodes.games.registry import game_class, game_ids

    ids = game_ids()
    if not is_interactive():
        raise click.UsageError(_HOW.format(games=", ".join(ids)))
    terminal.say("Which game?")
    for number, name in enumerate(ids, start=1):
        terminal.say(f"  {number}  {game_class(name).title}")
        terminal.say(textwrap.indent(textwrap.fill(game_class(name).summary, 70), "     "))
    answer = _ask_number(terminal, len(ids), ids)
    return None if answer is None else ids[answer]


def _ask_players(terminal: Terminal, game: Game) -> tuple[str, ...] | None:
    """Ask whom to play; return texts such as ``1=human``, or ``None`` without an answer."""
    others = "a computer" if game.seats == 2 else "computers"
    terminal.say(
        f"Whom do you play?\n  1  {others}; you begin\n  2  {others}; the computer begins\n"
        "  3  each other, at this keyboard\n  4  none: computers play, you watch"
    )
    answer = _ask_number(terminal, 4)
    if answer is None:
        return None
    people = ({0}, {1}, set(range(game.seats)), set())[answer]
    return tuple(
        f"{seat + 1}={HUMAN if seat in people else COMPUTER}" for seat in range(game.seats)
    )


def _ask_number(terminal: Terminal, count: int, words: tuple[str, ...] = ()) -> int | None:
    """Ask for a number from 1 to ``count``, 1 if the line is empty; return it less 1."""
    while (line := terminal.ask(f"Number, 1 to {count} [1]: ")) is not None:
        word = line.strip().lower()
        if word in words:
            return words.index(word)
        if word in ("q", "quit", "exit"):
            return None
        numbers = [str(number) for number in range(1, count + 1)]
        if not word or word in numbers:
            return numbers.index(word or "1")
        terminal.say(f"Type a number from 1 to {count}, or quit.")
    return None
