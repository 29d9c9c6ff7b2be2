"""Laws of sanctions: the words of those whom moderators have muted reach no other person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from antipodes.web.town.person import Person
from antipodes.web.town.site import clock_now
from antipodes.web.town.town import Town

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


def the_suspended_begin_no_games(_town: Town) -> Iterator[str]:
    """No match begins with a person who is suspended, unless an event or a series goes on."""
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.moderation.models import SanctionRow

    now = clock_now()
    for row in SanctionRow.objects.filter(kind=SanctionRow.Kind.SUSPENSION).select_related("user"):
        since = int(row.made_at.timestamp() * 1_000)
        ends = [moment for moment in (row.until, row.lifted_at) if moment is not None]
        until = min((int(moment.timestamp() * 1_000) for moment in ends), default=now)
        begun = MatchRow.objects.filter(
            seats__user=row.user_id, begun_at__gt=since, begun_at__lt=until, series=None
        )
        for match in begun.filter(tournament_game=None).distinct():
            yield f"{row.user.name} began {match.slug} while suspended"
