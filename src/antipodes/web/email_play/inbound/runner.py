"""The transports that the settings configure: system checks, and starting and stopping them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core import checks
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.email_play.inbound.imap import ImapTransport
from antipodes.web.email_play.inbound.lmtp import ListeningTransport
from antipodes.web.email_play.inbound.maildir import MaildirTransport
from antipodes.web.email_play.inbound.transport import Transport
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.platform import locks
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import LockRow

_LEASED = 60.0  # seconds after which a transport of a process that was killed counts as down

_TRANSPORTS = ("MAIL_LMTP", "MAIL_SMTP", "MAIL_IMAP", "MAIL_WEBHOOK_SECRET")


def check_mail(**_: object) -> list[checks.CheckMessage]:
    """Check that mail can be received where a transport is set, and can be answered."""
    messages: list[checks.CheckMessage] = []
    configured = [name for name in _TRANSPORTS if getattr(settings, name)]
    if configured and not settings.MAIL_HOST:
        message = f"{configured[0]} is set, but not MAIL_HOST: no address would be accepted"
        hint = "set it to the domain at which the site receives mail, such as play.example.org"
        messages.append(checks.Error(message, hint=hint, id="antipodes.E013"))
    if settings.MAIL_HOST and not settings.MAIL_IS_SENT:
        message = "MAIL_HOST is set, but not EMAIL_URL: no mail could be answered"
        hint = "such as EMAIL_URL=smtp://localhost"
        messages.append(checks.Error(message, hint=hint, id="antipodes.E014"))
    lmtp = settings.MAIL_LMTP
    if lmtp is not None and lmtp == settings.MAIL_SMTP and (lmtp.path or lmtp.port):
        message = f"MAIL_LMTP and MAIL_SMTP are both {lmtp}"
        messages.append(checks.Error(message, id="antipodes.E015"))
    return messages


def configured_transports() -> list[Transport]:
    """Return the transports that need a thread according to the settings, not yet started.

    Webhooks are views, and the pipe is a command: neither needs a thread.
    """
    transports: list[Transport] = []
    if settings.MAIL_FOLDER is not None:
        transports.append(MaildirTransport())
    if settings.MAIL_LMTP is not None:
        transports.append(ListeningTransport("lmtp", settings.MAIL_LMTP))
    if settings.MAIL_SMTP is not None:
        transports.append(ListeningTransport("smtp", settings.MAIL_SMTP))
    if settings.MAIL_IMAP is not None:
        transports.append(ImapTransport(settings.MAIL_IMAP))
    return transports


class TransportRunner:
    """Runs transports from :meth:`start` to :meth:`stop`.

    Any number of processes, on any number of machines, may run the same ones: of those that share
    a port or a mailbox, one at a time receives mail, and another takes over when it ends.
    """

    def __init__(self, transports: Sequence[Transport] | None = None) -> None:
        """Take the given transports, by default the configured ones."""
        self._transports = configured_transports() if transports is None else transports

    def start(self) -> None:
        for transport in self._transports:
            transport.start()

    def renew_leases(self) -> None:
        """Tell all processes which transports of this one receive mail."""
        for transport in self._transports:
            if transport.is_connected:
                locks.acquire_lease(_lease(transport), _LEASED)

    def stop(self) -> None:
        """Stop all transports in parallel."""
        for transport in self._transports:
            transport.stopping.set()
        for transport in self._transports:
            transport.stop()


def _lease(transport: Transport) -> str:
    return f"mail by {transport.name}"


def inbound_metrics() -> Iterator[Metric]:
    """Yield which transports receive mail, and how much of it waits."""
    up = GaugeMetricFamily(
        "antipodes_mail_transport_up",
        "Whether a process receives mail in this way",
        labels=["transport"],
    )
    for transport in configured_transports():
        lease = LockRow.objects.filter(name=_lease(transport), until__gt=now())
        up.add_metric([transport.name], lease.exists())
    yield up
    yield GaugeMetricFamily(
        "antipodes_mail_unread",
        "Received mails that wait for the site to process them",
        value=InboundMailRow.objects.filter(due_at__gt=0).count(),
    )
