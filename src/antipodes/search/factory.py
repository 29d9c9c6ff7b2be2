"""The choice of the strongest search for each game."""

from __future__ import annotations

from antipodes.games.position import Position
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.interface import Search
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.tree import TreeSearch


def make_search(
    position: Position,
    *,
    seed: int = 1,
    memory: int = 256,
    threads: int = 1,
    knowledge: bool = True,
) -> Search:
    """Return the strongest search for a position.

    Args:
        position: the root; the game must not be over.
        seed: makes a search with one thread and a limit of visits reproducible.
        memory: bound of its tables in MiB.
        threads: of the search.
        knowledge: whether to use connections, proofs and other knowledge of the game.

    Raises:
        ValueError: the game is over.
    """
    if position.game.family == "antipode" and knowledge:
        return AlphaBetaSearch(position, seed=seed, memory=memory, threads=threads)
    if position.game.family == "antipalos" and knowledge:
        return AntipalosSearch(position, seed=seed, memory=memory, threads=threads)
    source = solver_knowledge(position) if knowledge else None
    return TreeSearch(position, seed=seed, memory=memory, threads=threads, knowledge=source)
