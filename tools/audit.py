"""Ask the Python Package Index whether what ``uv.lock`` names has known vulnerabilities.

It fails if one is found. Where no vulnerability database answers, it says that nothing was audited
and does not fail: a check that needs the network must not stop work without it. Some mirrors of the
index answer without any vulnerabilities, so a package that is known to have some is asked for too.
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

# No longer maintained and no dependency of ours; its vulnerabilities have been listed since 2017.
_KNOWN_BAD = ("pycrypto", "2.6.1")


def audit() -> list[dict[str, Any]] | str:
    """Return what was found for each dependency, or why nobody could be asked."""
    here = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        export = [str(here / _EXPORT[0]), *_EXPORT[1:], "--no-hashes", "--output-file", str(file)]
        subprocess.run(export, check=True, capture_output=True)  # noqa: S603 - our own words
        with file.open("a", encoding="utf-8") as requirements:
            requirements.write("==".join(_KNOWN_BAD) + "\n")
        command = [str(here / _AUDIT[0]), *_AUDIT[1:], "--requirement", str(file)]
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                command, capture_output=True, text=True, timeout=_PATIENCE, check=False
            )
        except subprocess.TimeoutExpired:
            return f"no answer in {_PATIENCE} s"
        except FileNotFoundError:
            return "pip-audit is not installed; run make setup"
    try:
        found: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no answer"
    return found


def report(found: list[dict[str, Any]] | str) -> int:
    """Print what was found; return the exit status."""
    if isinstance(found, str):
        return _not_audited(found)
    is_asked = any(one["name"] == _KNOWN_BAD[0] and one.get("vulns") for one in found)
    found = [one for one in found if one["name"] != _KNOWN_BAD[0]]
    asked = [one for one in found if "vulns" in one]
    unknown = len(found) - len(asked)
    if not asked:
        return _not_audited(f"the index tells nothing of {unknown} dependencies")
    if not is_asked and not any(one["vulns"] for one in asked):
        return _not_audited("the index lists no vulnerabilities, not even known ones")
    bad = [one for one in asked if one["vulns"]]
    for one in bad:
        for flaw in one["vulns"]:
            fixed = ", ".join(flaw.get("fix_versions", [])) or "none yet"
            print(f"    {one['name']} {one['version']}: {flaw['id']}, fixed in {fixed}")
    told = f", {unknown} unknown to the index" if unknown else ""
    print(f"    {len(asked)} dependencies audited{told}: {len(bad)} with known vulnerabilities")
    return 1 if bad else 0


def _not_audited(reason: str) -> int:
    print(f"    NOT AUDITED: {reason}.")
    print("    Vulnerabilities may be there; run tools/audit.py where pypi.org answers.")
    return 0


if __name__ == "__main__":
    sys.exit(report(audit()))
