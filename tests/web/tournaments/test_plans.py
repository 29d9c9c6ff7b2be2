"""Rules of new events: the form, what is stored, and what a refusal says."""

from datetime import UTC, datetime

import pytest

from antipodes.clocks import HOUR, MINUTE, read_control
from antipodes.errors import InputError
from antipodes.games.registry import game_ids, make_game
from antipodes.tournaments import FORMATS, TieBreak, make_bout
from antipodes.tournaments.arena import Arena
from antipodes.tournaments.knockout import Knockout
from antipodes.tournaments.ladder import Ladder
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from antipodes.tournaments.tables import Tables
from antipodes.tournaments.team_match import TeamMatch
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.ranges import MOST_RATING
from antipodes.web.tournaments import services
from antipodes.web.tournaments.forms import TournamentForm
from antipodes.web.tournaments.models import Repeat, TournamentRow, TournamentState
from antipodes.web.tournaments.plans import (
    BOUTS,
    LATEST,
    LONGEST_DESCRIPTION,
    LONGEST_TITLE,
    MOST_GAMES,
    MOST_PLAYERS,
    PLAYERS,
    Plan,
    plan_of,
)

NOW = 1_000_000
THREE = make_game("antipalos", {"seats": "cutthroat3"})
TEAMS = make_game("antipalos", {"seats": "team"})
BOXED = make_game("antipalos", {"size": 12})
OWLS, HAWKS = ClubRow(pk=1, name="Owls"), ClubRow(pk=2, name="Hawks")


def faults_of(**wanted):
    """Return code, field and text of each fault of a plan."""
    rules = {"title": "Cup", "format": Swiss(), "game": make_game("hex", {"size": 3})}
    plan = Plan(**{**rules, "control": read_control("5m+5s"), **wanted})
    try:
        plan.check(NOW)
    except InputError as error:
        return [(one.code, one.where, one.message) for one in error.faults]
    return []


def of_time(where, message):
    """Return the only fault of a plan whose times do not fit."""
    return [("tournament/time", where, message)]


def date_of(instant):
    """Return an instant as a refusal shows it."""
    try:
        return f"{datetime.fromtimestamp(instant / 1_000, UTC):%Y-%m-%d %H:%M} UTC"
    except ValueError:
        return f"{instant} ms"


@pytest.mark.parametrize("start", [NOW + 1, NOW + LATEST, None])
def test_an_event_starts_within_a_year_or_by_its_host(start):
    assert faults_of(starts_at=start) == []


@pytest.mark.parametrize("start", [0, NOW, NOW + LATEST + 1])
def test_a_start_in_the_past_or_after_a_year_is_refused(start):
    message = f"A start at {date_of(start)}: it must be in the future, and within a year."
    assert faults_of(starts_at=start) == of_time("starts_at", message)


def test_registration_opens_before_the_start():
    start = NOW + 100
    assert faults_of(opens_at=start - 1, starts_at=start) == []
    assert faults_of(opens_at=start) == []
    message = f"Registration from {date_of(start)}: it must open before the start."
    for opens in (start, start + 1):
        assert faults_of(opens_at=opens, starts_at=start) == of_time("opens_at", message)


@pytest.mark.parametrize("where", ["opens_at", "starts_at"])
@pytest.mark.parametrize("instant", [-1, NOW + LATEST + 1, 253_402_300_800_000, 2**53 - 1])
def test_times_that_no_page_can_show_are_refused_with_the_time(where, instant):
    ((code, field, message),) = faults_of(**{where: instant})
    assert (code, field) == ("tournament/time", where)
    assert date_of(instant) in message


