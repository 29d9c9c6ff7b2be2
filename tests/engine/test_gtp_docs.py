"""The reference page and the engine name the same commands."""

import re
from pathlib import Path

from antipodes.engine.commands import COMMANDS

PAGE = Path(__file__).resolve().parents[2] / "docs/gtp.md"


def test_the_table_has_every_command_with_its_arguments_and_no_other():
    text = PAGE.read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
    commands = [usage for usage in documented if usage.split(" ")[0] in COMMANDS]
    assert sorted(commands) == sorted(command.usage for command in COMMANDS.values())
    assert documented == commands
