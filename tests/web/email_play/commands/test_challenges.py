"""Challenge commands, their options, the terms of their games, and replies to invitations."""

from datetime import UTC, datetime

import pytest

from antipodes.clocks import DAY, HOUR, TimeControl, read_control
from antipodes.errors import InputError
from antipodes.games.antipod import FAIR
from antipodes.games.registry import make_game
from antipodes.web.accounts.models import User
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands import challenges
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.commands.challenges import _parse_limit, parse_options, parse_time
from antipodes.web.email_play.commands.emails import reachable_address
from antipodes.web.email_play.models import ConfirmationRow, ReminderRow
from antipodes.web.matches import services as matches
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations.services import block
from tests.cases import for_each
from tests.web.email_play.conftest import moves_of, told


def seats(row):
    return [seat.user.username for seat in row.seats.select_related("user")]


def test_a_reply_accepts_a_challenge(ann, bob):
    mine, invitation = sorted(
        ann.say("hex challenge", "bob"), key=lambda one: one.to != ann.address
    )
    challenge = ChallengeRow.objects.get()
    assert mine.to == ann.address
    assert f"challenge c{challenge.pk} to bob" in mine.subject
    assert invitation.to == bob.address
    assert "accept" in invitation.text
    began, *_ = ann._post.answer(invitation, "accept\n\nWith pleasure!")
    assert began.to == bob.address
    match = MatchRow.objects.get()
    assert seats(match) == ["ann", "bob"]
    assert match.control == "21d/move"
    assert match.rated
    assert f"Board {match.pk} has begun" in began.text


def test_a_reply_rejects_a_challenge_and_the_challenger_gets_a_mail(ann, bob):
    *_, invitation = sorted(ann.say("hex challenge", "bob"), key=lambda one: one.to)
    told = ann._post.answer(invitation, "No, thank you")
    assert not ChallengeRow.objects.exists()
    assert {one.to for one in told} == {ann.address, bob.address}


def test_the_first_reply_counts(ann, bob):
    invitation = next(one for one in ann.say("hex challenge", "bob") if one.to == bob.address)
    ann._post.answer(invitation, "accept")
    (refused,) = ann._post.answer(invitation, "reject")
    assert "answered already" in refused.text
    assert MatchRow.objects.count() == 1


def test_a_reply_without_an_answer_can_be_followed_by_another(ann, bob):
    invitation = next(one for one in ann.say("hex challenge", "bob") if one.to == bob.address)
    (asked,) = ann._post.answer(invitation, "Let me think about that for a while, will you?")
    assert "mail/no-answer" in asked.text
    ann._post.answer(invitation, "ACCEPT.")
    assert MatchRow.objects.exists()


def test_accept_by_number_with_a_token(ann, bob, cy):
    ann.say("hex challenge", "bob")
    number = ChallengeRow.objects.get().pk
    stranger = cy.ask("accept", f"c{number}")
    assert "mail/no-challenge" in stranger.text
    bob.say("accept", f"c{number}")
    assert seats(MatchRow.objects.get()) == ["ann", "bob"]


def test_lots_leave_the_seats_open(ann):
    ann.say("hex challenge", "bob -lots")
    assert ChallengeRow.objects.get().seat is None


def test_options_have_the_names_of_the_game_and_the_classic_server(ann):
    ann.say(
        "antipod challenge", "bob -radius=4 --handicap=two -unrated --totaltime=30 --forfeittime=2"
    )
    row = ChallengeRow.objects.get()
    assert row.options == {"side": 4, "handicap": "two"}
    assert row.control == "2d/move+30d"
    assert not row.rated


def test_challenges_by_mail_are_fair_and_classic_by_one_word(ann):
    ann.say("antipod challenge", "bob")
    ann.say("antipod challenge", "bob -handicap=six")
    fair, classic = ChallengeRow.objects.order_by("pk")
    assert (fair.options, classic.options) == ({"extra_stones": FAIR[6]}, {})


