"""Options of challenge and seek commands, and the terms of the games that they ask for."""

import pytest

from antipodes.clocks import DAY, HOUR, TimeControl, read_control
from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands.challenges import _parse_limit, parse_options, parse_time
from antipodes.web.email_play.models import ReminderRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.relations.services import block
from tests.cases import for_each
from tests.web.email_play.conftest import told


def of(text, game_id="hex"):
    """Parse options, written as ``name=value`` with spaces between them."""
    pairs = (word.partition("=") for word in text.split())
    return parse_options(game_id, {name: value for name, _, value in pairs})


def code_and_place(call, *arguments):
    """Return code and place of the only fault of a call."""
    with pytest.raises(InputError) as caught:
        call(*arguments)
    [fault] = caught.value.faults
    return fault.code, fault.where


@for_each(
    "text, hours",
    [
        ("0", 0),
        ("7", 168),
        (" 7D ", 168),
        ("12h", 12),
        ("366", 8784),
        ("366d", 8784),
        ("8784h", 8784),
    ],
)
def test_a_time_is_in_days_or_hours(text, hours):
    assert parse_time("nagtime", text) == hours * HOUR


@for_each("text", ["367", "367d", "8785h", "-1", "1w", "", "h", "123456", "1.5"])
def test_a_time_of_more_than_a_year_is_refused(text):
    assert code_and_place(parse_time, "nagtime", text) == ("mail/options", "nagtime")


@for_each(
    "text, control",
    [
        ("", "21d/move"),
        ("forfeittime=2", "2d/move"),
        ("totaltime=30", "30d"),
        ("forfeittime=12h totaltime=3", "12h/move+3d"),
        ("clock=5d/move+2d", "5d/move+2d"),
    ],
)
def test_the_time_control_is_that_of_the_classic_server_or_a_clock(text, control):
    assert of(text).control == read_control(control)
    assert of("").control == TimeControl(per_move=21 * DAY)


@for_each("text, milliseconds", [("", 7 * DAY), ("nagtime=0", 0), ("nagtime=2", 2 * DAY)])
def test_players_are_reminded_after_a_week_or_as_the_option_says(text, milliseconds):
    assert of(text).reminder == milliseconds


@for_each(
    "text, rated",
    [
        ("", True),
        ("rated=on", True),
        ("rated=off", False),
        ("unrated=on", False),
        ("unrated=off", True),
        ("rated=on unrated=off", True),
        ("rated=off unrated=on", False),
        ("rated=YES", True),
        ("rated=0", False),
    ],
)
def test_a_game_is_rated_unless_an_option_says_otherwise(text, rated):
    assert of(text).terms == {"rated": rated}


@for_each("text", ["rated=on unrated=on", "rated=off unrated=off"])
def test_a_game_cannot_be_rated_and_unrated(text):
    assert code_and_place(of, text) == ("mail/options", "rated")


@for_each(
    "text, terms",
    [
        ("private=on points=9 within=200 days=3",
         {"is_private": True, "points": 9, "within": 200, "hours": 72}),
        ("private=off points=3660", {"is_private": False, "points": 3660}),
        ("days=1", {"hours": 24}),
    ],
)  # fmt: skip
def test_terms_of_a_challenge_have_options(text, terms):
    assert of(text).terms == {"rated": True, **terms}


@for_each("text, where", [("points=3661", "points"), ("within=0", "within"), ("days=x", "days")])
def test_numbers_of_terms_are_positive_and_limited(text, where):
    assert code_and_place(of, text) == ("mail/options", where)


def test_all_wrong_options_are_named_at_once():
    with pytest.raises(InputError) as caught:
        of("size=99 forfeittime=x nagtime=x lots=x rated=x")
    assert [fault.where for fault in caught.value.faults] == [
        *("size", "forfeittime", "nagtime", "lots", "rated"),
    ]


