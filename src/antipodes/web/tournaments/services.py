"""Changes of events by hosts and players: make one, join, check in, challenge, leave."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.clocks import MINUTE
from antipodes.errors import Fault, InputError, MatchError
from antipodes.search.levels import find_level
from antipodes.tournaments import Pairing
from antipodes.web.accounts.masking import passed_on_parts
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.challenges.services import check_offered
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.permissions import role_in
from antipodes.web.platform import write_probe
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit, rate_limit, take
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.ranges import RatingRange
from antipodes.web.ratings.selectors import UNRATED, CurrentRating, rating_of
from antipodes.web.relations.services import is_blocked
from antipodes.web.tournaments import forfeits, rounds
from antipodes.web.tournaments.invitations import is_invited
from antipodes.web.tournaments.log import Step, locked, record
from antipodes.web.tournaments.models import (
    BEFORE_START,
    OVER,
    EntryRow,
    TournamentRow,
    TournamentState,
)
from antipodes.web.tournaments.plans import Plan

NEW_TOURNAMENTS = rate_limit(
    "new-tournaments", "10/hour;30/day", per="user", what="tournaments made"
)
ENTRIES = rate_limit(
    "tournament-entries", "30/minute;300/day", per="user", what="tournaments joined or left"
)
HOSTED = count_limit(
    "hosted-tournaments", 20, per="user", what="tournaments of one host that are not over"
)
CHALLENGES = rate_limit(
    "ladder-challenges", "20/hour;60/day", per="user", what="challenges in ladders"
)
JOINED = count_limit(
    "joined-tournaments", 50, per="user", what="tournaments that a player is in and are not over"
)


def create_tournament(
    user: User, plan: Plan, *, previous: TournamentRow | None = None
) -> TournamentRow:
    """Make an event.

    Args:
        user: the host.
        plan: its rules.
        previous: the event that it repeats.

    Raises:
        InputError: the plan is refused, or the user may not host events, or too many.
        TooManyError: the user has made too many events.
    """
    check_account(user)
    check_may_play(user)
    at = now()
    plan.check(at)
    check_offered(plan.game)
    _check_club(plan.club, user, is_private=plan.is_private)
    open_events = TournamentRow.objects.filter(host=user).exclude(state__in=OVER)
    if open_events.count() >= HOSTED.value:
        message = _("You host %(count)d tournaments that are not over; that is the limit.")
        raise InputError.single("tournament/too-many", message % {"count": HOSTED.value})
    if previous is None:
        take(NEW_TOURNAMENTS, str(user.pk))
    title, description = passed_on_parts(
        user,
        [plan.clean_title, plan.description],
        before=() if previous is None else (previous.title, previous.description),
    )
    row = TournamentRow(
        title=title,
        description=description.strip(),
        host=user,
        club=plan.club,
        guest_club=plan.guest_club,
        is_private=plan.is_private,
        format_name=plan.format.name,
        rules=plan.format.changed(),
        games=plan.bout.name,
        tie_breaks=[one.value for one in plan.ranking],
        game_id=plan.game.id,
        options=dict(plan.game.options.changed()),
        openings=list(plan.opening_lines),
        control=str(plan.control),
        rated=plan.rated,
        opens_at=plan.opens_at,
        starts_at=plan.starts_at,
        check_in=plan.check_in,
        starts_when_full=plan.starts_when_full,
        most_players=plan.most_players,
        lowest=plan.lowest,
        highest=plan.highest,
        least_games=plan.least_games,
        allows_bots=plan.allows_bots,
        by_invitation=plan.by_invitation,
        filler=plan.filler,
        repeats=plan.repeats,
        previous=previous,
        series=None if previous is None else previous.series or previous,
        state=TournamentState.OPEN
        if plan.opens_at is None or plan.opens_at <= at
        else TournamentState.ANNOUNCED,
        made_at=at,
    )
    row.due_at = next_due(row)
    with transaction.atomic():
        row.save()
        record(row, Step.CREATED, user, state=row.state)
    return row


def next_due(row: TournamentRow) -> int | None:
    """Return when the clock brings an event that has not begun to its next state."""
    if row.state == TournamentState.ANNOUNCED:
        return row.opens_at
    if row.state == TournamentState.OPEN and row.check_in and row.starts_at is not None:
        return row.starts_at - row.check_in * MINUTE
    return row.starts_at


def _check_club(club: ClubRow | None, user: User, *, is_private: bool) -> None:
    if club is None and is_private:
        message = _("Only a tournament of a club can be private.")
        raise InputError.single("tournament/club", message)
    if club is not None and role_in(club, user) is None:
        message = _("You are no member of %(club)s.") % {"club": club.name}
        raise InputError.single("tournament/club", message)


def check_account(user: User) -> None:
    """Check that a user has an account.

    Raises:
        InputError: the user is a guest or the computer.
    """
    if user.is_guest or user.is_computer:
        raise InputError.single("tournament/account", _("Tournaments need an account."))


def rating_for(row: TournamentRow, user: User) -> CurrentRating:
    """Return a user's rating in the pool of an event's games; the computer has its level's."""
    if user.is_computer:
        return _rating_of_level(user.computer.partition(":")[2], row.game_id)
    return rating_of(user, row.game_id, speed_of_text(row.control), board_class_of(row.game))


