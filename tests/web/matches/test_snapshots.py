"""Match snapshots that several processes make from the same rows."""

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from antipodes.match import Play
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.matches import snapshots
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform import pubsub


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
    assert len(queries) == 2
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


def test_a_renamed_user_has_the_new_name_in_cached_matches(begin, people, monkeypatch):
    # Redis would deliver it later.
    monkeypatch.setattr(pubsub, "broadcast", pubsub.deliver_here)
    row = begin(size=3)
    snapshots.look_up(row.slug)
    other = begin("antipode")
    kept = snapshots.look_up(other.slug)
    MatchRow.objects.get(pk=other.pk).seats.filter(user=people[1]).update(user=people[2])
    snapshots.forget(other.slug)
    kept = snapshots.look_up(other.slug)
    people[1].username = "bobby"
    people[1].save()
    assert [seat.name for seat in snapshots.look_up(row.slug).seats] == ["ann", "bobby"]
    assert snapshots.kept(other.slug) is kept


@pytest.mark.django_db(transaction=True)
def test_a_renaming_is_told_after_the_commit_and_no_other_change_of_a_user_is(
    begin, people, monkeypatch
):
    told: list[tuple[str, int]] = []
    monkeypatch.setattr(pubsub, "broadcast", lambda kind, data: told.append((kind, data["user"])))
    ann, bob = people[:2]
    begin(size=3)

    def renamings():
        return [user for kind, user in told if kind == snapshots.RENAMED]

    ann.email = "ann@example.org"
    ann.set_password("a new one")
    ann.save()
    bob.save(update_fields=["last_login"])
    assert renamings() == []
    with transaction.atomic():
        ann.username = "anna"
        ann.save(update_fields=["username"])
        assert renamings() == []
    assert renamings() == [ann.pk]
    delete_account(bob)
    assert renamings() == [ann.pk, bob.pk]


def test_a_snapshot_with_names_read_before_a_renaming_is_not_cached_after_it(
    begin, people, monkeypatch
):
    monkeypatch.setattr(pubsub, "broadcast", pubsub.deliver_here)
    row, other = begin(size=3, swap="off"), begin("antipode")
    before, apart = snapshots.look_up(row.slug), snapshots.look_up(other.slug)
    people[0].username = "anna"
    people[0].save()
    play(row, 0)
    stored = MatchRow.objects.select_related("series").get(pk=row.pk)
    # A request that began before the renaming stores a move only now.
    snapshots.keep(before.after(stored, stored.match()))
    assert [seat.name for seat in snapshots.look_up(row.slug).seats] == ["anna", "bob"]
    assert apart.seats_of(people[0].pk)
    assert snapshots.kept(row.slug) is not None


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


def test_a_new_name_is_shown_though_the_message_that_tells_of_it_is_lost(
    begin, people, monkeypatch
):
    row = begin(size=3, swap="off")
    play(row, 0)
    snapshots.look_up(row.slug)
    monkeypatch.setattr(pubsub, "broadcast", lambda _topic, _message: None)
    ann = people[0]
    ann.username = "anna"
    ann.save()
    known = snapshots.look_up(row.slug)
    assert "anna" in [seat.name for seat in known.seats]
    assert (known.version, known.match.ply) == (1, 1)
    assert snapshots.kept(row.slug) is known
    play(row, 1)
    assert "anna" in [seat.name for seat in snapshots.look_up(row.slug).seats]
