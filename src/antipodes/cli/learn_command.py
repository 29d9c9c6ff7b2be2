"""``antipodes learn``: courses about the games, with tasks to solve."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli import exits
from antipodes.cli.terminal import Terminal
from antipodes.errors import InputError

if TYPE_CHECKING:
    from antipodes.learn.progress import LearningProgress


@click.command("learn")
@click.argument("course_id", metavar="[COURSE]", required=False)
@click.argument("step_id", metavar="[STEP]", required=False)
@click.option("--json", "as_json", is_flag=True, help='With "list": as JSON, a row for each step.')
def learn_command(course_id: str | None, step_id: str | None, *, as_json: bool) -> int:
    """Learn the games: short courses with tasks on the board.

    Without a course, or with "list", the courses and your progress are listed. A course begins at
    the first step that you have not solved, or at STEP: its number or name. Type an answer, "hint",
    "solution", "board", "skip" or "quit". "first-game GAME" is a game against the lowest level, in
    which a coach names good moves, less often as the game goes on.
    """
    from antipodes.cli.lesson import Lesson
    from antipodes.learn.progress import LearningProgress, default_path
    from antipodes.learn.store import find_course

    if course_id == "first-game":
        from antipodes.cli.coached_game import CoachedGameDialogue

        return exits.OK if CoachedGameDialogue(step_id or "hex", Terminal()).run() else exits.NO
    progress = LearningProgress(default_path())
    if course_id == "list" and step_id is not None:
        raise InputError.single("learn/no-such-step", f'"list" has no step {step_id[:40]!r}')
    if course_id is None or course_id == "list":
        _list(progress, as_json=as_json)
        return exits.OK
    if as_json:
        raise InputError.single("learn/json", '--json goes with "list"', "--json")
    course = find_course(course_id)
    step = course.step(step_id) if step_id else progress.next_step(course) or course.steps[0]
    lesson = Lesson(course, Terminal(), progress)
    return exits.OK if lesson.run(course.steps.index(step)) else exits.NO


def _list(progress: LearningProgress, *, as_json: bool) -> None:
    """List the courses, or their steps as JSON."""
    from antipodes.learn.store import courses

    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "game": course.game_id,
                "course": course.id,
                "step": step.id,
                "kind": course.kind,
                "title": step.title,
                "task": step.task["kind"],
                "solved": progress.is_solved(course, step),
            }
            for course in courses()
            for step in course.steps
        ]
        click.echo(json.dumps(rows, indent=1))
        return
    for course in courses():
        solved = f"{progress.count(course)} of {len(course.steps)} steps"
        click.echo(f"{course.id:26} {solved:14} {course.title}")
    unfinished = next((one for one in courses() if progress.next_step(one) is not None), None)
    if unfinished is not None:
        click.echo(f"\nContinue with: antipodes learn {unfinished.id}")