def _rating_of_level(number: str, game_id: str) -> CurrentRating:
    """Return the measured rating of a level of the computer."""
    measured = find_level(number).rating(game_id) if number else None
    if measured is None:
        return UNRATED
    return CurrentRating(measured, UNRATED.deviation, is_provisional=False, games=0)


def why_not(row: TournamentRow, user: User | None) -> Fault | None:
    """Return why a user may not join an event now, or ``None`` if they may."""
    if row.state == TournamentState.ANNOUNCED:
        return Fault("tournament/closed", _("Registration is not open yet."))
    takes_late = row.state == TournamentState.RUNNING and row.format.takes_entries(
        row.round, row.last_round or 0
    )
    if row.state not in BEFORE_START and not takes_late:
        return Fault("tournament/closed", _("Registration is closed."))
    if user is None or user.is_guest or user.is_computer:
        return Fault("tournament/account", _("Tournaments need an account."))
    if user.is_bot and not row.allows_bots:
        return Fault("tournament/bots", _("This tournament is not for bots."))
    clubs = [one for one in (row.club, row.guest_club) if one is not None]
    if clubs and not any(role_in(one, user) for one in clubs):
        names = ", ".join(one.name for one in clubs)
        message = _("This tournament is for members of %(club)s.") % {"club": names}
        return Fault("tournament/club", message)
    if row.by_invitation and not is_invited(row, user):
        return Fault("tournament/invitation", _("Only invited players may join this tournament."))
    if row.entries.filter(is_withdrawn=False).count() >= row.most_players:
        message = _("This tournament is full: it has %(count)d players.")
        return Fault("tournament/full", message % {"count": row.most_players})
    return _why_not_by_rating(row, rating_for(row, user))


def _why_not_by_rating(row: TournamentRow, rating: CurrentRating) -> Fault | None:
    if rating.games < row.least_games:
        message = ngettext(
            "Players need %(least)d rated game of this kind; you have %(count)d.",
            "Players need %(least)d rated games of this kind; you have %(count)d.",
            row.least_games,
        )
        values = {"least": row.least_games, "count": rating.games}
        return Fault("tournament/games", message % values)
    accepted = RatingRange(row.lowest, row.highest)
    if not accepted.includes(rating.rounded):
        message = _("This tournament requires a %(range)s; yours is %(rating)s.")
        required = {"range": accepted.label, "rating": rating.text}
        return Fault("tournament/rating", message % required)
    return None


def teams_of(row: TournamentRow, user: User | None) -> list[int]:
    """Return for which teams of an event a user may play; none in an event without teams."""
    return [number for number, club in row.teams.items() if role_in(club, user) is not None]


def _team_of(row: TournamentRow, user: User, wanted: int | None) -> int | None:
    """Return for which team a user plays.

    Raises:
        InputError: the user is a member of both clubs and has not chosen one, or is not of the
            chosen one.
    """
    if not row.format.has_teams:
        return None
    possible = teams_of(row, user)
    if wanted is None and len(possible) == 1:
        return possible[0]
    if wanted not in possible:
        names = ", ".join(f"{number} {club.name}" for number, club in row.teams.items())
        message = _("Choose the club for which you play: %(clubs)s.") % {"clubs": names}
        raise InputError.single("tournament/team", message)
    return wanted


