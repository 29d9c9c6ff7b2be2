"""Analyses of positions: search, threats, and estimates for all colours."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from antipodes.core import Color, Move
from antipodes.games.position import Position
from antipodes.search.analysis_result import Analysis, Estimate
from antipodes.search.connection.virtual import ConnectionResult
from antipodes.search.factory import make_search
from antipodes.search.interface import (
    STRONGEST,
    Candidate,
    Limits,
    ProgressCallback,
    Proven,
    SearchProgress,
    SearchSettings,
)
from antipodes.search.threats import Threat, find_connections, find_threats

DEFAULT_LIMITS = Limits(seconds=3)
# Share of the limits for each further search: for threats, or for the view of another colour.
_SHARE = 4


def analyze(
    position: Position,
    *,
    limits: Limits = DEFAULT_LIMITS,
    seed: int = 1,
    threads: int = 1,
    memory: int = 256,
    threats: bool = False,
    moves: Sequence[Move] | None = None,
    on_progress: ProgressCallback | None = None,
) -> Analysis:
    """Search a position and return the results; for a finished game, its outcome.

    Args:
        position: any position of any game.
        limits: of the search. Threats take up to a quarter in addition.
        seed: makes an analysis with one thread and a limit of visits reproducible.
        threads: of the search.
        memory: bound of the search's tables in MiB.
        threats: whether to search for threats of the opponent, and for connections.
        moves: the only moves that are searched, as if no others were legal; all by default.
        on_progress: called every few hundredths of a second; an exception in it ends the search.
    """
    settings = SearchSettings(threads=threads, memory=memory)
    analyzer = Analyzer(position, settings, seed=seed, moves=moves)
    analyzer.run(limits, on_progress)
    if threats:
        analyzer.find_threats(limits, on_progress)
    return analyzer.result()


class _StoppedError(Exception):
    """Raised through the progress call of a search when its analysis is stopped."""


class Analyzer:
    """An analysis that can be stopped from another thread, queried during the search, and resumed.

    Attributes:
        position: the position to analyse.
    """

    def __init__(
        self,
        position: Position,
        settings: SearchSettings = STRONGEST,
        *,
        seed: int = 1,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Prepare a search.

        Args:
            position: to analyse.
            settings: of the search.
            seed: as in :func:`analyze`.
            moves: as in :func:`analyze`.
        """
        self.position = position
        self._settings = settings
        self._seed = seed
        over = position.outcome is not None
        self._search = None if over else make_search(position, settings, seed=seed, moves=moves)
        self._stopped = threading.Event()
        self._seconds = 0.0
        self._others: dict[Color, float] = {}
        self._threats: tuple[Threat, ...] | None = () if over else None
        self._connections: ConnectionResult | None = None

    @property
    def is_ready(self) -> bool:
        """Whether there are results: a move has been visited, or the game is over."""
        return self._search is None or bool(self._search.candidates())

    def stop(self) -> None:
        """End the analysis, which another thread runs, within a few hundredths of a second."""
        self._stopped.set()
        if self._search is not None:
            self._search.stop()

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Search until a limit is met, the root is proven, or the analysis is stopped."""
        if self._search is None or self._stopped.is_set():
            return
        began = time.perf_counter()
        try:
            self._search.run(limits, self._guarded(on_progress))
            if len(self.position.game.colors) > 2 and self.is_ready:
                self._estimate_other_colors(self._search.candidates()[0].move, limits)
        except _StoppedError:
            pass
        finally:
            self._seconds += time.perf_counter() - began

    def find_threats(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Find threats of the opponent, with a quarter of the limits; call it after a run."""
        if self._search is None or self._stopped.is_set() or not self.is_ready:
            return
        began = time.perf_counter()
        try:
            self._connections = find_connections(self.position)
            self._threats = find_threats(
                self.position,
                self._search.value(),
                _part(limits),
                self._settings,
                seed=self._seed,
                on_progress=self._guarded(on_progress),
            )
        except _StoppedError:
            pass
        finally:
            self._seconds += time.perf_counter() - began

    def _guarded(self, on_progress: ProgressCallback | None) -> ProgressCallback:
        """Return a callback that also ends the search after ``stop``, even before its start."""

        def call(progress: SearchProgress) -> None:
            if self._stopped.is_set():
                raise _StoppedError
            if on_progress is not None:
                on_progress(progress)

        return call

    def _estimate_other_colors(self, move: Move, limits: Limits) -> None:
        """Search the next turn of each other colour, where one's loss is not another's win."""
        position = self.position
        self._others = {}
        for _ in position.game.colors[1:]:
            position = position.play(move)
            if position.outcome is not None:
                return
            search = make_search(position, self._settings, seed=self._seed)
            search.run(_part(limits), self._guarded(None))
            best = search.candidates()[0]
            self._others[position.to_move] = search.value()
            move = best.move

    def result(self, *, criticality: bool = True) -> Analysis:
        """Return the results so far; only if ``is_ready``.

        Args:
            criticality: whether to estimate the criticality of cells. That takes a moment and uses
                the random numbers of the search, so that it is no longer reproducible.
        """
        search = self._search
        if search is None:
            return _finished(self.position)
        candidates = tuple(search.candidates())
        best = candidates[0]
        value = search.value()
        weights = search.criticality() if criticality else None
        return Analysis(
            position=self.position,
            visits=search.visits,
            seconds=self._seconds,
            proven=search.proven or (best.proven if best.proven is Proven.WIN else None),
            value=value,
            error=best.error,
            estimates=_estimates(self.position, best, value, self._others),
            candidates=candidates,
            criticality=None if weights is None else _positive(weights),
            threats=self._threats,
            connections=self._connections,
        )


