"""Long lists of tournaments, players and games are shown in pages."""

import pytest

from antipodes.tournaments import RoundRobin
from antipodes.web.tournaments import boards, directing, pages, selectors, views
from antipodes.web.tournaments.models import GameRow
from tests.web.paged import assert_paged
from tests.web.tournaments.conftest import advance, play_out, play_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def running(make_event, host):
    """A round robin of six players in its second round."""
    row = make_event(6, format=RoundRobin())
    directing.start(row.pk, host)
    play_round(advance(row))
    return advance(row)


def test_finished_tournaments_are_shown_in_pages(client, make_event, host, monkeypatch):
    monkeypatch.setattr(views, "_ON_A_PAGE", 2)
    titles = ["First cup", "Second cup", "Third cup"]
    for title in titles:
        row = make_event(2, format=RoundRobin(), title=title)
        directing.start(row.pk, host)
        play_out(row)
    assert_paged(client, "/tournaments/", titles[::-1])


def test_standings_are_shown_in_pages_beside_the_chosen_round(client, running, monkeypatch):
    monkeypatch.setattr(pages, "_ON_A_PAGE", 2)
    names = {entry.number: entry.user.username for entry in running.entries.all()}
    rows = [f">{names[one.player]}</a></th>" for one in selectors.table(running)]
    address = f"/tournament/{running.slug}/?round=1"
    urls = assert_paged(client, address, rows, "Pages of the table")
    assert all("round=1" in url for url in urls)


def test_pairings_of_a_round_are_shown_in_pages(client, running, monkeypatch):
    monkeypatch.setattr(pages, "_ON_A_PAGE", 1)
    address = f"/tournament/{running.slug}/?round=1"
    tables = [f'<li value="{number}"' for number in (1, 2, 3)]
    urls = assert_paged(client, address, tables, "Pages of the round")
    assert all("round=1" in url for url in urls)


def test_boards_of_a_tournament_are_shown_in_pages(client, running, monkeypatch):
    monkeypatch.setattr(boards, "_ON_A_PAGE", 1)
    games = GameRow.objects.filter(pairing__tournament=running, match__ended_at=None)
    links = [f"/m/{one.match.slug}/" for one in games.order_by("pairing__table")]
    assert len(links) == 3
    assert_paged(client, f"/tournament/{running.slug}/games/", links)


def test_links_of_a_part_that_a_script_has_lead_to_whole_pages(client, running, monkeypatch):
    monkeypatch.setattr(boards, "_ON_A_PAGE", 1)
    part = client.get(f"/tournament/{running.slug}/games/now?v=1&page=2").content.decode()
    assert 'rel="next" href="?page=3"' in part


def test_steps_are_shown_in_pages(client, make_event, monkeypatch):
    monkeypatch.setattr(views, "_STEPS_ON_A_PAGE", 3)
    row = make_event(6)
    lines = pages.log_lines(row, row.log.order_by("-number"))
    assert_paged(client, f"/tournament/{row.slug}/log/", [f"<td>{one.text}</td>" for one in lines])
