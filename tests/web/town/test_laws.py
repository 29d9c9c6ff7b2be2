"""Laws of the town judge the site alone, in cases that its runs have come to."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from antipodes.match import Accept, Offer, OfferKind, Play
from antipodes.tournaments.league import League
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches.models import ChatLine, EventRow, MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.moderation.models import SanctionRow
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import LogRow
from antipodes.web.town import weather
from antipodes.web.town.laws import acknowledged, events, live, sanctions
from tests.web.tournaments.conftest import advance, event_of

pytestmark = pytest.mark.django_db
NO_TOWN: Any = None
WORD = "word-0-164d900268"


def received(*messages):
    person = SimpleNamespace(character=0, name="ada0")
    text = json.dumps(messages)
    each = SimpleNamespace(person=person, where="/m/abc/socket", text=text)
    return SimpleNamespace(received=[each], memory={})


def test_a_refusal_that_quotes_what_it_refuses_is_no_line_of_chat():
    refused = {"type": "refused", "message": f"'I write {WORD}' is no move"}
    shown = {"type": "chat", "lines": [{"id": 1, "text": f"hello {WORD}"}]}
    assert not list(acknowledged.shown_words_are_stored_once(received(refused)))
    assert list(acknowledged.shown_words_are_stored_once(received(refused, shown))) == [
        f"ada0 has seen {WORD} in a chat, where it is stored 0 times"
    ]


def end_on_time(row, takes_back):
    """Let both players of a live game move, perhaps take it back, and the first lose on time."""
    MatchRow.objects.filter(pk=row.pk).update(aborts_late=True)
    for seat in (0, 1):
        carry_out(row.slug, Play(seat=seat, ply=seat, key=f"move {seat}", move=seat))
    if takes_back:
        carry_out(row.slug, Offer(seat=0, ply=2, key="offer", kind=OfferKind.TAKEBACK))
        carry_out(row.slug, Accept(seat=1, ply=2, key="accept", kind=OfferKind.TAKEBACK))
    number, at = row.events.count(), row.begun_at + 9
    data = {"kind": "ended", "at": at, "seat": 0, "result": {"winner": "white", "reason": "time"}}
    EventRow.objects.create(match=row, number=number, data=data)
    MatchRow.objects.filter(pk=row.pk).update(version=number + 1, ended_at=at, reason="time")


def test_players_whose_first_moves_were_taken_back_know_of_the_game(row):
    end_on_time(row, takes_back=True)
    assert MatchRow.objects.get(pk=row.pk).match().moves == ()
    assert not list(live.no_time_is_lost_before_the_first_move(NO_TOWN))
    row.events.filter(data__kind="moved", data__seat=1).delete()
    assert list(live.no_time_is_lost_before_the_first_move(NO_TOWN)) == [
        f"{row.slug} ended on time before the first move of seat 1"
    ]


@pytest.mark.parametrize("format_", [League(), Swiss()], ids=["league", "swiss"])
def test_a_game_after_leaving_breaks_a_law_but_a_game_won_without_play_does_not(dee, format_):
    row = event_of(dee, 5, format=format_)
    directing.start(row.pk, dee)
    advance(row)
    services.leave(row.pk, User.objects.get(username="p001"))
    advance(row)
    assert not list(events.no_player_is_paired_after_leaving(NO_TOWN))
    number = row.entries.get(user__username="p001").number
    data = {"round": 9, "pairings": [[number, None]], "points": [[9, 1, 0.0, 0.0]]}
    LogRow.objects.create(tournament=row, number=99, kind="paired", data=data, at=0)
    breaches = list(events.no_player_is_paired_after_leaving(NO_TOWN))
    expected = f"event {row.slug} pairs [{number}] in 9, who left"
    assert breaches == ([expected] if isinstance(format_, Swiss) else [])
    data["points"] = []
    LogRow.objects.create(tournament=row, number=100, kind="paired", data=data, at=0)
    assert list(events.no_player_is_paired_after_leaving(NO_TOWN))[-1] == expected


def test_what_a_muted_or_suspended_person_makes_for_others_breaks_a_law(ann, row):
    person = SimpleNamespace(name="ann")
    town: Any = SimpleNamespace(
        events=[SimpleNamespace(who=0)],
        people=[person],
        memory={},
        remember=lambda _name, _tables, read: read(),
    )

    def breaches():
        return list(sanctions.acts_under_a_sanction_make_nothing_for_others(town))

    def act():
        ChatLine.objects.create(match=row, room="seated", user=ann, text="hello", at=1)
        ChallengeRow.objects.create(by=ann, game_id="hex", made_at=1)
        return breaches()

    assert act() == []
    sanction = SanctionRow.objects.create(user=ann, kind="mute", reason="x")
    assert breaches() == []
    assert len(act()) == 1
    sanction.delete()
    SanctionRow.objects.create(user=ann, kind="suspension", reason="x")
    assert breaches() == []
    assert len(act()) == 2
    town.events = [SimpleNamespace(who=-1)]
    assert act() == []


def test_the_town_knows_the_table_of_each_write_so_that_laws_read_it_again(ann, row):
    with CaptureQueriesContext(connection) as queries:
        line = ChatLine.objects.create(match=row, room="seated", user=ann, text="hello", at=1)
        ChatLine.objects.filter(pk=line.pk).update(text="hi")
        ChatLine.objects.bulk_create([line], ignore_conflicts=True)
        line.delete()
    tables = [table[1] for query in queries if (table := weather.WRITE.match(query["sql"]))]
    assert tables.count("matches_chatline") == 4
