"""Words of commands: games, boards, tokens, moves, options, subjects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from antipodes.games.registry import game_class, game_ids
from antipodes.mail.commands import VERBS
from antipodes.notation.text import clean

TOKEN = re.compile(r"\bmt-[a-z0-9]{20,60}\b", re.IGNORECASE)
"""Form of a mail token, also of one with mistakes; no userid is as long."""

USERID = re.compile(r"[a-z][a-z0-9_-]{1,30}", re.IGNORECASE)
"""Form of the name of an account."""

BLOT = "***"
"""Replacement of a secret."""

_BOARD = re.compile(r"#?(\d{1,9})(?:#(\d{1,5}))?")
_POINT = r"\*?[a-z]{1,2}\d{1,2}\*?"
_MOVE = re.compile(rf"{_POINT}(?:-{_POINT})?\+?[!?]*(?:#\d{{1,5}})?", re.IGNORECASE)
_POINT_ALONE = re.compile(r"[a-z]{1,2}\d{1,2}", re.IGNORECASE)
_ROD_END = re.compile(_POINT, re.IGNORECASE)
_MOVE_PLY = re.compile(r"(.*)#(\d{1,5})")
_MOVE_NUMBER = re.compile(r"^\d{1,3}\.(?:\.\.)?(?=[a-z*]|$)", re.IGNORECASE)
_OPTION = re.compile(r"--?([a-z][a-z0-9_-]{0,40})(?:=(.*))?", re.IGNORECASE)
_NUMBER_OR_TIME = re.compile(r"\d{1,5}[dh]?", re.IGNORECASE)
_ENDING = ",;.!"
# A text with more secrets is left out completely.
_MOST_SECRETS = 30

# "Re:", "AW:", "Fwd[2]:", "回复：" and similar prefixes; and tags that company servers add.
_PREFIX = re.compile(
    r"(?:([^\W\d_]{1,7})\s?(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s?[:：]|\[[^\[\]]{1,40}\])\s*"
)
_SUFFIX = re.compile(r"(?:\s\*{2,}|\s\((?:fwd|fw)\))$", re.IGNORECASE)
_REPLY_ADDRESS = re.compile(r"(?<=\+)[a-z2-7]{20,80}(?=@)", re.IGNORECASE)

OLD_OPTIONS = {("antipod", "radius"): "side"}
"""Names that the classic server had for an option: game and name there, and the name here."""


def bare_subject(subject: str) -> str:
    """Return a Subject without the prefixes and suffixes that mail programs add."""
    text = clean(subject)
    while found := _PREFIX.match(text):
        if (found[1] or "").lower() in VERBS:
            break
        text = text[found.end() :]
    while found := _SUFFIX.search(text):
        text = text[: found.start()]
    return text


def split_words(line: str) -> tuple[list[str], list[str]]:
    """Return the words of a line without punctuation, and as written."""
    written = [word for word in line.split() if clean(word)]
    return [_unwrapped(clean(word)) for word in written], written


def _unwrapped(word: str) -> str:
    """Return a word without brackets copied from a usage line."""
    return word[1:-1] if len(word) > 2 and word[0] == "<" and word[-1] == ">" else word


def take_game(words: list[str]) -> tuple[str, list[str]]:
    """Return the id of the game that words begin with, else an empty text, and the rest."""
    games = {game_id.replace("-", ""): game_id for game_id in game_ids()}
    for count in (1, 2):
        name = "".join(words[:count]).lower().replace("-", "").replace("_", "")
        if len(words) >= count and name in games:
            return games[name], words[count:]
    return "", words


def take_verb(words: list[str]) -> tuple[str, list[str]]:
    """Return the name of a command that words begin with, or an empty text, and the rest."""
    for count in (2, 1):
        name = " ".join(words[:count]).lower().rstrip(":!?.,")
        if len(words) >= count and name in VERBS:
            return name, words[count:]
    return "", words


def read_board(word: str) -> tuple[int, int | None] | None:
    """Read ``101`` or ``101#5`` as a board and perhaps a ply; ``None`` if it is neither."""
    found = _BOARD.fullmatch(word.rstrip(",;:"))
    if found is None or not found[0].isascii():
        return None
    return int(found[1]), int(found[2]) if found[2] else None


