"""Statistics: sums, intervals, charts and downloads."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from antipodes.games.registry import make_game
from antipodes.games.symmetry import cells_of
from antipodes.lab.intervals import share_interval
from antipodes.notation.svg import render_svg
from antipodes.web.accounts.services import computer
from antipodes.web.archive import statistics, statistics_views
from antipodes.web.archive.models import BucketRow, OptionSetRow
from antipodes.web.archive.statistics import FirstMove, Lengths, Scope, Share
from antipodes.web.archive.statistics_views import ScopeForm
from antipodes.web.matches.models import MatchRow
from tests.web.archive.conftest import resign

pytestmark = pytest.mark.django_db


def test_shares_have_wilsons_intervals():
    share = Share(7, 10)
    assert (share.low / 100, share.high / 100) == pytest.approx((0.3968, 0.8922), abs=1e-4)
    assert share.interval == share_interval(0.7, 10)
    assert Share(0, 0).share is None
    assert Share(0, 0).interval == (0.0, 1.0)


def test_only_a_swap_of_pieces_changes_the_owner_of_the_first_move():
    sides = make_game("hex", {"size": 4, "swap": "sides"})
    pieces = make_game("hex", {"size": 4, "swap": "pieces"})
    for game in (sides, pieces):
        assert statistics.owner_of_first(game, 5, swapped=False) == "black"
    assert statistics.owner_of_first(sides, 5, swapped=True) == "black"
    assert statistics.owner_of_first(pieces, 5, swapped=True) == "white"
    without = make_game("hex", {"size": 4, "swap": "off"})
    assert statistics.owner_of_first(without, 5, swapped=True) == "black"


def test_a_draw_after_a_first_move_is_half_a_win():
    game = make_game("hex", {"size": 4, "swap": "pieces"})
    groups = [(False, "black", 4), (False, "white", 1), (False, "", 3), (True, "white", 2)]
    found = statistics._first_move(game, 5, groups)
    assert (found.games, found.wins, found.swaps) == (10, Share(7.5, 10), Share(2, 10))


def test_only_games_that_match_the_filter_count(finish, people):
    finish(size=3, seed=1, rated=True)
    finish(size=3, seed=2)
    finish(size=3, by=resign, moves=("a1", "b1"), users=[people[0], computer("1")])
    for scope, games in [
        (Scope(), 3),
        (Scope(rated=True), 1),
        (Scope(rated=False), 2),
        (Scope(with_computer=True), 1),
        (Scope(speed="blitz"), 0),
        (Scope(speed="correspondence", with_computer=False), 2),
    ]:
        assert dict(statistics.overview(scope))["hex"].games == games


@pytest.mark.parametrize("number", ["wins", "swaps", "games"])
@pytest.mark.parametrize(
    ("game_id", "options"),
    [("antipod", {"side": 3}), ("antipalos", {"size": 12}), ("antipode", {}), ("hex", {})],
)
def test_first_moves_are_drawn_on_every_board(game_id, options, number):
    game = make_game(game_id, options)
    move = game.initial().legal_moves.array()[0]
    cells = cells_of(game, int(move))
    one = FirstMove(int(move), "x", cells, 4, Share(3, 4), Share(1, 4))
    svg = render_svg(statistics_views.first_moves_scene(game, [one], number))
    ET.fromstring(svg)
    text = {"wins": ">75<", "swaps": ">25<", "games": ">100<"}[number]
    assert svg.count(text) >= len(cells)
    assert "The game hangs" not in svg
    assert "proposed" not in svg


def test_the_chart_of_lengths_names_the_range_of_wide_bars():
    lengths = Lengths(Counter(dict.fromkeys(range(10, 90), 1)))
    [(low, high, games), *_] = lengths.bars()
    assert (low, high, games) == (10, 11, 2)
    svg = statistics_views.lengths_chart(lengths)
    assert "10 to 11 moves: 2 games" in svg
    # 80 lengths in 40 bars; the median of 49.5 is their middle.
    assert 'd="M336 8V180"' in svg


def test_no_games_have_no_chart_of_lengths():
    assert statistics_views.lengths_chart(Lengths(Counter())) == ""


def test_statistics_without_games(client):
    assert "No finished games match" in client.get("/statistics/hex/").content.decode()
    assert client.get("/statistics/hex/statistics.json").json()["option_sets"] == []
    assert not MatchRow.objects.exists()


@pytest.fixture
def three(finish):
    """Play three games of Hex on two boards, with known moves and winners."""
    finish(size=3, moves=("a1", "b1"), by=resign)
    finish(size=3, moves=("a1", "b2", "c1"), by=resign)
    finish(size=4, swap="sides", moves=("b1", "swap"), by=resign)


def share(games, of):
    low, high = share_interval(games / of, of)
    return {
        "games": games,
        "of": of,
        "share": round(games / of, 5),
        "low": round(low, 5),
        "high": round(high, 5),
    }


def test_the_whole_statistics_as_json(three, client):
    data = client.get("/statistics/hex/statistics.json").json()
    chosen = data.pop("chosen")
    assert data == {
        "game": "hex",
        "option_sets": [
            {
                "options": "size=3",
                "games": 2,
                "wins": {"black": share(1, 2), "white": share(1, 2)},
                "draws": share(0, 2),
                "endings": {"resignation": 2},
            },
            {
                "options": "size=4,swap=sides",
                "games": 1,
                "wins": {"black": share(1, 1), "white": share(0, 1)},
                "draws": share(0, 1),
                "endings": {"resignation": 1},
            },
        ],
    }
    assert chosen == {
        "options": "size=3",
        "lengths": {"2": 1, "3": 1},
        "median": 2.5,
        "mean": 2.5,
        "first_moves": [
            {"move": "a1", "games": 2, "wins": share(1, 2), "swaps": share(0, 2)},
        ],
    }


def test_the_whole_tables_as_csv(three, client):
    def table(name, **query):
        answer = client.get(f"/statistics/hex/{name}.csv", query)
        assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.headers["Content-Disposition"] == f'attachment; filename="hex-{name}.csv"'
        return answer.content.decode().splitlines()

    def line(*values):
        return ",".join(map(str, values))

    half, all_of_two = share(1, 2), share(0, 2)
    none, one = share(0, 1), share(1, 1)
    assert table("option-sets") == [
        "options,outcome,games,of,share,low,high",
        line("size=3", "black", *half.values()),
        line("size=3", "white", *half.values()),
        line("size=3", "draw", *all_of_two.values()),
        line('"size=4,swap=sides"', "black", *one.values()),
        line('"size=4,swap=sides"', "white", *none.values()),
        line('"size=4,swap=sides"', "draw", *none.values()),
    ]
    assert table("lengths") == ["moves,games", "2,1", "3,1"]
    assert table("first-moves") == [
        "move,games,won,share,low,high,swapped,swap_share",
        line("a1", 2, 1.0, *(half[name] for name in ("share", "low", "high")), 0, 0.0),
    ]
    [_, swapped] = table("first-moves", options="size=4,swap=sides")
    assert swapped.endswith(",1,1.0")


def test_the_page_of_a_game_shows_the_chosen_options_or_those_played_most(three, client):
    page = client.get("/statistics/hex/", {"computer": "no"}).context
    assert [one["query"] for one in page["sets"]] == [
        "computer=no&options=size%3D3",
        "computer=no&options=size%3D4%2Cswap%3Dsides",
    ]
    assert [one["first"][0] for one in page["sets"]] == ["Black", "Black"]
    assert (page["key"], page["title"], page["has_swaps"]) == ("size=3", "size 3", False)
    assert page["of_set"] == "computer=no&options=size%3D3"
    assert page["search"] == "game=hex&options=size%3D3"
    assert page["swaps"] == Share(0, 2)
    page = client.get("/statistics/hex/", {"options": "size=4,swap=sides"}).context
    assert (page["key"], page["has_swaps"]) == ("size=4,swap=sides", True)
    assert page["swaps"] == Share(1, 1)
    assert client.get("/statistics/hex/", {"options": "usual"}).context["chosen"] is None


def test_the_usual_options_have_a_name(finish, client):
    finish(moves=("e6", "d4"), by=resign)
    page = client.get("/statistics/hex/").context
    assert (page["key"], page["of_set"]) == ("usual", "options=usual")
    assert [one["query"] for one in page["sets"]] == ["options=usual"]
    assert client.get("/statistics/hex/", {"options": "usual"}).context["chosen"] is not None
    data = client.get("/statistics/hex/statistics.json").json()
    assert data["chosen"]["options"] == data["option_sets"][0]["options"] == "usual"


@pytest.mark.parametrize(
    ("query", "scope"),
    [
        ({}, Scope()),
        ({"speed": "blitz", "rated": "yes"}, Scope(speed="blitz", rated=True)),
        ({"rated": "no", "computer": "yes"}, Scope(rated=False, with_computer=True)),
        ({"computer": "no", "band": "1400-1599"}, Scope(with_computer=False, band="1400-1599")),
        ({"rated": "perhaps", "speed": "slow"}, Scope()),
    ],
)
def test_the_filter_is_read_from_the_query(query, scope):
    assert ScopeForm(query).scope() == scope


def test_games_from_a_position_and_empty_buckets_do_not_count(finish):
    finish(size=3, seed=1)
    for change in ({"from_position": True}, {"from_position": False, "games": 0}):
        BucketRow.objects.update(**change)
        assert statistics.option_sets("hex", Scope()) == []


def test_a_share_has_its_percentages():
    assert Share(1, 4).percent == 25
    assert Share(0, 0).percent is None
    assert Share(0, 0).as_dict() == {"games": 0, "of": 0, "share": None, "low": 0.0, "high": 1.0}
    assert Share(1, 3).as_dict()["share"] == 0.33333


def test_colours_that_the_usual_game_does_not_have_are_added(finish):
    finish("antipode", by=resign)
    BucketRow.objects.update(winner="white")
    summary = dict(statistics.overview(Scope()))["antipode"]
    assert [(color.value, one.games) for color, one in summary.wins.items()] == [
        ("blue", 0), ("red", 0), ("white", 1)
    ]  # fmt: skip


def test_games_that_are_no_longer_known_are_left_out(finish):
    finish(size=3, seed=1)
    OptionSetRow.objects.update(game_id="chess")
    assert all(summary.games == 0 for _, summary in statistics.overview(Scope()))


@pytest.mark.parametrize(
    ("most", "bars"),
    [
        (3, [(3, 5, 6), (6, 8, 1), (9, 11, 2)]),
        (4, [(3, 5, 6), (6, 8, 1), (9, 11, 2)]),
        (5, [(3, 4, 2), (5, 6, 4), (7, 8, 1), (9, 10, 0), (11, 12, 2)]),
        (40, [(3, 3, 2), (4, 4, 0), (5, 5, 4), (6, 6, 0), (7, 7, 1), (8, 8, 0), (9, 9, 0),
              (10, 10, 0), (11, 11, 2)]),
    ],
)  # fmt: skip
def test_bars_of_a_histogram_are_as_wide_as_needed(most, bars):
    assert Lengths({3: 2, 5: 4, 7: 1, 11: 2}).bars(most) == bars
    assert Lengths().bars(most) == []


@pytest.mark.parametrize(
    ("counts", "median", "mean"),
    [
        ({1: 1, 2: 1, 9: 1}, 2, 4),
        ({1: 2, 2: 1, 9: 1}, 1.5, 3.25),
        ({9: 1, 2: 3}, 2, 3.75),
        ({4: 1, 6: 3}, 6, 5.5),
    ],
)
def test_the_median_is_in_the_middle_and_the_mean_weighs_lengths(counts, median, mean):
    assert (Lengths(counts).median, Lengths(counts).mean) == (median, mean)
    assert (Lengths().median, Lengths().mean) == (None, None)


def test_first_moves_are_ordered_by_games(finish):
    for text in ("b2", "a1", "b2", "a2"):
        finish(size=3, swap="off", moves=(text,), by=resign)
    moves = statistics.first_moves(OptionSetRow.objects.get(), Scope())
    assert [one.games for one in moves] == [2, 1, 1]
    assert moves[0].text == "b2"
    assert moves[1].move < moves[2].move


def test_the_usual_map_of_first_moves_shows_wins(three, client):
    address = "/statistics/hex/first-moves.svg"
    maps = {number: client.get(address, {"map": number}).content for number in ("wins", "games")}
    assert client.get(address).content == maps["wins"] != maps["games"]
    swaps = client.get(address, {"map": "swaps"})
    assert swaps.headers["Content-Type"] == "image/svg+xml"
    ET.fromstring(swaps.content)
