"""Reviews of finished matches."""

import pytest

from antipodes.games.registry import game_ids
from antipodes.match import Play, Resign
from antipodes.web.analysis import reviews
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.jobs.models import JobRow
from antipodes.web.jobs.queue import NotReadyError
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.kernel_warmup import Use

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
    reviews.take_up_lost()
    assert waiting() == [("review", 1)]
    work_off()
    row = ReviewRow.objects.get()
    assert row.state == "done"
    assert row.found[: len(before)] == before


def test_a_review_waits_for_compiled_kernels(finished, cold):
    asked = cold(reviews)
    with pytest.raises(NotReadyError):
        reviews.go_on_now(str(finished.pk), 0)
    assert asked == [(finished.game, Use.STUDY)]
    row = ReviewRow.objects.get()
    assert (row.state, row.found) == ("waiting", [])


def test_matches_that_go_on_or_were_hardly_begun_have_no_review(begin, client):
    row = begin(size=3, swap="off")
    play(row, "a1", "a3")
    carry_out(row.slug, Resign(seat=0, ply=2, key="resigning"))
    assert waiting() == []
    assert client.get(f"/m/{row.slug}/review.json").json()["state"] is None


@pytest.mark.parametrize("game_id", game_ids())
def test_reviews_know_every_game(begin, work_off, game_id):
    row = begin(game_id)
    for _ in range(4):
        position = MatchRow.objects.get(pk=row.pk).match().position
        play(row, position.format_move(list(position.legal_moves)[7]))
    carry_out(row.slug, Resign(seat=0, ply=4, key="resigning"))
    work_off()
    assert ReviewRow.objects.get().state == "done"
