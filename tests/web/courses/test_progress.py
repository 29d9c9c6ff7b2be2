"""Progress of guests and accounts: merged, exported, deleted."""

import json

import pytest

from antipodes.learn.store import courses, find_course
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import transfer_guest
from antipodes.web.courses.models import SolvedStepRow
from antipodes.web.courses.progress import CourseProgress, progress_of_user, store_solved_by
from antipodes.web.platform import limits
from antipodes.web.platform.clock import now
from tests.web.courses.lessons import FAR, goal

pytestmark = pytest.mark.django_db


def solved(user):
    """Return the steps that a user has solved."""
    return set(user.solved_steps.values_list("step", flat=True))


def add(user, *steps):
    """Store solved steps of Hex' rules."""
    for at, step in enumerate(steps):
        SolvedStepRow.objects.create(user=user, course="hex-rules", step=step, solved_at=at)


def test_a_step_is_stored_once(learner, people):
    learner.client.force_login(people[0])
    course, step = goal()
    for _ in range(2):
        learner.solve(course, step)
    assert solved(people[0]) == {"goal"}


def test_visitors_who_only_look_or_fail_do_not_become_guests(learner):
    course, step = goal()
    learner.client.get("/learn/")
    learner.client.get("/learn/hex-rules/goal/")
    learner.answer(course, step, "d4")
    learner.solution(course, step)
    assert not User.objects.exists()


def test_a_guest_keeps_progress_when_signing_up(learner):
    learner.solve(*goal())
    form = {"username": "ann", "email": "ann@example.org", "password1": "correct horse battery"}
    learner.client.post("/accounts/signup/", form)
    assert solved(User.objects.get(username="ann", is_guest=False)) == {"goal"}


def test_progress_is_merged_when_a_guest_signs_in(people):
    guest = User.objects.create(username="Guest 4821", is_guest=True)
    add(guest, "place", "goal")
    add(people[0], "goal", "white")
    transfer_guest(guest, people[0])
    assert solved(people[0]) == {"place", "goal", "white"}
    assert SolvedStepRow.objects.count() == 3


def test_progress_is_in_the_data_export_and_deleted_with_the_account(people):
    add(people[0], "goal")
    (row,) = json.loads("".join(export_data(people[0], str)))["rows"]["courses.solvedsteprow"]
    assert (row["course"], row["step"], row["solved_at"]) == ("hex-rules", "goal", 0)
    delete_account(people[0])
    assert not SolvedStepRow.objects.exists()


def test_answers_count_without_being_stored_if_there_are_too_many_guests(client, monkeypatch):
    monkeypatch.setenv(limits.NEW_GUESTS.setting, "1/day")
    course, step = goal()
    for expected in (1, 1):
        client.cookies.clear()
        found = client.post(
            f"/learn/{course.id}/{step.id}/answer", {"answer": "b3"}, REMOTE_ADDR=FAR
        )
        assert found.json()["solved"]
        assert SolvedStepRow.objects.count() == expected


def test_a_learner_continues_with_the_last_course_or_the_next_unfinished_one():
    order = list(courses())
    everything = {course.id: frozenset(step.id for step in course.steps) for course in order}
    assert CourseProgress({}, order[0].id).continued() is None
    assert CourseProgress(everything, order[0].id).continued() is None
    first, last = order[0], order[-1]
    without_first = {**everything, first.id: frozenset()}
    assert CourseProgress(without_first, last.id).continued() == (first, first.steps[0])
    without_last = {**everything, last.id: frozenset({last.steps[0].id})}
    assert CourseProgress(without_last, first.id).continued() == (last, last.steps[1])


def test_steps_that_no_longer_exist_are_ignored(client, people):
    add(people[0], "gone", "goal")
    client.force_login(people[0])
    course = find_course("hex-rules")
    page = client.get("/learn/hex-rules/").content.decode()
    assert f"1 of {len(course.steps)} steps solved" in page


def test_a_step_keeps_the_time_when_it_was_solved_first(people, clocks):
    at = now()
    store_solved_by(people[0], "hex-rules", "goal")
    clocks.advance(1_000)
    store_solved_by(people[0], "hex-rules", "goal")
    store_solved_by(people[0], "hex-rules", "place")
    store_solved_by(people[1], "hex-rules", "goal")
    rows = people[0].solved_steps.order_by("pk").values_list("course", "step", "solved_at")
    assert list(rows) == [("hex-rules", "goal", at), ("hex-rules", "place", at + 1_000)]


def test_progress_has_the_steps_by_course_and_the_latest_course(people):
    for course_id, step, at in (
        ("hex-rules", "goal", 3),
        ("hex-strategy", "bridge", 2),
        ("hex-rules", "place", 1),
        ("antipod-rules", "rim", 3),
    ):
        SolvedStepRow.objects.create(user=people[0], course=course_id, step=step, solved_at=at)
    found = progress_of_user(people[0])
    assert found.solved == {
        "hex-rules": {"goal", "place"},
        "hex-strategy": {"bridge"},
        "antipod-rules": {"rim"},
    }
    assert found.last == "antipod-rules"
    course = find_course("hex-rules")
    assert (found.count(course), found.next_step(course)) == (2, course.steps[1])
    assert found.is_solved("hex-rules", "goal")
    assert not found.is_solved("hex-rules", "rim")
    assert not found.is_solved("nothing", "goal")
    assert progress_of_user(people[1]) == CourseProgress({}, None)
    everything = CourseProgress({"hex-rules": frozenset(step.id for step in course.steps)})
    assert everything.next_step(course) is None


def test_a_learner_continues_in_the_last_course_before_those_before_it():
    order = list(courses())
    started = {order[0].id: frozenset({"x"}), order[2].id: frozenset({order[2].steps[0].id})}
    assert CourseProgress(started, order[2].id).continued() == (order[2], order[2].steps[1])
    assert CourseProgress(started, "gone").continued() == (order[0], order[0].steps[0])
