"""Following players and matches, and the notifications of followers."""

import pytest
from django.test import Client
from django.urls import reverse

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.match import Play, Resign, Terms
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.matches import following as matches_followed
from antipodes.web.matches.models import MatchRow, WatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.matches.snapshots import look_up
from antipodes.web.notifications import followers
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations import services
from tests.raising import code_of

pytestmark = pytest.mark.django_db


def run_tasks():
    """Run the periodic tasks that notify followers."""
    followers.notify_of_started_matches()
    followers.notify_of_followed_matches()


def notified(user):
    """Return the notifications of a user about followed players, oldest first."""
    rows = NotificationRow.objects.filter(user=user, kind="followed-plays").order_by("pk")
    return [row.arguments for row in rows]


def move(row, seat, ply, cell):
    carry_out(row.slug, Play(seat=seat, ply=ply, key=f"move {ply} of {cell}", move=cell))


def resign(row, seat=0):
    ply = look_up(row.slug).match.ply
    carry_out(row.slug, Resign(seat=seat, ply=ply, key="it is enough"))


def test_followers_are_notified_once_of_a_new_game(begin, ann, cy, dee):
    services.follow(cy, ann)
    services.follow(cy, ann)
    row = begin(size=3)
    run_tasks()
    run_tasks()
    assert notified(cy) == [{"act": "began"}]
    notice = NotificationRow.objects.get(user=cy)
    assert (notice.match, notice.by) == (row, ann)
    assert notified(ann) == notified(dee) == []


def test_players_are_not_notified_of_their_own_games(begin, ann, bob):
    services.follow(bob, ann)
    begin(size=3)
    run_tasks()
    assert notified(bob) == []


def test_games_against_the_computer_notify_no_followers(ann, cy):
    services.follow(cy, ann)
    users = [ann, computer("1")]
    game = make_game("hex", {"size": 3})
    begin_match(Terms(game=game, players=tuple(str(user.pk) for user in users)), users)
    run_tasks()
    assert notified(cy) == []


def test_private_games_notify_no_followers(begin, ann, cy):
    services.follow(cy, ann)
    row = begin(size=3)
    matches_followed.follow_match(cy, row, each_move=True)
    MatchRow.objects.filter(pk=row.pk).update(is_private=True)
    move(row, 0, 0, 4)
    run_tasks()
    assert notified(cy) == []
    client = Client()
    client.force_login(cy)
    assert row.slug not in client.get(reverse("following")).content.decode()
    assert client.post(reverse("follow-match", args=[row.slug])).status_code == 404


def test_followers_of_each_move_are_notified_of_the_last_one(row, people, cy):
    matches_followed.follow_match(cy, row, each_move=True)
    move(row, 0, 0, 4)
    run_tasks()
    run_tasks()
    move(row, 1, 1, 0)
    move(row, 0, 2, 1)
    run_tasks()
    assert [one["act"] for one in notified(cy)] == ["moved", "moved"]
    assert notified(cy)[0]["move"] == "b2"
    first, second = NotificationRow.objects.filter(user=cy).order_by("pk")
    assert first.seen_at is not None
    assert second.seen_at is None
    assert second.by == people[0]
    resign(row)
    run_tasks()
    run_tasks()
    assert [one["act"] for one in notified(cy)] == ["moved", "moved", "over"]
    assert WatchRow.objects.get().is_done


def test_followers_of_the_end_are_notified_of_the_end_only(row, cy):
    matches_followed.follow_match(cy, row, each_move=False)
    move(row, 0, 0, 4)
    run_tasks()
    assert notified(cy) == []
    resign(row)
    run_tasks()
    assert [one["act"] for one in notified(cy)] == ["over"]


def test_conditional_moves_notify_no_followers(begin, people):
    from antipodes.match import ConditionalMoves, SetConditionalMoves

    row = begin(size=3)
    matches_followed.follow_match(people[2], row, each_move=True)
    plan = ConditionalMoves.read([{"move": 4, "then": [{"move": 0, "then": []}]}])
    carry_out(row.slug, SetConditionalMoves(seat=1, ply=0, key="a secret plan", moves=plan))
    run_tasks()
    assert notified(people[2]) == []


