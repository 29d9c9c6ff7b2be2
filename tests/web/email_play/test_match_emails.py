"""E-mails with boards: notifications about matches, and digests."""

import re
from typing import Any

import pytest
from django.urls import reverse

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.match import ConditionalMoves, Resign, SetConditionalMoves, Terms
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.commands import following
from antipodes.web.email_play.commands.invitations import write_invitations
from antipodes.web.email_play.match_emails import board_report, queued_text, with_reply_address
from antipodes.web.email_play.reply_addresses import address_owner, reply_address
from antipodes.web.matches import chat
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up, snapshot_of
from antipodes.web.notifications import followers
from antipodes.web.notifications.kinds import Channel, Frequency, Kind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.services import notify
from antipodes.web.ratings.models import RatingChange
from antipodes.web.ratings.services import rate
from tests.web.email_play.conftest import HOST, moves_of
from tests.web.email_play.test_match_commands import on_the_site

pytestmark = pytest.mark.django_db

COMMANDS = f"play@{HOST}"

# Arguments for the texts of notifications, by kind.
ARGUMENTS: dict[Kind, dict[str, Any]] = {
    Kind.MATCH_BEGAN: {"turn": 1},
    Kind.OFFER: {"sentence": "offered-pause"},
    Kind.CHAT: {"text": "Hello", "count": 1},
    Kind.REMINDER: {"deadline": 1_800_000_000_000},
    Kind.FOLLOWED_PLAYS: {"act": "began"},
    Kind.MODERATION: {"act": "counted", "text": "it was fair"},
}


def is_board_email(email, row, user):
    """Return whether an email shows a board and has its reply address."""
    assert email.subject == f"{row.game_id.capitalize()} Board {row.pk} {user.username}"
    assert "Picture: " in email.text
    sender = address_owner(email.headers["Reply-To"])
    return sender is not None and (sender.user, sender.row) == (user, row)


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_notification_about_a_match_has_the_board(
    post, people, slow, by_mail, prefer, kind
):
    row = slow()
    prefer(people[1], choices={one.value: [Channel.MAIL.value] for one in Kind})
    notify(people[1], kind, key="news", match=row, by=people[0], **ARGUMENTS.get(kind, {}))
    if kind is Kind.CHAT:
        chat.say(look_up(row.slug), people[0], {"key": "said there", "text": "Hello"})
    if kind in {Kind.YOUR_TURN, Kind.MATCH_ENDED, Kind.OFFER, Kind.FLAG_FELL}:
        on_the_site(row, "f4")  # these need an event
    emails = [email for email in post.notifications() if email.to == "bob@example.org"]
    assert len(emails) == 1
    assert is_board_email(emails[0], row, people[1])
    post.reply(people[1], row, "d4" if moves_of(row) else "chat Hello")


@pytest.mark.parametrize("kind", [Kind.REMINDER, Kind.MODERATION])
def test_notifications_that_no_board_shows_have_a_sentence(post, people, slow, by_mail, kind):
    row = slow()
    post.notifications()
    notify(people[1], kind, key="news", match=row, **ARGUMENTS[kind])
    [email] = post.notifications()
    assert is_board_email(email, row, people[1])
    assert "News: " in email.text


def test_the_email_about_a_first_match_can_be_answered_with_a_move(
    post, client, reachable, people, settings
):
    ann, level = people[0], computer("1")
    client.force_login(ann)
    client.post(reverse("by-mail"), {"on": "yes"})
    players = (str(ann.pk), str(level.pk))
    terms = Terms(game=make_game("hex"), players=players, control=read_control("3d/move"))
    row = begin_match(terms, [ann, level])
    MatchRow.objects.filter(pk=row.pk).update(begun_at=row.begun_at - 60_000)
    due = NotificationRow.objects.filter(user=ann)
    [email] = post.notifications()
    assert due.get().kind == Kind.MATCH_BEGAN
    assert is_board_email(email, row, ann)
    assert "has begun. It is your turn." in email.text
    post.send(ann, email.headers["Reply-To"], f"Re: {email.subject}", "f4")
    assert moves_of(row) == ["f4"]


@pytest.mark.parametrize("names", ["computer-1", "ann computer-1", "computer-1 ann"])
def test_a_challenge_to_the_computer_is_answered_with_the_board_once(
    post, reachable, people, names
):
    ann = people[0]
    token = mail_tokens.make_token(ann, "for tests")
    [email] = post.send(ann, COMMANDS, f"hex challenge ann {token} {names} -size=5")
    row = MatchRow.objects.get()
    assert is_board_email(email, row, ann)
    assert f"News: Board {row.pk} has begun: " in email.text
    MatchRow.objects.filter(pk=row.pk).update(begun_at=row.begun_at - 60_000)
    assert post.notifications() == []
    if row.seat_to_move == row.seats.get(user=ann).number:
        post.send(ann, email.headers["Reply-To"], f"Re: {email.subject}", "c3")
        assert moves_of(row) == ["c3"]


