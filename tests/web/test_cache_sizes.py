"""The largest entries of caches whose keys users choose take no more memory than the law says."""

import gc
import json
import tracemalloc
from importlib import import_module
from itertools import islice

import pytest

from antipodes.core.array_cache import ArrayCache
from antipodes.games import antipalos, base, symmetry
from antipodes.games.registry import game_ids, make_game
from antipodes.notation.svg.bodies import body
from antipodes.notation.svg.layout import layout
from antipodes.search import mcts_tree
from antipodes.search.network.directions import directed_neighbours
from antipodes.web.analysis import presenters as analysis
from antipodes.web.archive import statistics
from antipodes.web.connections import credentials
from antipodes.web.courses import coaching, judging
from antipodes.web.matches import presenters
from antipodes.web.notifications import email_message
from antipodes.web.platform.templatetags import picture_sizes
from antipodes.web.ratings import classes, history
from tests.project.test_caches import LARGEST
from tests.web.courses.lessons import SAMPLE

_FILLED = 3  # entries
# Not by `from`: the package has the functions under the names of the modules.
cylinder, grid, hexhex, rhombus, sphere = (
    import_module(f"antipodes.boards.{name}")
    for name in ("cylinder", "grid", "hexhex", "rhombus", "sphere")
)
# The largest boards of each kind, smaller by a number.
GAMES = {
    "cylinder": lambda n: make_game("cylindrical-hex", {"rows": 26, "columns": 26 - n}),
    "rhombus": lambda n: make_game("hex", {"size": 26 - n}),
    "sphere": lambda n: make_game("antipod", {"side": 10 - n}),
    "grid": lambda n: make_game("antipalos", {"size": 20, "phase_two_limit": 9_000 + n}),
}


def first_moves(act):
    """Return an act that fills an entry for each of some first moves of a game."""

    def fill(game):
        for move in islice(game.initial().legal_moves, 30):
            act(game, move)

    return fill


def drawing(game):
    """Return the key of a board with stones on a third of its cells."""
    position = game.initial()
    moves: list[int] = []
    while position.outcome is None and len(moves) < game.topology.cell_count // 3:
        moves.append(int(position.legal_moves[len(moves) % 2]))
        position = position.play(moves[-1])
    fields = {"game": game.id, "options": game.options.as_dict(), "moves": moves, "side": 0}
    return json.dumps(fields)


def projected(game):
    """Project a board to the body that takes the most memory."""
    if game.topology.kind in {"cylinder", "sphere"}:
        body(game.topology, "sphere")


# What fills each cache, given a game.
OF_GAMES = {
    "boards/cylinder.py cylinder": (cylinder.cylinder, lambda game: game.topology),
    "boards/grid.py square_grid": (grid.square_grid, lambda game: game.topology),
    "boards/rhombus.py rhombus": (rhombus.rhombus, lambda game: game.topology),
    "boards/sphere.py sphere": (sphere.sphere, lambda game: game.topology),
    "games/antipalos.py _rod_names": (
        antipalos._rod_names,
        lambda game: game.initial().format_move(0),
    ),
    "games/symmetry.py _cells_of": (symmetry._cells_of, first_moves(symmetry.cells_of)),
    "notation/svg/bodies.py body": (body, projected),
    "notation/svg/layout.py layout": (layout, lambda game: layout(game.topology)),
    "search/mcts_tree.py _board_arrays": (mcts_tree._board_arrays, mcts_tree._board_arrays),
    "search/network/directions.py directed_neighbours": (
        directed_neighbours,
        lambda game: directed_neighbours(game.topology),
    ),
    "web/archive/statistics.py _cached_game": (
        statistics._cached_game,
        lambda game: statistics._cached_game(
            game.id, "key", tuple(game.options.as_dict().items())
        ).initial(),
    ),
    "web/archive/statistics.py _owner_of_first": (
        statistics._owner_of_first,
        first_moves(lambda game, move: statistics.owner_of_first(game, move, swapped=True)),
    ),
    "web/matches/presenters.py _step_texts": (
        presenters._step_texts,
        lambda game: presenters.legal_moves_json(game.initial()),
    ),
    "web/platform/templatetags/picture_sizes.py _board_size": (
        picture_sizes._board_size,
        picture_sizes._board_size,
    ),
    "web/notifications/email_message.py _svg": (
        email_message._svg,
        lambda game: email_message._svg(drawing(game)),
    ),
    "web/notifications/email_message.py _pixels": (
        email_message._pixels,
        lambda game: email_message._pixels(email_message._svg.__wrapped__(drawing(game))),
    ),
}


