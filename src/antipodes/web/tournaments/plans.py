"""Plans of hosts: the rules of a new event, and checks of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.clocks import DAY, Pace, TimeControl, read_control
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.lab.seat_advantage import favourite
from antipodes.notation.text import shorten
from antipodes.records.texts import clean_line
from antipodes.search.levels import levels
from antipodes.tournaments import MIRRORED, SINGLE, Bout, Format, TieBreak
from antipodes.web.clubs.models import ClubRow
from antipodes.web.platform.limits import count_limit
from antipodes.web.ratings.ranges import MOST_RATING
from antipodes.web.tournaments.models import Repeat, TournamentRow
from antipodes.web.tournaments.openings import openings_of

PLAYERS = count_limit("tournament-players", 2_000, per="event", what="players of a tournament")
BOUTS = count_limit(
    "tournament-round-robin", 64, per="event", what="players of a tournament where all meet"
)

LONGEST_TITLE = 80
LONGEST_DESCRIPTION = 2_000
MOST_CHECK_IN = 120  # minutes
LATEST = 366 * DAY  # until the registration and the start
MOST_GAMES = 1_000  # that a player must have
MOST_PLAYERS = 10_000  # however many the host of the site allows


def usual_tie_breaks(format_: Format | type[Format], bout: Bout) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of events whose host chooses none.

    Where pairings are won by points of games, these follow the usual ones of the format.
    """
    usual = format_.usual_tie_breaks
    return (*usual, TieBreak.GAME_DIFFERENCE) if usual and bout.counts_chart else usual


def usual_bout(format_: Format | type[Format], game: Game) -> Bout:
    """Return the games of a pairing in events whose host chooses none.

    Where a colour is known to be favoured both players have each, if the format allows it.
    """
    has_series = not format_.is_continuous and game.seats == 2
    return MIRRORED if has_series and favourite(game) is not None else SINGLE


def faults_of_level(level: str, where: str) -> list[Fault]:
    """Return a fault if the computer has no such level.

    Args:
        level: its number.
        where: the field that names it.
    """
    if level in {str(one.number) for one in levels()}:
        return []
    message = _("There is no level %(level)s.") % {"level": shorten(level)}
    return [Fault("tournament/no-such-player", message, where)]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The rules of a new event; the attributes are those of `TournamentRow`.

    Attributes:
        openings: as `openings.openings_of` reads them.
    """

    title: str
    format: Format
    game: Game
    control: TimeControl
    description: str = ""
    club: ClubRow | None = None
    guest_club: ClubRow | None = None
    is_private: bool = False
    bout: Bout = SINGLE
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
    by_invitation: bool = False
    filler: str = ""
    repeats: Repeat = Repeat.NEVER
    openings: str = ""

    @cached_property
    def opening_lines(self) -> tuple[str, ...]:
        """The openings, each as moves with spaces between them.

        Raises:
            InputError: they cannot be played.
        """
        return openings_of(self.game, self.openings)

    @property
    def ranking(self) -> tuple[TieBreak, ...]:
        """The tie-breaks: those chosen, or the usual ones."""
        if self.tie_breaks is None:
            return usual_tie_breaks(self.format, self.bout)
        return self.tie_breaks

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
        faults = [
            *self.format.faults_of_game(self.game),
            *self._faults_of_game(),
            *self._faults_of_openings(),
            *self._faults_of_clock(),
            *self._faults_of_times(at),
            *self._faults_of_size(),
        ]
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
        has_teams = None not in {self.club, self.guest_club} and self.club != self.guest_club
        if self.format.has_teams != has_teams or (self.guest_club is not None and not has_teams):
            message = _("Formats with teams, and no others, have two different clubs.")
            faults.append(Fault("tournament/club", message, "guest_club"))
        if self.bout.is_series and (self.format.is_continuous or self.game.seats > 2):
            message = _("Only pairings of two players in a format with rounds have several games.")
            faults.append(Fault("tournament/bout", message, "games"))
        try:
            self.bout.check(self.game)
        except InputError as error:
            faults += [replace(fault, where="games") for fault in error.faults]
        if self.rated and (self.allows_bots or self.filler):
            message = _("Only casual tournaments can have bots or the computer as players.")
            faults.append(Fault("tournament/bots", message, "rated"))
        if self.filler:
            faults += faults_of_level(self.filler, "filler")
        return faults

    def _faults_of_openings(self) -> list[Fault]:
        try:
            lines = self.opening_lines
        except InputError as error:
            return list(error.faults)
        if lines and self.rated:
            message = _("Games that begin with given moves are not rated.")
            return [Fault("tournament/openings", message, "rated")]
        return []

    def _faults_of_clock(self) -> list[Fault]:
        faults = []
        if self.control.pace is Pace.UNLIMITED:
            message = _("A tournament needs a clock, since games without one might never end.")
            faults.append(Fault("tournament/clock", message, "control"))
        is_live = self.control.pace is Pace.LIVE
        if self.format.is_live not in {None, is_live}:
            if self.format.is_live:
                message = _("This format is for live games.")
            else:
                message = _("This format is for games by correspondence.")
            faults.append(Fault("tournament/clock", message, "control"))
        if TieBreak.PLAYOFF in self.ranking and (
            not self.format.has_playoff
            or self.control.pace is not Pace.LIVE
            or self.ranking[-1] is not TieBreak.PLAYOFF
        ):
            message = _("A playoff is the last tie-break of live games in a format that has one.")
            faults.append(Fault("tournament/playoff", message, "playoff"))
        return faults

    def _faults_of_times(self, at: int) -> list[Fault]:
        faults = []
        start, opens = self.starts_at, self.opens_at
        if start is not None and not at < start <= at + LATEST:
            message = _("A start at %(time)s: it must be in the future, and within a year.")
            values: dict[str, object] = {"time": _instant_text(start)}
            faults.append(Fault("tournament/time", message % values, "starts_at"))
        if opens is not None and not 0 <= opens <= at + LATEST:
            message = _("Registration from %(time)s: it must open within a year.")
            values = {"time": _instant_text(opens)}
            faults.append(Fault("tournament/time", message % values, "opens_at"))
        elif opens is not None and start is not None and opens >= start:
            message = _("Registration from %(time)s: it must open before the start.")
            values = {"time": _instant_text(opens)}
            faults.append(Fault("tournament/time", message % values, "opens_at"))
        if not 0 <= self.check_in <= MOST_CHECK_IN:
            message = _("Check-in of %(minutes)d minutes: it takes 0 to %(most)d minutes.")
            values = {"minutes": self.check_in, "most": MOST_CHECK_IN}
            faults.append(Fault("tournament/time", message % values, "check_in"))
        if self.check_in and start is None:
            message = _("Only a tournament with a time of its start can have a check-in.")
            faults.append(Fault("tournament/time", message, "check_in"))
        if self.repeats and start is None:
            message = _("Only a tournament with a time of its start can be repeated.")
            faults.append(Fault("tournament/time", message, "repeats"))
        return faults

    def _faults_of_size(self) -> list[Fault]:
        faults = []
        most = min(PLAYERS.value, MOST_PLAYERS)
        if not 2 <= self.most_players <= most:
            message = _("%(count)d players: a tournament takes 2 to %(most)d.")
            values = {"count": self.most_players, "most": most}
            faults.append(Fault("tournament/size", message % values, "most_players"))
        faults += self.format.faults_of_size(self.most_players)
        meeting = self.format.largest_group(self.most_players)
        if meeting > BOUTS.value:
            message = _("%(count)d players would all meet each other; the most are %(most)d.")
            values = {"count": meeting, "most": BOUTS.value}
            faults.append(Fault("tournament/size", message % values, "most_players"))
        for name, rating in (("lowest", self.lowest), ("highest", self.highest)):
            if rating is not None and not 0 <= rating <= MOST_RATING:
                message = _("A rating of %(rating)d: it is 0 to %(most)d.")
                values = {"rating": rating, "most": MOST_RATING}
                faults.append(Fault("tournament/rating", message % values, name))
        if not 0 <= self.least_games <= MOST_GAMES:
            message = _("%(count)d rated games: players can need 0 to %(most)d.")
            values = {"count": self.least_games, "most": MOST_GAMES}
            faults.append(Fault("tournament/games", message % values, "least_games"))
        if None not in (self.lowest, self.highest) and (self.lowest or 0) > (self.highest or 0):
            message = _("No rating is from %(lowest)d to %(highest)d.")
            bounds = {"lowest": self.lowest, "highest": self.highest}
            faults.append(Fault("tournament/rating", message % bounds, "lowest"))
        return faults


def _instant_text(milliseconds: int) -> str:
    """Return an instant as people read it; as a number if it is in no calendar."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1_000, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, ValueError, OSError):
        return f"{milliseconds} ms"


