"""Ratings of players, and leaderboards, in the API."""

import pytest

from antipodes.web.platform.clock import now
from antipodes.web.ratings.models import PoolRow, RatingRow

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
