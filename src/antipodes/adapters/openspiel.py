"""Python games of OpenSpiel: ``pyspiel.load_game("python_antipodes_hex")`` after an import of this.

The short names are ``python_antipodes_`` and the id of a game, with underscores. Options are
parameters: ``pyspiel.load_game("python_antipodes_hex(size=7,swap=sides)")``. Players are the seats
in the order of the first turns, and actions are the numbers of moves. Observers see the planes of
:mod:`antipodes.adapters.observation`; an information state is the history of moves.

The import registers the games; :func:`register` adds those that other packages registered later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from antipodes.adapters.observation import observe, rewards_at, shape_of
from antipodes.errors import NotInstalledError
from antipodes.games.options import OptionInfo
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, game_ids, make_game

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError as error:  # pragma: no cover
    raise NotInstalledError.of("the adapter of OpenSpiel", error.name, "learning") from None

# Values of options whose default depends on others.
_NO_TEXT = "default"
_NO_NUMBER = -1
_MAX_LENGTH = 2**31 - 1  # what OpenSpiel's numbers of moves can hold

_registered: set[type[Game]] = set()


def short_name(game_id: str) -> str:
    """Return OpenSpiel's name of a game, such as ``python_antipodes_hex``."""
    return f"python_antipodes_{game_id.replace('-', '_')}"


def register() -> tuple[str, ...]:
    """Register all games with OpenSpiel that are not registered yet; return their short names."""
    for game_id in game_ids():
        rules = game_class(game_id)
        if rules not in _registered:
            pyspiel.register_game(_type_of(game_id), _maker(game_id))
            _registered.add(rules)
    return tuple(map(short_name, game_ids()))


def _type_of(game_id: str) -> Any:
    """Return OpenSpiel's description of a game."""
    rules = game_class(game_id)
    seats = _numbers_of_players(game_id)
    return pyspiel.GameType(
        short_name=short_name(game_id),
        long_name=f"{rules.title} (Antipodes)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(seats),
        min_num_players=min(seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={one.name: _default(one) for one in rules.option_table()},
    )


def _numbers_of_players(game_id: str) -> set[int]:
    """Return the numbers of players that the option ``seats`` allows."""
    table = game_class(game_id).option_table()
    seatings = next((info.values for info in table if info.name == "seats"), ())
    games = [make_game(game_id), *(make_game(game_id, {"seats": name}) for name in seatings)]
    return {game.seats for game in games}


def _default(option: OptionInfo) -> int | str:
    """Return the default of an option; OpenSpiel's parameters have a type, and None has none."""
    if option.default is not None:
        return option.default
    return _NO_TEXT if option.values else _NO_NUMBER


def _maker(game_id: str) -> type[Any]:
    """Return the class of a game for OpenSpiel, which makes its instances.

    OpenSpiel drops it after the end of Python: a function would be freed then, and abort.
    """
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
        self._start: Position = rules.initial()
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.move_count,
            max_chance_outcomes=0,
            num_players=rules.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # Without a limit of Phase Two the bound of Antipalos has hundreds of digits.
            max_game_length=min(rules.max_plies, _MAX_LENGTH),
        )
        super().__init__(game_type, info, params)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the class of the rules and OpenSpiel's text of the game."""
        return _loaded, (type(self.rules), str(self))

    def new_initial_state(self) -> SpielState:
        """Return the start position."""
        return SpielState(self, self._start)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> PlanesObserver | IIGObserverForPublicInfoGame:
        """Return an observer of planes, or of the history if it is to recall everything."""
        if params:
            raise ValueError(f"there are no parameters of observers: {params}")
        is_current = iig_obs_type is None or (
            iig_obs_type.public_info and not iig_obs_type.perfect_recall
        )
        if is_current:
            return PlanesObserver(self.rules)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


def _loaded(rules: type[Game], text: str) -> Any:
    """Return a pickled game; to read its class has registered it with our library."""
    if rules not in _registered:
        register()
    return pyspiel.load_game(text)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position for OpenSpiel.

    Attributes:
        position: the position.
    """

    def __init__(self, game: SpielGame, position: Position) -> None:
        super().__init__(game)
        self.position = position

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game, and the position with its history."""
        return _deserialized, (self.get_game(), self.serialize())

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for the end of a game."""
        if self.position.outcome is not None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.position.seat_to_move

    def _legal_actions(self, _player: int) -> list[int]:
        moves: list[int] = self.position.legal_moves.array().tolist()
        return moves

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


def _deserialized(game: SpielGame, text: str) -> Any:
    return game.deserialize_state(text)


class PlanesObserver:
    """OpenSpiel's observer: the planes of a position as a player's colour sees them.

    Attributes:
        tensor: the numbers of the latest observation, flat.
        dict: the same with their shape (:func:`observation.shape_of`), under the name ``planes``.
    """

    def __init__(self, game: Game) -> None:
        """Make room for observations of a game."""
        shape = shape_of(game)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(shape)}
        self._planes = self.tensor.reshape(shape[0], -1)

    def set_from(self, state: SpielState, player: int) -> None:
        """Observe a position."""
        position = state.position
        self._planes[:] = observe(position, position.color_of(player))

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the position as text."""
        return str(state)


register()
