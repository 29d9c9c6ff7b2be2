"""Lists of tournaments, players, games and steps: their order, and pages of long ones."""

from typing import Any

import pytest
from django.utils import translation

from antipodes.clocks import DAY, HOUR
from antipodes.tournaments import make_bout
from antipodes.tournaments.groups import Groups
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, pages, selectors, services, views
from antipodes.web.tournaments.log import TOO_FEW, reason_text
from antipodes.web.tournaments.models import GameRow, LogRow, TournamentRow, TournamentState
from tests.web.paged import assert_paged
from tests.web.tournaments.conftest import advance, move, play_out, play_round

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
    rows = [
        f'<th scope="row"><a href="/people/{names[one.player]}/">'
        for one in selectors.table(running)
    ]
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
    monkeypatch.setattr(views, "_BOARDS_ON_A_PAGE", 1)
    games = GameRow.objects.filter(pairing__tournament=running, match__ended_at=None)
    links = [f"/m/{one.match.slug}/" for one in games.order_by("pairing__table")]
    assert len(links) == 3
    assert_paged(client, f"/tournament/{running.slug}/games/", links)


def test_links_of_a_part_that_a_script_has_lead_to_whole_pages(client, running, monkeypatch):
    monkeypatch.setattr(views, "_BOARDS_ON_A_PAGE", 1)
    part = client.get(f"/tournament/{running.slug}/games/now?v=1&page=2").content.decode()
    assert 'rel="next" href="?page=3"' in part


def test_steps_are_shown_in_pages(client, make_event, monkeypatch):
    monkeypatch.setattr(views, "_STEPS_ON_A_PAGE", 3)
    row = make_event(6)
    lines = pages.log_lines(row, row.log.order_by("-number"))
    assert_paged(client, f"/tournament/{row.slug}/log/", [f"<td>{one.text}</td>" for one in lines])


STEPS: list[tuple[str, dict[str, Any], str]] = [
    ("created", {"state": "open"}, "The tournament was made."),
    ("opened", {}, "Registration opened."),
    ("check-in", {}, "Check-in opened."),
    ("invited", {"user": "p001"}, "p001 was invited."),
    ("joined", {"user": "p001", "players": []}, "p001 joined."),
    ("left", {"user": "p000"}, "p000 left."),
    ("left", {"user": None}, " left."),
    ("checked-in", {"user": "p000"}, "p000 checked in."),
    ("entered", {"users": [7]}, "1 player of the last season was entered."),
    ("entered", {"users": [7, 8]}, "2 players of the last season were entered."),
    ("changed", {"changed": {"title": "x"}}, "Changed: title."),
    (
        "changed",
        {"changed": {"description": "x", "starts_at": 1}},
        "Changed: description, start.",
    ),
    (
        "started",
        {"players": [[1, 7], [2, 8], [3, 9]], "rounds": None},
        "The tournament began with 3 players.",
    ),
    (
        "started",
        {"players": [[1, 7], [2, 8]], "rounds": 1},
        "The tournament began with 2 players and 1 round.",
    ),
    (
        "started",
        {"players": [[1, 7], [2, 8], [3, 9]], "rounds": 2},
        "The tournament began with 3 players and 2 rounds.",
    ),
    ("paired", {"round": 3}, "Round 3 was paired."),
    ("begun", {"games": [1]}, "1 game began."),
    ("begun", {"games": [1, 2]}, "2 games began."),
    ("results", {"results": [1], "points": []}, "1 result was counted."),
    ("results", {"results": [1, 2, 3], "points": [1]}, "3 results were counted."),
    ("results", {"points": [1, 2]}, "2 results were counted."),
    (
        "adjudicated",
        {"points": [[2, 3, 0.5, 0.5]]},
        "Round 2, table 3 was decided: ½ : ½.",
    ),
    ("adjudicated", {"points": [[2, 3, 0, 0, 1]]}, "Round 2, table 3 was decided: 0 : 0 : 1."),
    (
        "proof",
        {"round": 2, "table": 3},
        "The computer looks for a proof in round 2, table 3.",
    ),
    (
        "unproven",
        {"round": 2, "table": 3},
        "The computer found no proof in round 2, table 3.",
    ),
    ("proven", {"results": [[2, 3, 1, 1.0, 0.0]]}, "Proven: round 2, table 3, game 1, 1 : 0."),
    ("withdrawn", {"withdrawn": [1, 2]}, "p000, p001 withdrew."),
    ("dropped", {"dropped": [2]}, "p001 dropped, without a game for long."),
    ("paused", {}, "The tournament was paused."),
    ("resumed", {}, "The tournament was resumed."),
    ("finished", {}, "The tournament is finished."),
    ("cancelled", {}, "The tournament was cancelled."),
]


