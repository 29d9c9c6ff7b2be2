"""Mail about notices: what is due and still unseen becomes letters in the outbox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.mail.automatic import LOOP_HEADER
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import mail_play, undeliverable
from antipodes.web.notifications.board_images import drawing_of
from antipodes.web.notifications.email_message import Attachment, EmailMessage
from antipodes.web.notifications.kinds import URGENT, Frequency, Kind
from antipodes.web.notifications.messages import moment, title, words
from antipodes.web.notifications.models import EmailRow, NotificationRow, PreferenceRow
from antipodes.web.notifications.outbox import post
from antipodes.web.notifications.preferences import language_of, preference_of
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.notifications.selectors import target_of, with_people
from antipodes.web.notifications.unsubscribe_tokens import token_for
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

_AT_ONCE = 500  # people who are written to in one round
_MOST_PICTURES = 6  # of a letter
_MOST_REFERENCES = 10
_THIS_MACHINE = frozenset({"", "127.0.0.1", "::1"})


@dataclass
class Section:
    """What a letter says about one match, or about one thing that is no match.

    Attributes:
        title: what it is about.
        address: where to look at it; empty where there is no such page.
        row: the match.
        lines: what has happened.
        until: when one's time runs out, if it is one's turn.
        cid: the picture of the position, if there is one.
    """

    title: str
    address: str
    row: MatchRow | None = None
    lines: list[str] = field(default_factory=list)
    until: str = ""
    cid: str = ""


def write_letters() -> int:
    """Write what is due to be mailed into the outbox; return how many letters that are."""
    due = NotificationRow.objects.filter(mail_due__lte=now(), seen_at=None)
    users = due.order_by("user").values_list("user", flat=True).distinct()[:_AT_ONCE]
    return sum(_write_to(User.objects.get(pk=user)) for user in list(users))


def _write_to(user: User) -> int:
    """Write letters to somebody, and note in the same transaction that they are written."""
    with transaction.atomic():
        due = NotificationRow.objects.filter(user=user, mail_due__lte=now(), seen_at=None)
        keys = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True))
        NotificationRow.objects.filter(pk__in=keys).update(mail_due=None)
        address = address_of(user)
        if address is None:
            return 0
        is_by_mail = mail_play.plays(user)
        if is_by_mail:
            keys += _due_later(user, keys)
        rows = with_people(NotificationRow.objects.filter(pk__in=keys)).order_by("made_at", "pk")
        preference = preference_of(user)
        written = 0
        for some in _letters(preference, rows):
            if is_by_mail and any(row.match_id for row in some):
                draft = mail_play.letter(user, address, some)
            else:
                draft = _draft(user, address, preference, some)
            written += draft is not None and post(draft) is not None
        return written


def _due_later(user: User, keys: Sequence[int]) -> list[int]:
    """Take what is to be mailed later about the same matches: a letter with a board says all."""
    matches = NotificationRow.objects.filter(pk__in=keys).exclude(match=None).values("match")
    later = NotificationRow.objects.filter(
        user=user, match__in=matches, mail_due__gt=0, seen_at=None
    )
    found = list(later.select_for_update(skip_locked=True).values_list("pk", flat=True))
    NotificationRow.objects.filter(pk__in=found).update(mail_due=None)
    return found


def address_of(user: User) -> str | None:
    """Return the address to which somebody is written: a confirmed one that takes mail."""
    if not settings.MAIL_IS_SENT or not user.is_active:
        return None
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    known: list[str] = list(confirmed.values_list("email", flat=True))
    stopped = undeliverable.stopped_addresses(user) if known else frozenset()
    return next((one for one in known if one.lower() not in stopped), None)


def _letters(
    preference: PreferenceRow, rows: Iterable[NotificationRow]
) -> list[list[NotificationRow]]:
    """Share notices out among letters: a digest, and one for each match that cannot wait."""
    letters: dict[object, list[NotificationRow]] = {}
    for row in rows:
        waits = preference.frequency != Frequency.EACH and Kind(row.kind) not in URGENT
        about = "digest" if waits else (row.match_id or f"notice {row.pk}")
        letters.setdefault(about, []).append(row)
    return list(letters.values())


def _draft(
    user: User, to: str, preference: PreferenceRow, rows: Sequence[NotificationRow]
) -> EmailMessage:
    language, zone = language_of(preference), zone_of(preference.zone)
    with translation.override(language), timezone.override(zone):
        sections = _sections(rows)
        pictures = tuple(_pictures(sections))
        context = {
            "name": user.name,
            "sections": sections,
            "language": language,
            "choices": absolute(reverse("notice-choices")),
            "stop": stop_address(user),
            "site": absolute(reverse("home")),
        }
        text = render_to_string("notifications/mail.txt", context)
        html = render_to_string("notifications/mail.html", context)
        subject = _subject(sections, rows)
    key = f"notices {user.pk} {rows[0].pk} {rows[-1].pk}"
    match = rows[0].match if len(sections) == 1 else None
    thread = "" if match is None else f"match {match.slug}"
    message_id, headers = headers_of(user, key, thread=thread)
    headers |= mail_play.headers(user, match)
    headers["List-Id"] = f"Antipodes <notices.{domain()}>"
    return EmailMessage(
        key=key,
        to=to,
        user=user,
        subject=subject,
        text=text,
        html=html,
        message_id=message_id,
        thread=thread,
        headers=headers,
        enclosures=pictures,
    )


def headers_of(
    user: User | None,
    key: str,
    *,
    thread: str = "",
    answered: str | None = None,
    known: Sequence[str] = (),
) -> tuple[str, dict[str, str]]:
    """Return the Message-ID of a letter, and the headers that all letters of the site have.

    The first letter of a thread has an ID that is known beforehand, and all later ones refer to it;
    so a thread holds together even where letters in between are forgotten.

    Args:
        user: whose letter it is, if it is somebody's.
        key: names it among all letters.
        thread: what it is about; empty for a letter of its own.
        answered: the Message-ID of the mail that it answers, which may have none; ``None`` for a
            letter that is no answer.
        known: the mails before that one.
    """
    message_id = f"<{key.replace(' ', '.')}@{domain()}>"
    headers = {
        "Auto-Submitted": "auto-generated" if answered is None else "auto-replied",
        "X-Auto-Response-Suppress": "All",
        LOOP_HEADER: domain(),
    }
    if user is not None and not user.is_guest:
        headers["List-Unsubscribe"] = f"<{stop_address(user)}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    references = list(known[-_MOST_REFERENCES:]) if answered else []
    if thread and user is not None:
        root = f"<{thread.replace(' ', '.')}.{user.pk}@{domain()}>"
        before = EmailRow.objects.filter(user=user, thread=thread).order_by("-pk")
        last = list(before.values_list("message_id", flat=True)[: _MOST_REFERENCES + 1])
        if last:
            headers["In-Reply-To"] = last[0]
            others = [one for one in reversed(last) if one != root]
            references = [root, *others[-_MOST_REFERENCES:]]
        else:
            message_id = root
    if answered:
        headers["In-Reply-To"] = answered
        references.append(answered)
    if references:
        headers["References"] = " ".join(references)
    return message_id, headers


def stop_address(user: User) -> str:
    """Return the page on which somebody stops all mail without signing in."""
    return absolute(reverse("unsubscribe", args=[token_for(user)]))


def absolute(path: str) -> str:
    """Return the whole address of a page of the site, as it is written in mail."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def domain() -> str:
    """Return the name of the site's host, for names that nobody else makes."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    return "localhost" if host in _THIS_MACHINE else host


def _sections(rows: Iterable[NotificationRow]) -> list[Section]:
    sections: dict[object, Section] = {}
    for row in rows:
        about = row.match_id or row.path or row.pk
        if about not in sections:
            target = target_of(row)
            sections[about] = Section(title(row), absolute(target) if target else "", row.match)
        section = sections[about]
        section.lines.append(words(row))
        is_ones_turn = row.kind in {Kind.YOUR_TURN, Kind.REMINDER} or row.arguments.get("turn")
        if is_ones_turn and row.match is not None and row.match.deadline is not None:
            section.until = moment(row.match.deadline)
    return list(sections.values())


def _pictures(sections: Iterable[Section]) -> Iterable[Attachment]:
    """Draw how the matches stand that somebody is called to, as far as a letter has room."""
    called = [one for one in sections if one.row is not None and one.row.ended_at is None]
    for section in called[:_MOST_PICTURES]:
        assert section.row is not None
        standing = look_up(section.row.slug)
        match = standing.match
        section.cid = f"{section.row.slug}.{standing.version}@{domain()}"
        drawing = drawing_of(match.terms.game, [made.move for made in match.moves])
        yield Attachment(cid=section.cid, name=f"{section.row.slug}.png", drawing=drawing)


def _subject(sections: Sequence[Section], rows: Sequence[NotificationRow]) -> str:
    if len(sections) == 1:
        return sections[0].title if sections[0].row is not None else words(rows[0])
    turns = sum(1 for row in rows if row.kind == Kind.YOUR_TURN)
    if turns:
        text = ngettext("Your turn in %(count)d game", "Your turn in %(count)d games", turns)
        return text % {"count": turns}
    return _("News of your games")


@every(3)
@in_background
def write_mail() -> None:
    """Write what is due."""
    write_letters()
