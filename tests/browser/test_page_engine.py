"""The engine in the page: the computer thinks on the visitor's device."""

import contextlib
import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import antipodes.web
from antipodes.games.registry import make_game
from tests.live.processes import WORKER, running, suspended

MODULE = Path(antipodes.web.__file__).parent / "static/antipodes/engine/placement.wasm"

pytestmark = pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")

HERE = "The computer thinks on this device, which costs the site nothing."
FAILED = "The engine in this page has failed; the computer thinks on the server."
NINTH = [
    ("hex", {"size": 4}),
    ("cylindrical-hex", {"rows": 4, "columns": 5}),
    ("antipod", {"side": 4}),
]


@contextlib.contextmanager
def stopped(site):
    """Stop the processes that make the computer's moves."""
    pids = running(site.pid, WORKER)
    assert pids
    with suspended(*pids):
        yield


def moves_in_the_middle(position):
    """Return the legal moves, those that are useful in a game with few cells first."""
    chance = random.Random(1)
    moves = [position.format_move(move) for move in position.legal_moves]
    chance.shuffle(moves)
    return [text for text in moves if not text.lower().startswith("swap")]


def begin(player, level, **options):
    """Begin a game against the computer, whose page has the engine ready."""
    player.play_computer("hex", level=level, seat=0, swap="off", **options)
    expect(player.page.get_by_text("The computer thinks on this device")).to_be_visible()
    return make_game("hex", {"swap": "off", **options}).initial()


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_whole_game_needs_no_worker_of_the_server(own_site, window, kind):
    player = window(own_site, kind)
    with stopped(own_site):
        position = begin(player, 2, size=5)
        while position.outcome is None:
            text = moves_in_the_middle(position)[0]
            position = player.move(position, text)
            if position.outcome is None:
                position = player.after_answer(position)
        player.says("You" if position.outcome.winner == "black" else "Computer")
    sources = [move["source"] for move in player.match["moves"]]
    assert set(sources[1::2]) == {"device"}
    player.picture(f"page-engine-{kind}")


@pytest.mark.parametrize(("game_id", "options"), NINTH, ids=[game_id for game_id, _ in NINTH])
def test_the_highest_level_thinks_in_the_page(own_site, window, game_id, options):
    player = window(own_site)
    player.play_computer(game_id, level=9, seat=0, **options)
    expect(player.page.get_by_text(HERE)).to_be_visible()
    with stopped(own_site):
        position = make_game(game_id, options).initial()
        text = moves_in_the_middle(position)[0]
        player.after_answer(player.move(position, text))
    assert [move["source"] for move in player.match["moves"]] == ["hand", "device"]


def test_the_server_takes_over_from_a_device_that_is_too_slow_for_a_level(window, site):
    player = window(site)

    def leave_no_time(route):
        source = route.fetch().text()
        assert "PATIENCE=8_000" in source
        route.fulfill(body=source.replace("8_000", "1"), content_type="text/javascript")

    player.page.route("**/match/computer.js", leave_no_time)
    position = begin(player, 9, size=11)
    position = player.move(position, "b2")
    told = "This device is too slow for this level; the computer thinks on the server."
    expect(player.page.get_by_text(told)).to_be_visible()
    player.picture("page-engine-slow")
    player.after_answer(position)
    assert [move["source"] for move in player.match["moves"]] == ["hand", "hand"]


def test_the_server_takes_over_from_a_page_that_cannot_load_the_engine(window, site):
    player = window(site)
    player.expect_errors("placement.wasm")
    player.page.route("**/placement.wasm*", lambda route: route.abort())
    player.play_computer("hex", level=1, seat=0, swap="off", size=4)
    told = "The engine in this page has failed; the computer thinks on the server."
    expect(player.page.get_by_text(told)).to_be_visible()
    position = player.move(make_game("hex", {"swap": "off", "size": 4}).initial(), "b2")
    player.after_answer(position)
    assert [move["source"] for move in player.match["moves"]] == ["hand", "hand"]


