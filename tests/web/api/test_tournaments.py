"""Tournaments of clubs in the API, and lines that their streams do not repeat."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.tournaments import Swiss
from antipodes.web.api.tournament_stream import TournamentStream
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import Plan
from antipodes.web.tournaments.services import create_tournament, join

pytestmark = pytest.mark.django_db

CUP = {"title": "Cup", "format": "swiss", "game": "hex", "control": "5m+5s"}


@pytest.mark.parametrize("is_private", [False, True])
def test_a_member_hosts_a_tournament_of_the_club(ask, token, people, is_private):
    club = ClubRow.objects.create(name="Club", slug="club", made_at=1)
    MemberRow.objects.create(club=club, user=people[0], since=1)
    made = ask("POST", "tournaments", token(), {**CUP, "club": "club", "private": is_private})
    assert made.status_code == 200
    row = TournamentRow.objects.get(slug=made.data["slug"])
    assert (row.club, row.guest_club, row.is_private) == (club, None, is_private)
    refused = ask("POST", "tournaments", token(people[1]), {**CUP, "club": "club"})
    assert (refused.status_code, refused.data["code"]) == (403, "tournament/club")
    assert TournamentRow.objects.count() == 1


def test_the_state_of_a_tournament_is_sent_once_for_each_version(people):
    plan = Plan(title="Cup", format=Swiss(), game=make_game("hex"), control=read_control("5m+5s"))
    row = create_tournament(people[0], plan)
    stream = TournamentStream(row.slug, None)
    assert [line["type"] for line in stream._changes()] == ["tournament"]
    assert stream._changes() == []
    join(row.pk, people[1])
    (line,) = stream._changes()
    assert line["tournament"]["players"] == 1
    assert stream._changes() == []
