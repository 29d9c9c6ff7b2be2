"""Match play of Antipalos in tournaments: a pairing is a match to 6, 9 or 15 points."""

import json
import re

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Accept, Offer, OfferKind, Play, Resign
from antipodes.tournaments import make_bout
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.email_play.match_emails import board_report
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.tournaments import directing, services
from antipodes.web.tournaments.models import GameRow, TournamentState
from antipodes.web.tournaments.rounds import state_of
from tests.web.tournaments.conftest import advance, resign, unfinished

pytestmark = pytest.mark.django_db

PLAN = {"game": make_game("antipalos", {"size": 12}), "bout": make_bout("match-6")}


@pytest.fixture
def running(make_event, host):
    """Return a function that makes an event of match play, and starts it."""

    def make(players=2, **plan):
        row = make_event(players, **{"format": RoundRobin(), **PLAN, **plan})
        directing.start(row.pk, host)
        return advance(row)

    return make


def beginner(game):
    """Return the name of the player who begins a game."""
    return game.match.seats.get(number=0).user.username


def lose(row, name):
    """Let a player lose the game in progress of a pairing after a few moves: 3 points are lost."""
    (game,) = unfinished(row)
    seat = game.match.seats.get(user__username=name).number
    resign(game, seat)
    advance(row)
    return GameRow.objects.get(pk=game.pk)


def test_the_loser_begins_until_a_player_has_the_points(running):
    row = running()
    (game,) = unfinished(row)
    first = beginner(game)
    second = {"p000": "p001", "p001": "p000"}[first]
    lost = lose(row, first)
    assert (lost.first_points, lost.other_points) == (0, [3])
    assert beginner(unfinished(row)[0]) == first
    lose(row, second)
    assert beginner(unfinished(row)[0]) == second
    lose(row, second)
    pairing = row.pairings.get()
    assert pairing.points == (1.0, 0.0)
    assert pairing.games.count() == 3
    assert row.state == TournamentState.FINISHED
    assert [one.values[-1] for one in row.format.table(state_of(row))] == [3, -3]


def test_games_by_correspondence_follow_each_other_too(running):
    row = running(control="3d/move+10d")
    assert len(unfinished(row)) == 1


def test_who_makes_no_move_in_the_first_game_loses_the_match_and_is_out(running):
    row = running(3, format=Swiss(rounds=2))
    (game,) = unfinished(row)
    carry_out(game.match.slug, Resign(seat=0, ply=0, key="gone"))
    advance(row)
    pairing = row.pairings.get(round=1, second__isnull=False)
    assert pairing.is_forfeit
    assert pairing.points == (0.0, 1.0)
    assert row.entries.get(user__username=beginner(game)).is_withdrawn


def test_who_makes_no_move_later_loses_that_game_alone(running):
    row = running()
    first = beginner(unfinished(row)[0])
    lose(row, first)
    (game,) = unfinished(row)
    move = min(game.match.match().position.legal_moves)
    carry_out(game.match.slug, Play(seat=0, ply=0, key="begun", move=move))
    carry_out(game.match.slug, Resign(seat=1, ply=1, key="gone"))
    advance(row)
    assert not row.pairings.get().is_decided
    assert [one.is_forfeit for one in GameRow.objects.order_by("number")] == [False, True, False]


def test_a_player_who_leaves_during_a_match_loses_it(running):
    row = running()
    leaver = beginner(unfinished(row)[0])
    services.leave(row.pk, User.objects.get(username=leaver))
    advance(row)
    assert not row.pairings.get().is_decided  # the game that has begun goes on
    other = {"p000": "p001", "p001": "p000"}[leaver]
    lose(row, other)
    pairing = row.pairings.get()
    assert pairing.games.count() == 1
    assert dict(zip((pairing.first.user.username, other), pairing.points or (), strict=True)) == {
        leaver: 0,
        other: 1,
    }


def test_a_director_decides_a_match_and_no_more_games_begin(running, host):
    row = running(format=Knockout())
    directing.adjudicate(row.pk, host, 1, 1, "0-1", "a promise")
    lose(row, beginner(unfinished(row)[0]))
    assert row.state == TournamentState.FINISHED
    assert row.pairings.get().points == (0.0, 1.0)
    assert GameRow.objects.count() == 1