def join(key: int, user: User, team: int | None = None) -> EntryRow:
    """Join an event; joining twice has no further effect.

    During check-in a player who joins is checked in. A player who left may come back.

    Args:
        key: the event.
        user: the player.
        team: in a match of teams 1 for the club of the event, 2 for its guests; only members of
            both clubs need it.

    Raises:
        InputError: the user may not join; the error says why.
        TooManyError: the user has joined or left too often.
    """
    write_probe.check()
    check_may_play(user)
    take(ENTRIES, str(user.pk))
    with locked(key) as row:
        entry = row.entries.filter(user=user).first()
        if entry is not None and not entry.is_withdrawn:
            return entry
        fault = why_not(row, user)
        if fault is not None:
            raise MatchError([fault])
        joined = EntryRow.objects.filter(user=user, is_withdrawn=False)
        if joined.exclude(tournament__state__in=OVER).count() >= JOINED.value:
            message = _("You are in %(count)d tournaments that are not over; that is the limit.")
            raise InputError.single("tournament/too-many", message % {"count": JOINED.value})
        entry = entry or add_entry(row, user, _team_of(row, user, team))
        entry.is_withdrawn = False
        entry.is_checked_in = row.state == TournamentState.CHECK_IN
        players, moved = [], []
        if row.is_under_way:
            entry.free_since = row.due_at = now()
            highest = row.entries.aggregate(highest=Max("number"))["highest"] or 0
            entry.number = entry.number or highest + 1
            players = [[entry.number, user.pk]]
            if row.format.has_places:
                last = row.entries.aggregate(last=Max("place"))["last"] or 0
                entry.place = last + 1
                moved = [[entry.number, entry.place]]
        entry.save()
        if row.starts_when_full and row.entries.filter(is_withdrawn=False).count() >= (
            row.most_players
        ):
            row.due_at = now()
        record(row, Step.JOINED, user, user=user.pk, players=players, places=moved)
    return entry


def add_entry(row: TournamentRow, user: User, team: int | None = None) -> EntryRow:
    """Return a new entry that is not stored yet."""
    rating = rating_for(row, user)
    return EntryRow(
        tournament=row,
        user=user,
        rating=rating.rounded,
        is_provisional=rating.is_provisional,
        team=team,
        joined_at=now(),
    )


def check_in(key: int, user: User) -> None:
    """Check in: a player says that they are here.

    Raises:
        InputError: the user is not in the event, or check-in is not open.
    """
    with locked(key) as row:
        entry = _entry(row, user)
        if row.state != TournamentState.CHECK_IN:
            raise InputError.single("tournament/state", _("Check-in is not open."))
        if not entry.is_checked_in:
            entry.is_checked_in = True
            entry.save(update_fields=["is_checked_in"])
            record(row, Step.CHECKED_IN, user, user=user.pk)


def challenges(row: TournamentRow, entry: EntryRow | None) -> list[tuple[EntryRow, Pairing]]:
    """Return whom a player may challenge now, the nearest first, with the pairings."""
    if not row.format.has_places or row.state != TournamentState.RUNNING:
        return []
    if entry is None or entry.number is None:
        return []
    possible = row.format.challenges(rounds.state_of(row), entry.number)
    entries = {one.number: one for one in row.entries.filter(number__in=possible)}
    return [(entries[number], pairing) for number, pairing in possible.items()]


def challenge(key: int, user: User, name: str) -> None:
    """Challenge a player for their place; the game begins at once.

    Raises:
        InputError: the user is not in the event, it is not running, or they may not challenge this
            player now.
        TooManyError: the user has challenged too often.
    """
    check_may_play(user)
    take(CHALLENGES, str(user.pk))
    with locked(key) as row:
        possible = challenges(row, _entry(row, user))
        by_name = {other.user.username.lower(): (other, made) for other, made in possible}
        message = _("You cannot challenge %(name)s now.") % {"name": name[:40]}
        if name.lower() not in by_name:
            raise InputError([Fault("tournament/challenge", message)])
        opponent, pairing = by_name[name.lower()]
        if is_blocked(user, opponent.user):
            raise InputError([Fault("community/not-together", message)])
        rounds.store(row, [pairing], user)


def leave(key: int, user: User) -> None:
    """Leave an event; after its start the player is paired no more, and games that began go on.

    Raises:
        InputError: the user is not in the event, or it is over.
        TooManyError: the user has joined or left too often.
    """
    take(ENTRIES, str(user.pk))
    with locked(key) as row:
        entry = _entry(row, user)
        if row.is_over:
            raise InputError.single("tournament/state", _("This tournament is over."))
        if row.is_before_start:
            entry.delete()
            record(row, Step.LEFT, user, user=user.pk)
        else:
            forfeits.withdraw(row, [entry], user, "")


def leave_all(user: User, **_more: object) -> None:
    """Take a user whose account is being deleted out of all events."""
    entries = EntryRow.objects.filter(user=user, is_withdrawn=False)
    for key in entries.filter(~Q(tournament__state__in=OVER)).values_list("tournament", flat=True):
        with locked(key) as row:
            entry = row.entries.filter(user=user).first()
            if entry is None:
                continue
            if row.is_before_start:
                entry.delete()
                record(row, Step.LEFT, None, user=user.pk)
            else:
                forfeits.withdraw(row, [entry], None, "")


def _entry(row: TournamentRow, user: User) -> EntryRow:
    entry = row.entries.filter(user=user, is_withdrawn=False).first()
    if entry is None:
        raise InputError.single("tournament/not-in", _("You are not in this tournament."))
    return entry
