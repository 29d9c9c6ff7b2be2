"""Pages of tournaments."""

import html
import re
from datetime import UTC, datetime

import pytest
from pydantic import TypeAdapter

from antipodes.clocks import DAY, HOUR
from antipodes.tournaments import FORMATS, make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.web.accounts.models import User
from antipodes.web.api.schemas.tournaments import TournamentIn, TournamentOut
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import directing, invitations, services
from antipodes.web.tournaments.log import replay
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.pages import rule_labels
from antipodes.web.tournaments.selectors import instant
from tests.cases import for_each
from tests.thorough import sample
from tests.web.tournaments.conftest import (
    advance,
    move,
    play_out,
    play_round,
    resign,
    unfinished,
)

pytestmark = pytest.mark.django_db

BRACKETS = {"knockout", "double-elimination", "groups"}
CROSSTABLES = {"round-robin", "swiss", "groups", "league"}
FORM = {
    "title": "First  cup",
    "control": "5m+5s",
    "most_players": "16",
    "check_in": "0",
    "option-size": "5",
}


def test_an_event_is_made_by_its_form(client, host):
    client.force_login(host)
    assert client.get("/tournaments/new/?game=hex&preset=knockout").status_code == 200
    where = "/tournaments/new/?game=hex&format=swiss"
    answer = client.post(where, {**FORM, "starts": "2999-01-01T20:00"})
    assert answer.status_code == 400
    assert client.post(where, {**FORM, "rule-rounds": "99"}).status_code == 400
    answer = client.post(where, {**FORM, "rule-rounds": "3"})
    row = TournamentRow.objects.get()
    assert row.format == Swiss(rounds=3)
    assert answer.url == f"/tournament/{row.slug}/"
    assert (row.title, row.game.options.as_dict()["size"]) == ("First cup", 5)
    assert "First cup" in client.get("/tournaments/").content.decode()


@for_each(
    "field, values",
    [
        ("check_in", {"check_in": "15"}),
        ("starts", {"starts": "2020-01-01T20:00"}),
        ("control_text", {"control": "other", "control_text": "soon"}),
        ("rule-rounds", {"rule-rounds": "99"}),
        ("most_players", {"most_players": "9999"}),
    ],
)
def test_faults_stand_beside_the_fields_that_they_are_about(field, values, client, host):
    client.force_login(host)
    answer = client.post("/tournaments/new/?game=hex&format=swiss", {**FORM, **values})
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == [field]


def test_a_preset_with_a_check_in_has_a_start(client, host):
    client.force_login(host)
    where = "/tournaments/new/?game=hex&preset=swiss"
    form = client.get(where).context["form"]
    sent = {one.html_name: one.value() for one in form if one.value() not in (None, False)}
    sent |= {"title": "Sunday", "starts": f"{sent['starts']:%Y-%m-%dT%H:%M}"}
    client.post(where, sent)
    row = TournamentRow.objects.get()
    assert row.check_in == 15
    assert row.starts_at is not None
    assert DAY - HOUR <= row.starts_at - now() <= DAY


def test_the_calendar_lists_each_event_once_also_to_its_host_and_players(client, make_event, host):
    running, planned = make_event(2, title="Running"), make_event(2, title="Planned")
    directing.start(running.pk, host)
    player = User.objects.get(username="p000")
    for user in (host, player, User.objects.create(username="reader")):
        client.force_login(user)
        page = client.get("/tournaments/").content.decode()
        for row in (running, planned):
            assert page.count(f'href="/tournament/{row.slug}/"') == 1
        assert ("No other tournament is running." in page) == (user in {host, player})


def test_the_form_asks_for_the_rules_of_its_format_only(client, host):
    client.force_login(host)
    every = {f"rule-{one.name}" for kind in FORMATS.values() for one in kind.describe()}
    for name, kind in FORMATS.items():
        page = client.get(f"/tournaments/new/?game=hex&format={name}").content.decode()
        asked = {one for one in every if f'name="{one}"' in page}
        assert asked == {f"rule-{one.name}" for one in kind.describe()}
        assert ('name="games"' in page) == (not kind.is_continuous and 2 in kind.seats)