def is_token(word: str) -> bool:
    """Return whether a word looks like a mail token."""
    return TOKEN.fullmatch(word) is not None


def is_move(word: str) -> bool:
    """Return whether a word looks like a move of one of the games."""
    return _MOVE.fullmatch(word) is not None


def read_moves(words: Sequence[str]) -> tuple[tuple[str, ...], int | None]:
    """Return moves and, if given, the ply of the first one.

    Accepts ``b2 - c3``, ``B4 *``, ``12. a4``, ``a4,`` and ``a4#12``, as people write them.
    """
    moves: list[str] = []
    ply = None
    is_open = False
    for word in words:
        text = _MOVE_NUMBER.sub("", word).rstrip(_ENDING)
        marked = _MOVE_PLY.fullmatch(text)
        if marked:
            ply = int(marked[2]) if ply is None else ply
            text = marked[1]
        if not text:
            continue
        if is_open or (moves and _goes_on(moves[-1], text)):
            moves[-1] += text
        else:
            moves.append(text)
        is_open = moves[-1] == "*" or moves[-1].endswith(("-", "-*"))
    return tuple(moves), ply


def _goes_on(before: str, text: str) -> bool:
    """Return whether a word continues the move before it: a dash, a far end, an asterisk."""
    if text == "*":
        return _POINT_ALONE.fullmatch(before.rpartition("-")[2]) is not None and before[0] != "*"
    if text[0] != "-" or not _ROD_END.fullmatch(before):
        return False
    return text == "-" or _ROD_END.fullmatch(text[1:]) is not None


def take_options(words: Sequence[str], game: str) -> tuple[list[str], dict[str, str], list[str]]:
    """Return the words without options, the options, and the names of duplicate options."""
    other_words: list[str] = []
    options: dict[str, str] = {}
    twice: list[str] = []
    for word in _with_values(words, game):
        option = _OPTION.fullmatch(word)
        if option is None:
            other_words.append(word)
            continue
        name = option[1].lower().replace("-", "_")
        name = OLD_OPTIONS.get((game, name), name)
        if name in options:
            twice.append(name)
        options[name] = "on" if option[2] is None else option[2].lower()
    return other_words, options, twice


def _with_values(words: Sequence[str], game: str) -> list[str]:
    """Join ``-side = 5``, ``-side =5``, ``-side= 5`` and ``-side 5``."""
    joined: list[str] = []
    for word in words:
        last = joined[-1] if joined else ""
        is_option = last.startswith("-")
        if is_option and ((word[0] == "=" and "=" not in last) or last.endswith("=")):
            joined[-1] += word
        elif is_option and "=" not in last and _is_value(word, last.lstrip("-"), game):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _is_value(word: str, option: str, game: str) -> bool:
    """Return whether a word after an option is its value: no userid begins with a digit."""
    if _NUMBER_OR_TIME.fullmatch(word):
        return True
    values = () if not game else _values_of(game).get(option.lower().replace("-", "_"), ())
    return word.lower() in values


@cache
def _values_of(game: str) -> dict[str, tuple[str, ...]]:
    """Return the words that the options of a game can be set to."""
    return {info.name: info.values for info in game_class(game).option_table()}


def blot(text: str, secrets: Sequence[str]) -> str:
    """Return a text with secrets, and everything that looks like a token, redacted."""
    words = sorted({word for word in secrets if word}, key=len, reverse=True)
    if len(words) > _MOST_SECRETS:
        return BLOT
    if words:
        either = "|".join(re.escape(word) for word in words)
        text = re.sub(rf"(?<![^\W_])(?:{either})(?![^\W_])", BLOT, text, flags=re.IGNORECASE)
    return _REPLY_ADDRESS.sub(BLOT, TOKEN.sub(BLOT, text))
