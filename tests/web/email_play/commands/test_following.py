"""Commands that follow boards and seeks, and the mails about them."""

import pytest

from antipodes.clocks import DAY, read_control
from antipodes.games.registry import make_game
from antipodes.match import Offer, OfferKind, Resign
from antipodes.web.accounts.models import User
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.email_play.commands import following
from antipodes.web.email_play.models import ConfirmationRow, MailWatchRow
from antipodes.web.matches.following import unfollow_match
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications.kinds import Frequency
from tests.web.email_play.commands.conftest import hide, play
from tests.web.email_play.conftest import told


def test_each_move_of_a_followed_board_is_mailed_once(cy, slow):
    number = slow().pk
    (answer,) = cy._post.command(cy.address, f"subscribe {number} cy {cy.token}")
    assert f"You follow board {number}" in answer.text
    following.mail_followed_boards()
    assert cy._post.letters() == []
    play(number, "a1")
    following.mail_followed_boards()
    following.mail_followed_boards()
    (letter,) = [one for one in cy._post.letters() if one.to == cy.address]
    assert "a1" in letter.text
    assert f"unsubscribe {number}" in letter.text


def test_subscribe_alone_lists_the_boards_that_are_followed(cy, slow):
    numbers = [slow().pk for _ in range(3)]
    for number in numbers[:2]:
        cy.say("subscribe", f"{number}")
    MailWatchRow.objects.filter(watch__match=numbers[1]).update(is_done=True)
    answer = cy.ask("subscribe")
    assert "Boards that you follow by mail." in answer.text
    assert [str(number) in answer.text for number in numbers] == [True, False, False]


def test_a_board_that_fails_does_not_stop_the_mails_about_others(cy, slow, monkeypatch, caplog):
    numbers = [slow().pk for _ in range(2)]
    for number in numbers:
        cy.say("subscribe", f"{number}")
        play(number, "a1")
    failing, _ = MailWatchRow.objects.order_by("pk").values_list("pk", flat=True)
    mail = following._mail_board

    def fail(key):
        if key == failing:
            raise ValueError("broken")
        mail(key)

    monkeypatch.setattr(following, "_mail_board", fail)
    following.mail_followed_boards()
    (letter,) = [one for one in cy._post.letters() if one.to == cy.address]
    assert f"unsubscribe {numbers[1]}" in letter.text
    assert f"followed board not mailed subscription={failing}" in caplog.text


def test_unfollowing_by_mail_or_on_the_site_stops_mails(cy, dee, row):
    for one in (cy, dee):
        one._post.command(one.address, f"subscribe {row.pk} {one.name} {one.token}")
    cy._post.command(cy.address, f"unsubscribe {row.pk} cy {cy.token}")
    unfollow_match(dee.user, row)
    assert not WatchRow.objects.exists()
    play(row.pk, "a1")
    following.mail_followed_boards()
    assert [one for one in cy._post.letters() if one.to in {cy.address, dee.address}] == []
    (refused,) = cy._post.command(cy.address, f"unsubscribe {row.pk} cy {cy.token}")
    assert "mail/not-followed" in refused.text


def test_private_and_own_boards_cannot_be_followed(ann, cy, row):
    (own,) = ann._post.command(ann.address, f"subscribe {row.pk} ann {ann.token}")
    assert "community/follow" in own.text
    hide(row.pk)
    (none,) = cy._post.command(cy.address, f"subscribe {row.pk} cy {cy.token}")
    assert "mail/no-such-board" in none.text
    assert not MailWatchRow.objects.exists()


def test_moves_of_live_games_are_not_mailed(cy, slow):
    row = slow("5m+5s")
    cy._post.command(cy.address, f"subscribe {row.pk} cy {cy.token}")
    play(row.pk, "a1", "b2")
    following.mail_followed_boards()
    assert cy._post.letters() == []
    carry_out(MatchRow.objects.get(pk=row.pk).slug, Resign(seat=0, ply=2, key="r"))
    following.mail_followed_boards()
    assert [one.to for one in cy._post.letters() if one.to == cy.address]


