"""``antipodes lab report``: the results of an experiment as a table and as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from antipodes.cli.balance_commands import balance_table
from antipodes.cli.parameters import json_option
from antipodes.errors import Fault, InputError, NotInstalledError
from antipodes.files import replace_file

if TYPE_CHECKING:
    from antipodes.lab.report import Report

PAGE = "report.html"


@click.command("report")
@click.argument(
    "folder",
    metavar="[DIR]",
    required=False,
    type=click.Path(path_type=Path, file_okay=False, exists=True),
)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Where the page is written; by default {PAGE} in DIR.",
)
@click.option(
    "--figures",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Also write each plot to this folder, as SVG and, with the extra lab, as PDF.",
)
@json_option
def report_command(
    folder: Path | None, *, page: Path | None, figures: Path | None, as_json: bool
) -> None:
    """Report the results in a folder: a table, and a page with plots.

    The page has question, results, method, what is proven, and how to repeat it. Shares have 95 %
    intervals (Wilson); games in which a player failed are counted apart. Without DIR the report is
    of the measurements that come with the program, and written to FILE or report.html.
    """
    if folder is None:
        _report_summary(page, figures, as_json)
        return
    from antipodes.lab.balance import tallied
    from antipodes.lab.experiment import FILE, Experiment, Plan
    from antipodes.lab.report import experiment_report
    from antipodes.lab.results import Results

    results = Results(folder)
    plan = Experiment.read(folder / FILE) if (folder / FILE).exists() else None
    rows = list(results.rows())
    balances = (
        list(tallied(rows).balances.values()) if plan is None else Plan(plan, results).balances()
    )
    if not any(one.total for one in balances):
        message = f"{str(folder)!r} has no results yet"
        raise InputError([Fault("lab/no-results", message)])
    if as_json:
        click.echo(json.dumps([one.as_dict() for one in balances], indent=1))
        if page is None and figures is None:
            return
    else:
        if plan is not None and plan.title:
            click.echo(plan.title)
        for game_id in dict.fromkeys(one.setting.game.id for one in balances):
            click.echo(balance_table([one for one in balances if one.setting.game.id == game_id]))
        click.echo(f"{sum(one.cpu for one in balances) / 3600:.3g} hours of CPU time")
    versions = [row.version for row in rows]
    report = experiment_report(str(folder), balances, versions, plan)
    _write(report, page or (None if as_json else folder / PAGE), figures)


def _report_summary(page: Path | None, figures: Path | None, as_json: bool) -> None:
    from antipodes.lab.measured_balance import measured_balance
    from antipodes.lab.report import summary_report

    if as_json:
        click.echo(json.dumps(measured_balance(), indent=1))
        if page is None and figures is None:
            return
    _write(summary_report(), page or (None if as_json else Path(PAGE)), figures)


def _write(report: Report, page: Path | None, figures: Path | None) -> None:
    """Write what is wanted, and say so.

    Raises:
        InputError: a file cannot be written.
    """
    if page is not None:
        _write_files({page: report.as_html().encode()}, "--html")
        click.echo(f"The page is in {page}", err=True)
    if figures is not None:
        with suppress(OSError):
            figures.mkdir(parents=True, exist_ok=True)
        plots = report.figures()
        files = {figures / f"{name}.svg": svg.encode() for name, svg in plots.items()}
        try:
            from antipodes.lab.pdf import as_pdf
        except NotInstalledError as error:
            click.echo(f"no PDF files: {error}", err=True)
        else:
            files |= {figures / f"{name}.pdf": as_pdf(svg) for name, svg in plots.items()}
        _write_files(files, "--figures")
        click.echo(f"{len(plots)} figures are in {figures}", err=True)


def _write_files(contents: Mapping[Path, bytes], option: str) -> None:
    for path, content in contents.items():
        try:
            replace_file(path, content)
        except OSError as error:
            message = f"{str(path)!r} cannot be written: {error.strerror or error}"
            raise InputError([Fault("lab/page", message, option)]) from None
