"""E-mails with boards: notifications about matches, digests, and pictures."""

import re
from email import message_from_bytes, policy
from typing import Any

import pytest
from django.urls import reverse

from antipodes.clocks import read_control
from antipodes.games.registry import make_game
from antipodes.mail.layout import Preview, preview_answer, svg_of
from antipodes.mail.layout.items import Answer, Title
from antipodes.match import Abort, ConditionalMoves, Resign, SetConditionalMoves, Terms
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.web.accounts.services import computer
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.email_play import mail_tokens, match_emails
from antipodes.web.email_play.commands import following
from antipodes.web.email_play.commands.challenges import write_invitations
from antipodes.web.email_play.match_emails import (
    BoardEmails,
    ThreadState,
    board_attachments,
    board_png,
    board_report,
    comments_since,
    queued_text,
    thread_state,
    viewer_seat,
    with_reply_address,
)
from antipodes.web.email_play.reply_addresses import address_owner, reply_address
from antipodes.web.matches import chat
from antipodes.web.matches.following import follow_match
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up, snapshot_of
from antipodes.web.moderation.services import hide_line
from antipodes.web.notifications import followers
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.outbox import django_message, enqueue
from antipodes.web.notifications.services import notify
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow
from antipodes.web.ratings.services import rate
from antipodes.web.tournaments import directing
from antipodes.web.tournaments import services as tournaments
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import Plan
from tests.thorough import sample
from tests.web.email_play.conftest import HOST, moves_of, on_the_site
from tests.web.tournaments.conftest import advance, unfinished

pytestmark = pytest.mark.django_db


COMMANDS = f"play@{HOST}"

# Arguments for the texts of notifications, by kind.
ARGUMENTS: dict[NotificationKind, dict[str, Any]] = {
    NotificationKind.MATCH_BEGAN: {"turn": 1},
    NotificationKind.OFFER: {"sentence": "offered-pause"},
    NotificationKind.CHAT: {"text": "Hello", "count": 1},
    NotificationKind.REMINDER: {"deadline": 1_800_000_000_000},
    NotificationKind.FOLLOWED_PLAYS: {"act": "began"},
    NotificationKind.MODERATION: {"act": "counted", "text": "it was fair"},
}


def is_board_email(email, row, user):
    """Return whether an email shows a board and has its reply address."""
    assert email.subject == f"{row.game_id.capitalize()} Board {row.pk} {user.username}"
    assert "Picture: " in email.text
    sender = address_owner(email.headers["Reply-To"])
    return sender is not None and (sender.user, sender.row) == (user, row)


@pytest.mark.parametrize("kind", NotificationKind)
def test_every_kind_of_notification_about_a_match_has_the_board(
    post, people, row, by_mail, prefer, kind
):
    prefer(people[1], choices={one.value: [Channel.MAIL.value] for one in NotificationKind})
    notify(people[1], kind, key="news", match=row, by=people[0], **ARGUMENTS.get(kind, {}))
    if kind is NotificationKind.CHAT:
        chat.say(look_up(row.slug), people[0], {"key": "said there", "text": "Hello"})
    if kind in {
        NotificationKind.YOUR_TURN,
        NotificationKind.MATCH_ENDED,
        NotificationKind.OFFER,
        NotificationKind.FLAG_FELL,
    }:
        on_the_site(row, "f4")  # these need an event
    emails = [email for email in post.notifications() if email.to == "bob@example.org"]
    assert len(emails) == 1
    assert is_board_email(emails[0], row, people[1])
    post.reply(people[1], row, "d4" if moves_of(row) else "chat Hello")


@pytest.mark.parametrize("kind", [NotificationKind.REMINDER, NotificationKind.MODERATION])
def test_notifications_that_no_board_shows_have_a_sentence(post, people, row, by_mail, kind):
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
    assert due.get().kind == NotificationKind.MATCH_BEGAN
    assert is_board_email(email, row, ann)
    assert "has begun. It is your turn." in email.text
    post.send(ann, email.headers["Reply-To"], f"Re: {email.subject}", "f4")
    assert moves_of(row) == ["f4"]


