"""Who may host and join events, and how many."""

import pytest

from antipodes.clocks import HOUR, MINUTE, read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.web.accounts.models import BOT, User
from antipodes.web.accounts.services import computer
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.tournaments import directing, plans, services
from antipodes.web.tournaments.access import find, may_direct, may_see, visible_to
from antipodes.web.tournaments.models import EntryRow, InvitationRow, TournamentRow, TournamentState
from tests.raising import code_of
from tests.web.tournaments.conftest import advance

pytestmark = pytest.mark.django_db

THREE = make_game("antipalos", {"seats": "cutthroat3"})
MAIL = make_game("antipalos", {"ruleset": "mail"})


@pytest.fixture
def limits(monkeypatch):
    """A function that sets limits."""

    def change(**amounts):
        for name, amount in amounts.items():
            monkeypatch.setenv(f"LIMIT_{name.upper()}", amount)

    return change


def test_plans_that_contradict_themselves_are_refused(make_event):
    def refused(**plan):
        return code_of(lambda: make_event(**plan))

    assert refused(title=" ") == "tournament/title"
    assert refused(control="unlimited") == "tournament/clock"
    assert refused(game=make_game("antipalos", {"seats": "team"})) == "tournament/seats"
    assert refused(starts_at=1) == "tournament/time"
    assert refused(check_in=15) == "tournament/time"
    assert refused(most_players=1) == "tournament/size"
    assert refused(lowest=1_800, highest=1_500) == "tournament/rating"
    assert refused(rated=True, allows_bots=True) == "tournament/bots"
    arena = {"format": Arena()}
    assert refused(**arena, control="3d/move+10d") == "tournament/clock"
    assert refused(**arena, bout=make_bout("mirrored")) == "tournament/bout"
    assert refused(format=Tables(), game=THREE, bout=make_bout("match-6")) == "tournament/bout"
    assert refused(bout=make_bout("match-6")) == "match-play/no-such-game"
    assert refused(game=MAIL, bout=make_bout("match-6")) == "match-play/ruleset"
    assert refused(is_private=True) == "tournament/club"


def test_guests_neither_host_nor_join(make_event, people):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    row = make_event()
    assert code_of(lambda: services.join(row.pk, guest)) == "tournament/account"
    plan = plans.Plan(
        title="Cup",
        format=Swiss(),
        game=make_game("hex"),
        control=read_control("5m+5s"),
    )
    for user in (guest, computer("1")):
        assert code_of(lambda user=user: services.create_tournament(user, plan)) == (
            "tournament/account"
        )


def test_entries_follow_the_rules_of_the_event(make_event, host, ann, bob):
    full = make_event(2, most_players=2)
    assert code_of(lambda: services.join(full.pk, ann)) == "tournament/full"
    experts = make_event(lowest=1_800)
    assert code_of(lambda: services.join(experts.pk, ann)) == "tournament/rating"
    regulars = make_event(least_games=10)
    assert code_of(lambda: services.join(regulars.pk, ann)) == "tournament/games"
    bot = User.objects.create(username="robby", first_name=BOT)
    assert code_of(lambda: services.join(make_event().pk, bot)) == "tournament/bots"
    services.join(make_event(allows_bots=True).pk, bot)
    begun = make_event(2)
    directing.start(begun.pk, host)
    assert code_of(lambda: services.join(begun.pk, ann)) == "tournament/closed"
    assert code_of(lambda: services.leave(begun.pk, bob)) == "tournament/not-in"


def test_players_join_once_and_can_come_back(make_event, people):
    row = make_event()
    services.join(row.pk, people[0])
    services.join(row.pk, people[0])
    assert row.entries.count() == 1
    services.leave(row.pk, people[0])
    assert row.entries.count() == 0
    services.join(row.pk, people[0])
    assert row.entries.count() == 1


def test_only_members_join_an_event_of_a_club_and_see_a_private_one(make_event, host, people):
    club = ClubRow.objects.create(slug="the-club", name="The club", made_at=0)
    for user in (host, people[0]):
        MemberRow.objects.create(club=club, user=user, since=0)
    row = make_event(club=club, is_private=True)
    services.join(row.pk, people[0])
    assert code_of(lambda: services.join(row.pk, people[1])) == "tournament/club"
    with pytest.raises(InputError, match="You are no member of Others"):
        make_event(club=ClubRow.objects.create(slug="others", name="Others", made_at=0))
    assert [may_see(row, user) for user in (host, people[0], people[1], None)] == [
        True,
        True,
        False,
        False,
    ]
    directing.start(make_event(2, club=None).pk, host)
    MemberRow.objects.create(club=club, user=people[1], since=0)
    services.join(row.pk, people[1])
    directing.start(row.pk, host)
    advance(row)
    match = row.pairings.get().games.get().match
    assert (match.is_private, match.club) == (True, club)


