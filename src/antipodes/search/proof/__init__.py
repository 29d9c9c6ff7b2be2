"""Proof search for the placement games: who wins, by which moves, and why.

A position is a Shannon switching game on vertices: contract Black's stones, delete White's; Black
joins two terminals, White keeps them apart. The solver is a depth-first proof-number search on
positions reduced in this way. What it finds is written down as a proof that
:mod:`antipodes.search.proof.checker` verifies without any help from the solver.
"""
