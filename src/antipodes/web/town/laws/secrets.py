"""Laws of secrets: those of one person reach no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from antipodes.web.town.person import PASSWORD, Person
from antipodes.web.town.town import Town

_ADDRESS = re.compile(r"([a-z]+\d+)@home\.example")
_NOTE = re.compile(r"private-note-(\d+)")
_REPLY_ADDRESS = re.compile(r"play\+([a-z0-9]{12,})@town\.example")


def secrets_stay_with_their_owners(town: Town) -> Iterator[str]:
    """No person receives another's address, password, notes or reply addresses."""
    owners: dict[str, int] = town.memory.setdefault("owners", {})
    # Letters come first: they make reply addresses known with their owners.
    for person in town.people:
        for text in person.new_letters():
            for token in _REPLY_ADDRESS.findall(text):
                owner = owners.setdefault(token, person.number)
                if owner != person.number:
                    yield f"{person.name} got a reply address of person {owner} by mail"
            yield from _strange(person, text, "a mail")
    for person in town.people:
        for visit in person.browser.visits:
            for token in _REPLY_ADDRESS.findall(visit.text):
                if owners.get(token, person.number) != person.number:
                    yield f"{person.name} got a reply address of person {owners[token]}"
            yield from _strange(person, visit.text, f"{visit.method} {visit.path}")
        for path, messages in person.new_messages():
            yield from _strange(person, json.dumps(messages), path)


def _strange(person: Person, text: str, where: str) -> Iterator[str]:
    """Yield the secrets of others in a text that a person received."""
    for name in _ADDRESS.findall(text):
        if name not in person.names:
            yield f"{person.name} received the address of {name} in {where}"
    for number in _NOTE.findall(text):
        if int(number) != person.number:
            yield f"{person.name} received a note of person {number} in {where}"
    if PASSWORD in text:
        yield f"{person.name} received a password in {where}"
