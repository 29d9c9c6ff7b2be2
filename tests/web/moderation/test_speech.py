"""Law: muted people say nothing to others, by whatever entry point.

Each field of each form, operation and message gets words, once by people who may speak and once by
muted ones. Fields are found as in ``test_column_bounds``, so a new field is tried without being
listed here; the columns that others read are those of ``test_passed_on_texts``, where a new one has
to be declared. Commands by mail are in ``email_play/commands/test_laws.py``.
"""

import json
import re
from contextlib import contextmanager
from typing import get_args

import pytest
from django.db import connection

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.profile_services import change_profile
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.consumers import MatchSocket
from antipodes.web.matches.messages import ClientMessage, SayMessage
from antipodes.web.matches.open_chat_socket import ChatSocket
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.studies import services as studies
from antipodes.web.studies.consumers import StudySocket
from antipodes.web.studies.schemas import EditKind
from antipodes.web.tournaments import changes, directing, invitations
from antipodes.web.tournaments.models import LogRow, TournamentRow
from tests.web.test_column_bounds import (
    BODIES,
    OPERATIONS,
    PAGES,
    api_fields,
    carried_out_by,
    fields_read,
    messages_of,
    placed,
    socket_of,
)
from tests.web.test_passed_on_texts import PASSED_ON

pytestmark = pytest.mark.django_db

WORDS = "zqwords"
RECORD = f"(;GM[11]FF[4]SZ[3]C[{WORDS}];B[a1]C[{WORDS}])"
# Models whose texts moderators write, or only they read.
OF_MODERATORS = {
    "moderation.reportrow",
    "moderation.sanctionrow",
    "notifications.notificationrow",
    "puzzles.puzzlereportrow",
}
# Mails are sent after the requests; the law of commands by mail reads them.
SPOKEN = set(PASSED_ON) - OF_MODERATORS - {"notifications.emailrow"}


@pytest.fixture
def mute_all():
    """Mute everyone."""

    def mute():
        SanctionRow.objects.bulk_create(
            SanctionRow(user=user, kind="mute", reason="rude") for user in User.objects.all()
        )

    return mute


@contextmanager
def spoken():
    """Collect the models whose texts others read and into which the words are written."""
    found = set()

    def note(execute, sql, params, many, context):
        written = re.match(r'(?:INSERT INTO|UPDATE) "(\w+)"', sql)
        # PostgreSQL's driver wraps JSON, and shows only its first letters.
        values = [getattr(value, "obj", value) for value in params or ()]
        if written and WORDS in str(values):
            found.update({written[1].replace("_", ".", 1)} & SPOKEN)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield found


def said_on_pages(world):
    """Put words into each field of each form; return models that get them, and the forms."""
    found = set()
    for row, method, first in PAGES:
        who = "owner" if first == "anonymous" else first  # a new guest is not muted
        sent = row.sent(world)
        with fields_read() as fields:
            world.outcome(who, method, row.address(world), sent, by_token=False)
        for name in fields:
            for value in (WORDS, RECORD):
                found |= said(world, row, method, who, {**sent, name: value})
    return found


def said_by_api(world):
    """Put words into each text of each operation; return models that get them, and operations."""
    found = set()
    for row, method, who in OPERATIONS:
        sent = row.sent(world)
        for path, schema in api_fields(BODIES[row.name]["schema"]):
            if schema["type"] == "string":
                for value in (WORDS, RECORD):
                    found |= said(world, row, method, who, placed(sent, path, value))
    return found


def said(world, row, method, who, sent):
    with spoken() as found:
        world.outcome(who, method, row.address(world), sent, by_token=row.by_token)
    return {(name, row.name) for name in found}


@pytest.mark.slow
@pytest.mark.parametrize("say", [said_on_pages, said_by_api])
def test_muted_people_say_nothing_on_pages_and_by_the_api(world, mute_all, say):
    before_muting = say(world)
    mute_all()
    assert say(world) == set()
    # Edits of chapters and lines of chats come by sockets.
    assert SPOKEN - {model for model, _name in before_muting} <= {
        "studies.editrow",
        "matches.chatline",
    }


