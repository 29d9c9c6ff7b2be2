"""Blocking: users who block each other do not meet, and others do not notice."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from antipodes.errors import InputError, MatchError
from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Resign
from antipodes.web.accounts.services import computer
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.lobby import selectors
from antipodes.web.matches.services import carry_out
from antipodes.web.relations import services
from tests.raising import code_of

pytestmark = pytest.mark.django_db

HEX = make_game("hex", {"size": 3})


def request(opponent=Opponent.ANYBODY, game=HEX, **more):
    return GameRequest(game=game, opponent=opponent, **more)


def create_challenge(user, *args, **more):
    row = lobby.request_game(user, request(*args, **more))
    assert isinstance(row, ChallengeRow)
    return row


def pairs(people):
    """Return ann and bob in both orders."""
    ann, bob = people[:2]
    return [(ann, bob), (bob, ann)]


def test_a_block_applies_to_both_users(ann, bob, cy):
    services.block(ann, bob)
    services.block(ann, bob)
    assert services.is_blocked(ann, bob)
    assert services.is_blocked(bob, ann)
    assert not services.is_blocked(ann, cy)
    assert services.blocked_by_or_blocking(ann) == {bob.pk}
    assert services.blocked_by_or_blocking(bob.pk) == {ann.pk}
    assert services.blocked_by_or_blocking(None) == frozenset()


def test_blocks_are_looked_up_without_reading_users(ann, bob):
    services.block(ann, bob)
    with CaptureQueriesContext(connection) as queries:
        services.blocked_by_or_blocking(ann)
    assert len(queries) == 1
    assert "accounts_user" not in queries[0]["sql"]


def test_unblocking_leaves_the_other_users_block(ann, bob):
    services.block(ann, bob)
    services.block(bob, ann)
    services.unblock(ann, bob)
    assert services.is_blocked(ann, bob)
    services.unblock(bob, ann)
    assert not services.is_blocked(ann, bob)


def test_users_cannot_block_themselves_or_the_computer(people):
    for other in (people[0], computer("1")):
        assert code_of(services.block, people[0], other) == "community/block"


@pytest.mark.parametrize("order", [0, 1])
def test_blocked_users_cannot_see_or_join_each_others_challenges(people, order):
    one, other = pairs(people)[order]
    row = create_challenge(one)
    assert [line.row for line in selectors.lobby_lists(other).open_challenges.lines] == [row]
    services.block(*people[:2])
    assert selectors.lobby_lists(other).open_challenges.lines == []
    with pytest.raises(MatchError) as caught:
        lobby.join(row.slug, other)
    assert caught.value.code == "community/not-together"
    assert not row.joins.exists()


@pytest.mark.parametrize("order", [0, 1])
def test_blocked_users_cannot_invite_each_other(people, order):
    services.block(*people[:2])
    one, other = pairs(people)[order]
    with pytest.raises(MatchError) as caught:
        lobby.request_game(one, request(Opponent.PEOPLE, people=(people[2], other)))
    assert caught.value.code == "community/not-together"
    assert not ChallengeRow.objects.exists()


def test_both_users_get_the_same_error(people):
    services.block(*people[:2])
    errors = set()
    for one, other in pairs(people):
        with pytest.raises(MatchError) as caught:
            services.check_may_meet(one, [other])
        errors.add(str(caught.value))
    assert len(errors) == 1


def test_blocking_cancels_challenges_and_invitations(ann, bob, cy, dee):
    invitation = create_challenge(ann, Opponent.PEOPLE, people=(bob,))
    shared = create_challenge(bob, Opponent.PEOPLE, people=(ann, cy))
    four = make_game("antipalos", {"seats": "cutthroat4"})
    of_another = create_challenge(dee, game=four)
    for user in (ann, bob):
        lobby.join(of_another.slug, user)
    services.block(ann, bob)
    assert not ChallengeRow.objects.filter(pk=invitation.pk).exists()
    assert list(shared.invited.all()) == [cy]
    assert [one.user for one in of_another.joins.all()] == [bob]
    with pytest.raises(MatchError):
        lobby.join(of_another.slug, ann)


def test_blocked_users_finish_their_game_without_a_rematch(row, ann, bob):
    services.block(ann, bob)
    carry_out(row.slug, Resign(seat=0, ply=0, key="a key of ann"))
    for kind in (Offer, Accept):
        with pytest.raises(MatchError) as caught:
            carry_out(row.slug, kind(seat=1, ply=0, key="a key of bob", kind=OfferKind.REMATCH))
        assert caught.value.code == "community/not-together"


def test_blocking_ends_following(people, ann, bob):
    services.follow(ann, bob)
    services.follow(bob, ann)
    services.block(ann, bob)
    assert not services.follows(bob, ann)
    assert not services.follows(ann, bob)
    for one, other in pairs(people):
        assert code_of(services.follow, one, other) == "community/follow"


def test_blocked_players_are_limited(ann, bob, cy, monkeypatch):
    monkeypatch.setattr(services, "MOST_BLOCKED", 1)
    services.block(ann, bob)
    services.block(ann, bob)
    with pytest.raises(InputError, match="you have reached the limit of 1") as caught:
        services.block(ann, cy)
    assert caught.value.code == "community/too-many"
    services.unblock(ann, bob)
    services.block(ann, cy)
    assert [row.whom for row in services.blocks_of(ann)] == [cy]


@pytest.mark.parametrize(("count", "refused"), [(4, False), (5, True), (6, True)])
def test_a_number_is_refused_from_its_limit_on(count, refused):
    if refused:
        with pytest.raises(InputError):
            services.check_number(count, 5)
    else:
        services.check_number(count, 5)


def test_users_meet_whom_neither_has_blocked(ann, bob, cy, dee):
    services.block(ann, bob)
    services.block(cy, dee)
    for user, others in ((ann, [cy, dee.pk]), (bob, [cy.pk]), (ann, [])):
        services.check_may_meet(user, others)
    for user, others in ((ann, [cy, bob.pk]), (bob, [dee.pk, ann]), (dee, [cy.pk])):
        with pytest.raises(MatchError, match="you cannot play with these players"):
            services.check_may_meet(user, others)