@pytest.mark.parametrize("names", ["computer-1", "ann computer-1", "computer-1 ann"])
def test_a_challenge_to_the_computer_is_answered_with_the_board_once(post, reachable, ann, names):
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


def test_an_accepted_challenge_sends_each_player_the_board_once(post, reachable, ann, bob):
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
    notify(bob, NotificationKind.MODERATION, key="measure 1", act="warning", text="be kind")
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


def test_a_board_of_a_series_tells_its_target_and_score(ann, bob):
    game = make_game("antipalos", {"size": 12})
    terms = Terms(game=game, players=(str(ann.pk), str(bob.pk)))
    row = begin_match(terms, [ann, bob], points=9)
    series = row.series
    assert series is not None
    series.scores = [3, 1]
    series.save()
    assert board_report(look_up(row.slug), ann).series == "match play to 9 points, 3 : 1"


def test_a_board_of_a_rated_game_tells_how_the_ratings_changed(ann, bob):
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


def test_conditional_moves_with_branches_are_not_told_as_a_line(people, row):
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


def test_in_a_digest_only_the_players_of_a_board_have_an_address_for_replies(people, row, post):
    snapshot = look_up(row.slug)
    for user in people[:2]:
        report = with_reply_address(board_report(snapshot, user), snapshot, user)
        assert report.reply_to == reply_address(user, row)
    report = board_report(snapshot, people[2])
    assert with_reply_address(report, snapshot, people[2]) is report
    assert report.reply_to == ""


def say(row, user, text):
    """Write a line to the chat of a match."""
    chat.say(look_up(row.slug), user, {"key": f"said {text}", "text": text})


def test_the_chat_since_a_line_is_joined_by_user_and_limited_to_the_last_lines(
    ann, bob, cy, row, moderator, monkeypatch
):
    for user, text in ((ann, "one"), (ann, "two"), (bob, "three"), (ann, "four"), (cy, "aside")):
        say(row, user, text)
    ChatLine.objects.filter(text="aside").update(room="spectators")
    lines = list(ChatLine.objects.order_by("pk").values_list("pk", flat=True))
    snapshot = look_up(row.slug)
    joined = (("ann", "one\ntwo"), ("bob", "three"), ("ann", "four"))
    assert comments_since(snapshot, ann, 0) == (joined, lines[3])
    assert comments_since(snapshot, ann, lines[1]) == (joined[1:], lines[3])
    assert comments_since(snapshot, ann, lines[3]) == ((), lines[3])
    assert comments_since(snapshot, ann, lines[4] + 9) == ((), lines[4] + 9)
    assert comments_since(snapshot, cy, 0) == ((("cy", "aside"),), lines[4])
    monkeypatch.setattr(match_emails, "_MAX_CHAT_LINES", 2)
    assert comments_since(snapshot, ann, 0) == (joined[1:], lines[3])
    hide_line(moderator, ChatLine.objects.get(text="four"), "an insult")
    assert comments_since(snapshot, ann, 0)[0] == (("ann", "two"), ("bob", "three"))
    carry_out(row.slug, Abort(seat=0, ply=0, key="abort"))
    assert comments_since(look_up(row.slug), cy, lines[1])[0] == (("bob", "three"), ("cy", "aside"))


def test_an_email_tells_the_last_eight_events(post, people, row, by_mail):
    post.notifications()
    texts = [f"{column}{number}" for number in (1, 2) for column in "abcde"][:9]
    for number, text in enumerate(texts):
        on_the_site(row, text, f"by hand {number}")
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    told = [line for line in email.text.splitlines() if " played " in line]
    assert told == [
        f"News: {'You' if number % 2 else 'ann'} played {text}."
        for number, text in enumerate(texts)
        if number > 0
    ]


