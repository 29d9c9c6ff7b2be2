"""Open challenges: visibility, eligibility and filters."""

from typing import Any

import pytest
from django.test import Client

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.web.accounts.models import User
from antipodes.web.challenges import selectors, services
from antipodes.web.challenges.eligibility import Viewer
from antipodes.web.challenges.filters import Filter
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.selectors import (
    open_challenges,
    personal_challenges,
    requirement_labels,
)
from antipodes.web.challenges.services import GameRequest, Opponent, join, request_game
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.relations.services import block
from tests.raising import code_of

pytestmark = pytest.mark.django_db


def post(user, game_id="hex", options=None, **more):
    more.setdefault("opponent", Opponent.ANYBODY)
    return request_game(user, GameRequest(game=make_game(game_id, options or {}), **more))


def shown(user, **chosen):
    return [line.row for line in open_challenges(Viewer(user), Filter(**chosen)).lines]


@pytest.fixture
def rate(people):
    """Return a function that gives a user a correspondence rating on the standard Hex board."""

    def make(user, value, deviation=50.0):
        pool, _ = PoolRow.objects.get_or_create(
            game_id="hex", speed=Speed.CORRESPONDENCE, board_class=BoardClass.STANDARD
        )
        RatingRow.objects.create(
            pool=pool, user=user, value=value, deviation=deviation, games=9, latest=now()
        )

    return make


@pytest.fixture
def guest(db):
    return User.objects.create(username="Guest 1", is_guest=True)


CHOICES = [
    ({"game": "antipod"}, [1]),
    ({"speed": "blitz"}, [2]),
    ({"speed": "correspondence"}, [0, 1, 3]),
    ({"board": "small"}, [3]),
    ({"rated": "yes"}, [0]),
    ({"rated": "no", "game": "hex"}, [2, 3]),
    ({}, [0, 1, 2, 3]),
    ({"game": "antipode"}, []),
]


@pytest.mark.parametrize(("chosen", "expected"), CHOICES)
def test_a_filter_shows_matching_challenges(ann, bob, chosen, expected):
    rows = [
        post(ann, rated=True),
        post(ann, "antipod"),
        post(ann, control=read_control("3m+2s")),
        post(ann, options={"size": 5}),
    ]
    assert {row.pk for row in shown(bob, **chosen)} == {rows[number].pk for number in expected}


def test_an_invalid_filter_matches_everything():
    chosen = Filter.read({"game": "chess", "speed": "warp", "rated": "maybe", "fitting": "1"})
    assert chosen == Filter()
    assert Filter.read_text("%%%&game=hex&&x") == Filter(game="hex")


def test_a_filter_is_parsed_from_its_text():
    chosen = Filter(game="hex", speed="blitz", rated="no", fitting="yes")
    assert Filter.read_text(chosen.text) == chosen


def test_a_filter_is_remembered_until_another_is_chosen(browsers, people):
    ann, *_ = browsers
    post(people[1])
    post(people[1], "antipod")
    chosen = ann.get("/lobby/?chosen=1&game=hex")
    again = ann.get("/lobby/")
    for answer in (chosen, again):
        assert "/new/hex" not in answer.context["now"][0]
        assert "game=hex" in answer.content.decode()
        assert len(answer.context["now"][0].split('<li class="challenge">')) == 2
    version = again.context["now"][1]
    assert ann.get(f"/lobby/now/?game=hex&v={version}").status_code == 204
    assert ann.get(f"/lobby/now/?v={version}").status_code == 200
    ann.get("/lobby/?chosen=1")
    assert len(ann.get("/lobby/").context["now"][0].split('<li class="challenge">')) == 3


def test_only_players_within_the_rating_range_can_join(ann, bob, cy, dee, rate, guest):
    rate(bob, 1400), rate(cy, 1600)
    row = post(ann, lowest=1500, highest=1700)
    assert code_of(join, row.slug, bob) == "lobby/rating"
    assert code_of(join, row.slug, guest) == "lobby/accounts-only"
    assert shown(bob, fitting="yes") == []
    assert shown(bob) == shown(cy, fitting="yes") == [row]
    assert join(row.slug, cy) is not None
    assert code_of(join, row.slug, dee) == "match/full"


