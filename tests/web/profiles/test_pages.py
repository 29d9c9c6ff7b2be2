"""Players' pages: names in another letter case."""

import re
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from antipodes.match import Accept, Offer, OfferKind, Resign
from antipodes.web.accounts.models import User
from antipodes.web.matches.services import carry_out
from antipodes.web.profiles import selectors
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["ANN", "Ann", "aNN"])
def test_a_name_in_another_letter_case_redirects_to_the_exact_name(client, people, name):
    answer = client.get(f"/people/{name}/")
    assert answer.status_code == 302
    assert answer.headers["Location"] == reverse("profile", args=["ann"])


def test_a_name_with_capital_letters_is_found_in_lower_case(client, db):
    User.objects.create(username="McCarthy")
    assert client.get("/people/McCarthy/").status_code == 200
    answer = client.get("/people/mccarthy/")
    assert answer.headers["Location"] == reverse("profile", args=["McCarthy"])


def test_an_exact_name_precedes_one_in_another_letter_case(client, db):
    first = User.objects.create(username="Zoe")
    User.objects.create(username="zoo")
    User.objects.filter(username="zoo").update(username="zoe")
    assert client.get("/people/zoe/").context["person"].username == "zoe"
    assert client.get("/people/Zoe/").context["person"] == first


def test_an_unknown_name_answers_404(client, people):
    assert client.get("/people/zoe/").status_code == 404


def finished_games(client, name):
    """Return the texts of the finished games on a player's page."""
    page = client.get(f"/people/{name}/").content.decode()
    lines = page.partition('aria-labelledby="finished"')[2].split("<li ")[1:]
    return [" ".join(re.sub("<[^>]*>", " ", one).split()) for one in lines]


def resign(row, seat):
    carry_out(row.slug, Resign(seat=seat, ply=row.match().ply, key=f"over {row.pk}"))


def test_a_profile_says_whether_its_player_has_won_or_lost(client, begin, work_off):
    resign(begin(), 0)
    (of_winner,), (of_loser,) = finished_games(client, "bob"), finished_games(client, "ann")
    assert "ann won · White wins by resignation" in of_winner
    assert "bob lost · White wins by resignation" in of_loser
    assert "bob" not in of_winner
    work_off()
    assert finished_games(client, "bob") == [of_winner]
    assert finished_games(client, "ann") == [of_loser]


def test_a_profile_names_draws_and_who_gave_up_at_a_table_of_three(client, begin, work_off):
    resign(begin("antipalos", seats="cutthroat3"), 1)
    drawn = begin("antipalos").slug
    carry_out(drawn, Offer(seat=0, ply=0, key="offer", kind=OfferKind.DRAW))
    carry_out(drawn, Accept(seat=1, ply=0, key="accept", kind=OfferKind.DRAW))
    work_off()
    assert "drew · Draw" in finished_games(client, "ann")[0]
    assert "lost · No winner" in finished_games(client, "bob")[1]
    assert "lost" not in finished_games(client, "ann")[1]


def test_a_crosstable_has_the_exact_names_in_its_address(client, people):
    User.objects.create(username="McCarthy")
    exact = reverse("crosstable", args=["ann", "McCarthy"])
    for first, second in (("Ann", "McCarthy"), ("ann", "mccarthy")):
        answer = client.get(reverse("crosstable", args=[first, second]))
        assert (answer.status_code, answer.headers["Location"]) == (302, exact)
    assert client.get(exact).status_code == 200
    alone = client.get(reverse("crosstable", args=["ANN", "ann"]))
    assert alone.headers["Location"] == reverse("profile", args=["ann"])


def test_without_a_pool_there_is_no_rating_history(people):
    pool = SimpleNamespace(game_id="hex", speed=Speed.BLITZ, board_class=BoardClass.STANDARD)
    line: Any = SimpleNamespace(pool=pool)
    assert selectors._history(people[0], None, line) is None


def test_the_best_rating_is_shown_with_its_day(client, people, begin):
    row = begin()
    at = int(datetime(2024, 3, 5, 12, tzinfo=UTC).timestamp() * 1_000)
    pool = PoolRow.objects.create(game_id="hex", speed="blitz", board_class="standard")
    user = people[0]
    rating = {"value": 1_701.2, "deviation": 60.0, "games": 20}
    RatingRow.objects.create(user=user, pool=pool, latest=at, established_until=2 * at, **rating)
    RatingChange.objects.create(
        match=row, user=user, pool=pool, at=at, side=0, outcome="won", volatility=0.06,
        value_before=1_690.0, deviation_before=60.0, volatility_before=0.06, **rating,
    )  # fmt: skip
    assert "Best rating: 1701, on 5 March 2024." in client.get("/people/ann/").content.decode()