def plan_of(row: TournamentRow) -> Plan:
    """Return the rules of an event."""
    return Plan(
        title=row.title,
        description=row.description,
        format=row.format,
        game=row.game,
        control=read_control(row.control),
        club=row.club,
        guest_club=row.guest_club,
        is_private=row.is_private,
        bout=row.bout,
        tie_breaks=tuple(row.ranking),
        rated=row.rated,
        opens_at=row.opens_at,
        starts_at=row.starts_at,
        check_in=row.check_in,
        starts_when_full=row.starts_when_full,
        most_players=row.most_players,
        lowest=row.lowest,
        highest=row.highest,
        least_games=row.least_games,
        allows_bots=row.allows_bots,
        by_invitation=row.by_invitation,
        filler=row.filler,
        repeats=Repeat(row.repeats),
        openings="\n".join(row.openings),
    )


@dataclass(frozen=True)
class Preset:
    """A usual event, to start from.

    Attributes:
        name: in addresses.
        title: for hosts.
        format_name: of its format.
        values: of the form's fields.
    """

    name: str
    title: str | Promise
    format_name: str
    values: Mapping[str, str | int | bool] = field(default_factory=dict)


PRESETS: tuple[Preset, ...] = (
    Preset(
        "swiss",
        gettext_lazy("Live Swiss, 5 rounds"),
        "swiss",
        {
            "control": "5m+5s",
            "rule-rounds": 5,
            "rule-late_entry": 2,
            "check_in": 15,
            "most_players": 100,
        },
    ),
    Preset(
        "round-robin",
        gettext_lazy("Correspondence round robin"),
        "round-robin",
        {"control": "3d/move+10d", "most_players": 8, "starts_when_full": True},
    ),
    Preset(
        "knockout",
        gettext_lazy("Live knockout"),
        "knockout",
        {"control": "10m+5s", "check_in": 15, "most_players": 32},
    ),
    Preset(
        "arena",
        gettext_lazy("Live arena of an hour"),
        "arena",
        {"control": "3m+2s", "rule-minutes": 60, "most_players": 500},
    ),
    Preset(
        "pairs",
        gettext_lazy("Correspondence Swiss of mirrored games"),
        "swiss",
        {"control": "1d/move+5d", "rule-rounds": 5, "games": MIRRORED.name, "most_players": 200},
    ),
)
