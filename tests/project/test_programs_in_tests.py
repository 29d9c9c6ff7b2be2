"""Programs that tests write as texts import what exists, also in suites that CI does not run."""

import ast
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
_IMPORT = re.compile(r"from (antipodes[\w.]*) import ([\w, ]+)")


def imports_in_texts():
    """Yield file, module and name of each import from the package in a string of a test."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                for module, names in _IMPORT.findall(node.value):
                    for name in names.split(","):
                        yield path.relative_to(ROOT), module, name.split(" as ")[0].strip()


def exists(module, name):
    if find_spec(module) is None:
        return False
    return hasattr(import_module(module), name) or find_spec(f"{module}.{name}") is not None


def test_programs_in_tests_import_what_exists():
    imports = list(imports_in_texts())
    assert imports
    assert [line for line in imports if not exists(line[1], line[2])] == []
