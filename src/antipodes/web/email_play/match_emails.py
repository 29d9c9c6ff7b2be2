"""Letters about boards: answers to whoever plays by mail, and letters that call them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.urls import reverse
from django.utils import translation

from antipodes.mail.layout import BoardReport, PlayerLine, board_subject
from antipodes.mail.layout.board import board_answer
from antipodes.mail.layout.html import digest_html, html_of
from antipodes.mail.layout.items import Answer
from antipodes.mail.layout.replies import digest_head, submission_answer, write_digest
from antipodes.mail.layout.text import write
from antipodes.match import ANY, ConditionalMoves, Event, Match, read_event
from antipodes.web.accounts.models import User
from antipodes.web.email_play.board_images import enclosures_of, picture_of
from antipodes.web.email_play.bounces import return_address
from antipodes.web.email_play.context import Call, Letter, draft_of
from antipodes.web.email_play.event_text import sentences
from antipodes.web.email_play.models import MailPlayRow, MailThreadRow
from antipodes.web.email_play.reply_addresses import command_address, receives_mail, reply_address
from antipodes.web.matches.following import watchers_of_match
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot, look_up
from antipodes.web.matches.viewpoints import side_of
from antipodes.web.notifications import preferences
from antipodes.web.notifications.email_message import Attachment, EmailMessage
from antipodes.web.notifications.emails import absolute_url, site_domain
from antipodes.web.notifications.kinds import Frequency, Kind
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import EmailRow, NotificationRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.selectors import ratings_by_user
from antipodes.web.relations.services import blocked_by_or_blocking

LANGUAGE = "en-gb"  # of all that is written by mail: programs read it too

_MOST_SENTENCES = 8  # of what has happened since the last letter
_MOST_LINES = 20  # of chat in a letter
_MOST_FOLLOWERS = 30  # names in a letter
_MOST_PICTURES = 6  # of a letter about several boards

# What the board itself shows, and what has happened there: it needs no words of the notice.
_SHOWN = frozenset({Kind.YOUR_TURN, Kind.MATCH_ENDED, Kind.OFFER, Kind.CHAT, Kind.FLAG_FELL})
_SHOWN_ACTS = frozenset({"moved", "over"})  # of matches that somebody follows
# What is news only to those who were not mailed the board yet.
_BEGINNINGS = frozenset({Kind.MATCH_BEGAN, Kind.FOLLOWED_PLAYS})

english = partial(translation.override, LANGUAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """How far somebody was told of a match by mail.

    Attributes:
        version: events that they were shown.
        line: the last line of chat that they were sent.
        is_known: whether they were mailed the board at all.
    """

    version: int = 0
    line: int = 0
    is_known: bool = False


def folder_of(user: User, row: MatchRow) -> Folder:
    """Return how far somebody was told of a match by mail."""
    rows = MailThreadRow.objects.filter(user=user, match=row)
    found = rows.values_list("told_version", "told_line").first()
    return Folder() if found is None else Folder(version=found[0], line=found[1], is_known=True)


def note_told(user: User, standing: MatchSnapshot, line: int) -> None:
    """Note how far somebody is told of a match by a letter that is written now."""
    told = MailThreadRow(
        user=user, match=standing.row, told_version=standing.version, told_line=line
    )
    MailThreadRow.objects.bulk_create(
        [told],
        update_conflicts=True,
        unique_fields=["user", "match"],
        update_fields=["told_version", "told_line"],
    )


def viewer_seat(standing: MatchSnapshot, user: User | None) -> int | None:
    """Return from which seat somebody sees a match: the one to move, if it is theirs."""
    seats = standing.seats_of(user.pk) if user is not None else ()
    to_move = standing.match.seat_to_move
    return to_move if to_move in seats else next(iter(seats), None)


def report_of(
    standing: MatchSnapshot,
    user: User | None,
    *,
    news: Sequence[str] = (),
    comments: Sequence[tuple[str, str]] = (),
) -> BoardReport:
    """Return what a letter tells somebody about a match.

    Args:
        standing: the match.
        user: who reads; ``None`` for anybody.
        news: sentences about what has just happened.
        comments: who says what.
    """
    row = standing.row
    viewer = viewer_seat(standing, user)
    side = side_of(standing, user)
    watchers = watchers_of_match(row).values_list("username", flat=True)
    return BoardReport(
        number=row.pk,
        match=standing.match,
        players=_players(standing),
        now=now(),
        link=absolute_url(reverse("match", args=[row.slug])),
        viewer=viewer,
        news=tuple(news),
        queued="" if viewer is None else queued_text(standing.match, viewer, side),
        followers=tuple(watchers.order_by("username")[:_MOST_FOLLOWERS]),
        comments=tuple(comments),
        address="" if viewer is None else command_address(),
        series=_series(row),
        side=side,
    )


def _players(standing: MatchSnapshot) -> tuple[PlayerLine, ...]:
    row = standing.row
    changes = {}
    if row.rated and row.ended_at is not None:
        changes = {one.user_id: one for one in RatingChange.objects.filter(match=row)}
    people = {seat.user for seat in standing.seats if not seat.computer}
    kind = row.game_id, speed_of_text(row.control), board_class_of(standing.match.terms.game)
    ratings = ratings_by_user(people, *kind)
    players = []
    for seat in standing.seats:
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


def queued_text(match: Match, seat: int, side: int) -> str:
    """Return a player's queued move as text, as ``side`` sees the board.

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
    standing: MatchSnapshot, user: User, line: int
) -> tuple[tuple[tuple[str, str], ...], int]:
    """Return what players said since a line of chat, and the last line.

    Lines that somebody said one after another are one comment. Whoever does not play hears what
    spectators say, and after the end everybody hears everybody, as on the site.
    """
    rows = ChatLine.objects.filter(match=standing.row, pk__gt=line, hidden=None)
    if standing.match.result is None:
        seated = bool(standing.seats_of(user.pk))
        rows = rows.filter(room=ChatLine.Room.SEATED if seated else ChatLine.Room.SPECTATORS)
    rows = rows.exclude(user__in=blocked_by_or_blocking(user)).select_related("user")
    said: list[tuple[str, list[str]]] = []
    last = line
    for one in reversed(rows.order_by("-pk")[:_MOST_LINES]):
        last = max(last, one.pk)
        if not said or said[-1][0] != one.user.name:
            said.append((one.user.name, []))
        said[-1][1].append(one.text)
    return tuple((who, "\n".join(lines)) for who, lines in said), last


