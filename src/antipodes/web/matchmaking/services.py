"""Create and cancel seeks, and pair them into matches.

Seeks are locked in a fixed order while they are paired, so that concurrent processes neither
deadlock nor pair a player twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from antipodes.clocks import DAY, HOUR, Pace, read_control
from antipodes.errors import Fault, InputError, MatchError
from antipodes.match import Terms
from antipodes.search.levels import Level, levels
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.challenges.eligibility import needs_account
from antipodes.web.challenges.game_limits import limit_reached, users_at_limit
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import announce, store_match
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.pairing import (
    Preferences,
    Seeker,
    agreed_preferences,
    pair_up,
    reach,
)
from antipodes.web.matchmaking.presets import check_clock, preset_game
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, take
from antipodes.web.platform.outages import optional_write
from antipodes.web.ratings.classes import BoardClass, speed_of_text
from antipodes.web.ratings.selectors import rating_of
from antipodes.web.relations.models import BlockRow
from antipodes.web.relations.services import check_may_meet

# All times in milliseconds.
TIMEOUT = 10_000  # a player whose page sends no request for longer has left
_SEEN_INTERVAL = 3_000  # minimum interval between updates of `seen_at`
_KEEP_PAIRED = HOUR  # paired seeks, for pages that ask late
_LONGEST = 30 * DAY  # correspondence seeks

MOST_SEEKS = 10  # correspondence seeks of one user
_POOL = ("game_id", "is_live")

Pool = Mapping[str, Any]


def seek(
    user: User,
    *,
    game_id: str,
    board: str,
    control: str,
    rated: bool,
    is_flexible: bool = False,
) -> SeekRow:
    """Create a seek; the match may start at once.

    An identical seek of the same user is kept. A live seek replaces the user's other live seek.

    Args:
        user: the player.
        game_id: the game.
        board: the class of boards.
        control: the time control.
        rated: whether the game is rated.
        is_flexible: whether any board and clock will do, and a casual game in place of a rated one.

    Raises:
        InputError: there are no such seeks, or this user may not have one.
        TooManyError: the user has begun too many games.
    """
    preset_game(game_id, board)
    is_live = read_control(check_clock(control)).pace is Pace.LIVE
    _check_may_play(user, is_rated=rated)
    preferences = {"game_id": game_id, "board": board, "control": control, "rated": rated}
    rating = rating_of(user, game_id, speed_of_text(control), BoardClass(board))
    current = {
        "rating": rating.value,
        "deviation": rating.deviation,
        "seen_at": now(),
        "is_flexible": is_flexible,
    }
    with transaction.atomic():
        # Lock the user, so that a double click creates one seek.
        User.objects.select_for_update().get(pk=user.pk)
        mine = SeekRow.objects.filter(user=user, match=None)
        row = mine.filter(**preferences).first()
        if row is not None:
            mine.filter(pk=row.pk).update(**current)
        else:
            take(NEW_GAMES, str(user.pk))
            _make_room(user, is_live=is_live)
            row = SeekRow.objects.create(
                user=user, is_live=is_live, entered_at=now(), **preferences, **current
            )
    pair_pool({"game_id": game_id, "is_live": is_live})
    row.refresh_from_db()
    return row


def _check_may_play(user: User, *, is_rated: bool) -> None:
    check_may_play(user)
    if is_rated and user.is_guest:
        raise MatchError([needs_account()])


def accept(slug: str, user: User) -> MatchRow:
    """Begin the match that another player seeks, whatever the ratings.

    Raises:
        InputError: this user may not play it, or the seek has ended or been paired.
        TooManyError: the user has begun too many games.
    """
    with transaction.atomic():
        rows = SeekRow.objects.select_for_update(of=("self",)).select_related("user")
        row = rows.filter(slug=slug, match=None).first()
        if row is None or not _is_waiting(row, now()) or not _may_play(row.user):
            raise MatchError.single("pairing/over", _("this search has ended"))
        if row.user_id == user.pk:
            raise MatchError.single("pairing/own", _("this is your own search"))
        _check_may_play(user, is_rated=row.rated)
        check_may_meet(user, [row.user])
        if row.rated and row.user.is_bot != user.is_bot:
            message = _("bots and people play rated games by invitation only")
            raise MatchError.single("bot/rated", message)
        if at_limit := users_at_limit([user.pk, row.user_id], row.game_id):
            full = user if user.pk in at_limit else row.user
            raise MatchError([limit_reached(full, row.game_id)])
        take(NEW_GAMES, str(user.pk))
        match = _store(row.game_id, _preferences(row), [row.user, user])
        # The page at which the other player waits leads there too.
        mine = Q(user=user, is_live=True) if row.is_live else Q()
        SeekRow.objects.filter(Q(pk=row.pk) | mine, match=None).update(match=match)
    announce(match)
    return match


def _make_room(user: User, *, is_live: bool) -> None:
    others = SeekRow.objects.filter(user=user, match=None, is_live=is_live)
    if is_live:
        others.delete()
    elif others.count() >= MOST_SEEKS:
        message = _("you have %(count)d searches; cancel one first")
        raise InputError([Fault("pairing/too-many", message % {"count": MOST_SEEKS})])


def reach_of(row: SeekRow, waited: int) -> float:
    """Return the accepted rating difference of a seek after some time.

    Args:
        row: the seek.
        waited: the waiting time in milliseconds.
    """
    return reach(_seeker(row, waited), is_live=row.is_live)


def _preferences(row: SeekRow) -> Preferences:
    return Preferences(row.board, row.control, row.rated)


def _seeker(row: SeekRow, waited: int) -> Seeker:
    return Seeker(
        key=row.pk,
        preferences=_preferences(row),
        is_flexible=row.is_flexible,
        user=row.user_id,
        rating=row.rating,
        deviation=row.deviation,
        waited=waited,
        is_guest=row.user.is_guest,
        is_bot=row.user.is_bot,
    )


def _is_waiting(row: SeekRow, at: int) -> bool:
    """Return whether the player of a seek is still at its page, if it is live."""
    return not row.is_live or at - row.seen_at <= TIMEOUT


def note_presence(row: SeekRow) -> None:
    """Store that the player is still at the page."""
    at = now()
    if row.match_id is None and at - row.seen_at > _SEEN_INTERVAL:
        with optional_write("presence at a seek"):
            SeekRow.objects.filter(pk=row.pk).update(seen_at=at)


def cancel(slug: str, user: User) -> MatchRow | None:
    """Cancel a seek; if it has been paired already, return the match.

    Raises:
        SeekRow.DoesNotExist: there is no such seek of this user.
    """
    with transaction.atomic():
        row = SeekRow.objects.select_for_update(of=("self",)).get(slug=slug, user=user)
        if row.match_id is None:
            row.delete()
        return row.match


def pair_all() -> None:
    """Pair the seeks of all pools."""
    waiting = SeekRow.objects.filter(match=None).order_by()
    pools = waiting.values(*_POOL).annotate(count=Count("pk")).filter(count__gt=1)
    for pool in list(pools.values(*_POOL)):
        pair_pool(pool)


def pair_pool(pool: Pool) -> list[MatchRow]:
    """Pair the seeks of a pool, and start their matches."""
    # Try without locks first, because usually there is no pair.
    if not _pairs(list(SeekRow.objects.filter(match=None, **pool).select_related("user"))):
        return []
    with transaction.atomic():
        # Pair again under the lock: another process may have paired some of them meanwhile.
        waiting = SeekRow.objects.select_for_update(of=("self",)).filter(match=None, **pool)
        rows = list(waiting.select_related("user").order_by("pk"))
        begun = [row for pair in _pairs(rows) if (row := _begin(*pair)) is not None]
    for row in begun:
        announce(row)
    return begun


def _pairs(rows: Iterable[SeekRow]) -> list[tuple[SeekRow, SeekRow]]:
    """Return the pairs among the seeks of one pool.

    Players who have left the page or reached their game limit are left out.
    """
    at = now()
    present = [row for row in rows if _is_waiting(row, at)]
    pairs = _paired(present, at)
    if not pairs:
        return []
    # Query the limits only if there is a pair at all.
    at_limit = users_at_limit([row.user_id for row in present], present[0].game_id)
    if not at_limit:
        return pairs
    # Pair all of them again: those who were to meet a player at the limit may meet others.
    return _paired([row for row in present if row.user_id not in at_limit], at)


def _paired(rows: Sequence[SeekRow], at: int) -> list[tuple[SeekRow, SeekRow]]:
    if len(rows) < 2:
        return []
    by_key = {row.pk: row for row in rows}
    users = [row.user_id for row in rows]
    barred = set(BlockRow.objects.filter(by__in=users, whom__in=users).values_list("by", "whom"))
    pairs = pair_up(
        [_seeker(row, at - row.entered_at) for row in rows],
        is_live=rows[0].is_live,
        is_barred=lambda user, other: (user, other) in barred,
    )
    return [(by_key[first.key], by_key[second.key]) for first, second in pairs]


def _begin(seek: SeekRow, other: SeekRow) -> MatchRow | None:
    """Store the match of a pair, unless one of the players may not play any more."""
    barred = [row for row in (seek, other) if not _may_play(row.user)]
    if barred:
        SeekRow.objects.filter(pk__in=[row.pk for row in barred]).delete()
        return None
    preferences = agreed_preferences(_seeker(seek, 0), _seeker(other, 0))
    assert preferences is not None, "seeks are paired if they agree"
    match = _store(seek.game_id, preferences, [seek.user, other.user])
    SeekRow.objects.filter(pk__in=[seek.pk, other.pk]).update(match=match)
    return match


def _store(game_id: str, preferences: Preferences, players: list[User]) -> MatchRow:
    """Store the match of two players, who get random seats."""
    if not secrets.randbelow(2):
        players.reverse()
    terms = Terms(
        game=preset_game(game_id, preferences.board),
        players=tuple(str(player.pk) for player in players),
        control=read_control(preferences.control),
        rated=preferences.rated,
    )
    return store_match(terms, players)


def _may_play(user: User) -> bool:
    try:
        check_may_play(user)
    except InputError:
        return False
    return user.is_active


def drop_absent() -> None:
    """Delete live seeks of players who have left the page."""
    gone = SeekRow.objects.filter(match=None, is_live=True, seen_at__lt=now() - TIMEOUT)
    if gone.exists():
        gone.delete()


def delete_old() -> None:
    """Delete old paired seeks, and seeks that found no opponent within a month."""
    at = now()
    SeekRow.objects.filter(match__begun_at__lt=at - _KEEP_PAIRED).delete()
    SeekRow.objects.filter(match=None, entered_at__lt=at - _LONGEST).delete()


def level_for(game_id: str, rating: float) -> Level:
    """Return the computer's level closest to a rating, or the middle one if levels are unrated.

    Levels are rated among themselves, with 1000 for the weakest, so this is a rough guess.
    """
    rated = [(level, level.rating(game_id)) for level in levels()]
    known = [(level, value) for level, value in rated if value is not None]
    if not known:
        return levels()[len(levels()) // 2]
    return min(known, key=lambda pair: abs(pair[1] - rating))[0]


def pair_seeks() -> None:
    """Drop live seeks of players who have left the page, then pair the others."""
    drop_absent()
    pair_all()


def delete_old_seeks() -> None:
    """Delete paired and expired seeks."""
    delete_old()


def delete_expired_challenges() -> None:
    """Delete challenges a day after they expire; until then their pages say so."""
    ChallengeRow.objects.filter(match=None, expires_at__lt=now() - DAY).delete()


def delete_abandoned_challenges() -> None:
    """Delete challenges of guests that had no player after a day."""
    old = ChallengeRow.objects.filter(match=None, joins=None, made_at__lt=now() - DAY)
    old.filter(by__is_guest=True).delete()