def test_the_rating_range_is_centred_on_the_challengers_rating(ann, bob, dee, rate):
    rate(ann, 1800), rate(bob, 1550)
    row = post(ann, within=200)
    assert (row.lowest, row.highest) == (1600, 2000)
    narrower = post(ann, within=200, lowest=1700, highest=1900)
    assert (narrower.lowest, narrower.highest) == (1700, 1900)
    wider = post(ann, within=200, lowest=1000, highest=3000)
    assert (wider.lowest, wider.highest) == (1600, 2000)
    rate(dee, 150)
    low = post(dee, within=200)
    assert (low.lowest, low.highest) == (0, 350)
    assert code_of(join, row.slug, bob) == "lobby/rating"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"lowest": 1700, "highest": 1500}, "lobby/range"),
        ({"uses": 2}, "lobby/uses"),
        ({"uses": 0}, "lobby/uses"),
        ({"uses": 0, "opponent": Opponent.LINK}, "lobby/uses"),
        ({"uses": 101, "opponent": Opponent.LINK}, "lobby/uses"),
        ({"opponent": Opponent.CLUB}, "lobby/no-club"),
    ],
)
def test_contradicting_requirements_are_refused(people, options, code):
    assert code_of(post, people[0], **options) == code
    assert not ChallengeRow.objects.exists()


@pytest.mark.parametrize("opponent", [Opponent.ANYBODY, Opponent.LINK, Opponent.COMPUTER])
def test_a_club_belongs_to_challenges_of_its_members_only(people, opponent):
    club = clubs.create_club(people[0], clubs.ClubDetails(name="Club"))
    assert code_of(post, people[0], opponent=opponent, club=club) == "lobby/no-club"


def test_requirements_at_their_limits_are_accepted(people):
    assert post(people[0], lowest=1500, highest=1500).lowest == 1500
    assert post(people[0], lowest=1500).highest is None
    assert post(people[0], highest=1500).lowest is None
    assert post(people[0], opponent=Opponent.LINK, uses=100).uses == 100


def test_a_request_without_details_posts_a_plain_challenge(people):
    row = post(people[0])
    wanted: dict[str, Any] = {
        "rated": False,
        "analysis": True,
        "points": None,
        "seat": None,
        "computers": [],
    }
    open_to_all = {"is_listed": True, "is_private": False, "club": None, "uses": 1, "start": None}
    limits = {"lowest": None, "highest": None, "accounts_only": False, "established_only": False}
    for name, value in {**wanted, **open_to_all, **limits, "expires_at": None}.items():
        assert getattr(row, name) == value, name


def test_provisional_ratings_can_be_excluded(ann, bob, cy, rate):
    rate(cy, 1500)
    row = post(ann, established_only=True)
    assert code_of(join, row.slug, bob) == "lobby/provisional"
    assert join(row.slug, cy) is not None


def test_guests_can_be_excluded(people, guest):
    row = post(people[0], accounts_only=True)
    assert code_of(join, row.slug, guest) == "lobby/accounts-only"
    assert join(row.slug, people[1]) is not None


def test_the_page_explains_why_the_viewer_cannot_join(browsers, people, rate):
    rate(people[1], 1200)
    row = post(people[0], lowest=1500)
    page = browsers[1].get(f"/c/{row.slug}/").text
    assert "1200" in page
    assert f"/c/{row.slug}/join" not in page
    answer = browsers[1].post(f"/c/{row.slug}/join")
    assert answer.status_code == 409
    assert b"1200" in answer.content
    assert f"/c/{row.slug}/join" in browsers[2].get(f"/c/{row.slug}/").text


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"established_only": True}, "lobby/accounts-only"),
        ({"lowest": 100}, "lobby/accounts-only"),
        ({"highest": 3_000}, "lobby/accounts-only"),
        ({"rated": True}, "match/rated"),
    ],
)
def test_a_guest_joins_no_rated_game_and_none_with_requirements(people, guest, details, code):
    row = post(people[0], **details)
    assert code_of(join, row.slug, guest) == code
    assert shown(guest, fitting="yes") == []
    assert join(post(people[0]).slug, guest) is not None


def test_a_challenge_expires_at_its_time_to_the_millisecond(ann, bob, clocks):
    row = post(ann, hours=1)
    assert row.expires_at == row.made_at + 3_600_000
    clocks.advance(3_599_999)
    assert shown(bob) == shown(bob, fitting="yes") == [row]
    assert [line.row for line in personal_challenges(ann).own] == [row]
    page = Client().get(f"/c/{row.slug}/")
    assert (page.status_code, page.context["time_left"]) == (200, "0\xa0s")
    clocks.advance(1)
    assert shown(bob) == []
    assert personal_challenges(ann).own == []
    assert code_of(join, row.slug, bob) == "lobby/expired"
    assert Client().get(f"/c/{row.slug}/").status_code == 410


def test_the_newest_challenges_are_shown_and_the_others_counted(people, monkeypatch, rate, clocks):
    monkeypatch.setattr("antipodes.web.challenges.selectors._MOST_OPEN", 2)
    ann, bob, *_ = people
    rate(ann, 1600)
    rows = [post(ann)]
    for more in range(3):
        clocks.advance(1)
        rows.append(post(ann))
        for chosen in (Filter(), Filter(fitting="yes")):
            found = open_challenges(Viewer(bob), chosen)
            assert [line.row for line in found.lines] == rows[:-3:-1]
            assert {line.rating for line in found.lines} == {"1600"}
            assert found.more == more
            assert found.is_filtered == bool(chosen.text)