def test_the_server_takes_over_from_an_engine_that_dies(window, site):
    player = window(site)
    position = begin(player, 1, size=4)
    position = player.after_answer(player.move(position, "b2"))
    [worker] = player.page.workers
    worker.evaluate("() => self.close()")
    reply = moves_in_the_middle(position)[0]
    player.after_answer(player.move(position, reply))
    assert [move["source"] for move in player.match["moves"]] == ["hand", "device", "hand", "hand"]


def test_the_computer_thinks_where_the_player_wants_it(window, site):
    player = window(site)
    player.open("/")
    player.page.evaluate("localStorage.setItem('antipodes-board', '{\"engine\": \"server\"}')")
    player.play_computer("hex", level=1, seat=0, swap="off", size=4)
    position = player.move(make_game("hex", {"swap": "off", "size": 4}).initial(), "b2")
    player.after_answer(position)
    assert player.page.workers == []
    assert [move["source"] for move in player.match["moves"]] == ["hand", "hand"]


# Counts what pages ask their workers and what these answer, and lets tests hide the page.
WATCHED = """
  window.orders = window.answers = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...given) {
    if (!this.isWatched) this.addEventListener("message", () => window.answers++);
    this.isWatched = true;
    window.orders++;
    return post.apply(this, given);
  };
  window.hide = (isHidden) => {
    Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  window.resting = async () => {
    while (orders !== answers) await new Promise((resolve) => setTimeout(resolve, 20));
    return orders;
  };
"""


def analyse(player, effort, path="/analysis/hex/?size=9&moves=c3,e5"):
    """Switch the computer of an analysis board on; return where its progress is told."""
    player.open(path)
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_visible()
    player.page.get_by_role("combobox", name="Effort").select_option(effort)
    player.page.get_by_role("switch", name="Computer").check()
    return player.page.locator(".analysis-panel > .progress-text")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
@pytest.mark.parametrize(
    ("game_id", "options"),
    [
        ("hex", ""),
        ("antipod", ""),
        ("antipode", ""),
        ("antipalos", ""),
        ("antipalos", "seats=cutthroat3"),
        ("cylindrical-hex", ""),
    ],
)
def test_an_analysis_needs_no_worker_of_the_server(own_site, window, kind, game_id, options):
    player = window(own_site, kind)
    asked = []
    player.page.on("request", lambda request: asked.append(request.url))
    with stopped(own_site):
        progress = analyse(player, "glance", f"/analysis/{game_id}/?{options}")
        expect(progress).to_have_text(re.compile("^Done: .* visits"), timeout=30_000)
        expect(player.page.get_by_text(HERE)).to_be_visible()
    assert not [url for url in asked if url.endswith("/analyses")]
    # A slow device visits few moves at a glance.
    expect(player.page.locator(".best-lines li").first).to_be_visible()
    player.check_accessibility()
    player.picture(f"page-analysis-{game_id}{options}-{kind}")


def test_the_server_takes_over_an_analysis_whose_worker_dies(window, site):
    player = window(site)
    progress = analyse(player, "look")
    expect(progress).to_have_text(re.compile("^Thinking.* visits"))
    rows = player.page.locator(".best-lines li")
    expect(rows.first).to_be_visible()
    [worker] = player.page.workers
    with player.page.expect_request(lambda request: request.url.endswith("/analyses")):
        worker.evaluate("() => self.close()")
    expect(rows.first).to_be_visible()  # the results so far are not lost
    expect(player.page.get_by_text(FAILED)).to_be_visible()
    expect(progress).to_have_text(re.compile("^Done"), timeout=30_000)


def test_the_server_analyses_for_a_page_that_cannot_load_the_engine(window, site):
    player = window(site)
    player.expect_errors("placement.wasm")
    player.page.route("**/placement.wasm*", lambda route: route.abort())
    progress = analyse(player, "glance")
    expect(player.page.get_by_text(FAILED)).to_be_visible()
    expect(progress).to_have_text(re.compile("^Done"), timeout=30_000)


def test_an_analysis_rests_while_the_page_is_hidden(window, site):
    player = window(site)
    player.page.add_init_script(WATCHED)
    progress = analyse(player, "look")
    expect(progress).to_have_text(re.compile("^Thinking.* visits"))
    player.page.evaluate("hide(true)")
    before = player.page.evaluate("resting()")
    player.page.evaluate("new Promise((resolve) => { setTimeout(resolve, 1000); })")
    assert player.page.evaluate("orders") == before
    expect(progress).to_have_text(re.compile("^Thinking"))
    player.page.evaluate("hide(false)")
    expect(progress).to_have_text(re.compile("^Done"), timeout=30_000)


