"""Challenge links: uses, expiry, cancelling and QR codes."""

import re

import pytest
from django.test import Client

from antipodes.games.registry import make_game
from antipodes.match import Resign
from antipodes.web.challenges.models import ChallengeMatchRow, ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent, fill, join, request_game
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matchmaking import services
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, TooManyError
from antipodes.web.site_pages.views import qr_svg
from tests.raising import code_of

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def owner(people):
    browser = Client()
    browser.force_login(people[0], BACKEND)
    return browser


def link(user, **options):
    return request_game(user, GameRequest(game=make_game("hex"), opponent=Opponent.LINK, **options))


def joined(row, user):
    """Join by a link, and return the match that starts."""
    match = join(row.slug, user)
    assert match is not None
    return match


def test_a_multi_use_link_starts_a_match_with_each_player(ann, bob, cy, dee, owner):
    row = link(ann, uses=2)
    matches = [joined(row, user) for user in (bob, cy)]
    assert len({match.pk for match in matches}) == 2
    assert [one.match for one in row.begun.all()] == matches
    assert code_of(join, row.slug, dee) == "match/full"


def test_the_owner_sees_the_matches_of_a_link(people, owner):
    row = link(people[0], uses=3)
    before = owner.get(f"/c/{row.slug}/now").context["version"]
    join(row.slug, people[1])
    shown = owner.get(f"/c/{row.slug}/now", {"v": before})
    assert shown.status_code == 200
    assert f"/m/{MatchRow.objects.get().slug}/".encode() in shown.content
    page = Client().get(f"/c/{row.slug}/")
    assert page.status_code == 200
    assert MatchRow.objects.get().slug.encode() not in page.content


def test_a_player_who_opens_the_link_again_gets_the_match(people):
    row = link(people[0], uses=3)
    browser = Client()
    browser.force_login(people[1], BACKEND)
    match = browser.post(f"/c/{row.slug}/join").headers["Location"]
    assert browser.get(f"/c/{row.slug}/").headers["Location"] == match
    assert browser.post(f"/c/{row.slug}/join").headers["Location"] == match
    assert MatchRow.objects.count() == 1
    carry_out(MatchRow.objects.get().slug, Resign(seat=0, ply=0, key="resigned"))
    assert browser.post(f"/c/{row.slug}/join").headers["Location"] != match


def test_the_owner_sees_the_latest_matches_of_a_link_first(people, owner, monkeypatch):
    monkeypatch.setattr("antipodes.web.challenges.views._MOST_BEGUN", 2)
    row = link(people[0], uses=5)
    matches = [joined(row, user) for user in people[1:]]
    page = owner.get(f"/c/{row.slug}/")
    assert [line.row for line in page.context["begun"]] == matches[:0:-1]
    assert page.context["row"].uses == 2


def test_games_of_a_challenge_with_computers_are_limited_like_others(people, ann, bob, monkeypatch):
    team = GameRequest(
        game=make_game("antipalos", {"seats": "team"}),
        opponent=Opponent.LINK,
        computers=((2, "1"), (3, "1")),
    )
    row = request_game(ann, team)
    for user in (ann, bob):
        request_game(user, GameRequest(game=make_game("hex")))
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "1")
    for refused in (lambda: request_game(ann, team), lambda: join(row.slug, bob)):
        assert code_of(refused) == "work/too-many-games"
    assert join(row.slug, people[2]) is not None


def test_joining_by_link_creates_a_guest(people):
    row = link(people[0], uses=2)
    for _ in range(2):
        assert Client().post(f"/c/{row.slug}/join").status_code == 302
    guests = [seat.user for match in MatchRow.objects.all() for seat in match.seats.all()]
    assert sum(user.is_guest for user in guests) == 2


def test_the_computer_takes_one_use(people):
    row = link(people[0], uses=2)
    fill(row.slug, people[0], "1")
    row.refresh_from_db()
    assert (row.uses, row.match) == (1, None)
    assert join(row.slug, people[1]) is not None


def test_a_link_expires(people, owner):
    row = link(people[0], hours=1)
    assert owner.get(f"/c/{row.slug}/").status_code == 200
    ChallengeRow.objects.update(expires_at=now())
    assert code_of(join, row.slug, people[1]) == "lobby/expired"
    for browser in (owner, Client()):
        answer = browser.get(f"/c/{row.slug}/")
        assert answer.status_code == 410
        assert b"expired" in answer.content
        assert f"/c/{row.slug}/join" not in answer.text
    assert row.slug not in owner.get("/lobby/").context["now"][0]
    services.delete_expired_challenges()
    assert ChallengeRow.objects.exists()
    ChallengeRow.objects.update(expires_at=now() - 2 * 86_400_000)
    services.delete_expired_challenges()
    assert not ChallengeRow.objects.exists()


def test_the_matches_of_a_cancelled_link_continue(people, owner):
    row = link(people[0], uses=2)
    match = joined(row, people[1])
    owner.post(f"/c/{row.slug}/cancel")
    assert Client().get(f"/c/{row.slug}/").status_code == 404
    assert Client().post(f"/c/{row.slug}/join").status_code == 404
    assert MatchRow.objects.get() == match


def test_a_private_link_starts_private_matches(people, owner):
    row = link(people[0], is_private=True)
    match = joined(row, people[1])
    assert match.is_private
    assert not ChallengeMatchRow.objects.exists()
    assert owner.get(f"/c/{row.slug}/").headers["Location"] == f"/m/{match.slug}/"
    assert Client().get(f"/c/{row.slug}/").status_code == 404


def test_games_for_four_need_a_link_for_one_match(people):
    request = GameRequest(
        game=make_game("antipalos", {"seats": "team"}), opponent=Opponent.LINK, uses=2
    )
    assert code_of(request_game, people[0], request) == "lobby/uses"


def test_a_link_has_a_qr_code(people, owner):
    row = link(people[0])
    page = owner.get(f"/c/{row.slug}/").content.decode()
    assert f'src="/qr.svg?path=%2Fc%2F{row.slug}%2F"' in page


def test_a_qr_code_has_finder_patterns_and_a_quiet_zone():
    svg = qr_svg("https://antipodes.example/c/abc/")
    [size] = map(int, re.findall(r'viewBox="0 0 (\d+)', svg))
    dark = {tuple(map(int, one)) for one in re.findall(r"M(\d+) (\d+)h", svg)}
    assert all(4 <= x < size - 4 and 4 <= y < size - 4 for x, y in dark)
    for left, top in ((4, 4), (size - 11, 4), (4, size - 11)):
        assert {(left + k, top) for k in range(7)} <= dark
        assert (left + 1, top + 1) not in dark


def test_games_that_a_player_joins_count_as_new_games(people, monkeypatch):
    row = link(people[0], uses=3)
    monkeypatch.setenv(NEW_GAMES.setting, "1/hour")
    joined(row, people[1])
    other = link(people[2])
    with pytest.raises(TooManyError):
        join(other.slug, people[1])
    assert MatchRow.objects.count() == 1
    assert not other.joins.exists()
    joined(other, people[3])  # neither the joiner's own games nor those of the owner
