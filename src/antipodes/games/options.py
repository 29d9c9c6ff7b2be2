"""Options of games: declaration, validation, documentation and reading from text."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, Literal, Self, cast

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.notation.text import shorten

_MAX_TRIED = 100  # values of an option that are tried one by one


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """The description of an option.

    Attributes:
        name: as in commands and records.
        default: the default value; ``None`` if it depends on other options.
        values: the allowed words; empty for a number.
        low: the smallest allowed number.
        high: the largest allowed number.
        help: one line for people.
        offered_low: the smallest number in games between players; smaller ones are for study.
    """

    name: str
    default: int | str | None
    values: tuple[str, ...]
    low: int
    high: int
    help: str
    offered_low: int

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return " | ".join(self.values) if self.values else f"{self.low}..{self.high}"

    @property
    def described(self) -> str:
        """The meaning, the allowed values and the default in one line."""
        default = "depends on other options" if self.default is None else self.default
        return f"{self.help}; {self.allowed} (default: {default})"

    @property
    def type(self) -> Any:
        """The type of the values, as a type checker names it."""
        plain = Literal[self.values] if self.values else int
        return plain if self.default is not None else plain | None

    @property
    def offered(self) -> str:
        """The values in words that are allowed in games between players."""
        return self.allowed if self.values else f"{self.offered_low}..{self.high}"


def in_words(values: Sequence[int | str]) -> str:
    """Return values as text: ``2..10``, or a list if they have gaps."""
    first, last = values[0], values[-1]
    if isinstance(first, int) and isinstance(last, int) and last - first == len(values) - 1 > 0:
        return f"{first}..{last}"
    return " | ".join(map(str, values))


def choice(*values: str, help: str, default: str | None = "") -> Any:  # noqa: A002 - click's word
    """Declare an option with several words; the first one is the default by default."""
    start = values[0] if default == "" else default
    return field(default=start, metadata={"values": values, "help": help})


def whole(
    default: int | None,
    low: int,
    high: int,
    help: str,  # noqa: A002 - as above
    *,
    offered_low: int | None = None,
) -> Any:
    """Declare an option with a whole number from ``low`` to ``high``.

    In games between players it is at least ``offered_low``.
    """
    known = {"low": low, "high": high, "help": help, "offered_low": offered_low or low}
    return field(default=default, metadata=known)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of the options of each game: frozen, hashable, and checked at creation."""

    def __post_init__(self) -> None:
        """Fill in dependent defaults and check all values.

        Raises:
            InvalidOptionsError: with all faults found.
        """
        for name, value in self._defaults().items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        faults = [fault for info in self.describe() for fault in self._check_value(info)]
        if not faults:
            faults = self._check_together()
        if faults:
            raise InvalidOptionsError(faults)

    def _defaults(self) -> dict[str, int | str]:
        """Return defaults that depend on other options."""
        return {}

    def _check_together(self) -> list[Fault]:
        """Return the faults of combinations of valid options."""
        return []

    def _check_value(self, info: OptionInfo) -> list[Fault]:
        value = getattr(self, info.name)
        if info.values:
            if value in info.values:
                return []
            code = "option/unknown-value"
        elif isinstance(value, int) and not isinstance(value, bool):
            if info.low <= value <= info.high:
                return []
            code = "option/out-of-range"
        else:
            code = "option/not-a-number"
        shown = shorten(value) if isinstance(value, str) else repr(value)
        fault = Fault.of(
            code,
            "{name} is {value}, but must be {allowed}",
            where=info.name,
            name=info.name,
            value=shown,
            allowed=info.allowed,
        )
        return [fault]

    @classmethod
    def are_dependent(cls) -> bool:
        """Return whether the values of some options depend on others."""
        return cls._check_together is not Options._check_together

    @classmethod
    def describe(cls) -> tuple[OptionInfo, ...]:
        """Return all options in order."""
        return _described(cast("Hashable", cls))

    @classmethod
    def read(cls, values: Mapping[str, object]) -> Self:
        """Return options from names and values, which may be text.

        Raises:
            InvalidOptionsError: with all unknown names and wrong values.
        """
        known = {info.name: info for info in cls.describe()}
        faults = []
        arguments: dict[str, object] = {}
        for name, value in values.items():
            if name not in known:
                fault = Fault.of(
                    "option/unknown",
                    "there is no option {name}; there are {known}",
                    where=str(name),
                    name=shorten(str(name)),
                    known=", ".join(known),
                )
                faults.append(fault)
            elif isinstance(value, str) and not known[name].values:
                number = value.strip()
                digits = number.removeprefix("-")
                is_number = digits.isdecimal() and digits.isascii() and len(digits) < 10
                arguments[name] = int(number) if is_number else value
            else:
                arguments[name] = value
        try:
            made = cls(**arguments)
        except InvalidOptionsError as error:
            raise InvalidOptionsError([*faults, *error.faults]) from None
        if faults:
            raise InvalidOptionsError(faults)
        return made

    def as_dict(self) -> dict[str, int | str]:
        """Return all options by name."""
        return {info.name: getattr(self, info.name) for info in self.describe()}

    def choices(self, name: str) -> Sequence[int | str]:
        """Return the values that an option can have with the current values of earlier options.

        Later options have their defaults. A range of more than a hundred numbers is returned whole
        or as a single value.

        Raises:
            KeyError: there is no such option.
        """
        table = {info.name: info for info in self.describe()}
        info = table[name]
        before = {one: getattr(self, one) for one in list(table)[: list(table).index(name)]}

        def fits(value: int | str) -> bool:
            try:
                type(self)(**before, **{name: value})
            except InvalidOptionsError:
                return False
            return True

        all_values: Sequence[int | str] = info.values or range(info.low, info.high + 1)
        if len(all_values) <= _MAX_TRIED:
            return tuple(value for value in all_values if fits(value))
        return all_values if fits(all_values[-1]) else (getattr(type(self)(**before), name),)

    def offered(self, name: str) -> Sequence[int | str]:
        """Return the choices for games between players.

        Raises:
            KeyError: there is no such option.
        """
        low = next(info.offered_low for info in self.describe() if info.name == name)
        return [one for one in self.choices(name) if isinstance(one, str) or one >= low]

    def changed(self) -> dict[str, int | str]:
        """Return the options that differ from the defaults; they determine all others.

        Defaults that depend on other options are those for these options.
        """
        mine = self.as_dict()
        fixed = {i.name: i.default for i in self.describe() if i.default is not None}
        beside = type(self)(**{name: mine[name] for name in fixed}).as_dict()
        plain = {**beside, **fixed}
        return {name: value for name, value in mine.items() if plain[name] != value}


@cache
def _described(options: Any) -> tuple[OptionInfo, ...]:
    return tuple(
        OptionInfo(
            name=item.name,
            default=None if item.default is MISSING else item.default,
            values=item.metadata.get("values", ()),
            low=item.metadata.get("low", 0),
            high=item.metadata.get("high", 0),
            help=item.metadata["help"],
            offered_low=item.metadata.get("offered_low", 0),
        )
        for item in fields(options)
    )
