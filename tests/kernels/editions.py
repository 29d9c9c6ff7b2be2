"""All kernels of a module in the edition that is in use."""

from collections.abc import Callable
from types import ModuleType

from antipodes.games.kernels import edition
from antipodes.games.kernels.registry import KERNELS


def editions(module: ModuleType) -> dict[str, Callable[..., int]]:
    """Return the kernels of a module by name, those without kernels as arguments."""
    return {name: edition(module, name) for name in KERNELS[module.__name__]}
