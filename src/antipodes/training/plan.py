"""Plans of trainings: files that say what network learns from which games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from antipodes.errors import Fault, InputError
from antipodes.training.boards import SIZES


@dataclass(frozen=True)
class Stage:
    """A part of a training.

    Attributes:
        positions: of self-play that it lasts.
        sizes: of the boards, with the weight of each.
        rate: learning rate.
        plays_on: share of the games that are played to their end; in the others a hopeless side
            resigns. All are while the network does not know yet what is hopeless.
        player: ``hex`` if the network that comes with the program plays; otherwise empty, and the
            one that is trained plays.
    """

    positions: int
    sizes: Mapping[int, float]
    rate: float
    plays_on: float = 0.1
    player: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A training.

    Attributes:
        text: of its file.
        title: for people.
        game: id of the game, one of ``SIZES``.
        weights: ``hex`` to begin with the weights of the network for Hex that comes with the
            program; otherwise empty.
        channels: of the network, numbers for each cell between two layers.
        blocks: of the network.
        visits: of the search for each move of self-play.
        games: of a task of self-play.
        together: games that a task plays at the same time.
        batch: positions of a step of the learner.
        reuse: how often a position is learned.
        window: positions of each board that are kept.
        seed: of everything random.
        stages: in their order.
    """

    text: str
    title: str
    game: str
    weights: str
    channels: int
    blocks: int
    visits: int
    games: int
    together: int
    batch: int
    reuse: float
    window: int
    seed: int
    stages: tuple[Stage, ...]

    @classmethod
    def read(cls, path: Path) -> Plan:
        """Read a file.

        Raises:
            InputError: it cannot be read, or is no plan.
        """
        try:
            text = path.read_bytes().decode()
            data = tomllib.loads(text)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise _refusal(f"{str(path)!r} cannot be read: {reason}") from None
        stages = data.pop("stages", [])
        if not isinstance(stages, list) or not stages:
            raise _refusal(f"{str(path)!r} has no [[stages]]")
        title = data.pop("title", "")
        game = _choice(data, "game", tuple(SIZES), "hex")
        weights = _choice(data, "weights", ("", "hex"), "")
        numbers = {name: _number(data, name) for name in _NUMBERS}
        if data:
            raise _refusal(f"{str(path)!r} has the unknown entry {next(iter(data))!r}")
        whole = {name: int(one) for name, one in numbers.items() if name != "reuse"}
        stages_read = tuple(_stage(one, SIZES[game]) for one in stages)
        return cls(
            text, str(title), game, weights, reuse=numbers["reuse"], stages=stages_read, **whole
        )

    @property
    def positions(self) -> int:
        """Positions of self-play of all stages."""
        return sum(stage.positions for stage in self.stages)

    def stage_after(self, positions: int) -> Stage:
        """Return the stage after so many positions; the last one at the end."""
        for stage in self.stages:
            positions -= stage.positions
            if positions < 0:
                return stage
        return self.stages[-1]


_NUMBERS = (
    "channels",
    "blocks",
    "visits",
    "games",
    "together",
    "batch",
    "reuse",
    "window",
    "seed",
)


def _refusal(message: str) -> InputError:
    return InputError([Fault("train/plan", message)])


def _number(data: dict[str, Any], name: str) -> float:
    value = data.pop(name, None)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise _refusal(f"{name} is {value!r}, but must be a positive number")
    if name != "reuse" and not isinstance(value, int):
        raise _refusal(f"{name} is {value!r}, but must be a whole number")
    return value


def _choice(data: dict[str, Any], name: str, choices: tuple[str, ...], default: str) -> str:
    value = data.pop(name, default)
    if value not in choices:
        known = ", ".join(repr(one) for one in choices)
        raise _refusal(f"{name} is {value!r}, but must be one of {known}")
    return str(value)


def _stage(data: object, sizes_allowed: tuple[int, int]) -> Stage:
    if not isinstance(data, dict):
        raise _refusal(f"a stage is {data!r}, but must be a table")
    entries: dict[str, Any] = dict(data)
    sizes = entries.pop("sizes", None)
    if not isinstance(sizes, dict) or not sizes:
        raise _refusal(
            f"the sizes of a stage are {sizes!r}, but must be a table such as {{11 = 1}}"
        )
    weights = {}
    for name in list(sizes):
        low, high = sizes_allowed
        if not name.isdecimal() or not low <= int(name) <= high:
            raise _refusal(f"a board has the size {name!r}, but must have {low} to {high}")
        weights[int(name)] = _number(sizes, name) if sizes[name] != 1 else float(sizes.pop(name))
    positions, rate = entries.pop("positions", None), entries.pop("rate", None)
    if not isinstance(positions, int) or positions <= 0:
        raise _refusal(f"positions is {positions!r}, but must be a positive whole number")
    if not isinstance(rate, float) or not 0 < rate < 1:
        raise _refusal(f"rate is {rate!r}, but must be between 0 and 1")
    plays_on = entries.pop("plays_on", Stage.plays_on)
    if (
        isinstance(plays_on, bool)
        or not isinstance(plays_on, int | float)
        or not 0 <= plays_on <= 1
    ):
        raise _refusal(f"plays_on is {plays_on!r}, but must be between 0 and 1")
    player = _choice(entries, "player", ("", "hex"), "")
    if entries:
        raise _refusal(f"a stage has the unknown entry {next(iter(entries))!r}")
    return Stage(positions, weights, rate, plays_on, player)