def test_each_step_is_told_in_a_sentence(make_event, host):
    row = make_event(2)
    directing.start(row.pk, host)
    row.log.all().delete()
    keys = {one.user.username: one.user.pk for one in row.entries.all()}
    for number, (kind, data, _) in enumerate(STEPS):
        known = {"user": keys.get(data["user"])} if "user" in data else {}
        LogRow.objects.create(
            tournament=row, number=number, kind=kind, data={**data, **known}, at=number * 1_000
        )
    lines = pages.log_lines(row, row.log.all())
    assert [one.text for one in lines] == [text for _, _, text in STEPS]
    assert [one.at.timestamp() for one in lines] == list(range(len(STEPS)))
    assert [one.row.number for one in lines] == list(range(len(STEPS)))


def test_reasons_of_the_site_are_translated_and_others_are_not():
    with translation.override("de"):
        translated = reason_text(TOO_FEW, is_of_site=True)
        assert translated == translation.gettext(TOO_FEW) != TOO_FEW
        assert reason_text(TOO_FEW, is_of_site=False) == TOO_FEW
        assert reason_text("", is_of_site=True) == ""


def test_the_five_latest_steps_are_on_the_page_of_an_event(client, make_event, host):
    row = make_event(6)
    directing.cancel(row.pk, host, "rain")
    latest = client.get(f"/tournament/{row.slug}/").context["latest"]
    assert [(one.text, one.reason) for one in latest] == [
        ("The tournament was cancelled.", "rain"),
        *((f"p00{number} joined.", "") for number in (5, 4, 3, 2)),
    ]


def titles(rows):
    return [row.title for row in rows]


def test_events_are_listed_by_their_start_and_by_their_end(make_event, host, people, clocks):
    at = now()
    make_event(title="Sometime")
    for title, starts in (("Late", 3), ("Early", 1), ("Middle", 2)):
        make_event(title=title, starts_at=at + starts * HOUR)
        clocks.advance(1)
    for title in ("First", "Second", "Third"):
        row = make_event(2, title=title)
        directing.start(row.pk, host)
        clocks.advance(1)
    TournamentRow.objects.filter(title="Third").update(starts_at=at)
    directing.pause(TournamentRow.objects.get(title="Third").pk, host)
    row = make_event(title="Cancelled")
    directing.cancel(row.pk, host, "rain")
    assert titles(selectors.upcoming(None)) == ["Early", "Middle", "Late", "Sometime"]
    assert titles(selectors.running(None)) == ["Third", "Second", "First"]
    assert list(selectors.finished(None)) == []
    for title in ("Second", "First"):
        play_out(TournamentRow.objects.get(title=title))
        clocks.advance(1)
    assert titles(selectors.finished(None)) == ["First", "Second"]
    assert titles(selectors.own(host)) == ["Third", "Early", "Middle", "Late", "Sometime"]
    services.join(TournamentRow.objects.get(title="Late").pk, people[0])
    player = User.objects.get(username="p000")
    assert titles(selectors.own(player)) == ["Third"]
    services.leave(TournamentRow.objects.get(title="Third").pk, player)
    assert titles(selectors.own(player)) == []
    [late] = selectors.own(people[0])
    assert (late.title, vars(late)["players"]) == ("Late", 1)


def test_players_who_have_left_are_not_counted(make_event, host):
    row = make_event(4)
    directing.start(row.pk, host)
    services.leave(row.pk, User.objects.get(username="p000"))
    [found] = selectors.running(None)
    assert vars(found)["players"] == 3


def test_days_are_in_order_and_events_without_a_time_come_last(make_event):
    rows = [
        TournamentRow(title=title, starts_at=starts)
        for title, starts in (
            ("Second day", DAY),
            ("Sometime", None),
            ("First day", DAY - 1),
            ("Second day, later", 2 * DAY - 1),
        )
    ]
    days = [(day and day.isoformat(), titles(some)) for day, some in selectors.days_of(rows)]
    assert days == [
        ("1970-01-01", ["First day"]),
        ("1970-01-02", ["Second day", "Second day, later"]),
        (None, ["Sometime"]),
    ]


def test_a_club_has_its_events_that_are_not_over_and_the_latest_that_are(
    make_event, host, clocks, monkeypatch
):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    at = now()
    make_event(title="Elsewhere")
    for title, starts in (("Late", 2), ("Early", 1)):
        make_event(title=title, starts_at=at + starts * HOUR, club=club)
    guests = make_event(title="Guests")
    TournamentRow.objects.filter(pk=guests.pk).update(guest_club=club, starts_at=at + 3 * HOUR)
    for ended, title in enumerate(("Old", "Older", "Oldest")):
        row = make_event(title=title, club=club)
        ends = {"state": TournamentState.FINISHED, "ended_at": 9 - ended}
        TournamentRow.objects.filter(pk=row.pk).update(**ends)
    cancelled = make_event(title="Cancelled", club=club)
    TournamentRow.objects.filter(pk=cancelled.pk).update(state=TournamentState.CANCELLED)
    monkeypatch.setattr(selectors, "_LATEST_OF_CLUB", 2)
    assert titles(selectors.events_of_club(club, None)) == [
        "Early",
        "Late",
        "Guests",
        "Old",
        "Older",
    ]
    monkeypatch.setattr(selectors, "_MOST_OF_CLUB", 1)
    assert titles(selectors.events_of_club(club, None)) == ["Early", "Old", "Older"]


