"""The registry of games by id; the code of a game is imported on demand."""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeVar

from antipodes.errors import Fault, InvalidOptionsError, UnknownGameError
from antipodes.games.options import OptionInfo, in_words
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.games.position import Game

_GAMES = {
    "antipod": "antipod:Antipod",
    "antipalos": "antipalos:Antipalos",
    "antipode": "antipode:Antipode",
    "hex": "hex:Hex",
    "cylindrical-hex": "cylindrical_hex:CylindricalHex",
}


_GROUP = "antipodes.games"
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_LONGEST_ID = 32  # as long as the columns of the site's tables

GameClassT = TypeVar("GameClassT", bound="type[Game]")

_registered: dict[str, type[Game]] = {}  # games of other packages
_allowed: frozenset[str] | None = None  # those that this process may use; None for all


def register_game(game: GameClassT) -> GameClassT:
    """Register a game of another package for this process; also a decorator of its class.

    A package that names its games as entry points of the group ``antipodes.games`` need not call
    this, and they are known in all processes.

    Raises:
        TypeError: it is not a class of games.
        ValueError: its id is malformed or taken.
    """
    base = import_module("antipodes.games.base").BoardGame
    given: object = game
    if not (isinstance(given, type) and issubclass(given, base)):
        raise TypeError(f"{game!r} is not a class derived from BoardGame")
    missing = [
        name
        for name in ("id", "title", "summary", "family", "options_type", "position_type")
        if not hasattr(game, name)
    ]
    if missing:
        raise TypeError(f"{game.__name__} has no {', '.join(missing)}")
    if not _ID.fullmatch(game.id) or len(game.id) > _LONGEST_ID:
        raise ValueError(
            f"the id {game.id!r} must have at most {_LONGEST_ID} small letters, digits and hyphens"
        )
    if game.id in _GAMES or _registered.get(game.id, game) is not game:
        raise ValueError(f"there is a game with the id {game.id!r} already")
    _registered[game.id] = game
    return game


def allow_games(ids: Collection[str] | None) -> None:
    """Limit the games of other packages in this process to some ids; ``None`` allows all."""
    global _allowed  # noqa: PLW0603 - one choice for the process
    _allowed = None if ids is None else frozenset(ids)


@cache
def _load_installed() -> None:
    """Register the games that installed packages name; warn of those that cannot be loaded."""
    for entry in sorted(entry_points(group=_GROUP), key=lambda entry: entry.name):
        try:
            register_game(entry.load())
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            warnings.warn(
                f"the game {entry.name} ({entry.value}) is left out: {error}",
                RuntimeWarning,
                stacklevel=2,
            )


def _games_from_outside() -> dict[str, type[Game]]:
    """Return the games of other packages by id that this process may use, in order."""
    _load_installed()
    return {
        name: _registered[name]
        for name in sorted(_registered)
        if _allowed is None or name in _allowed
    }


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games, those of other packages last."""
    return *_GAMES, *_games_from_outside()


@cache
def _class_of(game_id: str) -> type[Game]:
    module, name = _GAMES[game_id].split(":")
    found: type[Game] = getattr(import_module(f"antipodes.games.{module}"), name)
    return found


def game_class(game_id: str) -> type[Game]:
    """Return the class of a game.

    Raises:
        UnknownGameError: no game has this id.
    """
    wanted = game_id.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted in _GAMES:
        return _class_of(wanted)
    others = _games_from_outside()
    if wanted not in others:
        fault = Fault.of(
            "game/unknown",
            "there is no game {name}; there are {known}",
            name=shorten(game_id),
            known=", ".join([*_GAMES, *others]),
        )
        raise UnknownGameError([fault])
    return others[wanted]


def make_game(game_id: str, options: Mapping[str, object] | None = None) -> Game:
    """Return a game with options by name, as values or as text.

    Raises:
        UnknownGameError: no game has this id.
        InvalidOptionsError: with all unknown options and wrong values.
    """
    chosen = game_class(game_id)
    return chosen(chosen.options_type.read(options or {}))


def make_offered_game(name: str, options: Mapping[str, object]) -> Game:
    """Return a game between players, as `make_game` does, but refuse with the offered numbers.

    Raises:
        UnknownGameError: there is no such game.
        InvalidOptionsError: with all faults; each names the numbers that players can choose.
    """
    try:
        return make_game(name, options)
    except InvalidOptionsError as error:
        offered = {info.name: info.offered for info in game_class(name).option_table()}
        raise InvalidOptionsError([_with_offered(one, offered) for one in error.faults]) from None


def _with_offered(fault: Fault, offered: Mapping[str, str]) -> Fault:
    if fault.code != "option/out-of-range" or fault.where not in offered:
        return fault
    values = {**fault.values, "allowed": offered[fault.where]}
    return Fault.of(fault.code, fault.template, where=fault.where, **values)


def closest_game(game_id: str, options: Mapping[str, object]) -> Game:
    """Return a game with as many of these options as are compatible, earlier ones first.

    Raises:
        UnknownGameError: no game has this id.
    """
    accepted: dict[str, object] = {}
    for info in game_class(game_id).option_table():
        if info.name in options:
            tried = {**accepted, info.name: options[info.name]}
            with suppress(InvalidOptionsError):
                make_game(game_id, tried)
                accepted = tried
    return make_game(game_id, accepted)


def by_ruleset(game_id: str) -> Mapping[str, Game]:
    """Return the default game of each ruleset; a game without rulesets has one, named ``""``."""
    table = game_class(game_id).option_table()
    rulesets = next((info.values for info in table if info.name == "ruleset"), ())
    if not rulesets:
        return {"": make_game(game_id)}
    return {one: make_game(game_id, {"ruleset": one}) for one in rulesets}


def option_rows(game_id: str) -> list[tuple[str, str, str, str]]:
    """Return name, default, allowed values and meaning of each option of a game."""
    return [
        (info.name, _default_in_words(game_id, info), info.allowed, info.help)
        for info in game_class(game_id).option_table()
    ]


def offered_rows(game_id: str) -> list[tuple[str, str, str, str]]:
    """Return the same rows for games between players, with the choices of each ruleset."""
    games = by_ruleset(game_id)
    return [
        (info.name, _default_in_words(game_id, info), _offered_in_words(games, info), info.help)
        for info in game_class(game_id).option_table()
    ]


def _default_in_words(game_id: str, info: OptionInfo) -> str:
    default = str(getattr(make_game(game_id).options, info.name))
    return default + (", or what goes with the other options" if info.default is None else "")


def _offered_in_words(games: Mapping[str, Game], info: OptionInfo) -> str:
    """Return the choices of an option; where rulesets differ, those of each."""
    found = {one: in_words(game.options.offered(info.name)) for one, game in games.items()}
    if len(set(found.values())) == 1:
        return next(iter(found.values()))
    return "; ".join(f"{ruleset}: {words}" for ruleset, words in found.items())
