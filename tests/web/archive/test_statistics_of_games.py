"""Statistics of finished games agree with the games, which are played once for this module."""

from collections import Counter

import pytest

from antipodes.core import Color
from antipodes.web.accounts.models import User
from antipodes.web.archive import statistics
from antipodes.web.archive.models import OptionSetRow
from antipodes.web.archive.statistics import Scope
from antipodes.web.matches.snapshots import look_up
from tests.cases import for_each
from tests.web.archive.conftest import abort, finisher
from tests.web.conftest import kept

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(django_db_setup, django_db_blocker):
    """Play games of Hex on two boards, and some that do not count."""
    with kept(django_db_blocker):
        people = [User.objects.create(username=name) for name in ("ann", "bob", "cy", "dee")]
        finish = finisher(people)
        rows = [finish(size=3, swap="sides", seed=seed, rated=seed % 2 == 0) for seed in range(8)]
        finish(size=4, seed=1)
        finish(size=3, swap="sides", seed=1, is_private=True)
        finish(size=3, swap="sides", by=abort)
        yield rows


def the_set():
    return OptionSetRow.objects.get(game_id="hex", key="size=3,swap=sides")


def results(rows):
    return [look_up(row.slug).match for row in rows]


def test_wins_agree_with_the_games(played):
    (summary, other) = statistics.option_sets("hex", Scope())
    wins = Counter(match.result.winner for match in results(played))
    assert summary.option_set == the_set()
    assert {color: share.games for color, share in summary.wins.items()} == {
        color: wins[color] for color in (Color.BLACK, Color.WHITE)
    }
    assert summary.games == len(played)
    assert sum(summary.endings.values()) == len(played)
    assert other.games == 1
    by_game = dict(statistics.overview(Scope()))
    assert by_game["hex"].games == len(played) + 1
    assert by_game["antipode"].games == 0


def test_lengths_agree_with_the_games(played):
    lengths = statistics.lengths(the_set(), Scope())
    moves = sorted(len(match.moves) for match in results(played))
    assert sorted(Counter(lengths.counts).elements()) == moves
    assert lengths.median == (moves[3] + moves[4]) / 2
    assert lengths.mean == pytest.approx(sum(moves) / len(moves))


def test_first_moves_agree_with_the_games(played):
    moves = statistics.first_moves(the_set(), Scope())
    counts: Counter[int] = Counter()
    game = the_set().game
    for match in results(played):
        (one,) = (m for m in moves if match.moves[0].move in m.cells)
        counts[one.move] += 1
    assert {one.move: one.games for one in moves} == counts
    cells = [cell for one in moves for cell in one.cells]
    assert len(cells) == len(set(cells))
    assert sum(one.games for one in moves) == len(played)
    swapped = sum(match.position.swapped for match in results(played))
    assert sum(one.swaps.games for one in moves) == swapped
    assert all(cell < game.topology.cell_count for cell in cells)


def test_pages_show_tables_and_charts(played, client):
    assert "Hex" in client.get("/statistics/").content.decode()
    page = client.get("/statistics/hex/").content.decode()
    assert "8 games" in page
    assert page.count("<svg") == 2
    assert "/statistics/hex/first-moves.svg?options=size%3D3%2Cswap%3Dsides" in page
    assert "opening=" in page
    assert " style=" not in page
    for options in ("usual", "size=4", "size=99"):
        assert client.get("/statistics/hex/", {"options": options}).status_code == 200
    assert client.get("/statistics/antipod/").status_code == 200
    assert client.get("/statistics/hex/", {"rated": "yes"}).status_code == 200


def test_links_of_first_moves_find_their_games(played, client):
    for one in statistics.first_moves(the_set(), Scope()):
        fields = {"game": "hex", "options": the_set().key, "opening": one.text}
        page = client.get("/games/", fields).content.decode()
        assert page.count("small.svg") == one.games


@for_each(
    "address",
    [
        "/statistics/chess/",
        "/statistics/chess/statistics.json",
        "/statistics/hex/nothing.csv",
        "/statistics/hex/lengths.csv?options=size%3D99",
        "/statistics/hex/first-moves.svg?map=nothing",
        "/statistics/antipode/first-moves.svg",
    ],
)
def test_missing_pages_answer_404(played, client, address):
    assert client.get(address).status_code == 404
