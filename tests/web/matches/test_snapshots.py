"""Match snapshots that several processes make from the same rows."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from antipodes.match import Play
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.models import BOT, User
from antipodes.web.matches import snapshots, store
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from tests.cases import for_each


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


def test_reading_a_match_costs_three_queries(begin):
    row = begin(size=3, swap="off")
    play(row, 0)
    snapshots.forget(row.slug)
    with CaptureQueriesContext(connection) as queries:
        snapshots.look_up(row.slug)
    assert len(queries) == 3, "the match, its seats with their users, its events"


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


def test_many_cached_matches_are_brought_up_to_date_by_two_queries(begin):
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
    assert len(queries) == 2, "the names of all players, the missing events"
    assert [found[row.pk].match.ply for row in rows] == [0, 1, 2, 3]


def test_cached_matches_of_different_versions_get_exactly_their_missing_events(begin, monkeypatch):
    monkeypatch.setattr(snapshots, "_TOGETHER", 2)
    rows = [begin(size=3, swap="off") for _ in range(3)]
    cached = []
    for row, known in zip(rows, (2, 0, 1), strict=True):
        for ply in range(4):
            if ply == known:
                cached.append(snapshots.look_up(row.slug))
            play(row, ply)
    read = list(MatchRow.objects.select_related("series").order_by("pk"))
    for row in rows:
        play(row, 4)
    for snapshot in cached:
        snapshots.forget(snapshot.row.slug)
        snapshots.keep(snapshot)
    with CaptureQueriesContext(connection) as queries:
        found = snapshots.shown_all(read)
    assert len(queries) == 3, "the names, and the missing events of two matches at once"
    for row in rows:
        moves = [int(made.move) for made in found[row.pk].match.moves]
        assert (found[row.pk].version, moves) == (4, [0, 1, 2, 3])
        assert snapshots.kept(row.slug) == found[row.pk]


def test_an_older_snapshot_does_not_replace_a_newer_one(begin):
    row = begin(size=3, swap="off")
    old = snapshots.look_up(row.slug)
    play(row, 0)
    new = snapshots.look_up(row.slug)
    snapshots.keep(old)
    assert snapshots.kept(row.slug) is new


READERS = {
    "look_up": lambda row: snapshots.look_up(row.slug),
    "snapshot_of": snapshots.snapshot_of,
    "shown_all": lambda row: snapshots.shown_all([row])[row.pk],
    "a change": lambda row: locked(row.slug),
}


def locked(slug):
    with transaction.atomic():
        return store.locked_snapshot(slug)


def stored(row):
    return MatchRow.objects.select_related("series").get(pk=row.pk)


def names(snapshot):
    return [seat.name for seat in snapshot.seats]


@for_each("reader", list(READERS))
def test_a_cached_match_of_one_version_is_read_by_one_query_at_most(reader, begin):
    row = stored(begin(size=3, swap="off"))
    cached = snapshots.look_up(row.slug)
    with CaptureQueriesContext(connection) as queries:
        assert READERS[reader](row) is cached
    assert len([query for query in queries if query["sql"].startswith("SELECT")]) == 1


@pytest.mark.parametrize("reader", READERS)
def test_a_new_name_is_shown_in_cached_matches(reader, begin, people):
    row, other = begin(size=3, swap="off"), begin("antipode")
    other.seats.filter(user=people[0]).update(user=people[2])
    play(row, 0)
    cached = [snapshots.look_up(match.slug) for match in (row, other)]
    read = [stored(match) for match in (row, other)]
    # Another process renames the player, as far as this one can know.
    User.objects.filter(pk=people[0].pk).update(username="anna")
    known = READERS[reader](read[0])
    assert names(known) == ["anna", "bob"]
    assert (known.version, known.match.ply) == (1, 1)
    assert READERS[reader](read[1]) is cached[1]
    play(row, 1)
    assert names(snapshots.look_up(row.slug)) == ["anna", "bob"]


@pytest.mark.parametrize("reader", READERS)
def test_a_bot_is_marked_as_such_in_cached_matches(reader, begin, people):
    row = stored(begin(size=3, swap="off"))
    snapshots.look_up(row.slug)
    User.objects.filter(pk=people[0].pk).update(first_name=BOT)
    assert names(READERS[reader](row)) == ["ann (bot)", "bob"]


def test_deleted_names_go_from_the_cached_matches_of_other_processes(begin, people):
    row = begin(size=3, swap="off")
    before = snapshots.look_up(row.slug)
    delete_account(people[0])
    # A request that read the names before the deletion ends only now.
    snapshots.keep(before.after(stored(row), stored(row).match()))
    assert names(snapshots.look_up(row.slug)) == [f"deleted-{people[0].pk}", "bob"]
    assert names(snapshots.kept(row.slug)) == [f"deleted-{people[0].pk}", "bob"]


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
