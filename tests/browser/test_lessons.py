"""Lessons and first games: mouse, touch, keys, screen readers, without JavaScript."""

import re
from itertools import zip_longest

import pytest
from playwright.sync_api import expect

from antipodes.games.registry import game_ids, make_game
from antipodes.learn.first_game import first_game_of
from antipodes.learn.store import find_course
from tests.browser.test_keyboard import go_to, tab_to
from tests.browser.test_page_engine import FAILED, HERE, MODULE

_FIRST_SEARCH = 240_000  # milliseconds, since kernels may have to be compiled


def open_step(player, course_id, step_id):
    """Open a step, wait for its board, and return its position."""
    step = find_course(course_id).step(step_id)
    player.open(f"/learn/{course_id}/{step_id}/")
    player.shows(step.position)
    return step.position


def verdict(player):
    """Return the element with the judgement."""
    return player.page.locator("#verdict")


def judged(player, text):
    """Wait for a judgement."""
    expect(verdict(player)).to_contain_text(text, timeout=_FIRST_SEARCH)


def named(player, before):
    """Return the move that is named after some words; empty if they are not there."""
    found = re.search(rf"{before} (\w+)", verdict(player).inner_text())
    return "" if found is None else found[1]


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow"])
def test_the_list_and_a_course_are_accessible(window, site, kind):
    player = window(site, kind)
    for path in ("/learn/", "/learn/hex-rules/"):
        player.open(path)
        player.check_accessibility()
        player.picture(f"learn-{path.strip('/').replace('/', '-')}-{kind}")


@pytest.mark.parametrize("kind", ["desktop", "dark", "phone", "narrow"])
@pytest.mark.parametrize("game_id", game_ids())
def test_steps_of_every_game_are_accessible(window, site, game_id, kind):
    player = window(site, kind)
    course = find_course(f"{game_id}-rules")
    open_step(player, course.id, course.steps[-1].id)
    player.press("Hint")
    expect(player.page.locator(".hints .shown")).to_be_visible()
    player.check_accessibility()
    player.picture(f"lesson-{game_id}-{kind}")


def test_a_lesson_by_mouse(window, site):
    player = window(site)
    position = open_step(player, "hex-rules", "goal")
    expect(player.page.locator("#task")).to_have_text(re.compile("You are Black. Win at once."))
    player.move(position, "d4")
    judged(player, "Not right. Your stones still form two chains")
    player.picture("lesson-wrong")
    player.check_accessibility()
    player.press("Try again")
    player.shows(position)
    player.play(position, "b3")
    judged(player, "Right!")
    player.picture("lesson-right")
    player.check_accessibility()
    step = player.page.get_by_role("link", name="Next step")
    expect(step).to_be_focused()
    step.click()
    player.page.wait_for_url("**/hex-rules/white/")
    expect(player.page.locator("#steps .solved")).to_have_count(1)


@pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")
@pytest.mark.parametrize(
    ("course_id", "step_id", "wrong"),
    [
        ("hex-strategy", "ladder", "a1"),
        ("antipod-strategy", "fork", "b2"),
        ("antipode-strategy", "quiet", "a3-d7"),
    ],
)
def test_a_refutation_is_found_on_this_device(window, site, course_id, step_id, wrong):
    player = window(site)
    asked = []
    player.page.on("request", lambda request: asked.append(request.method))
    position = open_step(player, course_id, step_id)
    player.click_steps(position, position.steps(position.parse_move(wrong)))
    judged(player, "The game would go on:")
    expect(player.page.get_by_text(HERE)).to_be_visible()
    assert asked.count("POST") == 1
    player.picture(f"lesson-refuted-{course_id}")
    player.check_accessibility()


@pytest.mark.skipif(not MODULE.exists(), reason="make setup builds the engine")
def test_the_server_refutes_an_answer_where_the_engine_fails(window, site):
    player = window(site)
    player.expect_errors("placement.wasm")
    player.page.route("**/placement.wasm*", lambda route: route.abort())
    position = open_step(player, "hex-strategy", "ladder")
    player.click_steps(position, position.steps(position.parse_move("a1")))
    judged(player, "The game would go on:")
    expect(player.page.get_by_text(FAILED)).to_be_visible()


def test_a_refutation_is_played_on_the_board(window, site):
    player = window(site)
    position = open_step(player, "antipod-rules", "stop")
    after = player.move(position, "c10")
    judged(player, "The game would go on: White puts a stone on d3")
    player.shows(after.play(after.parse_move("d3")))
    player.press("Try again")
    player.shows(position)


def test_a_lesson_by_touch(window, site):
    player = window(site, "phone")
    position = open_step(player, "hex-rules", "neighbours")
    for name in ("c2", "d2", "b3", "d3", "b4"):
        player.cell(position.game.topology.cell(name)).tap()
    player.page.get_by_role("button", name="Check").tap()
    judged(player, "Still missing: 1.")
    player.picture("lesson-marked-phone")
    player.cell(position.game.topology.cell("c4")).tap()
    player.page.get_by_role("button", name="Check").tap()
    judged(player, "Right!")
    player.check_accessibility()


