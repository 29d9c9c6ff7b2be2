"""Commands that follow games of others, and e-mails about their moves and about new seeks."""

from __future__ import annotations

import logging

from django.db import transaction
from django.db.models import F, Q

from antipodes.clocks import DAY, MINUTE, Pace, read_control
from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.mail.layout import write_challenges, write_news, write_table
from antipodes.mail.requests import read_board
from antipodes.web.accounts.models import User
from antipodes.web.challenges.eligibility import Viewer, why_not
from antipodes.web.challenges.selectors import listed_for
from antipodes.web.email_play.commands.emails import (
    challenge_line,
    create_confirmation,
    paragraphs,
    reachable_address,
    send,
    subject,
)
from antipodes.web.email_play.context import CommandContext, EmailContent
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

logger = logging.getLogger(__name__)

_MAX_SEEKS = 50
_MAX_MAILS = 200  # in one round
# A challenge whose transaction commits during a round has an earlier time than the round.
_OVERLAP = MINUTE  # milliseconds
_ON, _OFF = "on", "off"


def subscribe(context: CommandContext) -> None:
    """Follow boards by e-mail; without a number, list those that the sender follows."""
    user = context.require_user()
    rows = _boards(context, user)
    if not rows:
        _reply_with_subscriptions(context, user)
        return
    for row in rows:
        follow_match(user, row, each_move=True)
        watch = WatchRow.objects.get(match=row, user=user)
        MailWatchRow.objects.get_or_create(watch=watch, defaults={"mailed_version": row.version})
    numbers = _numbers(rows)
    text = f"You follow board {numbers}: you get a mail for each move, or for the end if live."
    context.reply(subject(f"you follow board {numbers}"), write_news([text]))


def unsubscribe(context: CommandContext) -> None:
    """Unfollow boards."""
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
    text = f"You no longer follow board {numbers}, neither here nor on the site."
    context.reply(subject(f"you no longer follow board {numbers}"), write_news([text]))


def _boards(context: CommandContext, user: User) -> list[MatchRow]:
    request = context.request
    named = [read_board(word) for word in request.words]
    numbers = [number for number in (request.board, *(one[0] for one in named if one)) if number]
    rows = []
    for number in dict.fromkeys(numbers):
        row = MatchRow.objects.filter(visible_to(user), pk=number).first()
        if row is None:
            raise InputError.single("mail/no-such-board", f"there is no board {number}")
        rows.append(row)
    return rows


def _numbers(rows: list[MatchRow]) -> str:
    return ", ".join(str(row.pk) for row in rows)


def _reply_with_subscriptions(context: CommandContext, user: User) -> None:
    rows = MailWatchRow.objects.filter(watch__user=user, is_done=False)
    lines = [(str(row.watch.match_id), row.watch.match.game_id) for row in rows]
    text = write_table("Boards that you follow by mail.", "Subscriptions", ("Board", "Game"), lines)
    context.reply(subject("boards that you follow"), text)


def notify(context: CommandContext) -> None:
    """Switch e-mails about new seeks for a game on or off."""
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
    text = f"You get a mail when a player seeks an opponent for: {games}."
    context.reply(subject("mails about seeks"), write_news([text]))


def mail_followed_boards() -> None:
    """E-mail boards with new moves to the users who follow them by e-mail."""
    has_news = Q(watch__match__version__gt=F("mailed_version")) | Q(watch__match__ended_at__gt=0)
    due = MailWatchRow.objects.filter(has_news, is_done=False)
    for key in list(due.values_list("pk", flat=True)[:_MAX_MAILS]):
        try:
            with transaction.atomic(), english():
                _mail_board(key)
        except Exception:
            logger.exception("followed board not mailed subscription=%s", key)


def _mail_board(key: int) -> None:
    rows = MailWatchRow.objects.select_for_update(of=("self",), skip_locked=True)
    row = rows.select_related("watch__user", "watch__match__series").filter(pk=key).first()
    if row is None or row.is_done:
        return
    match, user = row.watch.match, row.watch.user
    is_over = match.ended_at is not None
    is_live = read_control(match.control).pace is Pace.LIVE
    snapshot = snapshot_of(match)
    last_move_at = snapshot.match.moves[-1].at if snapshot.match.moves else 0
    thread = thread_state(user, match)
    # A user who plays by e-mail may have got the board with a notification.
    is_mailed = thread.is_known and thread.version >= match.version
    to = None if is_mailed else reachable_address(user)
    if to is not None and (is_over or not is_live) and may_watch(match, user):
        mark_mailed(user, snapshot, thread.line)
        news = [f"You follow this board; to stop: unsubscribe {match.pk}."]
        content = board_content(board_report(snapshot, user, news=news), user)
        # The key has the move and not the version, because offers are not mailed.
        name = f"followed {match.pk} {user.pk} {snapshot.match.ply} {last_move_at} {int(is_over)}"
        send(to, user, content, key=name, about=match)
    row.mailed_version, row.is_done = match.version, is_over
    row.save(update_fields=["mailed_version", "is_done"])


def mail_new_seeks() -> None:
    """E-mail new open challenges to the users who asked for them."""
    if not receives_mail():
        return
    with english():
        for row in SeekAlertRow.objects.select_related("user"):
            with transaction.atomic():
                _mail_seeks(row)


def _mail_seeks(row: SeekAlertRow) -> None:
    at, user = now(), row.user
    viewer = Viewer(user)
    recent = listed_for(viewer).filter(game_id=row.game_id, made_at__gte=row.checked_at - _OVERLAP)
    joinable = [one for one in recent[:_MAX_SEEKS] if why_not(one, viewer) is None]
    to = reachable_address(user) if joinable else None
    mailed = ConfirmationRow.objects.filter(user=user, challenge__in=joinable)
    known = set(mailed.values_list("challenge", flat=True))
    for challenge in joinable if to is not None else ():
        if challenge.pk in known:
            continue
        headline = f"{challenge.by.name} seeks an opponent for {challenge.game.title}"
        how = "To play, reply with the word accept in the first line."
        stop = f"To stop these mails: {row.game_id} notify {user.username} TOKEN off"
        content = EmailContent(
            subject=subject(headline),
            text=paragraphs(
                write_challenges(f"{headline}.", [challenge_line(challenge)]), [how, stop]
            ),
        )
        confirmation = create_confirmation(
            ConfirmationRow.Kind.CHALLENGE, lifetime=30 * DAY, user=user, challenge=challenge
        )
        key = f"sought {challenge.pk} {user.pk}"
        send(str(to), user, content, key=key, confirmation=confirmation)
    SeekAlertRow.objects.filter(pk=row.pk, checked_at__lt=at).update(checked_at=at)
