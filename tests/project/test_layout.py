"""The project's own promises: sizes of files, versions that agree, targets that exist."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import antipodes

ROOT = Path(__file__).resolve().parents[2]
# Django writes migrations; they are looked at, not written.
SOURCES = sorted(p for p in (ROOT / "src").rglob("*.py") if "migrations" not in p.parts)
MAX_LINES = 550

TARGETS = (
    "help",
    "setup",
    "run",
    "test",
    "unit",
    "lint",
    "types",
    "docs",
    "bench",
    "fuzz",
    "strength",
    "clean",
)


def pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def split(need):
    """Return name and version of a dependency; extras of it are left out, as in the lock."""
    found = re.fullmatch(r"([a-z0-9-]+)(\[[\w,]+\])?(.*)", need)
    assert found
    return found[1], ",".join(sorted(found[3].split(","), reverse=True))


def relative(path):
    return path.relative_to(ROOT).as_posix()


def test_source_files_are_short():
    lengths = {relative(p): p.read_text(encoding="utf-8").count("\n") for p in SOURCES}
    too_long = {name: lines for name, lines in lengths.items() if lines > MAX_LINES}
    assert not too_long, f"more than {MAX_LINES} lines: split them"


def test_every_module_has_a_docstring():
    without = [
        relative(p)
        for p in SOURCES
        if ast.get_docstring(ast.parse(p.read_text(encoding="utf-8"))) is None
    ]
    assert not without


def test_every_folder_of_sources_is_a_package():
    folders = {path.parent for path in SOURCES}
    missing = [
        relative(f) for f in folders if f != ROOT / "src" and not (f / "__init__.py").exists()
    ]
    assert not missing


def test_the_package_is_typed():
    assert (ROOT / "src/antipodes/py.typed").exists()


def test_the_versions_agree():
    version = pyproject()["project"]["version"]
    assert antipodes.__version__ == version
    assert importlib.metadata.version("antipodes") == version


def test_the_changelog_tells_of_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.escape(pyproject()["project"]["version"])
    assert re.search(rf"^## \[{version}\]", changelog, re.MULTILINE)


def test_the_command_is_installed():
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="antipodes")
    assert callable(script.load())


def test_the_lock_names_public_hosts_alone():
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = set(re.findall(r"https?://([^/\"]+)", lock))
    assert hosts == {"pypi.org", "files.pythonhosted.org"}


def test_the_lock_is_up_to_date_with_the_dependencies():
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    (ours,) = (package for package in lock["package"] if package["name"] == "antipodes")
    needs = ours["metadata"]["requires-dist"]
    locked = {(need["name"], need.get("specifier", ""), need.get("marker", "")) for need in needs}
    project = pyproject()["project"]
    wanted = [(need, "") for need in project["dependencies"]]
    for extra, dependencies in project["optional-dependencies"].items():
        wanted += [(need, f"extra == '{extra}'") for need in dependencies]
    assert {(*split(need), marker) for need, marker in wanted} == locked


def test_make_lists_its_targets():
    listed = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert set(TARGETS) <= set(re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE))


def test_continuous_integration_can_be_started():
    script = ROOT / ".ci/run"
    assert script.stat().st_mode & 0o111
    assert "make test" in script.read_text(encoding="utf-8")


def test_numba_and_textual_are_imported_only_when_needed():
    """Both take most of a second; `antipodes --version` and shell completion must not pay it."""
    code = "import sys, antipodes, antipodes.cli; print(*{'numba', 'textual'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def imported(path):
    """Names of the modules that a file imports, at its top or inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_the_oracles_stand_apart():
    """The slow second versions of the rules see nothing of the library, nor numba."""
    forbidden = {"antipodes", "numba", "numpy"}
    for path in sorted((ROOT / "tests/oracles").rglob("*.py")):
        assert not forbidden & {name.partition(".")[0] for name in imported(path)}, relative(path)
