"""Pages of puzzles, and what they tell before and after the answer."""

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import unescape

import pytest

from antipodes.core import Color
from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import (
    catalogue,
    labels,
    plain_answers,
    presenters,
    selectors,
    services,
    solvers,
    views,
)
from antipodes.web.puzzles.catalogue import category_of
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.models import PuzzleReportRow, PuzzleRow, StreakRow, TryRow, VoteRow
from antipodes.web.puzzles.selectors import Streak

pytestmark = pytest.mark.django_db


def url(puzzle, name=""):
    return f"/puzzles/{puzzle.id}/{name}"


def answer(client, puzzle, moves, move):
    return client.post(url(puzzle, "answer"), {"moves": ",".join(moves), "move": move}).json()


def solve(client, puzzle):
    *before, last = puzzle.line[::2]
    moves: list[str] = []
    for move in before:
        moves = answer(client, puzzle, moves, move)["moves"]
    return answer(client, puzzle, moves, last)


@pytest.fixture
def signed_in(client, ann):
    client.force_login(ann)
    return client


def test_nothing_about_the_solution_is_told_before_the_answer(client, puzzle):
    """Neither the solution nor themes nor the difficulty are in the page or its data."""
    texts = [
        client.get(url(puzzle, name)).text for name in ("", "position.json", "embed/", "result")
    ]
    after = puzzle.line[0]
    data = json.loads(texts[1])
    assert set(data) == {
        "id", "game", "options", "setup", "board", "solver", "moves", "position",
    }  # fmt: skip
    assert puzzle.position.to_setup() == puzzle.setup
    titles = [str(one.title) for one in labels.themes_of(puzzle)]
    for text in texts:
        assert not re.search(rf"\b{re.escape(after)}\b", re.sub(r'\\?"setup\\?".*?}', "", text))
        assert "difficulty" not in text.lower()
        assert not any(f">{title}<" in text for title in titles)
    assert texts[3].strip() == ""


def test_a_solver_plays_on_the_page_and_then_reads_themes_and_rating(signed_in, puzzle):
    first = answer(signed_in, puzzle, [], puzzle.line[0])
    assert first["verdict"] == "right"
    assert first["moves"] == list(puzzle.line[:2])
    assert [move["text"] for move in first["shown"]] == list(puzzle.line[:2])
    assert "Rating" not in signed_in.get(url(puzzle, "result")).text
    told = solve(signed_in, puzzle)
    assert told["verdict"] == "solved"
    result = signed_in.get(url(puzzle, "result")).text
    assert "Solved at the first try" in result
    assert "Your rating" in result
    assert all(str(one.title) in result for one in labels.themes_of(puzzle))


def test_moves_are_numbers_or_texts(client, puzzle):
    told = answer(client, puzzle, [], int(puzzle.solution))
    assert told["verdict"] == "right"


def test_a_wrong_move_shows_that_move_and_returns_to_the_position_before(client, puzzle, wrong):
    told = answer(client, puzzle, [], wrong)
    assert told["verdict"] == "wrong"
    assert told["moves"] == []
    assert told["position"] is None
    assert [move["text"] for move in told["shown"]] == [wrong]


def test_guests_keep_tries_and_streak_in_their_session(client, puzzle, wrong):
    answer(client, puzzle, [], wrong)
    solve(client, puzzle)
    assert not TryRow.objects.exists()
    assert "Not solved at the first try" in client.get(url(puzzle)).text
    assert "1 day in a row" in client.get("/puzzles/").text
    other = next(one for one in store.puzzles("hex") if one.id != puzzle.id)
    assert "first try" not in client.get(url(other)).text


SIGN_UP = {"username": "heron", "email": "heron@example.org", "password1": "only for tests 7"}


def test_an_account_takes_over_the_tries_and_the_streak_of_its_guest(client, puzzle):
    solve(client, puzzle)
    assert client.post("/accounts/signup/", SIGN_UP).status_code == 302
    [row] = TryRow.objects.all()
    assert (row.user.username, row.puzzle_id, row.outcome) == ("heron", puzzle.id, "solved")
    assert row.value is None  # not rated
    assert "1 day in a row" in client.get("/puzzles/").text
    assert solve(client, puzzle)
    assert TryRow.objects.get().value is None


