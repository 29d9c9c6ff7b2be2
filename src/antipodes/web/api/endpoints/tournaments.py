"""Operations on tournaments: lists, tables, pairings, and entries."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.clocks import read_control
from antipodes.notation.text import shorten
from antipodes.tournaments import make_bout, make_format
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.open_chats import no_event_chat, read_chat, say_in_chat
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.commands import ChatMessageIn
from antipodes.web.api.schemas.matches import ChatOut
from antipodes.web.api.schemas.people import person_out
from antipodes.web.api.schemas.tournaments import (
    DirectionIn,
    LadderChallengeIn,
    SeasonLineOut,
    SeasonOut,
    StandingOut,
    TournamentIn,
    TournamentOut,
)
from antipodes.web.api.tournaments import find_tournament, tournament_out
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.selectors import visible_clubs
from antipodes.web.matches.fair_options import agreed_game
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.platform.schemas import SLUG
from antipodes.web.tournaments import actions, exports, selectors, series, services
from antipodes.web.tournaments.chat import chat_of
from antipodes.web.tournaments.plans import Plan, usual_bout
from antipodes.web.tournaments.schemas import PairingOut

router = Router(tags=["tournaments"])

TournamentSlug = Annotated[str, Path(pattern=SLUG, description="of the tournament")]
TeamNumber = Annotated[int, Query(ge=1, le=2, description="in a team match; for members of both")]
SeasonYear = Annotated[int, Query(ge=1970, le=9999, description="of the season")]
RoundNumber = Annotated[int, Query(ge=1, le=1_000, description="of the pairings")]

_MOST_LISTED = 100
_LISTS = {
    "upcoming": selectors.upcoming,
    "running": selectors.running,
    "finished": selectors.finished,
}


@operation(router, "GET", "/tournaments", PUBLIC, list[TournamentOut])
def list_tournaments(
    request: HttpRequest,
    state: Annotated[str, Query(pattern="^(upcoming|running|finished)$")] = "upcoming",
) -> list[TournamentOut]:
    """List tournaments that are upcoming, running or finished."""
    rows = _LISTS[state](caller(request).viewer)
    return [tournament_out(row) for row in rows[:_MOST_LISTED]]


@operation(router, "GET", "/tournaments/{slug}", PUBLIC, TournamentOut, errors=(404,))
def get_tournament(request: HttpRequest, slug: TournamentSlug) -> TournamentOut:
    """Return a tournament with its rules."""
    return tournament_out(find_tournament(slug, caller(request).viewer))


@operation(router, "GET", "/tournaments/{slug}/standings", PUBLIC, list[StandingOut], errors=(404,))
def get_standings(request: HttpRequest, slug: TournamentSlug) -> list[StandingOut]:
    """Return the players of a tournament, in the order of their ranks."""
    row = find_tournament(slug, caller(request).viewer)
    if row.begun_at is None:
        return [
            {
                "person": person_out(entry.user),
                "rank": None,
                "number": None,
                "rating": entry.rating,
                "points": 0,
                "performance": None,
                "tieBreaks": [],
                "checkedIn": entry.is_checked_in,
                "withdrawn": False,
                "team": entry.team,
            }
            for entry in row.entries.select_related("user").order_by("-rating", "joined_at")
        ]
    return [
        {
            "person": person_out(line.entry.user),
            "checkedIn": line.entry.is_checked_in,
            **exports.place_data(line),
        }
        for line in selectors.table_lines(row)
    ]


@operation(router, "GET", "/tournaments/{slug}/pairings", PUBLIC, list[PairingOut], errors=(404,))
def get_pairings(
    request: HttpRequest,
    slug: TournamentSlug,
    round: RoundNumber | None = None,  # noqa: A002
) -> list[PairingOut]:
    """Return the pairings of a round, by default of the latest one."""
    row = find_tournament(slug, caller(request).viewer)
    pairings = row.pairings.filter(round=round or row.round).order_by("table")
    lines = selectors.with_games(pairings)
    return [exports.pairing_data(line) for line in lines]


@operation(router, "GET", "/tournaments/{slug}/season", PUBLIC, SeasonOut, errors=(404,))
def get_season(
    request: HttpRequest, slug: TournamentSlug, year: SeasonYear | None = None
) -> SeasonOut:
    """Return the season of a recurring tournament, by default the latest one."""
    viewer = caller(request).viewer
    season = series.season_of(find_tournament(slug, viewer), viewer, year)
    return SeasonOut(
        year=season.year,
        years=season.years,
        tournaments=[one.slug for one in season.events],
        standings=[
            SeasonLineOut(
                rank=line.rank,
                person=person_out(user),
                points=line.points,
                events=line.events,
                wins=line.wins,
            )
            for line, user in season.lines
        ],
    )


@operation(router, "POST", "/tournaments", Scope.TOURNAMENTS, TournamentOut, errors=(409,))
def make_tournament(request: HttpRequest, data: TournamentIn) -> TournamentOut:
    """Host a tournament."""
    user = caller(request).account
    return tournament_out(services.create_tournament(user, _plan(user, data)))


def _club(user: User, slug: str | None) -> ClubRow | None:
    if slug is None:
        return None
    club = ClubRow.objects.filter(visible_clubs(user), slug=slug).first()
    if club is None:
        raise not_found(_("There is no club %(slug)s.") % {"slug": shorten(slug)})
    return club


def _plan(user: User, data: TournamentIn) -> Plan:
    format_ = make_format(data.format, data.rules)
    game = agreed_game(data.game, data.options)
    return Plan(
        title=data.title,
        description=data.description,
        format=format_,
        game=game,
        control=read_control(data.control),
        club=_club(user, data.club),
        guest_club=_club(user, data.guest_club),
        is_private=data.private,
        bout=usual_bout(format_, game) if data.games is None else make_bout(data.games),
        tie_breaks=None if data.tie_breaks is None else tuple(data.tie_breaks),
        rated=data.rated,
        opens_at=data.opens_at,
        starts_at=data.starts_at,
        check_in=data.check_in,
        starts_when_full=data.starts_when_full,
        most_players=data.most_players,
        lowest=data.lowest,
        highest=data.highest,
        least_games=data.least_games,
        allows_bots=data.bots,
        by_invitation=data.by_invitation,
        filler=data.filler,
        repeats=data.repeats,
        openings=data.openings,
    )


def _act(request: HttpRequest, slug: str, action: str, **data: object) -> None:
    """Do what an action of the page does."""
    user = caller(request).account
    actions.ACTIONS[action](find_tournament(slug, user), user, data)


_CHANGE: dict[str, Any] = {"errors": (404, 409)}


@operation(router, "POST", "/tournaments/{slug}/join", Scope.TOURNAMENTS, None, **_CHANGE)
def join_tournament(
    request: HttpRequest, slug: TournamentSlug, team: TeamNumber | None = None
) -> None:
    """Join a tournament; during check-in this checks in too."""
    _act(request, slug, "join", team=str(team or ""))


@operation(router, "POST", "/tournaments/{slug}/check-in", Scope.TOURNAMENTS, None, **_CHANGE)
def check_in_tournament(request: HttpRequest, slug: TournamentSlug) -> None:
    """Check in for a tournament before its start."""
    _act(request, slug, "check-in")


@operation(router, "POST", "/tournaments/{slug}/leave", Scope.TOURNAMENTS, None, **_CHANGE)
def leave_tournament(request: HttpRequest, slug: TournamentSlug) -> None:
    """Leave a tournament; games that have begun go on."""
    _act(request, slug, "leave")


@operation(router, "POST", "/tournaments/{slug}/direct", Scope.TOURNAMENTS, None, **_CHANGE)
def direct_tournament(request: HttpRequest, slug: TournamentSlug, data: DirectionIn) -> None:
    """Direct a tournament: start, pause, resume or cancel it, decide a pairing, invite a player.

    The actions are those of the page; see the documentation of directing.
    """
    _act(request, slug, **data.model_dump())


@operation(router, "POST", "/tournaments/{slug}/challenge", Scope.TOURNAMENTS, None, **_CHANGE)
def challenge_in_ladder(
    request: HttpRequest, slug: TournamentSlug, data: LadderChallengeIn
) -> None:
    """Challenge a player of a ladder who stands a few places higher; the game begins."""
    _act(request, slug, "challenge", name=data.username)


@operation(router, "GET", "/tournaments/{slug}/chat", PUBLIC, ChatOut, errors=(404,))
def get_tournament_chat(request: HttpRequest, slug: TournamentSlug) -> ChatOut:
    """Return the latest messages of the chat of a tournament that you may read."""
    viewer = caller(request).viewer
    return read_chat(request, chat_of(find_tournament(slug, viewer), viewer), no_event_chat())


@operation(
    router,
    "POST",
    "/tournaments/{slug}/chat",
    Scope.CHAT,
    ChatMessageOut,
    status=201,
    errors=(404, 409),
)
def say_in_tournament(
    request: HttpRequest, slug: TournamentSlug, data: ChatMessageIn
) -> ChatMessageOut:
    """Send a message to all who may see a tournament."""
    user = caller(request).account
    return say_in_chat(request, chat_of(find_tournament(slug, user), user), no_event_chat(), data)