def test_a_new_seek_is_mailed_once_and_can_be_accepted_by_a_reply(ann, bob, cy):
    cy.say("hex notify", "on")
    bob.say("notify", "on")
    bob.say("hex notify", "off")
    ann.say("hex seek")
    following.mail_new_seeks()
    following.mail_new_seeks()
    (letter,) = cy._post.letters()
    assert letter.to == cy.address
    assert "ann seeks an opponent for Hex" in letter.subject
    cy._post.answer(letter, "accept")
    assert MatchRow.objects.exists()


@pytest.mark.parametrize("blocks", [True, False])
def test_seeks_that_a_player_cannot_join_are_not_mailed(ann, cy, people, blocks):
    from antipodes.web.relations.services import block

    cy.say("hex notify", "on")
    if blocks:
        block(ann.user, cy.user)
    request = GameRequest(
        game=make_game("hex"),
        opponent=Opponent.ANYBODY,
        control=read_control("3d/move"),
        lowest=3000,
    )
    services.request_game(ann.user, request)
    following.mail_new_seeks()
    assert cy._post.letters() == []


def test_of_several_boards_each_must_be_there(cy, slow):
    one, other = slow().pk, slow().pk
    (refused,) = cy.say(f"subscribe {one} {other + 1}")
    assert f"mail/no-such-board; there is no board {other + 1}" in refused.text
    assert not MailWatchRow.objects.exists()
    (answer,) = cy.say(f"subscribe {one} {other}")
    assert "You follow board" in answer.text
    assert MailWatchRow.objects.count() == 2


def test_a_board_whose_end_was_mailed_is_not_mailed_again(cy, slow):
    number = slow().pk
    cy.say(f"subscribe {number}")
    play(number, "a1")
    row = MailWatchRow.objects.get()
    MailWatchRow.objects.update(is_done=True)
    following._mail_board(row.pk)
    following._mail_board(row.pk + 1)
    assert cy._post.letters() == []
    assert MailWatchRow.objects.get().mailed_version == row.mailed_version


def test_following_several_boards_by_mail_follows_them_on_the_site(cy, slow):
    one, other = slow().pk, slow().pk
    play(other, "a1")
    answer = cy.ask(f"subscribe {one} {other} {one}")
    assert answer.subject == f"Antipodes: you follow board {one}, {other}"
    assert f"You follow board {one}, {other}: you get a mail for each move" in told(answer)
    rows = WatchRow.objects.order_by("match")
    assert [(row.match_id, row.each_move) for row in rows] == [(one, True), (other, True)]
    versions = MailWatchRow.objects.order_by("watch__match")
    assert [row.mailed_version for row in versions] == [row.match.version for row in rows]
    table = cy.ask("subscribe").text.splitlines()[-2:]
    assert [line.split() for line in table] == [[str(one), "hex"], [str(other), "hex"]]
    answer = cy.ask(f"unsubscribe {one} {other}")
    assert answer.subject == f"Antipodes: you no longer follow board {one}, {other}"
    assert not WatchRow.objects.exists()


@pytest.mark.parametrize("seen_by", ["private", "never", "guest", None])
def test_a_followed_board_is_mailed_to_users_who_may_see_it_and_want_mail(
    cy, slow, prefer, seen_by
):
    number = slow().pk
    cy.say(f"subscribe {number}")
    play(number, "a1")
    if seen_by == "private":
        hide(number)
    elif seen_by == "never":
        prefer(cy.user, Frequency.NEVER)
    elif seen_by == "guest":
        User.objects.filter(pk=cy.user.pk).update(is_guest=True)
    following.mail_followed_boards()
    assert len(cy._post.letters()) == (seen_by is None)
    row = MailWatchRow.objects.get()
    assert (row.mailed_version, row.is_done) == (row.watch.match.version, False)


