"""Actions of directors, and who may take them."""

import pytest

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.tournaments import Knockout, Ladder
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, ladders, notices, services
from antipodes.web.tournaments.log import LONGEST_REASON
from antipodes.web.tournaments.models import State, TournamentRow
from antipodes.web.tournaments.selectors import table
from tests.web.tournaments.conftest import advance, play_out, play_round, resign, unfinished

pytestmark = pytest.mark.django_db


def test_only_the_host_and_moderators_direct_an_event(make_event, host, moderator):
    row = make_event(2)
    with pytest.raises(InputError) as error:
        directing.start(row.pk, User.objects.get(username="p000"))
    assert error.value.code == "tournament/not-director"
    directing.cancel(row.pk, moderator, "a duplicate")
    row.refresh_from_db()
    assert row.state == State.CANCELLED
    assert (row.log.last().by, row.log.last().reason) == (moderator, "a duplicate")


def test_a_start_with_too_few_players_is_refused_and_changes_nothing(make_event, host):
    row = make_event(1)
    with pytest.raises(InputError, match="needs 2 players; 1 are here") as error:
        directing.start(row.pk, host)
    assert error.value.code == "tournament/size"
    row.refresh_from_db()
    assert (row.state, row.entries.count()) == (State.OPEN, 1)


def test_the_page_of_a_refused_action_leads_back_to_the_event(client, make_event, host):
    row = make_event(1)
    client.force_login(host)
    answer = client.post(f"/tournament/{row.slug}/do/start")
    assert answer.status_code == 409
    assert f'href="/tournament/{row.slug}/"' in answer.content.decode()


def test_a_start_of_a_check_in_with_too_few_players_removes_no_player(make_event, host):
    row = make_event(3, starts_at=now() + HOUR, check_in=15)
    TournamentRow.objects.filter(pk=row.pk).update(state=State.CHECK_IN)
    services.check_in(row.pk, User.objects.get(username="p000"))
    with pytest.raises(InputError, match="1 are here"):
        directing.start(row.pk, host)
    assert row.entries.count() == 3


