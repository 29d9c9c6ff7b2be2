"""The form for a new game, generated from the game's options."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy, npgettext_lazy

from antipodes.clocks import UNLIMITED, TimeControl, read_control
from antipodes.errors import InputError
from antipodes.games.match_play import TARGETS
from antipodes.games.position import Game
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import find_players
from antipodes.web.challenges.option_fields import GameOptionsForm
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.clubs.selectors import clubs_of
from antipodes.web.matches.labels import CONTROLS, level_choices, pairing_choice, pairing_conditions
from antipodes.web.platform.form_errors import validation_error

_OPPONENTS = (
    (Opponent.COMPUTER, _("the computer")),
    (Opponent.ANYBODY, _("anyone in the lobby")),
    (Opponent.PEOPLE, _("a named player")),
    (Opponent.LINK, _("anyone with the link")),
    (Opponent.CLUB, _("a member of one of my clubs")),
)
_HOURS = (
    ("", _("never")),
    ("1", _("after an hour")),
    ("24", _("after a day")),
    ("168", _("after a week")),
    ("720", _("after a month")),
)
_WITHIN = (100, 200, 300, 500)  # rating points
_USES = (1, 5, 20, 100)
_HIGHEST_RATING = 4_000
_CUSTOM = "other"
_ME, _OPEN = "me", "open"
_MOST_SEATS = 4


def _points_label(points: int) -> str:
    label = ngettext_lazy("to %(points)s point", "to %(points)s points", points)
    return label % {"points": points}


def _within_label(points: int) -> Promise:
    return format_lazy(_("mine ± {points}"), points=points)


def _uses_label(count: int) -> str:
    label = npgettext_lazy(
        "challenge", "%(count)s player", "%(count)s players, a match with each", count
    )
    return label % {"count": count}


class GameForm(GameOptionsForm):
    """Opponent, board, clock, and all options of a game.

    A valid form has a ``game_request``.
    """

    opponent = forms.ChoiceField(
        label=_("Play with"),
        choices=_OPPONENTS,
        widget=forms.RadioSelect,
        initial=Opponent.COMPUTER,
    )
    level = forms.ChoiceField(label=_("Level of the computer"), required=False)
    names = forms.CharField(
        label=_("Username"),
        required=False,
        max_length=200,
        help_text=_("Separate several names with commas."),
    )
    seat = forms.ChoiceField(
        label=_("Who begins"),
        required=False,
        choices=(("", _("random")), ("0", _("me")), ("1", _("my opponent"))),
    )
    control = forms.ChoiceField(label=_("Clock"), required=False)
    control_text = forms.CharField(
        label=_("Custom time control"),
        required=False,
        max_length=60,
        help_text=_("For example 5m+3s, 30s/move or 3d/move+10d."),
    )
    rated = forms.BooleanField(label=_("Rated"), required=False)
    analysis = forms.BooleanField(
        label=_("Players can try variations on a separate board"), required=False, initial=True
    )
    club = forms.ChoiceField(label=_("Club"), required=False)
    within = forms.TypedChoiceField(
        label=_("Rating range"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=(("", _("any")), *((n, _within_label(n)) for n in _WITHIN)),
    )
    lowest = forms.IntegerField(
        label=_("Minimum rating"), required=False, min_value=0, max_value=_HIGHEST_RATING
    )
    highest = forms.IntegerField(
        label=_("Maximum rating"), required=False, min_value=0, max_value=_HIGHEST_RATING
    )
    accounts_only = forms.BooleanField(label=_("Only players with an account"), required=False)
    established_only = forms.BooleanField(
        label=_("Only players with an established rating"),
        required=False,
        help_text=_("Excludes players with a provisional rating."),
    )
    uses = forms.TypedChoiceField(
        label=_("The link can be used by"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=tuple((n, _uses_label(n)) for n in _USES),
    )
    hours = forms.TypedChoiceField(
        label=_("Expires"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=_HOURS,
    )
    is_private = forms.BooleanField(
        label=_("Private: no spectators"),
        required=False,
        help_text=_("Only the players can see the match; in a club also its members."),
    )
    points = forms.TypedChoiceField(
        label=_("Match play"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=(("", _("one game")), *((n, _points_label(n)) for n in TARGETS)),
    )

    def __init__(self, game_id: str, user: User | None, data: Any = None, **initial: Any) -> None:
        """Add a field for each option of the game to the fields that all games share."""
        super().__init__(game_id, data, **{"level": str(DEFAULT_LEVEL), **initial})
        self._user = user
        self._set_choices("level", [*level_choices(), *pairing_choice(self.game_type)])
        self.fields["level"].help_text = pairing_conditions(self.game_type)
        groups = [(group, list(some.items())) for group, some in CONTROLS.items()]
        self._set_choices("control", [*groups, (_CUSTOM, _("custom"))])
        self.has_teams = "seats" in self.option_names
        if self.has_teams:
            self._add_seats()
        else:
            del self.fields["points"]
        if user is None or user.is_guest:
            self.fields["rated"].disabled = True
            self.fields["rated"].help_text = _("Requires an account; guests play casual games.")
        self._clubs = {} if user is None else {club.slug: club for club in clubs_of(user)}
        self._set_choices("club", [(club.slug, club.name) for club in self._clubs.values()])
        if not self._clubs:
            others = [one for one in _OPPONENTS if one[0] is not Opponent.CLUB]
            self._set_choices("opponent", others)
        self.game_request: GameRequest | None = None

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field

    def _add_seats(self) -> None:
        """Add a field for each seat of games with three or four players."""
        levels = [(f"computer:{number}", label) for number, label in level_choices()]
        for seat in range(_MOST_SEATS):
            self.fields[f"at-{seat}"] = forms.ChoiceField(
                label=_("Seat %(number)s") % {"number": seat + 1},
                required=False,
                initial=_ME if seat == 0 else _OPEN,
                choices=[(_OPEN, _("open")), (_ME, _("me")), (_("The computer"), levels)],
            )

    # Groups of fields for the template.

    def rating_fields(self) -> list[forms.BoundField]:
        """Return the fields for requirements on the opponent's rating."""
        return [self[name] for name in ("within", "lowest", "highest")]

    def seat_fields(self) -> list[forms.BoundField]:
        """Return the fields for the seats of games with three or four players."""
        return [self[f"at-{seat}"] for seat in range(_MOST_SEATS)] if self.has_teams else []

    # Validation.

    def clean(self) -> dict[str, Any]:
        """Build the request, and add errors for fields that contradict each other."""
        cleaned = super().clean() or {}
        try:
            game = self.chosen_game(cleaned)
            control = self._control(cleaned)
        except InputError as error:
            raise validation_error(error) from None
        seat, computers = self._seats(game, cleaned)
        opponent = Opponent(cleaned.get("opponent") or Opponent.COMPUTER)
        self.game_request = GameRequest(
            game=game,
            opponent=opponent,
            level=cleaned.get("level") or str(DEFAULT_LEVEL),
            people=self._people(cleaned) if opponent is Opponent.PEOPLE else (),
            seat=seat,
            computers=computers,
            control=control,
            rated=bool(cleaned.get("rated")) and opponent is not Opponent.COMPUTER,
            analysis=bool(cleaned.get("analysis")),
            points=cleaned.get("points"),
            is_private=bool(cleaned.get("is_private")),
            hours=None if opponent is Opponent.COMPUTER else cleaned.get("hours"),
            **self._requirements(opponent, cleaned),
        )
        return cleaned

    def _requirements(self, opponent: Opponent, cleaned: dict[str, Any]) -> dict[str, Any]:
        """Return the requirements on opponents, ignoring fields that this opponent has hidden."""
        if opponent is Opponent.LINK:
            return {"uses": cleaned.get("uses") or 1}
        if opponent not in {Opponent.ANYBODY, Opponent.CLUB}:
            return {}
        names = ("within", "lowest", "highest", "accounts_only", "established_only")
        required = {name: cleaned.get(name) for name in names}
        if opponent is Opponent.CLUB:
            required["club"] = self._clubs.get(cleaned.get("club") or "")
        return required

    @staticmethod
    def _control(cleaned: dict[str, Any]) -> TimeControl:
        """Return the time control; the text field counts only with the choice "custom"."""
        chosen = cleaned.get("control")
        if chosen == _CUSTOM:
            return read_control(cleaned.get("control_text") or "")
        return read_control(chosen) if chosen else UNLIMITED

    @staticmethod
    def _seats(
        game: Game, cleaned: dict[str, Any]
    ) -> tuple[int | None, tuple[tuple[int, str], ...]]:
        """Return the user's own seat, or ``None``, and the computers' seats with their levels."""
        if game.seats <= 2:
            own = cleaned.get("seat")
            return (int(own) if own else None), ()
        chosen = [cleaned.get(f"at-{seat}") or _OPEN for seat in range(game.seats)]
        if chosen.count(_ME) > 1:
            raise forms.ValidationError(_("Choose one seat only for yourself."))
        computers = tuple(
            (seat, choice.removeprefix("computer:"))
            for seat, choice in enumerate(chosen)
            if choice.startswith("computer:")
        )
        return (chosen.index(_ME) if _ME in chosen else None), computers

    def _people(self, cleaned: dict[str, Any]) -> tuple[User, ...]:
        """Return the named players."""
        names = [name.strip() for name in (cleaned.get("names") or "").split(",") if name.strip()]
        if not names:
            self.add_error("names", _("Enter at least one name."))
            return ()
        players, unknown = find_players(names)
        if unknown:
            self.add_error("names", _("No such player: %(names)s.") % {"names": ", ".join(unknown)})
        if self._user in players:
            self.add_error("names", _("You cannot challenge yourself."))
        return tuple(players)
