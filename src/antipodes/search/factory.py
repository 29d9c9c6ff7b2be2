"""The choice of the strongest search for each game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.search.families import imported, search_family
from antipodes.search.interface import STRONGEST, Search, SearchSettings
from antipodes.search.mcts_tree import network_settings, settings_for
from antipodes.search.network.evaluator import has_network
from antipodes.search.plain import PlainSearch
from antipodes.search.proof.knowledge import solver_knowledge
from antipodes.search.tree import TreeSearch


def make_search(
    position: Position,
    settings: SearchSettings = STRONGEST,
    *,
    seed: int = 1,
    moves: Sequence[Move] | None = None,
) -> Search:
    """Return the strongest search for a position that its settings allow.

    Args:
        position: the root; the game must not be over.
        settings: of the search.
        seed: makes a search with one thread and a limit of visits reproducible.
        moves: the only moves that are searched in the position, as if no others were legal; all
            by default. Values and proofs of the position are then those of the best of them.

    Raises:
        ValueError: the game is over, or there is no move or an illegal one.
    """
    if moves is not None and (not moves or any(m not in position.legal_moves for m in moves)):
        raise ValueError(f"a search needs legal moves, not {list(moves)}")
    family = search_family(position.game.family)
    memory, threads, latest = settings.memory, settings.threads, settings.latest
    if family is None:
        return PlainSearch(position, seed=seed, memory=memory, moves=moves)
    if family.expert and settings.knowledge:
        expert: Callable[..., Search] = imported(family.expert)
        given = {"seed": seed, "memory": memory, "threads": threads}
        return expert(position, **given, latest=latest, varied=settings.varied, moves=moves)
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
        settings=network_settings(position.game, latest=latest)
        if is_guided
        else settings_for(position, knowledge=source is not None, latest=latest),
        varied=settings.varied and is_guided,
        moves=moves,
    )
