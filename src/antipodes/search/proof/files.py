"""Proof files: a position, who wins it, and the lines that the checker follows."""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InputError
from antipodes.games.placement import PlacementPosition, is_connection_game
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.search.proof.checker import Claim, ProofBoard, ProofError, Statement, check
from antipodes.search.proof.derivations import ProofDraft

FORMAT = "antipodes-proof"
VERSION = 1

_XZ = b"\xfd7zXZ\0"  # the first bytes of a compressed file
_MOST_BYTES = 1 << 30

AnyPosition = PlacementPosition[Any]


@dataclass(frozen=True)
class Proof:
    """The contents of a proof file.

    Attributes:
        position: the position.
        winner: the colour that wins it.
        lines: of the proof; see :mod:`antipodes.search.proof.checker`.
    """

    position: AnyPosition
    winner: Color
    lines: Sequence[Any]

    def verify(self) -> Statement:
        """Check the proof and return its last statement.

        Raises:
            ProofError: the proof is wrong; names the first wrong line.
        """
        position = self.position
        name = position.game.topology.name
        stones = {name(cell): color.value for cell, color in position.stones().items()}
        board = ProofBoard(position.game.topology, self.winner.value)
        claim = Claim(board, stones, self.winner.value, position.to_move.value)
        return check(claim, self.lines)

    def text(self) -> str:
        """Return the file as text: JSON, with each line of the proof on a line of its own."""
        game = self.position.game
        setup = self.position.to_setup()
        stones: dict[str, Any] = {"stones": dict(setup.stones), "to_move": setup.to_move}
        for flag in ("swapped", "composed"):
            if getattr(setup, flag):
                stones[flag] = True
        head = {
            "format": FORMAT,
            "version": VERSION,
            "game": game.id,
            "rules_version": game.rules_version,
            "options": game.options.as_dict(),
            "position": stones,
            "winner": self.winner.value,
        }
        rows = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        lines = ",\n".join(f"    {json.dumps(line)}" for line in self.lines)
        return "{\n" + ",\n".join(rows) + f',\n  "lines": [\n{lines}\n  ]\n}}\n'

    def compressed(self) -> bytes:
        """Return the file compressed by xz, which :func:`read_proof` reads too."""
        return lzma.compress(self.text().encode())


def merge_proofs(position: AnyPosition, proofs: Mapping[Move, Proof]) -> Proof:
    """Return a proof of a position from proofs of the positions after some of its moves.

    If the winner is to move, one proof is needed. Otherwise there must be proofs for enough moves:
    no point may be in the carriers of all. Lines that several proofs share are written once.

    Raises:
        ProofError: the proofs have different winners, or do not prove the position.
    """
    winners = {proof.winner for proof in proofs.values()}
    if len(winners) != 1:
        raise ProofError("the proofs must be about one winner")
    winner = winners.pop()
    draft = ProofDraft(ProofBoard(position.game.topology, winner.value))
    last = [draft.add_all(proof.lines) for proof in proofs.values()]
    if position.to_move is winner:
        move = next(iter(proofs))
        number = draft.play(position.game.topology.name(move), last[0])
    else:
        number = draft.either(last)
    merged = Proof(position, winner, draft.needed_by(number))
    merged.verify()
    return merged


def read_proof(text: str | bytes) -> Proof:
    """Read a proof file without verifying its lines; see :meth:`Proof.verify`.

    Args:
        text: the file, as bytes also if it is compressed by xz.

    Raises:
        InputError: the text is not a proof file, or its position is not one of the game.
    """
    try:
        data = json.loads(_unpacked(text) if isinstance(text, bytes) else text)
    except (ValueError, RecursionError, lzma.LZMAError):
        raise _fault("this is not JSON, so it is not a proof") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _fault(f'this has no "format": "{FORMAT}", so it is not a proof')
    if data.get("version") != VERSION:
        shown = shorten(repr(data.get("version")))
        raise _fault(f"version {shown} of proofs is unknown here; {VERSION} is known", "version")
    options, lines = data.get("options", {}), data.get("lines")
    if not isinstance(options, dict) or not isinstance(lines, list):
        raise _fault("options must be an object, and lines a list")
    game = make_game(str(data.get("game")), options)
    if not is_connection_game(game):
        raise _fault(f"there are no proofs for {game.title}", "game")
    if data.get("rules_version") != game.rules_version:
        raise _fault(f"the proof is for other rules of {game.title}", "rules_version")
    position = game.position(_setup(data.get("position")))
    return Proof(position, _color(data.get("winner")), lines)


def _unpacked(data: bytes) -> bytes:
    """Return data, decompressed if it is compressed.

    Raises:
        ValueError: it is longer than proofs are.
    """
    if not data.startswith(_XZ):
        return data
    reader = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    text = reader.decompress(data, _MOST_BYTES)
    if not reader.eof:
        raise ValueError("cut off, or too long")
    return text


def _setup(data: Any) -> Setup:
    if not isinstance(data, dict) or not isinstance(data.get("stones"), dict):
        raise _fault("position must be an object with stones", "position")
    return Setup(
        stones=tuple(data["stones"].items()),
        to_move=data.get("to_move"),
        swapped=data.get("swapped", False),
        composed=data.get("composed", False),
    )


def _color(name: Any) -> Color:
    if name not in ("black", "white"):
        raise _fault(f"winner is {shorten(repr(name))}, but must be black or white", "winner")
    return Color(name)


def _fault(message: str, where: str = "") -> InputError:
    return InputError([Fault("proof/malformed", message, where)])