def test_a_user_finds_own_and_joined_challenges_in_one_list(people, ann, bob, cy, clocks):
    own = post(ann, computers=((3, "2"),), seat=0, **TEAM)
    clocks.advance(1)
    theirs = post(bob, **TEAM)
    for user in (ann, cy):
        join(theirs.slug, user)
    post(cy)
    post(ann, opponent=Opponent.COMPUTER)
    lines = personal_challenges(ann).own
    assert [(line.row, line.taken, line.seats, line.is_mine) for line in lines] == [
        (theirs, 3, 4, True),
        (own, 2, 4, True),
    ]
    assert [line.row.by for line in open_challenges(Viewer(ann), Filter()).lines] == [cy]
    assert shown(None) == shown(people[3])
    assert len(shown(None)) == 3


def test_an_invitation_is_listed_until_it_is_accepted(ann, bob, cy, dee, rate):
    rate(ann, 1600)
    team = post(ann, opponent=Opponent.PEOPLE, people=(bob, cy, dee), **TEAM)
    single = post(ann, opponent=Opponent.PEOPLE, people=(bob,))
    listed = [
        (line.row, line.rating, line.is_mine) for line in personal_challenges(bob).invitations
    ]
    assert listed == [(single, "1600", False), (team, "", False)]
    join(team.slug, bob)
    assert [line.row for line in personal_challenges(bob).invitations] == [single]
    assert [line.row for line in personal_challenges(cy).invitations] == [team]
    assert [line.row for line in personal_challenges(bob).own] == [team]


def test_many_invitations_hide_no_own_challenge_and_are_not_all_read(ann, bob, monkeypatch, clocks):
    monkeypatch.setattr(selectors, "_MOST_OWN", 1)
    own = post(bob)
    invitations = []
    for _ in range(3):
        clocks.advance(1)
        invitations.append(post(ann, opponent=Opponent.PEOPLE, people=(bob,)))
    read = []
    line_of = selectors.challenge_line

    def counted(row, user):
        read.append(row)
        return line_of(row, user)

    monkeypatch.setattr(selectors, "challenge_line", counted)
    personal = personal_challenges(bob)
    assert [line.row for line in personal.own] == [own]
    assert [line.row for line in personal.invitations] == invitations[-1:]
    assert len(read) == 2


def test_blocked_players_neither_see_nor_join_challenges(ann, bob):
    row = post(ann)
    block(ann, bob)
    assert shown(bob) == []
    assert code_of(join, row.slug, bob) == "community/not-together"


def test_only_members_can_join_challenges_of_a_club(ann, bob, cy, browsers):
    club = clubs.create_club(ann, clubs.ClubDetails(name="Club"))
    membership.join(club, bob)
    row = post(ann, opponent=Opponent.CLUB, club=club, is_private=True)
    assert shown(bob) == [row]
    assert shown(cy) == shown(None) == []
    assert code_of(join, row.slug, cy) == "lobby/members-only"
    for part in ("", "now"):
        address = f"/c/{row.slug}/{part}"
        assert browsers[2].get(address).status_code == (200 if part == "now" else 404)
        assert b">ann<" not in browsers[2].get(address).content
    assert browsers[2].post(f"/c/{row.slug}/join").status_code == 404
    match = join(row.slug, bob)
    assert match is not None
    assert (match.is_private, match.club) == (True, club)
    assert browsers[2].get(f"/c/{row.slug}/").status_code == 404
    assert browsers[1].get(f"/c/{row.slug}/").status_code == 302
    assert code_of(post, cy, opponent=Opponent.CLUB, club=club) == "lobby/members-only"


def test_a_leaving_members_challenges_are_withdrawn(ann, bob):
    club = clubs.create_club(ann, clubs.ClubDetails(name="Club"))
    membership.join(club, bob)
    post(bob, opponent=Opponent.CLUB, club=club)
    post(bob)
    clubs.leave(club, bob)
    assert [row.club for row in ChallengeRow.objects.all()] == [None]


def test_open_challenges_of_a_user_are_limited(people, monkeypatch):
    monkeypatch.setattr("antipodes.web.challenges.services.MOST_WAITING", 1)
    row = post(people[0])
    with pytest.raises(InputError, match="you have 1 open challenges; cancel one first") as caught:
        post(people[0])
    assert caught.value.code == "lobby/too-many"
    join(row.slug, people[1])
    assert post(people[0]).match is None