def said_by_sockets(world):
    """Put words into each text of each message; return models that get them, and messages."""
    found: set[tuple[str, str]] = set()

    def try_all(carry_out, base, fields):
        for path in fields:
            with world._rolled_back(), spoken() as models:
                try:
                    carry_out(json.dumps(placed(base, path, WORDS)))
                except InputError:
                    continue
            found.update((name, base.get("command", "edit")) for name in models)

    match = socket_of(MatchSocket, world.ann, slug=world.public.slug)
    for kind in get_args(ClientMessage):
        for base, fields in messages_of(kind):
            try_all(carried_out_by(match), base, [path for path, _schema in fields])
    lobby = socket_of(ChatSocket, world.ann, room="lobby", slug="")
    base = {"command": "chat", "key": "a new key", "text": "hello"}
    fields = [path for path, _schema in api_fields(SayMessage.model_json_schema())]
    try_all(carried_out_by(lobby), base, fields)
    study = socket_of(StudySocket, world.ann, slug=world.study.slug, number=1)
    usual = {"move": 4, "text": "", "before": "", "mark": "good", "shape": ["circle", 0]}
    for kind in get_args(EditKind):
        edit = {"kind": kind, "path": [], "on": True, "seen": 1, **usual}
        try_all(
            carried_out_by(study),
            {"key": "a new key", "edit": edit},
            [("edit", name) for name in edit],
        )
    return found


def test_muted_people_say_nothing_by_sockets(world, mute_all, settings):
    settings.LOBBY_CHAT = True
    assert {name for name, _ in said_by_sockets(world)} >= {
        "matches.chatline",
        "studies.editrow",
    }
    mute_all()
    assert said_by_sockets(world) == set()


# A mute stopped the chats once, and none of these.
ACTS = {
    "founds a club": lambda at: clubs.create_club(at.ann, clubs.ClubDetails(name=WORDS)),
    "renames a club": lambda at: clubs.update_club(
        at.club, at.ann, clubs.ClubDetails(name=WORDS, slug="the-club")
    ),
    "describes a club": lambda at: clubs.update_club(
        at.club, at.ann, clubs.ClubDetails(name="The club", slug="the-club", description=WORDS)
    ),
    "invites to a club": lambda at: membership.invite(at.club, at.ann, at.dee),
    "renames a study": lambda at: studies.change_study(at.study, at.ann, WORDS, "unlisted"),
    "publishes a study": lambda at: studies.change_study(at.study, at.ann, "Open", "public"),
    "renames a chapter": lambda at: studies.rename_chapter(at.study.chapters.get(), at.ann, WORDS),
    "invites to a study": lambda at: studies.invite(at.study, at.ann, ["dee"], can_write=False),
    "describes an event": lambda at: changes.change(at.event.pk, at.ann, {"description": WORDS}),
    "renames an event": lambda at: changes.change(at.event.pk, at.ann, {"title": WORDS}),
    "invites to an event": lambda at: invitations.invite(at.event.pk, at.ann, "dee"),
    "cancels an event": lambda at: directing.cancel(at.event.pk, at.ann, WORDS),
    "withdraws a player": lambda at: directing.withdraw_player(at.event.pk, at.ann, "bob", WORDS),
    "writes a profile": lambda at: change_profile(at.ann, {"about": WORDS}),
    "names a country": lambda at: change_profile(at.ann, {"country": WORDS}),
}


@pytest.mark.parametrize(
    ("kind", "code"), [("mute", "chat/muted"), ("suspension", "community/suspended")]
)
@pytest.mark.parametrize("act", ACTS)
def test_a_sanctioned_person_says_nothing_when_it(world, act, kind, code):
    SanctionRow.objects.create(user=world.ann, kind=kind, reason="rude words")
    with world._rolled_back(), pytest.raises(InputError, match="rude words") as refused:
        ACTS[act](world)
    assert refused.value.code == code
    with world._rolled_back():
        SanctionRow.objects.all().delete()
        ACTS[act](world)


def test_muted_people_may_change_settings_and_remove_their_words(world):
    ann = world.ann
    with world._rolled_back():
        change_profile(ann, {"about": "words of old", "country": "Norway"})
        SanctionRow.objects.create(user=ann, kind="mute", reason="rude words")
        row = change_profile(ann, {"about": "", "availability": "busy"})
        assert (row.about, row.country) == ("", "Norway")
        details = clubs.ClubDetails(name="The club", slug="the-club", is_public=False)
        clubs.update_club(world.club, ann, details)
        assert not ClubRow.objects.get(pk=world.club.pk).is_public
        studies.change_study(world.study, ann, "Open", "private")
        starts_at = world.event.made_at + 10**8
        changes.change(world.event.pk, ann, {"starts_at": starts_at})
        assert TournamentRow.objects.get(pk=world.event.pk).starts_at == starts_at
        assert LogRow.objects.filter(kind="changed").count() == 1


def test_the_page_of_a_profile_says_why_it_is_not_saved(world, client):
    with world._rolled_back():
        SanctionRow.objects.create(user=world.ann, kind="mute", reason="rude words")
        client.force_login(world.ann)
        page = client.post("/accounts/profile/", {"about": WORDS})
        assert page.status_code == 200
        assert "you are muted permanently: rude words" in page.content.decode()
