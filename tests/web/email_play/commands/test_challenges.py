"""Challenge commands and replies to invitations."""

from datetime import UTC, datetime

import pytest

from antipodes.clocks import read_control
from antipodes.games.antipod import FAIR
from antipodes.games.registry import make_game
from antipodes.web.accounts.models import User
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands import challenges
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.email_play.commands.emails import reachable_address
from antipodes.web.email_play.models import ConfirmationRow, ReminderRow
from antipodes.web.matches import services as matches
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations.services import block

DAY = 86_400_000


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
