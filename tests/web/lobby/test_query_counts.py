"""Numbers of queries: they do not grow with the contents of the lobby or a club."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.matches.models import EventRow, MatchRow, SeatRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def crowd(count):
    """Create users with a challenge and matches in progress."""
    first = User.objects.count()
    users = User.objects.bulk_create(User(username=f"user{first + n}") for n in range(count))
    ChallengeRow.objects.bulk_create(
        ChallengeRow(
            game_id="hex",
            options={"size": 9},
            control="5m+5s",
            by=user,
            made_at=now(),
            speed="blitz",
            board_class="small",
            slug=f"c-{user.pk}",
            lowest=1000,
            highest=1600,
        )
        for user in users
    )
    rows = MatchRow.objects.bulk_create(
        MatchRow(
            game_id="hex",
            control="5m+5s",
            slug=f"m-{user.pk}",
            begun_at=now(),
            changed_at=now(),
            version=1,
            seat_to_move=0,
        )
        for user in users
    )
    SeatRow.objects.bulk_create(
        SeatRow(match=row, number=number, user=users[(index + number) % count])
        for index, row in enumerate(rows)
        for number in range(2)
    )


def queries(browser, address):
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(address).status_code == 200
    return len(captured)


@pytest.mark.parametrize("address", ["/lobby/now/", "/lobby/now/?fitting=yes&game=hex", "/lobby/"])
def test_queries_of_the_lobby_do_not_grow_with_challenges(people, address):
    browser = Client()
    browser.force_login(people[0], BACKEND)
    crowd(60)
    few = queries(browser, address)
    crowd(90)
    assert queries(browser, address) == few < 40
    shown = browser.get(address).context["lists"].open_challenges
    assert (len(shown.lines), shown.more) == (50, 100)


def test_queries_of_a_club_do_not_grow_with_members(people):
    club = clubs.create_club(people[0], clubs.ClubDetails(name="Club"))
    browser = Client()
    browser.force_login(people[0], BACKEND)

    def grow(count):
        crowd(count)
        for user in User.objects.exclude(memberships__club=club):
            membership.join(club, user)
        MatchRow.objects.update(club=club, is_private=True)
        ChallengeRow.objects.update(club=club)

    addresses = [f"/clubs/club/{part}" for part in ("", "people/", "leaderboard/")]
    grow(4)
    few = [queries(browser, address) for address in addresses]
    grow(30)
    assert [queries(browser, address) for address in addresses] == few


@pytest.mark.parametrize("is_private", [False, True])
def test_a_move_in_a_club_needs_no_more_queries(people, is_private):
    club = clubs.create_club(people[0], clubs.ClubDetails(name="Club"))
    users = people[:2]
    terms = Terms(game=make_game("hex"), players=tuple(str(user.pk) for user in users))
    plain = begin_match(terms, users)
    room = begin_match(terms, users, is_private=is_private, club=club)
    counts = []
    for row in (plain, room):
        carry_out(row.slug, Play(seat=0, ply=0, key="first one", move=0))
        with CaptureQueriesContext(connection) as captured:
            carry_out(row.slug, Play(seat=1, ply=1, key="second one", move=1))
        counts.append(len(captured))
    assert counts[0] == counts[1]
    assert EventRow.objects.count() == 4
