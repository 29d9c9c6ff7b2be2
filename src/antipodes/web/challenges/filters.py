"""Filters for the list of open challenges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from antipodes.games.registry import game_class, game_ids
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.classes import BoardClass, Speed

_ANY = ("", _("any"))
_YES, _NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter of challenges; empty texts match everything.

    Attributes:
        game: id of a game.
        speed: a speed class.
        board: a class of boards.
        rated: ``yes`` or ``no``.
        fitting: ``yes`` for only those challenges that the viewer may join.
    """

    game: str = ""
    speed: str = ""
    board: str = ""
    rated: str = ""
    fitting: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Filter:
        """Read a filter from query parameters, ignoring invalid values."""
        allowed: dict[str, set[str]] = {
            "game": set(game_ids()),
            "speed": set(Speed),
            "board": set(BoardClass),
            "rated": {_YES, _NO},
            "fitting": {_YES},
        }
        given = {name: query.get(name, "") for name in allowed}
        return cls(**{name: value for name, value in given.items() if value in allowed[name]})

    @classmethod
    def read_text(cls, text: str) -> Filter:
        """Parse a filter written by `text`; invalid text gives an empty filter."""
        return cls.read(dict(parse_qsl(text[:200])))

    @property
    def text(self) -> str:
        """The filter as a query string; empty if it matches everything."""
        return urlencode({name: value for name, value in asdict(self).items() if value})

    @property
    def only_joinable(self) -> bool:
        """Whether to show only challenges that the viewer may join."""
        return bool(self.fitting)

    def condition(self) -> Q:
        """Return the condition on challenges, apart from eligibility."""
        condition = Q()
        if self.game:
            condition &= Q(game_id=self.game)
        if self.speed:
            condition &= Q(speed=self.speed)
        if self.board:
            condition &= Q(board_class=self.board)
        if self.rated:
            condition &= Q(rated=self.rated == _YES)
        return condition


class FilterForm(forms.Form):
    """Form for a filter."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    speed = forms.ChoiceField(
        label=_("Speed"), required=False, choices=[_ANY, *((one, one.label) for one in Speed)]
    )
    board = forms.ChoiceField(
        label=_("Board"), required=False, choices=[_ANY, *((one, one.label) for one in BoardClass)]
    )
    rated = forms.ChoiceField(
        label=_("Rated"),
        required=False,
        choices=[_ANY, (_YES, _("rated")), (_NO, _("casual"))],
    )
    fitting = forms.BooleanField(label=_("Only those I can join"), required=False)

    def __init__(self, chosen: Filter) -> None:
        """Show a filter's values."""
        initial: dict[str, Any] = asdict(chosen)
        super().__init__(initial=initial, auto_id="filter-%s")
        games = [(one, translate(game_class(one).title)) for one in game_ids()]
        self.fields["game"].choices = [_ANY, *games]  # type: ignore[attr-defined]
        self.fields["fitting"].widget.attrs["value"] = _YES
