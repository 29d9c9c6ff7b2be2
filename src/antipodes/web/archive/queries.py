"""What can be asked of the archive, and the form in which people and programs ask it."""

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
from antipodes.web.archive.facts import ABORTED, Ending
from antipodes.web.archive.labels import option_set_words, wins_words
from antipodes.web.archive.models import OptionSetRow
from antipodes.web.archive.openings import read_opening, turned
from antipodes.web.platform.translations import error_words, said
from antipodes.web.ratings.classes import BoardClass, Speed

USUAL = "usual"  # how the usual options are asked for; their key is empty
_MOST_SETS = 200  # option sets of a game that a form has to choose from
_LONGEST = 200  # characters of typed moves


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What games are asked for; everything left open is not asked.

    Attributes:
        players: one or two users who played.
        game_id: the game.
        option_set: its options.
        speed: class of the clock.
        board_class: how large the board is.
        rated: whether it counted.
        with_computer: whether the computer played.
        winner: the winning colour.
        won: whether the first of the players won; ``False`` where somebody else did.
        ending: how it ended; games that were called off are found only if asked for.
        opening: how it began, turned.
        since: ended then or later, in milliseconds since 1970.
        until: ended before then.
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

    def shelves(self) -> Q:
        """Return what shelves with such games have."""
        names = {
            "option_set__game_id": self.game_id,
            "option_set__board_class": self.board_class,
            "speed": self.speed,
            "winner": self.winner,
        }
        asked: dict[str, Any] = {name: value for name, value in names.items() if value}
        if self.option_set is not None:
            asked["option_set__key"] = self.option_set.key
        for name in ("rated", "with_computer"):
            if getattr(self, name) is not None:
                asked[name] = getattr(self, name)
        if self.ending is not None:
            return Q(**asked) & self.ending.condition
        return Q(**asked) & ~Q(reason__in=ABORTED)

    @property
    def is_of_shelves(self) -> bool:
        """Whether shelves alone say which games are found."""
        others = (self.players, self.opening)
        return not any(others) and self.since is None and self.until is None


_ANY = ("", pgettext_lazy("search", "any"))
_YES_NO = {"yes": True, "no": False}
_WON = {"won": True, "lost": False}
_MAIN = ("player", "opponent", "game", "options", "result", "opening")


