"""Laws of secrets: those of one person reach no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from antipodes.web.town.person import PASSWORD, Person
from antipodes.web.town.town import Town

_ADDRESS = re.compile(r"([a-z]+\d+)@home\.example")
_NOTE = re.compile(r"private-note-(\d+)")
# What acts in the name of its owner: reply addresses, tokens, and links that sign in.
_KEY = re.compile(
    r"play\+(?:b-)?[a-z0-9]{12,}@town\.example|\bmt-[a-z2-7]{24}\b|\batp_[\w-]{20,}"
    r"|/accounts/(?:confirm-email|password/reset/key)/[\w:-]{12,}"
)


def secrets_stay_with_their_owners(town: Town) -> Iterator[str]:
    """No person receives another's address, password, notes, tokens or reply addresses."""
    owners: dict[str, int] = town.memory.setdefault("owners", {})
    for person in town.people:
        # Mails come first: they make keys known with their owners.
        received = [("a mail", text) for text in person.new_letters()]
        received += [
            (f"{visit.method} {visit.path}", visit.text) for visit in person.browser.visits
        ]
        received += [(path, json.dumps(messages)) for path, messages in person.new_messages()]
        for where, text in received:
            for key in _KEY.findall(text):
                owner = owners.setdefault(key, person.number % 1_000)
                if owner != person.number % 1_000:
                    yield f"{person.name} received {key} of person {owner} in {where}"
            yield from _strange(person, text, where)


def _strange(person: Person, text: str, where: str) -> Iterator[str]:
    """Yield the secrets of others in a text that a person received."""
    for name in _ADDRESS.findall(text):
        if name not in person.names:
            yield f"{person.name} received the address of {name} in {where}"
    for number in _NOTE.findall(text):
        if int(number) % 1_000 != person.number % 1_000:
            yield f"{person.name} received a note of person {number} in {where}"
    if PASSWORD in text:
        yield f"{person.name} received a password in {where}"