def test_the_page_offers_directors_the_pairings_that_they_may_decide_or_correct(
    client, make_event, host
):
    row = make_event(4, format=Knockout())
    directing.start(row.pk, host)
    advance(row)
    resign(unfinished(row)[0], 0)
    advance(row)
    client.force_login(host)
    where = f"/tournament/{row.slug}/"

    def offered():
        page = client.get(f"{where}now?v=0&round=1").content.decode()
        return re.findall(r'<option value="(\d\.\d)">', page), "Correct a result" in page

    assert offered() == (["1.2", "1.1"], True)
    play_round(row)
    advance(row)
    assert row.round == 2
    assert offered() == (["2.1"], False)  # the final depends on the first round
    client.force_login(User.objects.get(username="p000"))
    assert "do/adjudicate" not in client.get(f"{where}now?v=0").content.decode()


def test_rules_of_the_format_are_explained_without_values_that_are_not_shown(client, make_event):
    row = make_event(format=Swiss(rounds=3, late_entry=2))
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "players may enter before this round is paired<" in page


def test_rated_events_show_performance_ratings(client, make_event, host):
    row = make_event(4, format=RoundRobin(), rated=True)
    directing.start(row.pk, host)
    play_out(row)
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "Performance" in page
    lines = client.get(f"/api/v1/tournaments/{row.slug}/standings").json()
    found = [one["performance"] for one in lines]
    assert found == sorted(found, reverse=True)
    assert found[0] > 1_500 > found[-1]


def test_the_page_says_when_registration_opens(client, make_event):
    row = make_event(opens_at=now() + HOUR, starts_at=now() + DAY)
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "Registration is not open yet. It opens <time" in " ".join(page.split())


def test_the_api_names_every_format():
    for schema in (TournamentIn, TournamentOut):
        assert TypeAdapter(schema).json_schema()["properties"]["format"]["enum"] == [*FORMATS]


def test_players_join_and_leave_without_javascript(client, make_event, people):
    row = make_event()
    client.force_login(people[0])
    where = f"/tournament/{row.slug}/"
    assert "/do/join" in client.get(where).content.decode()
    answer = client.post(f"{where}do/join", follow=True)
    assert "You have joined the tournament." in answer.content.decode()
    assert "ann" in answer.content.decode()
    answer = client.post(f"{where}do/leave", follow=True)
    assert row.entries.count() == 0


def test_the_director_acts_on_the_page(client, make_event, host):
    row = make_event(4, format=RoundRobin())
    client.force_login(host)
    where = f"/tournament/{row.slug}/"
    client.post(f"{where}do/start")
    advance(row)
    form = {"pairing": "1.1", "result": "1-0", "reason": "a proven win"}
    client.post(f"{where}do/adjudicate", form)
    page = client.get(where).content.decode()
    assert "a proven win" in page
    assert "decided by the director" in page
    assert "a proven win" in client.get(f"{where}log/").content.decode()
    client.post(f"{where}do/withdraw", {"name": "p003", "reason": "gone"})
    client.post(f"{where}do/pause")
    assert client.post(f"{where}do/pause").status_code == 409
    client.post(f"{where}do/resume")
    client.post(f"{where}do/cancel", {"reason": "rain"})
    row.refresh_from_db()
    assert row.state == "cancelled"


def test_the_page_of_an_arena_shows_who_plays_and_who_waits(client, make_event, host):
    row = make_event(3, format=Arena(minutes=30))
    directing.start(row.pk, host)
    advance(row)
    where = f"/tournament/{row.slug}/"
    pages = []
    for number in range(3):
        client.force_login(User.objects.get(username=f"p00{number}"))
        pages.append(client.get(where).content.decode())
    assert sum("Your game" in page for page in pages) == 2
    assert sum("as soon as an opponent is free" in page for page in pages) == 1


_OTHERS = ("arena", "team-match", "tables", "ladder", "rolling-swiss")  # need clubs or other games


@for_each("name", sample([name for name in FORMATS if name not in _OTHERS], 5))
def test_pages_show_every_stage_of_an_event(name, client, make_event, host):
    bout = make_bout("mirrored" if name == "knockout" else "single")
    players = 5 if name == "groups" else 4  # several groups
    row = make_event(players, format=FORMATS[name](), bout=bout, title="Stages")
    where = f"/tournament/{row.slug}/"
    player = User.objects.get(username="p000")
    client.force_login(player)
    assert client.get(where).status_code == 200
    directing.start(row.pk, host)
    advance(row)
    assert "own-pairing" in client.get(where).content.decode()
    play_round(row)
    advance(row)
    assert client.get(where).status_code == 200
    play_out(row)
    page = client.get(f"{where}?round=1").content.decode()
    assert ("bracket-round" in page) == (name in BRACKETS)
    assert ("crosstable" in page) == (name in CROSSTABLES)
    assert "trophy-1" in page
    podium = page.partition('<section class="podium"')[2].partition("</section>")[0]
    places = re.findall(r'class="place-(\d)"', podium)
    assert places[0] == "1"
    assert places == sorted(places)
    exports = page.partition('class="exports"')[2].partition("</details>")[0]
    assert exports.count(" download>") == page.count(" download>") > 3
    assert "Stages" in client.get("/tournaments/").content.decode()


