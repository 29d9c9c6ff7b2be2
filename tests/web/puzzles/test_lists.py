"""Lists of puzzles: the overview, themes, the next puzzle, and the history of a solver."""

import re
from collections import Counter
from datetime import timedelta

import pytest

from antipodes.puzzles import store
from antipodes.puzzles.model import HARDEST
from antipodes.web.puzzles import catalogue, labels, selectors, services
from antipodes.web.puzzles.catalogue import categories, category_of
from antipodes.web.puzzles.daily import daily, today

pytestmark = pytest.mark.django_db


def url(puzzle, name=""):
    return f"/puzzles/{puzzle.id}/{name}"


@pytest.fixture
def signed_in(client, ann):
    client.force_login(ann)
    return client


def test_the_first_page_offers_all_difficulties(client):
    page = client.get("/puzzles/").text
    choice = page.partition('name="difficulty"')[2].partition("</select>")[0]
    assert re.findall(r'value="(\d+)"', choice) == [str(one) for one in range(1, HARDEST + 1)]


def test_the_overview_shows_the_puzzle_of_the_day_and_so_does_the_first_page(client):
    puzzle = daily(today())
    for path in ("/", "/puzzles/"):
        page = client.get(path).text
        assert f'href="{url(puzzle)}"' in page
        assert "Puzzle of the day" in page
    assert client.get("/puzzles/daily/").url == url(puzzle)


def test_pages_of_themes_have_their_puzzles_only(client):
    for theme in ("fork", "flip", "double-option"):
        page = client.get(f"/puzzles/theme/{theme}/").text
        ids = set(re.findall(r"/puzzles/([0-9a-f]{10})/\"", page))
        assert ids
        assert ids <= {one.id for one in catalogue.offered(theme=theme)}


def test_the_history_has_a_graph_for_each_game(signed_in, ann):
    assert "No puzzles yet" in signed_in.get("/puzzles/history/").text
    for one in store.puzzles("hex")[:3]:
        services.record(ann, one, services.Outcome.SOLVED)
    services.record(ann, store.puzzles("antipode")[0], services.Outcome.FAILED)
    page = signed_in.get("/puzzles/history/").text
    assert page.count("<tr>") == 4
    assert "<svg" in page
    assert "Antipode" in signed_in.get("/puzzles/history/?game=antipode").text


def test_the_history_is_for_accounts(client, guest):
    assert client.get("/puzzles/history/").url.startswith("/accounts/login/")
    client.force_login(guest)
    assert client.get("/puzzles/history/").url == "/accounts/signup/"


def test_the_overview_counts_puzzles_and_shows_the_solvers_rating(signed_in, ann, client):
    hex_puzzle, other = store.puzzles("hex")[0], store.puzzles("antipode")[0]
    services.record(ann, hex_puzzle, services.Outcome.SOLVED)
    many = dict(catalogue.counts().categories)
    found = signed_in.get("/puzzles/").context
    assert found["is_account"]
    shown = [(one.name, count, own and own.tries) for one, count, own in found["categories"]]
    assert shown == [(name, many[name], 1 if name == "hex" else None) for name in categories()]
    themes = {theme.name: count for theme, count in found["themes"]}
    assert list(themes) == [one.name for one in labels.all_themes()]
    assert themes["fork"] == len(catalogue.offered(theme="fork"))
    client.logout()
    client.post(url(other, "answer"), {"moves": "", "move": other.line[0]})
    found = client.get("/puzzles/").context
    assert not found["is_account"]
    assert {own for _, _, own in found["categories"]} == {None}


def test_the_overview_lists_the_last_eight_days_with_what_became_of_them(client):
    days = [today() - timedelta(days=age) for age in range(10)]
    puzzles = [daily(day) for day in days]
    first = puzzles[1]
    assert first is not None
    client.post(url(first, "solution"))
    found = client.get("/puzzles/").context
    assert found["daily"].puzzle == puzzles[0]
    assert [(day, card.puzzle) for day, card in found["earlier"]] == list(
        zip(days[1:9], puzzles[1:9], strict=True)
    )
    assert [card.outcome for _, card in found["earlier"]] == ["failed", *[None] * 7]
    assert found["earlier"][0][1].game.id == first.game_id
    assert found["earlier"][0][1].task == labels.task_of(first)


def test_a_theme_shows_twelve_of_its_puzzles_of_all_difficulties(client):
    found = client.get("/puzzles/theme/ladder/").context
    offered = sorted(catalogue.offered(theme="ladder"), key=lambda one: (one.difficulty, one.id))
    assert found["count"] == len(offered) > 12
    step = len(offered) // 12
    assert [card.puzzle for card in found["cards"]] == offered[::step][:12]
    shown = {one.name: count for one, count in found["categories"]}
    assert shown == Counter(category_of(one).name for one in offered)
    assert found["theme"].name == "ladder"


def test_the_next_puzzle_keeps_valid_filters_alone(client, monkeypatch):
    wanted = []
    one = store.puzzles("hex")[0]

    def found(*args, tried):
        wanted.append(args)
        return one

    monkeypatch.setattr(selectors, "next_puzzle", found)
    query = "game=hex&theme=fork&difficulty=9"
    assert client.get(f"/puzzles/next?{query}&more=1").url == f"{url(one)}?{query}"
    assert client.get("/puzzles/next?game=chess&theme=no&difficulty=10").url == url(one)
    assert client.get("/puzzles/next?difficulty=0").url == url(one)
    assert wanted == [(None, "hex", "fork", 9), (None,) * 4, (None,) * 4]
    page = client.get(f"{url(one)}?{query}&more=1")
    assert page.context["next_url"] == f"/puzzles/next?{query}"
    assert client.get(url(one)).context["next_url"] == "/puzzles/next"


def test_the_history_shows_the_asked_game_or_the_most_tried_one(signed_in, ann):
    services.record(ann, store.puzzles("antipode")[0], services.Outcome.FAILED)
    found = signed_in.get("/puzzles/history/?game=chess").context
    assert (found["game"].id, found["title"]) == ("antipode", "Rating in puzzles of Antipode")
    assert [game.id for game, _ in found["ratings"]] == ["antipode"]
    assert found["chart"]
    assert len(found["lines"]) == 1
    assert found["counts"] == {"solved": 0, "failed": 1, "hinted": 0}
    found = signed_in.get("/puzzles/history/?game=hex").context
    assert (found["game"].id, found["chart"], found["lines"]) == ("hex", None, [])
