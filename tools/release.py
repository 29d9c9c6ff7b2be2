"""Give the project a new version number, as ``make release VERSION=1.0.0`` does.

The number and the day are written wherever they stand, the changelog's unreleased changes become
those of the release, and ``tests/upgrades`` stores the database of the release. Nothing is
committed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_HEADING = "## [Unreleased]\n"
# Where the number stands: the file, and the text before and after it.
_PLACES = (
    ("pyproject.toml", '\nname = "antipodes"\nversion = "', '"\n'),
    ("src/antipodes/__init__.py", '\n__version__ = "', '"\n'),
    ("CITATION.cff", "\nversion: ", "\n"),
    ("uv.lock", '\nname = "antipodes"\nversion = "', '"\n'),
)


class ReleaseError(Exception):
    """A reason why the project cannot get this version."""


def release(root: Path, version: str, day: date) -> None:
    """Write a version and its day to the files below ``root``.

    Raises:
        ReleaseError: if it is no version above the present one, if nothing is unreleased, or if a
            file does not name the version where it should; then no file is changed.
    """
    if not _NUMBER.fullmatch(version):
        raise ReleaseError(f"not a version such as 1.0.0: {version!r}")
    texts = {path: (root / path).read_text(encoding="utf-8") for path, _, _ in _PLACES}
    for path, before, after in _PLACES:
        place = re.compile(re.escape(before) + rf"({_NUMBER.pattern})" + re.escape(after))
        present = place.search(texts[path])
        if present is None:
            raise ReleaseError(f"{path} does not name the version where it should")
        if _parts(version) <= _parts(present[1]):
            raise ReleaseError(f"{version} is not above {present[1]}, the version in {path}")
        texts[path] = place.sub(f"{before}{version}{after}", texts[path], count=1)
    texts["CITATION.cff"] = _with_day(texts["CITATION.cff"], day)
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    texts["CHANGELOG.md"] = _with_release(changelog, version, day)
    for path, text in texts.items():
        (root / path).write_text(text, encoding="utf-8")


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _with_day(citation: str, day: date) -> str:
    """Return CITATION.cff with the day of the release after the version."""
    without = re.sub(r"^date-released: .*\n", "", citation, flags=re.MULTILINE)
    return re.sub(r"^(version: .*\n)", rf"\g<1>date-released: {day}\n", without, flags=re.MULTILINE)


def _with_release(changelog: str, version: str, day: date) -> str:
    """Return the changelog in which what is unreleased belongs to the release."""
    before, heading, after = changelog.partition(_HEADING)
    if not heading or not after.partition("\n## [")[0].strip():
        raise ReleaseError("CHANGELOG.md has no unreleased changes")
    return f"{before}{_HEADING}\n## [{version}] - {day}\n{after}"


def main(arguments: list[str]) -> int:
    """Release the version that is the only argument; return the exit status."""
    try:
        release(ROOT, " ".join(arguments), datetime.now(UTC).date())
    except ReleaseError as error:
        print(f"make release VERSION=1.0.0: {error}", file=sys.stderr)
        return 2
    # In a process that reads the new number.
    command = [sys.executable, "-m", "tests.upgrades.make"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603 - constant


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
