"""Check commit messages: ``area: imperative sentence`` in at most 72 characters, then a body.

python tools/commit_message.py FILE               for the git hook
python tools/commit_message.py --range A..B       every commit of a range
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

MAX_SUBJECT = 72

_SUBJECT = re.compile(r"(?P<area>[a-z][a-z0-9 /_.-]*): (?P<what>\S.*)")
# Subjects by git itself, and of commits to be squashed.
_BY_GIT = re.compile(r"(?:Merge |Revert \"|fixup! |squash! |amend! )")
_UNFINISHED = re.compile(r"\b(?:wip|todo|fixme|tmp|x+)\b", re.IGNORECASE)
_NOT_IMPERATIVE = re.compile(r"\w+(?:ing|ed|[^s]s)")
_IMPERATIVE = {"alias", "bias", "embed", "exceed", "feed", "focus", "need", "proceed", "seed"}
_IMPERATIVE |= {"bring", "ring", "shed", "speed", "string", "succeed", "swing", "wed", "always"}


def faults(message: str) -> list[str]:
    """Return the faults of a commit message, each with advice."""
    lines = [line for line in message.splitlines() if not line.startswith("#")]
    subject = lines[0] if lines else ""
    if _BY_GIT.match(subject):
        return []
    found = []
    match = _SUBJECT.fullmatch(subject)
    if match is None:
        found.append(f"{subject!r} has no area: write it as 'area: do this', such as 'docs: ...'")
    else:
        found += _faults_of_sentence(match["what"])
    if len(subject) > MAX_SUBJECT:
        found.append(f"the subject has {len(subject)} characters: use at most {MAX_SUBJECT}")
    if len(lines) > 1 and lines[1].strip():
        found.append("the second line is not empty: leave a blank line before the body")
    return found


def _faults_of_sentence(sentence: str) -> list[str]:
    found = []
    verb = sentence.split(maxsplit=1)[0].lower().strip(",;:")
    if _NOT_IMPERATIVE.fullmatch(verb) and verb not in _IMPERATIVE:
        found.append(f"{verb!r} is not imperative: write 'add', not 'added', 'adds' or 'adding'")
    if sentence.endswith("."):
        found.append("the subject ends with a full stop: leave it out")
    if _UNFINISHED.fullmatch(verb):
        found.append(f"{sentence!r} does not say what the commit does")
    return found


def _messages(span: str) -> dict[str, str]:
    """Return the messages of a range of commits by their short hashes."""
    command = ["git", "log", "--no-merges", "--format=%h%x00%B%x01", span]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 - git
    commits = [commit.strip() for commit in done.stdout.split("\x01")]
    return dict(commit.split("\x00", 1) for commit in commits if commit)


def main(arguments: list[str]) -> int:
    """Print the faults of the message in a file, or of a range of commits; return the status."""
    if arguments[:1] == ["--range"] and len(arguments) == 2:
        messages = _messages(arguments[1])
    elif len(arguments) == 1:
        messages = {"commit message": Path(arguments[0]).read_text(encoding="utf-8")}
    else:
        print(__doc__, file=sys.stderr)
        return 2
    found = [f"{name}: {fault}" for name in messages for fault in faults(messages[name])]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
