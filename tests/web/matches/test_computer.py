"""Laws of the computer's moves."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Offer, OfferKind, Play, Resign, Terms
from antipodes.web import wake
from antipodes.web.matches import computer
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.people.services import computer as computer_user


@pytest.fixture
def asked(monkeypatch):
    """The jobs that were asked for, none of them done."""
    jobs = []
    monkeypatch.setattr(computer, "make_move", lambda slug, version: jobs.append((slug, version)))
    return jobs


@pytest.fixture
def row(people, asked):
    """A match of somebody who begins against the computer."""
    users = [people[0], computer_user("1")]
    game = make_game("hex", {"size": 3})
    return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)


def do(job):
    """Do a job here and now."""
    computer.move_now(*job)


def test_the_computer_is_asked_in_its_turns_alone(row, asked):
    assert asked == []
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    assert asked == [(row.slug, 1)]
    do(asked[0])
    assert MatchRow.objects.get(slug=row.slug).match().ply == 2
    assert len(asked) == 1


def test_a_job_done_twice_makes_one_move(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    do(asked[0])
    do(asked[0])
    assert MatchRow.objects.get(slug=row.slug).match().ply == 2


def test_a_job_for_a_match_that_has_ended_does_nothing(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    carry_out(row.slug, Resign(seat=0, ply=1, key="resign"))
    do(asked[0])
    assert MatchRow.objects.get(slug=row.slug).match().ply == 1


def test_lost_jobs_are_asked_for_again(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    asked.clear()
    computer.ask_for_all()
    assert asked == [(row.slug, 1)]


def test_who_watches_hears_that_the_computer_thinks(row, asked, monkeypatch):
    told = []
    monkeypatch.setattr(wake, "tell", lambda group, message: told.append(message))
    monkeypatch.setattr(computer, "wait_until_warm", lambda game, use, meanwhile: meanwhile())
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    do(asked[0])
    thinking = [one for one in told if one["type"] == "match.thinking"]
    assert [(one["seat"], one["warming"]) for one in thinking[:2]] == [(1, True), (1, False)]


def offer(row, kind, ply):
    carry_out(row.slug, Offer(seat=0, ply=ply, key=f"offer {kind}", kind=kind))
    return MatchRow.objects.get(slug=row.slug).match()


def test_a_takeback_is_granted_at_once_and_a_draw_is_not(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    do(asked[0])
    match = offer(row, OfferKind.DRAW, 2)
    assert (match.result, match.offers) == (None, {})
    assert offer(row, OfferKind.TAKEBACK, 2).ply == 0


def test_after_a_takeback_the_computer_does_not_make_the_move_it_was_asked_for(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    offer(row, OfferKind.TAKEBACK, 1)
    do(asked[0])
    assert MatchRow.objects.get(slug=row.slug).match().ply == 0


def test_the_computer_pauses_with_its_opponent(row):
    assert offer(row, OfferKind.PAUSE, 0).clock.paused


def test_moves_that_should_long_have_been_made_are_asked_for_again(row, asked):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    asked.clear()
    computer.ask_for_forgotten()
    assert asked == []
    MatchRow.objects.update(changed_at=0)
    computer.ask_for_forgotten()
    assert asked == [(row.slug, 1)]


def test_the_computer_tells_that_it_thinks(row, asked, monkeypatch):
    told = []
    monkeypatch.setattr(wake, "tell", lambda group, message: told.append(message))
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    do(asked[0])
    kinds = [message["type"] for message in told]
    assert kinds[:2] == ["match.changed", "match.thinking"]
    assert kinds[-1] == "match.changed"
