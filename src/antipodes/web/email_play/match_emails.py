"""E-mails with boards: replies to players, and notifications to users who play by e-mail."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse
from django.utils import translation

from antipodes.mail.layout import Answer, BoardReport, PlayerLine, board_subject
from antipodes.mail.layout.board import board_answer
from antipodes.mail.layout.html import digest_html, html_of
from antipodes.mail.layout.replies import digest_head, submission_answer, write_digest
from antipodes.mail.layout.text import write
from antipodes.match import ANY, ConditionalMoves, Event, Match, Moved, TakenBack, read_event
from antipodes.match.sentences import key_of, sentence_about
from antipodes.web.accounts.models import User
from antipodes.web.email_play.bounces import return_address
from antipodes.web.email_play.context import CommandContext, EmailContent, build_email
from antipodes.web.email_play.models import MailPlayRow, MailThreadRow
from antipodes.web.email_play.reply_addresses import command_address, receives_mail, reply_address
from antipodes.web.matches.following import watchers_of_match
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.notifications import preferences
from antipodes.web.notifications.email_message import PNG, SVG, Attachment, EmailMessage, drawing_of
from antipodes.web.notifications.emails import absolute_url, site_domain
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import EmailRow, NotificationRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.selectors import ratings_by_user
from antipodes.web.relations.services import blocked_by_or_blocking
from antipodes.web.tournaments.selectors import pairing_of
from antipodes.web.tournaments.tables import points_text

# Replies to commands of e-mails, in their words.
_OF_COMMANDS = {
    "conditional-moves-set": "Your conditional moves were saved.",
    "conditional-moves-removed": "Your conditional moves were dropped.",
    "conditional-moves-dropped": "Your conditional moves were no longer legal, and were dropped.",
    "resignation-queued": "You resign when your turn comes; to cancel this, resign again.",
    "resignation-cancelled": "You no longer resign when your turn comes.",
}


def sentences(
    snapshot: MatchSnapshot, events: Sequence[Event], viewer: int | None, side: int = 0
) -> tuple[str, ...]:
    """Return sentences about the latest events of a match, in their order.

    Args:
        snapshot: the match after the events.
        events: the events; other players' private ones are left out.
        viewer: the reader's seat; ``None`` for spectators.
        side: the seat as which the reader sees the board.
    """
    names = [seat.name for seat in snapshot.seats]
    moves = iter(_move_texts(snapshot, events, side))
    said = []
    for event in events:
        move = next(moves) if isinstance(event, Moved) else ""
        if event.is_for(viewer):
            player = None if event.seat is None else names[event.seat]
            is_own = event.seat is not None and event.seat == viewer
            phrase = sentence_about(
                event,
                player,
                is_own=is_own,
                move=move,
                takeback_to=snapshot.match.takeback_to,
            )
            said.append(_OF_COMMANDS.get(key_of(event)) or str(phrase or ""))
    return tuple(filter(None, said))


def _move_texts(snapshot: MatchSnapshot, events: Sequence[Event], side: int) -> list[str]:
    """Return the texts of the moves among the last events of a match, as a seat sees the board."""
    count = sum(isinstance(event, Moved) for event in events)
    if not side and not any(isinstance(event, TakenBack) for event in events):
        shown = snapshot.moves[len(snapshot.moves) - count :]
        return [str(json.loads(move)["text"]) for move in shown]
    # The snapshot lacks moves that were taken back, and has the texts of the first seat only.
    row = snapshot.row
    texts = []
    match = Match.begun(snapshot.match.terms, row.begun_at)
    for data in row.events.filter(number__lt=row.version).values_list("data", flat=True):
        event = read_event(data)
        if isinstance(event, Moved):
            texts.append(match.position.format_move(event.move, side))
        match = match.after(event)
    return texts[len(texts) - count :]


def board_attachments(answer: Answer, cid: str, name: str) -> tuple[Attachment, ...]:
    """Return the board in an answer as a PNG, which the HTML part shows, and as an SVG.

    Args:
        answer: the body of the e-mail.
        cid: Content-ID of the PNG, without brackets.
        name: of the files, without extension.
    """
    png = board_png(answer, cid, name)
    svg = Attachment(cid=f"svg.{cid}", name=f"{name}.svg", type=SVG, drawing=png.drawing)
    return png, svg


def board_png(answer: Answer, cid: str, name: str) -> Attachment:
    """Return the board in an answer as a PNG, which is drawn when the e-mail is sent.

    Raises:
        ValueError: the answer has no board.
    """
    picture = answer.picture
    if picture is None:
        raise ValueError("there is no board in this answer")
    drawing = drawing_of(picture.position.game, picture.moves, picture.side, picture.setup)
    return Attachment(cid=cid, name=f"{name}.png", type=PNG, drawing=drawing)


LANGUAGE = "en-gb"  # of all play by e-mail, since programs read these e-mails too

_MAX_SENTENCES = 8  # about events since the last e-mail
_MAX_CHAT_LINES = 20
_MAX_WATCHERS = 30  # names
_MAX_PICTURES = 6  # in a digest

# The board or its events show these notifications, so they need no sentence.
_SHOWN = frozenset(
    {
        NotificationKind.YOUR_TURN,
        NotificationKind.MATCH_ENDED,
        NotificationKind.OFFER,
        NotificationKind.CHAT,
        NotificationKind.FLAG_FELL,
    }
)
_SHOWN_ACTS = frozenset({"moved", "over"})  # of matches that the user watches
# Notifications that tell nothing new to users who got the board already.
_BEGINNINGS = frozenset({NotificationKind.MATCH_BEGAN, NotificationKind.FOLLOWED_PLAYS})

english = partial(translation.override, LANGUAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadState:
    """The state of a user's e-mails about a match: what they have shown so far.

    Attributes:
        version: number of events.
        line: the last chat line.
        is_known: whether the user got an e-mail with the board.
    """

    version: int = 0
    line: int = 0
    is_known: bool = False


def thread_state(user: User, row: MatchRow) -> ThreadState:
    """Return what a user's e-mails about a match have shown so far."""
    rows = MailThreadRow.objects.filter(user=user, match=row)
    found = rows.values_list("mailed_version", "mailed_chat_line").first()
    if found is None:
        return ThreadState()
    return ThreadState(version=found[0], line=found[1], is_known=True)


