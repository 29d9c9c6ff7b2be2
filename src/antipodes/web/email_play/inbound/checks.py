"""Settings of mail that do not go together."""

from __future__ import annotations

from django.conf import settings
from django.core import checks

_DOORS = ("MAIL_LMTP", "MAIL_SMTP", "MAIL_IMAP", "MAIL_WEBHOOK_SECRET")


@checks.register("antipodes")
def check_mail(**_: object) -> list[checks.CheckMessage]:
    """Tell of settings by which mail would come in and never be answered, or never come in."""
    found: list[checks.CheckMessage] = []
    doors = [name for name in _DOORS if getattr(settings, name)]
    if doors and not settings.MAIL_HOST:
        message = f"{doors[0]} is set, but not MAIL_HOST: no address would be ours"
        hint = "set it to the domain at which people write, such as play.example.org"
        found.append(checks.Error(message, hint=hint, id="antipodes.E013"))
    if settings.MAIL_HOST and not settings.MAIL_IS_SENT:
        message = "MAIL_HOST is set, but not EMAIL_URL: nothing could be answered"
        hint = "such as EMAIL_URL=smtp://localhost"
        found.append(checks.Error(message, hint=hint, id="antipodes.E014"))
    place = settings.MAIL_LMTP
    if place is not None and place == settings.MAIL_SMTP and (place.path or place.port):
        message = f"MAIL_LMTP and MAIL_SMTP are both {place}"
        found.append(checks.Error(message, id="antipodes.E015"))
    return found
