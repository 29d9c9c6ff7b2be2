"""System checks for contradictory mail settings."""

from __future__ import annotations

from django.conf import settings
from django.core import checks

_TRANSPORTS = ("MAIL_LMTP", "MAIL_SMTP", "MAIL_IMAP", "MAIL_WEBHOOK_SECRET")


def check_mail(**_: object) -> list[checks.CheckMessage]:
    """Check that mail can be received where a transport is set, and can be answered."""
    found: list[checks.CheckMessage] = []
    configured = [name for name in _TRANSPORTS if getattr(settings, name)]
    if configured and not settings.MAIL_HOST:
        message = f"{configured[0]} is set, but not MAIL_HOST: no address would be accepted"
        hint = "set it to the domain at which the site receives mail, such as play.example.org"
        found.append(checks.Error(message, hint=hint, id="antipodes.E013"))
    if settings.MAIL_HOST and not settings.MAIL_IS_SENT:
        message = "MAIL_HOST is set, but not EMAIL_URL: no mail could be answered"
        hint = "such as EMAIL_URL=smtp://localhost"
        found.append(checks.Error(message, hint=hint, id="antipodes.E014"))
    lmtp = settings.MAIL_LMTP
    if lmtp is not None and lmtp == settings.MAIL_SMTP and (lmtp.path or lmtp.port):
        message = f"MAIL_LMTP and MAIL_SMTP are both {lmtp}"
        found.append(checks.Error(message, id="antipodes.E015"))
    return found
