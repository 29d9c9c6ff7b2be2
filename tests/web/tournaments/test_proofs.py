"""Decisions by proof: requests of directors, and what the computer finds."""

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.search.interface import Proven
from antipodes.tournaments import make_bout
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.jobs import queue
from antipodes.web.jobs.models import JobRow
from antipodes.web.tournaments import directing, notifications, proofs
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import TournamentRow, TournamentState
from antipodes.web.tournaments.selectors import table
from tests.cases import for_each
from tests.web.tournaments.conftest import advance, move, resign, unfinished

pytestmark = pytest.mark.django_db

POINTS = {Proven.WIN: (1.0, 0.0), Proven.DRAW: (0.5, 0.5), Proven.LOSS: (0.0, 1.0)}


@pytest.fixture
def begun(make_event, host):
    """Return a function that makes an event of two players and starts it."""

    def make(players=2, **wanted):
        row = make_event(players, **{"format": RoundRobin(), **wanted})
        directing.start(row.pk, host)
        return advance(row)

    return make


@pytest.fixture
def proven(monkeypatch):
    """Return a function that lets searches end with a result, after something has happened."""

    def set_result(result, meanwhile=lambda: None):
        class Found:
            proven = result

        def analyze(*_args, **_more):
            meanwhile()
            return Found

        monkeypatch.setattr(proofs, "analyze", analyze)

    return set_result


def run_jobs():
    """Run the jobs that wait."""
    for job in JobRow.objects.filter(kind="proof"):
        proofs.prove_now(job.key, job.version)
        job.delete()


def test_a_proven_win_decides_the_pairing_and_leaves_the_game_alone(begun, host):
    row = begun()
    [game] = unfinished(row)
    proofs.ask(row.pk, host, 1, 1)
    proofs.ask(row.pk, host, 1, 1)  # a double click
    assert row.log.filter(kind="proof").count() == JobRow.objects.count() == 1
    run_jobs()  # on an empty board of size 3 the first player wins
    assert advance(row).is_over
    pairing = row.pairings.get()
    assert (pairing.points, pairing.is_adjudicated) == ((1.0, 0.0), True)
    game.match.refresh_from_db()
    assert game.match.ended_at is None
    told = replay(one.data for one in row.log.all())
    assert told.pairings == {(1, 1): (1.0, 0.0)}
    notifications.notify_of_steps()
    texts = [str(one.arguments["act"]) for one in row.entries.first().user.notifications.all()]
    assert "proven" in texts
    resign(game, 0)  # the proven winner gives up: that counts no more
    advance(row)
    assert [one.points for one in table(row)] == [1, 0]


@for_each("plies, found", [(plies, found) for plies in (0, 1) for found in POINTS])
def test_results_count_for_the_player_to_move(plies, found, begun, host, proven):
    row = begun()
    [game] = unfinished(row)
    for seat in range(plies):
        move(game, seat)
        game.match.refresh_from_db()
    proven(found)
    proofs.ask(row.pk, host, 1, 1)
    run_jobs()
    points = POINTS[found]
    assert row.pairings.get().points == (points[::-1] if plies else points)


def test_a_search_without_proof_is_told_and_changes_nothing(begun, host, proven):
    row = begun()
    proven(None)
    proofs.ask(row.pk, host, 1, 1)
    run_jobs()
    assert [one.kind for one in row.log.order_by("-number")[:2]] == ["unproven", "proof"]
    assert not row.pairings.get().is_decided


def test_a_position_that_has_changed_is_searched_again(begun, host, proven):
    row = begun()
    [game] = unfinished(row)
    proven(Proven.WIN, meanwhile=lambda: move(game, 0))
    proofs.ask(row.pk, host, 1, 1)
    with pytest.raises(queue.NotReadyError):
        run_jobs()
    assert not row.pairings.get().is_decided
    proven(Proven.WIN)
    run_jobs()
    assert row.pairings.get().points == (0.0, 1.0)


def test_a_game_that_ends_during_the_search_counts_its_own_result(begun, host, proven):
    row = begun()
    [game] = unfinished(row)
    proven(Proven.WIN, meanwhile=lambda: resign(game, 0))
    proofs.ask(row.pk, host, 1, 1)
    run_jobs()
    advance(row)
    assert row.pairings.get().points == (0.0, 1.0)


