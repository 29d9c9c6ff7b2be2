"""Analysis board, computer analysis, hints and reviews."""

import re

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from tests.browser.accessibility import violations
from tests.browser.scripts import random_script

_FIRST_ANALYSIS = 240_000  # milliseconds, since kernels may have to be compiled


def open_board(player, path):
    """Open a page with an analysis board, and wait until it is shown."""
    player.open(path)
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_visible()


def line(player):
    """Return the texts of the shown moves."""
    return player.page.locator("antipodes-analysis-board .tree button").all_inner_texts()


def think_on_server(player):
    """Let the server analyse for the pages that are opened next."""
    player.page.add_init_script(
        "localStorage.setItem('antipodes-board', '{\"engine\": \"server\"}')"
    )


def analyse(player):
    """Switch the computer on and wait until the analysis is done."""
    player.page.get_by_role("switch", name="Computer").check()
    done = player.page.locator(".progress-text", has_text=re.compile("^Done"))
    expect(done).to_be_visible(timeout=_FIRST_ANALYSIS)


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("kind", ["desktop", "dark", "phone"])
def test_every_game_is_analysed_and_the_page_is_accessible(window, site, game_id, kind):
    player = window(site, kind)
    open_board(player, f"/analysis/{game_id}/")
    # On a busy machine, one second is enough for a single move of Antipalos only.
    player.page.get_by_role("combobox", name="Effort").select_option("look")
    analyse(player)
    assert player.page.locator(".best-lines li").count() >= 2
    assert violations(player.page) == []
    player.picture(f"analysis-{game_id}-{kind}")


