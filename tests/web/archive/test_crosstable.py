"""Crosstable of two players: page, links and API."""

import pytest
from django.urls import reverse

from antipodes.web.accounts.services import computer
from antipodes.web.archive.crosstable import Score, crosstable
from antipodes.web.archive.models import PlayerRow
from tests.web.archive.conftest import abort, finisher, resign

pytestmark = pytest.mark.django_db

MOVES = ("a1", "b1")  # then the first seat resigns


@pytest.fixture
def finish(people):
    return finisher(people)


def scores(first, second, viewer=None):
    table = crosstable(first, second, viewer)
    return {one.game.id: (one.score.won, one.score.drawn, one.score.lost) for one in table.scores}


def test_the_score_of_each_game_counts_games_against_each_other_only(finish, ann, bob, cy):
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


def test_private_games_count_for_those_who_may_watch_them(finish, ann, bob, cy):
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


def test_page_and_api_agree(finish, ann, bob, client):
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


def test_scores_are_added_and_shown_as_points():
    total = Score(won=3, drawn=1, lost=2) + Score(won=4, drawn=2, lost=7)
    assert total == Score(won=7, drawn=3, lost=9)
    assert (total.games, total.points) == (19, (8.5, 10.5))
    assert Score(won=1, drawn=2, lost=3).text == "2 : 4"
    assert Score() == Score(won=0, drawn=0, lost=0)


def test_games_with_the_computer_are_counted_from_either_side(finish, people):
    ann, level = people[0], computer("1")
    lost, won, drawn = (
        finish(size=3, moves=MOVES, by=resign, users=users)
        for users in ((ann, level), (level, ann), (ann, level))
    )
    PlayerRow.objects.filter(game=drawn.pk).update(won=None)
    assert scores(ann, level) == {"hex": (1, 1, 1)}
    PlayerRow.objects.filter(game=won.pk).update(won=None)
    assert scores(ann, level) == {"hex": (0, 2, 1)}
    assert scores(level, ann) == {"hex": (1, 2, 0)}
    assert lost.pk in {line.row.pk for line in crosstable(level, ann, None).latest}


def test_the_games_played_most_come_first_with_links_to_them(finish, ann, bob):
    for _ in range(2):
        finish(size=3, moves=MOVES, by=resign, users=(ann, bob))
    finish("antipode", by=resign, users=(ann, bob))
    finish("antipod", side=3, moves=(5, 6), by=resign, users=(ann, bob))
    table = crosstable(ann, bob, None)
    games = [one.game.id for one in table.scores]
    assert games[0] == "hex"
    assert games[1:] == sorted(games[1:])
    assert table.scores[0].address == "/games/?player=ann&opponent=bob&game=hex"
    assert table.address == "/games/?player=ann&opponent=bob"


def test_a_game_in_which_a_player_had_two_seats_counts_once(finish, ann, bob):
    finish("antipalos", size=12, seats="team", users=[ann, bob, ann, bob], by=resign, moves=(5, 6))
    table = crosstable(ann, bob, None)
    assert table.total.games == 1