def test_ratings_and_games_that_no_column_holds_are_refused_with_the_number():
    for where in ("lowest", "highest"):
        assert faults_of(**{where: 0}) == faults_of(**{where: MOST_RATING}) == []
        for rating in (-1, MOST_RATING + 1, 32_768):
            message = f"A rating of {rating}: it is 0 to {MOST_RATING}."
            assert faults_of(**{where: rating}) == [("tournament/rating", where, message)]
    assert faults_of(least_games=0) == faults_of(least_games=MOST_GAMES) == []
    for count in (-1, MOST_GAMES + 1, 32_768):
        message = f"{count} rated games: players can need 0 to {MOST_GAMES}."
        assert faults_of(least_games=count) == [("tournament/games", "least_games", message)]


def test_no_host_allows_more_players_than_the_column_holds(monkeypatch):
    monkeypatch.setenv("LIMIT_TOURNAMENT_PLAYERS", "1000000")
    assert faults_of(most_players=MOST_PLAYERS) == []
    message = f"{MOST_PLAYERS + 1} players: a tournament takes 2 to {MOST_PLAYERS}."
    refused = faults_of(most_players=MOST_PLAYERS + 1)
    assert refused == [("tournament/size", "most_players", message)]


def test_a_check_in_takes_at_most_two_hours_and_needs_a_start():
    for minutes in (0, 1, 120):
        assert faults_of(check_in=minutes, starts_at=NOW + 1) == []
    for minutes in (-1, 121):
        message = f"Check-in of {minutes} minutes: it takes 0 to 120 minutes."
        assert faults_of(check_in=minutes, starts_at=NOW + 1) == of_time("check_in", message)
    message = "Only a tournament with a time of its start can have a check-in."
    assert faults_of(check_in=1) == of_time("check_in", message)


@pytest.mark.parametrize("repeats", [Repeat.WEEKLY, Repeat.MONTHLY])
def test_only_an_event_with_a_start_is_repeated(repeats):
    assert faults_of(repeats=repeats, starts_at=NOW + 1) == []
    message = "Only a tournament with a time of its start can be repeated."
    assert faults_of(repeats=repeats) == of_time("repeats", message)
    assert faults_of(repeats=Repeat.NEVER) == []


def test_an_event_has_at_least_two_players_and_a_limit():
    for count in (2, PLAYERS.value):
        assert faults_of(most_players=count) == []
    for count in (1, PLAYERS.value + 1):
        message = f"{count} players: a tournament takes 2 to {PLAYERS.value}."
        assert faults_of(most_players=count) == [("tournament/size", "most_players", message)]
    meeting = BOUTS.value
    assert faults_of(format=RoundRobin(), most_players=meeting) == []
    message = f"{meeting + 1} players would all meet each other; the most are {meeting}."
    refused = faults_of(format=RoundRobin(), most_players=meeting + 1)
    assert refused == [("tournament/size", "most_players", message)]


def test_a_swiss_event_has_no_more_rounds_than_its_players_can_play():
    assert faults_of(most_players=5, format=Swiss(rounds=5)) == []
    assert faults_of(most_players=5, format=Swiss(rounds=0)) == []
    message = "5 players can play at most 5 rounds without second games."
    refused = faults_of(most_players=5, format=Swiss(rounds=6))
    assert refused == [("tournament/size", "rounds", message)]


def test_the_lowest_rating_is_not_above_the_highest():
    for bounds in ((1_500, 1_500), (1_500, None), (None, 1_500)):
        assert faults_of(lowest=bounds[0], highest=bounds[1]) == []
    message = "No rating is from 1501 to 1500."
    refused = faults_of(lowest=1_501, highest=1_500)
    assert refused == [("tournament/rating", "lowest", message)]


def test_a_title_is_counted_without_superfluous_spaces():
    assert faults_of(title=f"  {'x' * (LONGEST_TITLE - 2)}   y ") == []
    for title, count in (("   ", 0), ("x" * (LONGEST_TITLE + 1), LONGEST_TITLE + 1)):
        message = f"The title has {count} characters; it must have 1 to {LONGEST_TITLE}."
        assert faults_of(title=title) == [("tournament/title", "title", message)]