class SearchForm(forms.Form):
    """Asks for games; what is left empty is not asked."""

    player = forms.CharField(label=gettext_lazy("Player"), max_length=150, required=False)
    opponent = forms.CharField(
        label=gettext_lazy("Against, or with"), max_length=150, required=False
    )
    game = forms.ChoiceField(label=gettext_lazy("Game"), required=False)
    options = forms.ChoiceField(label=gettext_lazy("Options"), required=False)
    speed = forms.ChoiceField(
        label=gettext_lazy("Speed"),
        required=False,
        choices=[_ANY, *((one.value, one.words) for one in Speed)],
    )
    board = forms.ChoiceField(
        label=gettext_lazy("Size of the board"),
        required=False,
        choices=[_ANY, *((one.value, one.words) for one in BoardClass)],
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Counts"),
        required=False,
        choices=[_ANY, ("yes", gettext_lazy("rated")), ("no", gettext_lazy("not rated"))],
    )
    computer = forms.ChoiceField(
        label=gettext_lazy("Who plays"),
        required=False,
        choices=[
            _ANY,
            ("no", gettext_lazy("people only")),
            ("yes", gettext_lazy("with the computer")),
        ],
    )
    result = forms.ChoiceField(label=gettext_lazy("Result"), required=False)
    ending = forms.ChoiceField(
        label=gettext_lazy("How it ended"),
        required=False,
        choices=[_ANY, *((one.value, one.words) for one in Ending)],
    )
    opening = forms.CharField(
        label=gettext_lazy("First moves"),
        max_length=_LONGEST,
        required=False,
        help_text=gettext_lazy(
            "Such as “e6 d4”. Games that are the same when the board is turned are found too."
        ),
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
        """Offer what there is: option sets and colours of the chosen game."""
        super().__init__(data)
        asked = str(data.get("game", ""))
        self.game_id = asked if asked in game_ids() else ""
        self._choices("game").choices = [
            ("", gettext_lazy("any game")),
            *((one, said(game_class(one).title)) for one in game_ids()),
        ]
        self._choices("options").choices = [_ANY, *_option_sets(self.game_id)]
        self._choices("result").choices = [_ANY, *_results(self.game_id)]

    def _choices(self, name: str) -> forms.ChoiceField:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        return field

    def clean_player(self) -> User | None:
        """Find whoever is called so."""
        return _found(self.cleaned_data["player"])

    def clean_opponent(self) -> User | None:
        """Find whoever is called so."""
        return _found(self.cleaned_data["opponent"])

    def clean(self) -> dict[str, Any]:
        """Look at what is asked together."""
        asked = super().clean() or {}
        if asked.get("opponent") and not asked.get("player"):
            asked["player"], asked["opponent"] = asked["opponent"], None
        if asked.get("result") in _WON and not asked.get("player"):
            self.add_error("result", _("Say which player won or lost."))
        since, until = asked.get("since"), asked.get("until")
        if since and until and since > until:
            self.add_error(
                "until",
                _("%(until)s is before %(since)s.") % {"until": until, "since": since},
            )
        if asked.get("opening"):
            self._read_opening(asked)
        return asked

    def _read_opening(self, asked: dict[str, Any]) -> None:
        """Read the first moves on the board that is chosen, or on the game's usual one."""
        if not self.game_id:
            self.add_error("opening", _("Choose a game: moves are written differently in each."))
            return
        option_set = _option_set(self.game_id, asked.get("options") or USUAL)
        game = make_game(self.game_id) if option_set is None else option_set.game
        try:
            asked["turned"] = turned(game, read_opening(game, asked["opening"]))
        except InputError as error:
            self.add_error("opening", error_words(error))

    @property
    def main_fields(self) -> list[forms.BoundField]:
        """What is asked most."""
        return [self[name] for name in _MAIN]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        """What is asked now and then."""
        return [self[name] for name in self.fields if name not in _MAIN]

    @property
    def asks_more(self) -> bool:
        """Whether any of these is asked, or wrongly asked."""
        return any(one.value() or one.errors for one in self.more_fields)

    def query(self) -> Query:
        """Return what is asked.

        Raises:
            InputError: with everything that is wrong.
        """
        if not self.is_valid():
            raise InputError(
                [
                    Fault("archive/query", str(message), name if name in self.fields else "")
                    for name, messages in self.errors.items()
                    for message in messages
                ]
            )
        asked = self.cleaned_data
        opening = asked.get("turned", ())
        key = asked["options"] or (USUAL if opening else "")
        result = asked["result"]
        ending = Ending(asked["ending"]) if asked["ending"] else None
        if result == Ending.DRAW:
            ending = Ending.DRAW
        return Query(
            players=tuple(one for one in (asked["player"], asked["opponent"]) if one is not None),
            game_id=asked["game"],
            option_set=_option_set(self.game_id, key) if key else None,
            speed=asked["speed"],
            board_class=asked["board"],
            rated=_YES_NO.get(asked["rated"]),
            with_computer=_YES_NO.get(asked["computer"]),
            winner=result if result in {color.value for color in Color} else "",
            won=_WON.get(result),
            ending=ending,
            opening=opening,
            since=_begin_of(asked["since"]),
            until=_begin_of(asked["until"], days=1),
        )


def read_query(data: Mapping[str, Any]) -> Query:
    """Read what is asked by the names of the form's fields.

    Raises:
        InputError: with everything that is wrong.
    """
    return SearchForm(data).query()


def _begin_of(day: date | None, days: int = 0) -> int | None:
    if day is None:
        return None
    return calendar.timegm((day + timedelta(days=days)).timetuple()) * 1000


def _found(name: str) -> User | None:
    if not name:
        return None
    found = User.objects.filter(username__iexact=name).first()
    if found is None:
        raise forms.ValidationError(_("Nobody is called “%(name)s”.") % {"name": name})
    return found


def _option_set(game_id: str, key: str) -> OptionSetRow | None:
    """Return an option set; the usual one is there even if nobody has played it."""
    found = OptionSetRow.objects.filter(game_id=game_id, key="" if key == USUAL else key).first()
    return OptionSetRow(game_id=game_id) if found is None and key == USUAL else found


def _option_sets(game_id: str) -> list[tuple[str, str]]:
    if not game_id:
        return []
    rows = OptionSetRow.objects.filter(game_id=game_id).order_by("key")[:_MOST_SETS]
    found = {row.key: option_set_words(row) for row in rows}
    usual = found.pop("", _("the usual ones"))
    return [(USUAL, usual), *found.items()]


def _results(game_id: str) -> list[tuple[str, Any]]:
    colors = list(Color)
    if game_id:
        sets = [make_game(game_id), *(row.game for row in _with_other_colors(game_id))]
        played = {color for game in sets for color in game.colors}
        colors = [color for color in Color if color in played]
    return [
        ("won", gettext_lazy("the player won")),
        ("lost", gettext_lazy("the player lost")),
        (Ending.DRAW.value, gettext_lazy("draw")),
        *((color.value, wins_words(color.value)) for color in colors),
    ]


def _with_other_colors(game_id: str) -> list[OptionSetRow]:
    """Return option sets of which the colours may differ from the usual ones."""
    rows = OptionSetRow.objects.filter(game_id=game_id)
    return list(rows.filter(Q(key__contains="seats=") | Q(key__contains="ruleset="))[:20])
