"""Laws of secrets: those of one person reach no other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from antipodes.web.town.person import Received, Witness
from antipodes.web.town.town import Town

_ADDRESS = re.compile(r"([a-z]+\d+)@home\.example")
_NOTE = re.compile(r"private-note-(\d+)")
# What acts in the name of its owner: reply addresses, tokens, and links that sign in.
_KEY_PARTS = ("play+", "mt-", "atp_", "confirm-email/", "reset/key/")  # found faster than keys
_KEY = re.compile(
    r"play\+(?:b-)?[a-z0-9]{12,}@[\w.-]+|\bmt-[a-z2-7]{24}\b|\batp_[\w-]{20,}"
    r"|/accounts/(?:confirm-email|password/reset/key)/[\w:-]{12,}"
)
_WORD = re.compile(r"word-\d+-[0-9a-f]+")
_OF_GAMES = ("/m/", "/lobby/", "GET /m/", "GET /ratings/", "GET /lobby/", "GET /games/")
_WRITTEN = ("ada0", "ben1")  # names that the curious write anywhere


def secrets_stay_with_their_owners(town: Witness) -> Iterator[str]:
    """No person receives another's address, password, notes, tokens or reply addresses."""
    owners: dict[str, int] = town.memory.setdefault("owners", {})
    for each in town.received:
        number = each.person.number % 1_000
        has_key = any(part in each.text for part in _KEY_PARTS)
        for key in _KEY.findall(each.text) if has_key else ():
            owner = owners.setdefault(key, number)
            if owner != number:
                yield f"{each.person.name} received {key} of person {owner} in {each.where}"
        yield from _strange(each)


def the_log_has_no_secrets(town: Town) -> Iterator[str]:
    """The site logs no address, password, token or link that signs in."""
    lines, town.site.notes.lines[:] = list(town.site.notes.lines), []
    for line in lines:
        for secret in (
            _ADDRESS.search(line),
            _KEY.search(line),
            re.search(town.site.password, line),
        ):
            if secret:
                yield f"the log has {secret[0]!r}: {line[:200]}"


def private_studies_stay_private(town: Town) -> Iterator[str]:
    """Only members of a private study, and moderators, read its title."""
    from antipodes.web.studies.models import StudyRow, Visibility

    rows = StudyRow.objects.filter(visibility=Visibility.PRIVATE, title__contains="word-")

    def read() -> dict[str, set[str]]:
        return {
            word[0]: {row.owner.username, *row.members.values_list("user__username", flat=True)}
            for row in rows.select_related("owner")
            if (word := _WORD.search(row.title))
        }

    readers = town.remember("readers of studies", ("studies_", "accounts_user"), read)
    earlier: dict[str, set[str]] = town.memory.setdefault("private studies", {})
    for each in town.received if earlier else ():
        for word in set(_WORD.findall(each.text)) & earlier.keys() & readers.keys():
            is_reader = each.person.names & (earlier[word] | readers[word])
            is_author = word.startswith(f"word-{each.person.character}-")
            if not is_reader and not is_author and not each.person.is_moderator:
                yield f"{each.person.name} reads {word} of a private study in {each.where}"
    town.memory["private studies"] = readers


def private_games_stay_private(town: Town) -> Iterator[str]:
    """Only players of a private game, members of its club and moderators receive its address."""
    from antipodes.web.clubs.models import MemberRow
    from antipodes.web.matches.models import MatchRow

    def read() -> dict[str, set[str]]:
        return {
            row.slug: {
                *row.seats.values_list("user__username", flat=True),
                *MemberRow.objects.filter(club=row.club_id).values_list(
                    "user__username", flat=True
                ),
            }
            for row in MatchRow.objects.filter(is_private=True)
        }

    tables = ("matches_matchrow", "matches_seatrow", "clubs_memberrow", "accounts_user")
    readers = town.remember("readers of games", tables, read)
    earlier: dict[str, set[str]] = town.memory.setdefault("private games", {})
    for each in town.received if earlier else ():
        for slug in earlier.keys() & readers.keys():
            # A person who asks for an address knows it.
            names = earlier[slug] | readers[slug]
            is_reader = not names.isdisjoint(each.person.names) or each.person.is_moderator
            if slug in each.text and slug not in each.where and not is_reader:
                yield f"{each.person.name} reads {slug} of a private game in {each.where}"
    town.memory["private games"] = readers


def names_of_deleted_accounts_go(town: Town) -> Iterator[str]:
    """Pages and messages of games name no account that was deleted before."""
    gone: dict[str, int] = town.memory.setdefault("gone names", {})
    if gone:
        names = re.compile(rf"\b(?:{'|'.join(gone)})\b")
        for each in town.received:
            name = names.search(each.text) if each.where.startswith(_OF_GAMES) else None
            if name and gone[name[0]] != each.person.character:
                yield f"{each.person.name} reads the name of {name[0]} in {each.where}"
    for person in town.people:
        left = person.names - {person.name}
        gone.update({name: person.character for name in left if name not in _WRITTEN})


def _strange(received: Received) -> Iterator[str]:
    """Yield the secrets of others in a text that a person received."""
    person, where = received.person, received.where
    for name in _ADDRESS.findall(received.text) if "@home.example" in received.text else ():
        if name not in person.names:
            yield f"{person.name} received the address of {name} in {where}"
    for number in _NOTE.findall(received.text) if "private-note-" in received.text else ():
        if int(number) % 1_000 != person.number % 1_000:
            yield f"{person.name} received a note of person {number} in {where}"
    if person.site.password in received.text:
        yield f"{person.name} received a password in {where}"
