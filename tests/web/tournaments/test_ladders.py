"""Ladders on the site: challenges, places, inactivity, and the end by the host."""

import pytest

from antipodes.clocks import DAY
from antipodes.errors import InputError
from antipodes.tournaments.ladder import Ladder
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError
from antipodes.web.relations.services import block
from antipodes.web.tournaments import (
    directing,
    forfeits,
    notifications,
    progress,
    services,
)
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import PairingRow, TournamentState
from tests.raising import code_of
from tests.web.tournaments.conftest import advance, resign, unfinished

pytestmark = pytest.mark.django_db

CLOCK = "3d/move+10d"


@pytest.fixture
def ladder(make_event, host):
    """A running ladder of five players, p000 on top."""
    row = make_event(5, format=Ladder(reach=2, idle_days=7, drop=2), control=CLOCK)
    directing.start(row.pk, host)
    return advance(row)


def player(number):
    return User.objects.get(username=f"p{number:03}")


def order(row):
    """Return the names by place, and check that the log tells the same places."""
    told = replay(one.data for one in row.log.all()).places
    entries = list(row.entries.exclude(number=None).select_related("user"))
    assert {one.number: one.place for one in entries} == told
    ranked = sorted((one for one in entries if one.place), key=lambda one: one.place or 0)
    assert [one.place for one in ranked] == list(range(1, len(ranked) + 1))
    return [int(one.user.username[1:]) for one in ranked]


def challenge(row, by, other):
    services.challenge(row.pk, player(by), f"p{other:03}")
    return advance(row)


def test_a_winner_takes_the_place_of_the_challenged_player(ladder):
    challenge(ladder, 4, 2)
    (game,) = unfinished(ladder)
    names = [one.user.username for one in game.match.seats.all()]
    resign(game, names.index("p002"))
    advance(ladder)
    assert order(ladder) == [0, 1, 4, 2, 3]
    challenge(ladder, 3, 4)
    (game,) = unfinished(ladder)
    names = [one.user.username for one in game.match.seats.all()]
    resign(game, names.index("p003"))
    advance(ladder)
    assert order(ladder) == [0, 1, 4, 2, 3]
    assert ladder.state == TournamentState.RUNNING


def test_challenges_out_of_reach_or_of_busy_players_are_refused(ladder, monkeypatch):
    for by, other in ((4, 1), (2, 3), (2, 2), (2, 9)):
        refused = code_of(lambda by=by, other=other: challenge(ladder, by, other))
        assert refused == "tournament/challenge"
    challenge(ladder, 2, 1)
    assert code_of(lambda: challenge(ladder, 3, 1)) == "tournament/challenge"
    assert code_of(lambda: challenge(ladder, 2, 0)) == "tournament/challenge"
    User.objects.create(username="p009")
    assert code_of(lambda: challenge(ladder, 9, 0)) == "tournament/not-in"
    block(player(3), player(4))
    assert code_of(lambda: challenge(ladder, 4, 3)) == "community/not-together"


def test_challenges_are_limited(ladder, monkeypatch):
    monkeypatch.setenv("LIMIT_LADDER_CHALLENGES", "1/hour")
    challenge(ladder, 1, 0)
    with pytest.raises(TooManyError):
        challenge(ladder, 1, 0)


def test_inactive_players_drop_and_are_told(ladder, clocks, client):
    clocks.advance(6 * DAY)
    challenge(ladder, 4, 3)
    clocks.advance(DAY)
    assert ladder.pk in progress.due(now())
    advance(ladder)
    # 0, 1 and 2 had no game; 3 and 4 are playing.
    assert order(ladder)[:1] != [0]
    notifications.notify_of_steps()
    told = [one.arguments["act"] for one in player(0).notifications.filter(kind="tournament")]
    assert told == ["dropped"]
    assert "dropped, without a game for long." in client.get(f"/tournament/{ladder.slug}/").text
    version = ladder.version
    assert advance(ladder).version == version


def test_players_enter_at_the_bottom_and_others_move_up_when_one_leaves(ladder):
    services.join(ladder.pk, User.objects.create(username="p005"))
    services.leave(ladder.pk, player(1))
    assert order(advance(ladder)) == [0, 2, 3, 4, 5]
    services.join(ladder.pk, player(1))
    assert order(advance(ladder)) == [0, 2, 3, 4, 5, 1]


def test_a_decision_of_the_director_changes_places_once(ladder, host):
    challenge(ladder, 1, 0)
    pairing = ladder.pairings.get()
    result = "1-0" if pairing.first.user == player(1) else "0-1"
    directing.adjudicate(ladder.pk, host, 1, 1, result, "a proven win")
    assert order(advance(ladder))[:2] == [1, 0]
    again = code_of(lambda: directing.adjudicate(ladder.pk, host, 1, 1, "draw", "a mistake"))
    assert again == "tournament/result"


def test_the_host_ends_a_ladder(ladder, host):
    challenge(ladder, 1, 0)
    directing.finish(ladder.pk, host)
    ladder.refresh_from_db()
    assert ladder.state == TournamentState.FINISHED
    ranks = ladder.entries.order_by("place").values_list("rank", flat=True)
    assert list(ranks) == [1, 2, 3, 4, 5]
    assert code_of(lambda: directing.finish(ladder.pk, host)) == "tournament/state"