def test_signing_in_keeps_the_accounts_own_tries_and_longer_streak(client, puzzle):
    user = User.objects.create_user("heron", password="only for tests 7")
    day = today()
    StreakRow.objects.create(user=user, days=9, longest=12, last_day=day - timedelta(days=1))
    failed = {"game_id": puzzle.game_id, "outcome": "failed", "at": 1, "puzzle_value": 1500}
    TryRow.objects.create(user=user, puzzle_id=puzzle.id, **failed)
    solve(client, puzzle)
    other = next(one for one in store.puzzles("hex") if one.id != puzzle.id)
    client.post(url(other, "solution"))
    fields = {"login": "heron", "password": "only for tests 7"}
    assert client.post("/accounts/login/", fields).status_code == 302
    found = {row.puzzle_id: row.outcome for row in TryRow.objects.all()}
    assert found == {puzzle.id: "failed", other.id: "failed"}
    streak = StreakRow.objects.get()
    assert (streak.days, streak.longest) == (9, 12)


def test_a_guest_is_not_shown_a_puzzle_twice(client):
    puzzles = store.puzzles("cylindrical-hex")
    for one in puzzles[:-1]:
        client.post(url(one, "solution"))
    response = client.get("/puzzles/next?game=cylindrical-hex&theme=&difficulty=")
    assert response.url == url(puzzles[-1]) + "?game=cylindrical-hex"
    client.post(url(puzzles[-1], "solution"))
    assert "You have tried all puzzles" in client.get("/puzzles/next?game=cylindrical-hex").text


def test_the_boxed_game_and_the_mail_rules_of_antipalos_are_two_categories(client):
    shown = [one.name for one, count, _ in client.get("/puzzles/").context["categories"] if count]
    assert [name for name in shown if "." in name] == ["antipalos.boxed", "antipalos.mail"]
    assert "antipalos" not in shown
    page = client.get("/puzzles/").text
    assert page.index("Antipalos: the boxed game") < page.index("Antipalos: the mail server")
    of_theme = client.get("/puzzles/theme/block/").context["categories"]
    assert {"antipalos.boxed", "antipalos.mail"} & {one.name for one, _ in of_theme}
    for name, is_mail in (("antipalos.boxed", False), ("antipalos.mail", True)):
        for _ in range(5):
            path, _, query = client.get(f"/puzzles/next?game={name}").url.partition("?")
            found = catalogue.get(path.split("/")[2])
            assert found is not None
            assert (found.game_id, "ruleset" in found.options) == ("antipalos", is_mail)
            assert query == f"game={name}"
    counts = catalogue.counts().categories
    total = len(store.puzzles("antipalos"))
    assert counts["antipalos.boxed"] + counts["antipalos.mail"] == total


@pytest.mark.parametrize("page", ["", "embed/"])
def test_each_page_of_antipalos_says_its_rules(client, page):
    of_ruleset = {one.options.get("ruleset", "boxed"): one for one in store.puzzles("antipalos")}
    for ruleset, sentence in (
        ("boxed", "the first chain that joins two opposite borders wins."),
        ("mail", "rods never move, and Vert joins top and bottom, Horz left and right."),
    ):
        text = client.get(url(of_ruleset[ruleset], page)).text
        assert sentence in text
        assert category_of(of_ruleset[ruleset]).title.split(": ")[1] in unescape(text)
    assert "Each turn" not in client.get(url(store.puzzles("hex")[0], page)).text


def test_asking_for_a_judgement_by_get_records_nothing(signed_in, puzzle, wrong):
    for move in (wrong, puzzle.line[0]):
        told = signed_in.get(url(puzzle, "judgement"), {"moves": move}).json()
        assert told["verdict"] in ("wrong", "right")
    assert not TryRow.objects.exists()


