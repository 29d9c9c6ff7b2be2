"""Plans of hosts: the rules of a new event, and checks of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.clocks import Pace, TimeControl
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.records.texts import clean_line
from antipodes.tournaments import TieBreak
from antipodes.web.clubs.models import ClubRow
from antipodes.web.platform.limits import count_limit
from antipodes.web.tournaments.models import Format, Repeat

PLAYERS = count_limit("tournament-players", 2_000, per="event", what="players of a tournament")
BOUTS = count_limit(
    "tournament-round-robin", 64, per="event", what="players of a tournament where all meet"
)

LONGEST_TITLE = 80
LONGEST_DESCRIPTION = 2_000
MOST_ROUNDS = 30
MOST_CHECK_IN = 120  # minutes
ARENA_MINUTES = (5, 360)  # shortest and longest
LATEST = 366 * 86_400_000  # milliseconds until the start

USUAL_TIE_BREAKS: Mapping[Format, tuple[TieBreak, ...]] = {
    Format.SWISS: (
        TieBreak.BUCHHOLZ_CUT,
        TieBreak.BUCHHOLZ,
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.WINS,
    ),
    Format.ROUND_ROBIN: (
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.SONNEBORN_BERGER,
        TieBreak.WINS,
    ),
    Format.KNOCKOUT: (),
    Format.ARENA: (TieBreak.WINS,),
}


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The rules of a new event; the attributes are those of `TournamentRow`."""

    title: str
    format: Format
    game: Game
    control: TimeControl
    description: str = ""
    club: ClubRow | None = None
    is_private: bool = False
    cycles: int = 1
    rounds: int | None = None
    minutes: int | None = None
    accelerated: bool = False
    mirrored: bool = False
    tie_breaks: tuple[TieBreak, ...] | None = None
    rated: bool = False
    opens_at: int | None = None
    starts_at: int | None = None
    check_in: int = 0
    starts_when_full: bool = False
    most_players: int = 64
    lowest: int | None = None
    highest: int | None = None
    least_games: int = 0
    allows_bots: bool = False
    late_rounds: int = 0
    filler: str = ""
    repeats: Repeat = Repeat.NEVER

    @property
    def ranking(self) -> tuple[TieBreak, ...]:
        """The tie-breaks: those chosen, or the usual ones of the format."""
        return USUAL_TIE_BREAKS[self.format] if self.tie_breaks is None else self.tie_breaks

    @property
    def clean_title(self) -> str:
        """The title as one line, without superfluous spaces."""
        return " ".join(clean_line(self.title).split())

    def check(self, at: int) -> None:
        """Check all parts, and that they fit together.

        Args:
            at: now, in milliseconds since 1970.

        Raises:
            InputError: they do not; the error lists all faults.
        """
        faults = [*self._faults_of_game(), *self._faults_of_times(at), *self._faults_of_size()]
        title = self.clean_title
        if not title or len(title) > LONGEST_TITLE:
            message = _("The title has %(count)d characters; it must have 1 to %(most)d.")
            values = {"count": len(title), "most": LONGEST_TITLE}
            faults.append(Fault("tournament/title", message % values, "title"))
        if len(self.description) > LONGEST_DESCRIPTION:
            message = _("The description has %(count)d characters; the most are %(most)d.")
            values = {"count": len(self.description), "most": LONGEST_DESCRIPTION}
            faults.append(Fault("tournament/title", message % values, "description"))
        if faults:
            raise InputError(faults)

    def _faults_of_game(self) -> list[Fault]:
        faults = []
        if self.game.seats != 2:
            message = _("A tournament is for games of two players, not of %(count)d.")
            values = {"count": self.game.seats}
            faults.append(Fault("tournament/seats", message % values, "seats"))
        if self.control.pace is Pace.UNLIMITED:
            message = _("A tournament needs a clock, since games without one might never end.")
            faults.append(Fault("tournament/clock", message, "control"))
        if self.format == Format.ARENA and (self.control.pace is not Pace.LIVE or self.mirrored):
            message = _("An arena has live games, and no mirrored ones.")
            faults.append(Fault("tournament/clock", message, "control"))
        if self.rated and (self.allows_bots or self.filler):
            message = _("Only casual tournaments can have bots or the computer as players.")
            faults.append(Fault("tournament/bots", message, "rated"))
        return faults

    def _faults_of_times(self, at: int) -> list[Fault]:
        faults = []
        start = self.starts_at
        if start is not None and not at < start <= at + LATEST:
            message = _("The start must be in the future, and within a year.")
            faults.append(Fault("tournament/time", message, "starts_at"))
        if self.opens_at is not None and start is not None and self.opens_at >= start:
            message = _("Registration must open before the start.")
            faults.append(Fault("tournament/time", message, "opens_at"))
        if not 0 <= self.check_in <= MOST_CHECK_IN or (self.check_in and start is None):
            message = _(
                "Check-in of %(minutes)d minutes: it takes 0 to %(most)d minutes before a start by"
                " the clock."
            )
            values = {"minutes": self.check_in, "most": MOST_CHECK_IN}
            faults.append(Fault("tournament/time", message % values, "check_in"))
        if self.repeats and start is None:
            message = _("Only a tournament with a time of its start can be repeated.")
            faults.append(Fault("tournament/time", message, "repeats"))
        return faults

    def _faults_of_size(self) -> list[Fault]:
        faults = []
        most = BOUTS.value if self.format == Format.ROUND_ROBIN else PLAYERS.value
        if not 2 <= self.most_players <= most:
            message = _("%(count)d players: this format takes 2 to %(most)d.")
            values = {"count": self.most_players, "most": most}
            faults.append(Fault("tournament/size", message % values, "most_players"))
        if self.rounds is not None and not 1 <= self.rounds <= MOST_ROUNDS:
            message = _("%(count)d rounds: a tournament has 1 to %(most)d.")
            values = {"count": self.rounds, "most": MOST_ROUNDS}
            faults.append(Fault("tournament/size", message % values, "rounds"))
        shortest, longest = ARENA_MINUTES
        if self.format == Format.ARENA and not shortest <= (self.minutes or 0) <= longest:
            message = _("An arena lasts %(least)d to %(most)d minutes, not %(minutes)d.")
            values = {"least": shortest, "most": longest, "minutes": self.minutes or 0}
            faults.append(Fault("tournament/size", message % values, "minutes"))
        if self.cycles not in (1, 2):
            message = _("Players meet once or twice, not %(count)d times.")
            faults.append(Fault("tournament/size", message % {"count": self.cycles}, "cycles"))
        if not 0 <= self.late_rounds <= MOST_ROUNDS or (
            self.late_rounds and self.format != Format.SWISS
        ):
            message = _("Only a Swiss tournament can take players after its start.")
            faults.append(Fault("tournament/size", message, "late_rounds"))
        if None not in (self.lowest, self.highest) and (self.lowest or 0) > (self.highest or 0):
            message = _("No rating is from %(lowest)d to %(highest)d.")
            bounds = {"lowest": self.lowest, "highest": self.highest}
            faults.append(Fault("tournament/rating", message % bounds, "lowest"))
        return faults