def test_a_description_has_a_limit():
    assert faults_of(description="x" * LONGEST_DESCRIPTION) == []
    count = LONGEST_DESCRIPTION + 1
    message = f"The description has {count} characters; the most are {LONGEST_DESCRIPTION}."
    refused = faults_of(description="x" * count)
    assert refused == [("tournament/title", "description", message)]


FOR_TWO = "This format is for games of two players, not of %d."
FOR_MORE = "This format is for games of three or four players, not of %d."
NO_CLOCK = "A tournament needs a clock, since games without one might never end."
TWO_CLUBS = "Formats with teams, and no others, have two different clubs."
CLUBS = ("tournament/club", "guest_club", TWO_CLUBS)
GAMES = "Only pairings of two players in a format with rounds have several games."
BOTS = "Only casual tournaments can have bots or the computer as players."


@pytest.mark.parametrize(
    ("wanted", "faults"),
    [
        ({"game": THREE}, [("tournament/seats", "seats", FOR_TWO % 3)]),
        ({"game": TEAMS}, [("tournament/seats", "seats", FOR_TWO % 4)]),
        ({"format": Tables()}, [("tournament/seats", "seats", FOR_MORE % 2)]),
        ({"format": Tables(), "game": THREE}, []),
        ({"format": Tables(score="chart"), "game": THREE}, []),
        (
            {"format": Tables(score="chart"), "game": make_game("hex")},
            [
                ("tournament/seats", "seats", FOR_MORE % 2),
                ("tournament/seats", "score", "Only boxed Antipalos has points of Chart A."),
            ],
        ),
        ({"control": read_control("unlimited")}, [("tournament/clock", "control", NO_CLOCK)]),
        ({"control": read_control("3d/move")}, []),
        ({"format": Arena()}, []),
        (
            {"format": Arena(), "control": read_control("3d/move")},
            [("tournament/clock", "control", "This format is for live games.")],
        ),
        (
            {"format": Ladder()},
            [("tournament/clock", "control", "This format is for games by correspondence.")],
        ),
        ({"format": Ladder(), "control": read_control("3d/move")}, []),
        ({"format": TeamMatch(), "club": OWLS, "guest_club": HAWKS}, []),
        ({"format": TeamMatch(), "club": OWLS}, [CLUBS]),
        ({"format": TeamMatch(), "guest_club": HAWKS}, [CLUBS]),
        ({"format": TeamMatch(), "club": OWLS, "guest_club": OWLS}, [CLUBS]),
        ({"club": OWLS, "guest_club": HAWKS}, [CLUBS]),
        ({"guest_club": HAWKS}, [CLUBS]),
        ({"club": OWLS}, []),
        ({"bout": make_bout("mirrored")}, []),
        (
            {"format": Arena(), "bout": make_bout("mirrored")},
            [("tournament/bout", "games", GAMES)],
        ),
        (
            {"format": Tables(), "game": THREE, "bout": make_bout("mirrored")},
            [("tournament/bout", "games", GAMES)],
        ),
        ({"game": BOXED, "bout": make_bout("match-6")}, []),
        ({"rated": True}, []),
        ({"allows_bots": True, "filler": "1"}, []),
        ({"rated": True, "allows_bots": True}, [("tournament/bots", "rated", BOTS)]),
        ({"rated": True, "filler": "1"}, [("tournament/bots", "rated", BOTS)]),
        (
            {"filler": "99"},
            [("tournament/no-such-player", "filler", "There is no level '99'.")],
        ),
        ({"openings": "a1"}, []),
        (
            {"openings": "a1", "rated": True},
            [("tournament/openings", "rated", "Games that begin with given moves are not rated.")],
        ),
        ({"tie_breaks": (TieBreak.WINS, TieBreak.PLAYOFF)}, []),
    ],
)
def test_each_rule_that_does_not_fit_is_told_beside_its_field(wanted, faults):
    assert faults_of(**wanted) == faults


