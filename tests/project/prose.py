"""Rules for plain English in code, templates and docs.

Run as a module, it lists every finding below the given paths:

    python -m tests.project.prose src/antipodes/mail
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

FOLDERS = ("src", "docs", "tests", "tools", "bench", "deploy", ".github")
SUFFIXES = {".py", ".md", ".html", ".js", ".ts", ".css", ".tcss", ".txt", ".toml", ".yaml", ".yml"}
SUFFIXES |= {".cf", ".conf", ".cff", ".example", ".service"}
NAMES = {"Makefile", "Dockerfile", "Caddyfile"}
# Built files, catalogues written by `make messages`, data, quoted texts, and these rules.
SKIPPED = re.compile(
    r"^docs/_build/|__pycache__|/migrations/|/static/antipodes/languages/|/confusables\.txt$|/fonts/OFL-"
    r"|^tests/(?:data|golden|perft)/|^tests/project/(?:test_)?prose"
)

_PEOPLE = "name them: player, opponent, spectator, account, client, host, worker"
_TERM = "a metaphor: use the field's term, such as"
_ACTION = "name the action: runs, checks, recovers"

# Words with advice. Plurals count too, and words in names, such as ``test_nobody_waits``.
WORDS = {
    "whoever": _PEOPLE,
    "nobody": _PEOPLE,
    "somebody": _PEOPLE,
    "someone": _PEOPLE,
    "no one": _PEOPLE,
    "door": f"{_TERM} auth, membership, transport",
    "desk": f"{_TERM} commands, handler, session",
    "slip": f"{_TERM} confirmation",
    "nag": f"{_TERM} reminder",
    "wishes": f"{_TERM} options, preferences",
    "mailroom": f"{_TERM} e-mail play, inbound mail",
    "farewell": f"{_TERM} account deletion",
    "fare well": f"{_TERM} account deletion",
    "happening": f"{_TERM} event",
    "lookout": f"{_TERM} resync",
    "grove": f"{_TERM} tree",
    "shall": "say must, should, can, or use the imperative",
    "anew": "say again",
    "once more": "say again",
    "again and again": "say repeatedly, or how often",
    "look after": _ACTION,
    "looks after": _ACTION,
    "looked after": _ACTION,
    "looking after": _ACTION,
    "wait for what": "name the event or the result",
    "waits for what": "name the event or the result",
}
_WORDS = {word: re.compile(rf"(?<![a-z]){word}s?(?![a-z])") for word in WORDS}

_DOCSTRING = re.compile(r'"""What\b[^?\n]*$', re.MULTILINE)
_NOUN_FIRST = "begin a docstring with a noun phrase or an imperative"

# "What is left out ..." as a subject: at the beginning of a clause, and not in a question.
_VERBS = "is|are|was|were|has|have|had|can|cannot|may|must|goes|comes|belongs|stays|does"
_SUBJECT = re.compile(rf"[Ww]hat (?:{_VERBS})\b[^.?!;:\n]*(?:[.!;:\n]|$)")
_CLAUSE_BEGINS = re.compile(r"""(?:[.;:!] |# |// |\* |> |[>}'"]|^\s*)$""")
_NO_NOUN = "name the subject: the field's noun in place of 'what is ...'"

# Exceptions by file: a line is not checked if it contains one of these texts.
ALLOWED: dict[str, tuple[str, ...]] = {
    "src/antipodes/web/accounts/usernames.py": ('"nobody"',),  # a reserved username
}
# Public names of the API, which clients depend on: paths, fields, operation ids and error codes.
PUBLIC_NAMES = (
    *("/door", '"door"', "`door`", "door=_pending", "list_door", "send_from_door"),
    "people/nobody",  # error code of a challenge without an opponent
)
_PUBLIC_NAMES = re.compile("|".join(map(re.escape, PUBLIC_NAMES)))


class Finding(NamedTuple):
    """A violation of a rule."""

    path: str
    line: int
    words: str
    advice: str

    def __str__(self) -> str:
        """Return the finding in a format that editors link."""
        return f"{self.path}:{self.line}: {self.words!r}: {self.advice}"


def _marks(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield offset, words and advice of each violation."""
    lower = _PUBLIC_NAMES.sub(lambda match: "-" * len(match[0]), text.lower())
    for word, advice in WORDS.items():
        if word in lower:  # much faster than the regular expression
            for match in _WORDS[word].finditer(lower):
                yield match.start(), match[0], advice
    for match in _DOCSTRING.finditer(text):
        yield match.start(), match[0].strip('"'), _NOUN_FIRST
    for match in _SUBJECT.finditer(text):
        line = text.rfind("\n", 0, match.start()) + 1
        before = text[line : match.start()]
        if _CLAUSE_BEGINS.search(before) and not before.endswith('"""'):
            yield match.start(), match[0].strip(), _NO_NOUN


def findings(path: str, text: str) -> list[Finding]:
    """Return the violations in a file, in the order of lines."""
    lines = text.split("\n")
    allowed = ALLOWED.get(path, ())
    found = []
    for offset, words, advice in sorted(_marks(text)):
        number = text.count("\n", 0, offset) + 1
        if not any(part in lines[number - 1] for part in allowed):
            found.append(Finding(path, number, words, advice))
    return found


def texts() -> Iterator[tuple[str, str]]:
    """Yield path and text of every file with prose, sorted by path."""
    paths = list(ROOT.iterdir())
    for folder in FOLDERS:
        paths += (ROOT / folder).rglob("*")
    for path in sorted(paths):
        if path.suffix in SUFFIXES or path.name in NAMES:
            name = path.relative_to(ROOT).as_posix()
            if not SKIPPED.search(name):
                yield name, path.read_text(encoding="utf-8")


def all_findings() -> dict[str, list[Finding]]:
    """Return the findings of each file that has any."""
    found = {path: findings(path, text) for path, text in texts()}
    return {path: several for path, several in found.items() if several}


def main(arguments: list[str]) -> None:
    """List findings below the given paths."""
    listed = [
        finding
        for path, several in all_findings().items()
        if not arguments or path.startswith(tuple(arguments))
        for finding in several
    ]
    print(*listed, sep="\n")
    print(f"{len(listed)} findings in {len({finding.path for finding in listed})} files")


if __name__ == "__main__":
    main(sys.argv[1:])