@pytest.mark.parametrize(
    ("name", "title"),
    [("round-robin", "Kreuztabelle"), ("knockout", "Turnierbaum"), ("groups", "Gruppe 1")],
)
def test_the_parts_of_an_event_have_titles_in_the_readers_language(
    client, make_event, host, name, title
):
    row = make_event(5, format=FORMATS[name]())
    directing.start(row.pk, host)
    advance(row)
    page = client.get(f"/tournament/{row.slug}/", headers={"accept-language": "de"})
    assert f">{title}</h2>" in page.content.decode()


def test_a_crosstable_shows_the_points_against_each_other_player(client, make_event, host):
    row = make_event(4, format=FORMATS["round-robin"]())
    directing.start(row.pk, host)
    play_out(row)
    [part] = client.get(f"/tournament/{row.slug}/").context["parts"]
    for number, line in enumerate(part.crosstable):
        assert [cell is None for cell in line.cells] == [one == number for one in range(4)]
        points = [float(one) for cell in line.cells if cell is not None for one in cell]
        assert sum(points) == line.standing.points


def test_the_live_part_is_sent_only_when_it_has_changed(client, make_event, people):
    row = make_event()
    row.refresh_from_db()
    where = f"/tournament/{row.slug}/now"
    assert client.get(where, {"v": row.version}).status_code == 204
    services.join(row.pk, people[0])
    answer = client.get(where, {"v": row.version})
    assert "ann" in answer.content.decode()
    assert f'data-version="{row.version + 1}"' in answer.content.decode()


def test_the_page_of_an_event_escapes_what_hosts_write(client, make_event):
    row = make_event(title="<b>cup", description="<script>")
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "&lt;b&gt;cup" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_sign_up_is_offered_only_if_an_account_is_what_is_missing(client, make_event):
    row = make_event(2)
    address = f"/tournament/{row.slug}/"
    link = f'<a href="/accounts/signup/?next=/tournament/{row.slug}/">'
    assert link in client.get(address).content.decode()
    TournamentRow.objects.update(state="finished")
    assert link not in client.get(address).content.decode()
    TournamentRow.objects.update(state="announced")
    page = client.get(address).content.decode()
    assert "Registration is not open yet." in page
    assert link not in page


def test_all_boards_of_an_event_are_on_one_page_that_changes(client, make_event, host):
    row = make_event(4, format=RoundRobin(), bout=make_bout("best-of-3"))
    where = f"/tournament/{row.slug}/games/"
    assert "No game is in progress." in client.get(where).content.decode()
    directing.start(row.pk, host)
    advance(row)
    page = client.get(where).content.decode()
    assert page.count("Table ") == 2
    assert "Table 1, game 1" in page
    (address,) = map(html.unescape, re.findall(r'hx-get="([^"]*)"', page))
    assert client.get(address).status_code == 204
    game = unfinished(row)[0]
    move(game, 0)
    assert game.match.slug in client.get(address).content.decode()


def test_a_feed_has_new_events_and_results_but_no_private_ones(client, make_event, host):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    make_event(title="Secret", club=club, is_private=True)
    row = make_event(2, format=RoundRobin(), title="Cup & more")
    directing.start(row.pk, host)
    play_out(row)
    answer = client.get("/tournaments/atom.xml")
    text = answer.content.decode()
    assert "Results: Cup &amp; more" in text
    assert "1. p00" in text
    assert "Secret" not in text
    again = client.get("/tournaments/atom.xml", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304
    assert "<rss" in client.get("/tournaments/rss.xml").content.decode()


def test_the_page_of_a_club_lists_its_events_for_those_who_may_see_them(client, make_event, host):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0, is_public=True)
    MemberRow.objects.create(club=club, user=host, since=0)
    make_event(title="For members", club=club)
    make_event(title="Secret", club=club, is_private=True)
    page = client.get("/clubs/owls/").content.decode()
    assert "For members" in page
    assert "Secret" not in page
    assert "New tournament" not in page
    client.force_login(host)
    page = client.get("/clubs/owls/").content.decode()
    assert "Secret" in page
    form = client.get("/tournaments/new/?club=owls").content.decode()
    assert '<option value="owls" selected>' in form