def test_a_fair_handicap_becomes_its_stones(ann, cy):
    *_, invitation = sorted(
        ann.say("antipod challenge", "bob -radius=5 -handicap=fair"), key=lambda one: one.to
    )
    assert ChallengeRow.objects.get().options == {"side": 5, "extra_stones": FAIR[5]}
    assert f"side=5, extra_stones={FAIR[5]}" in invitation.text
    # A seek by the name of the setting meets one by its stones.
    ann.say("antipod seek", "--handicap fair")
    cy.say("antipod seek", f"-extra_stones={FAIR[6]}")
    assert sorted(seats(MatchRow.objects.get())) == ["ann", "cy"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("-radius=99", "option/out-of-range"),
        ("-radius=3", "option/out-of-range"),
        ("-size=5 -side=6", "option/twice"),
        ("-colour=red", "option/unknown"),
        ("--nagtime=often", "mail/options"),
        ("-handicap=fair -extra_stones=1", "option/conflict"),
        ("--clock=3d/move --totaltime=3", "mail/options"),
        ("-rated=perhaps", "mail/options"),
    ],
)
def test_invalid_options_are_refused(ann, options, fault):
    refused = ann.ask("antipod challenge", f"bob {options}")
    assert fault in refused.text
    assert not ChallengeRow.objects.exists()


def test_unknown_missing_and_blocked_opponents_are_refused(ann, bob):
    assert "mail/unknown-user" in ann.ask("hex challenge", "zoe").text
    assert "mail/no-player" in ann.ask("hex challenge").text
    assert "match/seats" in ann.ask("hex challenge", "bob cy").text
    block(bob.user, ann.user)
    assert "community/not-together" in ann.ask("hex challenge", "bob").text
    assert not ChallengeRow.objects.exists()


def test_a_game_of_four_starts_when_all_have_accepted(ann, bob, cy, dee):
    letters = ann.say("antipalos challenge", "bob cy dee -seats=team -unrated")
    challenges = [one for one in letters if one.to != ann.address]
    assert {one.to for one in challenges} == {bob.address, cy.address, dee.address}
    for invitation in reversed(challenges):
        assert not MatchRow.objects.exists()
        ann._post.answer(invitation, "accept")
    assert seats(MatchRow.objects.get()) == ["ann", "bob", "cy", "dee"]


def test_seats_of_teams_do_not_depend_on_the_order_of_acceptance(ann, bob, cy, dee, client):
    letters = ann.say("antipalos challenge", "bob cy dee -seats=team -unrated")
    to_cy = next(one for one in letters if one.to == cy.address)
    row = ChallengeRow.objects.get()
    dee.say("accept", f"c{row.pk}")
    ann._post.answer(to_cy, "accept")
    client.force_login(bob.user)
    client.post(f"/c/{row.slug}/join", {"seat": "3"})
    assert seats(MatchRow.objects.get()) == ["ann", "bob", "cy", "dee"]


@pytest.mark.parametrize(
    ("names", "order"),
    [
        ("ann TOKEN bob", ["ann", "bob"]),
        ("ann TOKEN ann bob", ["ann", "bob"]),
        ("ann TOKEN bob ann", ["bob", "ann"]),
        ("bob TOKEN ann", ["bob", "ann"]),
    ],
)
def test_order_of_names_and_seats(ann, bob, names, order):
    ann._post.command(ann.address, f"antipod challenge {names.replace('TOKEN', ann.token)}")
    bob.say("accept", f"c{ChallengeRow.objects.get().pk}")
    assert seats(MatchRow.objects.get()) == order


def test_a_seek_is_listed_and_can_be_cancelled(ann):
    ann.say("hex seek")
    listed = ann._post.only("stranger@example.org", "list hex")
    assert str(ChallengeRow.objects.get().pk) in listed.text
    ann.say("hex seek", "off")
    assert not ChallengeRow.objects.exists()


def test_a_game_limit_applies_to_seeks(ann, begin):
    begin()
    assert "hex" in ann.ask("hex limit", "1").text
    assert [row.most for row in ann.user.game_limits.all()] == [1]
    assert "lobby/limit-reached" in ann.ask("hex seek").text
    ann.say("limit", "off")
    assert not ann.user.game_limits.exists()


def test_starting_a_game_by_mail_switches_play_by_mail_on_unless_chosen(ann, bob):
    by_mail.set_play_by_mail(bob.user, on=False)
    ann.say("hex seek")
    bob.say("hex seek", "-size=8")
    assert by_mail.plays_by_mail(ann.user)
    assert not by_mail.plays_by_mail(bob.user)