def test_an_accepted_challenge_sends_each_player_the_board_once(post, reachable, people):
    ann, bob = people[:2]
    token = mail_tokens.make_token(ann, "for tests")
    emails = post.send(ann, COMMANDS, f"hex challenge ann {token} bob")
    invitation = next(one for one in emails if one.to == "bob@example.org")
    [answer] = post.send(bob, invitation.headers["Reply-To"], "Re: challenge", "accept")
    row = MatchRow.objects.get()
    assert is_board_email(answer, row, bob)
    MatchRow.objects.filter(pk=row.pk).update(begun_at=row.begun_at - 60_000)
    [begun] = post.notifications()
    assert begun.to == "ann@example.org"
    assert is_board_email(begun, row, ann)


def test_switching_play_by_mail_on_ends_digests(client, reachable, people, post):
    client.force_login(people[0])
    client.post(reverse("by-mail"), {"on": "yes"})
    people[0].refresh_from_db()
    assert people[0].preference.frequency == Frequency.EACH


def test_an_invitation_is_emailed_once(post, people, by_mail):
    challenge = GameRequest(
        game=make_game("hex"),
        control=read_control("3d/move"),
        opponent=Opponent.PEOPLE,
        people=(people[1],),
    )
    request_game(people[0], challenge)
    from antipodes.web.notifications import match_events

    match_events.notify_of_match_events()
    write_invitations()
    assert not NotificationRow.objects.filter(user=people[1], mail_due__gt=0).exists()
    assert post.notifications() == []


@pytest.mark.parametrize("is_subscription_first", [True, False])
def test_a_move_subscribed_to_twice_is_emailed_once(
    post, people, slow, by_mail, is_subscription_first
):
    cy, row = people[2], slow()
    token = mail_tokens.make_token(cy, "for tests")
    post.send(cy, COMMANDS, f"subscribe {row.pk} cy {token}")
    on_the_site(row, "a1")
    followers.notify_of_followed_matches()
    tasks = [following.mail_followed_boards, post.notifications]
    for task in tasks if is_subscription_first else reversed(tasks):
        task()
    assert cy.emails.filter(subject=f"Hex Board {row.pk} cy").count() == 1


def digest(post, people, slow, prefer):
    """Send bob a digest about three boards, where it is his turn on two."""
    bob = people[1]
    prefer(bob, Frequency.DAILY)
    rows = [slow(), slow(), slow()]
    for number, row in enumerate(rows[:2]):
        on_the_site(row, "d4", f"by hand {number}")
    chat.say(look_up(rows[2].slug), people[0], {"key": "said there", "text": "Hello"})
    notify(bob, Kind.MODERATION, key="measure 1", act="warning", text="be kind")
    emails = [email for email in post.notifications() if email.to == "bob@example.org"]
    return bob, rows, emails


def test_a_digest_shows_all_boards_with_reply_addresses(post, people, slow, by_mail, prefer):
    bob, rows, emails = digest(post, people, slow, prefer)
    [email] = emails
    head, *boards = email.text.split("=" * 60 + "\n")
    assert "News: Boards that wait for you: 2. Other boards: 1." in head
    assert "News: Warning from the moderators: be kind" in head
    assert "Boards: 3\n" in head
    assert len(boards) == 3
    addresses = re.findall(r"^Reply: (\S+)$", email.text, re.MULTILINE)
    assert sorted(addresses) == sorted(reply_address(bob, row) for row in rows)
    assert email.headers["Reply-To"] == COMMANDS
    for address, board in zip(addresses, boards, strict=True):
        sender = address_owner(address)
        assert sender is not None
        assert board.startswith(f"Hex Board {sender.row.pk}\n")
        assert f"Reply: {address}\n" in board
        assert f'href="mailto:{address}"' in email.html
    for row in rows[:2]:
        [answer] = post.send(bob, reply_address(bob, row), f"Re: {email.subject}", "e5")
        assert is_board_email(answer, row, bob)
        assert moves_of(row) == ["d4", "e5"]


