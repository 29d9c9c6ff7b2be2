"""Reviews of finished matches."""

import pytest

from antipodes.games.registry import game_ids
from antipodes.match import Play, Resign
from antipodes.web.analysis import reviews
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.jobs.models import JobRow
from antipodes.web.matches import page_moves
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from tests.thorough import sample

pytestmark = pytest.mark.django_db


def play(row, *texts):
    """Play moves; the seats follow the turns."""
    for text in texts:
        match = MatchRow.objects.get(slug=row.slug).match()
        move = int(match.position.parse_move(text))
        seat, ply = match.seat_to_move or 0, match.ply
        carry_out(row.slug, Play(seat=seat, ply=ply, key=f"move {ply} xx", move=move))


def waiting():
    """The positions that wait for an engine: match and number."""
    return list(JobRow.objects.values_list("kind", "version"))


@pytest.fixture
def finished(begin):
    """A match in which White gave the win away: Black's bridge could have been met before."""
    row = begin(size=3, swap="off")
    play(row, "a1", "a3", "b2", "c1", "a2", "b1")
    match = MatchRow.objects.get(slug=row.slug).match()
    if match.result is None:
        carry_out(row.slug, Resign(seat=0, ply=match.ply, key="resigning"))
    return row


def test_every_position_of_a_finished_match_is_judged_once(finished, work_off, client):
    assert waiting() == [("review", 0)]
    work_off()
    view = client.get(f"/m/{finished.slug}/review.json").json()
    assert view["state"] == "done"
    assert len(view["estimates"]) == len(MatchRow.objects.get(pk=finished.pk).match().moves) + 1
    for estimate in view["estimates"]:
        assert sum(estimate["values"].values()) == pytest.approx(1, abs=0.001)
    carry_again = MatchRow.objects.get(pk=finished.pk)
    reviews.review_if_over(carry_again)
    assert waiting() == []


def test_moves_that_gave_a_win_away_are_turning_points(finished, work_off, client):
    work_off()
    view = client.get(f"/m/{finished.slug}/review.json").json()
    for turn in view["turns"]:
        assert turn["before"] > turn["after"]
        assert turn["move"] != turn["better"]
    assert any(turn["decides"] for turn in view["turns"])


def test_killed_reviews_go_on_where_they_were(finished, work_off):
    reviews.go_on_now(str(finished.pk), 0)
    before = ReviewRow.objects.get().found
    JobRow.objects.all().delete()
    reviews.queue_lost_reviews()
    assert waiting() == [("review", 1)]
    work_off()
    row = ReviewRow.objects.get()
    assert row.state == "done"
    assert row.found[: len(before)] == before


def test_matches_that_go_on_or_were_hardly_begun_have_no_review(begin, client):
    row = begin(size=3, swap="off")
    play(row, "a1", "a3")
    carry_out(row.slug, Resign(seat=0, ply=2, key="resigning"))
    assert waiting() == []
    assert client.get(f"/m/{row.slug}/review.json").json()["state"] is None


@pytest.mark.parametrize("game_id", sample(game_ids(), 3))
def test_reviews_know_every_game(begin, work_off, game_id):
    row = begin(game_id)
    for _ in range(4):
        position = MatchRow.objects.get(pk=row.pk).match().position
        play(row, position.format_move(list(position.legal_moves)[7]))
    carry_out(row.slug, Resign(seat=0, ply=4, key="resigning"))
    work_off()
    assert ReviewRow.objects.get().state == "done"


def test_a_review_begins_after_four_moves(begin):
    row = begin(size=3, swap="off")
    play(row, "a1", "a3", "b2")
    carry_out(row.slug, Resign(seat=0, ply=3, key="resigning"))
    assert waiting() == []
    assert not ReviewRow.objects.exists()


@pytest.mark.parametrize(
    ("positions", "seconds"), [(1, 1.0), (30, 1.0), (40, 0.75), (200, 0.15), (400, 0.15)]
)
def test_the_time_for_a_position_depends_on_their_number(monkeypatch, positions, seconds):
    monkeypatch.undo()  # the fixture that shortens searches
    assert reviews._seconds(positions) == seconds


def test_the_job_of_a_review_counts_for_the_first_human_player(begin, people, monkeypatch):
    monkeypatch.setattr(reviews, "_SECONDS", 3.0)
    row = begin(size=3, swap="off")
    people[0].computer = "computer:1"
    people[0].save()
    play(row, "a1", "a3", "b2", "c1")
    carry_out(row.slug, Resign(seat=0, ply=4, key="resigning"))
    job = JobRow.objects.get(kind="review")
    assert (job.kind, job.key, job.version, job.user) == ("review", str(row.pk), 0, people[1])
    version = MatchRow.objects.get(pk=row.pk).version
    assert job.seconds == 3.0 / (version + 1)


