"""``antipodes lab``: experiments of many games."""

from __future__ import annotations

import click

from antipodes.cli.balance_commands import balance_command, fair_command
from antipodes.cli.experiment_commands import (
    merge_command,
    records_command,
    resume_command,
    run_command,
    status_command,
)
from antipodes.cli.openings_command import openings_command
from antipodes.cli.report_command import report_command


@click.group("lab")
def lab_command() -> None:
    """Answer questions about the games with experiments of many games."""


for _command in (
    run_command,
    resume_command,
    status_command,
    report_command,
    merge_command,
    records_command,
    balance_command,
    fair_command,
    openings_command,
):
    lab_command.add_command(_command)
