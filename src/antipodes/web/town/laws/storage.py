"""Laws of what is stored: nothing acknowledged is lost or doubled, and tables stay bounded."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.habits.play import view_of
from antipodes.web.town.town import Town

_ROWS_OF_SITE = 2_000  # that a site has without people: permissions, puzzles, levels
_ROWS_OF_ACT = 8  # that one act stores in one table at most, on average


def no_shown_change_is_lost(town: Town) -> Iterator[str]:
    """All that a player has seen of a match is stored, also after the site was killed."""
    for person, slug, view, version in _shown(town):
        if view["version"] > version:
            yield f"{person} saw version {view['version']} of {slug}, now it has {version}"


def open_pages_show_the_present_board(town: Town) -> Iterator[str]:
    """An open page of a match shows its latest version, also if a message was lost."""
    for person, slug, view, version in _shown(town):
        if view["version"] < version:
            yield f"{person} still sees version {view['version']} of {slug}, which has {version}"


def no_command_counts_twice(_town: Town) -> Iterator[str]:
    """A command that came twice, as after a lost connection, has changed its match once."""
    from collections import Counter

    from antipodes.web.matches.models import EventRow

    events = EventRow.objects.filter(data__kind="moved").values_list("match", "data")
    keys = Counter((match, data["key"]) for match, data in events if data.get("key"))
    for (match, key), count in keys.items():
        if count > 1:
            yield f"match {match} has {count} moves of the command {key}"


def rows_refer_to_what_exists(_town: Town) -> Iterator[str]:
    """Each row refers to rows that exist."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_key_check")
        for table, row, parent, _key in cursor.fetchall():
            yield f"row {row} of {table} refers to a row of {parent} that does not exist"


def tables_grow_with_what_people_do(town: Town) -> Iterator[str]:
    """No table has more rows than a constant and a few for each act of a person."""
    from django.apps import apps

    most = _ROWS_OF_SITE + _ROWS_OF_ACT * len(town.events)
    for model in apps.get_models():
        count = model._default_manager.count()  # noqa: SLF001 - Django's own name for it
        if count > most:
            yield f"{model._meta.db_table} has {count} rows after {len(town.events)} acts"  # noqa: SLF001


def _shown(town: Town) -> Iterator[tuple[str, str, dict[str, int], int]]:
    """Yield what each open page of a match shows, with the match's version."""
    from antipodes.web.matches.models import MatchRow

    versions = dict(MatchRow.objects.values_list("slug", "version"))
    for person in town.people:
        for path, socket in person.sockets.items():
            slug = path.split("/")[2]
            view = view_of(socket) if path.startswith("/m/") else None
            if view is not None and socket.is_open and slug in versions:
                yield person.name, slug, view, versions[slug]
