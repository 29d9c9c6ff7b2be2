"""Matches from the first page to the end."""

import pytest

from antipodes.errors import MatchError
from antipodes.games.registry import game_ids
from antipodes.match import Accept, Decline, Offer, OfferKind, Play, Resign
from antipodes.web.accounts.models import User
from antipodes.web.matches.messages import read_command
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("game_id", game_ids())
def test_a_newcomer_plays_the_computer_at_once(client, game_id):
    answer = client.post(f"/play/{game_id}/", follow=True)
    assert answer.status_code == 200
    row = MatchRow.objects.get()
    assert row.seats.get(number=0).user.is_guest
    assert client.get(f"/m/{row.slug}/board.json").json()["places"]
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["own"] == [0]
    assert len(view["legal"]) == len(row.game.initial().legal_moves)


def test_a_guest_keeps_their_identity(client):
    for _ in range(2):
        client.post("/play/hex/")
    assert User.objects.filter(is_guest=True).count() == 1


def test_changes_survive_a_restart(begin):
    row = begin(size=3)
    match, _ = carry_out(row.slug, Play(seat=0, ply=0, key="one move", move=4))
    again = MatchRow.objects.get(slug=row.slug)
    assert again.match() == match
    assert again.seat_to_move == 1


def test_a_refused_command_changes_nothing(begin):
    row = begin(size=3)
    with pytest.raises(MatchError):
        carry_out(row.slug, Play(seat=1, ply=0, key="not my turn", move=4))
    assert MatchRow.objects.get(slug=row.slug).version == 0


def test_the_row_stores_end_and_result(begin):
    row = begin(size=3)
    carry_out(row.slug, Resign(seat=1, ply=0, key="enough of it"))
    row.refresh_from_db()
    assert row.ended_at
    assert row.seat_to_move is None
    assert row.result


def test_spectators_see_no_conditional_and_no_legal_moves(begin, client):
    row = begin(size=3)
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["own"] == []
    assert view["plans"] == {}
    assert view["legal"] == []


def test_pages_allow_no_foreign_scripts(client):
    assert "default-src 'self'" in client.get("/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("game_id", game_ids())
def test_every_colour_has_a_goal(game_id, begin, client):
    row = begin(game_id)
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert {seat["color"] for seat in view["seats"]} == set(view["goals"])
    assert all(goal[0].islower() for goal in view["goals"].values())


def test_a_draw_is_offered_only_where_there_are_draws(begin, client):
    def has_draws(game_id, **options):
        return client.get(f"/m/{begin(game_id, **options).slug}/match.json").json()["draws"]

    assert not has_draws("hex")
    assert not has_draws("antipod")
    assert has_draws("antipalos")
    assert has_draws("antipode")
    assert not has_draws("antipode", full_board="loss")


def test_the_match_says_what_a_swap_exchanges(begin, client):
    def exchanged(game_id, **options):
        row = begin(game_id, **options)
        return client.get(f"/m/{row.slug}/match.json").json()["swapExchanges"]

    assert exchanged("hex", swap="pieces") == "stones"
    assert exchanged("hex", swap="sides") == "seats"
    assert exchanged("antipod", swap="on") == "seats"
    assert exchanged("antipod") == ""


def test_a_declined_offer_is_shown_until_the_next_move(begin, client):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Decline(seat=1, ply=0, key="no pause", kind=OfferKind.PAUSE))
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["declined"] == {"pause": {"by": 1, "agreed": [0]}}
    carry_out(row.slug, Play(seat=0, ply=0, key="one move", move=4))
    assert client.get(f"/m/{row.slug}/match.json").json()["declined"] == {}


def test_an_offer_that_is_withdrawn_was_not_declined(begin, client):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Decline(seat=0, ply=0, key="never mind", kind=OfferKind.PAUSE))
    assert client.get(f"/m/{row.slug}/match.json").json()["declined"] == {}


@pytest.mark.parametrize(
    "command", [{"command": "resume"}, {"command": "decline", "kind": "pause"}]
)
def test_clients_end_a_pause_by_resuming_or_by_declining_it(begin, command):
    row = begin(size=4, swap="off")
    carry_out(row.slug, Offer(seat=0, ply=0, key="a pause?", kind=OfferKind.PAUSE))
    carry_out(row.slug, Accept(seat=1, ply=0, key="a pause!", kind=OfferKind.PAUSE))
    snapshot = look_up(row.slug)
    user = snapshot.seats[1].user
    data = {**command, "seat": 1, "ply": 0, "key": "go on now"}
    match, _ = carry_out(row.slug, read_command(data, snapshot, user))
    assert not match.clock.paused


def test_the_next_game_is_the_most_urgent_one_in_which_it_is_ones_turn(client, begin, people):
    ann, bob = people[:2]
    first, second, third = (begin(size=3) for _ in range(3))
    client.force_login(bob)
    assert client.get("/next-game/").headers["Location"] == "/lobby/"
    client.force_login(ann)
    assert client.get("/next-game/").headers["Location"] == f"/m/{first.slug}/"
    MatchRow.objects.filter(pk=third.pk).update(deadline=now() + 60_000)
    assert client.get("/next-game/").headers["Location"] == f"/m/{third.slug}/"
    answer = client.get(f"/next-game/?after={third.slug}")
    assert answer.headers["Location"] == f"/m/{first.slug}/"
    assert ' waiting="2"' in client.get(f"/m/{third.slug}/").content.decode()
    carry_out(second.slug, Play(seat=0, ply=0, key="a first move", move=4))
    assert ' waiting="1"' in client.get(f"/m/{third.slug}/").content.decode()
