"""Who may host and join events, and how many."""

import pytest

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.tournaments import Arena, RoundRobin, Swiss, Tables, make_bout
from antipodes.web.accounts.models import BOT, User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.limits import TooManyError
from antipodes.web.tournaments import directing, plans, services
from antipodes.web.tournaments.access import may_see
from tests.web.tournaments.conftest import advance

pytestmark = pytest.mark.django_db

THREE = make_game("antipalos", {"seats": "cutthroat3"})
MAIL = make_game("antipalos", {"ruleset": "mail"})


def code_of(refused):
    with pytest.raises(InputError) as error:
        refused()
    return error.value.code


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
    assert code_of(lambda: services.create_tournament(guest, plan)) == "tournament/account"


def test_entries_follow_the_rules_of_the_event(make_event, host, people):
    ann, bob, *_ = people
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
