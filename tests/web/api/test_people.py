"""Ratings of players, leaderboards and finished games, in the API."""

import pytest

from antipodes.web.accounts import bots
from antipodes.web.platform.clock import now
from antipodes.web.ratings.models import PoolRow, RatingRow
from tests.web.archive.conftest import finisher, resign

pytestmark = pytest.mark.django_db

KIND = {"game": "hex", "speed": "rapid", "board": "standard"}


@pytest.fixture
def rate():
    """A function that gives a user a rating in rapid Hex on the standard board."""
    pool = PoolRow.objects.create(game_id="hex", speed="rapid", board_class="standard")

    def create(user, value, deviation, games):
        return RatingRow.objects.create(
            user=user,
            pool=pool,
            value=value,
            deviation=deviation,
            games=games,
            latest=now(),
            established_until=now() + 1_000_000 if deviation < 100 else 0,
        )

    return create


def test_the_ratings_of_a_player_are_told(ask, people, rate):
    row = rate(people[0], 1700, 60, 12)
    rate(people[1], 1600, 200, 3)
    (found,) = ask("GET", "people/ann").data["ratings"]
    told = {name: found[name] for name in ("game", "speed", "board", "games", "latest")}
    assert told == {**KIND, "games": 12, "latest": row.latest}
    assert found["value"] == 1700
    assert found["deviation"] == pytest.approx(60, abs=1)
    assert found["provisional"] is False
    (found,) = ask("GET", "people/bob").data["ratings"]
    assert (found["value"], found["games"], found["provisional"]) == (1600, 3, True)
    assert ask("GET", "people/cy").data["ratings"] == []


def test_a_leaderboard_is_told_with_the_line_of_the_caller(ask, token, people, rate):
    for user, value in ((people[0], 1500), (people[1], 1700)):
        rate(user, value, 60, 12)
    rate(people[2], 1600, 200, 3)
    path = "leaderboards/hex?speed=rapid"
    told = ask("GET", path, token()).data
    assert [
        (line["rank"], line["person"]["name"], line["value"], line["games"])
        for line in told["lines"]
    ] == [(1, "bob", 1700, 12), (2, "ann", 1500, 12)]
    assert [line["provisional"] for line in told["lines"]] == [False, False]
    assert told["lines"][0]["deviation"] == pytest.approx(60, abs=1)
    assert (told["count"], told["page"], told["pages"]) == (2, 1, 1)
    assert told["own"] == told["lines"][1]
    assert ask("GET", path).data["own"] is None
    more = ask("GET", f"{path}&provisional=true").data["lines"]
    assert [(line["person"]["name"], line["provisional"]) for line in more] == [
        ("bob", False),
        ("cy", True),
        ("ann", False),
    ]


def test_bots_are_on_a_leaderboard_on_request_only(ask, token, people, rate):
    rate(people[0], 1500, 60, 12)
    bots.mark_as_bot(people[1])
    rate(people[1], 1700, 60, 12)
    for query, names in (
        ("", ["ann"]),
        ("&bots=true", ["bob", "ann"]),
        ("&provisional=true", ["ann"]),
    ):
        lines = ask("GET", f"leaderboards/hex?speed=rapid{query}").data["lines"]
        assert [line["person"]["name"] for line in lines] == names
    for other in ("hex", "hex?speed=blitz", "hex?speed=rapid&board=small", "antipode?speed=rapid"):
        found = ask("GET", f"leaderboards/{other}", token()).data
        assert found == {"lines": [], "count": 0, "page": 1, "pages": 1, "own": None}
    refused = ask("GET", "leaderboards/chess")
    assert (refused.status_code, refused.data["code"]) == (404, "api/not-found")


def test_the_user_sees_whom_they_follow_and_block(ask, token, people):
    text = token()
    for method, act, told in (
        ("PUT", "follow", (True, False)),
        ("DELETE", "follow", (False, False)),
        ("PUT", "block", (False, True)),
        ("DELETE", "block", (False, False)),
    ):
        changed = ask(method, f"people/bob/{act}", text).data
        assert changed == ask("GET", "people/bob", text).data
        assert (changed["name"], changed["followed"], changed["blocked"]) == ("bob", *told)
        assert ask("GET", "people/bob", token(people[2])).data == {
            **changed,
            "followed": False,
            "blocked": False,
        }


def test_pages_of_finished_games_go_on_after_the_last_one(ask, token, people):
    finish = finisher(people)
    rows = [finish(size=3, moves=("a1", "b2"), by=resign) for _ in range(3)]
    finish("antipode", seed=1, users=people[2:], is_private=True)
    slugs = [row.slug for row in reversed(rows)]

    def page(query, text=None):
        found = ask("GET", f"games-played?{query}", text).data
        return [one["match"] for one in found["games"]], found["count"], found["after"]

    assert page("") == page("game=hex") == (slugs, 3, None)
    assert page("player=cy") == ([], 0, None)
    assert page("player=cy", token(people[2]))[1:] == (1, None)
    assert page("count=3") == (slugs, 3, None)
    first, count, after = page("count=2")
    assert (first, count) == (slugs[:2], 3)
    assert page(f"count=2&after={after}")[0] == slugs[2:]
    assert page(f"count=2&after={after}")[2] is None
