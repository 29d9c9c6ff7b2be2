"""The choice of the strongest search for each game."""

from __future__ import annotations

from collections.abc import Callable

from antipodes.games.position import Position
from antipodes.search.families import imported, search_family
from antipodes.search.interface import STRONGEST, Search, SearchSettings
from antipodes.search.mcts_tree import network_settings, settings_for
from antipodes.search.network.evaluator import has_network
from antipodes.search.plain import PlainSearch
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.tree import TreeSearch


def make_search(
    position: Position, settings: SearchSettings = STRONGEST, *, seed: int = 1
) -> Search:
    """Return the strongest search for a position that its settings allow.

    Args:
        position: the root; the game must not be over.
        settings: of the search.
        seed: makes a search with one thread and a limit of visits reproducible.

    Raises:
        ValueError: the game is over.
    """
    family = search_family(position.game.family)
    memory, threads, latest = settings.memory, settings.threads, settings.latest
    if family is None:
        return PlainSearch(position, seed=seed, memory=memory)
    if family.expert and settings.knowledge:
        expert: Callable[..., Search] = imported(family.expert)
        given = {"seed": seed, "memory": memory, "threads": threads}
        return expert(position, **given, latest=latest, varied=settings.varied)
    is_guided = settings.network and has_network(position.game)
    source = None
    if settings.knowledge:
        source = solver_knowledge(position, short_proofs=is_guided or not latest)
    return TreeSearch(
        position,
        seed=seed,
        memory=memory,
        threads=threads,
        knowledge=source,
        settings=network_settings(proofs=settings.proofs)
        if is_guided
        else settings_for(position, knowledge=source is not None, latest=latest),
        varied=settings.varied and is_guided,
    )