def test_a_job_of_another_position_or_of_a_finished_review_does_nothing(finished):
    key = str(finished.pk)
    reviews.go_on_now(key, 1)
    reviews.go_on_now("123456", 0)
    ReviewRow.objects.update(state="done")
    reviews.go_on_now(key, 0)
    JobRow.objects.all().delete()
    reviews.queue_lost_reviews()
    assert waiting() == []
    assert ReviewRow.objects.get().found == []
    ReviewRow.objects.update(state="waiting")
    reviews.go_on_now(key, 0)
    row = ReviewRow.objects.get()
    assert (row.state, len(row.found), row.turns) == ("working", 1, [])
    assert waiting() == [("review", 1)]


def test_a_review_is_told_position_by_position():
    estimates = [{"color": "black", "winrate": 0.75}, {"color": "white", "winrate": 0.25}]
    data = {
        "estimates": estimates,
        "rootInfo": {"error": 0.1, "proven": None},
        "moveInfos": [{"move": "b2", "pv": ["b2", "c1"]}, {"move": "a1", "pv": ["a1"]}],
    }
    over = {**data, "rootInfo": {"error": 0.0, "proven": "win"}, "moveInfos": []}
    turns = [{"ply": 1, "better": "b2"}, {"ply": 2, "better": "c3"}]
    row = ReviewRow(state="working", found=[data, over], turns=turns)
    values = {"black": 0.75, "white": 0.25}
    assert reviews.row_view(row, 0.5) == {
        "state": "working",
        "estimates": [
            {"values": values, "error": 0.1, "proven": False, "best": "b2"},
            {"values": values, "error": 0.0, "proven": True, "best": None},
        ],
        # Beyond what a review has stored, the better move is the whole line.
        "turns": [{**turns[0], "line": ["b2", "c1"]}, {**turns[1], "line": ["c3"]}],
        "seconds": 0.5,
        "isLeft": False,
    }


@pytest.fixture
def left(begin):
    """A finished match of Ann whose computer has thought in her page."""
    row = begin(size=3, swap="off")
    page_moves.leave_to_page(row)
    play(row, "a1", "a3", "b2", "c1")
    ply = MatchRow.objects.get(slug=row.slug).match().ply
    carry_out(row.slug, Resign(seat=0, ply=ply, key="resigning"))
    page_moves.take_back(row)
    return row


def test_a_match_in_whose_page_the_computer_has_thought_is_reviewed_there(left, client):
    assert waiting() == []
    view = client.get(f"/m/{left.slug}/review.json").json()
    assert (view["state"], view["isLeft"]) == (None, True)
    assert view["seconds"] > 0


def test_a_player_asks_the_server_for_a_review_that_is_left_to_pages(
    left, client, people, work_off
):
    client.force_login(people[0])
    view = client.post(f"/m/{left.slug}/review.json").json()
    assert (view["state"], view["isLeft"]) == ("waiting", False)
    work_off()
    client.post(f"/m/{left.slug}/review.json")
    assert waiting() == []
    assert client.get(f"/m/{left.slug}/review.json").json()["state"] == "done"


def test_only_players_of_a_finished_match_ask_for_its_review(left, begin, client, people):
    answer = client.post(f"/m/{left.slug}/review.json")
    assert answer.json()["code"] == "study/no-review"
    unfinished = begin(size=3, swap="off")
    client.force_login(people[0])
    answer = client.post(f"/m/{unfinished.slug}/review.json")
    assert answer.json()["code"] == "study/no-review"
    assert waiting() == []


def test_the_search_for_mistakes_begins_reviews_that_are_left_to_pages(left, people):
    reviews.start_left(people[0])
    reviews.start_left(people[0])
    assert waiting() == [("review", 0)]


def test_turning_points_name_the_move_and_the_better_one(finished, work_off):
    work_off()
    turns = ReviewRow.objects.get().turns
    match = MatchRow.objects.get(pk=finished.pk).match()
    position = match.terms.origin
    texts = []
    for made in match.moves:
        texts.append(position.format_move(made.move))
        position = position.play(made.move)
    assert turns
    for turn in turns:
        assert {"ply", "move", "better", "color", "before", "after", "decides"} <= turn.keys()
        assert turn["move"] == texts[turn["ply"] - 1]
