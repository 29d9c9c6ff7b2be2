"""Build hook: wheels and editable installations get compiled catalogues of translations."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueHook(BuildHookInterface[Any]):
    """Compiles the catalogues before a build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Compile the catalogues that are missing or have changed."""
        run_path(str(Path(self.root, "tools/catalogues.py")))["compile_catalogues"]()
