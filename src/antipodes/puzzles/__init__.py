"""Puzzles: positions in which exactly one move wins, with proofs.

:mod:`antipodes.puzzles.store` has the puzzles that come with the program,
:mod:`antipodes.puzzles.verification` checks their proofs without any search,
:mod:`antipodes.puzzles.play` judges the moves of a solver, and
:mod:`antipodes.puzzles.mining` makes new puzzles from games of the computer.
"""