@dataclass(frozen=True)
class Preset:
    """A usual event, to start from.

    Attributes:
        name: in addresses.
        title: for hosts.
        values: of the form's fields.
    """

    name: str
    title: str | Promise
    values: Mapping[str, str | int | bool] = field(default_factory=dict)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "swiss",
        gettext_lazy("Live Swiss, 5 rounds"),
        {
            "format": "swiss",
            "control": "5m+5s",
            "rounds": 5,
            "check_in": 15,
            "late_rounds": 2,
            "most_players": 100,
        },
    ),
    Preset(
        "round-robin",
        gettext_lazy("Correspondence round robin"),
        {
            "format": "round-robin",
            "control": "3d/move+10d",
            "cycles": 1,
            "most_players": 8,
            "starts_when_full": True,
        },
    ),
    Preset(
        "knockout",
        gettext_lazy("Live knockout"),
        {"format": "knockout", "control": "10m+5s", "check_in": 15, "most_players": 32},
    ),
    Preset(
        "arena",
        gettext_lazy("Live arena of an hour"),
        {"format": "arena", "control": "3m+2s", "minutes": 60, "most_players": 500},
    ),
    Preset(
        "pairs",
        gettext_lazy("Correspondence Swiss of mirrored games"),
        {
            "format": "swiss",
            "control": "1d/move+5d",
            "rounds": 5,
            "mirrored": True,
            "most_players": 200,
        },
    ),
)