def test_other_names_of_options_are_those_of_the_classic_server():
    for game_id, text, options in (
        ("antipod", "radius=4 handicap=six", {"side": 4}),
        ("antipalos", "side=12", {"size": 12}),
        ("hex", "side=5", {"size": 5}),
        ("cylindrical-hex", "size=5", {"rows": 5, "columns": 5}),
    ):
        assert of(text, game_id).game == make_game(game_id, options)
    assert code_and_place(of, "size=5 rows=6", "cylindrical-hex") == ("option/twice", "rows")
    assert (of("").lots, of("lots=on").lots, of("lots=off").lots) == (False, True, False)


@pytest.mark.parametrize(
    ("word", "limit"), [("0", 0), ("9999", 9_999), ("10000", None), ("x", None)]
)
def test_a_limit_of_games_is_a_number_up_to_9999(word, limit):
    if limit is None:
        assert code_and_place(_parse_limit, word)[0] == "lobby/limit"
    else:
        assert _parse_limit(word) == limit


def test_a_challenge_reminds_its_players_as_it_says(ann):
    for options, after in (("", [7 * DAY]), ("--nagtime=0", []), ("--nagtime=3", [3 * DAY])):
        ann.say("hex challenge", f"bob {options}")
        row = ChallengeRow.objects.latest("pk")
        found = ReminderRow.objects.filter(challenge=row).values_list("after", flat=True)
        assert list(found) == after
        ChallengeRow.objects.all().delete()
    ann.say("hex seek", "--nagtime=1")
    assert ReminderRow.objects.get().after == DAY


@pytest.mark.parametrize(
    ("name", "level"),
    [("computer", "3"), ("computer2", "2"), ("COMPUTER-4", "4"), ("computer:5", "5")],
)
def test_a_game_against_the_computer_is_casual_and_of_the_named_level(ann, name, level):
    ann.say("hex challenge", name)
    row = MatchRow.objects.get()
    assert (row.seats.exclude(user=ann.user).get().user.username, row.rated) == (
        f"computer-{level}",
        False,
    )


def test_a_challenge_names_as_many_players_as_the_game_has_seats(ann):
    text = told(ann.ask("hex challenge", "bob cy"))
    assert "Hex is for 2 players with these options; you named 2 besides yourself" in text
    text = told(ann.ask("antipalos challenge", "bob computer -seats=team"))
    assert "is for 4 players with these options; you named 2 besides yourself" in text
    text = told(ann.ask("hex challenge", "ann"))
    assert "whom do you challenge? write: hex challenge ann NAME" in text


def test_a_challenge_waits_until_all_have_accepted(ann, bob):
    letters = ann.say("antipalos challenge", "bob cy dee -seats=team -unrated")
    row = ChallengeRow.objects.get()
    waits = f"Challenge {row.pk} waits until all players have accepted."
    assert waits in told(next(one for one in letters if one.to == ann.address))
    (answer,) = bob.say("accept", f"C{row.pk}")
    assert answer.subject == f"Antipodes: challenge c{row.pk} is accepted"
    assert waits in told(answer)
    assert [one.user for one in row.joins.all()] == [bob.user]


def test_a_challenge_to_others_is_not_there_for_a_user(ann, cy):
    ann.say("hex challenge", "bob")
    row = ChallengeRow.objects.get()
    for word in ("accept", "reject"):
        assert f"there is no challenge {row.pk} for you" in told(cy.ask(word, f"c{row.pk}"))
    assert not row.joins.exists()


def request_of(user, **more):
    """Post an open challenge on the site."""
    terms = {"game": make_game("hex"), "control": read_control("21d/move"), "rated": True}
    found = services.request_game(user, GameRequest(opponent=Opponent.ANYBODY, **{**terms, **more}))
    assert isinstance(found, ChallengeRow)
    return found


def test_a_seek_meets_the_oldest_challenge_with_the_same_terms(ann, bob, cy, dee):
    others = [
        request_of(bob.user, game=make_game("hex", {"size": 8})),
        request_of(bob.user, control=read_control("20d/move")),
        request_of(bob.user, rated=False),
        request_of(bob.user, is_private=True),
    ]
    row = request_of(cy.user)
    newer = request_of(dee.user)
    ChallengeRow.objects.filter(pk=newer.pk).update(made_at=row.made_at + 1)
    blocked = request_of(bob.user)
    ChallengeRow.objects.filter(pk=blocked.pk).update(made_at=1)
    block(bob.user, ann.user)
    began = ann.ask("hex seek")
    match = MatchRow.objects.get()
    assert {seat.user for seat in match.seats.all()} == {ann.user, cy.user}
    assert told(began).count(f"Board {match.pk} has begun: ") == 1
    left = ChallengeRow.objects.filter(match=None)
    assert {one.pk for one in left} == {*(one.pk for one in others), newer.pk, blocked.pk}


