"""Tests of the clients of jobs, and of the limits on games against the computer."""

import pytest
from django.test import Client

from antipodes.games.registry import make_game
from antipodes.web.accounts.models import User
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent, fill, request_game
from antipodes.web.jobs import queue
from antipodes.web.jobs.clients import neighbours
from antipodes.web.jobs.models import ClientRow, Group, JobKind
from antipodes.web.jobs.queue import NewJob
from antipodes.web.matches.models import MatchRow
from tests.raising import code_of

pytestmark = pytest.mark.django_db

AGAINST_COMPUTER = GameRequest(game=make_game("hex", {"size": 3}), opponent=Opponent.COMPUTER)


def guest_from(address):
    """Create a guest by a request from an address; return the user."""
    response = Client(REMOTE_ADDR=address).post("/analyses", {"game": "hex", "size": "3"})
    assert response.status_code == 202
    return User.objects.order_by("pk").last()


def client_of(user):
    queue.put(NewJob(kind=JobKind.MOVE, key=f"of {user.pk}", user=user.pk, seconds=1.0))
    return next(job.client for job in queue.candidates(Group) if job.key == f"of {user.pk}")


def test_guests_of_one_address_are_one_network_and_two_users():
    one, two = (client_of(guest_from("192.0.2.7")) for _ in range(2))
    assert one[0] == two[0]
    assert one[1] != two[1]
    assert client_of(guest_from("192.0.2.8"))[0] != one[0]


def test_customers_of_a_large_ipv6_network_are_networks_within_it():
    one = client_of(guest_from("2001:db8:1:100::1"))
    neighbour = client_of(guest_from("2001:db8:1:1ff::1"))
    other = client_of(guest_from("2001:db8:1:200::1"))
    assert len(one) == 3
    assert one[:2] == neighbour[:2]
    assert one[0] == other[0]
    assert one[1] != other[1]


def test_users_of_this_machine_have_no_network():
    assert client_of(guest_from("127.0.0.1")) == (f"user {User.objects.get(is_guest=True).pk}",)


@pytest.mark.parametrize(
    ("address", "multiples"),
    [("127.0.0.1", []), ("192.0.2.7", [1]), ("2001:db8:1:100::1", [1, 4])],
)
def test_limits_of_networks_are_multiples_by_their_size(address, multiples):
    assert [many for _, many in neighbours(guest_from(address))] == multiples


def test_no_address_is_stored():
    guest_from("192.0.2.7")
    row = ClientRow.objects.get()
    assert "192" not in row.network
    assert len(row.network) == 16


def test_games_of_a_user_against_the_computer_are_limited(people, monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "2")
    games = [request_game(people[0], AGAINST_COMPUTER) for _ in range(2)]
    assert code_of(request_game, people[0], AGAINST_COMPUTER) == "work/too-many-games"
    assert isinstance(request_game(people[1], AGAINST_COMPUTER), MatchRow)
    MatchRow.objects.filter(pk=games[0].pk).update(ended_at=1)
    assert isinstance(request_game(people[0], AGAINST_COMPUTER), MatchRow)


def test_inactive_games_do_not_count(people, monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "1")
    request_game(people[0], AGAINST_COMPUTER)
    MatchRow.objects.update(changed_at=1)
    assert isinstance(request_game(people[0], AGAINST_COMPUTER), MatchRow)


def test_games_of_an_address_against_the_computer_are_limited(monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES_OF_ADDRESS", "2")
    one, two = guest_from("192.0.2.7"), guest_from("192.0.2.7")
    for user in (one, two):
        request_game(user, AGAINST_COMPUTER)
    assert code_of(request_game, two, AGAINST_COMPUTER) == "work/too-many-games"
    assert isinstance(request_game(guest_from("198.51.100.7"), AGAINST_COMPUTER), MatchRow)


def test_seats_that_the_computer_fills_count_too(people, monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "1")
    request_game(people[0], AGAINST_COMPUTER)
    posted = request_game(people[0], GameRequest(game=make_game("hex"), opponent=Opponent.ANYBODY))
    assert code_of(fill, posted.slug, people[0], "1") == "work/too-many-games"


def test_games_against_people_are_not_limited(people, monkeypatch):
    monkeypatch.setenv("LIMIT_COMPUTER_GAMES", "1")
    request_game(people[0], AGAINST_COMPUTER)
    posted = request_game(people[0], GameRequest(game=make_game("hex"), opponent=Opponent.ANYBODY))
    assert isinstance(posted, ChallengeRow)
