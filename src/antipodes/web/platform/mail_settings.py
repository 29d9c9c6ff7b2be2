"""Settings of mail, read from environment variables for :mod:`antipodes.web.project.settings`.

Invalid values are refused when the settings are loaded.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform.config import data_folder, env, site_host, without_password

_CONSOLE = "consolemail://"
_MAILDIR_BACKEND = "antipodes.web.email_play.inbound.maildir.MaildirBackend"
_SENDING = ("smtp", "smtps", "smtp+tls", "smtp+ssl")
_KEEPING = ("consolemail", "filemail", "memorymail", "dummymail")

_IMAP_PORTS = {"imaps": 993, "imap+tls": 143, "imap": 143}
_DONE = "folder"  # the query parameter of MAIL_IMAP with the folder for processed mail

_LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?")
_LOCAL = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")

SHORTEST_SECRET = 16  # characters


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """An address to listen at.

    Attributes:
        host: an address of this machine; empty for a socket in the file system.
        port: of the address; 0 for a free one.
        path: of a socket in the file system.
    """

    host: str = ""
    port: int = 0
    path: str = ""

    def __str__(self) -> str:
        """Return it as written in settings."""
        if self.path:
            return f"unix:{self.path}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A mailbox that is read by IMAP.

    Attributes:
        security: ``imaps`` from the first byte, ``imap+tls`` by STARTTLS, ``imap`` not at all.
        done: the folder for processed mail; empty if mail is only marked as read.
    """

    security: str
    host: str
    port: int
    user: str
    password: str
    folder: str = "INBOX"
    done: str = ""

    def __str__(self) -> str:
        """Return its URL without the password."""
        return f"{self.security}://{self.user}@{self.host}:{self.port}/{self.folder}"


def _refused(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("serve/settings", message)])


def maildir() -> Path | None:
    """Return the maildir used without a mail server, else ``None``.

    It is for trials, and only used for a site that other machines cannot reach: all users who can
    read the folder can read all mail, and no mail leaves the machine.
    """
    if env.str("EMAIL_URL", default="") or env.list("ALLOWED_HOSTS", default=[]):
        return None
    return data_folder() / "mail"


def sending() -> dict[str, Any]:
    """Return Django's settings of outgoing mail: ``EMAIL_URL``, or a maildir.

    Raises:
        InvalidOptionsError: the URL has an unknown scheme.
    """
    if maildir() is not None:
        return {"EMAIL_BACKEND": _MAILDIR_BACKEND}
    url: str = env.str("EMAIL_URL", default="") or _CONSOLE
    scheme = urlsplit(url).scheme
    if scheme not in _SENDING + _KEEPING:
        known = ", ".join(f"{one}://" for one in _SENDING)
        raise _refused(f"EMAIL_URL is {without_password(url)!r}, but must begin with {known}")
    config: dict[str, Any] = env.email_url_config(url)
    return config


def host() -> str:
    """Return the domain of incoming mail: ``MAIL_HOST``; empty if mail is not received.

    Raises:
        InvalidOptionsError: it is not a domain name.
    """
    given: str = env.str("MAIL_HOST", default="").strip().rstrip(".").lower()
    if not given:
        return site_host() if maildir() else ""
    if not all(_LABEL.fullmatch(label) for label in given.split(".")):
        raise _refused(f"MAIL_HOST is {given!r}, but must be a domain, such as play.example.org")
    return given


def user() -> str:
    """Return the local part of the site's addresses: ``MAIL_USER``.

    Raises:
        InvalidOptionsError: it is not valid, or has a ``+``, which separates the token.
    """
    given: str = env.str("MAIL_USER", default="play").strip().lower()
    if not _LOCAL.fullmatch(given):
        message = f"MAIL_USER is {given!r}, but must be letters, digits, dots and hyphens"
        raise _refused(message)
    return given


def sender() -> str:
    """Return the sender of mail: ``MAIL_FROM``, or the address of incoming mail."""
    address = f"{user()}@{host()}" if host() else "antipodes@localhost"
    found: str = env.str("MAIL_FROM", default=f"Antipodes <{address}>")
    return found