def test_the_rules_of_an_event_say_when_the_computer_joins(client, make_event):
    row = make_event(filler="1")
    page = client.get(f"/tournament/{row.slug}/").content.decode()
    assert "makes the number of players even" in page


def test_the_form_keeps_a_title_that_is_missing_beside_its_field(client, host):
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=swiss"
    answer = client.post(where, {**FORM, "title": "", "starts": "2020-01-01T20:00"})
    assert answer.status_code == 400
    # The rules are checked when all fields can be read.
    assert answer.context["form"].errors == {"title": ["This field is required."]}
    assert not TournamentRow.objects.exists()


def test_no_event_is_made_of_a_game_that_there_is_not(client, host):
    client.force_login(host)
    assert client.get("/tournaments/new/?game=hexen").status_code == 404


def test_guests_are_asked_for_an_account_before_they_host(client, db):
    client.force_login(User.objects.create(username="Guest 1", is_guest=True))
    answer = client.get("/tournaments/hosted/")
    assert (answer.status_code, answer.url) == (302, "/accounts/signup/")


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ({"format": Arena(minutes=30)}, "Hex · size 3 · no swap"),
        ({}, "Table 1"),
        ({"bout": make_bout("mirrored")}, "Table 1, game 1"),
    ],
)
def test_games_in_progress_are_named_by_their_table(client, make_event, host, wanted, title):
    row = make_event(2, **wanted)
    directing.start(row.pk, host)
    advance(row)
    [game] = unfinished(row)
    context = client.get(f"/tournament/{row.slug}/games/").context
    [line] = context["lines"]
    assert (line.row, line.title, line.time) == (game.match, title, "")
    assert context["version"] == f"1-{game.pk}-{game.match.version}"


def test_games_of_a_series_are_exported_with_their_numbers(client, make_event, host):
    row = make_event(2, format=Knockout(), bout=make_bout("mirrored"))
    directing.start(row.pk, host)
    for _ in range(2):
        advance(row)
        play_round(row)
    games = client.get(f"/tournament/{row.slug}/games.sgf").getvalue().decode()
    assert re.findall(r"RO\[(.*?)\]", games) == ["1.1.1", "1.1.2"]


def test_a_feed_tells_when_an_event_starts(client, make_event):
    make_event(title="Whenever")
    row = make_event(title="Some day")
    starts = datetime(2030, 1, 2, 15, 4, 59, tzinfo=UTC)
    TournamentRow.objects.filter(pk=row.pk).update(starts_at=int(starts.timestamp() * 1_000))
    text = client.get("/tournaments/rss.xml").content.decode()
    assert re.findall("starts [^&]*", text) == ["starts 2 January 2030, 15:04 UTC"]


def shown(client, row, user, **query):
    """Return the context of the page of an event for a user."""
    client.logout()
    if user is not None:
        client.force_login(user)
    return client.get(f"/tournament/{row.slug}/", query).context


def values(context, *names):
    return tuple(context[name] for name in names)


def test_the_page_offers_each_viewer_what_they_can_do(client, make_event, host, people):
    row = make_event(2, starts_at=now() + HOUR, opens_at=now() - 1, check_in=15)
    player = User.objects.get(username="p000")
    guest = User.objects.create(username="Guest 1", is_guest=True)
    names = ("is_in", "can_join", "needs_account", "may_direct", "why_not")
    account = "Tournaments need an account."
    for user, expected in (
        (None, (False, False, True, False, account)),
        (guest, (False, False, True, False, account)),
        (player, (True, False, False, False, "")),
        (people[0], (False, True, False, False, "")),
        (host, (False, True, False, True, "")),
    ):
        assert values(shown(client, row, user), *names) == expected
    context = shown(client, row, None)
    assert (context["starts"], context["opens"], context["ended"]) == (
        instant(row.starts_at),
        instant(row.opens_at),
        None,
    )
    assert values(context, "players", "is_check_in", "is_recurring") == (2, False, False)
    TournamentRow.objects.update(state="check-in", lowest=1_000)
    context = shown(client, row, people[0])
    assert values(context, "is_check_in", "range") == (True, "rating from 1000")


def test_players_who_have_left_may_come_back(client, make_event, host):
    row = make_event(4, format=Swiss(rounds=3, late_entry=3))
    directing.start(row.pk, host)
    player = User.objects.get(username="p000")
    services.leave(row.pk, player)
    context = shown(client, row, player)
    assert values(context, "is_in", "can_join", "players") == (False, True, 3)
    assert context["entry"] == row.entries.get(user=player)
    services.join(row.pk, player)
    assert not replay(row.log.values_list("data", flat=True)).withdrawn


