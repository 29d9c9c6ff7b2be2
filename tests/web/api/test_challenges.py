"""Challenges in the API are visible to those who may see them on the site."""

import pytest

from antipodes.clocks import HOUR
from antipodes.web.accounts import bots
from antipodes.web.challenges.models import ChallengeRow, JoinRow
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import block
from tests.web.api.conftest import person

OPEN = {"game": "hex"}
CUTTHROAT = {"game": "antipalos", "options": {"seats": "cutthroat3"}}


@pytest.fixture
def made(ask, token):
    """Return a function that makes a challenge and returns it as response data."""

    def make(user, **wanted):
        answer = ask("POST", "challenges", token(user), {**OPEN, **wanted})
        assert answer.status_code == 201, answer.data
        return answer.data["challenge"]

    return make


def test_a_challenge_has_all_its_fields(ask, token, people, made, clocks):
    wanted = {
        **CUTTHROAT,
        "opponent": "people",
        "people": ["bob", "cy"],
        "seat": 1,
        "computers": [{"seat": 2, "level": 4}],
        "control": "5m+5s",
        "private": True,
        "analysis": False,
        "hours": 2,
    }
    challenge = made(people[0], **wanted)
    told = {
        "slug": ChallengeRow.objects.get().slug,
        "game": "antipalos",
        "title": "Antipalos · seats cut-throat for three",
        "options": {"seats": "cutthroat3"},
        "control": "5m+5s",
        "speed": "blitz",
        "rated": False,
        "analysis": False,
        "points": None,
        "by": person("ann"),
        "seat": 1,
        "computers": [{"seat": 2, "level": "4"}],
        "joined": [],
        "invited": [person("bob"), person("cy")],
        "listed": False,
        "private": True,
        "club": None,
        "lowest": None,
        "highest": None,
        "accountsOnly": False,
        "establishedOnly": False,
        "expires": now() + 2 * HOUR,
        "mayJoin": False,
        "seats": 3,
        "free": [0],
        "made": now(),
        "match": None,
        "isMine": True,
    }
    assert challenge == told
    for user, may_join in ((people[1], True), (people[3], False), (None, False)):
        text = None if user is None else token(user)
        found = ask("GET", f"challenges/{told['slug']}", text).data
        assert found == {**told, "mayJoin": may_join, "isMine": False}


def test_an_open_challenge_lists_the_players_who_have_joined(ask, token, people, made):
    slug = made(people[0], **CUTTHROAT, lowest=1200, highest=1800)["slug"]
    ask("POST", f"challenges/{slug}/join", token(people[1]), {"seat": 2})
    found = ask("GET", f"challenges/{slug}", token(people[1])).data
    assert found["joined"] == [{"person": person("bob"), "seat": 2}]
    assert (found["free"], found["listed"], found["seat"]) == ([0, 1], True, None)
    assert (found["lowest"], found["highest"]) == (1200, 1800)
    assert (found["isMine"], found["mayJoin"]) == (True, False)
    assert ask("GET", f"challenges/{slug}", token(people[2])).data["mayJoin"]


def test_a_challenge_whose_match_has_begun_cannot_be_joined(ask, token, people, made):
    slug = made(people[0])["slug"]
    match = ask("POST", f"challenges/{slug}/join", token(people[1]), {}).data["match"]
    found = ask("GET", f"challenges/{slug}", token(people[2])).data
    assert (found["match"], found["mayJoin"], found["isMine"]) == (match["slug"], False, False)
    assert ask("GET", "challenges?which=mine", token()).data == []


def test_lists_have_the_challenges_that_a_user_may_see(ask, token, ann, bob, cy, dee, made):
    club = ask("POST", "clubs", token(ann), {"name": "The Poles"}).data["slug"]
    ask("PUT", f"clubs/{club}/membership", token(bob))
    slugs = {
        "open": made(ann)["slug"],
        "club": made(ann, opponent="club", club=club)["slug"],
        "link": made(ann, opponent="link")["slug"],
        "invitation": made(ann, opponent="people", people=["bob"])["slug"],
        "joined": made(ann, **CUTTHROAT)["slug"],
        "bob's": made(bob)["slug"],
    }
    ask("POST", f"challenges/{slugs['joined']}/join", token(bob), {})
    block(dee, ann)
    names = {slug: name for name, slug in slugs.items()}
    for user, which, found in (
        (bob, "open", ["bob's", "joined", "club", "open"]),
        (bob, "mine", ["bob's", "joined", "invitation"]),
        (bob, "all", ["bob's", "joined", "invitation", "club", "open"]),
        (ann, "all", ["bob's", "joined", "invitation", "link", "club", "open"]),
        (cy, "all", ["bob's", "joined", "open"]),
        (dee, "all", ["bob's"]),
        (None, "all", ["bob's", "joined", "open"]),
    ):
        text = None if user is None else token(user)
        listed = ask("GET", f"challenges?which={which}", text).data
        assert [names[one["slug"]] for one in listed] == found, (user, which)


