"""Records of games: trees of moves with comments, names and results, and the formats they have.

A text is read in three steps, each usable by itself: a grammar turns it into data, a reader turns
data into a draft (moves as text, nothing checked), and ``draft.replay`` plays the draft through by
the rules and makes a ``Record``, which never holds an illegal move.
"""

from antipodes.records.files import load, save
from antipodes.records.formats import (
    KINDS,
    read_leniently,
    read_record,
    recognise,
    record_titles,
    write_record,
)
from antipodes.records.hexworld import (
    from_hexworld,
    from_hexworld_leniently,
    hexworld_losses,
    to_hexworld,
)
from antipodes.records.json_format import from_json, from_json_leniently, to_json
from antipodes.records.record import Record
from antipodes.records.result import Reason, Result
from antipodes.records.sgf import from_sgf, from_sgf_leniently, to_sgf
from antipodes.records.tree import Mark, Node

__all__ = [
    "KINDS",
    "Mark",
    "Node",
    "Reason",
    "Record",
    "Result",
    "from_hexworld",
    "from_hexworld_leniently",
    "from_json",
    "from_json_leniently",
    "from_sgf",
    "from_sgf_leniently",
    "hexworld_losses",
    "load",
    "read_leniently",
    "read_record",
    "recognise",
    "record_titles",
    "save",
    "to_hexworld",
    "to_json",
    "to_sgf",
    "write_record",
]