def test_a_paused_ladder_is_not_ended(ladder, host):
    directing.pause(ladder.pk, host)
    assert code_of(lambda: directing.finish(ladder.pk, host)) == "tournament/state"
    ladder.refresh_from_db()
    assert ladder.state == TournamentState.PAUSED


def test_only_an_arena_or_a_ladder_is_ended_by_its_host(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    assert code_of(lambda: directing.finish(row.pk, host)) == "tournament/state"


def test_a_ladder_is_played_by_correspondence(make_event):
    assert code_of(lambda: make_event(format=Ladder())) == "tournament/clock"


def test_players_challenge_on_the_page(client, ladder):
    client.force_login(player(2))
    where = f"/tournament/{ladder.slug}/"
    assert "/do/challenge" in client.get(where).text
    page = client.post(f"{where}do/challenge", {"name": "p001"}, follow=True).text
    assert "You have challenged p001." in page
    advance(ladder)
    assert "own-pairing" in client.get(where).text
    assert "/do/challenge" not in client.get(where).text


def reachable(row, number):
    """Return the numbers of the names of those whom a player may challenge."""
    entry = row.entries.get(user=player(number))
    return [int(one.user.username[1:]) for one, _made in services.challenges(row, entry)]


def test_a_player_may_challenge_those_a_few_places_higher_the_nearest_first(ladder, make_event):
    assert [reachable(ladder, one) for one in range(5)] == [[], [0], [1, 0], [2, 1], [3, 2]]
    entry = ladder.entries.get(user=player(4))
    assert services.challenges(ladder, None) == []
    ladder.state = TournamentState.PAUSED
    assert services.challenges(ladder, entry) == []
    ladder.state = TournamentState.RUNNING
    entry.number = None
    assert services.challenges(ladder, entry) == []
    other = make_event(2)
    other.state = TournamentState.RUNNING
    [first, _] = other.entries.all()
    first.number = 1
    assert services.challenges(other, first) == []


def test_a_ladder_begins_in_the_order_of_numbers(ladder):
    places = [(one.number, one.place) for one in ladder.entries.all()]
    assert places == [(number, number) for number in range(1, 6)]
    assert ladder.log.get(kind="started").data["places"] == [list(pair) for pair in places]


def test_a_refused_challenge_names_the_player(ladder):
    with pytest.raises(InputError) as error:
        services.challenge(ladder.pk, player(1), "p" * 50)
    assert error.value.faults[0].message == f"You cannot challenge {'p' * 40} now."
    services.leave(ladder.pk, player(1))
    assert code_of(lambda: services.challenge(ladder.pk, player(1), "p000")) == "tournament/not-in"


@pytest.mark.parametrize("result", ["draw", "0-0"])
def test_places_do_not_change_without_a_winner(ladder, host, result):
    challenge(ladder, 1, 0)
    directing.adjudicate(ladder.pk, host, 1, 1, result, "agreed")
    assert order(advance(ladder)) == [0, 1, 2, 3, 4]
    assert ladder.log.get(kind="adjudicated").data["places"] == []


def test_a_win_over_a_player_who_has_left_changes_no_place(ladder):
    challenge(ladder, 2, 0)
    (game,) = unfinished(ladder)
    services.leave(ladder.pk, player(0))
    assert order(advance(ladder)) == [1, 2, 3, 4]
    resign(game, game.match.seats.get(user=player(0)).number)
    assert order(advance(ladder)) == [1, 2, 3, 4]


def test_results_change_places_in_the_order_of_their_rounds(ladder):
    challenge(ladder, 1, 0)
    challenge(ladder, 3, 2)
    for game in unfinished(ladder):
        resign(game, game.match.seats.get(user__username__in=("p000", "p002")).number)
    assert order(advance(ladder)) == [1, 0, 3, 2, 4]
    assert ladder.log.get(kind="results").data["places"] == [[1, 2], [2, 1], [3, 4], [4, 3]]


def test_players_drop_after_a_week_without_a_game_and_not_before(clocks, ladder):
    clocks.advance(6 * DAY)
    challenge(ladder, 4, 3)
    clocks.advance(DAY - 1)
    assert advance(ladder).log.filter(kind="dropped").count() == 0
    clocks.advance(1)
    assert order(advance(ladder)) == [3, 4, 0, 1, 2]
    step = ladder.log.get(kind="dropped")
    assert step.data["dropped"] == [3, 2, 1]
    idle = ladder.entries.filter(number__lte=3).values_list("free_since", flat=True)
    assert list(idle) == [now()] * 3
    clocks.advance(7 * DAY - 1)
    assert advance(ladder).log.filter(kind="dropped").count() == 1


@pytest.mark.parametrize(
    ("is_withdrawn", "needs_winner", "points"),
    [
        (False, False, (1.0, 0.0)),
        (True, False, (0.0, 0.0)),
        (True, True, (1.0, 0.0)),
        (False, True, (1.0, 0.0)),
    ],
)
def test_a_bye_counts_for_a_player_who_is_there_or_goes_on(
    make_event, is_withdrawn, needs_winner, points
):
    row = make_event(1)
    entry = row.entries.get()
    entry.is_withdrawn = is_withdrawn
    bye = PairingRow(tournament=row, round=1, table=1, first=entry, needs_winner=needs_winner)
    bye.save()
    assert forfeits.decide(row, [bye]) == [[1, 1, *points]]
    bye.refresh_from_db()
    assert (bye.points, bye.is_forfeit) == (points, False)
