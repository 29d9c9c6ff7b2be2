"""Decisions by proof: a director asks the computer to prove who wins a game in progress.

The request is a step of the log and a job of the queue, in one transaction. The job searches the
position of the game. A proven result counts for the event like that of a finished game; the game
itself goes on. A position that changes during the search is searched again.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.games.position import Position
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits, Proven
from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import take
from antipodes.web.tournaments import places, progress
from antipodes.web.tournaments.access import check_director
from antipodes.web.tournaments.directing import ACTIONS
from antipodes.web.tournaments.log import Step, locked, record
from antipodes.web.tournaments.models import GameRow, PairingRow, TournamentRow
from antipodes.web.tournaments.results import Points

_SECONDS = 20.0  # of a search at most
_MEMORY = 96  # MiB for its tables

_POINTS: dict[Proven, Points] = {  # of the seat to move, and of the other one
    Proven.WIN: (1.0, 0.0),
    Proven.DRAW: (0.5, 0.5),
    Proven.LOSS: (0.0, 1.0),
}


def ask(key: int, user: User, round_number: int, table: int) -> None:
    """Ask for a proof of the game of a pairing; asking twice has no further effect.

    Raises:
        InputError: the user may not, or the pairing has no game in progress that a proof decides.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        pairing = row.pairings.filter(round=round_number, table=table).first()
        if pairing is None or _game_of(row, pairing) is None:
            message = _("Pairing %(round)d.%(table)d has no game that a proof can decide now.")
            values = {"round": round_number, "table": table}
            raise InputError([Fault("tournament/result", message % values)])
        if queue.missing(JobKind.PROOF, [(str(pairing.pk), 0)]):
            queue.put(
                NewJob(kind=JobKind.PROOF, key=str(pairing.pk), user=user.pk, seconds=_SECONDS)
            )
            record(row, Step.PROOF, user, round=round_number, table=table)


def _game_of(row: TournamentRow, pairing: PairingRow) -> GameRow | None:
    """Return the first game in progress of a pairing, if a win counts 1 in it."""
    if not row.is_under_way or pairing.is_decided or pairing.third_id is not None:
        return None
    if row.counts_chart and not pairing.is_playoff:
        return None  # the proof does not tell the points of the win
    games = pairing.games.filter(first_points=None, match__ended_at=None)
    return games.select_related("match").first()


def prove_now(key: str, _version: int = 0) -> None:
    """Search a proof for the game of a pairing, and count what was found."""
    pairing = PairingRow.objects.select_related("tournament").filter(pk=int(key)).first()
    game = None if pairing is None else _game_of(pairing.tournament, pairing)
    if pairing is None or game is None:
        return  # decided meanwhile
    position: Position = game.match.match().position
    proven = analyze(position, limits=Limits(seconds=_SECONDS), memory=_MEMORY).proven
    _count(pairing.pk, game.pk, position, proven)


def _count(pairing_key: int, game_key: int, position: Position, proven: Proven | None) -> None:
    """Count a proven result of a position, if it is still that of the game.

    Raises:
        NotReadyError: the players have moved meanwhile.
    """
    tournament = PairingRow.objects.values_list("tournament", flat=True).get(pk=pairing_key)
    with locked(tournament) as row:
        pairing = row.pairings.select_related("tournament", "first", "second").get(pk=pairing_key)
        game = _game_of(row, pairing)
        if game is None or game.pk != game_key:
            return
        if game.match.match().position != position:
            raise queue.NotReadyError
        if proven is None:
            record(row, Step.UNPROVEN, round=pairing.round, table=pairing.table)
            return
        points = _POINTS[proven]
        if position.seat_to_move != int(game.is_exchanged):
            points = points[::-1]
        game.first_points, *game.other_points = points
        game.save(update_fields=["first_points", "other_points"])
        decided = progress.decide_pairings(row, [(pairing, [*pairing.games.order_by("number")])])
        if decided:
            pairing.is_adjudicated = True
            pairing.save(update_fields=["is_adjudicated"])
        row.due_at = now()
        record(
            row,
            Step.PROVEN,
            results=[[pairing.round, pairing.table, game.number, *points]],
            points=decided,
            places=places.after_results(row, decided),
        )
