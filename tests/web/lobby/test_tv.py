"""The TV page: the best live game, then the next one, or the computer against itself."""

import pytest

from antipodes.games.registry import game_ids, make_game
from antipodes.match import Play, Resign, Terms
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.models import User
from antipodes.web.jobs.models import JobRow
from antipodes.web.lobby.tv_views import COMPUTER_GAMES, game_on_tv, game_or_computer
from antipodes.web.matches.computer_moves import queue_missing_moves
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.ratings.models import PoolRow, RatingRow

pytestmark = pytest.mark.django_db


def begin(*users, game_id="hex", **options):
    game = make_game(game_id, options)
    row = begin_match(Terms(game=game, players=tuple(str(user.pk) for user in users)), users)
    move = int(next(iter(game.initial().legal_moves)))
    carry_out(row.slug, Play(seat=0, ply=0, key="first", move=move))
    return row


def rate(user, value):
    pool, _ = PoolRow.objects.get_or_create(
        game_id="hex", speed="correspondence", board_class="standard"
    )
    RatingRow.objects.create(pool=pool, user=user, value=value, deviation=60, games=30)


def test_the_game_of_the_best_players_is_shown_until_it_ends(ann, bob, cy, dee, client):
    rate(cy, 2000)
    best, other = begin(cy, dee), begin(ann, bob)
    begin(ann, bob, game_id="antipode")
    assert game_on_tv() == best
    assert game_on_tv(current=other.slug) == other
    assert best.slug in client.get("/tv/").content.decode()
    carry_out(best.slug, Resign(seat=1, ply=1, key="resign"))
    answer = client.get("/tv/now", {"game": "hex", "current": best.slug})
    assert answer.json() == {"slug": other.slug}


def test_the_mean_rating_decides_and_then_the_later_game(people):
    ann, bob, *rest = people
    best = begin(ann, bob)
    begin(*rest, User.objects.create(username="eve"), game_id="antipalos", seats="cutthroat3")
    assert game_on_tv() != best
    rate(ann, 1501)
    assert game_on_tv() == best


def test_a_channel_shows_its_game_only(people, client):
    one, other = begin(*people[:2]), begin(*people[2:], game_id="antipode")
    assert game_on_tv("hex", current=other.slug) == one
    page = client.get("/tv/hex/")
    assert (page.context["slug"], page.context["game_id"]) == (one.slug, "hex")
    assert client.get("/tv/antipalos/").context["slug"] == ""
    assert client.get("/tv/now", {"game": "antipode"}).json() == {"slug": other.slug}


@pytest.mark.parametrize("game_id", ["antipode", ""])
def test_the_computer_plays_the_game_of_the_channel_or_any(game_id):
    row = game_or_computer(game_id)
    assert row.game_id == (game_id or row.game_id)
    assert row.game_id in game_ids()
    assert [seat.user.computer for seat in row.seats.all()] == [
        f"computer:{DEFAULT_LEVEL}" for _ in range(row.game.seats)
    ]


def test_private_games_and_games_against_the_computer_are_not_on_tv(ann, bob, client):
    row = begin(ann, bob)
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    client.post("/play/hex/", {"level": "1", "move": "1"})
    assert game_on_tv() is None
    assert client.get("/tv/now").json() == {"slug": None}
    assert client.get("/tv/chess/").status_code == 404


def test_the_computer_plays_one_game_against_itself_at_a_time(client):
    first = client.post("/tv/computer", {"game": "hex"}).json()["slug"]
    row = MatchRow.objects.get(slug=first)
    assert all(seat.user.is_computer for seat in row.seats.all())
    assert not row.rated
    assert client.post("/tv/computer", {"game": "antipod"}).json() == {"slug": first}
    assert MatchRow.objects.count() == 1
    # A periodic task queues its moves, one every few seconds.
    assert not JobRow.objects.exists()
    queue_missing_moves()
    assert JobRow.objects.get().key == first


def test_games_of_the_computer_against_itself_are_rate_limited(client, monkeypatch):
    monkeypatch.setenv(COMPUTER_GAMES.setting, "1/hour")
    row = game_or_computer("hex")
    MatchRow.objects.filter(pk=row.pk).update(ended_at=1)
    assert client.post("/tv/computer").status_code == 429