def test_new_tournaments_are_limited(make_event, limits):
    limits(new_tournaments="1/hour")
    make_event()
    with pytest.raises(TooManyError):
        make_event()


def test_open_tournaments_of_a_host_are_limited(make_event, limits):
    limits(hosted_tournaments="1")
    make_event()
    assert code_of(make_event) == "tournament/too-many"


def test_entries_are_limited(make_event, people, limits):
    limits(tournament_entries="1/hour")
    row = make_event()
    services.join(row.pk, people[0])
    with pytest.raises(TooManyError):
        services.leave(row.pk, people[0])


def test_tournaments_of_a_player_are_limited(make_event, people, limits):
    limits(joined_tournaments="1")
    services.join(make_event().pk, people[0])
    assert code_of(lambda: services.join(make_event().pk, people[0])) == "tournament/too-many"


def test_players_of_a_tournament_are_limited(make_event, limits):
    limits(tournament_players="10", tournament_round_robin="5")
    assert code_of(lambda: make_event(most_players=11)) == "tournament/size"
    rules = {"format": RoundRobin(), "most_players": 6}
    assert code_of(lambda: make_event(**rules)) == "tournament/size"


def test_openings_of_a_tournament_are_limited(make_event, limits):
    limits(tournament_openings="2")
    assert make_event(openings="a1\na2").openings == ["a1", "a2"]
    with pytest.raises(InputError, match="The list has 3 openings; it must have 1 to 2"):
        make_event(openings="a1\na2\na3")


def test_actions_of_a_director_are_limited(make_event, host, limits):
    limits(tournament_actions="1/hour")
    row = make_event(2)
    directing.start(row.pk, host)
    with pytest.raises(TooManyError):
        directing.pause(row.pk, host)


def test_a_deleted_account_leaves_the_events_that_are_not_over(make_event, host):
    gone = User.objects.create(username="gone")
    rows = []
    for title in ("Open", "Running", "Finished"):
        row = make_event(2, title=title)
        services.join(row.pk, gone)
        rows.append(row)
    for row in rows[1:]:
        directing.start(row.pk, host)
    TournamentRow.objects.filter(pk=rows[2].pk).update(state=TournamentState.FINISHED)
    services.leave_all(gone)
    found = [list(row.entries.filter(user=gone)) for row in rows]
    assert [[one.is_withdrawn for one in some] for some in found] == [[], [True], [False]]
    steps = [row.log.last() for row in rows]
    assert [one.kind for one in steps] == ["left", "withdrawn", "started"]
    assert [(one.by, one.reason) for one in steps[:2]] == [(None, "")] * 2
    assert steps[0].data == {"user": gone.pk}


@pytest.fixture
def private(make_event, host):
    """A private event of a club with guests from another one."""
    clubs = [ClubRow.objects.create(slug=name, name=name, made_at=0) for name in ("owls", "hawks")]
    MemberRow.objects.create(club=clubs[0], user=host, since=0)
    row = make_event(club=clubs[0])
    row.guest_club, row.is_private = clubs[1], True
    row.save()
    MemberRow.objects.all().delete()
    return row


@pytest.mark.parametrize("reason", ["host", "club", "guest club", "entry", "invitation"])
def test_each_reason_alone_lets_a_user_see_a_private_event(private, host, people, reason):
    ann, bob, *_ = people
    other = ClubRow.objects.create(slug="others", name="others", made_at=0)
    MemberRow.objects.create(club=other, user=bob, since=0)
    if reason == "host":
        ann = host
    elif reason == "club":
        MemberRow.objects.create(club=private.club, user=ann, since=0)
    elif reason == "guest club":
        MemberRow.objects.create(club=private.guest_club, user=ann, since=0)
    elif reason == "entry":
        EntryRow.objects.create(tournament=private, user=ann, rating=1500, joined_at=0)
    else:
        InvitationRow.objects.create(tournament=private, user=ann, at=0)
    assert [may_see(private, user) for user in (ann, bob, None)] == [True, False, False]
    assert [find(private.slug, user) for user in (ann, bob, None)] == [private, None, None]
    seen = TournamentRow.objects.filter(visible_to(ann))
    assert list(seen) == [private]
    private.is_private = False
    private.save()
    for user in (ann, bob, None):
        assert may_see(private, user)
        assert TournamentRow.objects.filter(visible_to(user)).count() == 1