def board_letter(report: BoardReport, user: User | None, answer: Answer | None = None) -> Letter:
    """Return a letter about a board, with the picture for programs that show one.

    Args:
        report: the board.
        user: whose letter it is; the subject is that of their next command.
        answer: what it says, if that is not how the board stands.
    """
    name = user.username if user is not None else ""
    subject = board_subject(report.match.terms.game.id, report.number, name).strip()
    return letter_of(subject, answer or board_answer(report), report.link)


def letter_of(subject: str, answer: Answer, link: str = "") -> Letter:
    """Return an answer as a letter: text first, the same as a small page second.

    Args:
        subject: of the letter.
        answer: what it says.
        link: the page that it is about, if there is one.
    """
    cid = ""
    enclosures: tuple[Attachment, ...] = ()
    if answer.picture is not None:
        cid = _cid_of(answer)
        enclosures = enclosures_of(answer, cid, "board")
    return Letter(
        subject=subject,
        text=write(answer),
        html=html_of(answer, cid, link=link),
        enclosures=enclosures,
    )


def _cid_of(answer: Answer) -> str:
    """Return the Content-ID of the board in an answer."""
    return f"{hashlib.sha256(write(answer).encode()).hexdigest()[:20]}@{site_domain()}"


def events_since(row: MatchRow, version: int) -> list[Event]:
    """Return what has happened at a match since a version."""
    rows = row.events.filter(number__gte=version, number__lt=row.version).order_by("number")
    return [read_event(data) for data in rows.values_list("data", flat=True)]


def answer_board(
    call: Call, standing: MatchSnapshot, *, news: Sequence[str] = (), submitted: int | None = None
) -> None:
    """Answer a call with the board, and what was said there since the last letter.

    Args:
        call: the call.
        standing: the match as it stands now.
        news: sentences about what has just happened.
        submitted: a move that waits to be confirmed; then the picture shows the board after it.
    """
    user = call.reader
    comments: tuple[tuple[str, str], ...] = ()
    if user is not None and call.user == user:
        before = folder_of(user, standing.row)
        comments, line = comments_since(standing, user, before.line)
        note_told(user, standing, line)
    report = report_of(standing, call.user, news=news, comments=comments)
    answer = None if submitted is None else submission_answer(report, submitted)
    letter = board_letter(report, user, answer)
    call.answer(letter.subject, letter.text, letter.html, letter.enclosures, about=standing.row)


