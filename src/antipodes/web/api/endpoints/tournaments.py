"""Operations on tournaments: lists, tables, pairings, and entries."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.tournaments import TieBreak, make_format
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import person_out
from antipodes.web.api.schemas.tournaments import (
    InvitationIn,
    PairingOut,
    SeasonLineOut,
    SeasonOut,
    StandingOut,
    TournamentIn,
    TournamentOut,
)
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.selectors import visible_clubs
from antipodes.web.tournaments import exports, invitations, seasons, selectors, services
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.models import Repeat, TournamentRow
from antipodes.web.tournaments.plans import Plan

router = Router(tags=["tournaments"])

TournamentSlug = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the tournament")
]
SeasonYear = Annotated[int, Query(ge=1970, le=9999, description="of the season")]
RoundNumber = Annotated[int, Query(ge=1, le=1_000, description="of the pairings")]

_MOST_LISTED = 100
_LISTS = {
    "upcoming": selectors.upcoming,
    "running": selectors.running,
    "finished": selectors.finished,
}


def _find(slug: str, user: User | None) -> TournamentRow:
    row = TournamentRow.objects.select_related("host", "club").filter(slug=slug).first()
    if row is None or not may_see(row, user):
        raise not_found(_("There is no tournament %(slug)s.") % {"slug": shorten(slug)})
    return row


def _out(row: TournamentRow) -> TournamentOut:
    players = getattr(row, "players", None)  # lists count them in one query
    data: dict[str, Any] = {
        "slug": row.slug,
        "title": row.title,
        "host": person_out(row.host),
        "club": None if row.club is None else row.club.slug,
        "private": row.is_private,
        "format": row.format.name,
        "rules": row.format.as_dict(),
        "state": row.state,
        "game": row.game_id,
        "options": row.options,
        "control": row.control,
        "rated": row.rated,
        "mirrored": row.mirrored,
        "tie_breaks": row.tie_breaks,
        "opens_at": row.opens_at,
        "starts_at": row.starts_at,
        "check_in": row.check_in,
        "starts_when_full": row.starts_when_full,
        "players": row.entries.filter(is_withdrawn=False).count() if players is None else players,
        "most_players": row.most_players,
        "lowest": row.lowest,
        "highest": row.highest,
        "by_invitation": row.by_invitation,
        "bots": row.allows_bots,
        "round": row.round,
        "rounds": row.last_round,
        "version": row.version,
    }
    return TournamentOut(**data)


@operation(router, "GET", "/tournaments", PUBLIC, list[TournamentOut])
def list_tournaments(
    request: HttpRequest,
    state: Annotated[str, Query(pattern="^(upcoming|running|finished)$")] = "upcoming",
) -> list[TournamentOut]:
    """List tournaments that are upcoming, running or finished."""
    rows = _LISTS[state](caller(request).viewer)
    return [_out(row) for row in rows[:_MOST_LISTED]]


@operation(router, "GET", "/tournaments/{slug}", PUBLIC, TournamentOut, errors=(404,))
def get_tournament(request: HttpRequest, slug: TournamentSlug) -> TournamentOut:
    """Return a tournament with its rules."""
    return _out(_find(slug, caller(request).viewer))


@operation(router, "GET", "/tournaments/{slug}/standings", PUBLIC, list[StandingOut], errors=(404,))
def get_standings(request: HttpRequest, slug: TournamentSlug) -> list[StandingOut]:
    """Return the players of a tournament, in the order of their ranks."""
    row = _find(slug, caller(request).viewer)
    if row.begun_at is None:
        return [
            StandingOut(
                person=person_out(one.user),
                number=None,
                rating=one.rating,
                rank=None,
                points=0,
                tie_breaks=[],
                checked_in=one.is_checked_in,
                withdrawn=False,
            )
            for one in row.entries.select_related("user").order_by("-rating", "joined_at")
        ]
    return [
        StandingOut(
            person=person_out(line.entry.user),
            number=line.standing.player,
            rating=line.entry.rating,
            rank=line.standing.rank,
            points=line.standing.points,
            tie_breaks=list(line.standing.values),
            checked_in=line.entry.is_checked_in,
            withdrawn=line.entry.is_withdrawn,
        )
        for line in selectors.table_lines(row)
    ]


@operation(router, "GET", "/tournaments/{slug}/pairings", PUBLIC, list[PairingOut], errors=(404,))
def get_pairings(
    request: HttpRequest,
    slug: TournamentSlug,
    round: RoundNumber | None = None,  # noqa: A002
) -> list[PairingOut]:
    """Return the pairings of a round, by default of the latest one."""
    row = _find(slug, caller(request).viewer)
    pairings = row.pairings.filter(round=round or row.round).order_by("table")
    lines = selectors.with_games(pairings)
    return [PairingOut(**exports.pairing_data(line)) for line in lines]


@operation(router, "GET", "/tournaments/{slug}/season", PUBLIC, SeasonOut, errors=(404,))
def get_season(
    request: HttpRequest, slug: TournamentSlug, year: SeasonYear | None = None
) -> SeasonOut:
    """Return the season of a recurring tournament, by default the latest one."""
    viewer = caller(request).viewer
    season = seasons.season_of(_find(slug, viewer), viewer, year)
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


@operation(
    router,
    "POST",
    "/tournaments/{slug}/invitations",
    Scope.TOURNAMENTS,
    None,
    status=204,
    errors=(404, 409),
)
def invite_to_tournament(
    request: HttpRequest, slug: TournamentSlug, data: InvitationIn
) -> HttpResponse:
    """Invite a player to a tournament that you direct."""
    user = caller(request).account
    invitations.invite(_find(slug, user).pk, user, data.username)
    return HttpResponse(status=204)


@operation(router, "POST", "/tournaments", Scope.TOURNAMENTS, TournamentOut, errors=(409,))
def make_tournament(request: HttpRequest, data: TournamentIn) -> TournamentOut:
    """Host a tournament."""
    user = caller(request).account
    return _out(services.create_tournament(user, _plan(user, data)))


def _plan(user: User, data: TournamentIn) -> Plan:
    club = None
    if data.club is not None:
        club = ClubRow.objects.filter(visible_clubs(user), slug=data.club).first()
        if club is None:
            raise not_found(_("There is no club %(slug)s.") % {"slug": shorten(data.club)})
    breaks = None if data.tie_breaks is None else tuple(TieBreak(one) for one in data.tie_breaks)
    return Plan(
        title=data.title,
        description=data.description,
        format=make_format(data.format, data.rules),
        game=make_game(data.game, data.options),
        control=read_control(data.control),
        club=club,
        is_private=data.private,
        mirrored=data.mirrored,
        tie_breaks=breaks,
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
        repeats=Repeat(data.repeats),
    )


@operation(
    router,
    "POST",
    "/tournaments/{slug}/join",
    Scope.TOURNAMENTS,
    None,
    status=204,
    errors=(404, 409),
)
def join_tournament(request: HttpRequest, slug: TournamentSlug) -> HttpResponse:
    """Join a tournament; during check-in this checks in too."""
    user = caller(request).account
    services.join(_find(slug, user).pk, user)
    return HttpResponse(status=204)


@operation(
    router,
    "POST",
    "/tournaments/{slug}/check-in",
    Scope.TOURNAMENTS,
    None,
    status=204,
    errors=(404, 409),
)
def check_in_tournament(request: HttpRequest, slug: TournamentSlug) -> HttpResponse:
    """Check in for a tournament before its start."""
    user = caller(request).account
    services.check_in(_find(slug, user).pk, user)
    return HttpResponse(status=204)


@operation(
    router,
    "POST",
    "/tournaments/{slug}/leave",
    Scope.TOURNAMENTS,
    None,
    status=204,
    errors=(404, 409),
)
def leave_tournament(request: HttpRequest, slug: TournamentSlug) -> HttpResponse:
    """Leave a tournament; games that have begun go on."""
    user = caller(request).account
    services.leave(_find(slug, user).pk, user)
    return HttpResponse(status=204)
