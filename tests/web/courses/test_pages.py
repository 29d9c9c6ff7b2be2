"""Pages of courses and steps, with and without JavaScript."""

import json
import re
import threading
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation

from antipodes.games.registry import game_ids
from antipodes.learn.store import courses, find_course
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.themes import on_any_page
from antipodes.web.analysis.presenters import board_address
from antipodes.web.courses import judging, presenters, texts
from antipodes.web.courses.models import SolvedStepRow
from antipodes.web.courses.texts import parts, plain
from antipodes.web.matches.presenters import pieces
from tests.thorough import sample
from tests.web.courses.lessons import SAMPLE, STEPS, goal, within

pytestmark = pytest.mark.django_db


def letters(text):
    """Return a text without spaces and punctuation."""
    return re.sub(r"\W", "", text)


def text_of(page):
    """Return the text of a page without tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page.content.decode())).split())


def test_the_list_has_every_course_and_first_game(client):
    page = client.get("/learn/").content.decode()
    for course in courses():
        assert f'href="/learn/{course.id}/"' in page
        assert f'src="/learn/{course.id}.svg"' in page
        assert f'href="/learn/first-game/{course.game_id}/"' in page


def test_the_list_shows_progress_and_where_to_continue(learner):
    course = find_course("hex-rules")
    learner.solve(course, course.step("chain"))
    text = text_of(learner.client.get("/learn/"))
    assert f"1 of {len(course.steps)} steps solved" in text
    assert "Continue Hex: the rules: Place a stone" in text


def test_a_finished_course_leads_on(learner):
    course = find_course("hex-rules")
    for step in course.steps:
        learner.solve(course, step)
    page = learner.client.get(f"/learn/{course.id}/")
    assert "You have solved all steps" in text_of(page)
    assert 'href="/learn/first-game/hex/"' in page.content.decode()
    assert "Hex: connect safely" in text_of(learner.client.get("/learn/")).split("Continue")[1]


def test_the_page_of_a_course_has_all_steps(client):
    course = find_course("antipode-rules")
    page = client.get(f"/learn/{course.id}/").content.decode()
    for step in course.steps:
        assert f'href="/learn/{course.id}/{step.id}/"' in page
        assert client.get(f"/learn/{course.id}/{step.id}.svg")["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("course", "step"), sample(SAMPLE, 15), ids=lambda one: getattr(one, "id", "")
)
def test_the_page_of_a_step_has_its_text_board_and_hints(client, course, step):
    page = client.get(reverse("lesson", args=[course.id, step.id]))
    text = text_of(page)
    for part in (*step.text.split("\n\n"), *step.hints):
        assert letters(plain(part))[:80] in letters(text)
    data = json.loads(within(page, r'id="lesson-data"[^>]*>(.*?)</script>'))
    assert data["position"]["legal"]
    assert len(data["demonstration"]["moves"]) == len(step.demonstration)
    assert client.get(data["board"]).status_code == 200


def test_the_task_is_the_end_of_the_text():
    for _course, step in STEPS:
        paragraphs, task = parts(step)
        assert " ".join([*paragraphs, task]).split() == step.text.split()
        assert 3 < len(task) < 320, step.id
    assert parts(goal()[1])[1] == "You are Black. Win at once."


def test_without_javascript_a_wrong_answer_is_explained_on_the_page(client):
    course, step = goal()
    page = client.post(reverse("lesson", args=[course.id, step.id]), {"answer": "d4"})
    assert "Not right. Your stones still form two chains" in text_of(page)
    assert "On the board: d4" in text_of(page)


def test_without_javascript_several_moves_follow_each_other(client):
    course = find_course("antipalos-strategy")
    url = reverse("lesson", args=[course.id, "block"])
    page = client.post(url, {"answer": "H2*"})
    assert "Right. Go on." in text_of(page)
    state = within(page, r'name="state" value="([^"]+)"')
    picture = client.get(f"/learn/{course.id}/block.svg", {"state": state})
    assert picture.content != client.get(f"/learn/{course.id}/block.svg").content
    page = client.post(url, {"answer": "D2*", "state": state})
    assert "On the board: D2* E5*" in text_of(page)


def test_without_javascript_a_solution_can_be_asked_for(client):
    course, step = goal()
    page = client.post(reverse("lesson", args=[course.id, step.id]), {"ask": "solution"})
    assert "Put a stone on b3: it joins c2 and b4; this wins the game." in text_of(page)


def test_without_javascript_bad_input_is_kept_and_explained(client):
    course, step = goal()
    page = client.post(reverse("lesson", args=[course.id, step.id]), {"answer": "z99"})
    assert page.status_code == 400
    assert 'value="z99"' in page.content.decode()


def test_without_javascript_a_state_that_cannot_be_read_begins_the_step_again(client):
    course, step = goal()
    fields = {"answer": "b3", "state": "nonsense"}
    page = client.post(reverse("lesson", args=[course.id, step.id]), fields)
    assert page.status_code == 400
    assert "the lesson has changed" in text_of(page)
    assert (page.context["state"], page.context["played"]) == ("", "")
    assert page.context["exercise"].position == step.position
    assert page.context["data"]["line"]["moves"] == presenters._line(step, ())["moves"]


@pytest.mark.parametrize(
    "path",
    [
        "/learn/nothing/",
        "/learn/nothing.svg",
        "/learn/hex-rules/nothing/",
        "/learn/hex-rules/nothing.svg",
        "/learn/hex-rules/goal.svg?state=nonsense",
        "/learn/first-game/nothing/",
        "/learn/first-game/hex.svg?state=nonsense",
    ],
)
def test_unknown_pages_do_not_exist(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.usefixtures("crater")
def test_a_game_without_courses_is_left_out(client):
    assert "crater" not in client.get("/learn/").content.decode()
    assert client.get("/learn/first-game/crater/").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules/", "/rules/hex/"])
def test_other_pages_lead_to_the_courses(client, path):
    assert 'href="/learn/' in client.get(path).content.decode()


@pytest.mark.parametrize(
    ("language", "task", "verdict"),
    [
        ("de", "Du bist Schwarz. Gewinne sofort.", "Nicht richtig. Deine Steine bilden noch"),
        ("fr", "Vous êtes Noir. Gagnez tout de suite.", "Ce n’est pas juste. Vos pierres forment"),
    ],
)
def test_courses_are_in_the_language_of_the_reader(client, language, task, verdict):
    course, step = goal()
    headers = {"accept-language": language}
    page = client.get(reverse("lesson", args=[course.id, step.id]), headers=headers)
    assert task in text_of(page)
    fields = {"answer": "d4"}
    page = client.post(reverse("lesson", args=[course.id, step.id]), fields, headers=headers)
    assert verdict in text_of(page)


@pytest.mark.parametrize("language", ["de", "fr"])
def test_every_translation_ends_with_a_task(language):
    with translation.override(language):
        for _course, step in STEPS:
            task = parts(step)[1]
            assert 3 < len(task) < 360, (step.id, task)


def test_a_solved_position_can_be_analysed_and_played_out(learner):
    course = find_course("hex-strategy")
    links = learner.solve(course, course.step("bridge"))["links"]
    assert learner.client.get(links["analysis"]).status_code == 200
    page = learner.client.get(links["practice"])
    assert page.status_code == 200
    found = learner.solve(*goal())  # the game is over
    assert list(found["links"]) == ["analysis"]


def test_a_game_of_the_pairing_strategy_can_be_analysed_from_its_first_move(learner):
    course = find_course("antipod-strategy")
    step = course.step("pairing")
    found = learner.solve(course, step)
    page = learner.client.get(found["links"]["analysis"])
    assert page.status_code == 200
    query = found["links"]["analysis"].split("?")[1]
    shown = learner.client.get(f"/positions.json?game=antipod&{query}").json()
    assert shown["pieces"] == found["position"]["pieces"]


def test_positions_with_a_setup_are_previewed(client):
    course = find_course("antipode-rules")
    step = course.step("trap")
    page = client.get(reverse("lesson", args=[course.id, step.id]))
    data = json.loads(within(page, r'id="lesson-data"[^>]*>(.*?)</script>'))
    line = data["line"]
    query = {"game": line["game"], "setup": line["setup"], **line["options"]}
    assert client.get("/positions.json", query).json()["pieces"] == data["position"]["pieces"]


@pytest.mark.parametrize("course", courses(), ids=lambda one: one.id)
def test_a_course_is_represented_by_the_step_whose_board_is_nearest_to_a_third_full(course):
    def share(step):
        position = step.position
        return len(pieces(position)) / position.game.topology.cell_count

    shares = {step.id: share(step) for step in course.steps}
    chosen = presenters.picture_step(course)
    assert abs(shares[chosen.id] - 1 / 3) == min(abs(one - 1 / 3) for one in shares.values())


def test_a_page_has_the_step_its_task_and_the_next_one(client):
    course, step = goal()
    found = client.get("/learn/hex-rules/goal/").context
    number = course.steps.index(step)
    assert (found["course"], found["step"], found["game"].id) == (course, step, "hex")
    assert (found["number"], found["task"]) == (number + 1, "You are Black. Win at once.")
    [paragraph] = found["paragraphs"]
    assert paragraph.endswith("The first to connect the own two sides by a chain wins.")
    assert (found["side"], found["caption"]) == ("black", "Hex, move 10: Black to move.")
    assert (found["state"], found["told"], found["played"], found["typed"]) == ("", None, "", "")
    assert found["next"] == ("/learn/hex-rules/white/", "Next step")
    assert found["steps"] == [(one, False) for one in course.steps]
    last = client.get(f"/learn/hex-rules/{course.steps[-1].id}/").context
    assert last["next"] == ("/learn/hex-rules/", "Finish the course")
    assert last["number"] == len(course.steps)
    white = client.get("/learn/hex-rules/white/").context
    assert white["side"] == "white"


def test_the_data_of_a_step_is_all_that_its_page_needs(client):
    _, step = goal()
    game, position = step.game, step.position
    data = client.get("/learn/hex-rules/goal/").context["data"]
    lie = pieces(position)
    assert data == {
        "board": board_address(game),
        "position": {
            "pieces": lie,
            "legal": [[move, move] for move in position.legal_moves],
            "swap": None,
            "last": None,
            "chain": [],
            "result": None,
            "toMove": "black",
            "caption": "Hex, move 10: Black to move.",
        },
        "selects": None,
        "show": [],
        "line": {
            "game": "hex",
            "options": {"size": 5, "swap": "off"},
            "setup": data["line"]["setup"],
            "moves": [],
        },
        "demonstration": {"start": lie, "moves": [], "words": []},
        "state": "",
    }
    assert json.loads(data["line"]["setup"])["to_move"] == "black"


@pytest.mark.parametrize(
    ("course_id", "step_id", "selects"),
    [
        ("antipod-rules", "rim", "points"),
        ("hex-strategy", "must-play", "moves"),
        ("cylindrical-hex-strategy", "forks", "moves"),
        ("hex-rules", "place", None),
        ("hex-strategy", "bridge", None),
        ("antipod-rules", "place", None),
    ],
)
def test_a_page_knows_what_is_marked_shown_and_demonstrated(client, course_id, step_id, selects):
    step = find_course(course_id).step(step_id)
    data = client.get(f"/learn/{course_id}/{step_id}/").context["data"]
    assert data["selects"] == selects
    assert data["show"] == [step.game.topology.cell(name) for name in step.show]
    played = [one["text"].rstrip("+") for one in data["demonstration"]["moves"]]
    assert played == list(step.demonstration)
    assert data["demonstration"]["start"] == pieces(step.position)
    assert len(data["line"]["moves"]) >= len(step.moves)


def test_lists_begin_continue_and_repeat_courses(client, people):
    client.force_login(people[0])
    course = find_course("hex-rules")

    def add(*steps):
        for one in steps:
            fields = {"course": course.id, "step": one, "solved_at": 1}
            SolvedStepRow.objects.create(user=people[0], **fields)

    def shown():
        line = client.get("/learn/hex-rules/").context["line"]
        games = client.get("/learn/").context["games"]
        listed = next(one for game in games for one in game.lines if one.course == course)
        assert listed == line
        return line.solved, line.total, line.is_done, line.following

    total = len(course.steps)
    assert shown() == (0, total, False, course.steps[0])
    add(course.steps[0].id, course.steps[2].id)
    assert shown() == (2, total, False, course.steps[1])
    solved = [is_solved for _, is_solved in client.get("/learn/hex-rules/").context["steps"]]
    assert solved == [True, False, True] + [False] * (total - 3)
    assert "solved" in client.get("/learn/hex-rules/").text
    add(*(step.id for step in course.steps if step not in (course.steps[0], course.steps[2])))
    assert shown() == (total, total, True, course.steps[0])
    games = client.get("/learn/").context["games"]
    assert [one.game.id for one in games] == list(game_ids())
    assert not any(one.played for one in games)
    found = [line.course for one in games for line in one.lines]
    assert sorted(one.id for one in found) == sorted(one.id for one in courses())
    assert all(line.course.game_id == one.game.id for one in games for line in one.lines)
    SolvedStepRow.objects.create(user=people[0], course="first-game", step="hex", solved_at=1)
    games = client.get("/learn/").context["games"]
    assert [one.game.id for one in games if one.played] == ["hex"]


def test_pictures_are_those_of_their_positions_for_a_day(client):
    course, step = goal()
    for path, position in (
        ("/learn/hex-rules.svg", presenters.picture_step(course).position),
        ("/learn/hex-rules/goal.svg", step.position),
    ):
        answer = client.get(path)
        assert answer.text == on_any_page(render_svg(position.scene(), bare=True), "sand")
        assert answer.headers["Cache-Control"] == "public, max-age=86400"


def test_without_javascript_a_busy_site_keeps_the_form(client, monkeypatch):
    monkeypatch.setattr(judging, "_places", threading.Semaphore(0))
    page = client.post("/learn/hex-rules/goal/", {"answer": "b3"})
    assert page.status_code == 503
    assert (page.context["typed"], page.context["state"]) == ("b3", "")
    assert "The site is busy" in text_of(page)


def test_markup_becomes_html_and_is_left_out_of_plain_text():
    text = "An _own ring_ & `a1 b2`, snake_case_name"
    html = "An <em>own ring</em> &amp; <code>a1 b2</code>, snake_case_name"
    assert texts.marked_up(text) == html
    assert plain(text) == "An own ring & a1 b2, snake_case_name"
