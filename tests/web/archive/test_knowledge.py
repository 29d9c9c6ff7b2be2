"""The page that answers whether the games are fair."""

import re
from html import unescape

import pytest

from antipodes.games.antipod import FAIR
from antipodes.lab.knowledge import answers
from antipodes.web.accounts.services import computer
from antipodes.web.archive import knowledge_views, statistics
from antipodes.web.archive.knowledge_views import games_of_people
from antipodes.web.archive.models import BucketRow
from antipodes.web.archive.statistics import Scope, Share
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import RatingBand
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingRow
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side
from antipodes.web.ratings.pool_ratings import UserRating, row_of
from antipodes.web.ratings.selectors import band_at
from tests.web.archive.conftest import resign


def test_the_page_has_every_question_with_its_answer_and_table(client, db):
    text = unescape(client.get("/knowledge/").content.decode())
    assert text.index("short-answers") < text.index("<table>"), "answers come before numbers"
    for answer in answers():
        assert f'id="{answer.key}"' in text
        assert f'<a href="#{answer.key}">' in text
        assert text.count(str(answer.brief)) == 2, "in the contents and above its reasons"
        assert str(answer.title) in text
        assert all(str(paragraph) in text for paragraph in answer.paragraphs)
        for row in answer.table.rows if answer.table else ():
            assert "".join(f"<td>{cell}</td>" for cell in row) in text


def test_all_tables_are_folded(client, db):
    article = client.get("/knowledge/").content.decode().partition("<article")[2]
    *befores, _last = article.split("<table>")
    before = ""
    for part in befores:
        before += part
        assert before.count("<details>") == before.count("</details>") + 1


def test_the_page_is_translated(client, db):
    text = client.get("/knowledge/", headers={"accept-language": "de"}).content.decode()
    assert "Ist Antipod fair?" in text
    assert "Stufe 3" in text


def test_a_game_with_the_fair_handicap_shows_its_stones(client, db):
    page = client.get("/new/antipod/").content.decode()
    assert '<option value="fair" selected>' in page
    fields = {"option-side": 5, "option-handicap": "fair", "option-extra_stones": 0}
    answer = client.post("/new/antipod/", {**fields, "opponent": "link", "uses": 1}, follow=True)
    assert f"extra stones {FAIR[5]}" in answer.content.decode()


@pytest.fixture
def rated(db):
    """Return a function that gives users ratings in correspondence Hex on a small board."""
    pool = PoolRow.objects.create(game_id="hex", speed="correspondence", board_class="small")

    def rate(users, *values, deviation=60.0):
        for user, value in zip(users, values, strict=True):
            RatingRow.objects.update_or_create(
                user=user,
                pool=pool,
                defaults={"value": value, "deviation": deviation, "games": 12, "latest": now()},
            )

    return rate


def test_games_of_people_stand_beside_by_rating(finish, people, rated, client):
    board = {"game_id": "hex", "size": 3, "moves": ("a1", "b1"), "by": resign}
    finish(**board)
    rated(people[:2], 1500, 1560)
    finish(**board)
    finish(**board)
    rated(people[:2], 1850, 1950)
    finish(**board)
    finish(**board, users=[people[0], computer("1")])
    finish(**board, is_private=True)
    lines = games_of_people()["hex"]
    assert [(one.band, one.games) for one in lines] == [
        ("all", 4),
        ("1400 to 1599", 2),
        ("1800 and more", 1),
    ]
    assert {one.share.games for one in lines} == {0}  # Black has resigned
    summary = dict(statistics.overview(Scope(band="1400-1599")))["hex"]
    assert summary.games == 2
    # There is no answer about Hex; Antipod has one.
    finish("antipod", moves=("d4", "e5"), by=resign)
    page = client.get("/knowledge/").content.decode()
    section = page.split('id="antipod-fair"')[1].split("</section>")[0]
    assert "Games of people on this site" in section
    assert page.count("Games of people on this site") == 1


def test_tables_of_two_games_have_different_names(finish, client):
    finish("antipod", moves=("d4", "e5"), by=resign)
    finish("antipode", by=resign)
    page = client.get("/knowledge/").content.decode()
    texts = dict(re.findall(r'<h[23] id="([^"]+)">([^<]+)<', page))
    labels = re.findall(r'role="region"[^>]* aria-labelledby="([^"]+)"', page)
    names = [" ".join(texts[one] for one in label.split()) for label in labels]
    assert len(names) == len(set(names)) == 2


def test_a_band_is_that_before_a_rated_game(finish, people, rated):
    rated(people[:2], 1500, 1598)
    row = finish(size=3, moves=("a1", "b1"), by=resign, rated=True)
    assert row.archived.bucket.band == "1400-1599"
    pool = PoolRow.objects.get()
    ratings = {
        user.pk: UserRating(Rating(value, 60))
        for user, value in zip(people[:2], (1390, 1400), strict=True)
    }
    outcomes = zip(ratings, (Outcome.LOST, Outcome.WON), strict=True)
    game = RatedGame(row.pk, 0, tuple(Side((user,), outcome) for user, outcome in outcomes))
    row_of(game, pool, ratings).save()
    assert band_at(row) == "-1399"
    rated(people[:2], 1500, 1598, deviation=200)
    assert band_at(row) == "-1399"


@pytest.mark.parametrize(
    ("rating", "band"),
    [(100, "-1399"), (1399.9, "-1399"), (1400, "1400-1599"), (1799, "1600-1799"), (2900, "1800-")],
)
def test_bands_of_ratings(rating, band):
    assert RatingBand.of(rating) == band


def test_only_the_options_played_most_are_shown(finish, monkeypatch):
    monkeypatch.setattr(knowledge_views, "_MOST_SETS", 2)
    for size, games in ((3, 2), (4, 1), (5, 3)):
        for _ in range(games):
            finish("hex", size=size, moves=("a1", "b1"), by=resign)
    finish("antipode", by=resign)
    found = games_of_people()
    assert [(one.options, one.games) for one in found["hex"]] == [("size 5", 3), ("size 3", 2)]


def test_draws_are_shared_by_all_colours(finish):
    for _ in range(3):
        finish(size=3, moves=("a1", "b1", "c1"), by=resign)  # White resigns
    lost = finish(size=3, moves=("a1", "b1"), by=resign)
    BucketRow.objects.filter(pk=lost.archived.bucket_id).update(winner="", reason="agreement")
    [line] = games_of_people()["hex"]
    assert (line.options, line.band, line.color) == ("size 3", "all", "Black")
    assert line.share == Share(3.5, 4)


def test_without_black_the_share_is_that_of_the_first_colour(finish):
    row = finish("antipode", by=resign)
    BucketRow.objects.update(winner="blue", reason="resignation")
    [line] = games_of_people()["antipode"]
    assert row.archived.option_set.game.colors[0].value == "blue"
    assert (line.options, line.color, line.share) == ("default", "Blue", Share(1, 1))


def test_a_question_with_shares_has_a_plot(client, db):
    sections = client.get("/knowledge/").context["sections"]
    for one in sections:
        table = one["answer"].table
        assert ("<svg" in one["plot"]) is bool(table is not None and table.shares)
    assert {bool(one["plot"]) for one in sections} == {True, False}
