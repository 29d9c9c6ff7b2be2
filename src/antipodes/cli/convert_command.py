"""``antipodes convert``: a record in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from antipodes.cli.parameters import lenient_option
from antipodes.cli.sources import STDIN, as_record, read_bytes, write_output

if TYPE_CHECKING:
    from antipodes.records import Record


def _complete_kind(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    from antipodes.records import KINDS

    return [CompletionItem(kind) for kind in KINDS if kind.startswith(incomplete)]


@click.command("convert")
@click.argument("source", metavar="FILE", type=click.Path())
@click.option(
    "--to",
    "kind",
    metavar="FORMAT",
    shell_complete=_complete_kind,
    help="json, sgf or hexworld; without it the ending of OUT decides, else json.",
)
@click.option("-o", "--output", metavar="OUT", type=click.Path(), help="Write to a file.")
@click.option("--game", type=click.IntRange(1), metavar="N", help="Read game N of several.")
@click.option("--all", "all_games", is_flag=True, help="Read all games; OUT gets their numbers.")
@lenient_option
def convert_command(
    source: str,
    *,
    kind: str | None,
    output: str | None,
    game: int | None,
    all_games: bool,
    lenient: bool,
) -> None:
    """Write a record in another format: JSON, SGF, or for Hex a HexWorld link.

    FILE is a record; its format is recognised by what is in it. - is standard input. An SGF file
    may have several games: with --all and -o games.json they become games-1.json, games-2.json
    and so on.
    """
    from antipodes.records import record_titles

    if game is not None and all_games:
        raise click.UsageError("--game reads one game and --all reads all of them")
    data = read_bytes(source)
    numbers = range(1, len(record_titles(data)) + 1) if all_games else [game]
    for number in numbers:
        record = as_record(data, lenient=lenient, game=number)
        is_numbered = all_games and output not in (None, STDIN)
        _write(record, _numbered(str(output), number) if is_numbered else output, kind)


def _numbered(output: str, number: int | None) -> str:
    path = Path(output)
    return str(path.with_name(f"{path.stem}-{number}{path.suffix}"))


def _write(record: Record, output: str | None, kind: str | None) -> None:
    from antipodes.records import hexworld_losses, save, write_record
    from antipodes.records.files import kind_of

    if output is None or output == STDIN:
        kind = kind or "json"
        write_output(None, write_record(record, kind))
    else:
        kind = kind or kind_of(output)
        save(output, record, kind=kind)
    losses = hexworld_losses(record) if kind == "hexworld" else ()
    if losses:
        click.echo(f"A HexWorld link leaves out: {', '.join(losses)}.", err=True)