def test_an_offer_on_a_followed_board_is_not_mailed_but_the_next_move_is(cy, row):
    cy.say(f"subscribe {row.pk}")
    play(row.pk, "a1")
    following.mail_followed_boards()
    assert len(cy._post.letters()) == 1
    carry_out(row.slug, Offer(seat=0, ply=1, key="offer", kind=OfferKind.PAUSE))
    following.mail_followed_boards()
    assert cy._post.letters() == []
    carry_out(row.slug, Resign(seat=0, ply=1, key="over"))
    following.mail_followed_boards()
    following.mail_followed_boards()
    [end] = cy._post.letters()
    assert "Result" in end.text
    assert end.thread == f"match {row.slug}"
    assert MailWatchRow.objects.get().is_done


@pytest.mark.parametrize(
    ("commands", "games"),
    [
        ([("notify", "")], "no game"),
        ([("hex notify", "")], "hex"),
        ([("notify", "on")], "no game"),
        ([("notify", "hex ON antipod")], "antipod, hex"),
        ([("notify", "hex antipod"), ("notify", "off hex")], "antipod"),
        ([("hex notify", "on"), ("antipod notify", "on"), ("notify", "off")], "no game"),
        ([("hex notify", "on"), ("antipod notify", "off")], "hex"),
    ],
)
def test_mails_about_seeks_are_for_the_chosen_games(ann, bob, commands, games):
    bob.say("antipode notify", "on")
    answers = [told(ann.ask(before, after)) for before, after in commands]
    assert f"You get a mail when a player seeks an opponent for: {games}." in answers[-1]
    assert bob.user.seek_alerts.count() == 1


def seek_of(user, game_id="hex", made_at=None):
    """Post an open challenge on the site."""
    game = make_game(game_id)
    row = services.request_game(
        user, GameRequest(game=game, opponent=Opponent.ANYBODY, control=read_control("3d/move"))
    )
    if made_at is not None:
        ChallengeRow.objects.filter(pk=row.pk).update(made_at=made_at)
    return row


def test_each_new_seek_is_mailed_but_none_from_before_the_subscription(ann, bob, cy, clocks):
    cy.say("hex notify", "on")
    alert = cy.user.seek_alerts.get()
    old = alert.checked_at - following._OVERLAP
    seek_of(bob.user, made_at=old - 1)
    seek_of(bob.user, "antipod")
    seek_of(cy.user)
    first = seek_of(ann.user, made_at=old)
    following.mail_new_seeks()
    [letter] = cy._post.letters()
    assert letter.subject == "Antipodes: ann seeks an opponent for Hex"
    assert "To stop these mails: hex notify cy TOKEN off" in told(letter)
    confirmation = ConfirmationRow.objects.get()
    assert (confirmation.challenge, confirmation.user) == (first, cy.user)
    assert confirmation.expires_at - confirmation.made_at == 30 * DAY
    clocks.advance(following._OVERLAP)
    following.mail_new_seeks()
    alert.refresh_from_db()
    assert alert.checked_at == clocks.wall
    # The first is known already, the others are new, before it or after it.
    ChallengeRow.objects.filter(pk=first.pk).update(made_at=clocks.wall)
    for user, later in ((bob.user, -1), (ann.user, 1)):
        seek_of(user, made_at=clocks.wall + later)
    following.mail_new_seeks()
    subjects = sorted(one.subject for one in cy._post.letters())
    assert subjects == [f"Antipodes: {name} seeks an opponent for Hex" for name in ("ann", "bob")]


@pytest.mark.parametrize("why", ["no host", "never"])
def test_seeks_are_mailed_to_reachable_users_by_sites_that_receive_mail(
    ann, cy, prefer, settings, why
):
    cy.say("hex notify", "on")
    if why == "never":
        prefer(cy.user, Frequency.NEVER)
    else:
        settings.MAIL_HOST = ""
    seek_of(ann.user)
    following.mail_new_seeks()
    assert cy._post.letters() == []
    assert not ConfirmationRow.objects.exists()
