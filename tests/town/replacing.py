"""Replace parts of the loaded program, as if a fix had never been made."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def replace_everywhere(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Replace a function in all modules of the site that have imported it."""
    for module in list(sys.modules.values()):
        names = vars(module) if (module.__name__ or "").startswith("antipodes.") else {}
        for name in [name for name, value in names.items() if value is old]:
            names[name] = new


def in_tasks(old: Callable[[], Any], new: Callable[[], Any]) -> None:
    """Replace a periodic task."""
    from antipodes.web.project import wiring

    replace_everywhere(old, new)
    wiring.PERIODIC_TASKS = tuple(
        (seconds, new if task is old else task) for seconds, task in wiring.PERIODIC_TASKS
    )


def replace_methods(cls: type, **methods: object) -> None:
    """Replace attributes of a class."""
    for name, method in methods.items():
        setattr(cls, name, method)
