"""Python games of OpenSpiel: ``register()``, then ``pyspiel.load_game("python_antipodes_hex")``.

The short names are ``python_antipodes_`` and the id of a game, with underscores. Options are
parameters: ``pyspiel.load_game("python_antipodes_hex(size=7,swap=sides)")``. Players are the seats
in the order of the first turns, and actions are the numbers of moves. Observers see the planes of
:mod:`antipodes.adapters.observation`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from antipodes.adapters.observation import observe, plane_names, rewards_at
from antipodes.errors import NotInstalledError
from antipodes.games.options import OptionInfo
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, game_ids, make_game

try:
    import pyspiel
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalledError.of("the adapter of OpenSpiel", error.name, "learning") from None

_SEATS = 4  # most players of any game
# Values of options whose default depends on others.
_NO_TEXT = "default"
_NO_NUMBER = -1


def short_name(game_id: str) -> str:
    """Return OpenSpiel's name of a game, such as ``python_antipodes_hex``."""
    return f"python_antipodes_{game_id.replace('-', '_')}"


@cache
def register() -> tuple[str, ...]:
    """Register all games with OpenSpiel, once; return their short names."""
    for game_id in game_ids():
        pyspiel.register_game(_type_of(game_id), _maker(game_id))
    return tuple(map(short_name, game_ids()))


def _type_of(game_id: str) -> Any:
    """Return OpenSpiel's description of a game."""
    kind = game_class(game_id)
    return pyspiel.GameType(
        short_name=short_name(game_id),
        long_name=f"{kind.title} (Antipodes)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_SEATS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={one.name: _default(one) for one in kind.option_table()},
    )


def _default(option: OptionInfo) -> int | str:
    """Return the default of an option; OpenSpiel's parameters have a type, and None has none."""
    if option.default is not None:
        return option.default
    return _NO_TEXT if option.values else _NO_NUMBER


def _maker(game_id: str) -> type[Any]:
    """Return the class of a game for OpenSpiel, which makes its instances."""
    game_type = _type_of(game_id)

    class RegisteredGame(SpielGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            given = dict(params or {})
            unset = (_NO_TEXT, _NO_NUMBER)
            options = {name: value for name, value in given.items() if value not in unset}
            super().__init__(game_type, make_game(game_id, options), given)

    RegisteredGame.__name__ = f"{game_class(game_id).__name__}Game"
    return RegisteredGame


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel.

    Attributes:
        rules: the game with its options.
    """

    def __init__(self, game_type: Any, rules: Game, params: dict[str, Any]) -> None:
        self.rules = rules
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.move_count,
            max_chance_outcomes=0,
            num_players=rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=rules.max_plies,
        )
        super().__init__(game_type, info, params)

    def new_initial_state(self) -> SpielState:
        """Return the start position."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> PlanesObserver:
        """Return an observer."""
        if params:
            raise ValueError(f"there are no parameters of observers: {params}")
        return PlanesObserver(self.rules)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position for OpenSpiel.

    Attributes:
        position: the position.
    """

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.position: Position = game.rules.initial()

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for the end of a game."""
        if self.position.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.seat_to_move

    def _legal_actions(self, _player: int) -> list[int]:
        return [int(move) for move in self.position.legal_moves.array()]

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(action)

    def _action_to_string(self, _player: int, action: int) -> str:
        return self.position.format_move(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.outcome is not None

    def returns(self) -> list[float]:
        """Return the reward of each seat so far."""
        return [float(one) for one in rewards_at(self.position)]

    def __str__(self) -> str:
        return self.position.picture()


class PlanesObserver:
    """OpenSpiel's observer: the planes of a position as a player's colour sees them.

    Attributes:
        tensor: the numbers of the latest observation, flat.
        dict: the same with their shape, under the name ``planes``.
    """

    def __init__(self, game: Game) -> None:
        """Make room for observations of a game."""
        shape = (len(plane_names(game)), game.topology.cell_count)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe a position."""
        position = state.position
        self.dict["planes"][:] = observe(position, position.color_of(player))

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position as text."""
        return str(state)
