"""Laws of events: all rounds are played, and pairings are those that were announced."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

_LONGEST_SILENCE = 60_000  # milliseconds after which a step that is due has been done
_MANY = 10  # players, with whom pairings of any seats can be found
_ONCE = ("swiss", "rolling-swiss")  # formats in which no two players meet twice


def events_end_with_their_rounds(_town: Town) -> Iterator[str]:
    """An event ends when all rounds that were announced are over, or its log says why."""
    from antipodes.web.tournaments.models import TournamentRow, TournamentState

    late = clock_now() - _LONGEST_SILENCE
    for row in TournamentRow.objects.filter(state=TournamentState.FINISHED):
        last = row.log.order_by("number").last()
        if row.last_round is not None and row.round < row.last_round and not (last and last.reason):
            yield f"event {row.slug} ended after round {row.round} of {row.last_round}, unexplained"
    for row in TournamentRow.objects.filter(due_at__lt=late):
        yield f"event {row.slug} is {row.state}, and has waited for a step since {row.due_at}"


def no_players_are_paired_twice(_town: Town) -> Iterator[str]:
    """In a Swiss event no two players meet twice, and in a round no player has two opponents."""
    from antipodes.web.tournaments.models import PairingRow

    met: dict[tuple[int, frozenset[int]], int] = {}
    for row in PairingRow.objects.filter(is_playoff=False).select_related("tournament"):
        players = frozenset(entry.pk for entry in row.players)
        if row.tournament.format_name in _ONCE and len(players) > 1:
            known = met.setdefault((row.tournament_id, players), row.round)
            if known != row.round:
                yield f"event {row.tournament.slug} pairs {sorted(players)} in {known}, {row.round}"


def no_player_has_a_seat_three_times(_town: Town) -> Iterator[str]:
    """In a Swiss event of many players none has the same seat in three rounds running."""
    from antipodes.web.tournaments.models import PairingRow

    seats: dict[int, list[int]] = defaultdict(list)
    rows = PairingRow.objects.filter(is_playoff=False, tournament__format_name="swiss")
    single = rows.filter(tournament__games="single").select_related("tournament")
    for row in single.order_by("round"):
        entries = row.players if row.tournament.entries.count() >= _MANY else []
        for seat, entry in enumerate(entries):
            if len(entries) > 1:
                seats[entry.pk].append(seat)
                if len(set(seats[entry.pk][-3:])) == 1 and len(seats[entry.pk]) > 2:
                    yield f"event {row.tournament.slug} gives entry {entry.pk} seat {seat} thrice"


def no_player_is_paired_after_leaving(_town: Town) -> Iterator[str]:
    """No player has a game after leaving an event of rounds, unless the player has come back."""
    from antipodes.web.tournaments.models import LogRow, TournamentRow

    for row in TournamentRow.objects.filter(begun_at__gt=0):
        left: set[int] = set()
        steps = LogRow.objects.filter(tournament=row).order_by("number")
        for data in [] if row.format.is_continuous else steps.values_list("data", flat=True):
            decided = {(at, table) for at, table, *_ in data.get("points", [])}
            for table, players in enumerate(data.get("pairings", []), 1):
                # Where all meet all, the opponents of a player who has left win without a game.
                is_won = row.format_name not in _ONCE and (data["round"], table) in decided
                if (gone := left.intersection(players)) and not is_won:
                    yield f"event {row.slug} pairs {sorted(gone)} in {data['round']}, who left"
            left.update(data.get("withdrawn", []))
            left.difference_update(number for number, _ in data.get("players", []))


def the_log_of_an_event_tells_it(_town: Town) -> Iterator[str]:
    """The pairings of an event are those that its log says."""
    from antipodes.web.tournaments.log import replay
    from antipodes.web.tournaments.models import TournamentRow

    for row in TournamentRow.objects.filter(begun_at__gt=0):
        steps = row.log.order_by("number").values_list("data", flat=True)
        told = {at: set(players) - {None} for at, players in replay(steps).players.items()}
        rows = {
            (pairing.round, pairing.table): {entry.number for entry in pairing.players}
            for pairing in row.pairings.select_related("first", "second", "third", "fourth")
        }
        for at in sorted(told.keys() | rows.keys()):
            if told.get(at) != rows.get(at):
                yield f"event {row.slug} pairs {rows.get(at)} at {at}, its log {told.get(at)}"