def test_variations_are_kept_and_shown(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=5&moves=c3")
    position = make_game("hex", {"size": 5}).initial().play(12)
    after = player.play(position, "b2")
    player.play(after, "d4")
    for _ in range(2):
        player.press("Previous move")
    player.shows(position)
    player.play(position, "e1")
    assert [text.split()[-1] for text in line(player)] == ["c3", "b2", "e1", "d4"]
    expect(player.page.get_by_role("list", name="instead of b2")).to_be_visible()
    player.press("2: white b2")
    player.shows(after)
    assert player.page.url.endswith("?size=5&moves=12%2C6")


def test_moves_can_be_typed_and_stepped_through_with_keys(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=4")
    start = make_game("hex", {"size": 4}).initial()
    move = player.page.get_by_role("textbox", name="Move")
    move.fill("b2")
    move.press("Enter")
    player.shows(start.play(5))
    move.fill("b2")
    move.press("Enter")
    player.says("b2 is not legal")
    player.expect_errors("400")
    player.button("Start position").focus()
    player.page.keyboard.press("ArrowLeft")
    player.shows(start)
    player.page.keyboard.press("End")
    player.shows(start.play(5))


def test_the_url_opens_the_same_position(window, site):
    player, friend = window(site), window(site, "dark")
    open_board(player, "/analysis/antipode/")
    position = make_game("antipode").initial()
    after = player.play(position, position.format_move(next(iter(position.legal_moves))))
    open_board(friend, player.page.url)
    friend.shows(after)


@pytest.mark.parametrize("has_clipboard", [True, False], ids=["HTTPS", "HTTP"])
def test_the_link_to_a_position_is_copied(window, site, has_clipboard):
    player = window(site)
    if has_clipboard:
        player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:  # as on pages without HTTPS
        player.page.add_init_script("delete Navigator.prototype.clipboard")
    open_board(player, "/analysis/hex/?size=4&moves=b2")
    player.press("Copy link")
    expect(player.page.get_by_text("Link copied.")).to_be_visible()
    move = player.page.get_by_role("textbox", name="Move")
    move.focus()
    player.page.keyboard.press("Control+v")
    expect(move).to_have_value(player.page.url)


def lines_of(player, position):
    """Analyse, and return the moves of the first line with the positions after each of them."""
    player.page.get_by_role("combobox", name="Effort").select_option("look")
    analyse(player)
    moves = player.page.locator(".best-lines li").first.locator("button")
    after = [position]
    for text in moves.all_inner_texts():
        after.append(after[-1].play(after[-1].parse_move(text)))
    return moves, after[1:]


def test_a_move_of_a_line_is_previewed_by_the_pointer_and_the_line_up_to_it_is_played(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=9&swap=off&moves=e5")
    shown = make_game("hex", {"size": 9, "swap": "off"}).initial().play(40)
    moves, after = lines_of(player, shown)
    moves.nth(1).hover()
    player.shows(after[1])
    moves.first.hover()
    player.shows(after[0])
    player.page.mouse.move(5, 5)
    player.shows(shown)
    moves.nth(1).click()
    player.shows(after[1])
    player.page.mouse.move(5, 5)
    player.shows(after[1])
    assert len(line(player)) == 3
    player.picture("analysis-line")


def test_a_line_is_stepped_through_and_played_with_keys(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=9&swap=off&moves=e5")
    shown = make_game("hex", {"size": 9, "swap": "off"}).initial().play(40)
    moves, after = lines_of(player, shown)
    moves.first.focus()
    player.shows(after[0])
    player.page.keyboard.press("ArrowRight")
    player.shows(after[1])
    player.page.keyboard.press("Enter")
    expect(player.page.locator(".tree [aria-current]")).to_be_focused()
    player.shows(after[1])
    assert len(line(player)) == 3
    player.page.keyboard.press("ArrowLeft")
    player.shows(after[0])


def test_the_bar_beside_the_board_tells_the_chances_while_the_computer_is_on(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=4&swap=off&moves=b2")
    bar = player.page.get_by_role("img", name=re.compile("^Winning chances"))
    expect(bar).to_be_hidden()
    analyse(player)
    expect(bar).to_have_accessible_name(re.compile(r"^Winning chances, black \d+%, white \d+%$"))
    board = player.page.locator("antipodes-board .board-pictures svg").bounding_box()
    assert bar.bounding_box()["x"] < board["x"]
    player.page.get_by_role("switch", name="Computer").uncheck()
    expect(bar).to_be_hidden()


def test_the_heat_map_is_off_until_it_is_wanted_and_is_explained(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=5")
    analyse(player)
    heat, legend = player.page.locator("antipodes-board .heat"), player.page.locator(".heat-legend")
    expect(heat).to_have_count(0)
    expect(legend).to_be_hidden()
    player.page.get_by_role("checkbox", name="Heat map").check()
    expect(heat.first).to_be_visible()
    expect(legend).to_contain_text("the more dots")
    player.page.reload()
    expect(heat.first).to_be_visible(timeout=_FIRST_ANALYSIS)


@pytest.mark.parametrize("page", ["analysis", "editor"])
def test_game_and_board_are_chosen_above_the_board(window, site, page):
    player = window(site)
    open_board(player, f"/{page}/hex/?size=4")
    games = player.page.get_by_role("navigation", name="Games")
    assert games.bounding_box()["y"] < player.page.locator("antipodes-board").bounding_box()["y"]
    expect(games.get_by_role("link", name="Hex", exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    player.page.get_by_text("Change board").click()
    player.page.get_by_role("combobox", name="Size").select_option("5")
    player.press("Show board")
    expect(player.page.locator("antipodes-board [data-cell]")).to_have_count(25)
    games.get_by_role("link", name="Antipode").click()
    player.page.wait_for_url(f"**/{page}/antipode/")


def test_the_tools_of_the_analysis_stand_in_one_bar(window, site):
    player = window(site)
    open_board(player, "/analysis/hex/?size=4&moves=b2")
    tools = player.page.get_by_role("group", name="More actions")
    names = [text.strip() for text in tools.locator("> *").all_inner_texts()]
    assert names == [
        "Copy link",
        "Make main line",
        "Delete from here",
        "Play it out",
        "Edit",
        "Make a study",
    ]


def test_an_analysis_stopped_by_the_server_is_restarted_once(window, site):
    player = window(site)
    think_on_server(player)
    open_board(player, "/analysis/hex/?size=9&moves=c3,e5")
    player.page.get_by_role("combobox", name="Effort").select_option("study")
    player.page.get_by_role("switch", name="Computer").check()
    status = player.page.locator(":not(.explorer) > .progress-text")
    stop = (
        "from antipodes.web.analysis.models import AnalysisRow, AnalysisState\n"
        "AnalysisRow.objects.filter(effort='study').update(state=AnalysisState.STOPPED)"
    )
    expect(status).to_contain_text("visits", timeout=_FIRST_ANALYSIS)
    with player.page.expect_request(lambda one: one.url.endswith("/analyses")):
        site.shell(stop)
    expect(status).to_contain_text(re.compile("^Thinking.*visits"), timeout=_FIRST_ANALYSIS)
    site.shell(stop)
    expect(status).to_have_text(re.compile("^Stopped"))


@pytest.mark.parametrize("place", ["device", "server"])
def test_proven_results_and_threats_are_shown(window, site, place):
    player = window(site)
    if place == "server":
        think_on_server(player)
    open_board(player, "/analysis/hex/?size=4&swap=off&moves=b1,a1,b2,a2,b3")
    analyse(player)
    player.says("Proven: white to move loses")
    player.says("a4 would win at once")


def test_hints_and_the_review_of_a_finished_match(window, site):
    player = window(site)
    player.play_computer("hex", level=1, seat=0, size=4, swap="off")
    position = make_game("hex", {"size": 4, "swap": "off"}).initial()
    hint = player.page.locator(".hints p")
    while position.outcome is None:
        player.press("Hint")
        expect(hint).to_contain_text("Put a stone on", timeout=_FIRST_ANALYSIS)
        text = re.findall(r"Put a stone on (\w+)", hint.inner_text())[0]
        position = player.move(position, text)
        if position.outcome is None:
            position = player.after_answer(position)
    review = player.page.get_by_role("tabpanel", name="Review")
    expect(review.get_by_role("slider")).to_be_visible()
    turning_points = review.get_by_role("heading", name="Turning points")
    expect(turning_points).to_be_visible(timeout=_FIRST_ANALYSIS)
    expect(review.locator("tbody tr")).to_have_count(position.ply + 1, timeout=_FIRST_ANALYSIS)
    review.get_by_role("slider").press("Home")
    player.shows(make_game("hex", {"size": 4, "swap": "off"}).initial())
    assert violations(player.page) == []
    player.picture("review")
    player.page.get_by_role("link", name="Analyse", exact=True).click()
    player.page.wait_for_url("**/analysis/hex/**")


# Both players give away proven wins, so the review has turning points.
_MISTAKES = random_script("hex", "113", size=4, swap="sides")


@pytest.fixture
def reviewed(table, request):
    """The first player of a finished match with mistakes, whose review is done."""
    players = table(_MISTAKES, kinds=(request.param,))
    position = _MISTAKES.start()
    for text in _MISTAKES.moves:
        player = players[position.seat_to_move]
        player.shows(position)
        position = player.play(position, text)
    players[0].page.locator("antipodes-review .turns strong").first.wait_for()
    return players[0]


def before_the_first_turn(player):
    """Return the first turning point, its better line, and the position before it."""
    path = player.page.url.split("?")[0]
    turn = player.page.request.get(f"{path}review.json").json()["turns"][0]
    position = _MISTAKES.start()
    for text in _MISTAKES.moves[: turn["ply"] - 1]:
        position = position.play(position.parse_move(text))
    return turn, position


@pytest.mark.parametrize("reviewed", ["desktop", "phone"], indirect=True)
def test_a_turning_point_shows_the_better_line_on_the_board_and_plays_it(reviewed):
    turn, position = before_the_first_turn(reviewed)
    assert turn["line"][0] == turn["better"] != turn["move"]
    reviewed.page.locator(".turns li button").first.click()
    reviewed.shows(position)
    board = reviewed.page.locator("antipodes-board .board-pictures")
    expect(board.locator(".sign-plate.best")).to_be_visible()
    expect(board.get_by_text("?", exact=True)).to_be_visible()
    expect(board).to_be_in_viewport()
    for text in turn["line"]:
        reviewed.press("Next move (right arrow)")
        position = position.play(position.parse_move(text))
        reviewed.shows(position)
    reviewed.press("Next move (right arrow)")  # the line has an end
    reviewed.shows(position)
    reviewed.press("Current position")
    expect(reviewed.page.get_by_role("group", name="Better")).to_be_hidden()


@pytest.mark.parametrize("reviewed", ["desktop"], indirect=True)
def test_the_review_stands_beside_the_board_on_one_screen(reviewed):
    reviewed.page.set_viewport_size({"width": 1280, "height": 800})
    reviewed.page.evaluate("scrollTo(0, 0)")
    board = reviewed.page.locator("antipodes-board .board-pictures").bounding_box()
    first = reviewed.page.locator(".turns li button").first.bounding_box()
    assert first["x"] > board["x"] + board["width"] - 1
    assert first["y"] + first["height"] < 800
    bar = reviewed.page.get_by_role("img", name=re.compile("^Winning chances, "))
    expect(bar.first).to_be_visible()


@pytest.mark.parametrize("reviewed", ["desktop"], indirect=True)
def test_the_review_counts_mistakes_leads_to_exercises_and_shares_a_moment(reviewed):
    turn, _ = before_the_first_turn(reviewed)
    counts = reviewed.page.locator(".mistakes li")
    expect(counts).to_have_count(2)
    expect(counts.first).to_contain_text(re.compile(r"\d+ mistakes? · \d+ blunders?"))
    reviewed.page.locator(".turns li button").first.click()
    reviewed.press("Share this moment")
    link = reviewed.page.get_by_role("textbox", name=re.compile("^Link to"))
    expect(link).to_have_value(re.compile(rf"\?ply={turn['ply'] - 1}$"))
    picture = reviewed.page.get_by_role("img", name="Picture of the position")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("one => one.naturalWidth") > 0
    reviewed.page.get_by_role("tab", name="Review").click()
    reviewed.press("Learn from your mistakes")
    reviewed.page.wait_for_url(re.compile(r"/puzzles/mistakes/\?match="))
