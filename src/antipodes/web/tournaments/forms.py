"""The form of a new event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.clocks import Pace, TimeControl, read_control
from antipodes.errors import Fault, InputError
from antipodes.games.options import OptionInfo
from antipodes.tournaments import BOUTS, SINGLE, Bout, Format, TieBreak, make_bout
from antipodes.web.accounts.models import User
from antipodes.web.challenges.option_fields import GameOptionsForm, option_field
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.selectors import clubs_of, visible_clubs
from antipodes.web.matches.labels import CONTROLS, level_choices, pace_of
from antipodes.web.platform.clock import now
from antipodes.web.platform.translations import fault_message, phrase_text
from antipodes.web.ratings.ranges import MOST_RATING
from antipodes.web.tournaments.local_times import (
    ZONE_HELP,
    from_milliseconds,
    instant_field,
    to_milliseconds,
    zone_for,
)
from antipodes.web.tournaments.models import Repeat
from antipodes.web.tournaments.openings import FAIR, LONGEST_TEXT
from antipodes.web.tournaments.plans import (
    LONGEST_DESCRIPTION,
    LONGEST_TITLE,
    MOST_GAMES,
    MOST_PLAYERS,
    Plan,
    usual_bout,
    usual_tie_breaks,
)

_CUSTOM = "other"
_OWN = "own"
_OPENINGS = (
    ("", _("at the start")),
    (FAIR, _("with fair first moves of the atlas")),
    (_OWN, _("with a list of your own")),
)
_FOR_TWO = "two"  # value of the option `seats`
_CHECK_IN = (
    (0, _("none")),
    (5, _("5 minutes before the start")),
    (15, _("15 minutes before the start")),
    (30, _("30 minutes before the start")),
    (60, _("an hour before the start")),
)


class TournamentForm(GameOptionsForm):
    """Rules of a new event of one game and format.

    Attributes:
        format_type: the class of the format.
        rule_names: the field of each rule of the format.
        plan: of a valid form.
    """

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TITLE)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        widget=forms.Textarea({"rows": 4}),
    )
    games = forms.ChoiceField(label=_("Games of a pairing"), required=False)
    playoff = forms.BooleanField(
        label=_("Playoff: players who are tied for the first place play short games"),
        required=False,
    )
    control = forms.ChoiceField(label=_("Clock"))
    control_text = forms.CharField(
        label=_("Custom time control"),
        required=False,
        max_length=60,
        help_text=_("For example 5m+3s, 30s/move or 3d/move+10d."),
    )
    rated = forms.BooleanField(label=_("Rated"), required=False)
    openings = forms.ChoiceField(
        label=_("Games begin"),
        choices=_OPENINGS,
        required=False,
        help_text=_("Each round, or each game of an arena, has the next opening. Casual only."),
    )
    opening_lines = forms.CharField(
        label=_("Your openings"),
        required=False,
        max_length=LONGEST_TEXT,
        strip=False,
        widget=forms.Textarea({"rows": 3, "spellcheck": "false", "autocomplete": "off"}),
        help_text=_("One line of moves for each, with spaces between them."),
    )
    starts = instant_field(label=_("Starts at"))
    starts_when_full = forms.BooleanField(label=_("Starts when it is full"), required=False)
    opens = instant_field(
        label=_("Registration opens at"), help_text=_("If left empty, it is open at once.")
    )
    check_in = forms.TypedChoiceField(label=_("Check-in"), coerce=int, choices=_CHECK_IN, initial=0)
    repeats = forms.ChoiceField(label=_("Takes place"), choices=Repeat.choices, required=False)
    most_players = forms.IntegerField(
        label=_("Players at most"), min_value=2, max_value=MOST_PLAYERS, initial=64
    )
    lowest = forms.IntegerField(
        label=_("Minimum rating"), required=False, min_value=0, max_value=MOST_RATING
    )
    highest = forms.IntegerField(
        label=_("Maximum rating"), required=False, min_value=0, max_value=MOST_RATING
    )
    least_games = forms.IntegerField(
        label=_("Minimum of rated games"), required=False, min_value=0, max_value=MOST_GAMES
    )
    by_invitation = forms.BooleanField(
        label=_("Only players whom I invite may join"), required=False
    )
    allows_bots = forms.BooleanField(label=_("Bots may play"), required=False)
    filler = forms.ChoiceField(
        label=_("With an odd number of players, the computer joins"), required=False
    )
    club = forms.ChoiceField(label=_("Only for members of"), required=False)
    guest_club = forms.CharField(
        label=_("Guest club"),
        required=False,
        max_length=60,
        help_text=_("The name of the club that plays against yours."),
    )
    is_private = forms.BooleanField(
        label=_("Private: only members of the club see it"), required=False
    )

    def __init__(
        self,
        game_id: str,
        format_type: type[Format],
        user: User | None,
        data: Any = None,
        **initial: Any,
    ) -> None:
        """Offer the rules of the format, clocks, levels and the user's clubs."""
        super().__init__(game_id, data, **initial)
        self.format_type = format_type
        self.rule_names = {info.name: f"rule-{info.name}" for info in format_type.describe()}
        for info in format_type.describe():
            self.fields[self.rule_names[info.name]] = option_field(info, format_type())
        self._user = user
        if not format_type.has_teams:
            del self.fields["guest_club"]
        else:
            del self.fields["filler"]
        if format_type.is_continuous or 2 not in format_type.seats:
            del self.fields["games"]
        else:
            bouts = [one for one in BOUTS.values() if self._allows(one)]
            self._set_choices("games", [(one.name, phrase_text(one.title)) for one in bouts])
            self.fields["games"].initial = usual_bout(format_type, self._game).name
        if not format_type.has_playoff:
            del self.fields["playoff"]
        if self._chooses_seats():
            name = self.option_names["seats"]
            offered = self.fields[name].choices  # type: ignore[attr-defined]  # a choice field
            self._set_choices(name, [pair for pair in offered if pair[0] != _FOR_TWO])
        clocks = [
            (group, [pair for pair in some.items() if self._offers(pace_of(pair[0]))])
            for group, some in CONTROLS.items()
        ]
        offered = [pair for pair in clocks if pair[1]]
        self._set_choices("control", [*offered, (_CUSTOM, _("custom"))])
        if 2 not in format_type.seats:
            self.fields["filler"].label = _("With one seat of a table empty, the computer joins")
        if "filler" in self.fields:
            self._set_choices("filler", [("", _("no")), *level_choices()])
        self._clubs = {} if user is None else {club.slug: club for club in clubs_of(user)}
        clubs = [(club.slug, club.name) for club in self._clubs.values()]
        self._set_choices("club", [("", _("everyone")), *clubs])
        if not clubs:
            del self.fields["club"], self.fields["is_private"]
        self.zone = zone_for(user)
        self.fields["starts"].help_text = ZONE_HELP % {"zone": self.zone}
        if self.initial.get("check_in"):
            self.initial["starts"] = self._tomorrow()
        self.plan: Plan | None = None

    def _tomorrow(self) -> datetime:
        """Return a full hour of tomorrow, as the user's clock shows it."""
        at = from_milliseconds(now(), self.zone) + timedelta(days=1)
        return at.replace(minute=0, second=0, microsecond=0)

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field

    def _offers(self, pace: Pace) -> bool:
        """Return whether games of the format can have this pace."""
        is_live = self.format_type.is_live
        return pace is not Pace.UNLIMITED and is_live in {None, pace is Pace.LIVE}

    def _allows(self, bout: Bout) -> bool:
        """Return whether the game can be played so, with the right options."""
        try:
            bout.check(self.game_type())
        except InputError:
            return False
        return True

    def _chooses_seats(self) -> bool:
        return 2 not in self.format_type.seats and "seats" in self.option_names

    def open_options(self) -> Iterator[OptionInfo]:
        """Yield the options to choose; games are for two but at larger tables."""
        offers_seats = self._chooses_seats()
        return (info for info in super().open_options() if info.name != "seats" or offers_seats)

    def format_fields(self) -> list[forms.BoundField]:
        """Return the fields about who meets whom: the rules of the format."""
        names = [*self.rule_names.values(), "games", "playoff"]
        return [self[name] for name in names if name in self.fields]

    def time_fields(self) -> list[forms.BoundField]:
        """Return the fields about the start."""
        names = ("starts", "check_in", "opens", "repeats", "starts_when_full")
        return [self[name] for name in names]

    def entry_fields(self) -> list[forms.BoundField]:
        """Return the fields about who may play."""
        names = (
            "lowest",
            "highest",
            "least_games",
            "filler",
            "club",
            "guest_club",
            "is_private",
            "by_invitation",
            "allows_bots",
        )
        return [self[name] for name in names if name in self.fields]

    def clean(self) -> dict[str, Any]:
        """Build the plan, and add errors for fields that contradict each other."""
        cleaned = super().clean() or {}
        if self.errors:
            return cleaned
        try:
            plan = self._plan(cleaned)
            plan.check(now())
            self.plan = plan
        except InputError as error:
            for fault in error.faults:
                self.add_error(self._field_of(fault), fault_message(fault))
        return cleaned

    def _field_of(self, fault: Fault) -> str | None:
        """Return the field that a fault is about; ``None`` for the form as a whole."""
        names = {"starts_at": "starts", "opens_at": "opens", **self.rule_names, **self.option_names}
        if self.cleaned_data.get("control") == _CUSTOM:
            names["control"] = "control_text"
        name = names.get(fault.where, fault.where)
        return name if name in self.fields else None

    def _plan(self, cleaned: dict[str, Any]) -> Plan:
        bout = make_bout(cleaned.get("games") or SINGLE.name)
        return Plan(
            title=cleaned["title"],
            description=cleaned["description"],
            format=self._format(cleaned),
            game=self.chosen_game(cleaned),
            control=self._control(cleaned),
            club=self._clubs.get(cleaned.get("club") or ""),
            guest_club=self._guest_club(cleaned),
            is_private=bool(cleaned.get("is_private")),
            bout=bout,
            tie_breaks=self._tie_breaks(cleaned, bout),
            rated=cleaned["rated"],
            opens_at=to_milliseconds(cleaned["opens"], self.zone),
            starts_at=to_milliseconds(cleaned["starts"], self.zone),
            check_in=cleaned["check_in"],
            starts_when_full=cleaned["starts_when_full"],
            most_players=cleaned["most_players"],
            lowest=cleaned["lowest"],
            highest=cleaned["highest"],
            least_games=cleaned["least_games"] or 0,
            allows_bots=cleaned["allows_bots"],
            by_invitation=cleaned["by_invitation"],
            filler=cleaned.get("filler", ""),
            repeats=Repeat(cleaned["repeats"]),
            openings=self._openings(cleaned),
        )

    def _tie_breaks(self, cleaned: dict[str, Any], bout: Bout) -> tuple[TieBreak, ...] | None:
        """Return the tie-breaks with a playoff; ``None`` for the usual ones."""
        usual = usual_tie_breaks(self.format_type, bout)
        return (*usual, TieBreak.PLAYOFF) if cleaned.get("playoff") else None

    def _guest_club(self, cleaned: dict[str, Any]) -> ClubRow | None:
        """Return the club of a name that the user may see.

        Raises:
            InputError: there is none.
        """
        name = cleaned.get("guest_club", "").strip()
        if not name:
            return None
        club = ClubRow.objects.filter(visible_clubs(self._user), name__iexact=name).first()
        if club is None:
            message = _("There is no club %(name)s.") % {"name": name}
            raise InputError([Fault("tournament/club", str(message), "guest_club")])
        return club

    def _format(self, cleaned: dict[str, Any]) -> Format:
        chosen = {name: cleaned.get(field) for name, field in self.rule_names.items()}
        return self.format_type.read(
            {name: value for name, value in chosen.items() if value not in {None, ""}}
        )

    @staticmethod
    def _openings(cleaned: dict[str, Any]) -> str:
        """Return the openings; the lines count only with their choice."""
        if cleaned["openings"] != _OWN:
            return str(cleaned["openings"])
        return cleaned["opening_lines"] or "\n"

    @staticmethod
    def _control(cleaned: dict[str, Any]) -> TimeControl:
        """Return the time control; the text field counts only with the choice "custom"."""
        chosen = cleaned["control"]
        try:
            return read_control(cleaned["control_text"] if chosen == _CUSTOM else chosen)
        except InputError as error:
            raise InputError([replace(one, where="control") for one in error.faults]) from None
