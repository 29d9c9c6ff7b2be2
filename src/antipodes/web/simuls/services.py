"""Changes of simuls: every change goes through these functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from antipodes.clocks import DAY, read_control
from antipodes.errors import InputError, MatchError
from antipodes.match import Terms
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import announce, store_match
from antipodes.web.matchmaking.presets import check_clock, preset_game
from antipodes.web.notifications.models import AnnouncedMatchRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, count_limit, rate_limit, take
from antipodes.web.relations.services import check_may_meet
from antipodes.web.simuls.models import SimulBoardRow, SimulPlayerRow, SimulRow

NEW_SIMULS = rate_limit("new-simuls", "5/hour;20/day", per="user", what="simuls made")
SIMULS = count_limit("simuls", 3, per="user", what="simuls of one host that are not over")
BOARDS = count_limit("simul-boards", 50, per="simul", what="players of a simul")
PLACES = count_limit(
    "simul-places", 10, per="user", what="simuls that a player has joined and that have not begun"
)

_FEWEST = 2  # boards with which a simul can begin
_SEATS = 2


def is_open() -> Q:
    """Return the condition on simuls that have not begun, or have a board in progress."""
    return Q(begun_at=None) | Q(boards__match__ended_at=None)


def make_simul(
    user: User, *, game_id: str, board: str, control: str, host_seat: int | None
) -> SimulRow:
    """Make a simul that players can join.

    Args:
        user: the host.
        game_id: the game.
        board: the class of boards, as in seeks.
        control: the time control, one of seeks.
        host_seat: the host's seat on all boards; ``None`` to alternate.

    Raises:
        InputError: the host is a guest, a bot or suspended, or has too many simuls; or there is no
            such game, board, clock or seat.
        TooManyError: the host has made too many simuls.
    """
    if user.is_guest or user.is_bot:
        raise MatchError.single("simuls/account", _("a simul needs a host with an account, no bot"))
    check_may_play(user)
    game = preset_game(game_id, board)
    check_clock(control)
    if host_seat not in {None, *range(_SEATS)}:
        message = _("the host’s seat is %(seat)s, but must be 0 or 1")
        raise InputError.single("simuls/seat", message % {"seat": host_seat})
    count = SimulRow.objects.filter(is_open(), by=user).distinct().count()
    if count >= SIMULS.value:
        message = _("you have %(count)d simuls that are not over; cancel or finish one first")
        raise MatchError.single("simuls/too-many", message % {"count": count})
    take(NEW_SIMULS, str(user.pk))
    return SimulRow.objects.create(
        by=user,
        game_id=game.id,
        options=dict(game.options.changed()),
        control=control,
        host_seat=host_seat,
        made_at=now(),
    )


def join(slug: str, user: User) -> None:
    """Join a simul; joining twice has no further effect.

    Raises:
        SimulRow.DoesNotExist: there is no such simul.
        InputError: it has begun or is full; the host has removed the player, or one of them has
            blocked the other; or the player is the host, a bot or suspended, or has joined too
            many simuls.
    """
    check_may_play(user)
    with _waiting(slug) as row:
        if row.by_id == user.pk:
            raise MatchError.single("simuls/host", _("you are the host of this simul"))
        if user.is_bot:
            raise MatchError.single("simuls/account", _("bots cannot join simuls"))
        check_may_meet(user, [row.by_id])
        known = row.players.filter(user=user).first()
        if known is not None and known.is_removed:
            raise MatchError.single("simuls/removed", _("the host has removed you from this simul"))
        if known is None:
            _check_room(row, user)
            take(NEW_GAMES, str(user.pk))
            row.players.create(user=user)


def _check_room(row: SimulRow, user: User) -> None:
    if row.players.filter(is_removed=False).count() >= BOARDS.value:
        message = _("this simul is full: it has %(most)d players")
        raise MatchError.single("simuls/full", message % {"most": BOARDS.value})
    places = SimulPlayerRow.objects.filter(user=user, is_removed=False, simul__begun_at=None)
    if places.count() >= PLACES.value:
        message = _("you have joined %(count)d simuls that have not begun; leave one first")
        raise MatchError.single("simuls/too-many", message % {"count": PLACES.value})


def leave(slug: str, user: User) -> None:
    """Leave a simul that has not begun.

    Raises:
        SimulRow.DoesNotExist: there is no such simul.
        MatchError: it has begun.
    """
    with _waiting(slug) as row:
        row.players.filter(user=user, is_removed=False).delete()


def remove(slug: str, host: User, player: int) -> None:
    """Remove a player, who cannot join again.

    Raises:
        SimulRow.DoesNotExist: there is no such simul.
        MatchError: the user is not its host, or it has begun.
    """
    with _waiting(slug, host) as row:
        row.players.filter(user=player).update(is_removed=True)


def cancel(slug: str, host: User) -> None:
    """Cancel a simul that has not begun.

    Raises:
        SimulRow.DoesNotExist: there is no such simul.
        MatchError: the user is not its host, or it has begun.
    """
    with _waiting(slug, host) as row:
        row.delete()


def begin(slug: str, host: User) -> list[MatchRow]:
    """Begin the matches with all players who may still play, and return them.

    Raises:
        SimulRow.DoesNotExist: there is no such simul.
        InputError: the user is suspended or not the host, it has begun, or too few players have
            joined.
    """
    check_may_play(host)
    with _waiting(slug, host) as row:
        places = row.players.filter(is_removed=False).select_related("user")
        players = [one.user for one in places if _may_play(one.user)]
        if len(players) < _FEWEST:
            message = _("a simul begins with %(fewest)d players or more, not with %(count)d")
            values = {"fewest": _FEWEST, "count": len(players)}
            raise MatchError.single("simuls/few", message % values)
        matches = [_board(row, number, user) for number, user in enumerate(players, start=1)]
        # Followers of the host learn of the first board, not of each.
        AnnouncedMatchRow.objects.bulk_create(AnnouncedMatchRow(match=one) for one in matches[1:])
        row.players.all().delete()
        row.begun_at = now()
        row.save(update_fields=["begun_at"])
    for match in matches:
        announce(match)
    return matches


def _may_play(user: User) -> bool:
    try:
        check_may_play(user)
    except MatchError:
        return False
    return user.is_active


def _board(row: SimulRow, number: int, player: User) -> MatchRow:
    users = [row.by, player] if row.seat_on(number) == 0 else [player, row.by]
    terms = Terms(
        game=row.game,
        players=tuple(str(user.pk) for user in users),
        control=read_control(row.control),
    )
    match = store_match(terms, users, in_event=True)
    SimulBoardRow.objects.create(simul=row, number=number, match=match)
    return match


@contextmanager
def _waiting(slug: str, host: User | None = None) -> Iterator[SimulRow]:
    """Lock a simul that has not begun, and run the body in the transaction.

    Args:
        slug: of the simul.
        host: the user who must be its host; ``None`` for any.
    """
    with transaction.atomic():
        rows = SimulRow.objects.select_related("by").select_for_update(of=("self",))
        row = rows.get(slug=slug)
        if host is not None and row.by_id != host.pk:
            raise MatchError.single(
                "simuls/not-the-host", _("only the host of the simul may do that")
            )
        if row.begun_at is not None:
            raise MatchError.single("simuls/begun", _("this simul has begun already"))
        yield row


def withdraw_between(by: User, whom: User, **_: object) -> None:
    """Remove two players, one of whom has blocked the other, from each other's simuls."""
    for host, player in ((by, whom), (whom, by)):
        places = SimulPlayerRow.objects.filter(simul__by=host, simul__begun_at=None)
        places.filter(user=player).delete()


def withdraw_all(user: User, **_: object) -> None:
    """Cancel the simuls of a user that have not begun."""
    SimulRow.objects.filter(by=user, begun_at=None).delete()


_LONGEST = 14 * DAY  # milliseconds that a simul waits for its beginning


def delete_old_simuls() -> None:
    """Delete simuls that their hosts have not begun for two weeks."""
    SimulRow.objects.filter(begun_at=None, made_at__lt=now() - _LONGEST).delete()
