"""Puzzles: solved by mouse, touch and keys, with refutations, hints and solutions."""

import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from antipodes.puzzles import store
from tests.browser.accounts import sign_in_or_up, sign_up
from tests.browser.test_keyboard import go_to, tab_to
from tests.browser.test_page_engine import FAILED, HERE, MODULE, WATCHED, stopped

needs_engine = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")

_SEARCH = 240_000  # milliseconds, since kernels may have to be compiled
_TYPE = """() => document.querySelector("antipodes-board").settings()
  .find((one) => one.name === "input").choose("on")"""
KINDS = ["desktop", "dark", "contrast", "phone", "narrow"]


def puzzle_of(game_id, length=2):
    """Return a puzzle with so many moves to find."""
    return next(one for one in store.puzzles(game_id) if one.length == length)


def open_puzzle(player, puzzle):
    """Open a puzzle, and wait until it can be played."""
    player.open(f"/puzzles/{puzzle.id}/")
    player.shows(puzzle.position)


def status(player):
    """Return the element that tells how the puzzle goes."""
    return player.page.locator(".puzzle-status")


def solve(player, puzzle):
    """Play the line of a puzzle with mouse or finger."""
    position = puzzle.position
    for number, text in enumerate(puzzle.line):
        if number % 2:
            position = position.play(position.parse_move(text))
            player.shows(position)
        else:
            move = position.parse_move(text)
            player.click_steps(position, position.steps(move))
            position = position.play(move)
    expect(status(player)).to_contain_text("Solved!")
    player.shows(position)


def wrong_move(puzzle):
    """Return a first move that does not win."""
    position = puzzle.position
    return next(move for move in position.legal_moves if move != puzzle.solution)


