"""Which search is the strongest for which game."""

from __future__ import annotations

from antipodes.games.position import Position
from antipodes.search.antipalos import AntipalosSearch
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.proof.advisor import solving_advisor
from antipodes.search.thinking import Search
from antipodes.search.tree import TreeSearch


def make_search(
    position: Position,
    *,
    seed: int = 1,
    memory: int = 256,
    threads: int = 1,
    knowledge: bool = True,
) -> Search:
    """Return the strongest search that there is for a position.

    Args:
        position: where to search; it must not be over.
        seed: makes a search with one thread and a limit of visits reproducible.
        memory: bound of its tables in MiB.
        threads: how many think at once.
        knowledge: whether connections, proofs and other knowledge of the game are used; without,
            there is only the tree.

    Raises:
        ValueError: the game is over.
    """
    if position.game.family == "antipode" and knowledge:
        return AlphaBetaSearch(position, seed=seed, memory=memory, threads=threads)
    if position.game.family == "antipalos" and knowledge:
        return AntipalosSearch(position, seed=seed, memory=memory, threads=threads)
    advisor = solving_advisor(position) if knowledge else None
    return TreeSearch(position, seed=seed, memory=memory, threads=threads, advisor=advisor)