def test_a_player_of_several_seats_sees_the_board_from_the_one_to_move(people, ann, bob):
    game = make_game("antipalos", {"seats": "cutthroat3"})
    users = [bob, ann, ann]
    terms = Terms(game=game, players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users)
    seats = []
    for text in ("A1*", "C1*", "E1*"):
        snapshot = look_up(row.slug)
        seats.append([viewer_seat(snapshot, user) for user in (ann, bob, people[2], None)])
        on_the_site(row, text, text)
    assert seats == [[1, 0, None, None], [1, 0, None, None], [2, 0, None, None]]


def test_a_board_has_followers_addresses_and_ratings(ann, bob, cy, dee, row, monkeypatch):
    pool = PoolRow.objects.create(game_id="hex", speed="correspondence", board_class="standard")
    values = {"pool": pool, "deviation": 300.0, "latest": 1, "established_until": 0}
    RatingRow.objects.create(user=ann, value=1_600.0, games=3, **values)
    RatingRow.objects.create(user=bob, value=1_600.0, games=0, **values)
    for user in (dee, cy):
        follow_match(user, row, each_move=False)
    own, others = (board_report(look_up(row.slug), user) for user in (ann, None))
    assert (own.followers, own.address, own.viewer) == (("cy", "dee"), COMMANDS, 0)
    assert (others.address, others.viewer, others.queued) == ("", None, "")
    assert [(one.name, one.rating) for one in own.players] == [("ann", "1600?"), ("bob", "")]
    assert own.link == f"https://antipodes.example/m/{row.slug}/"
    assert (own.series, own.tournament) == ("", "")
    monkeypatch.setattr(match_emails, "_MAX_WATCHERS", 1)
    assert board_report(look_up(row.slug), ann).followers == ("cy",)


def test_a_board_of_a_tournament_tells_its_round(people, monkeypatch):
    plan = Plan(
        title="Cup", format=RoundRobin(), game=make_game("hex"), control=read_control("3d/move")
    )
    event = tournaments.create_tournament(people[3], plan)
    for user in people[:2]:
        tournaments.join(event.pk, user)
    directing.start(event.pk, people[3])
    advance(event)
    [game] = unfinished(event)
    assert board_report(look_up(game.match.slug), None).tournament == "Cup, round 1"
    monkeypatch.setattr(TournamentRow, "is_continuous", True)
    assert board_report(look_up(game.match.slug), None).tournament == "Cup"


def test_a_digest_of_boards_that_are_only_watched_has_no_hint_for_moves(people, cy, slow):
    boards = []
    for _ in range(2):
        snapshot = look_up(slow().slug)
        boards.append(match_emails._Unsent(snapshot=snapshot, report=board_report(snapshot, cy)))
    head = match_emails._digest(cy, boards, ["Hello."]).text.partition("=" * 60)[0]
    assert "News: Boards that wait for you: 0. Other boards: 2." in head
    assert "News: Hello." in head
    assert "To make a move" not in head
    ann = people[0]
    own = [
        match_emails._Unsent(snapshot=one.snapshot, report=board_report(one.snapshot, ann))
        for one in boards
    ]
    head = match_emails._digest(ann, own, []).text.partition("=" * 60)[0]
    assert "News: Boards that wait for you: 2. Other boards: 0." in head
    assert "News: To make a move, write to the address after Reply at its board." in head


def test_boards_that_wait_for_the_reader_come_first_in_a_digest(people, slow):
    rows = [slow() for _ in range(3)]
    on_the_site(rows[1], "a1")
    ann = people[0]
    boards = []
    for row in (rows[1], rows[0], rows[2]):
        snapshot = look_up(row.slug)
        boards.append(match_emails._Unsent(snapshot=snapshot, report=board_report(snapshot, ann)))
    text = match_emails._digest(ann, boards, []).text
    numbers = re.findall(r"^Hex Board (\d+)$", text, re.MULTILINE)
    assert numbers == [str(row.pk) for row in (rows[0], rows[2], rows[1])]


def test_a_digest_has_pictures_of_its_first_boards_only(people, slow, monkeypatch):
    monkeypatch.setattr(match_emails, "_MAX_PICTURES", 2)
    reports = [board_report(look_up(slow().slug), people[0]) for _ in range(3)]
    content = match_emails.digest_content("Boards", reports, headline="Three boards.")
    names = [f"board-{report.number}.png" for report in reports[:2]]
    assert [one.name for one in content.attachments] == names
    assert content.html.count("cid:") == 2
    assert all(report.link in content.html for report in reports)


