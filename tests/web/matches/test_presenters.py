"""Legal moves as data for boards."""

import itertools

import numpy as np

from antipodes.web.analysis.editor import judge, read_edited
from antipodes.web.matches import presenters


def test_moves_that_are_no_product_are_told_one_by_one():
    query = {"game": "antipalos", "size": "12", "phase": "2", "pieces": "0:white/,5:black/"}
    line = judge(*read_edited(query)).line
    assert line is not None
    position = line.position
    moves = position.legal_moves.array()
    product, rest = presenters._product(position, moves)
    assert product is not None
    told = {
        product["base"] + sum(step * by for step, by in zip(steps, product["strides"], strict=True))
        for steps in itertools.product(*product["steps"])
    }
    assert sorted(told | set(rest.tolist())) == sorted(moves.tolist())
    one = np.flatnonzero(~np.isin(moves, rest))[0]
    fewer = np.delete(moves, one)
    product, rest = presenters._product(position, fewer)
    assert product is None
    assert rest.tolist() == fewer.tolist()
