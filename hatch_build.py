"""Build hook: installations get compiled catalogues of translations, wheels also the kernels."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from runpy import run_path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompilingHook(BuildHookInterface[Any]):
    """Compiles the catalogues before a build, and the kernels into a wheel."""

    _folder: TemporaryDirectory[str] | None = None

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what is missing or has changed.

        A wheel has the engine of pages, and native kernels for this machine or for the system that
        ``ANTIPODES_SYSTEM`` names. A machine that is not known there gets a wheel without these.
        """
        run_path(str(Path(self.root, "tools/catalogues.py")))["compile_catalogues"]()
        if self.target_name != "wheel" or version == "editable":
            return
        sys.path[:0] = [self.root, str(Path(self.root, "src"))]
        from tools.compiler import native, wasm  # noqa: PLC0415

        self._folder = TemporaryDirectory()
        for path in wasm.build(Path(self._folder.name)):
            place = wasm.STATIC.relative_to(Path(self.root, "src"))
            build_data["force_include"][str(path)] = str(place / path.name)
        system = os.environ.get("ANTIPODES_SYSTEM") or native.this_system()
        if system is None:
            return
        built = Path(self._folder.name, "_kernels.pyd" if "win" in system else "_kernels.abi3.so")
        native.build(system, built)
        build_data["force_include"][str(built)] = f"antipodes/{built.name}"
        build_data["tag"] = f"cp311-abi3-{system}"
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was built for the wheel."""
        if self._folder is not None:
            self._folder.cleanup()
