"""Hex records of Little Golem, which has a form of SGF of its own, put into the usual form.

Its files have no ``GM``. The player named by ``PB`` begins and joins top and bottom, and ``RE``
names the winner by that; but the moves of this player are ``W`` and those of the other one ``B``.
Points are two letters, column and row, from ``aa`` in the corner that is called a1 here. A swap
turns the first stone into a mirrored one of the other colour, and a resignation stands as the last
move.
"""

from __future__ import annotations

import re

from antipodes.games.hex import Hex
from antipodes.records.sgf import names
from antipodes.records.sgf.grammar import Properties, SgfNode

_POINT = re.compile("[a-z]{2}")
_SITE = re.compile(r"little-?golem\.", re.IGNORECASE)
_OF_GO = frozenset({"KM", "HA", "AB", "AW"})
_WORDS = {"swap": "swap-pieces"}
_NO_EVENT = "null"  # written for games outside of tournaments


def put_into_usual_form(tree: SgfNode) -> None:
    """Change a tree from Little Golem into one as other programs write it; leave others alone.

    Programs that have converted such a file say ``GM[11]``, and may have kept the letters of both.
    """
    is_numbered = (
        tree.properties.get("GM") == [Hex.sgf_number] and names.GAME not in tree.properties
    )
    if not _is_hex_of_little_golem(tree) and not (is_numbered and _begins(tree, "BW")):
        return
    letters = "WB" if not is_numbered or _begins(tree, "W") else "BW"
    tree.properties["GM"] = [Hex.sgf_number]
    if _one(tree.properties, "EV") == _NO_EVENT:
        del tree.properties["EV"]
    for node in tree.walk():
        moves = {
            other: [_usual(value) for value in node.properties.pop(letter)]
            for letter, other in zip("BW", letters, strict=True)
            if letter in node.properties
        }
        node.properties.update(moves)


def _is_hex_of_little_golem(tree: SgfNode) -> bool:
    head = tree.properties
    if "GM" in head or names.GAME in head:
        return False
    if _one(head, "EV").lower().startswith("hex."):
        return True
    # Outside of tournaments no file names its game; in the other games with points of two letters
    # the first move is black, or there is a komi or a handicap.
    return (
        _begins(tree, "W")
        and _SITE.search(_one(head, "SO")) is not None
        and not _OF_GO & head.keys()
    )


def _begins(tree: SgfNode, letters: str) -> bool:
    """Return whether the first move is one of these letters', at a point of two letters."""
    first = tree.children[0].properties if tree.children else {}
    return any(_POINT.fullmatch(_one(first, letter).lower()) for letter in letters)


def _one(properties: Properties, name: str) -> str:
    return next(iter(properties.get(name, ())), "").strip()


def _usual(value: str) -> str:
    """Return a move as other programs write it."""
    word = value.strip().lower()
    if _POINT.fullmatch(word):
        return f"{word[0]}{ord(word[1]) - ord('a') + 1}"
    return _WORDS.get(word, value)