def test_boards_of_the_latest_round_come_first_each_with_its_number(client, make_event, host):
    row = make_event(4, format=RoundRobin(), bout=make_bout("mirrored"), control="3d/move")
    assert client.get(f"/tournament/{row.slug}/games/").context["version"] == "0-0-0"
    directing.start(row.pk, host)
    advance(row)
    context = client.get(f"/tournament/{row.slug}/games/").context
    latest = [one.title for one in context["lines"]]
    assert latest == 3 * [f"Table {table}, game {game}" for table in (1, 2) for game in (1, 2)]
    games = GameRow.objects.order_by("-pairing__round", "pairing__table", "number")
    assert [one.row for one in context["lines"]] == [one.match for one in games]
    move(games[0], games[0].match.seat_to_move)
    move(games[5], games[5].match.seat_to_move)
    again = client.get(f"/tournament/{row.slug}/games/").context
    count, first, moves = again["version"].split("-")
    assert (count, first) == ("12", str(games[0].pk))
    assert int(moves) == sum(one.match.version for one in GameRow.objects.all())


def test_the_calendar_leaves_out_the_events_of_the_user(
    client, make_event, host, people, monkeypatch
):
    for title in ("One", "Two"):
        row = make_event(2, title=title)
        directing.start(row.pk, host)
        make_event(title=f"{title} to come", starts_at=now() + HOUR)
    monkeypatch.setattr(views, "_MOST_LISTED", 1)
    player = User.objects.get(username="p000")
    for user, own, others, has_hosted in (
        (None, 0, 1, False),
        (people[0], 0, 1, False),
        (player, 2, 1, False),
        (host, 4, 0, True),
    ):
        if user is not None:
            client.force_login(user)
        context = client.get("/tournaments/").context
        assert len(context["own"]) == own
        assert len(context["running"]) == (0 if user in {player, host} else 1)
        assert sum(len(rows) for _, rows in context["days"]) == others
        assert context["has_hosted"] is has_hosted


def parts(client, row, user=None):
    """Return the titles of crosstables and brackets on the page of an event."""
    client.logout()
    if user is not None:
        client.force_login(user)
    return [part.title for part in client.get(f"/tournament/{row.slug}/").context["parts"]]


def test_of_many_parts_the_first_are_shown_and_that_of_the_viewer(
    client, make_event, host, monkeypatch
):
    monkeypatch.setattr(selectors, "_MOST_PARTS", 1)
    row = make_event(6, format=Groups(group_size=3))
    directing.start(row.pk, host)
    advance(row)
    first, second = "Group 1", "Group 2"
    assert parts(client, row) == [first]
    found = [parts(client, row, one.user) for one in row.entries.all()]
    assert sorted(found) == [[first]] * 3 + [[first, second]] * 3


@pytest.mark.parametrize(("most", "shown"), [(2, 0), (3, 1)])
def test_a_table_or_bracket_that_is_too_large_is_not_shown(
    client, make_event, host, monkeypatch, most, shown
):
    for kind, limit in ((Knockout(), "_MOST_IN_BRACKET"), (RoundRobin(), "LARGEST_CROSSTABLE")):
        monkeypatch.setattr(selectors, limit, most)
        row = make_event(3, format=kind)
        directing.start(row.pk, host)
        assert len(parts(client, row)) == shown


def test_casual_events_have_no_performance_ratings(make_event, host):
    for rated in (False, True):
        row = make_event(2, format=RoundRobin(), rated=rated)
        directing.start(row.pk, host)
        play_out(row)
        lines = selectors.table_lines(row)
        assert [one.standing.rank for one in lines] == [1, 2]
        assert [one.performance is not None for one in lines] == [rated, rated]


def test_entrants_are_listed_by_rating_and_then_as_they_joined(client, make_event):
    row = make_event(3)
    for name, rating, joined in (("p000", 1_500, 2), ("p001", 1_600, 3), ("p002", 1_500, 1)):
        row.entries.filter(user__username=name).update(rating=rating, joined_at=joined)
    for where in ("", "embed/"):
        context = client.get(f"/tournament/{row.slug}/{where}").context
        assert [one.user.username for one in context["entrants"]] == ["p001", "p002", "p000"]
