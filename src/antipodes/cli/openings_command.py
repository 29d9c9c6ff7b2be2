"""``antipodes lab openings``: the value of each first move."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from antipodes.cli.parameters import complete_setting, game_argument, json_option, read_settings
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InvalidOptionsError

if TYPE_CHECKING:
    from antipodes.games.position import Game
    from antipodes.lab.atlas import Atlas, Question

_MOST_VISITS = 10_000_000


@click.command("openings")
@game_argument()
@click.option(
    "--set",
    "settings",
    metavar="KEY=VALUE",
    multiple=True,
    shell_complete=complete_setting,
    help="Value of an option, such as size=13; may be given several times.",
)
@click.option(
    "--visits",
    metavar="N,...",
    help="Search each first move with so many visits, such as 100,1000,10000.",
)
@click.option(
    "--games",
    type=click.IntRange(0, 100_000),
    default=0,
    show_default=True,
    metavar="N",
    help="With --visits: games that are played after each first move.",
)
@click.option(
    "--player",
    default="computer:3",
    show_default=True,
    metavar="PLAYER",
    help="Who plays these games.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0, max=1 << 32),
    default=1,
    show_default=True,
    metavar="NUMBER",
    help="Decides searches and games.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="With --visits: keep the atlas in a file, and continue from there.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    metavar="J",
    help="First moves that are searched at once.",
)
@click.option(
    "--scheduler",
    metavar="URL",
    help="Search on a cluster of Dask, such as tcp://HOST:8786.",
)
@click.option(
    "--picture",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the map of values as SVG.",
)
@click.option(
    "--fair", is_flag=True, help="Print only fair first moves, as `match --openings` reads them."
)
@json_option
def openings_command(
    game_id: str,
    *,
    settings: tuple[str, ...],
    visits: str | None,
    games: int,
    player: str,
    seed: int,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
    picture: Path | None,
    fair: bool,
    as_json: bool,
) -> None:
    """Show how good each first move is, without a swap.

    Usual boards have an atlas that comes with the program. --visits makes a new one, for any board.
    Values are those of the player who makes the move, from 0 (lost) to 1 (won); moves that are the
    same by a symmetry of the board are shown once.
    """
    from antipodes.games.registry import make_game
    from antipodes.lab.atlas import Question, shipped_atlas
    from antipodes.search.network.evaluator import has_network

    game = make_game(game_id, read_settings(settings))
    terminal = Terminal()
    if visits is None:
        atlas = shipped_atlas(game)
        if atlas is None:
            message = f"no atlas of {game!r} comes with the program; --visits makes one"
            raise InvalidOptionsError([Fault("lab/no-atlas", message)])
    else:
        question = Question(_rising(visits), games, player, seed, has_network(game))
        atlas = _made(game, question, out, (jobs, scheduler), terminal)
    if picture is not None:
        _draw(atlas, picture)
    if as_json:
        terminal.say(json.dumps(atlas.as_dict))
    elif fair:
        terminal.say("\n".join(f"{one.move}  # {one.value:.2f}" for one in atlas.fair))
    else:
        terminal.say(_table(atlas))


def _rising(text: str) -> tuple[int, ...]:
    """Read numbers of visits.

    Raises:
        InvalidOptionsError: they are not rising positive numbers.
    """
    words = text.split(",")
    numbers = [int(word) for word in words if word.strip().isdecimal() and len(word) < 10]
    is_rising = numbers == sorted(set(numbers))
    if (
        len(numbers) < len(words)
        or not is_rising
        or not 1 <= numbers[0] <= numbers[-1] <= _MOST_VISITS
    ):
        message = f"{text!r} is not a list of rising numbers from 1 to {_MOST_VISITS}"
        raise InvalidOptionsError([Fault("lab/visits", message, "--visits")])
    return tuple(numbers)


def _made(
    game: Game,
    question: Question,
    out: Path | None,
    crew: tuple[int, str | None],
    terminal: Terminal,
) -> Atlas:
    """Make an atlas, and keep it in a file where one is named."""
    from antipodes.games.symmetry import first_moves
    from antipodes.lab.atlas import make_atlas, read_atlases, save_atlases, without_swap
    from antipodes.lab.contestants import make_contestant
    from antipodes.parallel.workers import Workers

    make_contestant(question.player).close()
    plain = without_swap(game)
    total = len(first_moves(plain))
    earlier = read_atlases(out) if out is not None and out.exists() else []
    known = [
        move
        for atlas in earlier
        if (atlas.game, atlas.options, atlas.question)
        == (plain.id, plain.options.as_dict(), question)
        for move in atlas.moves
    ]

    def watch(atlas: Atlas) -> None:
        if out is not None:
            save_atlases(out, [atlas])
        terminal.status(f"{len(atlas.moves)} of {total} first moves")

    workers = Workers(count=crew[0], scheduler=crew[1], tell=terminal.remark)
    try:
        return make_atlas(plain, question, known=known, workers=workers, watch=watch)
    finally:
        terminal.end_status()


def _draw(atlas: Atlas, path: Path) -> None:
    from antipodes.files import replace_file
    from antipodes.lab.atlas_maps import heat_map
    from antipodes.notation.svg import render_svg

    try:
        replace_file(path, render_svg(heat_map(atlas)).encode())
    except OSError as error:
        message = f"{str(path)!r} cannot be written: {error.strerror or error}"
        raise InvalidOptionsError([Fault("lab/picture", message, "--picture")]) from None


def _table(atlas: Atlas) -> str:
    """Return the first moves as text, the best first."""
    visits = [str(one) for one in atlas.question.visits]
    head = f"{'move':<8}" + "".join(f"{int(one):>9,}" for one in visits)
    lines = [head + (f"{'games':>8} {'points':>7}" if atlas.question.games else "") + "  proven"]
    for first_move in atlas.best_first:
        line = f"{first_move.move:<8}" + "".join(
            f"{first_move.values[key]:>9.2f}" for key in visits
        )
        if atlas.question.games:
            line += f"{first_move.games:>8} {first_move.points:>7g}"
        lines.append(f"{line}  {first_move.proven or ''}".rstrip())
    return "\n".join(lines)
