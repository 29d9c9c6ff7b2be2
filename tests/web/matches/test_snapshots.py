"""Match snapshots that several processes make from the same rows."""

from antipodes.match import Play
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out


def play(row, ply):
    carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"ply {ply}", move=ply))


def test_events_stored_since_the_row_was_read_are_left_out(begin):
    row = begin(size=3, swap="off")
    play(row, 0)
    snapshots.forget(row.slug)
    before = MatchRow.objects.select_related("series").get(pk=row.pk)
    play(row, 1)
    snapshots.forget(row.slug)
    stood = snapshots.snapshot_of(before)
    assert (stood.version, stood.match.ply) == (1, 1)


def test_a_cached_snapshot_advances_to_the_rows_version(begin):
    row = begin(size=3, swap="off")
    snapshots.forget(row.slug)
    kept = snapshots.look_up(row.slug)
    play(row, 0)
    between = MatchRow.objects.select_related("series").get(pk=row.pk)
    play(row, 1)
    snapshots.forget(row.slug)
    snapshots.keep(kept)
    stood = snapshots.snapshot_of(between)
    assert (stood.version, stood.match.ply) == (1, 1)
    snapshots.keep(stood)
    assert snapshots.look_up(row.slug).match.ply == 2
