"""``antipodes convert``: a record in another format."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from antipodes.cli.parameters import lenient_option
from antipodes.cli.sources import STDIN, read_record, write_output


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
@lenient_option
def convert_command(source: str, *, kind: str | None, output: str | None, lenient: bool) -> None:
    """Write a record in another format: JSON, SGF, or for Hex a HexWorld link.

    FILE is a record; its format is recognised by what is in it. - is standard input.
    """
    from antipodes.records import hexworld_losses, save, write_record
    from antipodes.records.files import kind_of

    record = read_record(source, lenient=lenient)
    if output is None or output == STDIN:
        kind = kind or "json"
        write_output(None, write_record(record, kind))
    else:
        kind = kind or kind_of(output)
        save(output, record, kind=kind)
    losses = hexworld_losses(record) if kind == "hexworld" else ()
    if losses:
        click.echo(f"A HexWorld link leaves out: {', '.join(losses)}.", err=True)
