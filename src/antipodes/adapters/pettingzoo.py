"""PettingZoo environments (AEC) of all games: ``env("hex", size=7)``.

Agents are ``player_0``, ``player_1`` and so on: the seats in the order of the first turns. An
observation is a dictionary as in PettingZoo's classic games: ``observation`` has the planes of
:mod:`antipodes.adapters.observation`, as the agent's colour sees them, with the rows of the board
if it has some, and ``action_mask`` is 1 for each legal move. Rewards come with the last move: see
:func:`antipodes.adapters.observation.rewards`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from antipodes.adapters.observation import (
    Planes,
    legal_mask,
    observe,
    rewards_at,
    shape_of,
)
from antipodes.errors import NotInstalledError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalledError.of("the adapter of PettingZoo", error.name, "learning") from None


def env(game: str | Game, *, render_mode: str | None = None, **options: int | str) -> Any:
    """Return an environment that ends when an agent chooses an illegal move.

    The agent that chose it has the reward -1 then, and all others 0. All agents are terminated and
    truncated, by PettingZoo's ``TerminateIllegalWrapper``.

    Args:
        game: the id of a game, or a game.
        render_mode: ``ansi`` or ``human``: ``render`` returns or prints the board as text.
        options: options of the game, if it is an id.

    Raises:
        InvalidOptionsError: wrong options.
        ValueError: there is no such render mode.
    """
    inner: Any = raw_env(game, render_mode=render_mode, **options)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return wrappers.OrderEnforcingWrapper(inner)


_RENDER_MODES = ("ansi", "human")


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo's name
    """The environment without PettingZoo's checks; an illegal move raises ``IllegalMoveError``.

    Attributes:
        position: the position.
    """

    position: Position

    def __init__(
        self, game: str | Game, *, render_mode: str | None = None, **options: int | str
    ) -> None:
        """Make the environment of a game; see :func:`env`."""
        super().__init__()
        if render_mode not in (None, *_RENDER_MODES):
            modes = " or ".join(map(repr, (None, *_RENDER_MODES)))
            raise ValueError(f"render_mode is {render_mode!r}, but must be {modes}")
        self.game: Game = make_game(game, options) if isinstance(game, str) else game
        self.metadata = {
            "render_modes": list(_RENDER_MODES),
            "name": f"antipodes_{self.game.id.replace('-', '_')}_v{self.game.rules_version}",
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.seats)]
        shape = shape_of(self.game)
        self.state_space: spaces.Space[Any] = spaces.Box(0, 1, shape, np.float32)
        count = self.game.move_count
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self._action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of observations, the same for all agents."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's moves."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; nothing is random, so that the seed changes nothing."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.position = self.game.initial()
        self.agent_selection = self.agents[self.position.seat_to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees; only the agent to move has legal moves."""
        seat = self.possible_agents.index(agent)
        is_to_move = agent == self.agent_selection and self.position.outcome is None
        mask = np.zeros(self.game.move_count, np.int8)
        if is_to_move:
            mask[:] = legal_mask(self.position)
        planes = observe(self.position, self.position.color_of(seat))
        return {"observation": planes.reshape(shape_of(self.game)), "action_mask": mask}

    def state(self) -> Planes:
        """Return the planes of the position as the colour to move sees them."""
        return observe(self.position).reshape(shape_of(self.game))

    def step(self, action: int | None) -> None:
        """Play a move for the selected agent.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.position = self.position.play(int(action))
        self._cumulative_rewards[agent] = 0.0
        if self.position.outcome is not None:
            rewards = rewards_at(self.position)
            self.rewards = {one: float(rewards[n]) for n, one in enumerate(self.possible_agents)}
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.position.seat_to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the board as text, or print it."""
        if self.render_mode == "human":
            print(self.position.picture())  # noqa: T201 - the purpose of this mode
            return None
        return self.position.picture() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is no window."""