def test_users_cannot_follow_guests_the_computer_or_themselves(people):
    guest = User.objects.create(username="Guest 1234", is_guest=True)
    for other in (guest, computer("1"), people[0]):
        assert code_of(services.follow, people[0], other) == "community/follow"


def test_a_finished_match_cannot_be_followed(row, people):
    resign(row)
    row.refresh_from_db()
    assert (
        code_of(matches_followed.follow_match, people[2], row, each_move=False) == "community/over"
    )


def test_players_cannot_follow_their_own_match(begin, people):
    assert (
        code_of(matches_followed.follow_match, people[0], begin(size=3), each_move=True)
        == "community/follow"
    )


def test_followed_players_are_limited(people, monkeypatch):
    monkeypatch.setattr(services, "MOST_FOLLOWED", 1)
    services.follow(people[0], people[1])
    services.follow(people[0], people[1])
    assert code_of(services.follow, people[0], people[2]) == "community/too-many"


def test_the_follow_button_returns_to_its_page(client, ann, bob):
    client.force_login(ann)
    there = reverse("profile", args=["bob"])
    page = client.get(there).content.decode()
    assert reverse("follow", args=["bob"]) in page
    answer = client.post(reverse("follow", args=["bob"]), {"next": there})
    assert answer.headers["Location"] == there
    assert services.follows(ann, bob)
    page = client.get(there).content.decode()
    assert reverse("unfollow", args=["bob"]) in page
    assert "You now follow bob." in page
    client.post(reverse("unfollow", args=["bob"]), {"next": "https://evil.example/"})
    assert not services.follows(ann, bob)
    answer = client.post(reverse("follow", args=["bob"]), {"next": "//evil.example/"})
    assert answer.headers["Location"] == reverse("following")


def test_the_page_shows_matches_of_followed_players(client, begin, ann, cy, dee):
    running = begin(size=3)
    over = begin(size=4)
    resign(over)
    services.follow(cy, ann)
    matches_followed.follow_match(dee, running, each_move=True)
    client.force_login(cy)
    text = client.get(reverse("following")).content.decode()
    assert running.slug in text
    assert over.slug in text
    assert reverse("unfollow", args=["ann"]) in text
    client.force_login(dee)
    text = client.get(reverse("following")).content.decode()
    assert running.slug in text
    assert over.slug not in text
    client.post(reverse("unfollow-match", args=[running.slug]))
    assert not WatchRow.objects.exists()


def test_only_spectators_can_follow_a_match_on_its_page(client, row, people):
    page, button = reverse("match", args=[row.slug]), reverse("follow-match", args=[row.slug])
    client.force_login(people[2])
    assert button in client.get(page).content.decode()
    client.post(button, {"notify": "moves", "next": page})
    assert WatchRow.objects.get().each_move
    client.post(button, {"notify": "end", "next": page})
    assert not WatchRow.objects.get().each_move
    client.force_login(people[0])
    assert button not in client.get(page).content.decode()


def test_visitors_must_sign_in_to_follow(client, people):
    for page in ("following", "blocked", "sanctions"):
        answer = client.get(reverse(page))
        assert answer.headers["Location"].startswith(reverse("account_login"))
    answer = client.post(reverse("follow", args=["bob"]), {"next": "/people/bob/"})
    assert answer.headers["Location"] == f"{reverse('account_login')}?next=/people/bob/"
    assert not User.objects.filter(is_guest=True).exists()


def test_a_closed_account_cannot_be_followed(people):
    User.objects.filter(pk=people[1].pk).update(is_active=False)
    people[1].refresh_from_db()
    with pytest.raises(InputError, match="bob cannot be followed") as caught:
        services.follow(people[0], people[1])
    assert caught.value.code == "community/follow"


def test_a_user_follows_those_whom_they_chose(people, ann, bob, cy):
    services.follow(ann, bob)
    services.follow(cy, bob)
    assert [services.follows(one, bob) for one in (*people, None)] == [
        *(True, False, True, False),
        False,
    ]
    assert not services.follows(bob, ann)
    services.unfollow(ann, bob)
    assert not services.follows(ann, bob)
    assert services.follows(cy, bob)