def test_the_html_of_a_digest_shows_the_boards_as_pictures(post, people, slow, by_mail, prefer):
    from antipodes.web.notifications.outbox import django_message

    _, _, [email] = digest(post, people, slow, prefer)
    pictures = list(email.attachments.all())
    assert len(pictures) == 3
    assert all(f"cid:{one.cid}" in email.html for one in pictures)
    parts = list(django_message(email).message().walk())
    files = [part for part in parts if part.get_content_type() == "image/png"]
    assert len(files) == 3
    assert all(bytes(part.get_payload(decode=True))[:4] == b"\x89PNG" for part in files)


def test_a_digest_with_one_board_is_an_email_about_that_board(post, people, slow, by_mail, prefer):
    prefer(people[1], Frequency.HOURLY)
    row = slow()
    on_the_site(row, "d4")
    emails = [email for email in post.notifications() if email.to == "bob@example.org"]
    [email] = emails
    assert is_board_email(email, row, people[1])


def test_a_digest_leaves_out_boards_that_were_sent_meanwhile(post, people, slow, by_mail, prefer):
    prefer(people[1], Frequency.DAILY)
    rows = [slow(), slow()]
    for number, row in enumerate(rows):
        on_the_site(row, "d4", f"by hand {number}")
    post.reply(people[1], rows[0], "chat Soon")
    emails = [email for email in post.notifications() if email.to == "bob@example.org"]
    [email] = emails
    assert is_board_email(email, rows[1], people[1])


def test_long_domains_fit_into_all_columns(post, people, slow, by_mail, settings):
    """PostgreSQL refuses texts that are longer than their column, but SQLite does not."""
    settings.SITE_URL = f"https://{'a' * 60}.{'b' * 60}.{'c' * 60}.{'d' * 60}.example"
    on_the_site(slow(), "d4")
    emails = post.notifications()
    assert emails
    for email in emails:
        email.full_clean(exclude=["thread", "claim", "trouble", "due_at", "sent_at", "user"])
        for one in email.attachments.all():
            one.full_clean(exclude=["content", "drawing"])


def test_the_owner_of_an_address_is_found_with_one_query(
    people, slow, post, django_assert_num_queries
):
    address = reply_address(people[0], slow())
    with django_assert_num_queries(1):
        assert address_owner(address) is not None


def test_a_board_of_a_series_tells_its_target_and_score(people):
    ann, bob = people[:2]
    game = make_game("antipalos", {"size": 12})
    terms = Terms(game=game, players=(str(ann.pk), str(bob.pk)))
    row = begin_match(terms, [ann, bob], points=9)
    series = row.series
    assert series is not None
    series.scores = [3, 1]
    series.save()
    assert board_report(look_up(row.slug), ann).series == "match play to 9 points, 3 : 1"


def test_a_board_of_a_rated_game_tells_how_the_ratings_changed(people):
    ann, bob = people[:2]
    terms = Terms(game=make_game("hex"), players=(str(ann.pk), str(bob.pk)), rated=True)
    row = begin_match(terms, [ann, bob])
    on_the_site(row, "a1", "1")
    on_the_site(row, "b2", "2")
    carry_out(row.slug, Resign(seat=0, ply=2, key="over"))
    row = MatchRow.objects.get()
    before = board_report(snapshot_of(row), ann)
    assert [(one.before, one.after) for one in before.players] == [(None, None)] * 2
    rate(row)
    players = board_report(snapshot_of(MatchRow.objects.get()), ann).players
    changes = [RatingChange.objects.get(user=user) for user in (ann, bob)]
    found = [(one.before, one.after) for one in players]
    assert found == [(round(one.value_before), round(one.value)) for one in changes]
    assert changes[0].value < changes[0].value_before


def test_conditional_moves_with_branches_are_not_told_as_a_line(people, slow):
    row = slow()
    position = row.game.initial()
    first, other, answer = (int(position.parse_move(text)) for text in ("f4", "g5", "a1"))
    line = ConditionalMoves.line(first, answer)
    both = ConditionalMoves((*line.branches, *ConditionalMoves.line(other, answer).branches))
    for moves, text in ((line, "f4 a1"), (both, "")):
        carry_out(row.slug, SetConditionalMoves(seat=1, ply=0, key=text or "both", moves=moves))
        assert queued_text(look_up(row.slug).match, 1, 0) == text
    report = board_report(look_up(row.slug), people[1])
    assert report.queued == ""
    assert report.match.conditional_moves[1] == both


def test_in_a_digest_only_the_players_of_a_board_have_an_address_for_replies(people, slow, post):
    row = slow()
    snapshot = look_up(row.slug)
    for user in people[:2]:
        report = with_reply_address(board_report(snapshot, user), snapshot, user)
        assert report.reply_to == reply_address(user, row)
    report = board_report(snapshot, people[2])
    assert with_reply_address(report, snapshot, people[2]) is report
    assert report.reply_to == ""
