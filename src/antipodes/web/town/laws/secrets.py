"""Laws of secrets: those of one person reach no other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from antipodes.web.town.person import Received, Witness

_ADDRESS = re.compile(r"([a-z]+\d+)@home\.example")
_NOTE = re.compile(r"private-note-(\d+)")
# What acts in the name of its owner: reply addresses, tokens, and links that sign in.
_KEY = re.compile(
    r"play\+(?:b-)?[a-z0-9]{12,}@[\w.-]+|\bmt-[a-z2-7]{24}\b|\batp_[\w-]{20,}"
    r"|/accounts/(?:confirm-email|password/reset/key)/[\w:-]{12,}"
)


def secrets_stay_with_their_owners(town: Witness) -> Iterator[str]:
    """No person receives another's address, password, notes, tokens or reply addresses."""
    owners: dict[str, int] = town.memory.setdefault("owners", {})
    for each in town.received:
        number = each.person.number % 1_000
        for key in _KEY.findall(each.text):
            owner = owners.setdefault(key, number)
            if owner != number:
                yield f"{each.person.name} received {key} of person {owner} in {each.where}"
        yield from _strange(each)


def _strange(received: Received) -> Iterator[str]:
    """Yield the secrets of others in a text that a person received."""
    person, where = received.person, received.where
    for name in _ADDRESS.findall(received.text):
        if name not in person.names:
            yield f"{person.name} received the address of {name} in {where}"
    for number in _NOTE.findall(received.text):
        if int(number) % 1_000 != person.number % 1_000:
            yield f"{person.name} received a note of person {number} in {where}"
    if person.site.password in received.text:
        yield f"{person.name} received a password in {where}"
