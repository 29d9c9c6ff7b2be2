"""E-mails about notifications: due notifications that are still unread go to the outbox."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
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

from antipodes.clocks import MINUTE
from antipodes.mail.automatic import LOOP_HEADER
from antipodes.mail.layout.text import broken
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import delivery, mail_play, undeliverable
from antipodes.web.notifications.email_message import Attachment, EmailMessage, drawing_of
from antipodes.web.notifications.kinds import PUNCTUAL, URGENT, Frequency, NotificationKind
from antipodes.web.notifications.messages import format_instant, text_of, title_of
from antipodes.web.notifications.models import EmailRow, NotificationRow, PreferenceRow
from antipodes.web.notifications.outbox import enqueue, next_attempt, send_due_emails
from antipodes.web.notifications.preferences import language_of, preference_of, token_for
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.notifications.selectors import target_of, with_people
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of

logger = logging.getLogger(__name__)

_BATCH = 500  # users per query
_RETRY_PAUSE = 15 * MINUTE  # milliseconds
_MOST_IMAGES = 6  # per e-mail
_MOST_REFERENCES = 10
_LOOPBACK = frozenset({"", "127.0.0.1", "::1"})


EmailWriter = Callable[[User, str, NotificationRow], "EmailMessage | None"]

# Writers of e-mails about kinds that have an e-mail of their own; set by the wiring.
writers: dict[NotificationKind, EmailWriter] = {}


@dataclass
class EmailSection:
    """The part of an e-mail about one match, or about one page that is no match.

    Attributes:
        title: heading.
        address: URL of the page; empty where there is none.
        row: the match.
        lines: one sentence for each notification.
        until: when the recipient's time runs out, if it is their turn.
        cid: content id of the board image, if there is one.
    """

    title: str
    address: str
    row: MatchRow | None = None
    lines: list[str] = field(default_factory=list)
    until: str = ""
    cid: str = ""


def write_emails() -> int:
    """Write e-mails about due notifications to the outbox; return how many."""
    written, last = 0, 0
    while users := _users_with_due_mail(last):
        written += sum(map(_try_to_write, users))
        last = users[-1].pk
    return written


def _users_with_due_mail(last: int) -> list[User]:
    """Return some users to whom mail is due, by ascending key, after the last one."""
    due = NotificationRow.objects.filter(mail_due__gt=0, mail_due__lte=now(), seen_at=None)
    keys = due.filter(user__gt=last).order_by("user").values("user").distinct()[:_BATCH]
    return list(User.objects.filter(pk__in=keys).order_by("pk"))


def _try_to_write(user: User) -> int:
    """Write one user's e-mails; log an error, and retry later, so that others are not affected."""
    try:
        return _write_to(user)
    except Exception as error:
        if outage_of(error):
            raise
        logger.exception("e-mail not written user=%s", user.pk)
        due = NotificationRow.objects.filter(user=user, mail_due__lte=now())
        due.update(mail_due=now() + _RETRY_PAUSE)
        return 0


def _write_to(user: User) -> int:
    """Write one user's e-mails, and clear their due times in the same transaction."""
    with transaction.atomic():
        due = NotificationRow.objects.filter(user=user, mail_due__lte=now(), seen_at=None)
        keys = list(due.select_for_update(skip_locked=True).values_list("pk", flat=True))
        NotificationRow.objects.filter(pk__in=keys).update(mail_due=None)
        address = address_of(user)
        if address is None:
            return 0
        plays_by_mail = mail_play.plays(user)
        if plays_by_mail:
            keys += _due_later(user, keys)
        rows = with_people(NotificationRow.objects.filter(pk__in=keys)).order_by("made_at", "pk")
        preference = preference_of(user)
        written = 0
        for some in _group_by_email(preference, rows):
            if plays_by_mail and any(row.match_id for row in some):
                draft = mail_play.board_email(user, address, some)
            elif (writer := writers.get(NotificationKind(some[0].kind))) is not None and len(
                some
            ) == 1:
                draft = writer(user, address, some[0])
            else:
                draft = _draft(user, address, preference, some)
            written += draft is not None and enqueue(draft) is not None
        return written


def _due_later(user: User, keys: Sequence[int]) -> list[int]:
    """Take later notifications about the same matches: the board e-mail includes them."""
    matches = NotificationRow.objects.filter(pk__in=keys).exclude(match=None).values("match")
    later = NotificationRow.objects.filter(
        user=user, match__in=matches, mail_due__gt=0, seen_at=None
    )
    found = list(later.select_for_update(skip_locked=True).values_list("pk", flat=True))
    NotificationRow.objects.filter(pk__in=found).update(mail_due=None)
    return found


def address_of(user: User) -> str | None:
    """Return the user's confirmed address that accepts mail, the primary one first."""
    if not settings.MAIL_IS_SENT or not user.is_active:
        return None
    confirmed = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    known: list[str] = list(confirmed.values_list("email", flat=True))
    stopped = undeliverable.stopped_addresses(user) if known else frozenset()
    return next((one for one in known if one.lower() not in stopped), None)


def _group_by_email(
    preference: PreferenceRow, rows: Iterable[NotificationRow]
) -> list[list[NotificationRow]]:
    """Group notifications into a digest, and one e-mail for each match that cannot wait."""
    emails: dict[object, list[NotificationRow]] = {}
    for row in rows:
        own = URGENT | PUNCTUAL
        waits = preference.frequency != Frequency.EACH and NotificationKind(row.kind) not in own
        about = "digest" if waits else (row.match_id or f"notice {row.pk}")
        emails.setdefault(about, []).append(row)
    return list(emails.values())