def mark_mailed(user: User, snapshot: MatchSnapshot, line: int) -> None:
    """Store that an e-mail to a user shows a match and its chat up to a line."""
    row = MailThreadRow(
        user=user, match=snapshot.row, mailed_version=snapshot.version, mailed_chat_line=line
    )
    MailThreadRow.objects.bulk_create(
        [row],
        update_conflicts=True,
        unique_fields=["user", "match"],
        update_fields=["mailed_version", "mailed_chat_line"],
    )


def viewer_seat(snapshot: MatchSnapshot, user: User | None) -> int | None:
    """Return a user's seat, if several that to move; ``None`` for spectators."""
    seats = snapshot.seats_of(user.pk) if user is not None else ()
    to_move = snapshot.match.seat_to_move
    return to_move if to_move in seats else next(iter(seats), None)


def board_report(
    snapshot: MatchSnapshot,
    user: User | None,
    *,
    news: Sequence[str] = (),
    comments: Sequence[tuple[str, str]] = (),
) -> BoardReport:
    """Return the contents of an e-mail about a match.

    Args:
        snapshot: the match.
        user: the reader; ``None`` for anonymous ones.
        news: sentences about the latest events.
        comments: names and chat messages.
    """
    row = snapshot.row
    viewer = viewer_seat(snapshot, user)
    side = side_of(snapshot, user)
    watchers = watchers_of_match(row).values_list("username", flat=True)
    return BoardReport(
        number=row.pk,
        match=snapshot.match,
        players=_players(snapshot),
        now=now(),
        link=absolute_url(reverse("match", args=[row.slug])),
        viewer=viewer,
        news=tuple(news),
        queued="" if viewer is None else queued_text(snapshot.match, viewer, side),
        followers=tuple(watchers.order_by("username")[:_MAX_WATCHERS]),
        comments=tuple(comments),
        address="" if viewer is None else command_address(),
        series=_series(row),
        tournament=_tournament(row),
        side=side,
    )