FORM = {"control": "unlimited", "analysis": "on"}


def test_the_form_sets_requirements_on_opponents(browsers, people, rate):
    rate(people[0], 1650)
    fields = {"opponent": "anybody", "within": "200", "established_only": "on", "hours": "24"}
    browsers[0].post("/new/hex/", {**FORM, **fields})
    row = ChallengeRow.objects.get()
    assert (row.lowest, row.highest, row.established_only) == (1450, 1850, True)
    assert (row.speed, row.board_class) == ("correspondence", "standard")
    assert row.expires_at is not None
    assert 0 < row.expires_at - now() <= 86_400_000


def test_hidden_fields_are_ignored(browsers):
    fields = {"opponent": "people", "names": "bob", "within": "200", "uses": "5"}
    browsers[0].post("/new/hex/", {**FORM, **fields})
    row = ChallengeRow.objects.get()
    assert (row.lowest, row.uses) == (None, 1)


def test_the_form_offers_only_the_users_clubs(browsers, ann, bob):
    mine = clubs.create_club(ann, clubs.ClubDetails(name="Mine"))
    clubs.create_club(bob, clubs.ClubDetails(name="Strangers"))
    page = browsers[0].get(f"/new/hex/?opponent=club&club={mine.slug}").content
    assert b"Mine" in page
    assert b"Strangers" not in page
    assert b"club of mine" not in browsers[2].get("/new/hex/").content
    fields = {"opponent": "club", "club": "mine", "is_private": "on"}
    browsers[0].post("/new/hex/", {**FORM, **fields})
    row = ChallengeRow.objects.get()
    assert (row.club, row.is_private, row.is_listed) == (mine, True, True)
    wrong = browsers[0].post("/new/hex/", {**FORM, "opponent": "club", "club": "strangers"})
    assert wrong.status_code == 200
    assert ChallengeRow.objects.count() == 1


def test_private_games_against_the_computer_are_private(browsers):
    browsers[0].post(
        "/new/hex/", {**FORM, "opponent": "computer", "level": "1", "is_private": "on"}
    )
    row = MatchRow.objects.get()
    assert row.is_private
    assert browsers[1].get(f"/m/{row.slug}/").status_code == 404


TEAM = {"game_id": "antipalos", "options": {"seats": "team"}}


def players_of(row):
    """Return who has joined a challenge, and who is invited to it."""
    joined = row.joins.order_by("pk").values_list("user__username", flat=True)
    return list(joined), list(row.invited.values_list("username", flat=True))


def test_a_player_who_blocks_another_leaves_their_challenges(ann, bob, cy, dee):
    own, theirs, of_another = (post(user, **TEAM) for user in (ann, bob, cy))
    join(own.slug, bob)
    join(theirs.slug, ann)
    for user in (ann, bob):
        join(of_another.slug, user)
    for row in (own, theirs):
        join(row.slug, dee)
    block(ann, bob)
    assert players_of(own)[0] == ["dee"]
    assert players_of(theirs)[0] == ["dee"]
    assert players_of(of_another)[0] == ["bob"]


@pytest.mark.parametrize("is_host", [True, False])
def test_a_block_declines_the_invitations_between_two_players(ann, bob, cy, is_host):
    row = post(ann, opponent=Opponent.PEOPLE, people=(bob,))
    other = post(cy, opponent=Opponent.PEOPLE, people=(bob,))
    block(*((ann, bob) if is_host else (bob, ann)))
    assert list(ChallengeRow.objects.all()) == [other]
    assert not ChallengeRow.objects.filter(pk=row.pk).exists()


def test_all_challenges_and_seats_of_a_suspended_player_are_withdrawn(ann, bob, cy):
    post(ann)
    begun = post(bob)
    join(begun.slug, ann)
    waiting = post(cy, **TEAM)
    for user in (ann, bob):
        join(waiting.slug, user)
    services.withdraw_all(ann)
    assert set(ChallengeRow.objects.all()) == {begun, waiting}
    assert players_of(waiting)[0] == ["bob"]


def test_requirements_of_a_challenge_are_named(people):
    def labels(**more):
        return requirement_labels(ChallengeRow(by=people[0], **more))

    assert labels() == ()
    assert labels(lowest=1_500) == ("rating from 1500",)
    assert labels(accounts_only=True) == ("with an account",)
    assert labels(accounts_only=True, rated=True) == ()
    assert labels(highest=1_600, established_only=True) == (
        "rating up to 1600",
        "with an established rating",
    )


def test_the_form_names_ranges_numbers_of_matches_and_points(client):
    text = client.get("/new/antipalos/").text
    for label in ("mine ± 100", "20 players, a match with each", "to 6 points"):
        assert f">{label}<" in text, label