@contextmanager
def other_site(html):
    """Serve a page from another site; yield its URL."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            head = "<!doctype html><title>x</title><link rel=icon href=data:,>"
            self.wfile.write(f"{head}{html}".encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
@pytest.mark.parametrize("game_id", game_ids())
def test_a_puzzle_is_solved_by_mouse_and_touch(window, site, game_id, kind):
    player = window(site, kind)
    puzzle = puzzle_of(game_id)
    open_puzzle(player, puzzle)
    player.picture(f"puzzle-{game_id}-{kind}")
    player.check_accessibility()
    solve(player, puzzle)
    expect(player.page.locator(".puzzle-result")).to_contain_text("Solved at the first try")
    player.picture(f"puzzle-solved-{game_id}-{kind}")
    player.check_accessibility()


def test_a_puzzle_is_solved_with_the_keyboard_and_the_next_one_begins(window, site):
    player = window(site)
    keys = player.page.keyboard
    puzzle = puzzle_of("hex")
    open_puzzle(player, puzzle)
    position = puzzle.position
    for number, text in enumerate(puzzle.line):
        if number % 2 == 0:
            go_to(player, text)
            keys.press("Enter")
        position = position.play(position.parse_move(text))
        if number % 2:
            player.shows(position)
    expect(status(player)).to_contain_text("Solved!")
    expect(player.page.locator(".next-puzzle")).to_be_visible()
    tab_to(player, ".next-puzzle")
    keys.press("Enter")
    player.page.wait_for_url(lambda url: "/puzzles/" in url and puzzle.id not in url)


def test_a_move_can_be_typed(window, site):
    player = window(site)
    puzzle = puzzle_of("hex")
    open_puzzle(player, puzzle)
    player.page.evaluate(_TYPE)
    field = player.page.locator(".board-move-input input")
    field.fill("b99")
    field.press("Enter")
    expect(player.page.locator(".board-error")).to_contain_text("b99")
    player.expect_errors("400")
    field.fill(puzzle.line[0])
    field.press("Enter")
    expect(status(player)).to_contain_text("is right")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_wrong_move_is_refuted_on_the_board_and_can_be_taken_back(window, site, kind):
    player = window(site, kind)
    puzzle = puzzle_of("antipode")
    open_puzzle(player, puzzle)
    position = puzzle.position
    player.click_steps(position, position.steps(wrong_move(puzzle)))
    expect(status(player)).to_contain_text("is wrong")
    expect(status(player)).to_contain_text("The refutation", timeout=_SEARCH)
    expect(player.page.locator(".puzzle-result")).to_contain_text("Not solved")
    words = player.page.locator(".line-words")
    expect(words).to_contain_text("Move 2 of")
    player.picture(f"puzzle-refuted-{kind}")
    player.press("Previous move")
    expect(words).to_contain_text("Move 1 of")
    player.shows(position.play(wrong_move(puzzle)))
    player.check_accessibility()
    player.press("Try again")
    player.shows(position)
    solve(player, puzzle)


def play_wrong(player, puzzle):
    """Open a puzzle and play a wrong first move."""
    open_puzzle(player, puzzle)
    position = puzzle.position
    player.click_steps(position, position.steps(wrong_move(puzzle)))


@needs_engine
@pytest.mark.parametrize("game_id", game_ids())
def test_a_refutation_needs_no_worker_of_the_server(own_site, window, game_id):
    player = window(own_site)
    puzzle = puzzle_of(game_id)
    asked = []
    player.page.on("request", lambda request: asked.append(request.url))
    with stopped(own_site):
        play_wrong(player, puzzle)
        expect(status(player)).to_contain_text("The refutation", timeout=30_000)
        expect(player.page.get_by_text(HERE)).to_be_visible()
        player.picture(f"puzzle-refuted-here-{game_id}")
        player.press("Try again")
        solve(player, puzzle)
    assert not [url for url in asked if "/judgement" in url]


@needs_engine
def test_the_server_refutes_where_the_engine_fails(window, site):
    player = window(site)
    player.expect_errors("antipode.wasm")
    player.page.route("**/antipode.wasm*", lambda route: route.abort())
    play_wrong(player, puzzle_of("antipode"))
    expect(status(player)).to_contain_text("The refutation", timeout=_SEARCH)
    expect(player.page.get_by_text(FAILED)).to_be_visible()


@needs_engine
def test_the_server_refutes_where_the_player_wants_it(window, site):
    player = window(site)
    player.open("/")
    player.page.evaluate("localStorage.setItem('antipodes-board', '{\"engine\": \"server\"}')")
    play_wrong(player, puzzle_of("antipode"))
    expect(status(player)).to_contain_text("The refutation", timeout=_SEARCH)
    assert player.page.workers == []


@needs_engine
def test_a_refutation_rests_while_the_page_is_hidden(window, site):
    player = window(site)
    player.page.add_init_script(WATCHED)
    puzzle = puzzle_of("antipalos")  # whose refutation the site does not know yet
    open_puzzle(player, puzzle)
    player.page.evaluate("hide(true)")
    position = puzzle.position
    with player.page.expect_worker() as started:
        player.click_steps(position, position.steps(wrong_move(puzzle)))
    assert started.value
    before = player.page.evaluate("resting()")
    player.page.evaluate("new Promise((resolve) => { setTimeout(resolve, 1000); })")
    assert player.page.evaluate("orders") == before
    expect(status(player)).not_to_contain_text("The refutation")
    player.page.evaluate("hide(false)")
    expect(status(player)).to_contain_text("The refutation", timeout=30_000)


def test_hints_and_the_solution_are_shown(window, site):
    player = window(site)
    puzzle = next(one for one in store.puzzles("hex") if one.themes and one.length == 2)
    open_puzzle(player, puzzle)
    player.press("Hint")
    expect(status(player)).to_contain_text("Theme:")
    player.press("Hint")
    expect(status(player)).to_contain_text("begins at one of these")
    player.picture("puzzle-hint")
    player.check_accessibility()
    player.press("Show solution")
    expect(status(player)).to_contain_text(f"Solution: {' '.join(puzzle.line)}")
    step_through(player, puzzle)
    player.press("Start again")
    player.shows(puzzle.position)


def step_through(player, puzzle):
    """Step back to the start of the solution and forth, and see each position with its move."""
    words, total = player.page.locator(".line-words"), len(puzzle.line)
    expect(words).to_contain_text(f"Move {total} of {total}")
    for _ in puzzle.line:
        player.press("Previous move")
    expect(words).to_be_empty()
    position = puzzle.position
    player.shows(position)
    for number, text in enumerate(puzzle.line, start=1):
        player.press("Next move")
        expect(words).to_contain_text(f"Move {number} of {total}: {position.to_move.title} puts")
        position = position.play(position.parse_move(text))
        player.shows(position)
    player.picture("puzzle-solution")


def test_without_javascript_a_puzzle_is_answered_by_a_form(window, site):
    player = window(site, java_script_enabled=False)
    puzzle = puzzle_of("hex")
    player.open(f"/puzzles/{puzzle.id}/")
    for move in puzzle.line[::2]:
        player.page.locator("#plain-move").fill(move)
        player.press("Answer")
        expect(status(player)).to_contain_text(f"{move} is right")
    expect(status(player)).to_contain_text("Solved!")


def test_an_account_is_rated_and_reads_its_history(window, site):
    player = window(site)
    sign_up(player, "solver")
    puzzle = puzzle_of("hex")
    open_puzzle(player, puzzle)
    solve(player, puzzle)
    result = player.page.locator(".puzzle-result")
    expect(result).to_contain_text(re.compile(r"Your rating: 1[5-9]\d\d"))
    player.press("Like")
    expect(player.button("Like")).to_have_attribute("aria-pressed", "true")
    player.page.get_by_text("Report a mistake").click()
    player.page.get_by_label("Details").fill("just a test")
    player.press("Report")
    expect(result).to_contain_text("A moderator will look")
    player.picture("puzzle-result")
    player.check_accessibility()
    player.open("/puzzles/mistakes/")
    player.check_accessibility()
    player.open("/puzzles/history/")
    expect(player.page.locator("svg.history")).to_be_visible()
    player.picture("puzzle-history")
    player.check_accessibility()


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation_on_the_pages_of_puzzles(window, site, kind):
    player = window(site, kind)
    for place in ("/", "/puzzles/", "/puzzles/theme/fork/"):
        player.open(place)
        player.page.wait_for_load_state("networkidle")
        player.picture(f"puzzles-{place.strip('/').replace('/', '-') or 'home'}-{kind}")
        player.check_accessibility()


def test_a_puzzle_is_solved_in_a_frame_of_another_site(window, site):
    player = window(site)
    puzzle = puzzle_of("hex")
    address = site.url(f"/puzzles/{puzzle.id}/embed/")
    with other_site(f'<iframe title="puzzle" width="480" height="640" src="{address}">') as other:
        player.page.goto(other)
    frame = player.page.frame_locator("iframe")
    expect(frame.locator(".puzzle-status")).to_contain_text("Your move")
    position = puzzle.position
    cell = position.steps(puzzle.solution)[0]
    frame.locator(f"[data-cell='{cell}']:not([aria-hidden])").first.click()
    expect(frame.locator(".puzzle-status")).to_contain_text("is right")
    player.picture("puzzle-frame")


_MISTAKE = """
from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.matches.services import begin_match
from antipodes.web.puzzles.models import MistakeRow
game = make_game("hex", {"size": 3, "swap": "off"})
users = [User.objects.get(username="misser"), computer("1")]
match = begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)
position = game.initial()
for text in ("a1", "a2"):
    position = position.play(position.parse_move(text))
MistakeRow.objects.create(
    user=users[0], match=match, ply=2, game_id="hex", options=dict(game.options.changed()),
    setup=setup_data(position.to_setup()), played="b1", better="b2", before=1, after=0,
    is_proven=True, state="ready", asked_at=0)
"""


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_mistake_of_ones_own_is_corrected(window, site, kind):
    player = window(site, kind)
    sign_in_or_up(player, "misser")
    site.shell(_MISTAKE)
    player.open("/puzzles/mistakes/")
    player.picture(f"mistakes-{kind}")
    player.check_accessibility()
    player.page.get_by_role("link", name=re.compile("find the win that you missed")).first.click()
    position = make_game("hex", {"size": 3, "swap": "off"}).initial()
    for text in ("a1", "a2"):
        position = position.play(position.parse_move(text))
    player.shows(position)
    player.move(position, "b1")
    expect(status(player)).to_contain_text("That is what you played in the game")
    player.press("Try again")
    player.shows(position)
    player.move(position, "b2")
    expect(status(player)).to_contain_text("That is the move!")
    expect(player.page.locator(".puzzle-result")).to_contain_text("from 100 % to 0 %")
    player.picture(f"mistake-solved-{kind}")
    player.check_accessibility()
