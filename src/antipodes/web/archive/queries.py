"""Search queries of the archive, and the form from which pages and the API read them."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from antipodes.core import Color
from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import users_named
from antipodes.web.archive.facts import ABORTED, Ending
from antipodes.web.archive.labels import option_set_label, wins_label
from antipodes.web.archive.models import OptionSetRow
from antipodes.web.archive.openings import canonical_opening, read_opening
from antipodes.web.platform.translations import error_message, translate
from antipodes.web.ratings.classes import BoardClass, Speed

USUAL = "usual"  # value for the default options, whose key is empty
_MOST_SETS = 200  # option sets of a game offered by the form
_LONGEST = 200  # characters of typed moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Search criteria; empty values match all games.

    Attributes:
        players: one or two players.
        game_id: the game.
        option_set: its options.
        speed: speed class of the clock.
        board_class: class of the board.
        rated: whether the game was rated.
        with_computer: whether the computer played.
        winner: the winning colour.
        won: whether the first player won; ``False`` if another player won.
        ending: kind of ending; aborted games are found only by ``Ending.ABORT``.
        opening: first moves in canonical orientation.
        since: earliest end, in milliseconds since 1970.
        until: end before this time.
    """

    players: tuple[User, ...] = ()
    game_id: str = ""
    option_set: OptionSetRow | None = None
    speed: str = ""
    board_class: str = ""
    rated: bool | None = None
    with_computer: bool | None = None
    winner: str = ""
    won: bool | None = None
    ending: Ending | None = None
    opening: tuple[int, ...] = ()
    since: int | None = None
    until: int | None = None

    def buckets(self) -> Q:
        """Return the condition on buckets with such games."""
        names = {
            "option_set__game_id": self.game_id,
            "option_set__board_class": self.board_class,
            "speed": self.speed,
            "winner": self.winner,
        }
        given: dict[str, Any] = {name: value for name, value in names.items() if value}
        if self.option_set is not None:
            given["option_set__key"] = self.option_set.key
        for name in ("rated", "with_computer"):
            if getattr(self, name) is not None:
                given[name] = getattr(self, name)
        if self.ending is not None:
            return Q(**given) & self.ending.condition
        return Q(**given) & ~Q(reason__in=ABORTED)

    @property
    def is_of_buckets(self) -> bool:
        """Whether buckets alone decide which games match."""
        others = (self.players, self.opening)
        return not any(others) and self.since is None and self.until is None


_ANY = ("", pgettext_lazy("search", "any"))
_YES_NO = {"yes": True, "no": False}
_WON = {"won": True, "lost": False}
_MAIN = ("player", "opponent", "game", "options", "result", "opening")


