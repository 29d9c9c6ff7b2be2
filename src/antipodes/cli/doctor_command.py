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

    findings: list[doctor.Finding] = []
    for finding in doctor.examine(send_test):
        findings.append(finding)
        if not as_json:
            click.echo(f"{_MARKS[finding.status]}  {finding.name}: {finding.message}")
            if finding.advice:
                click.echo(f"         {finding.advice}")
    if as_json:
        click.echo(json.dumps(doctor.as_data(findings), indent=1))
    context.exit(0 if doctor.is_well(findings) else NO)