def test_a_reminder_that_fails_does_not_stop_the_others(ann, bob, cy, monkeypatch, caplog):
    for other in (bob, cy):
        letters = ann.say("hex challenge", f"{other.name} --nagtime=2")
        invitation = next(one for one in letters if one.to == other.address)
        ann._post.answer(invitation, "accept")
    first, second = ReminderRow.objects.order_by("pk")
    later = matches.now() + 3 * DAY
    remind = challenges._remind

    def fail(row, *more):
        if row == first:
            raise ValueError("broken")
        remind(row, *more)

    monkeypatch.setattr(challenges, "now", lambda: later)
    monkeypatch.setattr(challenges, "_remind", fail)
    challenges.send_reminders()
    sent = NotificationRow.objects.get(kind="reminder")
    assert sent.match == second.challenge.match
    assert "turn reminder failed" in caplog.text


def test_a_user_sees_a_private_challenge_that_they_have_joined(ann, bob):
    ann.say("antipalos challenge", "bob cy dee -seats=team -unrated")
    row = ChallengeRow.objects.get()
    services.join(row.slug, bob.user)
    assert "You rejected challenge" in bob.say("reject", f"c{row.pk}")[-1].text
    assert not row.joins.filter(user=bob.user).exists()


def test_the_seat_of_a_computer_is_clear_only_with_ones_own_name(ann):
    refused = ann.ask("antipalos challenge", "bob cy computer -seats=team -unrated -lots")
    assert "name yourself too, so that the seat of the computer is clear" in " ".join(
        refused.text.split()
    )


def test_a_forged_confirmation_address_is_refused(ann, bob):
    invitation = next(one for one in ann.say("hex challenge", "bob") if one.to == bob.address)
    address = invitation.headers["Reply-To"]
    # Not the last character before the @: two of its bits are padding.
    at = address.index("@") - 2
    forged = address[:at] + ("b" if address[at] == "a" else "a") + address[at + 1 :]
    (refused,) = ann._post.send(bob.address, forged, "Re: x", "accept")
    assert "mail/address" in refused.text
    assert ConfirmationRow.objects.get().answered_at is None


@pytest.mark.parametrize("name", ["pairing", "Computer-Pairing"])
def test_challenge_to_the_pairing_strategy(ann, work_off, name):
    (began,) = ann.say("antipod challenge", f"{name} -handicap=none -side=4")
    row = MatchRow.objects.get()
    assert seats(row) == ["ann", "computer-pairing"]
    assert "The pairing strategy cannot lose" in " ".join(began.text.split())
    ann._post.answer(began, "b3")
    work_off()
    assert MatchRow.objects.get().match().ply == 2


def test_the_pairing_strategy_is_refused_where_it_does_not_apply(ann):
    (answer,) = ann.say("antipod challenge", "pairing")
    assert "Refused: pairing/handicap" in answer.text
    (answer,) = ann.say("hex challenge", "pairing")
    assert "Refused: pairing/no-such-game" in answer.text
    assert not MatchRow.objects.exists()


def test_a_computer_takes_the_seat_of_its_place_among_the_names(players, ann):
    ann.say("antipalos challenge", "ann bob computer-2 cy -seats=team -unrated")
    row = ChallengeRow.objects.get()
    assert row.seat == 0
    assert [list(one) for one in row.computers] == [[2, "2"]]
    assert dict(row.promised) == {players[1].user.pk: 1, players[2].user.pk: 3}


def test_the_maker_of_a_challenge_cancels_it(ann):
    ann.say("hex challenge", "bob")
    row = ChallengeRow.objects.get()
    (answer,) = ann.say("reject", f"c{row.pk}")
    assert f"You cancelled challenge {row.pk}." in answer.text
    assert not ChallengeRow.objects.exists()


def test_a_player_leaves_a_challenge_of_everybody(ann, cy):
    ann.say("antipalos seek", "-seats=team -unrated")
    row = ChallengeRow.objects.get()
    services.join(row.slug, cy.user)
    letters = cy.say("reject", f"c{row.pk}")
    told = {one.to: one.text for one in letters}
    assert f"You rejected challenge {row.pk} of ann." in told[cy.address]
    assert f"cy rejected your challenge {row.pk}." in told[ann.address]
    assert not row.joins.exists()
    assert ChallengeRow.objects.filter(pk=row.pk).exists()


