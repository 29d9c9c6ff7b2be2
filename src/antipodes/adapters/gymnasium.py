"""Many games at once for programs of gymnasium: ``VectorEnv("hex", 64, size=7)``.

    >>> from antipodes.adapters.gymnasium import VectorEnv
    >>> env = VectorEnv("hex", 64, size=5)
    >>> seen, infos = env.reset(seed=1)
    >>> seen["observation"].shape, seen["action_mask"].shape
    ((64, 7, 5, 5), (64, 26))

It is :class:`antipodes.adapters.vector.VectorEnv` as a ``gymnasium.vector.VectorEnv``. The caller
plays all seats: an observation shows the position to the seat that moves next, and the reward of a
step is that of the seat that has moved.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from antipodes.adapters import vector
from antipodes.adapters.observation import observe, shape_of
from antipodes.errors import NotInstalledError
from antipodes.games.position import Game

try:
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalledError.of("the adapter of gymnasium", error.name, "learning") from None

Seen: TypeAlias = dict[str, npt.NDArray[np.int8]]
Stepped: TypeAlias = tuple[
    Seen,
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
    npt.NDArray[np.bool_],
    dict[str, Any],
]


class VectorEnv(GymnasiumVectorEnv[Seen, Any, Any]):
    """A number of games of one kind, stepped together.

    A game that ends starts again in the same step (``AutoresetMode.SAME_STEP``). Observations have
    the planes of :mod:`antipodes.adapters.observation` under ``observation``, with the rows of the
    board if it has some, and the legal moves under ``action_mask``.

    Attributes:
        games: the games, with arrays and positions of their own names.
        copy: whether observations are copies. Otherwise they are views, which cannot be written
            and which the next step changes.
    """

    single_observation_space: spaces.Dict

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        seed: int = 0,
        copy: bool = True,
        **options: int | str,
    ) -> None:
        """Start the games.

        Args:
            game: the id of a game, or a game.
            num_envs: number of games.
            seed: of the random moves of ``games.random_actions()``; the rules know no chance.
            copy: whether observations are copies.
            options: options of the game, if it is an id.

        Raises:
            InvalidOptionsError: wrong options.
            ValueError: ``num_envs`` is less than 1.
        """
        self.games = vector.VectorEnv(game, num_envs, seed=seed, **options)
        self.copy = copy
        self.num_envs = num_envs
        rules = self.games.game
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self._shape = shape_of(rules)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, self._shape, np.int8),
                "action_mask": spaces.Box(0, 1, (rules.move_count,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(rules.move_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        shape = (num_envs, *self._shape)
        self._views: Seen = {
            "observation": self.games.observations.view(np.int8).reshape(shape),
            "action_mask": self.games.legal.view(np.int8),
        }
        for array in self._views.values():
            array.flags.writeable = False
        self._everyone = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start all games again; the seed is that of ``np_random``, which the rules do not use."""
        super().reset(seed=seed)
        self.games.reset()
        return self._seen(), self._turns()

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """Play a move in each game.

        Args:
            actions: shape ``(num_envs,)``: a legal move of each game.

        Returns:
            Observations; the reward of each seat that has moved; whether each game ended; zeros,
            since no game is cut short; and infos. Those tell the seat ``to_move`` and, where games
            ended, the ``rewards`` of all seats, shape ``(num_envs, seats)``, and ``final_obs``.

        Raises:
            IllegalMoveError: a move is not legal; no game has changed.
            ValueError: the shape is wrong.
        """
        moved = self.games.to_move.copy()
        step = self.games.step(actions)
        infos = self._turns()
        if step.terminated.any():
            infos |= {"rewards": step.rewards, "_rewards": step.terminated}
            infos |= {"final_obs": np.full(self.num_envs, None), "_final_obs": step.terminated}
            for number in np.flatnonzero(step.terminated).tolist():
                end = self.games.end(number)
                infos["final_obs"][number] = {
                    "observation": observe(end).astype(np.int8).reshape(self._shape),
                    "action_mask": np.zeros(end.game.move_count, np.int8),
                }
        rewards = np.take_along_axis(step.rewards, moved[:, None], axis=1)[:, 0]
        return self._seen(), rewards, step.terminated, np.zeros_like(self._everyone), infos

    def _seen(self) -> Seen:
        if self.copy:
            return {name: array.copy() for name, array in self._views.items()}
        return dict(self._views)

    def _turns(self) -> dict[str, Any]:
        return {"to_move": self.games.to_move.copy(), "_to_move": self._everyone}
