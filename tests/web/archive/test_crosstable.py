"""Crosstable of two players: page, links and API."""

import pytest
from django.urls import reverse

from antipodes.web.archive.crosstable import Score, crosstable
from tests.web.archive.conftest import abort, finisher, resign

pytestmark = pytest.mark.django_db

MOVES = ("a1", "b1")  # then the first seat resigns


@pytest.fixture
def finish(people):
    return finisher(people)


def scores(first, second, viewer=None):
    table = crosstable(first, second, viewer)
    return {one.game.id: (one.score.won, one.score.drawn, one.score.lost) for one in table.scores}


def test_the_score_of_each_game_counts_games_against_each_other_only(finish, people):
    ann, bob, cy, _ = people
    for users in ((ann, bob), (ann, bob), (bob, ann), (ann, cy)):
        finish(size=3, moves=MOVES, by=resign, users=users)
    finish(size=3, by=abort, users=(ann, bob))
    finish("antipod", side=3, moves=(5, 6), by=resign, users=(bob, ann))
    assert scores(ann, bob) == {"hex": (1, 0, 2), "antipod": (1, 0, 0)}
    assert scores(bob, ann) == {"hex": (2, 0, 1), "antipod": (0, 0, 1)}
    assert scores(bob, cy) == {}
    table = crosstable(ann, bob, None)
    assert table.total == Score(won=2, lost=2)
    assert len(table.latest) == 4


def test_private_games_count_for_those_who_may_watch_them(finish, people):
    ann, bob, cy, _ = people
    finish(size=3, moves=MOVES, by=resign, users=(ann, bob), is_private=True)
    for viewer, expected in (
        (None, {}),
        (cy, {}),
        (ann, {"hex": (0, 0, 1)}),
        (bob, {"hex": (0, 0, 1)}),
    ):
        assert scores(ann, bob, viewer=viewer) == expected


def test_a_draw_is_half_a_point_for_both():
    score = Score(won=2, drawn=1)
    assert score.points == (2.5, 0.5)
    assert score.text == "2.5 : 0.5"


def test_page_and_api_agree(finish, people, client):
    ann, bob, *_ = people
    row = finish(size=3, moves=MOVES, by=resign, users=(ann, bob))
    address = reverse("crosstable", args=["ann", "bob"])
    page = client.get(address).content.decode()
    assert "0 : 1" in page
    assert reverse("match", args=[row.slug]) in page
    assert address in client.get(reverse("match", args=[row.slug])).content.decode()
    client.force_login(bob)
    own = reverse("crosstable", args=["bob", "ann"])
    assert own in client.get(reverse("profile", args=["ann"])).content.decode()
    found = client.get("/api/v1/people/ann/against/bob").json()
    assert found == {
        "player": "ann",
        "opponent": "bob",
        "won": 0,
        "drawn": 0,
        "lost": 1,
        "games": [{"game": "hex", "won": 0, "drawn": 0, "lost": 1}],
    }


def test_a_player_has_no_crosstable_against_themselves(people, client):
    answer = client.get(reverse("crosstable", args=["ann", "ann"]))
    assert answer["Location"] == reverse("profile", args=["ann"])