def test_reasons_to_see_one_private_event_are_none_to_see_another(private, ann):
    other = TournamentRow.objects.get(pk=private.pk)
    other.pk, other.slug, other.club, other.guest_club = None, "other", None, None
    other._state.adding = True
    other.save()
    EntryRow.objects.create(tournament=private, user=ann, rating=1500, joined_at=0)
    InvitationRow.objects.create(tournament=private, user=ann, at=0)
    MemberRow.objects.create(club=private.club, user=ann, since=0)
    assert list(TournamentRow.objects.filter(visible_to(ann))) == [private]


def test_hosts_and_moderators_direct(make_event, host, moderator, people):
    row = make_event()
    users = (host, moderator, people[0], None)
    assert [may_direct(row, user) for user in users] == [True, True, False, False]


def fault_of(row, user):
    """Return code and text of why a user may not join an event."""
    fault = services.why_not(row, user)
    return fault and (fault.code, fault.message)


CLOSED = ("tournament/closed", "Registration is closed.")
ACCOUNT = ("tournament/account", "Tournaments need an account.")


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (TournamentState.ANNOUNCED, ("tournament/closed", "Registration is not open yet.")),
        (TournamentState.OPEN, None),
        (TournamentState.CHECK_IN, None),
        (TournamentState.RUNNING, CLOSED),
        (TournamentState.PAUSED, CLOSED),
        (TournamentState.FINISHED, CLOSED),
        (TournamentState.CANCELLED, CLOSED),
    ],
)
def test_players_join_while_registration_is_open(make_event, people, state, fault):
    row = make_event()
    row.state = state
    assert fault_of(row, people[0]) == fault


@pytest.mark.parametrize(("latest", "fault"), [(0, None), (1, None), (2, CLOSED), (3, CLOSED)])
def test_late_players_join_until_their_round_is_paired(make_event, people, latest, fault):
    row = make_event(format=Swiss(rounds=4, late_entry=2))
    row.state, row.round, row.last_round = TournamentState.RUNNING, latest, 4
    assert fault_of(row, people[0]) == fault
    row.state = TournamentState.PAUSED
    assert fault_of(row, people[0]) == CLOSED


def test_the_reason_not_to_join_is_told(make_event, host, ann, bob):
    row = make_event()
    guest = User.objects.create(username="Guest 1", is_guest=True)
    engine = computer("1")
    bot = User.objects.create(username="robby", first_name=BOT)
    assert [fault_of(row, user) for user in (None, guest, engine)] == [ACCOUNT] * 3
    assert fault_of(row, bot) == ("tournament/bots", "This tournament is not for bots.")
    row.allows_bots = True
    assert fault_of(row, bot) is None
    owls, hawks = (
        ClubRow.objects.create(slug=name.lower(), name=name, made_at=0)
        for name in ("Owls", "Hawks")
    )
    MemberRow.objects.create(club=hawks, user=bob, since=0)
    row.club = owls
    message = "This tournament is for members of Owls."
    assert [fault_of(row, user) for user in (ann, bob)] == [("tournament/club", message)] * 2
    row.guest_club = hawks
    message = "This tournament is for members of Owls, Hawks."
    assert [fault_of(row, user) for user in (ann, bob)] == [("tournament/club", message), None]
    row.club = row.guest_club = None
    row.by_invitation = True
    message = "Only invited players may join this tournament."
    assert [fault_of(row, user) for user in (ann, host)] == [
        ("tournament/invitation", message),
        None,
    ]


def test_an_event_is_full_without_players_who_have_left(make_event, people):
    row = make_event(2, most_players=2)
    full = ("tournament/full", "This tournament is full: it has 2 players.")
    assert fault_of(row, people[0]) == full
    row.entries.filter(user__username="p000").update(is_withdrawn=True)
    assert fault_of(row, people[0]) is None


@pytest.fixture
def rated(people):
    """A player whose rating of 1600 in the pool of the events is from three games."""
    pool = PoolRow.objects.create(game_id="hex", speed="blitz", board_class="small")
    more = {"deviation": 40, "latest": now(), "established_until": now() + HOUR}
    RatingRow.objects.create(user=people[0], pool=pool, value=1600.4, games=3, **more)
    return people[0]


@pytest.mark.parametrize(
    ("lowest", "highest", "label"),
    [
        (None, None, ""),
        (1_600, 1_600, ""),
        (1_601, None, "rating from 1601"),
        (None, 1_599, "rating up to 1599"),
        (1_601, 1_700, "rating 1601 to 1700"),
    ],
)
def test_players_have_a_rating_in_the_range(make_event, rated, lowest, highest, label):
    row = make_event(lowest=lowest, highest=highest)
    message = f"This tournament requires a {label}; yours is 1600."
    assert fault_of(row, rated) == (("tournament/rating", message) if label else None)
    if not label:
        entry = services.join(row.pk, rated)
        assert (entry.rating, entry.is_provisional) == (1_600, False)