class SearchForm(forms.Form):
    """Search form; empty fields match all games."""

    player = forms.CharField(label=gettext_lazy("Player"), max_length=150, required=False)
    opponent = forms.CharField(
        label=gettext_lazy("Opponent or partner"), max_length=150, required=False
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    options = forms.ChoiceField(label=gettext_lazy("Options"), required=False)
    speed = forms.ChoiceField(
        label=gettext_lazy("Speed"),
        required=False,
        choices=[_ANY, *((one.value, one.label) for one in Speed)],
    )
    board = forms.ChoiceField(
        label=gettext_lazy("Board"),
        required=False,
        choices=[_ANY, *((one.value, one.label) for one in BoardClass)],
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rated"),
        required=False,
        choices=[_ANY, ("yes", gettext_lazy("rated")), ("no", gettext_lazy("casual"))],
    )
    computer = forms.ChoiceField(
        label=gettext_lazy("Kind of players"),
        required=False,
        choices=[
            _ANY,
            ("no", gettext_lazy("people only")),
            ("yes", gettext_lazy("with the computer")),
        ],
    )
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False)
    ending = forms.ChoiceField(
        label=gettext_lazy("Ending"),
        required=False,
        choices=[_ANY, *((one.value, one.label) for one in Ending)],
    )
    opening = forms.CharField(
        label=gettext_lazy("First moves"),
        max_length=_LONGEST,
        required=False,
        help_text=gettext_lazy("For example “e6 d4”. Symmetric openings are found too."),
    )
    since = forms.DateField(
        label=gettext_lazy("From"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )
    until = forms.DateField(
        label=gettext_lazy("To"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        input_formats=["%Y-%m-%d"],
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Offer the option sets and colours of the chosen game."""
        super().__init__(data)
        chosen = str(data.get("game", ""))
        self.game_id = chosen if chosen in game_ids() else ""
        self._choices("game").choices = [
            ("", gettext_lazy("any game")),
            *((one, translate(game_class(one).title)) for one in game_ids()),
        ]
        self._choices("options").choices = [_ANY, *_option_sets(self.game_id)]
        self._choices("result").choices = [_ANY, *_results(self.game_id)]

    def _choices(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    def clean_player(self) -> User | None:
        return _find_user(self.cleaned_data["player"])

    def clean_opponent(self) -> User | None:
        """Find the opponent or partner."""
        return _find_user(self.cleaned_data["opponent"])

    def clean(self) -> dict[str, Any]:
        """Check fields that depend on each other."""
        cleaned = super().clean() or {}
        if cleaned.get("opponent") and not cleaned.get("player"):
            cleaned["player"], cleaned["opponent"] = cleaned["opponent"], None
        if cleaned.get("result") in _WON and not cleaned.get("player"):
            self.add_error("result", _("Enter the player who won or lost."))
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error(
                "until",
                _("%(until)s is before %(since)s.") % {"until": until, "since": since},
            )
        if cleaned.get("opening"):
            self._read_opening(cleaned)
        return cleaned

    def _read_opening(self, cleaned: dict[str, Any]) -> None:
        """Read the first moves on the board of the chosen options, or the default ones."""
        if not self.game_id:
            self.add_error("opening", _("Choose a game, because notation differs between games."))
            return
        option_set = _option_set(self.game_id, cleaned.get("options") or USUAL)
        game = make_game(self.game_id) if option_set is None else option_set.game
        try:
            cleaned["canonical"] = canonical_opening(game, read_opening(game, cleaned["opening"]))
        except InputError as error:
            self.add_error("opening", error_message(error))

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """Fields that are always shown."""
        return [self[name] for name in _MAIN]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """Fields that can be expanded."""
        return [self[name] for name in self.fields if name not in _MAIN]

    @property
    def has_more(self) -> bool:
        """Whether any of the expandable fields has a value or an error."""
        return any(one.value() or one.errors for one in self.more_fields)

    def query(self) -> Query:
        """Return the search criteria.

        Raises:
            InputError: the form is invalid; the error lists all faults.
        """
        if not self.is_valid():
            raise InputError(
                [
                    Fault("archive/query", str(message), name if name in self.fields else "")
                    for name, messages in self.errors.items()
                    for message in messages
                ]
            )
        data = self.cleaned_data
        opening = data.get("canonical", ())
        key = data["options"] or (USUAL if opening else "")
        result = data["result"]
        ending = Ending(data["ending"]) if data["ending"] else None
        if result == Ending.DRAW:
            ending = Ending.DRAW
        return Query(
            players=tuple(one for one in (data["player"], data["opponent"]) if one is not None),
            game_id=data["game"],
            option_set=_option_set(self.game_id, key) if key else None,
            speed=data["speed"],
            board_class=data["board"],
            rated=_YES_NO.get(data["rated"]),
            with_computer=_YES_NO.get(data["computer"]),
            winner=result if result in {color.value for color in Color} else "",
            won=_WON.get(result),
            ending=ending,
            opening=opening,
            since=_start_of(data["since"]),
            until=_start_of(data["until"], days=1),
        )


def read_query(data: Mapping[str, Any]) -> Query:
    """Read search criteria from values of the form's fields.

    Raises:
        InputError: a value is invalid; the error lists all faults.
    """
    return SearchForm(data).query()


def _start_of(day: date | None, days: int = 0) -> int | None:
    if day is None:
        return None
    return calendar.timegm((day + timedelta(days=days)).timetuple()) * 1000


def _find_user(name: str) -> User | None:
    if not name:
        return None
    user = users_named(name).first()
    if user is None:
        raise forms.ValidationError(_("There is no player named “%(name)s”.") % {"name": name})
    return user


def _option_set(game_id: str, key: str) -> OptionSetRow | None:
    """Return an option set; the defaults even if no game was played with them."""
    row = OptionSetRow.objects.filter(game_id=game_id, key="" if key == USUAL else key).first()
    return OptionSetRow(game_id=game_id) if row is None and key == USUAL else row


def _option_sets(game_id: str) -> list[tuple[str, str]]:
    if not game_id:
        return []
    rows = OptionSetRow.objects.filter(game_id=game_id).order_by("key")[:_MOST_SETS]
    labels = {row.key: option_set_label(row) for row in rows}
    default = labels.pop("", _("default"))
    return [(USUAL, default), *labels.items()]


def _results(game_id: str) -> list[tuple[str, Any]]:
    colors = list(Color)
    if game_id:
        sets = [make_game(game_id), *(row.game for row in _with_other_colors(game_id))]
        played = {color for game in sets for color in game.colors}
        colors = [color for color in Color if color in played]
    return [
        ("won", gettext_lazy("player won")),
        ("lost", gettext_lazy("player lost")),
        (Ending.DRAW.value, gettext_lazy("draw")),
        *((color.value, wins_label(color.value)) for color in colors),
    ]


def _with_other_colors(game_id: str) -> list[OptionSetRow]:
    """Return option sets whose colours may differ from the defaults."""
    rows = OptionSetRow.objects.filter(game_id=game_id)
    return list(rows.filter(Q(key__contains="seats=") | Q(key__contains="ruleset="))[:20])
