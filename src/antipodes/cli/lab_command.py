"""``antipodes lab``: experiments of many games."""

from __future__ import annotations

import click

from antipodes.cli.balance_commands import balance_command, fair_command


@click.group("lab")
def lab_command() -> None:
    """Answer questions about the games with experiments of many games."""


lab_command.add_command(balance_command)
lab_command.add_command(fair_command)