def test_one_game_of_a_series_is_decided_and_the_next_one_begins(begun, host, proven):
    row = begun(format=Knockout(), bout=make_bout("best-of-3"))
    for number in (1, 2):
        proven(Proven.WIN if number == 1 else Proven.LOSS)
        proofs.ask(row.pk, host, 1, 1)
        run_jobs()
        advance(row)
        found = [one.as_bout_game().score for one in row.pairings.get().games.all()[:number]]
        assert found == [(1.0, 0.0)] * number
        assert row.pairings.get().is_adjudicated is (number == 2)
    assert row.is_over
    assert row.pairings.get().points == (1.0, 0.0)
    notifications.notify_of_steps()
    for entry in row.entries.all():
        told = [one.arguments for one in entry.user.notifications.order_by("pk")]
        found = [(one["act"], one.get("round")) for one in told]
        assert found == [("proven", 1), ("proven", 1), ("finished", None)]
    results = [one.data["results"] for one in row.log.filter(kind="proven")]
    assert results == [[[1, 1, number, 1.0, 0.0]] for number in (1, 2)]
    assert [one.data["points"] for one in row.log.filter(kind="proven")] == [
        [],
        [[1, 1, 1.0, 0.0]],
    ]


def test_only_directors_ask_and_only_for_a_game_that_a_proof_can_decide(begun, host):
    row = begun()
    with pytest.raises(InputError) as error:
        proofs.ask(row.pk, User.objects.get(username="p000"), 1, 1)
    assert error.value.code == "tournament/not-director"
    two = make_game("antipalos", {"size": 12})
    chart = begun(game=two, bout=make_bout("match-6"), title="Chart")
    for event, table_number in ((row, 9), (chart, 1)):
        with pytest.raises(InputError) as error:
            proofs.ask(event.pk, host, 1, table_number)
        assert error.value.code == "tournament/result"
    assert not JobRow.objects.exists()


def test_the_page_asks_for_a_proof_and_tells_what_was_found(client, begun, host):
    row = begun()
    client.force_login(host)
    where = f"/tournament/{row.slug}/"
    assert f'formaction="{where}do/prove"' in client.get(where).content.decode()
    answer = client.post(f"{where}do/prove", {"pairing": "1.1"}, follow=True)
    assert "The computer looks for a proof" in answer.content.decode()
    run_jobs()
    page = client.get(f"{where}log/").content.decode()
    assert "Proven: round 1, table 1, game 1, 1 : 0." in page
    assert "The computer looks for a proof in round 1, table 1." in page


def test_only_an_undecided_pairing_of_two_in_an_event_under_way_is_proven(begun, host, proven):
    row = begun()
    proven(Proven.WIN, meanwhile=lambda: pytest.fail("there is nothing to search"))
    proofs.ask(row.pk, host, 1, 1)
    [job] = JobRow.objects.all()
    rows = TournamentRow.objects.filter(pk=row.pk)
    for changed, usual, other in (
        (rows, {"state": TournamentState.RUNNING}, {"state": TournamentState.FINISHED}),
        (row.pairings, {"first_points": None}, {"first_points": 0.0}),
        (row.pairings, {"third": None}, {"third": row.entries.first()}),
    ):
        changed.update(**other)
        proofs.prove_now(job.key)
        message = r"Pairing 1\.1 has no game that a proof can decide now"
        with pytest.raises(InputError, match=message) as error:
            proofs.ask(row.pk, host, 1, 1)
        assert error.value.code == "tournament/result"
        changed.update(**usual)
    proofs.ask(row.pk, host, 1, 1)
    assert not row.pairings.get().is_adjudicated


def test_a_game_of_a_paused_event_is_proven(begun, host, proven):
    row = begun()
    directing.pause(row.pk, host)
    proven(Proven.LOSS)
    proofs.ask(row.pk, host, 1, 1)
    run_jobs()
    assert row.pairings.get().points == (0.0, 1.0)


def test_a_pairing_that_is_gone_is_not_searched(db):
    proofs.prove_now("123456")
