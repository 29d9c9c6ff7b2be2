"""Hints."""

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.accounts.services import computer as computer_user
from antipodes.web.analysis import services
from antipodes.web.analysis.effort import HINT
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.analysis.position_queries import Line
from antipodes.web.jobs.models import ClientRow, JobRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.limits import TooManyError
from tests.web.analysis.conftest import address_of


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


def test_against_the_computer_a_hint_is_a_legal_move(player, row, work_off):
    assert player.get(f"/m/{row.slug}/hint").json() == {
        "allowed": True,
        "reason": None,
        "seconds": 1.5,
    }
    asked = player.post(f"/m/{row.slug}/hint").json()
    work_off()
    best = player.get(address_of(asked)).json()["found"]["moveInfos"][0]["move"]
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


def test_there_are_no_hints_against_people(player, begin):
    assert refused(player, begin(size=4))
    assert not JobRow.objects.exists()


def test_others_get_no_hints(client, people, row):
    assert refused(client, row)
    client.force_login(people[1])
    assert refused(client, row)


def test_hints_and_analyses_are_counted_apart_and_do_not_end_each_other(player, row, monkeypatch):
    monkeypatch.setenv("LIMIT_ANALYSES", "1/minute")
    monkeypatch.setenv("LIMIT_HINTS", "1/minute")
    asked = player.post("/analyses", {"game": "hex", "size": "4"})
    hint = player.post(f"/m/{row.slug}/hint")
    assert (asked.status_code, hint.status_code) == (202, 202)
    assert AnalysisRow.objects.filter(state=AnalysisState.WAITING).count() == 2
    assert player.post(f"/m/{row.slug}/hint").status_code == 429


def test_the_guests_of_one_address_do_not_deny_hints_to_others(player, row, people, monkeypatch):
    monkeypatch.setenv("LIMIT_HINTS_WAITING", "1")
    monkeypatch.setenv("LIMIT_HINTS_OF_ADDRESS", "2/minute")
    attacker = people[2]
    ClientRow.objects.create(user=attacker, network="attack")
    ClientRow.objects.create(user=people[3], network="attack")
    line = Line(row.game, (), row.match().position)
    services.ask(attacker, line, HINT)
    with pytest.raises(InputError, match="analyses of your network"):
        services.ask(people[3], line, HINT)
    monkeypatch.setenv("LIMIT_HINTS_WAITING", "9")
    services.ask(people[3], line, HINT)
    with pytest.raises(TooManyError):
        services.ask(people[3], line, HINT)
    assert player.post(f"/m/{row.slug}/hint").status_code == 202


def reason(browser, row):
    """Return why there is no hint."""
    return browser.post(f"/m/{row.slug}/hint").json()["message"]


def test_a_refused_hint_says_why(player, people, row, begin):
    assert reason(player, begin(size=4)) == "there are no hints against people"
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    assert reason(player, row) == "there is a hint in your own turn only"
    MatchRow.objects.update(rated=True)
    assert reason(player, row) == "there are no hints in rated matches"
    told = player.get(f"/m/{row.slug}/hint").json()
    assert not told["allowed"]
    assert told["reason"] == "there are no hints in rated matches"
    player.force_login(people[1])
    assert reason(player, row) == "hints are for those who play"


def test_a_player_of_both_sides_gets_hints_for_the_present_position(player, people):
    game = make_game("hex", {"size": 4, "swap": "off"})
    key = str(people[0].pk)
    row = begin_match(Terms(game=game, players=(key, key)), [people[0], people[0]])
    carry_out(row.slug, Play(seat=0, ply=0, key="centre", move=4))
    asked = player.post(f"/m/{row.slug}/hint")
    assert asked.status_code == 202
    found = AnalysisRow.objects.get()
    assert (found.effort, found.moves, found.user) == ("hint", [4], people[0])
    assert (found.game_id, found.options) == ("hex", {"size": 4, "swap": "off"})
    assert found.is_hint
    player.delete(address_of(asked.json()))
    assert AnalysisRow.objects.get().state == AnalysisState.STOPPED


def test_ending_an_analysis_does_not_end_a_hint(player, row):
    asked = address_of(player.post("/analyses", {"game": "hex", "size": "4"}).json())
    player.post(f"/m/{row.slug}/hint")
    player.delete(asked)
    states = dict(AnalysisRow.objects.values_list("effort", "state"))
    assert states == {"glance": "stopped", "hint": "waiting"}