def _players(snapshot: MatchSnapshot) -> tuple[PlayerLine, ...]:
    row = snapshot.row
    changes = {}
    if row.rated and row.ended_at is not None:
        changes = {change.user_id: change for change in RatingChange.objects.filter(match=row)}
    users = {seat.user for seat in snapshot.seats if not seat.computer}
    category = row.game_id, speed_of_text(row.control), board_class_of(snapshot.match.terms.game)
    ratings = ratings_by_user(users, *category)
    players = []
    for seat in snapshot.seats:
        rating, change = ratings.get(seat.user), changes.get(seat.user)
        players.append(
            PlayerLine(
                name=seat.name,
                rating=rating.text if rating is not None and rating.games else "",
                before=None if change is None else round(change.value_before),
                after=None if change is None else round(change.value),
            )
        )
    return tuple(players)


def _series(row: MatchRow) -> str:
    series = row.series
    if series is None:
        return ""
    scores = " : ".join(str(score) for score in series.scores)
    return f"match play to {series.target} points, {scores}"


def _tournament(match: MatchRow) -> str:
    """Name the event, round, game and score of a match in English; empty if it has no event."""
    line = pairing_of(match)
    if line is None:
        return ""
    row = line.row.tournament
    parts = [row.title] if row.is_continuous else [row.title, f"round {line.row.round}"]
    number = next(one.number for one in line.games if one.match_id == match.pk)
    if line.row.bout.is_series:
        parts.append(f"game {number} ({line.row.bout.name})")
    if line.row.bout.is_series and line.score is not None:
        names = [one.user.name for one in line.row.players]
        first, second = map(points_text, line.score)
        parts.append(f"{names[0]} {first} : {second} {names[1]}")
    return ", ".join(parts)


def queued_text(match: Match, seat: int, side: int) -> str:
    """Return a player's conditional moves as text, as ``side`` sees the board.

    It is empty if there is none, or more than one line.
    """
    line = _only_line(match.conditional_moves[seat])
    if not line:
        return ""
    position = match.position
    texts = []
    for move in line:
        if move == ANY:
            continue
        texts.append(position.describe_move(move, side))
        if position.why_illegal(move) is None:
            position = position.play(move)
    return " ".join(texts)


def _only_line(moves: ConditionalMoves) -> list[int]:
    """Return the conditional moves if they are one line, else nothing."""
    line = []
    while moves.branches:
        if len(moves.branches) > 1:
            return []
        line.append(moves.branches[0].move)
        moves = moves.branches[0].then
    return line


