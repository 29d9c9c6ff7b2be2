"""Create and cancel seeks, and pair them into matches.

Seeks are locked in a fixed order while they are paired, so that concurrent processes neither
deadlock nor pair a player twice.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils.translation import gettext as _

from antipodes.clocks import DAY, HOUR, Pace, read_control
from antipodes.errors import Fault, InputError, MatchError
from antipodes.match import Terms
from antipodes.search.levels import Level, levels
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_play
from antipodes.web.challenges.game_limits import users_at_limit
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import announce, store_match
from antipodes.web.matchmaking.models import SeekRow
from antipodes.web.matchmaking.presets import check_clock, preset_game
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import NEW_GAMES, take
from antipodes.web.platform.outages import optional_write
from antipodes.web.ratings.classes import BoardClass, speed_of_text
from antipodes.web.ratings.selectors import rating_of
from antipodes.web.relations.models import BlockRow

# Differences of ratings, in points. The range begins narrow and grows with the waiting time, since
# on a small site no closer opponent may come.
_INITIAL_REACH = 150.0
_DEVIATION_SHARE = 0.5  # share of the deviation that widens the range of uncertain ratings
_PER_SECOND = 10.0  # live
_PER_HOUR = 25.0  # correspondence
_SECOND = 1_000  # milliseconds

# Batches of this size are paired optimally; larger ones would take too long.
_BATCH = 12


# Pairing is a pure function: it reads neither the clock nor the database, and the same seekers
# always give the same pairs.


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """A player in a pool of seeks of the same game.

    Attributes:
        key: id of the seek.
        user: id of the user.
        rating: in points.
        deviation: of the rating, in points.
        waited: waiting time in milliseconds.
        is_guest: whether the player has no account.
        is_bot: whether the player is a program.
    """

    key: int
    user: int
    rating: float
    deviation: float
    waited: int
    is_guest: bool = False
    is_bot: bool = False


def reach(seeker: Seeker, *, is_live: bool) -> float:
    """Return the accepted rating difference, which grows with the waiting time."""
    waited = max(0, seeker.waited)
    more = _PER_SECOND * waited / _SECOND if is_live else _PER_HOUR * waited / HOUR
    return _INITIAL_REACH + _DEVIATION_SHARE * seeker.deviation + more


def pair_up(
    seekers: Sequence[Seeker],
    *,
    is_live: bool,
    is_rated: bool,
    is_barred: Callable[[int, int], bool] = lambda one, other: False,  # noqa: ARG005
) -> list[tuple[Seeker, Seeker]]:
    """Return the pairs of one round.

    Each seeker is in one pair at most. Two seekers fit if the difference of their ratings is at
    most the mean of their reaches, neither has blocked the other, and in a rated game neither is a
    guest and both or none are bots, since a seek is no consent to play a bot.

    Longer waiting seekers have priority: no other set of pairs includes an earlier seeker in place
    of later ones. Among such sets the one with the smallest sum of differences is chosen. With many
    seekers this holds within each batch.

    Args:
        seekers: the seekers of one pool.
        is_live: whether they wait at the page.
        is_rated: whether the game is rated.
        is_barred: returns whether one user has blocked another; called in both directions.
    """

    def fits(first: Seeker, other: Seeker) -> bool:
        mean = (reach(first, is_live=is_live) + reach(other, is_live=is_live)) / 2
        return (
            first.user != other.user
            and not (
                is_rated and (first.is_guest or other.is_guest or first.is_bot != other.is_bot)
            )
            and abs(first.rating - other.rating) <= mean
            and not is_barred(first.user, other.user)
            and not is_barred(other.user, first.user)
        )

    left = sorted(seekers, key=lambda seeker: (-seeker.waited, seeker.key))
    pairs: list[tuple[Seeker, Seeker]] = []
    # Pair within batches first, then the remaining seekers across batches.
    for start in range(0, len(left), _BATCH):
        pairs += _best(_unpaired(left[start : start + _BATCH], pairs), fits)
    waiting = _unpaired(left, pairs)
    while waiting:
        first = waiting.pop(0)
        fitting = [other for other in waiting if fits(first, other)]
        if fitting:
            pairs.append((first, min(fitting, key=lambda other: abs(other.rating - first.rating))))
            waiting = _unpaired(waiting, pairs)
    return pairs


def _unpaired(seekers: Sequence[Seeker], pairs: Sequence[tuple[Seeker, Seeker]]) -> list[Seeker]:
    users = {seeker.user for pair in pairs for seeker in pair}
    return [seeker for seeker in seekers if seeker.user not in users]


def _best(
    batch: Sequence[Seeker], fits: Callable[[Seeker, Seeker], bool]
) -> list[tuple[Seeker, Seeker]]:
    """Return the best pairs of one batch, given in the order of waiting."""
    count = len(batch)
    fitting = {
        (first, other)
        for first in range(count)
        for other in range(first + 1, count)
        if fits(batch[first], batch[other])
    }

    @cache
    def best(free: int) -> tuple[int, float, tuple[tuple[int, int], ...]]:
        """Return the paired seekers as bits (longest waiting highest), the cost, and the pairs."""
        if not free:
            return 0, 0.0, ()
        # The lowest bit is the seeker who has waited longest. That one stays alone, or meets one of
        # those after it: so each set of pairs is considered once.
        first = (free & -free).bit_length() - 1
        later = free & (free - 1)
        choices = [best(later)]
        for other in range(first + 1, count):
            if later >> other & 1 and (first, other) in fitting:
                users = {batch[first].user, batch[other].user}
                # A player may have several seeks in a pool; a pair takes all of them.
                mates = sum(
                    1 << k for k in range(count) if later >> k & 1 and batch[k].user in users
                )
                covered, cost, pairs = best(later & ~mates)
                # In reversed order, so that as a number an earlier seeker outweighs all later ones.
                both = 1 << (count - 1 - first) | 1 << (count - 1 - other)
                gap = abs(batch[first].rating - batch[other].rating)
                choices.append((covered | both, cost + gap, (*pairs, (first, other))))
        return min(choices, key=lambda choice: (-choice[0], choice[1]))

    _, _, pairs = best((1 << count) - 1)
    return [(batch[one], batch[other]) for one, other in sorted(pairs)]


# All times in milliseconds.
TIMEOUT = 10_000  # a player whose page sends no request for longer has left
_SEEN_INTERVAL = 3_000  # minimum interval between updates of `seen_at`
_KEEP_PAIRED = HOUR  # paired seeks, for pages that ask late
_LONGEST = 30 * DAY  # correspondence seeks

MOST_SEEKS = 10  # correspondence seeks of one user
_POOL = ("game_id", "board", "control", "rated")

Pool = Mapping[str, Any]


def seek(user: User, *, game_id: str, board: str, control: str, rated: bool) -> SeekRow:
    """Create a seek; the match may start at once.

    An identical seek of the same user is kept. A live seek replaces the user's other live seek.

    Args:
        user: the player.
        game_id: the game.
        board: the class of boards.
        control: the time control.
        rated: whether the game is rated.

    Raises:
        InputError: there are no such seeks, or this user may not have one.
        TooManyError: the user has begun too many games.
    """
    preset_game(game_id, board)
    is_live = read_control(check_clock(control)).pace is Pace.LIVE
    check_may_play(user)
    if rated and user.is_guest:
        message = _("this game is rated; sign up to play it")
        raise MatchError([Fault("match/rated", message)])
    pool = {"game_id": game_id, "board": board, "control": control, "rated": rated}
    rating = rating_of(user, game_id, speed_of_text(control), BoardClass(board))
    current = {"rating": rating.value, "deviation": rating.deviation, "seen_at": now()}
    with transaction.atomic():
        # Lock the user, so that a double click creates one seek.
        User.objects.select_for_update().get(pk=user.pk)
        mine = SeekRow.objects.filter(user=user, match=None)
        row = mine.filter(**pool).first()
        if row is not None:
            mine.filter(pk=row.pk).update(**current)
        else:
            take(NEW_GAMES, str(user.pk))
            _make_room(user, is_live=is_live)
            row = SeekRow.objects.create(
                user=user, is_live=is_live, entered_at=now(), **pool, **current
            )
    pair_pool(pool)
    row.refresh_from_db()
    return row


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
    seeker = Seeker(
        key=row.pk, user=row.user_id, rating=row.rating, deviation=row.deviation, waited=waited
    )
    return reach(seeker, is_live=row.is_live)


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
    present = [row for row in rows if not row.is_live or at - row.seen_at <= TIMEOUT]
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
        [
            Seeker(
                key=row.pk,
                user=row.user_id,
                rating=row.rating,
                deviation=row.deviation,
                waited=at - row.entered_at,
                is_guest=row.user.is_guest,
                is_bot=row.user.is_bot,
            )
            for row in rows
        ],
        is_live=rows[0].is_live,
        is_rated=rows[0].rated,
        is_barred=lambda user, other: (user, other) in barred,
    )
    return [(by_key[first.key], by_key[second.key]) for first, second in pairs]


def _begin(seek: SeekRow, other: SeekRow) -> MatchRow | None:
    """Store the match of a pair, unless one of the players may not play any more."""
    barred = [row for row in (seek, other) if not _may_play(row.user)]
    if barred:
        SeekRow.objects.filter(pk__in=[row.pk for row in barred]).delete()
        return None
    pair = (seek, other) if secrets.randbelow(2) else (other, seek)
    terms = Terms(
        game=preset_game(seek.game_id, seek.board),
        players=tuple(str(row.user_id) for row in pair),
        control=read_control(seek.control),
        rated=seek.rated,
    )
    match = store_match(terms, [row.user for row in pair])
    SeekRow.objects.filter(pk__in=[row.pk for row in pair]).update(match=match)
    return match


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
