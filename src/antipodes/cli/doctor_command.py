"""``antipodes doctor``: checks of a site, with advice."""

from __future__ import annotations

import json

import click

from antipodes.cli.exits import NO
from antipodes.cli.site_commands import env_file_option, need_packages

_MARKS = {"ok": "ok     ", "warning": "warning", "failed": "FAILED "}


@click.command("doctor")
@env_file_option
@click.option("--send-test", metavar="ADDRESS", help="Send a test mail to this address.")
@click.option("--json", "as_json", is_flag=True, help="Answer with one JSON object.")
@click.pass_context
def doctor_command(context: click.Context, send_test: str | None, *, as_json: bool) -> None:
    """Check a site's settings, database, Redis, mail, clock, disk and keys; say what to do.

    Nothing is changed. The exit code is 1 if a check failed; warnings do not count.
    """
    need_packages()
    from antipodes.web.server import doctor

    found: list[doctor.Finding] = []
    for one in doctor.examine(send_test):
        found.append(one)
        if not as_json:
            click.echo(f"{_MARKS[one.status]}  {one.name}: {one.message}")
            if one.advice:
                click.echo(f"         {one.advice}")
    if as_json:
        click.echo(json.dumps(doctor.as_data(found), indent=1))
    context.exit(0 if doctor.is_well(found) else NO)