def comments_since(
    snapshot: MatchSnapshot, user: User, line: int
) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return names and texts of the chat after a line, and the number of the last line.

    Successive lines of one user are joined. Spectators read the spectators' room, and after the end
    everyone reads both rooms, as on the site.
    """
    rows = ChatLine.objects.filter(match=snapshot.row, pk__gt=line, hidden=None)
    if snapshot.match.result is None:
        is_seated = bool(snapshot.seats_of(user.pk))
        rows = rows.filter(room=ChatLine.Room.SEATED if is_seated else ChatLine.Room.SPECTATORS)
    rows = rows.exclude(user__in=blocked_by_or_blocking(user)).select_related("user")
    comments: list[tuple[str, list[str]]] = []
    last = line
    for row in reversed(rows.order_by("-pk")[:_MAX_CHAT_LINES]):
        last = max(last, row.pk)
        if not comments or comments[-1][0] != row.user.name:
            comments.append((row.user.name, []))
        comments[-1][1].append(row.text)
    return tuple((name, "\n".join(lines)) for name, lines in comments), last


def board_content(
    report: BoardReport, user: User | None, answer: Answer | None = None
) -> EmailContent:
    """Return an e-mail about a board, with pictures.

    Args:
        report: the board.
        user: the reader; the subject is the beginning of their next command.
        answer: the body; by default the board with the state of the match.
    """
    name = user.username if user is not None else ""
    subject = board_subject(report.match.terms.game.id, report.number, name).strip()
    return email_content(subject, answer or board_answer(report), report.link)


def email_content(subject: str, answer: Answer, link: str = "") -> EmailContent:
    """Return an answer as an e-mail with plain text and HTML.

    Args:
        subject: the subject.
        answer: the body.
        link: the page that it is about, if any.
    """
    cid = ""
    attachments: tuple[Attachment, ...] = ()
    if answer.picture is not None:
        cid = _cid_of(answer)
        attachments = board_attachments(answer, cid, "board")
    return EmailContent(
        subject=subject,
        text=write(answer),
        html=html_of(answer, cid, link=link),
        attachments=attachments,
    )


def _cid_of(answer: Answer) -> str:
    """Return the Content-ID of the board in an answer."""
    return f"{hashlib.sha256(write(answer).encode()).hexdigest()[:20]}@{site_domain()}"


def events_since(row: MatchRow, version: int) -> list[Event]:
    rows = row.events.filter(number__gte=version, number__lt=row.version).order_by("number")
    return [read_event(data) for data in rows.values_list("data", flat=True)]


def reply_with_board(
    context: CommandContext,
    snapshot: MatchSnapshot,
    *,
    news: Sequence[str] = (),
    submitted: int | None = None,
) -> None:
    """Reply to a command with the board, and the chat since the last e-mail.

    Args:
        context: the command.
        snapshot: the match as it is now.
        news: sentences about the latest events.
        submitted: a submitted move; the picture shows the board after it.
    """
    user = context.reader
    comments: tuple[tuple[str, str], ...] = ()
    if user is not None and context.user == user:
        before = thread_state(user, snapshot.row)
        comments, line = comments_since(snapshot, user, before.line)
        mark_mailed(user, snapshot, line)
    report = board_report(snapshot, context.user, news=news, comments=comments)
    answer = None if submitted is None else submission_answer(report, submitted)
    content = board_content(report, user, answer)
    context.reply(
        content.subject, content.text, content.html, content.attachments, about=snapshot.row
    )


class BoardEmails:
    """Backend of `antipodes.web.notifications.mail_play`: notifications by e-mail with boards."""

    def plays(self, user: User) -> bool:
        """Return whether a user plays by e-mail."""
        return MailPlayRow.objects.filter(user=user, is_on=True).exists()

    def headers(self, user: User, row: MatchRow) -> dict[str, str]:
        """Return the reply address if the user plays in the match."""
        if not receives_mail() or not row.seats.filter(user=user).exists():
            return {}
        return {"Reply-To": reply_address(user, row)}

    def return_path(self, email: EmailRow) -> str:
        """Return the bounce address of an e-mail."""
        return return_address(email)

    def board_email(
        self, user: User, to: str, rows: Sequence[NotificationRow]
    ) -> EmailMessage | None:
        """Return the e-mail with boards; ``None`` if the user has received everything in it."""
        with english():
            groups = (_unsent(user, group) for group in _by_match(rows))
            boards = [board for board in groups if board is not None]
            others = [text_of(row) for row in rows if row.match is None]
            if not boards and not others:
                return None
            if len(boards) == 1 and not others:
                board = boards[0]
                key = f"board {user.pk} {rows[0].pk} {rows[-1].pk}"
                content = board_content(board.report, user)
                return build_email(content, key=key, to=to, user=user, about=board.snapshot.row)
            key = f"digest {user.pk} {rows[0].pk} {rows[-1].pk}"
            return build_email(_digest(user, boards, others), key=key, to=to, user=user)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unsent:
    """A match, with the events and comments that a user has not received yet."""

    snapshot: MatchSnapshot
    report: BoardReport


def _by_match(rows: Sequence[NotificationRow]) -> list[list[NotificationRow]]:
    groups: dict[int, list[NotificationRow]] = {}
    for row in rows:
        if row.match_id is not None:
            groups.setdefault(row.match_id, []).append(row)
    return list(groups.values())


def _unsent(user: User, rows: Sequence[NotificationRow]) -> _Unsent | None:
    """Return what to send for notifications about one match, and mark it as sent."""
    match = rows[0].match
    assert match is not None
    snapshot = look_up(match.slug)
    before = thread_state(user, match)
    viewer = viewer_seat(snapshot, user)
    events = [one for one in events_since(snapshot.row, before.version) if one.is_for(viewer)]
    comments, line = comments_since(snapshot, user, before.line)
    needed = [row for row in rows if _needs_sentence(row, before)]
    if not (events or comments or needed):
        return None
    side = side_of(snapshot, user)
    played = sentences(snapshot, events, viewer, side)[-_MAX_SENTENCES:]
    mark_mailed(user, snapshot, line)
    began = [text_of(row) for row in needed if row.kind in _BEGINNINGS]
    others = [text_of(row) for row in needed if row.kind not in _BEGINNINGS]
    report = board_report(snapshot, user, news=[*began, *played, *others], comments=comments)
    return _Unsent(snapshot=snapshot, report=report)


def _needs_sentence(row: NotificationRow, before: ThreadState) -> bool:
    """Return whether a notification says something that the board and its events do not."""
    if row.kind in _SHOWN or row.arguments.get("act") in _SHOWN_ACTS:
        return False
    return row.kind not in _BEGINNINGS or not before.is_known


def _digest(user: User, boards: Sequence[_Unsent], others: Sequence[str]) -> EmailContent:
    """Return an e-mail about several boards, first those where it is the user's turn."""
    reports = sorted(
        (with_reply_address(board.report, board.snapshot, user) for board in boards),
        key=_can_wait,
    )
    waiting = sum(not _can_wait(report) for report in reports)
    headline = f"Boards that wait for you: {waiting}. Other boards: {len(reports) - waiting}."
    more = [*others]
    if any(report.reply_to for report in reports):
        more.append("To make a move, write to the address after Reply at its board.")
    return digest_content("Antipodes: news of your boards", reports, headline=headline, more=more)