def test_the_computer_analyses_where_the_player_wants_it(window, site):
    player = window(site)
    progress = analyse(player, "look")
    expect(player.page.get_by_text(HERE)).to_be_visible()
    with player.page.expect_request(lambda request: request.url.endswith("/analyses")):
        player.page.locator("summary", has_text="Board options").click()
        player.page.get_by_text("on the server", exact=True).click()
    expect(player.page.get_by_text(HERE)).to_be_hidden()
    expect(progress).to_have_text(re.compile("^Done"), timeout=30_000)


def test_a_hint_needs_no_worker_of_the_server(own_site, window):
    player = window(own_site)
    with stopped(own_site):
        position = begin(player, 1, size=5)
        player.press("Hint")
        hint = player.page.locator(".hints p")
        expect(hint).to_contain_text("Put a stone on", timeout=30_000)
        text = re.findall(r"Put a stone on (\w+)", hint.inner_text())[0]
        assert not position.why_illegal(text)


def with_cores(player, count):
    """Let the browser tell pages of so many cores; return the workers that pages start."""
    player.page.add_init_script(
        f"Object.defineProperty(navigator, 'hardwareConcurrency', {{ value: {count} }});"
    )
    workers = []

    def add(worker):
        workers.append(worker)

    player.page.on("worker", add)
    return workers


def finish(player, **options):
    """Play a game on the device to its end; return the last position."""
    position = begin(player, 1, **options)
    while position.outcome is None:
        position = player.move(position, moves_in_the_middle(position)[0])
        if position.outcome is None:
            position = player.after_answer(position)
    return position


@pytest.mark.parametrize(("kind", "workers"), [("desktop", 2), ("phone", 1)])
def test_a_review_needs_no_worker_of_the_server(own_site, window, kind, workers):
    player = window(own_site, kind)
    started = with_cores(player, workers + 1)
    with stopped(own_site):
        position = finish(player, size=3)
        review = player.page.get_by_role("region", name="Game review")
        expect(review).to_contain_text("The computer thinks on this device")
        rows = review.locator("tbody tr")
        expect(rows).to_have_count(position.ply + 1, timeout=60_000)
        expect(review.locator(".progress-text")).to_have_text("", timeout=60_000)
    assert len(started) == 1 + workers  # one has played
    assert player.page.request.get(f"{player.page.url}review.json").json()["isLeft"]
    player.picture(f"page-review-{kind}")


def test_the_server_takes_over_a_review_one_of_whose_workers_fails(window, site):
    player = window(site)
    started = with_cores(player, 3)
    position = begin(player, 1, size=11)
    for _ in range(3):
        position = player.move(position, moves_in_the_middle(position)[0])
        position = player.after_answer(position)
    player.press("Resign")
    player.press("Resign now")
    review = player.page.get_by_role("region", name="Game review")
    expect(review.locator("tbody tr")).not_to_have_count(0)
    player.expect_errors("this worker fails")
    started[-1].evaluate("() => { setTimeout(() => { throw Error('this worker fails'); }); }")
    expect(review).to_contain_text(FAILED)
    expect(review.locator("tbody tr")).to_have_count(position.ply + 1, timeout=60_000)
    assert not player.page.request.get(f"{player.page.url}review.json").json()["isLeft"]


def test_the_server_reviews_where_the_engine_fails(window, site):
    player = window(site)
    position = begin(player, 1, size=4)
    for text in ("b2", "c2", "b3", "c3"):
        if position.outcome is None and not position.why_illegal(text):
            position = player.after_answer(player.move(position, text))
    player.page.route("**/engine.json?*", lambda route: route.abort())
    player.expect_errors("engine.json")
    player.press("Resign")
    player.press("Resign now")
    review = player.page.get_by_role("region", name="Game review")
    expect(review.locator("tbody tr")).to_have_count(position.ply + 1, timeout=60_000)
