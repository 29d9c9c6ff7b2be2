"""Laws of matches as they are kept and served."""

import pytest

from antipodes.errors import MatchError
from antipodes.games.registry import game_ids
from antipodes.match import Play, Resign
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.people.models import User

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


def test_a_guest_stays_the_same_guest(client):
    for _ in range(2):
        client.post("/play/hex/")
    assert User.objects.filter(is_guest=True).count() == 1


def test_what_was_carried_out_is_there_after_a_restart(begin):
    row = begin(size=3)
    match, _ = carry_out(row.slug, Play(seat=0, ply=0, key="one move", move=4))
    again = MatchRow.objects.get(slug=row.slug)
    assert again.match() == match
    assert again.seat_to_move == 1


def test_what_was_refused_changes_nothing(begin):
    row = begin(size=3)
    with pytest.raises(MatchError):
        carry_out(row.slug, Play(seat=1, ply=0, key="not my turn", move=4))
    assert MatchRow.objects.get(slug=row.slug).version == 0


def test_the_end_is_noted(begin):
    row = begin(size=3)
    carry_out(row.slug, Resign(seat=1, ply=0, key="enough of it"))
    row.refresh_from_db()
    assert row.ended_at
    assert row.seat_to_move is None
    assert row.result


def test_spectators_see_no_plans_and_no_legal_moves(begin, client):
    row = begin(size=3)
    view = client.get(f"/m/{row.slug}/match.json").json()
    assert view["own"] == []
    assert view["plans"] == {}
    assert view["legal"] == []


def test_pages_allow_no_foreign_scripts(client):
    assert "default-src 'self'" in client.get("/").headers["Content-Security-Policy"]