def test_a_seek_tells_which_other_challenges_could_be_accepted(ann, bob, cy):
    alone = told(ann.ask("hex seek", "-size=9"))
    row = ChallengeRow.objects.get()
    waits = f"Challenge {row.pk} is in the lobby. You get a mail when a player accepts it."
    more = "You can accept one of the others at once: accept YOU TOKEN cNUMBER."
    assert (waits in alone, more in alone) == (True, False)
    assert row.expires_at is not None
    assert row.expires_at - row.made_at == 30 * DAY
    bob.say("antipod seek")
    answer = cy.ask("hex seek", "-size=8 --days=2")
    assert more in told(answer)
    own = ChallengeRow.objects.latest("pk")
    assert own.expires_at is not None
    assert own.expires_at - own.made_at == 2 * DAY
    assert answer.subject == f"Antipodes: challenge c{own.pk} of Hex"
    numbers = [line.split()[0] for line in answer.text.splitlines() if line.startswith("  ")]
    assert [one for one in numbers if one.isdigit()] == [str(own.pk), str(row.pk)]


def test_a_seek_joins_a_challenge_that_waits_for_more_players(ann, bob, cy):
    ann.say("antipalos seek", "-seats=cutthroat3")
    answer = told(bob.ask("antipalos seek", "-seats=cutthroat3"))
    row = ChallengeRow.objects.get()
    assert f"Challenge {row.pk} is in the lobby." in answer
    assert [one.user for one in row.joins.all()] == [bob.user]
    cy.say("antipalos seek", "-seats=cutthroat3")
    assert MatchRow.objects.get().seats.count() == 3


def test_seeks_of_one_game_or_of_all_are_cancelled(ann, bob):
    ann.say("hex challenge", "bob")
    for game in ("hex", "antipod", "antipode"):
        ann.say(f"{game} seek")
    bob.say("hex seek", "-size=8")
    rows = ChallengeRow.objects.filter(by=ann.user, is_listed=True)
    numbers = {row.game_id: row.pk for row in rows}
    assert f"Cancelled: challenge {numbers.pop('hex')}." in told(ann.ask("hex seek", "off"))
    both = ", ".join(str(pk) for pk in sorted(numbers.values()))
    assert f"Cancelled: challenge {both}." in told(ann.ask("seek", "off"))
    assert "You had no open seeks." in told(ann.ask("seek", "off"))
    assert [(row.by, row.is_listed) for row in ChallengeRow.objects.order_by("pk")] == [
        (ann.user, False),
        (bob.user, True),
    ]


def limits_in(letter):
    """Return the lines of the table of limits."""
    lines = [line.split() for line in letter.text.splitlines() if line.startswith("  ")]
    return [tuple(line) for line in lines if line[0] != "Game"]


def test_limits_are_set_for_one_game_or_all_and_shown(ann, begin):
    assert "You have set no limits on automatic games." in told(ann.ask("limit"))
    begin()
    begin()
    begin("antipod")
    answer = ann.ask("hex limit", "3")
    assert limits_in(answer) == [("hex", "3", "2")]
    assert "At a limit, your seeks and open challenges start no further games." in told(answer)
    assert limits_in(ann.ask("limit")) == [("hex", "3", "2")]
    shown = {one[0]: one[1:] for one in limits_in(ann.ask("limit", "1"))}
    assert len(shown) > 3
    assert (shown["hex"], shown["antipod"], shown["antipode"]) == (
        ("1", "2"), ("1", "1"), ("1", "0"),
    )  # fmt: skip
    assert "hex" not in {one[0] for one in limits_in(ann.ask("hex limit", "NEVER"))}
    assert limits_in(ann.ask("limit", "off")) == []