class BoardLetters:
    """What the mailroom does for notices: letters about one match show its board."""

    def plays(self, user: User) -> bool:
        """Return whether somebody plays by mail."""
        return MailPlayRow.objects.filter(user=user, is_on=True).exists()

    def headers(self, user: User, row: MatchRow) -> dict[str, str]:
        """Let whoever plays the match answer a letter with a move."""
        if not receives_mail() or not row.seats.filter(user=user).exists():
            return {}
        return {"Reply-To": reply_address(user, row)}

    def return_path(self, email: EmailRow) -> str:
        """Return the address to which a letter comes back."""
        return return_address(email)

    def board_email(
        self, user: User, to: str, rows: Sequence[NotificationRow]
    ) -> EmailMessage | None:
        """Return the letter that shows boards; ``None`` if its reader has been shown all."""
        with english():
            views = [view for some in _by_match(rows) if (view := _view_of(user, some)) is not None]
            others = [text_of(row) for row in rows if row.match is None]
            if not views and not others:
                return None
            if len(views) == 1 and not others:
                view = views[0]
                key = f"board {user.pk} {rows[0].pk} {rows[-1].pk}"
                letter = board_letter(view.report, user)
                return draft_of(letter, key=key, to=to, user=user, about=view.standing.row)
            key = f"digest {user.pk} {rows[0].pk} {rows[-1].pk}"
            return draft_of(_digest_letter(user, views, others), key=key, to=to, user=user)


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What somebody has not been told of a match: how it stands, and what has happened."""

    standing: MatchSnapshot
    report: BoardReport


def _by_match(rows: Sequence[NotificationRow]) -> list[list[NotificationRow]]:
    shared: dict[int, list[NotificationRow]] = {}
    for row in rows:
        if row.match_id is not None:
            shared.setdefault(row.match_id, []).append(row)
    return list(shared.values())


def _view_of(user: User, rows: Sequence[NotificationRow]) -> _View | None:
    """Return what some notices about one match call somebody to; note that they are told."""
    match = rows[0].match
    assert match is not None
    standing = look_up(match.slug)
    before = folder_of(user, match)
    viewer = viewer_seat(standing, user)
    since = events_since(standing.row, before.version)
    events = [event for event in since if event.is_for(viewer)]
    comments, line = comments_since(standing, user, before.line)
    said = [text_of(row) for row in rows if _needs_words(row, before)]
    if not (events or comments or said):
        return None
    side = side_of(standing, user)
    happened = sentences(standing, events, viewer, side)[-_MOST_SENTENCES:]
    note_told(user, standing, line)
    began = [text_of(row) for row in rows if row.kind in _BEGINNINGS and _needs_words(row, before)]
    always = [one for one in said if one not in began]
    report = report_of(standing, user, news=[*began, *happened, *always], comments=comments)
    return _View(standing=standing, report=report)


def _needs_words(row: NotificationRow, before: Folder) -> bool:
    """Return whether a notice says what neither the board nor its events do."""
    if row.kind in _SHOWN or row.arguments.get("act") in _SHOWN_ACTS:
        return False
    return row.kind not in _BEGINNINGS or not before.is_known


def _digest_letter(user: User, views: Sequence[_View], others: Sequence[str]) -> Letter:
    """Return a letter about several boards; those that wait for their reader come first."""
    reports = sorted((with_address(one.report, one.standing, user) for one in views), key=_can_wait)
    waiting = sum(not _can_wait(one) for one in reports)
    headline = f"Boards that wait for you: {waiting}. Other boards: {len(reports) - waiting}."
    more = [*others]
    if any(report.reply_to for report in reports):
        more.append("To answer a board, write to the address that stands at it as Reply.")
    return digest_letter("Antipodes: news of your boards", reports, headline=headline, more=more)


def _can_wait(report: BoardReport) -> bool:
    return report.viewer is None or report.viewer != report.match.seat_to_move


def with_address(report: BoardReport, standing: MatchSnapshot, user: User) -> BoardReport:
    """Return what a letter about several boards tells of one: where to answer it is added."""
    if report.viewer is None:
        return report
    return replace(report, reply_to=reply_address(user, standing.row))


def digest_letter(
    subject: str, reports: Sequence[BoardReport], *, headline: str, more: Sequence[str] = ()
) -> Letter:
    """Return a letter about several boards; the page shows the first of them as pictures.

    Args:
        subject: of the letter.
        reports: the boards.
        headline: what they are.
        more: further sentences.
    """
    pictures: list[Attachment] = []
    boards = []
    for report in reports:
        answer, cid = board_answer(report), ""
        if len(pictures) < _MOST_PICTURES:
            cid = _cid_of(answer)
            pictures.append(picture_of(answer, cid, f"board-{report.number}"))
        boards.append((answer, cid, report.link))
    return Letter(
        subject=subject,
        text=write_digest(reports, headline=headline, more=more),
        html=digest_html(digest_head(reports, headline=headline, more=more), boards),
        enclosures=tuple(pictures),
    )


def play_by_mail(user: User, *, on: bool) -> None:
    """Let somebody play by mail from now on, or no longer.

    Whoever begins gets each board at once; they may choose a digest after that.
    """
    MailPlayRow.objects.update_or_create(user=user, defaults={"is_on": on})
    if on:
        preferences.change_preferences(user, frequency=Frequency.EACH)