def _can_wait(report: BoardReport) -> bool:
    return report.viewer is None or report.viewer != report.match.seat_to_move


def with_reply_address(report: BoardReport, snapshot: MatchSnapshot, user: User) -> BoardReport:
    """Return the report for a digest: with the reply address if the user plays there."""
    if report.viewer is None:
        return report
    return replace(report, reply_to=reply_address(user, snapshot.row))


def digest_content(
    subject: str, reports: Sequence[BoardReport], *, headline: str, more: Sequence[str] = ()
) -> EmailContent:
    """Return an e-mail about several boards; the HTML shows pictures of the first ones.

    Args:
        subject: the subject.
        reports: the boards.
        headline: says which boards they are.
        more: further sentences.
    """
    pictures: list[Attachment] = []
    boards = []
    for report in reports:
        answer, cid = board_answer(report), ""
        if len(pictures) < _MAX_PICTURES:
            cid = _cid_of(answer)
            pictures.append(board_png(answer, cid, f"board-{report.number}"))
        boards.append((answer, cid, report.link))
    return EmailContent(
        subject=subject,
        text=write_digest(reports, headline=headline, more=more),
        html=digest_html(digest_head(reports, headline=headline, more=more), boards),
        attachments=tuple(pictures),
    )


def play_by_mail(user: User, *, on: bool) -> None:
    """Switch play by e-mail on or off for a user.

    Switching it on also selects an e-mail for each board; the user may choose a digest later.
    """
    MailPlayRow.objects.update_or_create(user=user, defaults={"is_on": on})
    if on:
        preferences.change_preferences(user, frequency=Frequency.EACH)
