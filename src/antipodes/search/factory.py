"""The choice of the strongest search for each game."""

from __future__ import annotations

from collections.abc import Callable

from antipodes.games.position import Position
from antipodes.search.families import imported, search_family
from antipodes.search.interface import Search
from antipodes.search.mcts_tree import network_settings, settings_for
from antipodes.search.network.evaluator import has_network
from antipodes.search.plain import PlainSearch
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.tree import TreeSearch


def make_search(
    position: Position,
    *,
    seed: int = 1,
    memory: int = 256,
    threads: int = 1,
    knowledge: bool = True,
    network: bool = True,
    proofs: bool = False,
    latest: bool = True,
    varied: bool = False,
) -> Search:
    """Return the strongest search for a position.

    Args:
        position: the root; the game must not be over.
        seed: makes a search with one thread and a limit of visits reproducible.
        memory: bound of its tables in MiB.
        threads: of the search; the plain search has one.
        knowledge: whether to use connections, proofs and other knowledge of the game.
        network: whether to use the neural network where there is one.
        proofs: whether to search for proofs about the best move, in searches with the network.
        latest: whether to use what makes searches stronger since the levels were rated.
        varied: whether the seed decides between about equally good moves in the searches that are
            not random anyway: of Antipode and Antipalos, and those with the network.

    Raises:
        ValueError: the game is over.
    """
    family = search_family(position.game.family)
    if family is None:
        return PlainSearch(position, seed=seed, memory=memory)
    if family.expert and knowledge:
        expert: Callable[..., Search] = imported(family.expert)
        given = {"seed": seed, "memory": memory, "threads": threads}
        return expert(position, **given, latest=latest, varied=varied)
    is_guided = network and has_network(position.game)
    source = None
    if knowledge:
        source = solver_knowledge(position, short_proofs=is_guided or not latest)
    settings = (
        network_settings(proofs=proofs)
        if is_guided
        else settings_for(position, knowledge=source is not None, latest=latest)
    )
    return TreeSearch(
        position,
        seed=seed,
        memory=memory,
        threads=threads,
        knowledge=source,
        settings=settings,
        varied=varied and is_guided,
    )
