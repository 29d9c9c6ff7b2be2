"""Detection of automatic mail, which is neither carried out nor answered.

Follows RFC 3834, and the habits of programs that do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from antipodes.mail.parts import Fields

LOOP_HEADER = "X-Antipodes-Site"
"""The header field of every e-mail of a site; its value is the site's domain."""

_MAILERS = re.compile(
    r"(?:mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?|.*-bounces?|.*-request|.*-owner"
    r"|owner-.*|listserv|majordomo)(?:[+=].*)?",
    re.IGNORECASE,
)
_BULK = {"bulk", "list", "junk", "auto_reply", "auto-reply"}
_REPORTS = ("multipart/report", "message/delivery-status", "message/disposition-notification")
# Subjects of out-of-office replies; few of these have no other mark.
_AWAY = re.compile(
    r"(?:auto(?:matic)?[ -]?(?:reply|response|antwort)|out of (?:the )?office|automatische antwort"
    r"|abwesen(?:d|heit)|réponse automatique|absence du bureau|respuesta automática"
    r"|risposta automatica|automatisch antwoord|automatiskt? svar|autosvar|automaattinen vastaus"
    r"|resposta automática|odpowiedź automatyczna|automatická odpověď|автоматический ответ"
    r"|自动回复|自動応答|undeliverable|undelivered mail|delivery (?:status|failure)"
    r"|mail delivery failed|returned mail|unzustellbar)",
    re.IGNORECASE,
)


def why_automatic(
    fields: Fields,
    *,
    content_type: str,
    envelope: str | None,
    sender: str,
    own_hosts: Collection[str],
) -> str:
    """Return the reason not to answer a mail; empty if a person wrote it.

    Args:
        fields: its header.
        content_type: of the whole mail.
        envelope: the envelope's sender, if it is known.
        sender: the address in From.
        own_hosts: domains of this site's own Message-IDs.
    """
    noted = fields.raw("return-path").strip()
    if noted == "<>" or (envelope is not None and envelope.strip() in ("", "<>")):
        return "it has no sender to answer to (a bounce)"
    for address in (envelope or "", sender):
        if _MAILERS.fullmatch(address.rpartition("@")[0]):
            return f"a program sent it: {address}"
    if fields.raw(LOOP_HEADER.lower()):
        return f"a site like this one sent it: {fields.text(LOOP_HEADER.lower())[:80]}"
    host = fields.raw("message-id").rpartition("@")[2].strip("> \t").lower()
    if host and host in {one.lower() for one in own_hosts}:
        return f"this site itself sent it: {host}"
    if content_type.startswith(_REPORTS):
        return f"it is a report: {content_type}"
    return _marked(fields)


def _marked(fields: Fields) -> str:
    """Return the header field that marks automatic mail; empty if there is none."""
    submitted = fields.raw("auto-submitted").split(";", 1)[0].split("(", 1)[0].strip().lower()
    if submitted not in ("", "no"):
        return f"Auto-Submitted: {submitted[:80]}"
    precedence = fields.raw("precedence").strip().lower()
    if precedence in _BULK:
        return f"Precedence: {precedence}"
    for name in ("List-Id", "List-Post", "List-Unsubscribe", "X-Mailing-List"):
        if fields.raw(name.lower()).strip():
            return f"it comes from a mailing list: {name}"
    for name in ("X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Mail-Autoreply"):
        if fields.raw(name.lower()).strip().lower() not in ("", "no", "false"):
            return f"it is an automatic answer: {name}"
    if fields.raw("x-failed-recipients").strip():
        return "it is a report: X-Failed-Recipients"
    # Other values ask programs not to reply automatically, but people send such mail too.
    asked = {word.strip() for word in fields.raw("x-auto-response-suppress").lower().split(",")}
    if asked & {"all", "autoreply"}:
        return "X-Auto-Response-Suppress"
    if _AWAY.match(fields.text("subject")):
        return f"it is an automatic answer: {fields.text('subject')[:80]}"
    return ""
