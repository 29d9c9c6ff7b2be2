"""Exercises from a player's own mistakes: their list and pages."""

import pytest

from antipodes.notation.svg.themes import on_any_page
from antipodes.web.analysis.models import ReviewRow
from antipodes.web.matches.models import MatchRow, new_slug
from antipodes.web.puzzles import mistakes, services
from antipodes.web.puzzles.models import MistakeRow, SearchedMatchRow
from antipodes.web.puzzles.pictures import svg_of

pytestmark = pytest.mark.django_db


def copied(match):
    """Store a match again under a new slug, with its seats."""
    seats = list(match.seats.all())
    row = MatchRow.objects.get(pk=match.pk)
    row.pk, row.slug = None, new_slug()
    row.save()
    for seat in seats:
        seat.pk, seat.match = None, row
        seat.save()
    return row


def exercises_of(row, count):
    """Store further exercises of a match."""
    for number in range(count):
        row.pk, row.ply = None, 10 + number
        row.save()
    return list(MistakeRow.objects.order_by("pk"))


def test_a_search_takes_the_latest_matches_with_a_finished_review(ann, reviewed, monkeypatch):
    monkeypatch.setattr(mistakes, "_MATCHES", 2)
    old, running = (copied(reviewed.match) for _ in range(2))
    ReviewRow.objects.create(match=old, state="done", turns=[])
    ReviewRow.objects.create(match=running, state="waiting", turns=[])
    middle = copied(reviewed.match)
    ReviewRow.objects.create(match=middle, state="done", turns=[])
    for at, row in enumerate((old, middle, reviewed.match)):
        MatchRow.objects.filter(pk=row.pk).update(ended_at=at)

    def searched():
        return set(SearchedMatchRow.objects.values_list("match", flat=True))

    assert mistakes.search(ann) == 2
    assert searched() == {reviewed.match.pk, middle.pk}
    assert mistakes.search(ann) == 1
    assert searched() == {reviewed.match.pk, middle.pk, old.pk}
    assert MistakeRow.objects.count() == 1


def test_a_review_searches_its_own_match_first(client, ann, reviewed, monkeypatch):
    monkeypatch.setattr(mistakes, "_MATCHES", 1)
    newer = copied(reviewed.match)
    ReviewRow.objects.create(match=newer, state="done", turns=[])
    MatchRow.objects.filter(pk=reviewed.match.pk).update(ended_at=1)
    client.force_login(ann)
    answer = client.post("/puzzles/mistakes/", {"match": reviewed.match.slug})
    assert [one.match for one in SearchedMatchRow.objects.all()] == [reviewed.match]
    ReviewRow.objects.filter(match=reviewed.match).update(state="working")
    page = client.get(answer.url).content.decode()
    assert "The computer is reviewing this game." in page
    assert f'name="match" value="{reviewed.match.slug}"' in page


def test_exercises_come_by_match_and_move_with_the_solved_ones_last(ann, exercise):
    first, second, third, fourth = exercises_of(exercise, 3)
    MistakeRow.objects.filter(pk=first.pk).update(solved_at=1)
    MistakeRow.objects.filter(pk=second.pk).update(solved_at=2)
    newer = copied(first.match)
    MistakeRow.objects.filter(pk=fourth.pk).update(match=newer)
    assert mistakes.exercises(ann) == [fourth, third, second, first]
    of_first = mistakes.exercises(ann, first.match.slug)
    assert of_first[0].match == first.match
    MistakeRow.objects.filter(pk=third.pk).update(state="waiting")
    assert mistakes.exercises(ann) == [fourth, second, first]
    assert mistakes.waiting(ann) == 1
    assert mistakes.find(ann, third.pk) is None


def test_the_list_counts_exercises_and_searches_when_posted(client, ann, reviewed, work_off):
    client.force_login(ann)
    page = client.get("/puzzles/mistakes/")
    assert "None found yet." in page.text
    assert client.post("/puzzles/mistakes/").url == "/puzzles/mistakes/"
    page = client.get("/puzzles/mistakes/")
    assert page.context["waiting"] == 1
    assert page.context["cards"] == []
    work_off()
    exercises_of(MistakeRow.objects.get(), 2)
    MistakeRow.objects.filter(ply=10).update(solved_at=1)
    found = client.get("/puzzles/mistakes/").context
    assert (found["open"], found["waiting"]) == (2, 0)
    cards = [(row.ply, game.id, task) for row, game, task in found["cards"]]
    task = "Black to move: find the win that you missed"
    assert cards == [(2, "hex", task), (11, "hex", task), (10, "hex", task)]
    MistakeRow.objects.update(is_proven=False)
    [*_, (_, _, task)] = client.get("/puzzles/mistakes/").context["cards"]
    assert task == "Black to move: find the move that you missed"


def test_after_an_exercise_the_next_unsolved_one_follows(client, ann, exercise):
    client.force_login(ann)

    def next_of(row):
        found = client.get(f"/puzzles/mistakes/{row.pk}/").context
        assert (found["row"], found["game"].id) == (row, "hex")
        return found["next_url"]

    assert next_of(exercise) == "/puzzles/mistakes/"
    first, second, third = exercises_of(exercise, 2)
    assert next_of(first) == f"/puzzles/mistakes/{second.pk}/"
    assert next_of(second) == f"/puzzles/mistakes/{first.pk}/"
    MistakeRow.objects.filter(pk=first.pk).update(solved_at=1)
    assert next_of(second) == f"/puzzles/mistakes/{third.pk}/"


def test_the_words_about_an_answer_are_those_of_ones_own_game(client, ann, exercise):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/answer"

    def told(moves, move):
        return client.post(path, {"moves": moves, "move": move}).json().get("message")

    assert told("", "c3") == "That is not the move."
    assert told("", "b1") == "That is what you played in the game."
    assert told("", "b2") == "That is the move!"
    MistakeRow.objects.update(line=["c1", "b3"])
    assert told("", "b2") is None
    assert told("b2,c1", "b3") == "That wins. Solved!"


def test_pictures_of_an_exercise_are_private(client, ann, exercise):
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/board.svg"
    picture = client.get(path)
    assert picture.headers["Cache-Control"] == "private, max-age=86400"
    assert picture.text == on_any_page(svg_of(mistakes.puzzle_of(exercise)), "sand")
    assert client.get(path, {"moves": "b2"}).text != picture.text


def test_hints_and_judgements_of_exercises_count_as_answers(client, ann, exercise, monkeypatch):
    monkeypatch.setenv(services.ANSWERS.setting, "1/minute")
    client.force_login(ann)
    path = f"/puzzles/mistakes/{exercise.pk}/"
    assert exercise.better not in client.post(path + "hint").text
    assert client.post(path + "hint").status_code == 429
    assert client.post(path + "answer", {"move": "b1"}).status_code == 429
    assert client.get(path + "judgement", {"moves": "b1"}).status_code == 429
    assert MistakeRow.objects.get().tries == 0