def _draft(
    user: User, to: str, preference: PreferenceRow, rows: Sequence[NotificationRow]
) -> EmailMessage:
    language, zone = language_of(preference), zone_of(preference.zone)
    with translation.override(language), timezone.override(zone):
        sections = _sections(rows)
        images = tuple(_board_images(sections))
        context = {
            "name": user.name,
            "sections": sections,
            "language": language,
            "preferences_url": absolute_url(reverse("notification-preferences")),
            "unsubscribe_url": unsubscribe_url(user),
            "site": absolute_url(reverse("home")),
        }
        text = broken(render_to_string("notifications/mail.txt", context))
        html = render_to_string("notifications/mail.html", context)
        subject = _subject(sections, rows)
    key = f"notices {user.pk} {rows[0].pk} {rows[-1].pk}"
    match = rows[0].match if len(sections) == 1 else None
    thread = "" if match is None else f"match {match.slug}"
    message_id, headers = headers_of(user, key, thread=thread)
    headers |= mail_play.headers(user, match)
    headers["List-Id"] = f"Antipodes <notices.{site_domain()}>"
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
        attachments=images,
    )


def headers_of(
    user: User | None,
    key: str,
    *,
    thread: str = "",
    answered: str | None = None,
    known: Sequence[str] = (),
) -> tuple[str, dict[str, str]]:
    """Return the Message-ID of an e-mail, and the headers that all e-mails of the site share.

    The first e-mail of a thread has a predictable ID, and all later ones refer to it. So mail
    clients keep the thread together even if e-mails in between were deleted here.

    Args:
        user: the recipient's account, if there is one.
        key: unique among all e-mails.
        thread: names the conversation; empty for a single e-mail.
        answered: Message-ID of the mail that this e-mail replies to, empty if that mail has none;
            ``None`` for an e-mail that is no reply.
        known: Message-IDs of the mails before that one.
    """
    message_id = f"<{key.replace(' ', '.')}@{site_domain()}>"
    headers = {
        "Auto-Submitted": "auto-generated" if answered is None else "auto-replied",
        "X-Auto-Response-Suppress": "All",
        LOOP_HEADER: site_domain(),
    }
    if user is not None and not user.is_guest:
        headers["List-Unsubscribe"] = f"<{unsubscribe_url(user)}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    references = list(known[-_MOST_REFERENCES:]) if answered else []
    if thread and user is not None:
        root = f"<{thread.replace(' ', '.')}.{user.pk}@{site_domain()}>"
        before = EmailRow.objects.filter(user=user, thread=thread).order_by("-pk")
        last = list(before.values_list("message_id", flat=True)[: _MOST_REFERENCES + 1])
        if last:
            headers["In-Reply-To"] = last[0]
            others = [one for one in reversed(last) if one != root]
            references = [root, *others[-_MOST_REFERENCES:]]
        else:
            message_id = root
    # A reply stands below the mail that it answers, and refers to the thread of its match too.
    if answered:
        headers["In-Reply-To"] = answered
        references.append(answered)
    if references:
        headers["References"] = " ".join(references)
    return message_id, headers


def unsubscribe_url(user: User, kind: NotificationKind | None = None) -> str:
    """Return the URL where the user unsubscribes without signing in.

    Args:
        user: the recipient.
        kind: the kind of mail to unsubscribe from; ``None`` for all mail.
    """
    return absolute_url(reverse("unsubscribe", args=[token_for(user, kind)]))


def absolute_url(path: str) -> str:
    """Return the absolute URL of a page of the site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def site_domain() -> str:
    """Return the site's host name, for unique Message-IDs."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    return "localhost" if host in _LOOPBACK else host


def _sections(rows: Iterable[NotificationRow]) -> list[EmailSection]:
    sections: dict[object, EmailSection] = {}
    for row in rows:
        about = row.match_id or row.path or row.pk
        if about not in sections:
            target = target_of(row)
            sections[about] = EmailSection(
                title_of(row), absolute_url(target) if target else "", row.match
            )
        section = sections[about]
        section.lines.append(text_of(row))
        is_turn = row.kind in {
            NotificationKind.YOUR_TURN,
            NotificationKind.REMINDER,
        } or row.arguments.get("turn")
        if is_turn and row.match is not None and row.match.deadline is not None:
            section.until = format_instant(row.match.deadline)
    return list(sections.values())


def _board_images(sections: Iterable[EmailSection]) -> Iterable[Attachment]:
    """Return board images of matches in progress, up to the limit per e-mail."""
    in_progress = [one for one in sections if one.row is not None and one.row.ended_at is None]
    for section in in_progress[:_MOST_IMAGES]:
        assert section.row is not None
        snapshot = look_up(section.row.slug)
        match = snapshot.match
        section.cid = f"{section.row.slug}.{snapshot.version}@{site_domain()}"
        drawing = drawing_of(
            match.terms.game,
            [made.move for made in match.moves],
            setup=match.terms.setup,
        )
        yield Attachment(cid=section.cid, name=f"{section.row.slug}.png", drawing=drawing)


def _subject(sections: Sequence[EmailSection], rows: Sequence[NotificationRow]) -> str:
    if len(sections) == 1:
        [section] = sections
        return section.title if section.row is not None else text_of(rows[0])
    turns = sum(1 for row in rows if row.kind == NotificationKind.YOUR_TURN)
    if turns:
        text = ngettext("Your turn in %(count)d game", "Your turn in %(count)d games", turns)
        return text % {"count": turns}
    return _("Updates on your games")


@in_background
def deliver_emails() -> None:
    """Write due e-mails to the outbox, and send it."""
    write_emails()
    send_due_emails()
    later = NotificationRow.objects.filter(mail_due__gt=now(), seen_at=None).order_by("mail_due")
    delivery.alarm.set_at(later.values_list("mail_due", flat=True).first())
    delivery.alarm.set_at(next_attempt())