def test_the_rules_of_a_plan_are_stored(make_event, host, clocks):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    plan = Plan(
        title="Great cup",
        description="A\ngreat cup",
        format=Swiss(rounds=4, late_entry=2),
        game=make_game("hex", {"size": 5}),
        control=read_control("10m+5s"),
        club=club,
        is_private=True,
        bout=make_bout("mirrored"),
        tie_breaks=(TieBreak.WINS, TieBreak.BUCHHOLZ),
        opens_at=now() + MINUTE,
        starts_at=now() + HOUR,
        check_in=15,
        starts_when_full=True,
        most_players=16,
        lowest=1_000,
        highest=2_000,
        least_games=3,
        allows_bots=True,
        by_invitation=True,
        filler="2",
        repeats=Repeat.WEEKLY,
        openings="a1 c3\nb2",
    )
    row = services.create_tournament(host, plan)
    row.refresh_from_db()
    assert plan_of(row) == plan
    assert (row.host, row.made_at, row.state, row.round) == (
        host,
        now(),
        TournamentState.ANNOUNCED,
        0,
    )
    assert (row.previous, row.series, row.begun_at, row.ended_at) == (None, None, None, None)
    assert row.due_at == plan.opens_at
    [step] = row.log.all()
    assert (step.number, step.kind, step.by, step.at) == (0, "created", host, now())
    assert (row.version, step.data) == (1, {"state": "announced"})


def test_other_rules_have_their_defaults(make_event):
    row = make_event(title="  Cup \n of   all ", description=" words ")
    row.refresh_from_db()
    assert (row.title, row.description) == ("Cup of all", "words")
    assert row.tie_breaks == [one.value for one in Swiss.usual_tie_breaks]
    assert (row.games, row.rules, row.most_players) == ("single", {}, 64)
    flags = (row.rated, row.is_private, row.starts_when_full, row.allows_bots, row.by_invitation)
    assert not any(flags)
    assert (row.repeats, row.openings, row.due_at) == ("", [], None)
    chart = make_event(game=BOXED, bout=make_bout("match-6"))
    assert chart.ranking == [*Swiss.usual_tie_breaks, TieBreak.GAME_DIFFERENCE]
    assert make_event(format=Knockout(), game=BOXED, bout=make_bout("match-6")).ranking == []


@pytest.mark.parametrize(("opens", "state"), [(-1, "open"), (0, "open"), (1, "announced")])
def test_registration_is_open_from_its_time_on(make_event, clocks, opens, state):
    assert make_event(opens_at=now() + opens, starts_at=now() + HOUR).state == state


@pytest.mark.parametrize(
    ("state", "times", "due"),
    [
        (TournamentState.ANNOUNCED, {"opens_at": 5, "starts_at": HOUR, "check_in": 15}, 5),
        (
            TournamentState.OPEN,
            {"opens_at": 5, "starts_at": HOUR, "check_in": 15},
            HOUR - 15 * MINUTE,
        ),
        (TournamentState.OPEN, {"opens_at": 5, "starts_at": HOUR}, HOUR),
        (TournamentState.OPEN, {"check_in": 15}, None),
        (TournamentState.OPEN, {}, None),
        (TournamentState.CHECK_IN, {"opens_at": 5, "starts_at": HOUR, "check_in": 15}, HOUR),
    ],
)
def test_an_event_that_has_not_begun_is_due_at_its_next_time(state, times, due):
    assert services.next_due(TournamentRow(state=state, **times)) == due