def _positive(weights: Sequence[float]) -> Mapping[int, float]:
    """Return cell -> weight, with negative weights raised to 0."""
    return MappingProxyType({cell: max(0.0, weight) for cell, weight in enumerate(weights)})


def _part(limits: Limits) -> Limits:
    """Return a quarter of some limits, but two visits at least: the first only makes moves."""
    visits = None if limits.visits is None else max(2, limits.visits // _SHARE)
    return Limits(
        visits=visits, seconds=None if limits.seconds is None else limits.seconds / _SHARE
    )


def _finished(position: Position) -> Analysis:
    outcome = position.outcome
    assert outcome is not None
    colors = position.game.colors
    values = {
        color: 1 / len(colors) if outcome.is_draw else float(outcome.winner is color)
        for color in colors
    }
    value = values[position.to_move]
    decided = Proven.WIN if outcome.winner is position.to_move else Proven.LOSS
    return Analysis(
        position=position,
        visits=0,
        seconds=0.0,
        proven=Proven.DRAW if outcome.is_draw else decided,
        value=value,
        error=0.0,
        estimates=tuple(
            Estimate(color, position.seat_of(color), values[color], 0.0) for color in colors
        ),
        candidates=(),
        criticality=None,
        threats=(),
    )


def _estimates(
    position: Position, best: Candidate, mover: float, others: Mapping[Color, float]
) -> tuple[Estimate, ...]:
    """Return the estimate of each colour from the mover's value and those of the others."""
    mine = position.seat_to_move
    after = position.play(best.move)  # a swap may exchange the colours of the seats
    total = sum(others.values())
    estimates = []
    for color in position.game.colors:
        seats = after.seat_of(color)
        value: float | None
        if mine in seats:
            value = mover
        elif len(position.game.colors) == 2:
            value = 1 - mover
        elif total > 0 and color in others:
            # The values of the others need not add up; they share what the mover leaves.
            value = (1 - mover) * others[color] / total
        else:
            value = None
        estimates.append(Estimate(color, seats, value, best.error))
    return tuple(estimates)