def test_players_have_enough_rated_games(make_event, rated, people):
    row = make_event(least_games=3)
    assert fault_of(row, rated) is None
    row.least_games = 4
    message = "Players need 4 rated games of this kind; you have 3."
    assert fault_of(row, rated) == ("tournament/games", message)
    row.least_games = 1
    message = "Players need 1 rated game of this kind; you have 0."
    assert fault_of(row, people[1]) == ("tournament/games", message)


def test_a_player_who_joins_during_check_in_is_checked_in(make_event, people):
    row = make_event(starts_at=now() + HOUR, check_in=15)
    assert not services.join(row.pk, people[0]).is_checked_in
    TournamentRow.objects.update(state=TournamentState.CHECK_IN)
    assert services.join(row.pk, people[1]).is_checked_in
    entry = row.entries.get(user=people[1])
    assert (entry.number, entry.place, entry.free_since, entry.team) == (None, None, None, None)
    assert (entry.rating, entry.is_provisional, entry.is_withdrawn) == (1_500, True, False)
    step = row.log.last()
    assert (step.kind, step.by) == ("joined", people[1])
    assert step.data == {"user": people[1].pk, "players": [], "places": []}


def test_a_player_checks_in_once(make_event, people):
    row = make_event(starts_at=now() + HOUR, check_in=15)
    services.join(row.pk, people[0])
    with pytest.raises(InputError, match="Check-in is not open"):
        services.check_in(row.pk, people[0])
    TournamentRow.objects.update(state=TournamentState.CHECK_IN)
    for _ in range(2):
        services.check_in(row.pk, people[0])
    assert row.entries.get().is_checked_in
    assert row.log.filter(kind="checked-in").count() == 1
    assert code_of(lambda: services.check_in(row.pk, people[1])) == "tournament/not-in"


def test_a_player_enters_a_running_ladder_with_the_next_number_and_place(
    make_event, host, people, clocks
):
    row = make_event(2, format=Ladder(), control="3d/move+10d")
    directing.start(row.pk, host)
    clocks.advance(MINUTE)
    entry = services.join(row.pk, people[0])
    assert (entry.number, entry.place, entry.free_since) == (3, 3, now())
    row.refresh_from_db()
    assert row.due_at == now()
    assert row.log.last().data == {
        "user": people[0].pk,
        "players": [[3, people[0].pk]],
        "places": [[3, 3]],
    }
    services.leave(row.pk, people[0])
    services.join(row.pk, people[1])
    entry = services.join(row.pk, people[0])
    assert (entry.number, entry.place, entry.is_withdrawn) == (3, 4, False)


def test_a_late_player_of_an_arena_has_no_place(make_event, host, people):
    row = make_event(2, format=Arena(minutes=30))
    directing.start(row.pk, host)
    entry = services.join(row.pk, people[0])
    assert (entry.number, entry.place) == (3, None)
    assert row.log.last().data["places"] == []


def test_an_event_that_is_full_is_due_at_once_if_it_starts_then(make_event, people, clocks):
    for starts_when_full in (False, True):
        row = make_event(1, most_players=2, starts_when_full=starts_when_full)
        row.refresh_from_db()
        assert row.due_at is None
        services.join(row.pk, people[0])
        row.refresh_from_db()
        assert row.due_at == (now() if starts_when_full else None)


def test_only_tournaments_that_are_not_over_count_for_the_limits(make_event, host, people, limits):
    limits(joined_tournaments="1", hosted_tournaments="1")
    row = make_event()
    with pytest.raises(InputError, match="You host 1 tournaments that are not over"):
        make_event()
    services.join(row.pk, people[0])
    directing.cancel(row.pk, host, "rain")
    again = make_event()
    services.join(again.pk, people[0])
    TournamentRow.objects.filter(pk=again.pk).update(host=people[3])
    third = make_event()
    with pytest.raises(InputError, match="You are in 1 tournaments that are not over"):
        services.join(third.pk, people[0])
    again.entries.update(is_withdrawn=True)
    services.join(third.pk, people[0])


def test_leaving_is_told_by_the_log_and_refused_when_the_event_is_over(make_event, host, people):
    row = make_event(2)
    services.join(row.pk, people[0])
    services.leave(row.pk, people[0])
    step = row.log.last()
    assert (step.kind, step.by, step.data) == ("left", people[0], {"user": people[0].pk})
    directing.cancel(row.pk, host, "rain")
    with pytest.raises(InputError, match="This tournament is over"):
        services.leave(row.pk, User.objects.get(username="p000"))