def test_no_games_begin_while_an_event_is_paused(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    directing.pause(row.pk, host, "lunch")
    play_round(row)
    advance(row)
    assert (row.round, unfinished(row)) == (1, [])
    assert not row.pairings.filter(first_points=None).exists()
    directing.resume(row.pk, host)
    advance(row)
    assert (row.round, len(unfinished(row))) == (2, 2)


def test_a_decided_pairing_counts_for_the_event_and_leaves_the_game_alone(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    first, second = unfinished(row)
    directing.adjudicate(row.pk, host, 1, first.pairing.table, "0-1", "a proven win")
    resign(second, 0)
    advance(row)
    assert row.round == 2
    first.match.refresh_from_db()
    assert first.match.ended_at is None
    step = row.log.get(kind="adjudicated")
    assert (step.by, step.reason) == (host, "a proven win")
    resign(first, 1)  # the player who was declared the loser wins the game
    advance(row)
    first.pairing.refresh_from_db()
    assert first.pairing.first_points == 0


def test_a_decision_needs_a_reason_and_a_pairing(make_event, host):
    row = make_event(4, format=Knockout())
    directing.start(row.pk, host)
    advance(row)
    for arguments, code in (
        ((1, 1, "1-0", " "), "tournament/reason"),
        ((1, 9, "1-0", "why"), "tournament/result"),
        ((1, 1, "2-0", "why"), "tournament/result"),
        ((1, 1, "draw", "why"), "tournament/result"),
    ):
        with pytest.raises(InputError) as error:
            directing.adjudicate(row.pk, host, *arguments)
        assert error.value.code == code
    play_round(row)
    advance(row)
    with pytest.raises(InputError):  # the final depends on it
        directing.adjudicate(row.pk, host, 1, 1, "0-1", "a mistake")


def test_a_player_who_is_taken_out_reads_why(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    directing.withdraw_player(row.pk, host, "p003", "left the room")
    assert row.entries.get(user__username="p003").is_withdrawn
    assert row.log.last().reason == "left the room"
    with pytest.raises(InputError):
        directing.withdraw_player(row.pk, host, "p003", "again")


def test_actions_fit_the_state_of_the_event(make_event, host):
    row = make_event(2)
    for refused in (
        lambda: directing.pause(row.pk, host),
        lambda: directing.resume(row.pk, host),
        lambda: directing.adjudicate(row.pk, host, 1, 1, "1-0", "why"),
    ):
        with pytest.raises(InputError) as error:
            refused()
        assert error.value.code == "tournament/state"
    directing.start(row.pk, host)
    with pytest.raises(InputError):
        directing.start(row.pk, host)
    play_out(row)
    with pytest.raises(InputError):
        directing.cancel(row.pk, host, "too late")
    with pytest.raises(InputError):
        services.leave(row.pk, User.objects.get(username="p000"))


def test_the_computer_plays_in_casual_events_only(make_event, host):
    row = make_event(1)
    directing.add_computer(row.pk, host, "1")
    directing.add_computer(row.pk, host, "1")
    assert row.entries.count() == 2
    rated = make_event(rated=True)
    with pytest.raises(InputError) as error:
        directing.add_computer(rated.pk, host, "1")
    assert error.value.code == "tournament/bots"


def test_the_winner_of_a_knockout_is_first_and_the_losers_share_their_places(make_event, host):
    row = make_event(4, format=Knockout())
    directing.start(row.pk, host)
    play_out(row)
    assert [one.rank for one in table(row)] == [1, 2, 3, 3]


def test_players_hear_of_decisions_about_their_pairing(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    advance(row)
    decided, other = unfinished(row)
    directing.adjudicate(row.pk, host, 1, decided.pairing.table, "0-1", "a proven win")
    notices.notify_of_steps()

    def told(game):
        return [
            [one.arguments["act"] for one in entry.user.notifications.filter(kind="tournament")]
            for entry in game.pairing.players
        ]

    assert told(decided) == [["adjudicated"]] * 2
    assert told(other) == [[], []]


def code_of(refused):
    """Return code and text of the only fault of a refused action."""
    with pytest.raises(InputError) as error:
        refused()
    [fault] = error.value.faults
    return fault.code, fault.message


def in_state(name):
    """Return the fault of an action that does not fit the state of an event."""
    message = f"This is not possible now: the tournament is in the state “{name}”."
    return "tournament/state", message


def test_no_player_is_taken_out_of_an_event_that_is_over(make_event, host):
    row = make_event(2)
    directing.cancel(row.pk, host, "rain")
    refused = code_of(lambda: directing.withdraw_player(row.pk, host, "p000", "late"))
    assert refused == in_state("cancelled")
    assert row.entries.filter(is_withdrawn=False).count() == 2


def test_the_computer_joins_before_the_start_and_only_where_there_is_room(make_event, host):
    row = make_event(2, most_players=3)
    directing.add_computer(row.pk, host, "1")
    full = "This tournament is full: it has 3 players."
    assert code_of(lambda: directing.add_computer(row.pk, host, "2")) == ("tournament/full", full)
    directing.add_computer(row.pk, host, "1")  # it is there already
    entry = row.entries.get(user__username__startswith="computer")
    assert entry.is_checked_in
    directing.start(row.pk, host)
    refused = code_of(lambda: directing.add_computer(row.pk, host, "2"))
    assert refused == in_state("running")
    assert row.entries.count() == 3


def test_a_director_decides_pairings_of_two_while_the_event_is_under_way(make_event, host):
    row = make_event(3)
    directing.start(row.pk, host)
    advance(row)
    bye = row.pairings.get(second=None)
    game = row.pairings.exclude(second=None).get()
    for state, may in ((State.RUNNING, True), (State.PAUSED, True), (State.FINISHED, False)):
        row.state = state
        assert directing.may_decide(row, game) is may
        assert not directing.may_decide(row, bye)


def test_results_of_a_ladder_are_not_corrected(make_event, host):
    row = make_event(2, format=Ladder(), control="3d/move+10d")
    directing.start(row.pk, host)
    advance(row)
    ladders.challenge(row.pk, User.objects.get(username="p001"), "p000")
    advance(row)
    pairing = row.pairings.get()
    assert directing.may_decide(row, pairing)
    directing.adjudicate(row.pk, host, pairing.round, 1, "1-0", "a proven win")
    pairing.refresh_from_db()
    row.refresh_from_db()
    assert not directing.may_decide(row, pairing)
    message = "The places have changed by this result, so it cannot be corrected."
    refused = code_of(
        lambda: directing.adjudicate(row.pk, host, pairing.round, 1, "0-1", "a mistake")
    )
    assert refused == ("tournament/result", message)


@pytest.mark.parametrize("length", [0, 1, LONGEST_REASON, LONGEST_REASON + 1])
def test_a_reason_is_neither_empty_nor_too_long(make_event, host, length):
    row = make_event(2)
    if 0 < length <= LONGEST_REASON:
        directing.cancel(row.pk, host, "x" * length)
        assert row.log.last().reason == "x" * length
        return
    message = f"The reason has {length} characters; give one of 1 to {LONGEST_REASON}."
    refused = code_of(lambda: directing.cancel(row.pk, host, "x" * length))
    assert refused == ("tournament/reason", message)