def test_hints_name_several_cells_of_which_one_is_right(signed_in, puzzle):
    told = signed_in.post(url(puzzle, "hint"), {"moves": ""}).json()
    assert int(puzzle.solution) in told["cells"]
    assert len(told["cells"]) > 1
    assert told == signed_in.post(url(puzzle, "hint"), {"moves": ""}).json()
    assert TryRow.objects.get().outcome == "hinted"


def test_a_solution_is_shown_as_moves(signed_in, puzzle):
    told = signed_in.post(url(puzzle, "solution")).json()
    assert [move["text"] for move in told["shown"]] == list(puzzle.line)
    assert TryRow.objects.get().outcome == "failed"


@pytest.mark.parametrize(
    ("moves", "move", "code"),
    [
        ("", "", "move/"),
        ("", "no move", "move/"),
        ("", "9" * 30, "move/"),
        ("a1", "a1", "move/occupied"),
        ("", "99999", "move/"),
        ("a1," * 400, "b1", "puzzle/too-long"),
    ],
)
def test_bad_input_is_refused_with_a_code(client, puzzle, moves, move, code):
    response = client.post(url(puzzle, "answer"), {"moves": moves, "move": move})
    assert response.status_code == 400
    assert response.json()["code"].startswith(code)


def test_unknown_puzzles_and_themes_do_not_exist(client):
    for path in (
        "/puzzles/0000000000/",
        "/puzzles/x/embed/",
        "/puzzles/theme/x/",
        "/puzzles/x/board.svg",
    ):
        assert client.get(path).status_code == 404, path


@pytest.mark.parametrize("name", ["", "embed/"])
def test_a_page_says_what_the_solver_has_to_reach(client, name):
    ring = next(one for one in store.puzzles("antipod") if one.solver is Color.WHITE)
    page = client.get(url(ring, name)).text
    assert "You are White: close a ring of white stones round a pole." in page


def test_a_puzzle_has_an_image_for_previews_of_links(client, puzzle):
    page = client.get(url(puzzle)).text
    assert f'og:image" content="http://testserver{url(puzzle, "board.png")}"' in page
    picture = client.get(url(puzzle, "board.svg"))
    assert picture.headers["Content-Type"] == "image/svg+xml"
    again = client.get(url(puzzle, "board.svg"), headers={"If-None-Match": picture.headers["ETag"]})
    assert again.status_code == 304


def test_only_the_embedded_puzzle_may_be_shown_in_frames(client, puzzle):
    framed = client.get(url(puzzle, "embed/"))
    assert "frame-ancestors *" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers
    assert "csrfmiddlewaretoken" not in framed.text
    assert not framed.cookies
    for path in (url(puzzle), "/puzzles/", "/"):
        other = client.get(path)
        assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]
        assert other.headers["X-Frame-Options"] == "DENY"


def test_solvers_vote_once_and_can_change_or_withdraw_their_vote(signed_in, ann, puzzle):
    assert signed_in.post(url(puzzle, "vote"), {"vote": "up"}).status_code == 400
    services.solution(ann, puzzle)
    for vote, counts in (("up", (1, 0)), ("up", (1, 0)), ("down", (0, 1)), ("none", (0, 0))):
        assert signed_in.post(url(puzzle, "vote"), {"vote": vote}).url == url(puzzle)
        row = PuzzleRow.objects.get()
        assert (row.up, row.down) == counts
        signs = "".join(str(one)[0] for one in VoteRow.objects.all())
        assert signs == "+" * counts[0] + "-" * counts[1]
    assert not VoteRow.objects.exists()
    assert signed_in.post(url(puzzle, "vote"), {"vote": "maybe"}).status_code == 400


def test_a_report_is_made_once_while_it_is_open(signed_in, ann, puzzle):
    services.solution(ann, puzzle)
    data = {"reason": "several", "text": "c4 wins too"}
    for _ in range(2):
        page = signed_in.post(url(puzzle, "report"), data, headers={"HX-Request": "true"})
        assert "A moderator will look" in page.text
    row = PuzzleReportRow.objects.get()
    assert (row.reason, row.text) == ("several", "c4 wins too")
    bad = signed_in.post(url(puzzle, "report"), {"reason": "boredom"})
    assert bad.status_code == 400