def answered(course, step):
    """Judge the wrong answer and the right one to a step."""
    for answer in (step.bad, *step.right[:1]):
        if answer:
            judging.judge(course, step, (), answer)


def coached(game_id):
    """Play a few moves of a first game as the coach advises."""
    moves = coaching.begin(game_id).moves
    for _ in range(3):
        best = coaching.advice(game_id, moves, asked=True)
        position = coaching.resume(game_id, moves).position
        moves = coaching.play(game_id, moves, position.format_move(best[0])).moves


# What fills each other cache, given a number.
OF_NUMBERS = {
    "boards/hexhex.py hexhex": (hexhex.hexhex, lambda n: hexhex.hexhex(10 - n)),
    "boards/sphere.py directions": (sphere.directions, lambda n: sphere.directions(10 - n)),
    "boards/sphere.py longitudes": (sphere.longitudes, lambda n: sphere.longitudes(10 - n)),
    "boards/sphere.py rim_in_order": (sphere.rim_in_order, lambda n: sphere.rim_in_order(10 - n)),
    "web/connections/credentials.py auth_hash": (
        credentials.auth_hash,
        lambda n: credentials.auth_hash(f"{n:0128}"),
    ),
    "web/courses/coaching.py _played": (coaching._played, lambda n: coached(game_ids()[n])),
    "web/courses/coaching.py advice": (coaching.advice, lambda n: coached(game_ids()[n])),
    "web/courses/judging.py _judged": (judging._judged, lambda n: answered(*SAMPLE[n])),
    "web/courses/judging.py suggestion": (
        judging.suggestion,
        lambda n: judging.suggestion(SAMPLE[n][0].id, SAMPLE[n][1].id, ()),
    ),
    "web/ratings/classes.py speed_of_text": (
        classes.speed_of_text,
        lambda n: classes.speed_of_text(f"{n + 1}m+{n}s"),
    ),
    "web/ratings/history.py _month": (history._month, lambda n: history._month(20_000 + n)),
}

BOARDS = (
    *(cylinder.cylinder, grid.square_grid, hexhex.hexhex, rhombus.rhombus, sphere.sphere),
    *(sphere.directions, sphere.longitudes, sphere.rim_in_order, layout, body),
)


def largest_entry(cache, fill, given):
    """Return the bytes of the largest entry, with all that only its key and value keep."""
    for one in given:
        fill(one())  # loads modules and compiles kernels
    cache.cache_clear()
    largest = 0
    tracemalloc.start()
    for one in given:
        thing = one()
        forget_others(cache)
        before, count = tracemalloc.get_traced_memory()[0], cache.cache_info().currsize
        fill(thing)
        del thing
        forget_others(cache)
        grown = tracemalloc.get_traced_memory()[0] - before
        if added := cache.cache_info().currsize - count:
            largest = max(largest, grown // added)
    tracemalloc.stop()
    return largest


def forget_others(cache):
    """Forget what other caches keep, and tables; an entry that keeps them is told by that."""
    base._TABLES = ArrayCache(1)
    for other in BOARDS:
        if other is not cache:
            other.cache_clear()
    gc.collect()


@pytest.fixture(autouse=True)
def small_heap(monkeypatch):
    """Keep what exists out of the many collections of garbage."""
    monkeypatch.setattr(base, "_TABLES", base._TABLES)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", OF_GAMES)
def test_entries_for_games(name):
    cache, fill = OF_GAMES[name]
    given = [lambda make=make: make(0) for make in GAMES.values()]
    size = largest_entry(cache, fill, given)
    assert 0 < size <= LARGEST[name], size


@pytest.mark.django_db
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_other_entries(name):
    cache, fill = OF_NUMBERS[name]
    size = largest_entry(cache, fill, [lambda n=n: n for n in range(_FILLED)])
    assert 0 < size <= LARGEST[name], size


def test_all_are_measured():
    assert {*OF_GAMES, *OF_NUMBERS} == set(LARGEST)


def test_boards_as_data_keep_no_more_than_their_bytes(monkeypatch):
    monkeypatch.setattr(analysis, "_boards", ArrayCache(10_000_000))
    analysis.board_of(GAMES["grid"](100))
    monkeypatch.setattr(analysis, "_boards", ArrayCache(10_000_000))
    forget_others(None)
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for make in GAMES.values():
        analysis.board_of(make(0))
    forget_others(None)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert analysis._boards.nbytes < grown < 1.05 * analysis._boards.nbytes