def test_challenges_are_listed_by_game_and_speed_up_to_a_number(ask, people, made):
    slow = made(people[0])["slug"]
    fast = [made(people[0], control="5m+5s")["slug"] for _ in range(3)]
    other = made(people[1], game="antipode", control="5m+5s")["slug"]
    days = made(people[1], control="1d/move")["slug"]
    for query, found in (
        ("", [days, other, *fast[::-1], slow]),
        ("?count=2", [days, other]),
        ("?game=hex", [days, *fast[::-1], slow]),
        ("?speed=blitz", [other, *fast[::-1]]),
        ("?speed=blitz&count=2", [other, fast[2]]),
        ("?speed=correspondence&game=hex&count=1", [days]),
        ("?speed=unlimited", [slow]),
        ("?speed=rapid", []),
    ):
        assert [one["slug"] for one in ask("GET", f"challenges{query}").data] == found, query


def test_players_answer_only_challenges_that_concern_them(ask, token, people, made):
    slug = made(people[0], opponent="people", people=["bob"])["slug"]
    for method, path, body in (
        ("POST", f"challenges/{slug}/decline", None),
        ("POST", f"challenges/{slug}/fill", {}),
        ("DELETE", f"challenges/{slug}", None),
    ):
        refused = ask(method, path, token(people[2]), body)
        message = f"The challenge '{slug}' is not yours, and you are not invited."
        assert (refused.status_code, refused.data["message"]) == (404, message)
    missing = ask("GET", "challenges/nowhere")
    assert missing.data["message"] == "There is no challenge 'nowhere'."


def test_only_members_see_the_challenges_of_a_club(ask, token, people):
    club = ask("POST", "clubs", token(), {"name": "The Poles"}).data
    body = {"game": "hex", "opponent": "club", "club": club["slug"]}
    challenge = ask("POST", "challenges", token(), body).data["challenge"]
    for user, status in ((people[0], 200), (people[1], 404), (None, 404)):
        text = None if user is None else token(user)
        assert ask("GET", f"challenges/{challenge['slug']}", text).status_code == status


def test_own_challenges_are_listed_with_a_token_only(ask, token, people):
    slugs = [
        ask("POST", "challenges", token(user), {"game": "hex"}).data["challenge"]["slug"]
        for user in people[:2]
    ]
    refused = ask("GET", "challenges?which=mine")
    assert (refused.status_code, refused.data["code"]) == (401, "api/no-token")
    for which, text, found in (
        ("mine", token(), slugs[:1]),
        ("open", token(), slugs[::-1]),
        ("all", None, slugs[::-1]),
    ):
        listed = ask("GET", f"challenges?which={which}", text).data
        assert [one["slug"] for one in listed] == found, which


def test_challenges_are_listed_by_whether_they_are_rated(ask, token):
    body = {"game": "hex", "control": "5m+5s"}
    casual, rated = [
        ask("POST", "challenges", token(), {**body, "rated": is_rated}).data["challenge"]["slug"]
        for is_rated in (False, True)
    ]
    for query, found in (
        ("", [rated, casual]),
        ("?rated=true", [rated]),
        ("?rated=false", [casual]),
    ):
        assert [one["slug"] for one in ask("GET", f"challenges{query}").data] == found


def test_a_player_leaves_a_challenge(ask, token, people):
    body = {"game": "antipalos", "options": {"seats": "cutthroat3"}}
    slug = ask("POST", "challenges", token(), body).data["challenge"]["slug"]
    bob = token(people[1])
    refused = ask("POST", f"challenges/{slug}/leave", bob)
    assert refused.status_code == 409
    ask("POST", f"challenges/{slug}/join", bob, {})
    assert ask("GET", f"challenges/{slug}", bob).data["isMine"] is True
    left = ask("POST", f"challenges/{slug}/leave", bob)
    assert (left.status_code, left.data["slug"], left.data["isMine"]) == (200, slug, False)
    assert JoinRow.objects.filter(user=people[1]).count() == 0


@pytest.mark.parametrize(
    ("is_bot", "rated", "opponent", "status"),
    [
        (True, True, "computer", 409),
        (True, False, "computer", 201),
        (True, True, "anybody", 201),
        (False, True, "computer", 201),
    ],
)
def test_bots_play_rated_games_with_others_only(
    ask, token, people, is_bot, rated, opponent, status
):
    if is_bot:
        bots.mark_as_bot(people[0])
    body = {"game": "hex", "opponent": opponent, "rated": rated, "control": "5m+5s"}
    answer = ask("POST", "challenges", token(), body)
    assert answer.status_code == status, answer.data
    if status == 409:
        assert answer.data["code"] == "match/rated"
        assert answer.data["message"] == "Games with the computer are not rated."
