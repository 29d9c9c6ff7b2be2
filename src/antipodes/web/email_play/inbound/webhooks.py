"""Webhook transport: a mail provider posts each mail for a domain to the site.

The library anymail parses the providers' formats and verifies their signatures. A request must
authenticate with ``MAIL_WEBHOOK_SECRET``; without that setting the URLs do not exist. Providers
that sign their requests also need ``MAIL_WEBHOOK_KEY``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from anymail.exceptions import AnymailConfigurationError
from anymail.signals import AnymailInboundEvent
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from antipodes.web.email_play.inbound.intake import TryAgainError, accept, envelope_of, only_own

logger = logging.getLogger(__name__)

# Providers that post whole mails; of others the site would have to fetch the content.
PROVIDERS = {
    "mailersend": "MailerSendInboundWebhookView",
    "mailgun": "MailgunInboundWebhookView",
    "mailjet": "MailjetInboundWebhookView",
    "postal": "PostalInboundWebhookView",
    "postmark": "PostmarkInboundWebhookView",
    "sparkpost": "SparkPostInboundWebhookView",
}

# Providers that sign their requests, with anymail's setting of the key.
_SIGNING = {
    "mailersend": "MAILERSEND_INBOUND_SECRET",
    "mailgun": "MAILGUN_WEBHOOK_SIGNING_KEY",
    "postal": "POSTAL_WEBHOOK_KEY",
}

_PARSE_ERRORS = (LookupError, ValueError, TypeError, AttributeError)


@csrf_exempt
@require_http_methods(["HEAD", "POST"])
def mail_webhook(request: HttpRequest, provider: str) -> HttpResponseBase:
    """Accept a mail from a provider.

    While mail cannot be stored the response is 503, and all providers post it again later.
    """
    if provider not in enabled_providers():
        raise Http404
    try:
        return _view(provider)(request)
    except TryAgainError:
        return HttpResponse(status=503, headers={"Retry-After": "60"})
    except AnymailConfigurationError as error:
        # The provider has this URL for a different kind of webhook.
        logger.warning("mail webhook misconfigured provider=%s error=%s", provider, error)
        return HttpResponse(status=501)
    except _PARSE_ERRORS as error:
        name = type(error).__name__
        logger.warning("mail webhook not parsed provider=%s error=%s", provider, name)
        return HttpResponse(status=400)


def enabled_providers() -> set[str]:
    """Return the providers whose webhooks are accepted: signing ones only if their key is set."""
    if not settings.MAIL_WEBHOOK_SECRET:
        return set()
    return {
        provider
        for provider in PROVIDERS
        if provider not in _SIGNING or settings.ANYMAIL.get(_SIGNING[provider])
    }


@cache
def _view(provider: str) -> Callable[..., HttpResponseBase]:
    module = import_module(f"anymail.webhooks.{provider}")
    view: Callable[..., HttpResponseBase] = getattr(module, PROVIDERS[provider]).as_view()
    return view


def accept_event(event: AnymailInboundEvent, **_: Any) -> None:
    """Accept the mail of a webhook request."""
    raw = _bytes_of(event.message)
    sender, written = envelope_of(raw)
    named = [event.message.envelope_recipient or ""]
    refusal = accept(
        raw,
        sender=event.message.envelope_sender or sender,
        recipients=only_own(named) or written,
        via="webhook",
    )
    if refusal:
        # An error status would make the provider post it again.
        logger.info("mail ignored via=webhook reason=%s", refusal)


def _bytes_of(message: Any) -> bytes:
    try:
        return bytes(message.as_bytes())
    except (UnicodeError, LookupError):  # the declared character set is wrong
        return str(message.as_string()).encode("utf-8", "surrogateescape")