def test_no_game_begins_while_the_event_is_paused(running, host):
    row = running()
    directing.pause(row.pk, host)
    lose(row, beginner(unfinished(row)[0]))
    assert GameRow.objects.count() == 1
    directing.resume(row.pk, host)
    advance(row)
    assert GameRow.objects.count() == 2


def test_pages_files_the_api_and_mail_show_the_running_score(running, client):
    row = running()
    first, second = (one.user.username for one in row.pairings.get().players)
    lose(row, second)
    where = f"/tournament/{row.slug}/"
    page = client.get(where).content.decode()
    assert "match play to 6 points" in page
    assert "points in the games" in page
    assert "Game difference" in page
    (game,) = unfinished(row)
    before = GameRow.objects.get(number=1).match
    shown = client.get(f"/m/{game.match.slug}/").content.decode()
    assert f"{first} <b>3&nbsp;:&nbsp;0</b> {second}" in " ".join(shown.split())
    assert where in shown
    assert f"/m/{game.match.slug}/" in client.get(f"/m/{before.slug}/").content.decode()
    api = f"/api/v1/tournaments/{row.slug}"
    assert json.loads(client.get(api).content)["games"] == "match-6"
    (pairing,) = json.loads(client.get(f"{api}/pairings").content)
    assert pairing["score"] == [3, 0]
    assert pairing["points"] is None
    found = json.loads(client.get(f"{where}tournament.json").content)
    assert (found["games"], found["pairings"][0]["score"]) == ("match-6", [3, 0])
    report = board_report(snapshot_of(game.match), None)
    assert report.tournament == f"Cup, round 1, game 2 (match-6), {first} 3 : 0 {second}"


def test_a_form_offers_match_play_of_antipalos_only(client, host):
    client.force_login(host)
    where = "/tournaments/new/?format=round-robin&game="
    assert "match-15" in client.get(f"{where}antipalos").content.decode()
    assert "match-15" not in client.get(f"{where}hex").content.decode()
    assert "match-15" not in client.get("/tournaments/new/?format=arena").content.decode()


def test_a_match_links_to_its_event_and_to_the_next_game_of_its_pairing(running, client):
    row = running(format=Knockout(), bout=make_bout("best-of-3"))
    names = [one.user.username for one in row.pairings.get().players]

    def links(number):
        slug = GameRow.objects.get(number=number).match.slug
        page = client.get(f"/m/{slug}/").content.decode()
        assert f'href="/tournament/{row.slug}/">Cup' in page
        assert f"Round 1 · game {number} · best of 3 games" in " ".join(
            re.sub("<[^>]*>", " ", page).replace("\n", " ").split()
        )
        return re.findall(r'href="/m/(.{8})/">Next game', page)

    lose(row, names[0])
    second = GameRow.objects.get(number=2).match.slug
    assert (links(1), links(2)) == ([second], [])
    lose(row, names[1])
    third = GameRow.objects.get(number=3).match.slug
    assert (links(1), links(2), links(3)) == ([second], [third], [])


def test_the_computer_proves_no_match_by_points(running, client, host):
    client.force_login(host)
    rows = running(), running(bout=make_bout("mirrored"))
    pages = [client.get(f"/tournament/{row.slug}/").content.decode() for row in rows]
    assert ["do/prove" in page for page in pages] == [False, True]


def test_a_drawn_game_of_a_knockout_is_followed_by_another_with_seats_exchanged(running):
    row = running(format=Knockout(), bout=make_bout("single"))
    (game,) = unfinished(row)
    carry_out(game.match.slug, Offer(seat=1, ply=0, key="offering", kind=OfferKind.DRAW))
    carry_out(game.match.slug, Accept(seat=0, ply=0, key="accepting", kind=OfferKind.DRAW))
    advance(row)
    (again,) = unfinished(row)
    assert (again.number, again.is_exchanged) == (2, True)
    assert beginner(again) != beginner(game)
    lose(row, beginner(game))
    assert row.state == TournamentState.FINISHED
