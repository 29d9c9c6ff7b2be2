"""Pages of matches of events: back to the event, the next game, no rematch."""

import re

import pytest

from antipodes.errors import MatchError
from antipodes.match import Offer, OfferKind
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.tournaments import directing
from antipodes.web.tournaments.models import GameRow, TournamentRow
from tests.web.tournaments.conftest import advance, resign, unfinished

pytestmark = pytest.mark.django_db


@pytest.fixture
def running(make_event, host):
    """Return a function that makes an event for some players, and starts it."""

    def make(players, **plan):
        row = make_event(players, **plan)
        directing.start(row.pk, host)
        return advance(row)

    return make


def games_of(name):
    rows = GameRow.objects.filter(match__seats__user__username=name).order_by("pk")
    return list(rows.select_related("match", "pairing"))


def next_game(text):
    return re.findall(r'href="/m/(.{8})/">Next game', text)


def offer_rematch(row):
    ply = MatchRow.objects.get(pk=row.pk).match().ply
    kind = OfferKind.REMATCH
    return carry_out(row.slug, Offer(seat=0, ply=ply, key="rematch", kind=kind))


def test_a_match_of_an_event_leads_back_to_it_and_others_do_not(running, client, begin):
    row = running(2, format=RoundRobin())
    (game,) = unfinished(row)
    page = client.get(f"/m/{game.match.slug}/").content.decode()
    assert f'event="/tournament/{row.slug}/"' in page
    assert " event=" not in client.get(f"/m/{begin().slug}/").content.decode()


def test_no_rematch_of_a_game_of_an_event_begins(running, begin):
    row = running(2, format=RoundRobin())
    (game,) = unfinished(row)
    resign(game, 0)
    with pytest.raises(MatchError, match="which pairs its players itself") as error:
        offer_rematch(game.match)
    assert error.value.faults[0].code == "match/of-tournament"
    assert MatchRow.objects.count() == 1


@pytest.mark.parametrize("format_", [Swiss(rounds=2), Arena(), RoundRobin()])
def test_the_next_game_of_a_player_appears_when_it_has_begun(running, client, format_):
    row = running(4, format=format_)
    first = games_of("p000")[0]
    address = f"/tournament/{row.slug}/games/{first.match.slug}/now"
    client.force_login(User.objects.get(username="p000"))
    page = client.get(f"/m/{first.match.slug}/").content.decode()
    assert next_game(page) == []
    assert "waits>" in page, "while the game goes on the page asks for nothing"
    for game in unfinished(row):
        resign(game, 0)
    page = client.get(f"/m/{first.match.slug}/").content.decode()
    assert next_game(page) == []
    assert "waits>" not in page
    [version] = re.findall(r'data-version="(\d+)"', page)
    assert client.get(address, {"v": version}).status_code == 204
    advance(row)
    second = games_of("p000")[1]
    answer = client.get(address, {"v": version}).content.decode()
    assert next_game(answer) == [second.match.slug]
    assert "data-complete" in answer
    for name, logged_in in (("a spectator", False), ("the host", True)):
        client.logout()
        if logged_in:
            client.force_login(row.host)
        page = client.get(f"/m/{first.match.slug}/").content.decode()
        assert next_game(page) == [], f"{name} plays no next game"
        assert "<antipodes-tournament" not in page


def test_links_are_those_of_a_match_of_the_event(running, client, make_event):
    row = running(2, format=RoundRobin())
    (game,) = unfinished(row)
    other = make_event(0)
    assert client.get(f"/tournament/{other.slug}/games/{game.match.slug}/now").status_code == 404
    address = f"/tournament/{row.slug}/games/{game.match.slug}/now"
    assert client.get(address).status_code == 200
    TournamentRow.objects.filter(pk=row.pk).update(is_private=True)
    assert client.get(address).status_code == 404
