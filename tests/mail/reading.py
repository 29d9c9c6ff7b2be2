"""Requests of short mails, for tests of the parser."""

from __future__ import annotations

from antipodes.mail.incoming import Mail
from antipodes.mail.requests import read_requests

TOKEN = "mt-abcdefghij234567abcdefgh"
HERE = {"board": 101, "user": "ann"}


def read(subject, own_text="", **place):
    return read_requests(Mail(subject=subject, own_text=own_text), **place)


def one(subject, own_text="", **place):
    """Return the only request of a mail."""
    reading = read(subject, own_text, **place)
    assert not reading.faults, reading.faults
    (request,) = reading.requests
    return request


def said(request, *names):
    return tuple(getattr(request, name) for name in names)


def fault(subject, own_text="", **place):
    reading = read(subject, own_text, **place)
    assert not reading.requests
    (found,) = reading.faults
    return found.code