def test_directors_have_forms_that_fit_the_state_of_the_event(client, make_event, host, people):
    row = make_event(4)
    invitations.invite(row.pk, host, people[0].username)
    before = shown(client, row, host)
    assert before["change_form"].initial["title"] == "Cup"
    assert (before["invited"], len(before["levels"])) == ([people[0]], 9)
    assert before["results"] == [
        ("1-0", "The first player wins"),
        ("0-1", "The second player wins"),
        ("draw", "Draw"),
        ("0-0", "All lose"),
    ]
    others = shown(client, row, people[0])
    assert not {"change_form", "invited", "levels"} & others.keys()
    rated = shown(client, make_event(rated=True), host)
    assert "levels" not in rated
    assert "change_form" in rated
    directing.start(row.pk, host)
    advance(row)
    directing.adjudicate(row.pk, host, 1, 2, "1-0", "agreed")
    running = shown(client, row, host)
    assert not {"change_form", "levels", "entrants"} & running.keys()
    tables = {name: [one.table for one in running[name]] for name in ("undecided", "decided")}
    assert tables == {"undecided": [1], "decided": [2]}
    assert running["may_prove"] is True
    assert "undecided" not in shown(client, row, people[0])


def test_the_page_shows_the_chosen_round_or_the_latest(client, make_event, host):
    row = make_event(4, format=RoundRobin())
    directing.start(row.pk, host)
    assert shown(client, row, None)["shown_round"] == 1  # not paired yet
    for _ in range(2):
        play_round(advance(row))
    advance(row)
    player = User.objects.get(username="p000")
    for query, expected in (("", 3), ("x", 3), ("0", 3), ("-1", 3), ("1", 1), ("2", 2), ("9", 3)):
        context = shown(client, row, player, round=query)
        assert context["shown_round"] == expected, query
        assert {one.row.round for one in context["pairing_lines"]} == {expected}
        assert [one.row.table for one in context["pairing_lines"]] == [1, 2]
        own = context["own_pairing"].row
        assert own.round == expected
        assert player in {one.user for one in own.players}
    context = shown(client, row, player)
    assert list(context["rounds"]) == [1, 2, 3]
    assert context["own_line"].entry.user == player
    assert values(shown(client, row, None), "own_line", "own_pairing") == (None, None)


def test_the_latest_games_of_an_arena_come_first(client, make_event, host):
    row = make_event(4, format=Arena(minutes=30))
    directing.start(row.pk, host)
    advance(row)
    player = User.objects.get(username="p000")
    assert shown(client, row, player)["own_pairing"].row.round == 1
    for table in (1, 2):
        directing.adjudicate(row.pk, host, 1, table, "1-0", "agreed")
    advance(row)
    context = shown(client, row, player)
    found = [(one.row.round, one.row.table) for one in context["pairing_lines"]]
    assert found == [(2, 2), (2, 1), (1, 2), (1, 1)]
    assert context["own_pairing"].row.round == 2
    assert context["opening"] == ""


def test_only_a_free_player_of_a_running_arena_waits_for_an_opponent(client, make_event, host):
    row = make_event(3, format=Arena(minutes=30))
    directing.start(row.pk, host)
    advance(row)
    busy = {one.pk for pairing in row.pairings.all() for one in pairing.players}
    free = row.entries.exclude(pk__in=busy).get().user

    def waits(user=free):
        return shown(client, row, user)["is_waiting"]

    player = row.entries.filter(pk__in=busy).first().user
    assert [waits(), waits(player), waits(host), waits(None)] == [True, False, False, False]
    directing.pause(row.pk, host)
    assert not waits()
    directing.resume(row.pk, host)
    services.leave(row.pk, free)
    assert not waits()
    others = (make_event(3, format=Ladder(), control="3d/move"), make_event(2, format=Swiss()))
    for event in others:
        directing.start(event.pk, host)
        entrant = event.entries.first().user
        assert not shown(client, event, entrant)["is_waiting"]


def test_a_page_names_the_rules_of_the_format(make_event):
    row = make_event(format=Swiss(rounds=3, late_entry=2))
    assert list(rule_labels(row)) == [
        ("Rounds", "3", "at most"),
        ("Late entry", "2", "players may enter before this round is paired"),
    ]