def lmtp() -> ListenAddress | None:
    """Return where to listen for LMTP: ``MAIL_LMTP``."""
    return parse_listen_address("MAIL_LMTP", env.str("MAIL_LMTP", default=""))


def smtp() -> ListenAddress | None:
    """Return where to listen for SMTP: ``MAIL_SMTP``."""
    return parse_listen_address("MAIL_SMTP", env.str("MAIL_SMTP", default=""))


def parse_listen_address(name: str, given: str) -> ListenAddress | None:
    """Parse ``host:port``, ``port`` or ``unix:/path``.

    Raises:
        InvalidOptionsError: it is none of these.
    """
    given = given.strip()
    if not given:
        return None
    path = given.removeprefix("unix:")
    if path.startswith("/"):
        return ListenAddress(path=path)
    address, _, port = given.rpartition(":")
    address = address.removeprefix("[").removesuffix("]") or "127.0.0.1"
    number = read_number(port, 65_535)
    if number is None or path != given:
        raise _refused(
            f"{name} is {given!r}, but must be such as 127.0.0.1:8024 or unix:/run/antipodes/lmtp"
        )
    return ListenAddress(address, number)


def imap() -> Mailbox | None:
    """Return the mailbox to poll: ``MAIL_IMAP``.

    Raises:
        InvalidOptionsError: it is not the URL of a mailbox, or the password would be sent in clear.
    """
    return parse_mailbox(env.str("MAIL_IMAP", default=""))


def parse_mailbox(given: str) -> Mailbox | None:
    """Parse ``imaps://user:password@host:993/INBOX?folder=Done``."""
    if not given:
        return None
    try:
        parts = urlsplit(given)
        port = parts.port
    except ValueError:
        raise _refused("the port in MAIL_IMAP is not a number below 65536") from None
    shown = repr(without_password(given))
    if parts.scheme not in _IMAP_PORTS or not parts.hostname:
        raise _refused(
            f"MAIL_IMAP is {shown}, but must be such as imaps://user:password@mail.example.org"
        )
    if not parts.username or not parts.password:
        raise _refused(f"MAIL_IMAP is {shown}, but has no user and password")
    if parts.scheme == "imap" and not _is_here(parts.hostname):
        raise _refused(
            f"MAIL_IMAP is {shown}: the password would travel in clear; write imaps:// or imap+tls://"
        )
    query = dict(parse_qsl(parts.query))
    if unknown := sorted(set(query) - {_DONE}):
        raise _refused(
            f"MAIL_IMAP is {shown}: {unknown[0]!r} is unknown; only folder=NAME is allowed"
        )
    return Mailbox(
        security=parts.scheme,
        host=parts.hostname,
        port=port or _IMAP_PORTS[parts.scheme],
        user=unquote(parts.username),
        password=unquote(parts.password),
        folder=unquote(parts.path.strip("/")) or "INBOX",
        done=query.get(_DONE, ""),
    )


def _is_here(name: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def webhook_secret() -> str:
    """Return the secret of mail providers: ``MAIL_WEBHOOK_SECRET``; empty for none.

    Raises:
        InvalidOptionsError: it is not ``name:secret``, or too short.
    """
    given: str = env.str("MAIL_WEBHOOK_SECRET", default="")
    if given and (":" not in given or len(given) < SHORTEST_SECRET):
        raise _refused(
            f"MAIL_WEBHOOK_SECRET has {len(given)} characters; it must be name:secret,"
            f" with {SHORTEST_SECRET} characters or more"
        )
    return given


def webhooks() -> dict[str, Any]:
    """Return anymail's settings: the secret, and the provider's signing key."""
    key: str = env.str("MAIL_WEBHOOK_KEY", default="")
    secret = webhook_secret()
    names = ("MAILGUN_WEBHOOK_SIGNING_KEY", "MAILERSEND_INBOUND_SECRET", "POSTAL_WEBHOOK_KEY")
    return ({"WEBHOOK_SECRET": secret} if secret else {}) | (
        dict.fromkeys(names, key) if key else {}
    )


def authserv_ids() -> list[str]:
    """Return the ids of trusted Authentication-Results headers: ``MAIL_AUTHSERV_ID``."""
    given: list[str] = env.list("MAIL_AUTHSERV_ID", default=[])
    return [one.strip().lower() for one in given if one.strip()]
