"""Masking of secrets in the texts that one person writes to others.

People pass on secrets unawares: a reply to an e-mail quotes the address that plays in their name,
or a command with their token. So every text that other people will read goes through
`passed_on`, and its author is told what is missing. ``tests/web/test_passed_on_texts.py`` lists
all such texts. It is also where muted and suspended people are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from enum import StrEnum
from functools import cache, partial
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.dispatch import Signal
from django.urls import reverse
from django.utils.translation import gettext as _

from antipodes.mail.grammar import BLOT
from antipodes.records.texts import clean_text
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_speak

secrets_masked = Signal()  # sent with ``user`` and ``kinds`` after the commit

# Pages whose URL alone authenticates its reader, with the arguments of their URLs.
SECRET_PAGES = {
    "account_confirm_email": ("KEY",),
    "account_reset_password_from_key": ("KEY", "KEY"),
    "unsubscribe": ("KEY",),
}

_TOKEN = re.compile(r"\bmt-\s{0,2}[a-z0-9]{20,60}\b|\batp_[a-z0-9_-]{20,}", re.IGNORECASE)
_PLUS = r"(?:\+|%2b|=2b)"  # in an address, a URL, and a mail
_AT = r"(?:@|%40|=40)"
_SIGN = re.compile(_AT)


class SecretKind(StrEnum):
    """A kind of text that others must not read."""

    TOKEN = "token"  # noqa: S105 - the kind, not a token
    LINK = "link"
    SITE_ADDRESS = "site-address"
    OWN_ADDRESS = "own-address"


@dataclass(frozen=True, slots=True)
class Masked:
    """A text with its secrets masked, and their kinds."""

    text: str
    kinds: frozenset[SecretKind] = frozenset()


def passed_on(user: User | None, text: str, *, before: str = "") -> str:
    """Return a person's text as others may read it, and tell its author if something is masked.

    Args:
        user: the author; ``None`` for the site.
        text: as written. Characters that show nothing go too, so that they hide no secret.
        before: the text that it replaces.

    Raises:
        MatchError: the author may not say anything to others now, and the text says something new.
    """
    return masked(user, [text], before=[before])[0].text


def passed_on_parts(
    user: User | None, texts: Sequence[str], *, before: Collection[str] = ()
) -> list[str]:
    """Return texts as `passed_on` does, with one message to their author.

    Raises:
        MatchError: as `passed_on`.
    """
    return [one.text for one in masked(user, texts, before=before)]


def masked(
    user: User | None,
    texts: Sequence[str],
    also: Collection[str] = (),
    *,
    before: Collection[str] = (),
) -> list[Masked]:
    """Return texts as `passed_on` does, with the kinds of secrets that each of them had.

    Args:
        user: the author.
        texts: as written.
        also: further addresses of the author.
        before: the texts that they replace.

    Raises:
        MatchError: as `passed_on`.
    """
    known = {"", *(text.strip() for text in before)}
    if user is not None and any(text.strip() not in known for text in texts):
        check_may_speak(user)
    return _masked_for_all(user, texts, also)


def for_moderators(user: User, text: str) -> str:
    """Return a text as `passed_on` does that only moderators read, or that one of them wrote.

    Muted people may write to moderators too.
    """
    return _masked_for_all(user, [text])[0].text


def _masked_for_all(
    user: User | None, texts: Sequence[str], also: Collection[str] = ()
) -> list[Masked]:
    """Mask secrets, and tell the author; only texts with the sign of an address cost a query."""
    cleaned = [clean_text(text) for text in texts]
    has_address = any(_SIGN.search(text) for text in cleaned)
    patterns = _patterns(addresses_of(user).union(also) if has_address else ())
    masked = [_masked(text, patterns) for text in cleaned]
    kinds = sorted({kind for one in masked for kind in one.kinds})
    if user is not None and kinds:
        transaction.on_commit(partial(secrets_masked.send, sender=User, user=user, kinds=kinds))
    return masked


def passed_on_json(user: User, text: str) -> str:
    """Return JSON with each text in it as others may read it; names of fields stay.

    The caller has checked that the user may say something to others: not all texts in it are words.
    """
    data = [json.loads(text)]
    containers: list[Any] = [data]
    places: list[tuple[Any, Any]] = []
    while containers:
        container = containers.pop()
        is_object = isinstance(container, dict)
        for key, value in container.items() if is_object else enumerate(container):
            if isinstance(value, dict | list):
                containers.append(value)
            elif isinstance(value, str):
                places.append((container, key))
    before = [container[key] for container, key in places]
    after = [one.text for one in _masked_for_all(user, before)]
    if after == before:
        return text
    for (container, key), value in zip(places, after, strict=True):
        container[key] = value
    return json.dumps(data[0], ensure_ascii=False)


def told(kinds: Collection[str]) -> str:
    """Return the sentence that tells an author what was masked."""
    names = {
        SecretKind.TOKEN: _("a token"),
        SecretKind.LINK: _("a link that acts in your name"),
        SecretKind.SITE_ADDRESS: _("an address of this site"),
        SecretKind.OWN_ADDRESS: _("your mail address"),
    }
    found = ", ".join(name for kind, name in names.items() if kind in kinds) or _("a secret")
    return _("In what you wrote to others, *** stands for %(secrets)s.") % {"secrets": found}


def addresses_of(user: User | None) -> set[str]:
    """Return the mail addresses of a user, confirmed or not."""
    if user is None or user.is_guest:
        return set()
    rows = EmailAddress.objects.filter(user=user.pk).values_list("email", flat=True)
    return {user.email, *rows} - {""}


def mask(text: str, own: Collection[str] = ()) -> Masked:
    """Mask the secrets in a text: tokens, links that sign in, and addresses.

    Args:
        text: the text.
        own: the author's mail addresses.
    """
    return _masked(text, _patterns(own))


def _patterns(own: Collection[str]) -> list[tuple[SecretKind, re.Pattern[str]]]:
    found = (
        (SecretKind.TOKEN, _TOKEN),
        (SecretKind.LINK, _links()),
        (SecretKind.SITE_ADDRESS, _site_addresses()),
        (SecretKind.OWN_ADDRESS, _own_addresses(own)),
    )
    return [(kind, pattern) for kind, pattern in found if pattern is not None]


def _masked(text: str, patterns: Sequence[tuple[SecretKind, re.Pattern[str]]]) -> Masked:
    kinds = set()
    for kind, pattern in patterns:
        text, count = pattern.subn(BLOT, text)
        if count:
            kinds.add(kind)
    return Masked(text, frozenset(kinds))


@cache  # it has no arguments
def _links() -> re.Pattern[str]:
    """Return the pattern of the paths of secret pages."""
    paths = (reverse(name, args=keys).partition("KEY")[0] for name, keys in SECRET_PAGES.items())
    either = "|".join(re.escape(path) for path in paths)
    return re.compile(rf"(?:{either})[^\s<>\"']+", re.IGNORECASE)


def _site_addresses() -> re.Pattern[str] | None:
    """Return the pattern of the site's own addresses, also of a personal one without its host."""
    user, host = re.escape(settings.MAIL_USER), re.escape(settings.MAIL_HOST)
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    either = [rf"{re.escape(sender)}(?![\w-])"] if sender else []
    if host:
        token = rf"{user}{_PLUS}(?:b-)?[a-z2-7]{{16,}}(?:{_AT}[\w.-]*\w)?"
        either += [token, rf"{user}(?:{_PLUS}[\w-]*)?{_AT}{host}(?![\w-])"]
    return _pattern(either)


def _own_addresses(addresses: Collection[str]) -> re.Pattern[str] | None:
    """Return the pattern of some addresses, also with a tag after their name."""
    either = []
    for address in sorted(addresses):
        name, _, host = address.rpartition("@")
        if name and host:
            tag = rf"(?:{_PLUS}[\w.-]*)?"
            either.append(rf"{re.escape(name)}{tag}{_AT}{re.escape(host)}(?![\w-]|\.\w)")
    return _pattern(either)


def _pattern(either: Collection[str]) -> re.Pattern[str] | None:
    if not either:
        return None
    return re.compile(rf"(?<![\w.+-])(?:{'|'.join(either)})", re.IGNORECASE)
