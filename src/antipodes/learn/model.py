"""The course and its steps, read from a file in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from antipodes.core import Setup
from antipodes.errors import InputError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game

KINDS = ("rules", "strategy")
TASKS: Mapping[str, frozenset[str]] = {
    "win": frozenset({"turns", "border"}),
    "hold": frozenset({"turns", "border"}),
    "fork": frozenset(),
    "connect": frozenset({"between", "area"}),
    "play": frozenset(
        {
            "flips",
            "joins",
            "rest",
            "touches",
            "keeps",
            "locks",
            "points",
            "denies",
            "zigzag",
            "v",
        }
    ),
    "select": frozenset({"of", "point", "turns"}),
    "line": frozenset({"moves", "border", "turns", "passes"}),
    "pair": frozenset({"rounds"}),
}


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a course: a position and a task.

    Attributes:
        id: of the step, unique in its course.
        title: a few words.
        text: what the step teaches, and the task.
        game_id: the game.
        options: of the game that differ from the defaults.
        setup: the position before ``moves``; ``None`` for the start of the game.
        moves: from there to the position of the task.
        task: the kind of task and its parameters; see "Write a lesson" in the documentation.
        hints: each says more than the one before.
        wrong: answer, or ``*`` for any -> why it is wrong.
        done: what to say after the task is solved.
        notes: move of a printed line -> why it is played.
        right: an example of answers that solve the task, in order.
        bad: an example of a wrong first answer.
        only: all first moves that are right, where the text says so.
        show: names of points to highlight.
        demonstration: moves from the position of the task that can be replayed.
    """

    id: str
    title: str
    text: str
    game_id: str
    task: Mapping[str, Any] = field(hash=False)
    right: tuple[str, ...]
    bad: str
    options: Mapping[str, int | str] = field(default_factory=dict, hash=False)
    setup: Setup | None = field(default=None, hash=False)
    moves: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    wrong: Mapping[str, str] = field(default_factory=dict, hash=False)
    notes: Mapping[str, str] = field(default_factory=dict, hash=False)
    done: str = ""
    only: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    demonstration: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The game with its options."""
        return make_game(self.game_id, self.options)

    @property
    def position(self) -> Position:
        """The position of the task."""
        game = self.game
        position: Position = game.initial() if self.setup is None else game.position(self.setup)
        for text in self.moves:
            position = position.play(position.parse_move(text))
        return position

    def texts(self) -> Iterator[str]:
        """Yield all texts for people."""
        yield from (self.title, self.text, *self.hints, *self.wrong.values())
        yield from self.notes.values()
        if self.done:
            yield self.done


@dataclass(frozen=True, slots=True)
class Course:
    """A course about a game.

    Attributes:
        id: of the course, such as ``hex-rules``.
        game_id: the game.
        kind: ``rules`` or ``strategy``.
        title: of the course.
        summary: a sentence.
        steps: in the order in which they are learnt.
    """

    id: str
    game_id: str
    kind: str
    title: str
    summary: str
    steps: tuple[Step, ...]

    def step(self, step_id: str) -> Step:
        """Return a step by its id or its number from 1.

        Raises:
            InputError: there is no such step.
        """
        for number, step in enumerate(self.steps, 1):
            if step_id in (step.id, str(number)):
                return step
        known = ", ".join(step.id for step in self.steps)
        raise InputError.single(
            "learn/no-such-step", f"{self.id} has no step {step_id[:40]!r}; it has {known}"
        )

    def texts(self) -> Iterator[str]:
        """Yield all texts for people."""
        yield self.title
        yield self.summary
        for step in self.steps:
            yield from step.texts()


def read_course(text: str, course_id: str) -> Course:
    """Read a course from TOML.

    Raises:
        InputError: the text is not a course; the message names the step.
    """
    place = ""
    try:
        data = tomllib.loads(text)
        if unknown := data.keys() - {"game", "kind", "title", "summary", "step"}:
            raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
        if data["kind"] not in KINDS:
            raise ValueError(f"kind is not one of {', '.join(KINDS)}")
        steps: list[Step] = []
        for step in data["step"]:
            place = f"step {step.get('id', len(steps) + 1)}: "
            steps.append(_read_step(step, str(data["game"])))
        place = ""
        if len({step.id for step in steps}) < len(steps):
            raise ValueError("two steps have the same id")
        title, summary = str(data["title"]), " ".join(str(data["summary"]).split())
        return Course(course_id, str(data["game"]), str(data["kind"]), title, summary, tuple(steps))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        problem = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        message = f"course {course_id}: {place}{problem}"
        raise InputError.single("learn/malformed", message) from None


_FIELDS = frozenset(Step.__dataclass_fields__) - {"game_id"} | {
    "stones",
    "to_move",
    "pawns",
    "rods_left",
}


def _read_step(data: dict[str, Any], game_id: str) -> Step:
    """Return a step.

    Raises:
        ValueError, KeyError, TypeError: it is malformed.
    """
    if unknown := data.keys() - _FIELDS:
        raise ValueError(f"unknown keys: {', '.join(sorted(unknown))}")
    task = dict(data["task"])
    kind = str(task.get("kind"))
    if kind not in TASKS:
        raise ValueError(f"the kind of task is not one of {', '.join(TASKS)}")
    if unknown := task.keys() - TASKS[kind] - {"kind"}:
        raise ValueError(f"a task {kind} has no {', '.join(sorted(unknown))}")
    return Step(
        id=str(data["id"]),
        title=str(data["title"]),
        text=_paragraphs(data["text"]),
        game_id=game_id,
        task=task,
        right=_listed(data["right"]),
        bad=str(data["bad"]),
        options=dict(data.get("options", {})),
        setup=_read_stones(data),
        moves=_words(data.get("moves", "")),
        hints=_listed(data.get("hints", [])),
        wrong={str(key): _paragraphs(why) for key, why in data.get("wrong", {}).items()},
        notes={str(key): _paragraphs(why) for key, why in data.get("notes", {}).items()},
        done=_paragraphs(data.get("done", "")),
        only=_words(data.get("only", "")),
        show=_words(data.get("show", "")),
        demonstration=_words(data.get("demonstration", "")),
    )


def _read_stones(data: dict[str, Any]) -> Setup | None:
    """Return the setup of a step: ``stones`` has a list of points for each colour."""
    if "stones" not in data:
        return None
    stones = [
        (point, color) for color, points in data["stones"].items() for point in _words(points)
    ]
    return Setup(
        stones=tuple(stones),
        to_move=str(data["to_move"]),
        pawns=dict(data.get("pawns", {})),
        rods_left=dict(data.get("rods_left", {})),
        composed=True,
    )


def _words(text: Any) -> tuple[str, ...]:
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not text")
    return tuple(text.split())


def _listed(texts: Any) -> tuple[str, ...]:
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        raise TypeError(f"{texts!r} is not a list of texts")
    return tuple(_paragraphs(one) for one in texts)


def _paragraphs(text: Any) -> str:
    """Return a text with one line for each paragraph, and empty lines between them."""
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is not text")
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))
