"""The command line: thin commands that read arguments, call the library and print.

Only Click is imported to begin with; each command imports what it needs when it runs, so that help
and shell completion answer at once.
"""

from __future__ import annotations

from antipodes.cli.app import cli, main

__all__ = ["cli", "main"]
