"""Hex records of HexGui, benzene and other programs, put into the usual form.

These programs set up stones in nodes after the root, let either colour begin, and call each swap
``swap-pieces`` or ``SWAP``: only the colour of the next move tells whether stones or sides were
exchanged. After an exchange of sides white moves again, since white is now the other player.
"""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.games.hex import Hex
from antipodes.records.sgf import names
from antipodes.records.sgf.grammar import SgfNode, write_text
from antipodes.records.sgf.heads import points_of

_SWAPS = frozenset({"swap", "swap-pieces", "swap-sides"})
_STONES = ("AB", "AW")


def put_into_usual_form(tree: SgfNode) -> None:
    """Change a tree of Hex into the form that we write; leave our own and other games alone."""
    head = tree.properties
    if head.get("GM") != [Hex.sgf_number] or names.GAME in head:
        return
    _gather_start(tree)
    _settle_turn(tree)
    for node in tree.walk():
        _name_swap(node)


def _gather_start(tree: SgfNode) -> None:
    """Move the stones of the nodes between the root and the first move to the root."""
    stones: dict[str, str] = {}
    for node in _before_moves(tree):
        for name in (*_STONES, "AE"):
            for value in node.properties.pop(name, ()):
                stones |= dict.fromkeys(points_of(value), name)
        tree.properties.update({"PL": node.properties.pop("PL")} if "PL" in node.properties else {})
    for name in _STONES:
        if points := [point for point, owner in stones.items() if owner == name]:
            tree.properties[name] = points


def _before_moves(tree: SgfNode) -> Iterator[SgfNode]:
    """Yield the root and the nodes after it as far as there are no moves and no branches."""
    node = tree
    while not _mover(node):
        yield node
        if len(node.children) != 1:
            return
        (node,) = node.children


def _settle_turn(tree: SgfNode) -> None:
    """Let the first move tell which colour begins."""
    last = tree
    for node in _before_moves(tree):
        last = node
    first = last if _mover(last) else next(iter(last.children), last)
    mover = _mover(first)
    has_stones = any(name in tree.properties for name in _STONES)
    if mover and (has_stones or "PL" in tree.properties or mover == "W"):
        tree.properties["PL"] = [mover]


def _name_swap(node: SgfNode) -> None:
    """Call a swap by what it exchanged, and note it where the file calls it otherwise."""
    mover = _mover(node)
    word = node.properties[mover][0].strip() if mover else ""
    after = _mover(node.children[0]) if node.children else ""
    if word.lower() not in _SWAPS or not after:
        return
    name = "swap-sides" if after == mover else "swap-pieces"
    node.properties[mover] = [name]
    if name != word.lower():
        exchanged = "sides" if name == "swap-sides" else "pieces"
        note = (
            f"The file calls this move {word}; the next move shows that {exchanged} were swapped."
        )
        node.properties["C"] = ["\n".join([*node.properties.get("C", ()), write_text(note)])]


def _mover(node: SgfNode) -> str:
    return next((letter for letter in "BW" if node.properties.get(letter)), "")
