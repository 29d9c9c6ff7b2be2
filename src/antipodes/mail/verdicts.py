"""Authentication results (RFC 8601): whether the host's mail server trusts a mail's origin."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum

_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_DOMAIN = re.compile(
    r"\b(?:header\.(?:d|i|from)|smtp\.mailfrom)\s*=\s*\"?([^\s\";]+)", re.IGNORECASE
)
_METHODS = ("dmarc", "dkim", "spf")
_BAD = {"fail", "hardfail"}


class Verdict(StrEnum):
    """The authentication of a mail's origin."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601
    FAIL = "fail"
    NONE = "none"


def find_verdict(
    fields: Sequence[tuple[str, str]], *, trusted: Collection[str], domain: str
) -> Verdict:
    """Return the authentication result of the host's own mail server.

    The DMARC result counts if there is one. Else a valid DKIM signature or SPF result for the
    sender's domain is a pass; a failure counts only without a pass.

    Args:
        fields: the header's names in lower case, and values, the topmost first.
        trusted: names of that server. It must remove fields of others with its name, as RFC 8601
            demands.
        domain: of the address in From.
    """
    results = list(_results(fields, {name.strip().lower() for name in trusted if name.strip()}))
    for method, result, _ in results:
        if method == "dmarc" and result == "pass":
            return Verdict.PASS
        if method == "dmarc" and result in _BAD:
            return Verdict.FAIL
    others = [one for one in results if one[0] != "dmarc"]
    good = [domains for _, result, domains in others if result == "pass"]
    if any(_belongs(one, domain.lower()) for domains in good for one in domains):
        return Verdict.PASS
    failed = any(result in _BAD for _, result, _ in others)
    return Verdict.FAIL if failed and not good else Verdict.NONE


def _results(
    fields: Sequence[tuple[str, str]], trusted: set[str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield method, result and domains of the topmost fields of the own server."""
    found = False
    for name, value in fields:
        if name == "received" and found:
            # Fields below were written by earlier servers, or by the sender.
            return
        if name != "authentication-results":
            continue
        server, *parts = _COMMENT.sub(" ", value[:4_000]).split(";")
        words = server.split()
        if not words or words[0].lower() not in trusted:
            continue
        found = True
        for part in parts:
            result = _RESULT.match(part)
            if result and result[1].lower() in _METHODS:
                domains = tuple(
                    text.rpartition("@")[2].lower().rstrip(".") for text in _DOMAIN.findall(part)
                )
                yield result[1].lower(), result[2].lower(), domains


def _belongs(domain: str, sender: str) -> bool:
    """Return whether two domains are equal, or one is a subdomain of the other."""
    if not domain or not sender or "." not in domain:
        return bool(domain) and domain == sender
    return domain == sender or sender.endswith("." + domain) or domain.endswith("." + sender)
