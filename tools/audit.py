"""Look up known vulnerabilities of the dependencies in ``uv.lock`` in the Python Package Index.

The check fails if there is one. If no vulnerability database responds, it reports that nothing was
audited and passes: a check that needs the network must not block work offline. Some mirrors of the
index list no vulnerabilities at all, so the check also queries a package that certainly has some.
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
_TIMEOUT = 120  # seconds

# Unmaintained and not a dependency of ours; its vulnerabilities have been listed since 2017.
_KNOWN_BAD = ("pycrypto", "2.6.1")


def audit() -> list[dict[str, Any]] | str:
    """Return the result for each dependency, or the reason why there is none."""
    here = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requirements.txt"
        export = [str(here / _EXPORT[0]), *_EXPORT[1:], "--no-hashes", "--output-file", str(file)]
        subprocess.run(export, check=True, capture_output=True)  # noqa: S603 - constant arguments
        with file.open("a", encoding="utf-8") as requirements:
            requirements.write("==".join(_KNOWN_BAD) + "\n")
        command = [str(here / _AUDIT[0]), *_AUDIT[1:], "--requirement", str(file)]
        try:
            done = subprocess.run(  # noqa: S603 - constant arguments
                command, capture_output=True, text=True, timeout=_TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            return f"no response in {_TIMEOUT} s"
        except FileNotFoundError:
            return "pip-audit is not installed; run make setup"
    try:
        dependencies: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no response"
    return dependencies


def report(results: list[dict[str, Any]] | str) -> int:
    """Print the results; return the exit status."""
    if isinstance(results, str):
        return _not_audited(results)
    has_data = any(each["name"] == _KNOWN_BAD[0] and each.get("vulns") for each in results)
    results = [each for each in results if each["name"] != _KNOWN_BAD[0]]
    audited = [each for each in results if "vulns" in each]
    unknown = len(results) - len(audited)
    if not audited:
        return _not_audited(f"the index has no data on {unknown} dependencies")
    if not has_data and not any(each["vulns"] for each in audited):
        return _not_audited("the index lists no vulnerabilities, not even known ones")
    bad = [each for each in audited if each["vulns"]]
    for each in bad:
        for flaw in each["vulns"]:
            fixed = ", ".join(flaw.get("fix_versions", [])) or "none yet"
            print(f"    {each['name']} {each['version']}: {flaw['id']}, fixed in {fixed}")
    also = f", {unknown} unknown to the index" if unknown else ""
    print(f"    {len(audited)} dependencies audited{also}: {len(bad)} with known vulnerabilities")
    return 1 if bad else 0


def _not_audited(reason: str) -> int:
    print(f"    NOT AUDITED: {reason}.")
    print("    There may be vulnerabilities; run tools/audit.py where pypi.org is reachable.")
    return 0


if __name__ == "__main__":
    sys.exit(report(audit()))
