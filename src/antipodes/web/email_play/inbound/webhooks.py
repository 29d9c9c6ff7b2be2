"""Webhooks: a provider takes mail for a domain and posts each mail to the site.

What providers send, and how they sign it, is known by the library anymail. Whoever posts has to
know ``MAIL_WEBHOOK_SECRET``; without that setting there are no such addresses at all. Providers
that sign what they post also need ``MAIL_WEBHOOK_KEY``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from anymail.exceptions import AnymailConfigurationError
from anymail.signals import AnymailInboundEvent, inbound
from django.conf import settings
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from antipodes.web.email_play.inbound.envelopes import envelope_of
from antipodes.web.email_play.inbound.intake import TryAgainError, take
from antipodes.web.email_play.inbound.recipients import ours

logger = logging.getLogger(__name__)

# Those whose mails need nothing to be fetched from elsewhere.
PROVIDERS = {
    "mailersend": "MailerSendInboundWebhookView",
    "mailgun": "MailgunInboundWebhookView",
    "mailjet": "MailjetInboundWebhookView",
    "postal": "PostalInboundWebhookView",
    "postmark": "PostmarkInboundWebhookView",
    "sparkpost": "SparkPostInboundWebhookView",
}

# Those that sign what they post, with the setting of anymail that has the key.
_SIGNING = {
    "mailersend": "MAILERSEND_INBOUND_SECRET",
    "mailgun": "MAILGUN_WEBHOOK_SIGNING_KEY",
    "postal": "POSTAL_WEBHOOK_KEY",
}

_NOT_UNDERSTOOD = (LookupError, ValueError, TypeError, AttributeError)


@csrf_exempt
@require_http_methods(["HEAD", "POST"])
def mail_webhook(request: HttpRequest, provider: str) -> HttpResponseBase:
    """Take what a provider posts.

    It is answered with 503 as long as the mail cannot be taken; all providers come again then.
    """
    if provider not in offered():
        raise Http404
    try:
        return _view(provider)(request)
    except TryAgainError:
        return HttpResponse(status=503, headers={"Retry-After": "60"})
    except AnymailConfigurationError as error:
        # Another kind of webhook was given this address.
        logger.warning("a webhook of %s cannot be read: %s", provider, error)
        return HttpResponse(status=501)
    except _NOT_UNDERSTOOD as error:
        logger.warning("a webhook of %s is not understood: %s", provider, type(error).__name__)
        return HttpResponse(status=400)


def offered() -> set[str]:
    """Return the providers whose webhooks are read: those that sign only if their key is set."""
    if not settings.MAIL_WEBHOOK_SECRET:
        return set()
    return {one for one in PROVIDERS if one not in _SIGNING or settings.ANYMAIL.get(_SIGNING[one])}


@cache
def _view(provider: str) -> Callable[..., HttpResponseBase]:
    module = import_module(f"anymail.webhooks.{provider}")
    found: Callable[..., HttpResponseBase] = getattr(module, PROVIDERS[provider]).as_view()
    return found


@receiver(inbound, dispatch_uid="antipodes mail by webhook")
def take_event(event: AnymailInboundEvent, **_: Any) -> None:
    """Take the mail that a webhook has brought."""
    raw = _bytes_of(event.message)
    sender, written = envelope_of(raw)
    named = [event.message.envelope_recipient or ""]
    refusal = take(
        raw,
        sender=event.message.envelope_sender or sender,
        recipients=ours(named) or written,
        via="webhook",
    )
    if refusal:
        # The provider is not told: it would only come again.
        logger.info("a mail by webhook is left aside: %s", refusal)


def _bytes_of(message: Any) -> bytes:
    try:
        return bytes(message.as_bytes())
    except (UnicodeError, LookupError):  # headers that say one thing and are another
        return str(message.as_string()).encode("utf-8", "surrogateescape")
