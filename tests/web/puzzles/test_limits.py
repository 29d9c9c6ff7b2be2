"""Limits of what solvers can make the site do."""

import pytest

from antipodes.errors import InputError
from antipodes.puzzles import store
from antipodes.web.jobs.models import ClientRow
from antipodes.web.platform.client_addresses import parse
from antipodes.web.platform.limits import TooManyError
from antipodes.web.puzzles import judgements, mistakes, services
from antipodes.web.puzzles.judgements import Asker
from antipodes.web.puzzles.models import JudgementRow

pytestmark = pytest.mark.django_db

FAR = "192.0.2.7"  # an address of documentation, not of this machine


@pytest.fixture
def few(monkeypatch):
    """Return a function that sets a limit."""
    return lambda limit, amount: monkeypatch.setenv(limit.setting, amount)


def wrong_moves(puzzle):
    position = puzzle.position
    moves = [position.format_move(move) for move in position.legal_moves]
    return [move for move in moves if move != puzzle.line[0]]


def test_answers_of_a_user_are_limited(ann, puzzle, few):
    few(services.ANSWERS, "3/minute")
    for _ in range(3):
        services.answer(ann, puzzle, (), puzzle.line[0])
    with pytest.raises(TooManyError):
        services.answer(ann, puzzle, (), puzzle.line[0])


def test_answers_of_an_address_are_limited(client, puzzle, few):
    few(services.ANSWERS_OF_ADDRESS, "3/minute")
    data = {"moves": "", "move": puzzle.line[0]}
    path = f"/puzzles/{puzzle.id}/answer"
    found = [client.post(path, data, REMOTE_ADDR=FAR) for _ in range(4)]
    assert [one.status_code for one in found] == [200, 200, 200, 429]
    assert "Retry-After" in found[-1].headers
    asked = client.get(f"/puzzles/{puzzle.id}/judgement", {"moves": "a1"}, REMOTE_ADDR=FAR)
    assert asked.status_code == 429


def test_searches_of_a_user_are_limited(ann, puzzle, few):
    few(judgements.SEARCHES, "2/minute")
    first, second, third = wrong_moves(puzzle)[:3]
    for move in (first, second, first):
        services.answer(ann, puzzle, (), move)
    with pytest.raises(TooManyError):
        services.answer(ann, puzzle, (), third)
    assert JudgementRow.objects.count() == 2


def test_searches_of_an_address_are_limited(client, puzzle, few):
    few(judgements.SEARCHES_OF_ADDRESS, "2/minute")
    found = [
        client.post(f"/puzzles/{puzzle.id}/answer", {"move": move}, REMOTE_ADDR=FAR).status_code
        for move in wrong_moves(puzzle)[:3]
    ]
    assert found == [200, 200, 429]


def test_moves_that_wait_for_a_search_are_limited(ann, bob, puzzle, few):
    few(judgements.WAITING_SEARCHES, "2")
    first, second, third = wrong_moves(puzzle)[:3]
    services.answer(ann, puzzle, (), first)
    services.answer(bob, puzzle, (), second)
    with pytest.raises(InputError, match="2 moves of puzzles to judge") as refused:
        services.answer(ann, puzzle, (), third)
    assert refused.value.code == "puzzle/busy"


def test_reports_of_a_user_are_limited(ann, few):
    few(services.REPORTS, "1/day")
    first, second = store.puzzles("hex")[:2]
    for one in (first, second):
        services.solution(ann, one)
    services.report(ann, first, "wrong")
    with pytest.raises(TooManyError):
        services.report(ann, second, "wrong")


def test_searches_for_mistakes_are_limited(ann, few):
    few(mistakes.SEARCHES, "1/hour")
    mistakes.search(ann)
    with pytest.raises(TooManyError):
        mistakes.search(ann)


@pytest.mark.parametrize("limit", [services.ANSWERS_OF_ADDRESS, judgements.SEARCHES_OF_ADDRESS])
def test_without_an_address_a_user_counts_for_the_network_of_the_last_sign_in(
    ann, bob, puzzle, few, limit
):
    few(limit, "1/minute")
    ClientRow.objects.create(user=ann, network="same")
    ClientRow.objects.create(user=bob, network="same")
    first, second = wrong_moves(puzzle)[:2]
    services.answer(ann, puzzle, (), first)
    with pytest.raises(TooManyError):
        services.answer(bob, puzzle, (), second)


def test_an_address_counts_instead_of_the_network_of_the_last_sign_in(ann, puzzle, few):
    few(services.ANSWERS_OF_ADDRESS, "1/minute")
    few(judgements.SEARCHES_OF_ADDRESS, "1/minute")
    ClientRow.objects.create(user=ann, network="same")
    for move, address in zip(wrong_moves(puzzle)[:2], (None, parse(FAR)), strict=True):
        services.answer(ann, puzzle, (), move, asker=Asker(ann, address))


def test_hints_and_solutions_count_as_answers(client, ann, puzzle, few):
    few(services.ANSWERS, "2/minute")
    client.force_login(ann)
    path = f"/puzzles/{puzzle.id}/"
    names = ("hint", "solution", "hint", "solution")
    assert [client.post(path + name).status_code for name in names] == [200, 200, 429, 429]
    assert client.get(path + "judgement", {"moves": puzzle.line[0]}).status_code == 429


def test_an_open_report_is_not_counted_again(ann, puzzle, few):
    few(services.REPORTS, "1/day")
    services.solution(ann, puzzle)
    first = services.report(ann, puzzle, "wrong", " text ")
    assert services.report(ann, puzzle, "several") == first
    assert (first.reason, first.text) == ("wrong", "text")