def test_of_two_clicks_at_once_one_makes_a_report(ann, puzzle, meanwhile):
    services.solution(ann, puzzle)
    row = catalogue.row_of(puzzle)
    other = {"user": ann, "puzzle": row, "reason": "several", "at": 1}
    with meanwhile(lambda: PuzzleReportRow.objects.create(**other)):
        found = services.report(ann, puzzle, "wrong")
    assert (found.reason, PuzzleReportRow.objects.count()) == ("several", 1)


def test_data_export_has_the_tries_and_votes(signed_in, ann, puzzle):
    services.solution(ann, puzzle)
    services.vote(ann, puzzle, is_up=True)
    from antipodes.web.accounts.data_export import export_data

    rows = json.loads("".join(export_data(ann, str)))["rows"]
    assert rows["puzzles.tryrow"][0]["puzzle_id"] == puzzle.id
    assert rows["puzzles.voterow"][0]["is_up"] is True
    assert rows["puzzles.solverrow"][0]["game_id"] == "hex"


def test_deleting_an_account_deletes_its_tries_but_not_the_puzzles_rating(ann, puzzle):
    services.solution(ann, puzzle)
    services.vote(ann, puzzle, is_up=True)
    value = PuzzleRow.objects.get().value
    from antipodes.web.accounts.account_deletion import delete_account

    delete_account(ann)
    assert not TryRow.objects.exists()
    assert not VoteRow.objects.exists()
    assert PuzzleRow.objects.get().value == value


def test_a_puzzle_is_answered_without_javascript(signed_in, puzzle):
    page = signed_in.get(url(puzzle)).text
    assert 'name="move"' in page
    wrong = next(
        puzzle.position.format_move(move)
        for move in puzzle.position.legal_moves
        if move != puzzle.solution
    )
    assert signed_in.post(url(puzzle), {"move": "zz99"}).status_code == 400
    moves = ""
    for number, move in enumerate(puzzle.line[::2]):
        page = signed_in.post(url(puzzle), {"moves": moves, "move": move}).text
        moves = ",".join(puzzle.line[: 2 * number + 2])
        assert f"{move} is right." in page
    assert "Solved!" in page
    assert "board.svg?moves=" in page
    assert TryRow.objects.get().outcome == "solved"
    assert "The right move begins at" in signed_in.post(url(puzzle), {"ask": "hint"}).text
    assert " ".join(puzzle.line) in signed_in.post(url(puzzle), {"ask": "solution"}).text
    picture = url(puzzle, "board.svg")
    board = signed_in.get(picture, {"moves": wrong})
    assert board.status_code == 200
    assert "<text" not in board.text  # the page names the move
    assert signed_in.get(picture, {"moves": "zz99"}).status_code == 404


def test_a_wrong_answer_without_javascript_can_be_tried_again(client, puzzle, monkeypatch):
    monkeypatch.setattr(views, "WAIT", 0.0)
    wrong = next(
        puzzle.position.format_move(move)
        for move in puzzle.position.legal_moves
        if move != puzzle.solution
    )
    page = client.post(url(puzzle), {"move": wrong}).text
    assert f"{wrong} is wrong." in page
    assert 'name="moves" value=""' in page


@pytest.mark.parametrize(
    ("own", "own_age", "guests", "guests_age", "kept", "longest"),
    [
        (2, 0, 3, 0, "guests", 9),
        (3, 0, 3, 1, "own", 9),
        (4, 0, 3, 0, "own", 9),
        (4, 2, 1, 0, "guests", 9),  # the account's own one has ended
        (1, 0, 12, 2, "own", 12),  # the guest's one has ended
    ],
)
def test_an_account_takes_over_a_longer_streak_that_goes_on(
    db, own, own_age, guests, guests_age, kept, longest
):
    user = User.objects.create_user("heron")
    days = {age: today() - timedelta(days=age) for age in (0, 1, 2)}
    StreakRow.objects.create(user=user, days=own, longest=9, last_day=days[own_age])
    solvers._take_over_streak(user, guests, max(guests, 5), days[guests_age].isoformat())
    row = StreakRow.objects.get()
    found = (row.days, row.last_day)
    streaks = {"own": (own, days[own_age]), "guests": (guests, days[guests_age])}
    assert (found, row.longest) == (streaks[kept], longest)


