"""Matches of two clubs: who plays for which, boards in order, and the score."""

import pytest

from antipodes.errors import InputError
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.team_match import TeamMatch
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import actions, directing, services
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.models import EntryRow, TournamentRow, TournamentState
from antipodes.web.tournaments.templatetags.tournaments import team_of
from tests.raising import code_of
from tests.web.tournaments.conftest import advance, play_out

pytestmark = pytest.mark.django_db


def player(name, *clubs):
    user, _ = User.objects.get_or_create(username=name)
    for club in clubs:
        MemberRow.objects.create(club=club, user=user, since=0)
    return user


@pytest.fixture
def owls(host):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    return club


@pytest.fixture
def hawks(db):
    return ClubRow.objects.create(slug="hawks", name="Hawks", made_at=0)


@pytest.fixture
def match(make_event, owls, hawks):
    """A match of three owls and two hawks that has not begun."""
    row = make_event(format=TeamMatch(boards=4), club=owls, guest_club=hawks, title="Derby")
    for name, club in (("o1", owls), ("h1", hawks), ("o2", owls), ("h2", hawks), ("o3", owls)):
        services.join(row.pk, player(name, club))
    return row


def test_players_meet_by_boards_and_the_teams_have_a_score(client, match, host):
    directing.start(match.pk, host)
    advance(match)
    boards = [
        (one.first.user.username, one.second.user.username)
        for one in match.pairings.select_related("first__user", "second__user")
    ]
    assert boards == [("o1", "h1"), ("h2", "o2")]
    play_out(match)
    assert match.state == TournamentState.FINISHED
    page = client.get(f"/tournament/{match.slug}/").text
    assert "Owls" in page
    assert "Score" in page
    data = client.get(f"/api/v1/tournaments/{match.slug}/standings").json()
    assert {line["person"]["name"]: line["team"] for line in data}["h1"] == 2
    assert client.get(f"/api/v1/tournaments/{match.slug}").json()["guestClub"] == "hawks"


def test_only_members_play_and_those_of_both_clubs_choose_one(client, match, owls, hawks):
    assert code_of(lambda: services.join(match.pk, player("stranger"))) == "tournament/club"
    both = player("both", owls, hawks)
    assert code_of(lambda: services.join(match.pk, both)) == "tournament/team"
    assert code_of(lambda: services.join(match.pk, both, 3)) == "tournament/team"
    owl = player("o9", owls)
    assert code_of(lambda: services.join(match.pk, owl, 2)) == "tournament/team"
    client.force_login(both)
    page = client.get(f"/tournament/{match.slug}/").text
    assert "Join for Owls" in page
    assert "Join for Hawks" in page
    actions.ACTIONS["join"](match, both, {"team": "2"})
    assert match.entries.get(user=both).team == 2


def test_members_of_both_clubs_see_a_private_match(match, hawks):
    match.is_private = True
    match.save()
    assert may_see(match, player("h5", hawks))
    assert not may_see(match, player("stranger"))


def test_a_match_without_players_of_both_clubs_does_not_start(
    make_event, host, owls, hawks, clocks
):
    starts = now() + 60_000
    row = make_event(format=TeamMatch(), club=owls, guest_club=hawks, starts_at=starts)
    for name in ("o1", "o2"):
        services.join(row.pk, player(name, owls))
    with pytest.raises(InputError, match="No player of one of the clubs"):
        directing.start(row.pk, host)
    clocks.advance(60_000)
    assert advance(row).state == TournamentState.CANCELLED


def test_a_team_match_has_two_clubs_and_no_other_format_has_them(make_event, owls, hawks):
    for plan in (
        {"format": TeamMatch(), "club": owls},
        {"format": TeamMatch(), "guest_club": hawks},
        {"format": TeamMatch(), "club": owls, "guest_club": owls},
        {"format": RoundRobin(), "club": owls, "guest_club": hawks},
    ):
        assert code_of(lambda plan=plan: make_event(**plan)) == "tournament/club"


def test_the_computer_plays_for_no_club(match, host):
    assert code_of(lambda: directing.add_computer(match.pk, host, "1")) == "tournament/bots"


def test_a_host_names_the_guest_club_in_the_form(client, host, owls, hawks):
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=team-match"
    form = {
        "title": "Derby",
        "control": "5m+5s",
        "most_players": "16",
        "check_in": "0",
        "club": "owls",
        "guest_club": "Eagles",
    }
    assert "There is no club Eagles." in client.post(where, form).text
    answer = client.post(where, {**form, "guest_club": "hawks"})
    row = TournamentRow.objects.get()
    assert answer.url == f"/tournament/{row.slug}/"
    assert (row.club, row.guest_club) == (owls, hawks)


def test_an_event_has_teams_if_it_has_two_clubs(owls, hawks):
    assert TournamentRow(club=owls, guest_club=hawks).teams == {1: owls, 2: hawks}
    for wanted in ({"club": owls}, {"guest_club": hawks}, {}):
        assert TournamentRow(**wanted).teams == {}


def test_players_are_shown_with_their_team(client, match):
    names = {1: "Owls", 2: "Hawks"}
    assert [team_of(EntryRow(team=team), names) for team in (1, 2, None)] == ["Owls", "Hawks", ""]
    context = client.get(f"/tournament/{match.slug}/").context
    assert (context["team_names"], context["joins_for"]) == (names, [])
    teams = [(one.user.username, one.team) for one in context["entrants"]]
    assert teams == [("o1", 1), ("h1", 2), ("o2", 1), ("h2", 2), ("o3", 1)]


def test_the_score_of_the_teams_has_their_names(client, match, host):
    directing.start(match.pk, host)
    advance(match)
    for table, result in ((1, "1-0"), (2, "draw")):
        directing.adjudicate(match.pk, host, 1, table, result, "agreed")
    [score, *_] = client.get(f"/tournament/{match.slug}/").context["parts"]
    assert score.teams == [("Owls", "1½"), ("Hawks", "½")]


def test_the_fault_of_a_choice_names_the_clubs(match, owls, hawks):
    with pytest.raises(InputError) as error:
        services.join(match.pk, player("both", owls, hawks))
    message = "Choose the club for which you play: 1 Owls, 2 Hawks."
    assert error.value.faults[0].message == message
    assert services.join(match.pk, player("o9", owls), 1).team == 1
    assert services.join(match.pk, player("h9", hawks)).team == 2


def test_the_computer_evens_out_no_team_match(make_event, host, owls, hawks):
    row = make_event(format=TeamMatch(), club=owls, guest_club=hawks, filler="1")
    services.join(row.pk, player("o1", owls))
    with pytest.raises(InputError, match="The game needs 2 players; 1 are here"):
        directing.start(row.pk, host)
    for name, club in (("h1", hawks), ("h2", hawks)):
        services.join(row.pk, player(name, club))
    directing.start(row.pk, host)
    assert row.entries.count() == 3
