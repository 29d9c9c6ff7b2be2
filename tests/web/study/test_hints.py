"""Laws of hints."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.matches import computer
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.people.services import computer as computer_user
from antipodes.web.study import analyses


@pytest.fixture(autouse=True)
def unanswered(monkeypatch):
    """Let the computer make no move."""
    monkeypatch.setattr(computer, "make_move", lambda slug, version: None)


@pytest.fixture
def row(people):
    """A match of the first user against the computer; the user begins."""
    users = [people[0], computer_user("1")]
    game = make_game("hex", {"size": 4})
    return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)


@pytest.fixture
def player(client, people):
    """The browser of the first user."""
    client.force_login(people[0])
    return client


def test_against_the_computer_a_hint_is_a_legal_move(player, row, jobs):
    assert player.get(f"/m/{row.slug}/hint").json() == {"allowed": True, "reason": None}
    asked = player.post(f"/m/{row.slug}/hint").json()
    analyses.analyse_now(jobs[0][1])
    best = player.get(asked["address"]).json()["found"]["moveInfos"][0]["move"]
    assert row.match().position.parse_move(best) in row.match().position.legal_moves


def refused(browser, row):
    answer = browser.post(f"/m/{row.slug}/hint")
    return answer.status_code == 400 and answer.json()["code"] == "study/no-hint"


def test_there_are_hints_in_ones_own_turn_only(player, row):
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    assert refused(player, row)


def test_there_are_no_hints_after_the_end(player, row):
    carry_out(row.slug, Resign(seat=0, ply=0, key="resign"))
    assert refused(player, row)


def test_there_are_no_hints_in_rated_matches(player, row):
    MatchRow.objects.update(rated=True)
    assert refused(player, row)
    assert not player.get(f"/m/{row.slug}/hint").json()["allowed"]


def test_there_are_no_hints_against_people(player, begin, jobs):
    assert refused(player, begin(size=4))
    assert jobs == []


def test_others_get_no_hints(client, people, row):
    assert refused(client, row)
    client.force_login(people[1])
    assert refused(client, row)