def test_hints_and_solutions_that_are_refused_say_why(client, puzzle, monkeypatch):
    answered = client.post(url(puzzle, "hint"), {"moves": puzzle.line[0]})
    assert (answered.status_code, answered.json()["code"]) == (400, "puzzle/turn")
    monkeypatch.setenv(services.ANSWERS_OF_ADDRESS.setting, "1/minute")
    far = {"REMOTE_ADDR": "192.0.2.7"}
    assert client.post(url(puzzle, "solution"), **far).status_code == 200
    answered = client.post(url(puzzle, "solution"), **far)
    assert (answered.status_code, answered.json()["code"]) == (429, "limits/too-many")
    page = client.post(url(puzzle), {"move": puzzle.line[0]}, **far)
    assert page.status_code == 429
    assert 0 < int(page.headers["Retry-After"]) <= 60


def test_where_no_right_move_is_known_there_is_no_hint(puzzle):
    told = presenters.hint_view(puzzle, [], "")
    assert told["cells"] == []
    assert told["themes"] == presenters.hint_view(puzzle, [], puzzle.line[0])["themes"]
    assert plain_answers._hint(puzzle, [], "") == "There is no hint here."


@pytest.mark.parametrize(
    ("goal", "turns", "task"),
    [
        ("draw", 1, "to move and draw"),
        ("save", 1, "to move: only one move stops the opponent"),
        ("win", None, "to move and win"),
        ("win", 1, "to move and win at once"),
        ("win", 2, "to move and win in 2 turns"),
    ],
)
def test_the_task_of_a_puzzle_is_its_goal(puzzle, goal, turns, task):
    found = labels.task_of(replace(puzzle, goal=goal, turns=turns))
    assert found == f"{puzzle.solver.title} {task}"


def test_a_page_names_its_address_and_the_html_of_a_frame(client, puzzle):
    page = client.get(url(puzzle))
    context = page.context
    assert context["page_url"] == f"http://testserver{url(puzzle)}"
    assert context["frame"] == (
        f'<iframe src="http://testserver{url(puzzle, "embed/")}" width="480" height="600" '
        f'title="{labels.task_of(puzzle)}"></iframe>'
    )
    chosen = daily(today())
    assert chosen is not None
    assert context["is_daily"] is (chosen == puzzle)
    assert client.get(url(chosen)).context["is_daily"]
    assert client.get(url(puzzle, "embed/")).context["page_url"] == context["page_url"]


def test_a_result_has_what_the_solver_may_do_next(signed_in, ann, bob, puzzle, client):
    services.solution(bob, puzzle)
    services.vote(bob, puzzle, is_up=True)
    assert signed_in.get(url(puzzle)).context["is_account"]
    services.solution(ann, puzzle)
    services.vote(ann, puzzle, is_up=False)
    found = signed_in.get(url(puzzle, "result") + "?game=hex").context
    assert (found["outcome"], found["first_try"]) == ("failed", TryRow.objects.get(user=ann))
    assert (found["vote"].user, found["vote"].is_up) == (ann, False)
    assert (found["row"], found["rating"]) == (
        PuzzleRow.objects.get(),
        PuzzleRow.objects.get().value,
    )
    assert found["next_url"] == "/puzzles/next?game=hex"
    assert [name for name, _ in found["reasons"]] == ["wrong", "several", "refutation", "other"]
    assert found["is_account"]
    client.logout()
    client.post(url(puzzle, "solution"))
    found = client.get(url(puzzle, "result")).context
    assert (found["outcome"], found["first_try"], found["vote"], found["row"]) == (
        "failed",
        None,
        None,
        None,
    )
    assert not found["is_account"]


