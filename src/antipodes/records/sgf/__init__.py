"""SGF records: trees that many programs read. Hex is GM[11]; the other games use GM[0].

``tokens`` cuts text into its parts, ``grammar`` turns bytes into nodes with properties and back,
``names`` says which property means what, ``reading`` and ``writing`` do the rest.
"""

from antipodes.records.sgf.reading import from_sgf, from_sgf_leniently, titles_in_sgf
from antipodes.records.sgf.writing import to_sgf

__all__ = ["from_sgf", "from_sgf_leniently", "titles_in_sgf", "to_sgf"]
