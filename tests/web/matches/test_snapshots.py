"""Match snapshots that several processes make from the same rows."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

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


def test_many_cached_matches_are_brought_up_to_date_by_one_query(begin):
    rows = [begin(size=3, swap="off") for _ in range(4)]
    old = [snapshots.look_up(row.slug) for row in rows]
    for number, row in enumerate(rows):
        for ply in range(number):
            play(row, ply)
    for snapshot in old:
        snapshots.forget(snapshot.row.slug)
        snapshots.keep(snapshot)
    rows = list(MatchRow.objects.select_related("series").order_by("pk"))
    with CaptureQueriesContext(connection) as queries:
        found = snapshots.shown_all(rows)
    assert len(queries) == 1
    assert [found[row.pk].match.ply for row in rows] == [0, 1, 2, 3]


def test_a_snapshot_that_is_rolled_back_is_not_cached(begin):
    row = begin(size=3, swap="off")
    snapshots.forget(row.slug)
    callbacks: list[object] = []
    with transaction.atomic():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(transaction, "on_commit", callbacks.append)
            play(row, 0)
            assert snapshots.look_up(row.slug).match.ply == 1
        transaction.set_rollback(True)
    assert snapshots.kept(row.slug) is None
    assert callbacks