def test_a_lesson_by_keys_and_for_screen_readers(window, site):
    player = window(site)
    keys = player.page.keyboard
    open_step(player, "cylindrical-hex-rules", "seam")
    announced = player.page.locator(".board-announcer > :last-child")
    for number, name in enumerate(("a1", "b1", "b2", "f2", "a3", "f3"), 1):
        go_to(player, name)
        keys.press("Enter")
        expect(announced).to_have_text(re.compile(f"{name} marked, {number} in all"))
    keys.press("Enter")
    expect(announced).to_have_text(re.compile("f3 no longer marked, 5 in all"))
    keys.press("Enter")
    tab_to(player, "#tools button.first")
    keys.press("Enter")
    judged(player, "Right!")
    expect(player.page.get_by_role("link", name="Next step")).to_be_focused()
    keys.press("Enter")
    player.page.wait_for_url("**/cylindrical-hex-rules/chain/")


def test_the_opponent_replies_on_the_board(window, site):
    player = window(site)
    step = find_course("antipalos-strategy").step("block")
    position = open_step(player, "antipalos-strategy", "block")
    line = str(step.task["moves"]).split()
    for text, reply in zip_longest(line[::2], line[1::2]):
        position = player.move(position, text)
        if reply is not None:
            judged(player, f"puts a rod on {reply.strip('*')}")
            position = position.play(position.parse_move(reply))
        player.shows(position)
    judged(player, "Right!")


def test_a_demonstration_is_stepped_through(window, site):
    player = window(site)
    course = next(
        (course, step)
        for course in (find_course(f"{one}-strategy") for one in game_ids())
        for step in course.steps
        if step.demonstration
    )
    position = open_step(player, course[0].id, course[1].id)
    player.press("Next move")
    player.shows(position.play(position.parse_move(course[1].demonstration[0])))
    player.press("Previous move")
    player.shows(position)


def test_the_solution_is_marked_on_the_board(window, site):
    player = window(site)
    open_step(player, "hex-rules", "goal")
    player.press("Solution")
    judged(player, "Put a stone on b3: it joins c2 and b4; this wins the game.")


def test_a_refused_answer_is_explained(window, site):
    player = window(site)
    position = open_step(player, "hex-rules", "goal")
    player.expect_errors("400")
    player.page.locator("#typed").fill("z99")
    player.press("Answer")
    expect(verdict(player).locator(".wrong")).to_be_visible()
    player.shows(position)


def test_a_guest_can_still_choose_a_theme_after_a_solved_step(window, site):
    player = window(site)
    position = open_step(player, "hex-rules", "goal")
    player.play(position, "b3")
    judged(player, "Right!")
    player.press("Dark")
    player.page.wait_for_url("**/hex-rules/goal/")
    expect(player.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_page_still_works_after_its_visitor_became_a_guest_in_another_tab(window, site):
    player = window(site)
    position = open_step(player, "hex-rules", "goal")
    other = player.page.context.new_page()
    other.goto(site.url("/learn/hex-rules/chain/"))
    player.play(position, "b3")
    judged(player, "Right!")
    other.get_by_role("button", name="Dark").click()
    other.wait_for_url("**/hex-rules/chain/")
    expect(other.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_javascript_answers_are_typed(window, site):
    player = window(site, java_script_enabled=False)
    player.open("/learn/hex-rules/goal/")
    expect(player.page.locator(".stand-in")).to_be_visible()
    player.page.locator("#typed").fill("d4")
    player.press("Answer")
    judged(player, "Not right.")
    player.page.locator("#typed").fill("b3")
    player.press("Answer")
    judged(player, "Right!")


@pytest.mark.parametrize("kind", ["desktop", "phone"])
def test_a_first_game_is_coached_to_its_end(window, site, kind):
    player = window(site, kind)
    player.open("/learn/first-game/hex/")
    position = make_game("hex", first_game_of("hex").options).initial()
    player.shows(position)
    player.check_accessibility()
    player.picture(f"first-game-{kind}")
    only_advice = re.compile(r"^Put a stone on [^.]+\.$")
    while position.outcome is None:
        player.press("Hint")
        expect(verdict(player)).to_have_text(only_advice, timeout=_FIRST_SEARCH)
        move = named(player, "Put a stone on")
        player.move(position, move)
        expect(verdict(player)).not_to_have_text(only_advice, timeout=_FIRST_SEARCH)
        position = position.play(position.parse_move(move))
        if position.outcome is None:
            position = position.play(position.parse_move(named(player, "puts a stone on")))
        player.shows(position)
    judged(player, "You have won!")
    expect(player.page.get_by_role("link", name="Play again")).to_be_focused()
    player.check_accessibility()
