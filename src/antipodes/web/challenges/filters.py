"""Which of the open challenges somebody wants to see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from antipodes.games.registry import game_class, game_ids
from antipodes.web.platform.translations import said
from antipodes.web.ratings.classes import BoardClass, Speed

_ANY = ("", _("any"))
_YES, _NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Filter:
    """What is wanted; empty texts want anything.

    Attributes:
        game: id of a game.
        speed: how fast it is played.
        board: a class of boards.
        rated: ``yes`` or ``no``.
        fitting: ``yes`` for challenges alone that are for whoever looks.
    """

    game: str = ""
    speed: str = ""
    board: str = ""
    rated: str = ""
    fitting: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Filter:
        """Read a filter from names and values; what cannot be is as if nothing were wanted."""
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
        """Read a filter as `text` has written it; anything else is a filter that wants nothing."""
        return cls.read(dict(parse_qsl(text[:200])))

    @property
    def text(self) -> str:
        """The filter as addresses have it; empty if anything is wanted."""
        return urlencode({name: value for name, value in asdict(self).items() if value})

    @property
    def wants_fitting(self) -> bool:
        """Whether only what one may join shall be shown."""
        return bool(self.fitting)

    def condition(self) -> Q:
        """Return the condition on rows of challenges, but for whom they are."""
        wanted = Q()
        if self.game:
            wanted &= Q(game_id=self.game)
        if self.speed:
            wanted &= Q(speed=self.speed)
        if self.board:
            wanted &= Q(board_class=self.board)
        if self.rated:
            wanted &= Q(rated=self.rated == _YES)
        return wanted


class FilterForm(forms.Form):
    """The same as fields of a page."""

    game = forms.ChoiceField(label=_("Game"), required=False)
    speed = forms.ChoiceField(
        label=_("Speed"), required=False, choices=[_ANY, *((one, one.words) for one in Speed)]
    )
    board = forms.ChoiceField(
        label=_("Board"), required=False, choices=[_ANY, *((one, one.words) for one in BoardClass)]
    )
    rated = forms.ChoiceField(
        label=_("Rated"),
        required=False,
        choices=[_ANY, (_YES, _("rated")), (_NO, _("not rated"))],
    )
    fitting = forms.BooleanField(label=_("Only what I may join"), required=False)

    def __init__(self, wanted: Filter) -> None:
        """Show a filter."""
        initial: dict[str, Any] = asdict(wanted)
        super().__init__(initial=initial, auto_id="filter-%s")
        games = [(one, said(game_class(one).title)) for one in game_ids()]
        self.fields["game"].choices = [_ANY, *games]  # type: ignore[attr-defined]
        self.fields["fitting"].widget.attrs["value"] = _YES