@pytest.fixture
def owls(host):
    club = ClubRow.objects.create(slug="owls", name="Owls", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    return club


def test_each_field_of_the_form_is_a_rule_of_the_event(client, host, owls, clocks):
    clocks.wall = 1_800_000_000_000  # 15 January 2027, 8:00 UTC
    PreferenceRow.objects.create(user=host, zone="Asia/Tokyo")
    client.force_login(host)
    sent = {
        "title": "Great cup",
        "description": "A great cup",
        "rule-rounds": "4",
        "rule-late_entry": "2",
        "games": "mirrored",
        "playoff": "on",
        "option-size": "5",
        "control": "other",
        "control_text": "7m+3s",
        "openings": "own",
        "opening_lines": "a1 c3\nb2",
        "opens": "2027-01-15T18:00",
        "starts": "2027-01-15T19:30",
        "check_in": "15",
        "repeats": "monthly",
        "starts_when_full": "on",
        "most_players": "16",
        "lowest": "1000",
        "highest": "2000",
        "least_games": "3",
        "by_invitation": "on",
        "allows_bots": "on",
        "filler": "2",
        "club": "owls",
        "is_private": "on",
    }
    answer = client.post("/tournaments/new/?game=hex&format=swiss", sent)
    row = TournamentRow.objects.get()
    assert answer.url == f"/tournament/{row.slug}/"
    assert plan_of(row) == Plan(
        title="Great cup",
        description="A great cup",
        format=Swiss(rounds=4, late_entry=2),
        game=make_game("hex", {"size": 5}),
        control=read_control("7m+3s"),
        club=owls,
        is_private=True,
        bout=make_bout("mirrored"),
        tie_breaks=(*Swiss.usual_tie_breaks, TieBreak.PLAYOFF),
        opens_at=now() + HOUR,
        starts_at=now() + HOUR + 90 * MINUTE,
        check_in=15,
        starts_when_full=True,
        most_players=16,
        lowest=1_000,
        highest=2_000,
        least_games=3,
        allows_bots=True,
        by_invitation=True,
        filler="2",
        repeats=Repeat.MONTHLY,
        openings="a1 c3\nb2",
    )


LEAST = {"title": "Cup", "control": "5m+5s", "most_players": "16", "check_in": "0"}


def test_fields_that_are_left_empty_have_no_effect(client, host, owls):
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=swiss"
    client.post(where, {**LEAST, "control_text": "7m+3s", "rated": "on"})
    row = TournamentRow.objects.get()
    plan = plan_of(row)
    assert plan == Plan(
        title="Cup",
        format=Swiss(),
        game=make_game("hex"),
        control=read_control("5m+5s"),
        tie_breaks=Swiss.usual_tie_breaks,
        rated=True,
        most_players=16,
    )


def names_of(fields):
    return [one.name for one in fields]


@pytest.mark.parametrize("name", FORMATS)
def test_the_form_has_the_fields_that_fit_the_format(name, host, owls):
    form = TournamentForm("hex", FORMATS[name], host)
    has_rounds = name not in {"arena", "ladder", "rolling-swiss", "tables"}
    extra = ["games"] * has_rounds + ["playoff"] * FORMATS[name].has_playoff
    rules = [f"rule-{one.name}" for one in FORMATS[name].describe()]
    assert names_of(form.format_fields()) == rules + extra
    times = ["starts", "check_in", "opens", "repeats", "starts_when_full"]
    assert names_of(form.time_fields()) == times
    is_of_teams = name == "team-match"
    assert names_of(form.entry_fields()) == [
        *("lowest", "highest", "least_games"),
        *([] if is_of_teams else ["filler"]),
        "club",
        *(["guest_club"] if is_of_teams else []),
        *("is_private", "by_invitation", "allows_bots"),
    ]


def test_a_host_without_clubs_is_not_asked_for_one(host):
    for user in (host, None):
        form = TournamentForm("hex", Swiss, user)
        assert not {"club", "is_private"} & set(names_of(form.entry_fields()))


def choices(form, name):
    """Return the values that a field offers."""
    return [value for value, _ in form.fields[name].choices]


@pytest.mark.parametrize(
    ("kind", "has_live", "has_slow"),
    [(Swiss, True, True), (Arena, True, False), (Ladder, False, True)],
)
def test_the_form_offers_the_clocks_of_the_format(db, kind, has_live, has_slow):
    form = TournamentForm("hex", kind, None)
    offered = choices(form, "control")
    assert offered[-1] == "other"
    assert [str(one) for one in offered[:-1]] == ["Live"] * has_live + ["Correspondence"] * has_slow


def test_the_form_offers_games_levels_and_clubs(host, owls):
    form = TournamentForm("hex", Swiss, host)
    assert "match-6" not in choices(form, "games")
    assert choices(form, "games")[0] == "single"
    assert "match-6" in choices(TournamentForm("antipalos", Swiss, host), "games")
    assert choices(form, "filler") == ["", *map(str, range(1, 10))]
    assert choices(form, "club") == ["", "owls"]
    assert "seats" not in form.option_names
    larger = TournamentForm("antipalos", Tables, host)
    assert "two" not in choices(larger, "option-seats")
    assert len(choices(larger, "option-seats")) > 1
    assert "option-seats" in names_of(larger.board_fields())
    for_two = TournamentForm("antipalos", Swiss, host)
    assert "two" in choices(for_two, "option-seats")
    assert "option-seats" not in names_of(for_two.board_fields())


def test_a_club_that_the_host_may_not_see_is_no_guest(client, host, owls):
    ClubRow.objects.create(slug="hawks", name="Hawks", made_at=0, is_public=False)
    client.force_login(host)
    where = "/tournaments/new/?game=hex&format=team-match"
    answer = client.post(where, {**LEAST, "club": "owls", "guest_club": "hawks"})
    assert answer.status_code == 400
    assert answer.context["form"].errors == {"guest_club": ["There is no club hawks."]}


def test_a_form_of_a_visitor_without_account_makes_no_event(client, db):
    page = client.get("/tournaments/new/")
    assert page.context["has_account"] is False
    answer = client.post("/tournaments/new/?game=hex&format=swiss", LEAST)
    assert answer.status_code == 400
    assert answer.context["form"].non_field_errors() == ["Tournaments need an account."]
    client.force_login(User.objects.create(username="Guest 1", is_guest=True))
    assert client.get("/tournaments/new/").context["has_account"] is False
    client.post("/tournaments/new/?game=hex&format=swiss", LEAST)
    assert not TournamentRow.objects.exists()


@pytest.mark.parametrize(
    ("query", "preset", "kind", "game"),
    [
        ("", "swiss", "swiss", "antipod"),
        ("preset=knockout&game=hex", "knockout", "knockout", "hex"),
        ("preset=nothing", "swiss", "swiss", "antipod"),
        ("format=arena&game=hex", None, "arena", "hex"),
        ("format=nothing", "swiss", "swiss", "antipod"),
        ("format=tables&game=hex", None, "tables", "antipalos"),
        ("format=tables&game=antipalos", None, "tables", "antipalos"),
    ],
)
def test_the_address_chooses_preset_format_and_game(client, host, query, preset, kind, game):
    client.force_login(host)
    context = client.get(f"/tournaments/new/?{query}").context
    found = context["preset"] and context["preset"].name
    assert (found, context["form"].format_type.name, context["game"].id) == (preset, kind, game)
    assert context["has_account"] is True
    games = [one.id for one in context["games"]]
    assert games == (["antipalos"] if kind == "tables" else list(game_ids()))
    has_check_in = preset is not None
    assert bool(context["form"].initial.get("starts")) == has_check_in


def test_a_form_begins_with_the_values_of_its_preset_and_address(client, host, owls, clocks):
    clocks.wall = 1_800_000_000_000 + 59 * MINUTE + 59_999  # 15 January 2027, 8:59:59 UTC
    client.force_login(host)
    query = "preset=swiss&game=hex&option-size=7&club=owls&title=Mine"
    form = client.get(f"/tournaments/new/?{query}").context["form"]
    assert form.initial.pop("starts").isoformat() == "2027-01-16T08:00:00"
    assert form.initial == {
        "control": "5m+5s",
        "rule-rounds": 5,
        "rule-late_entry": 2,
        "check_in": 15,
        "most_players": 100,
        "option-size": "7",
        "club": "owls",
    }
