"""Positions are tried out, analysed, hinted at and reviewed in the browser."""

import re

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from tests.browser.accessibility import violations

_FIRST_ANALYSIS = 240_000  # milliseconds, since kernels may have to be compiled


def ready(player, path):
    """Open a page with a board for free play, and wait until it is there."""
    player.confirms = False
    player.open(path)
    expect(player.page.locator("antipodes-board [data-cell]").first).to_be_visible()


def line(player):
    """Return the moves that are shown, by their texts."""
    return player.page.locator("antipodes-study .tree button").all_inner_texts()


def analysed(player):
    """Switch the computer on and wait until it is done."""
    player.page.get_by_role("switch", name="Computer").check()
    done = player.page.locator(".progress-words", has_text=re.compile("^Done"))
    expect(done).to_be_visible(timeout=_FIRST_ANALYSIS)


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize("kind", ["desktop", "dark", "phone"])
def test_every_game_is_analysed_and_the_page_is_accessible(window, site, game_id, kind):
    player = window(site, kind)
    ready(player, f"/analysis/{game_id}/")
    # In one second of a busy machine Antipalos looks at a single move.
    player.page.get_by_role("combobox", name="Effort").select_option("look")
    analysed(player)
    assert player.page.locator(".findings tbody tr").count() >= 2
    assert violations(player.page) == []
    player.picture(f"analysis-{game_id}-{kind}")


def test_moves_are_made_taken_back_and_kept_as_variations(window, site):
    player = window(site)
    ready(player, "/analysis/hex/?size=5&moves=c3")
    position = make_game("hex", {"size": 5}).initial().play(12)
    after = player.play(position, "b2")
    player.play(after, "d4")
    for _ in range(2):
        player.press("one move back")
    player.shows(position)
    player.play(position, "e1")
    assert [text.split()[-1] for text in line(player)] == ["c3", "b2", "e1", "d4"]
    expect(player.page.get_by_role("list", name="instead of b2")).to_be_visible()
    player.press("2: white b2")
    player.shows(after)
    assert player.page.url.endswith("?size=5&moves=12%2C6")


def test_the_keyboard_alone_is_enough(window, site):
    player = window(site)
    ready(player, "/analysis/hex/?size=4")
    start = make_game("hex", {"size": 4}).initial()
    move = player.page.get_by_role("textbox", name="Move")
    move.fill("b2")
    move.press("Enter")
    player.shows(start.play(5))
    move.fill("b2")
    move.press("Enter")
    player.says("b2 is not legal")
    player.forgive("400")
    player.button("to the beginning").focus()
    player.page.keyboard.press("ArrowLeft")
    player.shows(start)
    player.page.keyboard.press("End")
    player.shows(start.play(5))


def test_a_link_opens_the_same_position(window, site):
    player, friend = window(site), window(site, "dark")
    ready(player, "/analysis/antipode/")
    position = make_game("antipode").initial()
    after = player.play(position, position.format_move(next(iter(position.legal_moves))))
    ready(friend, player.page.url)
    friend.shows(after)


@pytest.mark.parametrize("has_clipboard", [True, False], ids=["HTTPS", "HTTP"])
def test_the_link_to_a_position_is_copied(window, site, has_clipboard):
    player = window(site)
    if has_clipboard:
        player.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:  # as on pages without HTTPS
        player.page.add_init_script("delete Navigator.prototype.clipboard")
    ready(player, "/analysis/hex/?size=4&moves=b2")
    player.press("Copy link")
    expect(player.page.get_by_text("The link was copied.")).to_be_visible()
    move = player.page.get_by_role("textbox", name="Move")
    move.focus()
    player.page.keyboard.press("Control+v")
    expect(move).to_have_value(player.page.url)


def test_a_line_is_shown_while_one_points_at_it(window, site):
    player = window(site)
    ready(player, "/analysis/hex/?size=4&swap=off&moves=b2")
    analysed(player)
    shown = make_game("hex", {"size": 4, "swap": "off"}).initial().play(5)
    first = player.page.locator(".findings button.line").first
    texts = first.get_attribute("aria-label").removeprefix("show the line ").split(", ")
    after = shown
    for text in texts:
        after = after.play(after.parse_move(text))
    first.hover()
    player.shows(after)
    player.page.mouse.move(5, 5)
    player.shows(shown)
    first.click()
    player.page.mouse.move(5, 5)
    player.shows(after)
    player.picture("analysis-line")


def test_an_analysis_that_somebody_else_ends_is_asked_for_once_more(window, site):
    player = window(site)
    ready(player, "/analysis/hex/?size=9&moves=c3,e5")
    player.page.get_by_role("combobox", name="Effort").select_option("study")
    player.page.get_by_role("switch", name="Computer").check()
    words = player.page.locator(".progress-words")
    end = (
        "from antipodes.web.analysis.models import AnalysisRow, State\n"
        "AnalysisRow.objects.filter(effort='study').update(state=State.STOPPED)"
    )
    expect(words).to_contain_text("visits", timeout=_FIRST_ANALYSIS)
    with player.page.expect_request(lambda one: one.url.endswith("/analyses")):
        site.shell(end)
    expect(words).to_contain_text(re.compile("^Thinking.*visits"), timeout=_FIRST_ANALYSIS)
    site.shell(end)
    expect(words).to_have_text(re.compile("^Stopped"))


def test_a_proven_position_is_told_as_proven(window, site):
    player = window(site)
    ready(player, "/analysis/hex/?size=4&swap=off&moves=b1,a1,b2,a2,b3")
    analysed(player)
    player.says("Proven: white to move loses")
    player.says("a4 would win at once")


def test_hints_and_the_review_of_a_finished_match(window, site):
    player = window(site)
    player.play_computer("hex", level=1, seat=0, size=4, swap="off")
    position = make_game("hex", {"size": 4, "swap": "off"}).initial()
    words = player.page.locator(".hints p")
    while position.outcome is None:
        player.press("Hint")
        expect(words).to_contain_text("would play", timeout=_FIRST_ANALYSIS)
        text = words.inner_text().split("would play ")[1].split(",")[0].rstrip(".")
        position = player.move(position, text)
        if position.outcome is None:
            position = player.after_answer(position)
    review = player.page.get_by_role("region", name="How the game went")
    expect(review.get_by_role("slider")).to_be_visible()
    expect(review.get_by_text("Turning points")).to_be_visible(timeout=_FIRST_ANALYSIS)
    expect(review.locator("tbody tr")).to_have_count(position.ply + 1, timeout=_FIRST_ANALYSIS)
    review.get_by_role("slider").press("Home")
    player.shows(make_game("hex", {"size": 4, "swap": "off"}).initial())
    assert violations(player.page) == []
    player.picture("review")
    review.get_by_role("link", name="Analyse this position").click()
    player.page.wait_for_url("**/analysis/hex/**")
