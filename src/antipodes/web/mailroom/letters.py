"""Letters about boards: answers to whoever plays by mail, and letters that call them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.urls import reverse
from django.utils import translation

from antipodes.mail.layout import BoardReport, Player, board_subject
from antipodes.mail.layout.board import board_answer
from antipodes.mail.layout.html import html_of
from antipodes.mail.layout.items import Answer
from antipodes.mail.layout.replies import submission_answer
from antipodes.mail.layout.text import write
from antipodes.match import Event, Match, Plan
from antipodes.match.plans import ANY
from antipodes.web.community.services import blocked_by_or_blocking, watchers_of_match
from antipodes.web.mailroom.addresses import command_address, receives_mail, reply_address
from antipodes.web.mailroom.calls import Call, Letter, draft_of
from antipodes.web.mailroom.happenings import sentences
from antipodes.web.mailroom.models import ByMailRow, FolderRow
from antipodes.web.mailroom.pictures import enclosures_of
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.services import now
from antipodes.web.matches.standings import Standing, look_up
from antipodes.web.notices import preferences
from antipodes.web.notices.kinds import Frequency, Kind
from antipodes.web.notices.letters import absolute, domain
from antipodes.web.notices.models import NoticeRow
from antipodes.web.notices.outbox import Draft, Enclosure
from antipodes.web.notices.texts import words
from antipodes.web.people.models import User
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.selectors import ratings_by_user

LANGUAGE = "en-gb"  # of all that is written by mail: programs read it too

_MOST_SENTENCES = 8  # of what has happened since the last letter
_MOST_LINES = 20  # of chat in a letter
_MOST_FOLLOWERS = 30  # names in a letter

# What is never old news, however often the board was mailed.
_ALWAYS_TOLD = frozenset({Kind.REMINDER})

english = partial(translation.override, LANGUAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """How far somebody was told of a match by mail.

    Attributes:
        version: events that they were shown.
        line: the last line of chat that they were sent.
    """

    version: int = 0
    line: int = 0


def folder_of(user: User, row: MatchRow) -> Folder:
    """Return how far somebody was told of a match by mail."""
    rows = FolderRow.objects.filter(user=user, match=row)
    found = rows.values_list("told_version", "told_line").first()
    return Folder() if found is None else Folder(version=found[0], line=found[1])


def note_told(user: User, standing: Standing, line: int) -> None:
    """Note how far somebody is told of a match by a letter that is written now."""
    told = FolderRow(user=user, match=standing.row, told_version=standing.version, told_line=line)
    FolderRow.objects.bulk_create(
        [told],
        update_conflicts=True,
        unique_fields=["user", "match"],
        update_fields=["told_version", "told_line"],
    )


def viewer_seat(standing: Standing, user: User | None) -> int | None:
    """Return from which seat somebody sees a match: the one to move, if it is theirs."""
    seats = standing.seats_of(user.pk) if user is not None else ()
    to_move = standing.match.seat_to_move
    return to_move if to_move in seats else next(iter(seats), None)


def report_of(
    standing: Standing,
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
    watchers = watchers_of_match(row).values_list("username", flat=True)
    return BoardReport(
        number=row.pk,
        match=standing.match,
        players=_players(standing),
        now=now(),
        link=absolute(reverse("match", args=[row.slug])),
        viewer=viewer,
        news=tuple(news),
        queued="" if viewer is None else queued_text(standing.match, viewer),
        followers=tuple(watchers.order_by("username")[:_MOST_FOLLOWERS]),
        comments=tuple(comments),
        address="" if viewer is None else command_address(),
        series=_series(row),
    )


def _players(standing: Standing) -> tuple[Player, ...]:
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
            Player(
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


def queued_text(match: Match, seat: int) -> str:
    """Return somebody's queued move as text; empty if there is none, or more than one line."""
    line = _only_line(match.plans[seat])
    if not line:
        return ""
    position = match.position
    texts = []
    for move in line:
        if move == ANY:
            continue
        texts.append(position.describe_move(move))
        if position.why_illegal(move) is None:
            position = position.play(move)
    return " ".join(texts)


def _only_line(plan: Plan) -> list[int]:
    """Return the moves of a plan that has no fork."""
    line = []
    while plan.branches:
        if len(plan.branches) > 1:
            return []
        line.append(plan.branches[0].move)
        plan = plan.branches[0].then
    return line


def comments_since(
    standing: Standing, user: User, line: int
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
    enclosures: tuple[Enclosure, ...] = ()
    if answer.picture is not None:
        cid = f"{hashlib.sha256(write(answer).encode()).hexdigest()[:20]}@{domain()}"
        enclosures = enclosures_of(answer, cid, "board")
    return Letter(
        subject=subject,
        text=write(answer),
        html=html_of(answer, cid, link=link),
        enclosures=enclosures,
    )


def events_since(row: MatchRow, version: int) -> list[Event]:
    """Return what has happened at a match since a version."""
    rows = row.events.filter(number__gte=version, number__lt=row.version).order_by("number")
    return [Event.read(data) for data in rows.values_list("data", flat=True)]


def answer_board(
    call: Call, standing: Standing, *, news: Sequence[str] = (), submitted: int | None = None
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
        return ByMailRow.objects.filter(user=user, is_on=True).exists()

    def headers(self, user: User, row: MatchRow) -> dict[str, str]:
        """Let whoever plays the match answer a letter with a move."""
        if not receives_mail() or not row.seats.filter(user=user).exists():
            return {}
        return {"Reply-To": reply_address(user, row)}

    def board(self, user: User, to: str, rows: Sequence[NoticeRow]) -> Draft | None:
        """Return the letter that shows a board; ``None`` if its reader has been shown all."""
        match = rows[0].match
        assert match is not None
        with english():
            standing = look_up(match.slug)
            before = folder_of(user, match)
            viewer = viewer_seat(standing, user)
            events = [
                event
                for event in events_since(standing.row, before.version)
                if event.is_for(viewer)
            ]
            comments, line = comments_since(standing, user, before.line)
            always = [words(row) for row in rows if row.kind in _ALWAYS_TOLD]
            began = [words(row) for row in rows if row.kind == Kind.MATCH_BEGAN]
            if not (events or comments or always or (began and not before.version)):
                return None
            happened = sentences(standing, events, viewer)[-_MOST_SENTENCES:]
            note_told(user, standing, line)
            report = report_of(standing, user, news=[*began, *happened, *always], comments=comments)
            key = f"board {user.pk} {rows[0].pk} {rows[-1].pk}"
            letter = board_letter(report, user)
            return draft_of(letter, key=key, to=to, user=user, about=match)


def play_by_mail(user: User, *, on: bool) -> None:
    """Let somebody play by mail from now on, or no longer.

    Whoever begins gets each board at once; they may choose a digest after that.
    """
    ByMailRow.objects.update_or_create(user=user, defaults={"is_on": on})
    if on:
        preferences.change(user, frequency=Frequency.EACH)