def invited(players, **more):
    """Return a challenge of ann to bob, with its invitation."""
    ann, bob, *_ = players
    request = GameRequest(
        game=make_game("hex"),
        opponent=Opponent.PEOPLE,
        people=(bob.user,),
        control=read_control("3d/move"),
    )
    row = services.request_game(ann.user, request)
    ChallengeRow.objects.filter(pk=row.pk).update(**more)
    row.refresh_from_db()
    return row


def test_an_invitation_is_mailed_once_and_only_to_reachable_users(players, bob, settings):
    row = invited(players)
    host, settings.MAIL_HOST = settings.MAIL_HOST, ""
    assert challenges.invite(row, bob.user) is None
    settings.MAIL_HOST = host
    address = bob.user.emailaddress_set.get()
    address.delete()
    assert challenges.invite(row, bob.user) is None
    address.save()
    assert not ConfirmationRow.objects.exists()
    assert challenges.invite(row, bob.user) == ConfirmationRow.objects.get()
    assert challenges.invite(row, bob.user) is None
    assert ConfirmationRow.objects.count() == 1


def test_an_invitation_says_when_the_challenge_expires(players, bob):
    at = matches.now() + 10 * DAY
    row = invited(players, expires_at=at)
    confirmation = challenges.invite(row, bob.user)
    (letter,) = bob._post.letters()
    day = datetime.fromtimestamp(at / 1000, UTC).date()
    assert f"The challenge expires on {day.isoformat()}." in letter.text
    assert confirmation is not None
    assert confirmation.expires_at is not None
    assert 9 * DAY < confirmation.expires_at - confirmation.made_at <= 10 * DAY


def test_guests_and_computers_get_no_mail_of_others(bob):
    assert reachable_address(bob.user) == bob.address
    for name, value in (("is_guest", True), ("computer", "2")):
        user = User.objects.get(pk=bob.user.pk)
        setattr(user, name, value)
        assert reachable_address(user) is None


def test_a_player_on_vacation_is_not_reminded(ann, bob, monkeypatch):
    letters = ann.say("hex challenge", "bob --nagtime=2")
    ann._post.answer(next(one for one in letters if one.to == bob.address), "accept")
    match = MatchRow.objects.get()
    ann.say("vacation", "9 days")
    until = look_up(match.slug).match.clock.until[match.seat_to_move or 0] or 0
    sent = NotificationRow.objects.filter(kind="reminder")
    monkeypatch.setattr(challenges, "now", lambda: until - 1)
    challenges.send_reminders()
    assert not sent.exists()
    monkeypatch.setattr(challenges, "now", lambda: until)
    challenges.send_reminders()
    assert [one.user for one in sent] == [ann.user]


def test_a_maker_without_an_address_is_not_told_of_a_rejection(ann, bob):
    ann.say("hex challenge", "bob")
    row = ChallengeRow.objects.get()
    ann.user.emailaddress_set.all().delete()
    (answer,) = bob.say("reject", f"c{row.pk}")
    assert answer.to == bob.address
    assert f"You rejected challenge {row.pk} of ann." in answer.text
    assert not ChallengeRow.objects.exists()


@pytest.mark.parametrize("side", ["1", "3", "11", "99"])
def test_all_refusals_of_an_option_name_the_same_numbers(ann, side):
    refused = ann.ask("antipod challenge", f"bob -radius={side}")
    assert f"side is {side}, but must be 4..10" in " ".join(refused.text.split())


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


def test_two_seeks_begin_a_match_and_a_command_plays_a_move(ann, bob, crater):
    ann.say("crater seek")
    bob.say("crater seek")
    row = MatchRow.objects.get()
    assert row.game == crater()
    mover = ann if row.seats.get(number=0).user == ann.user else bob
    mover.say(f"crater move {row.pk}", "a1")
    assert moves_of(row) == ["a1"]


def test_the_rules_are_sent_on_request(post, crater):
    letter = post.only("stranger@example.org", "help crater")
    assert crater.summary in " ".join(letter.text.split())
