"""Laws of sanctions: what muted and suspended people do has no effect that others see."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from antipodes.web.town.person import Person
from antipodes.web.town.town import SANCTIONS, Town

# Rows that others see, with the field of the person who makes them.
_SAID = {
    "matches.ChatLine": "user",
    "studies.StudyRow": "owner",
    "studies.EditRow": "user",
    "studies.CommentAuthorRow": "user",
    "tournaments.InvitationRow": "by",
    "tournaments.TournamentRow": "host",
}
_BEGUN = {
    "challenges.ChallengeRow": "by",
    "challenges.JoinRow": "user",
    "matchmaking.SeekRow": "user",
    "simuls.SimulRow": "by",
    "simuls.SimulPlayerRow": "user",
    "tournaments.EntryRow": "user",
}
_MATCH = "newest match"  # in the memory of laws: its key
_WORD = re.compile(r"word-\d+-[0-9a-f]+")


def the_muted_are_not_heard(town: Town) -> Iterator[str]:
    """Only moderators read what a muted or suspended person says."""
    muted: dict[str, int] = town.memory.setdefault("muted words", {})
    for person in town.people:
        # Who has signed up by mail alone speaks on pages as a guest.
        if person.spoken and person.has_account and _is_muted(person):
            muted.update(dict.fromkeys(person.spoken, person.character))
    if muted:
        for each in town.received:
            for word in _WORD.findall(each.text):
                speaker = muted.get(word, each.person.character)
                if speaker != each.person.character and not each.person.is_moderator:
                    yield f"{each.person.name} reads {word} of a muted person in {each.where}"
                    del muted[word]


def _is_muted(person: Person) -> bool:
    from antipodes.web.accounts.models import User
    from antipodes.web.moderation import sanctions
    from antipodes.web.moderation.models import SanctionRow

    user = User.objects.filter(username=person.name).first()
    kinds = (SanctionRow.Kind.MUTE, SanctionRow.Kind.SUSPENSION)
    return user is not None and sanctions.in_force(user, *kinds) is not None


def the_suspended_begin_no_games(town: Town) -> Iterator[str]:
    """No match begins with a person who is suspended, unless an event or a series goes on."""
    from antipodes.web.matches.models import MatchRow

    if not town.has_changed("matches_matchrow"):
        return
    # Moments of sanctions and matches do not tell: the former are the system clock's.
    kinds_before, _ = town.memory.get(SANCTIONS, ({}, {}))
    kinds_now = _kinds_in_force(town)
    for name, kinds in kinds_before.items():
        if "suspension" in kinds & kinds_now.get(name, set()):
            begun = MatchRow.objects.filter(
                pk__gt=town.memory.get(_MATCH, 0), seats__user__username=name, series=None
            )
            for match in begun.filter(tournament_game=None).distinct():
                yield f"{name} began {match.slug} while suspended"
    town.memory[_MATCH] = _newest("matches.MatchRow")


def acts_under_a_sanction_make_nothing_for_others(town: Town) -> Iterator[str]:
    """A muted person says nothing, and invites none; a suspended one offers and joins no game."""
    kinds_before, newest = town.memory.get(SANCTIONS, ({}, {}))
    kinds_now = _kinds_in_force(town)
    who = town.events[-1].who
    name = town.people[who].name if who >= 0 else ""
    kinds = kinds_before.get(name, set()) & kinds_now.get(name, set())
    tables = {**(_SAID if kinds else {}), **(_BEGUN if "suspension" in kinds else {})}
    for label, field in tables.items():
        for row in _rows_of(label).filter(pk__gt=newest[label], **{f"{field}__username": name}):
            yield f"{name}, under {' and '.join(sorted(kinds))}, has made {label} {row}"
    if kinds_now:
        newest = {label: _newest(label) for label in (*_SAID, *_BEGUN)}
    town.memory[SANCTIONS] = kinds_now, newest


def _kinds_in_force(town: Town) -> dict[str, set[str]]:
    """Return the mutes and suspensions in force, by the name of their account."""
    from antipodes.web.moderation.models import SanctionRow

    limiting = (SanctionRow.Kind.MUTE, SanctionRow.Kind.SUSPENSION)
    unlifted = SanctionRow.objects.filter(kind__in=limiting, lifted_at=None).select_related("user")
    tables = ("moderation_sanctionrow", "accounts_user")
    kinds: dict[str, set[str]] = defaultdict(set)
    for row in town.remember("unlifted sanctions", tables, lambda: list(unlifted.all())):
        if row.is_in_force:
            kinds[row.user.username].add(row.kind)
    return kinds


def _rows_of(label: str) -> Any:
    from django.apps import apps

    return apps.get_model(label)._default_manager  # noqa: SLF001 - Django's own name for it


def _newest(label: str) -> int:
    return _rows_of(label).order_by("-pk").values_list("pk", flat=True).first() or 0
