"""Ask the Python Package Index whether what ``uv.lock`` names has known vulnerabilities.

It fails if one is found. Where the index cannot be asked, that is said, and nothing fails: a check
that needs the network shall not keep anybody from working without it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

_EXPORT = ("uv", "export", "--quiet", "--frozen", "--all-extras", "--no-emit-project")
_AUDIT = (
    "pip-audit",
    "--disable-pip",
    "--no-deps",
    "--format",
    "json",
    "--progress-spinner",
    "off",
)
_PATIENCE = 120  # seconds


def audit() -> list[dict[str, Any]] | str:
    """Return what was found for each dependency, or why nobody could be asked."""
    here = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        export = [str(here / _EXPORT[0]), *_EXPORT[1:], "--no-hashes", "--output-file", str(file)]
        subprocess.run(export, check=True, capture_output=True)  # noqa: S603 - our own words
        command = [str(here / _AUDIT[0]), *_AUDIT[1:], "--requirement", str(file)]
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                command, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return f"no answer in {_PATIENCE} s"
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"
    return found


def report(found: list[dict[str, Any]] | str) -> int:
    """Print what was found; return the exit status."""
    if isinstance(found, str):
        print(f"    not audited: {found}")
        return 0
    asked = [one for one in found if "vulns" in one]
    unknown = len(found) - len(asked)
    if not asked:
        print(f"    not audited: the index tells nothing of {unknown} dependencies")
        return 0
    bad = [one for one in asked if one["vulns"]]
    for one in bad:
        for flaw in one["vulns"]:
            fixed = ", ".join(flaw.get("fix_versions", [])) or "none yet"
            print(f"    {one['name']} {one['version']}: {flaw['id']}, fixed in {fixed}")
    told = f", {unknown} unknown to the index" if unknown else ""
    print(f"    {len(asked)} dependencies audited{told}: {len(bad)} with known vulnerabilities")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(report(audit()))