def test_votes_and_reports_without_scripts_return_to_the_puzzle(signed_in, ann, puzzle):
    services.solution(ann, puzzle)
    assert "Thank you" not in signed_in.post(url(puzzle, "vote"), {"vote": "up"}, follow=True).text
    reported = signed_in.post(url(puzzle, "report"), {"reason": "other"}, follow=True)
    assert reported.redirect_chain == [(url(puzzle), 302)]
    assert "Thank you. A moderator will look at the puzzle." in reported.text
    for name, told in (("vote", "Choose a vote."), ("report", "Choose a reason.")):
        assert told in signed_in.post(url(puzzle, name)).text


def test_votes_are_for_accounts_that_have_tried(client, guest, puzzle):
    told = "Sign in to vote on puzzles and to report them."
    for name in ("vote", "report"):
        answered = client.post(url(puzzle, name), {"vote": "up", "reason": "wrong"})
        assert (answered.status_code, told in answered.text) == (400, True)
    client.force_login(guest)
    client.post(url(puzzle, "solution"))
    assert told in client.post(url(puzzle, "vote"), {"vote": "up"}).text


def test_a_guest_keeps_the_first_outcome_of_the_latest_300_puzzles(client):
    session = client.session
    puzzles = store.all_puzzles()[:302]
    for one in puzzles[:301]:
        solvers.record_of_guest(session, one, TryRow.Outcome.HINTED)
    solvers.record_of_guest(session, puzzles[5], TryRow.Outcome.FAILED)
    kept = solvers.guest_outcomes(session)
    assert list(kept) == [one.id for one in puzzles[1:301]]
    assert set(kept.values()) == {"hinted"}
    assert solvers.guest_streak(session) == Streak()
    solvers.record_of_guest(session, puzzles[301], TryRow.Outcome.SOLVED)
    assert len(solvers.guest_outcomes(session)) == 300
    assert solvers.guest_streak(session) == Streak(1, 1, is_done_today=True)


def test_a_guests_hint_and_solution_are_remembered(client, puzzle):
    client.post(url(puzzle, "hint"))
    assert "Tried with a hint" in client.get(url(puzzle)).text
    other = store.puzzles("antipode")[0]
    client.post(url(other, "solution"))
    assert solvers.guest_outcomes(client.session) == {puzzle.id: "hinted", other.id: "failed"}


def test_tries_that_an_account_takes_over_are_complete(db, clocks, puzzle):
    user = User.objects.create_user("heron")
    catalogue.row_of(puzzle)
    PuzzleRow.objects.update(value=1777)
    other = store.puzzles("antipode")[0]
    yesterday = (today() - timedelta(days=1)).isoformat()
    tried = {puzzle.id: "solved", other.id: "failed", "0000000000": "solved"}
    kept = {"puzzles": {"tried": tried, "streak": [3, 7, yesterday]}}
    solvers.take_over(User.objects.create(username="Guest 2", is_guest=True), kept)
    assert not TryRow.objects.exists()
    solvers.take_over(user, {})
    solvers.take_over(user, kept)
    first, second = TryRow.objects.order_by("-outcome")
    at = now()
    assert (first.game_id, first.at, first.solved_at, first.puzzle_value) == ("hex", at, at, 1777)
    assert (second.game_id, second.at, second.solved_at) == ("antipode", at, None)
    row = StreakRow.objects.get()
    assert (row.user, row.days, row.longest, row.last_day.isoformat()) == (user, 3, 7, yesterday)
    assert list(PuzzleRow.objects.values_list("tries", flat=True)) == [0, 0]


@pytest.mark.parametrize(
    ("age", "found"),
    [(0, Streak(4, 9, is_done_today=True)), (1, Streak(4, 9)), (2, Streak(0, 9))],
)
def test_a_streak_goes_on_until_the_end_of_the_next_day(ann, age, found):
    StreakRow.objects.create(user=ann, days=4, longest=9, last_day=today() - timedelta(days=age))
    assert selectors.streak(ann, today()) == found
    assert selectors.streak(None, today()) == Streak()


def test_a_solution_makes_a_streak_longer_once_a_day():
    assert Streak(4, 4).after_a_solution() == Streak(5, 5, is_done_today=True)
    assert Streak(4, 9).after_a_solution() == Streak(5, 9, is_done_today=True)
    done = Streak(4, 9, is_done_today=True)
    assert done.after_a_solution() == done
