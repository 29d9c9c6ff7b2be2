"""Following by mail: boards of others after each move, and news of those who seek an opponent."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import F, Q

from antipodes.clocks import Pace, read_control
from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.mail.layout import write_challenges, write_news, write_table
from antipodes.mail.requests import Verb, read_board
from antipodes.web.accounts.models import User
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.selectors import listed_for
from antipodes.web.email_play.commands.confirmations import DAY, make_slip
from antipodes.web.email_play.commands.emails import paragraphs, reachable, write
from antipodes.web.email_play.commands.lines import challenge_line, subject
from antipodes.web.email_play.context import CommandContext, EmailContent, handles
from antipodes.web.email_play.match_emails import (
    board_content,
    board_report,
    english,
    mark_mailed,
    thread_state,
)
from antipodes.web.email_play.models import ConfirmationRow, MailWatchRow, SeekAlertRow
from antipodes.web.email_play.reply_addresses import receives_mail
from antipodes.web.matches.access import may_watch, visible_to
from antipodes.web.matches.following import follow_match, unfollow_match
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)

_MOST_LINES = 50
_AT_ONCE = 200  # letters of one round
# A challenge that is being written while we look has an earlier time, and is seen a bit later.
_OVERLAP = 60_000  # milliseconds
_ON, _OFF = "on", "off"


@handles(Verb.SUBSCRIBE)
def subscribe(context: CommandContext) -> None:
    """Follow boards: each move of theirs brings a letter."""
    user = context.require_user()
    rows = _boards(context, user)
    if not rows:
        _answer_subscriptions(context, user)
        return
    for row in rows:
        follow_match(user, row, each_move=True)
        watch = WatchRow.objects.get(match=row, user=user)
        MailWatchRow.objects.get_or_create(watch=watch, defaults={"mailed_version": row.version})
    numbers = _numbers(rows)
    said = [f"You follow board {numbers} now: each move comes by mail, of live games the end."]
    context.reply(subject(f"you follow board {numbers}"), write_news(said))


@handles(Verb.UNSUBSCRIBE)
def unsubscribe(context: CommandContext) -> None:
    """Follow boards no longer."""
    user = context.require_user()
    rows = _boards(context, user)
    if not rows:
        message = "say which board you mean, by its number; subscribe alone lists them"
        raise InputError.single("mail/no-number", message)
    for row in rows:
        if not WatchRow.objects.filter(match=row, user=user).exists():
            message = f"you do not follow board {row.pk}"
            raise InputError.single("mail/not-followed", message)
        unfollow_match(user, row)
    numbers = _numbers(rows)
    said = [f"You follow board {numbers} no longer, here and on the site."]
    context.reply(subject(f"you no longer follow board {numbers}"), write_news(said))


def _boards(context: CommandContext, user: User) -> list[MatchRow]:
    request = context.request
    named = [read_board(word) for word in request.words]
    numbers = [number for number in (request.board, *(one[0] for one in named if one)) if number]
    found = []
    for number in dict.fromkeys(numbers):
        row = MatchRow.objects.filter(visible_to(user), pk=number).first()
        if row is None:
            raise InputError.single("mail/no-such-board", f"there is no board {number}")
        found.append(row)
    return found


def _numbers(rows: list[MatchRow]) -> str:
    return ", ".join(str(row.pk) for row in rows)


def _answer_subscriptions(context: CommandContext, user: User) -> None:
    rows = MailWatchRow.objects.filter(watch__user=user, is_done=False)
    lines = [(str(row.watch.match_id), row.watch.match.game_id) for row in rows]
    text = write_table("Boards that you follow by mail.", "Subscriptions", ("Board", "Game"), lines)
    context.reply(subject("boards that you follow"), text)


@handles(Verb.NOTIFY)
def notify(context: CommandContext) -> None:
    """Be told by mail when an opponent is sought for a game, or no longer."""
    user, request = context.require_user(), context.request
    words = [word.lower() for word in request.words]
    named = [request.game] if request.game else [w for w in words if w not in {_ON, _OFF}]
    if named or _OFF in words:
        chosen = [game_class(name).id for name in named] or list(game_ids())
        if _OFF in words:
            SeekAlertRow.objects.filter(user=user, game_id__in=chosen).delete()
        else:
            for game_id in chosen:
                SeekAlertRow.objects.get_or_create(
                    user=user, game_id=game_id, defaults={"checked_at": now()}
                )
    games = ", ".join(user.seek_alerts.values_list("game_id", flat=True)) or "no game"
    said = [f"You are written to when an opponent is sought for: {games}."]
    context.reply(subject("when an opponent is sought"), write_news(said))


@every(5)
def mail_followed_boards() -> None:
    """Mail boards on which something has happened to those who follow them by mail."""
    has_news = Q(watch__match__version__gt=F("mailed_version")) | Q(watch__match__ended_at__gt=0)
    waiting = MailWatchRow.objects.filter(has_news, is_done=False)
    for key in list(waiting.values_list("pk", flat=True)[:_AT_ONCE]):
        try:
            with transaction.atomic(), english():
                _mail_board(key)
        except Exception:
            logger.exception("the followed board of subscription %s was not mailed", key)


def _mail_board(key: int) -> None:
    rows = MailWatchRow.objects.select_for_update(of=("self",), skip_locked=True)
    row = rows.select_related("watch__user", "watch__match__series").filter(pk=key).first()
    if row is None or row.is_done:
        return
    match, user = row.watch.match, row.watch.user
    is_over = match.ended_at is not None
    is_live = read_control(match.control).pace is Pace.LIVE
    standing = snapshot_of(match)
    last = standing.match.moves[-1].at if standing.match.moves else 0
    folder = thread_state(user, match)
    # Whoever plays by mail may have had the board from the notices already.
    is_told = folder.is_known and folder.version >= match.version
    to = None if is_told else reachable(user)
    if to is not None and (is_over or not is_live) and may_watch(match, user):
        mark_mailed(user, standing, folder.line)
        letter = board_content(board_report(standing, user, news=_news(match)), user)
        # Named after the move and not the version: offers and the like bring no letter.
        name = f"followed {match.pk} {user.pk} {standing.match.ply} {last} {int(is_over)}"
        write(to, user, letter, key=name, about=match)
    row.mailed_version, row.is_done = match.version, is_over
    row.save(update_fields=["mailed_version", "is_done"])


def _news(match: MatchRow) -> list[str]:
    return [f"You follow this board; to stop: unsubscribe {match.pk}."]


@every(30)
def mail_sought_opponents() -> None:
    """Write to those who want to know of them: challenges to anybody that are new."""
    if not receives_mail():
        return
    with english():
        for row in SeekAlertRow.objects.select_related("user"):
            with transaction.atomic():
                _tell_of_new(row)


def _tell_of_new(row: SeekAlertRow) -> None:
    at, user = now(), row.user
    viewer = Viewer(user)
    fresh = listed_for(viewer).filter(game_id=row.game_id, made_at__gte=row.checked_at - _OVERLAP)
    found = [one for one in fresh[:_MOST_LINES] if why_not(one, viewer) is None]
    to = reachable(user) if found else None
    told = ConfirmationRow.objects.filter(user=user, challenge__in=found)
    known = set(told.values_list("challenge", flat=True))
    for one in found if to is not None else ():
        if one.pk in known:
            continue
        headline = f"{one.by.name} seeks an opponent for {one.game.title}."
        how = "Reply with the word accept in the first line to play."
        stop = f"No more of these: {row.game_id} notify {user.username} TOKEN off"
        letter = EmailContent(
            subject=subject(f"{one.by.name} seeks an opponent for {one.game.title}"),
            text=paragraphs(write_challenges(headline, [challenge_line(one)]), [how, stop]),
        )
        slip = make_slip(ConfirmationRow.Kind.CHALLENGE, lasts=30 * DAY, user=user, challenge=one)
        write(str(to), user, letter, key=f"sought {one.pk} {user.pk}", slip=slip)
    SeekAlertRow.objects.filter(pk=row.pk, checked_at__lt=at).update(checked_at=at)