def test_a_board_with_other_news_is_a_digest(post, people, slow, by_mail, prefer):
    prefer(people[1], Frequency.DAILY)
    on_the_site(slow(), "d4")
    notify(people[1], NotificationKind.MODERATION, key="measure 1", act="warning", text="be kind")
    [email] = [one for one in post.notifications() if one.to == "bob@example.org"]
    assert email.subject == "Antipodes: news of your boards"
    assert "News: Warning from the moderators: be kind" in email.text
    assert email.headers["Reply-To"] == COMMANDS


def test_an_email_says_that_a_match_has_begun_only_before_the_board_was_sent(
    post, people, row, by_mail
):
    notify(people[1], NotificationKind.MATCH_BEGAN, key="first", match=row, by=people[0], turn=1)
    [first] = [one for one in post.notifications() if one.to == "bob@example.org"]
    assert "has begun" in first.text
    notify(people[1], NotificationKind.MATCH_BEGAN, key="again", match=row, by=people[0], turn=1)
    assert post.notifications() == []
    notify(
        people[1],
        NotificationKind.FOLLOWED_PLAYS,
        key="moved",
        match=row,
        by=people[0],
        act="moved",
    )
    assert post.notifications() == []
    assert thread_state(people[1], row).is_known
    assert thread_state(people[3], row) == ThreadState()


def test_only_players_of_a_match_answer_its_notifications(people, slow, settings):
    row, backend = slow(), BoardEmails()
    assert backend.headers(people[0], row) == {"Reply-To": reply_address(people[0], row)}
    assert backend.headers(people[2], row) == {}
    settings.MAIL_HOST = ""
    assert backend.headers(people[0], row) == {}


MAX_BYTES = 100_000  # of an e-mail with pictures of one of the largest boards


def sent(game_id, **options):
    """Return the SVG of a board, an e-mail with it as bytes, and the same parsed."""
    start = make_game(game_id, options).initial()
    answer = preview_answer(Preview(start=start, moves=(), now=0))
    row = enqueue(
        EmailMessage(
            key="k",
            to="ann@example.org",
            subject="Board",
            text="text",
            html="<p>page</p>",
            message_id="<k@antipodes.example>",
            attachments=board_attachments(answer, "board.1@antipodes.example", "board-1"),
        )
    )
    assert row is not None
    raw = django_message(row).message().as_bytes()
    return svg_of(answer), raw, message_from_bytes(raw, policy=policy.default)


def test_an_email_has_the_board_as_png_and_svg():
    svg, _, mail = sent("antipod")
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds[2:] == ["text/plain", "text/html", "image/png", "image/svg+xml"]
    png, drawing = list(mail.walk())[-2:]
    assert png["Content-ID"] == "<board.1@antipodes.example>"
    assert png.get_content()[:8] == b"\x89PNG\r\n\x1a\n"
    assert drawing.get_filename() == "board-1.svg"
    assert drawing.get_content().decode() == svg


@pytest.mark.parametrize(
    ("game_id", "options"),
    sample(
        [
            ("antipod", {"side": 10}),
            ("antipode", {}),
            ("hex", {"size": 26}),
            ("cylindrical-hex", {"rows": 26, "columns": 26}),
            ("antipalos", {"size": 20, "seats": "cutthroat4"}),
            ("antipalos", {"ruleset": "mail", "size": 26}),
        ],
        3,
    ),
)
def test_emails_are_small_and_have_short_lines(game_id, options):
    _, raw, _ = sent(game_id, **options)
    assert len(raw) < MAX_BYTES
    assert max(map(len, raw.splitlines())) < 200


def test_an_answer_without_a_board_has_no_picture():
    with pytest.raises(ValueError, match="no board"):
        board_png(Answer.of([Title("Hex")]), "board.1@antipodes.example", "board-1")
