"""Challenges in the API are visible to those who may see them on the site."""

import pytest

from antipodes.web.accounts import bots
from antipodes.web.challenges.models import JoinRow


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
