"""Long lists are shown in pages, with links to those before and after."""

import pytest

from antipodes.games.registry import make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.club_pages import views as club_views
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.notifications import views as notification_views
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.services import notify
from antipodes.web.studies import services as studies
from antipodes.web.studies import views as study_views
from tests.web.paged import assert_paged

pytestmark = pytest.mark.django_db
NAMES = ["one", "two", "three", "four", "five"]


@pytest.mark.parametrize("query", ["", "?new"])
def test_notifications_are_shown_in_pages(client, people, monkeypatch, query):
    monkeypatch.setattr(notification_views, "_PAGE_SIZE", 2)
    client.force_login(people[0])
    for name in NAMES:
        notify(people[0], NotificationKind.MODERATION, key=name, text=f"number {name};")
    urls = assert_paged(client, f"/notices/{query}", [f"number {one};" for one in NAMES[::-1]])
    assert all(query.strip("?") in url for url in urls)


def test_clubs_are_shown_in_pages_also_of_a_search(client, people, monkeypatch):
    monkeypatch.setattr(club_views, "_ON_A_PAGE", 2)
    for number, name in enumerate(NAMES):
        clubs.create_club(people[number % 2], clubs.ClubDetails(name=f"Club {name}", slug=name))
    clubs.create_club(people[2], clubs.ClubDetails(name="Society", slug="society"))
    urls = assert_paged(client, "/clubs/?q=club", sorted(f"Club {one}<" for one in NAMES))
    assert all("q=club" in url for url in urls)


def test_members_of_a_club_are_shown_in_pages(client, people, monkeypatch):
    monkeypatch.setattr(club_views, "_ON_A_PAGE", 2)
    club = clubs.create_club(people[0], clubs.ClubDetails(name="Club", slug="club"))
    members = [User.objects.create(username=f"m-{name}") for name in NAMES]
    for user in members:
        membership.join(club, user)
    links = [f">{one.username}</a>" for one in (people[0], *members)]
    assert_paged(client, "/clubs/club/people/", links)


@pytest.mark.parametrize("query", ["", "?q=bridge", "?mine"])
def test_studies_are_shown_in_pages(client, people, monkeypatch, query):
    monkeypatch.setattr(study_views, "_ON_A_PAGE", 2)
    client.force_login(people[0])
    game = make_game("hex", {"size": 4, "swap": "off"})
    for name in NAMES:
        studies.create_study(people[0], f"Bridge {name}", "public", Record(game))
    urls = assert_paged(client, f"/studies/{query}", [f"Bridge {one}<" for one in NAMES[::-1]])
    assert all(query.strip("?") in url for url in urls)
