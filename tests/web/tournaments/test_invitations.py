"""Invitations to tournaments, and events that only invited players may join."""

import pytest

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import TooManyError
from antipodes.web.relations.services import block
from antipodes.web.tournaments import invitations, notifications, services
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import PLAYERS
from tests.raising import code_of

pytestmark = pytest.mark.django_db


def test_only_the_host_and_invited_players_join_an_event_by_invitation(make_event, host, ann, bob):
    row = make_event(by_invitation=True)
    invitations.invite(row.pk, host, ann.username)
    services.join(row.pk, ann)
    services.join(row.pk, host)
    assert code_of(lambda: services.join(row.pk, bob)) == "tournament/invitation"


def test_an_invited_player_is_told_once(make_event, host, people):
    row = make_event()
    for _ in range(2):
        invitations.invite(row.pk, host, people[0].username)
        notifications.notify_of_steps()
    notification = people[0].notifications.get()
    assert (notification.kind, notification.by) == ("invited", host)
    assert notification.path == f"/tournament/{row.slug}/"
    assert row.log.filter(kind="invited").count() == 1


def test_an_invited_player_sees_a_private_event(make_event, host, people):
    club = ClubRow.objects.create(slug="the-club", name="The club", made_at=0)
    MemberRow.objects.create(club=club, user=host, since=0)
    row = make_event(club=club, is_private=True)
    assert not may_see(row, people[0])
    invitations.invite(row.pk, host, people[0].username)
    assert may_see(row, people[0])


def test_invitations_that_are_refused(make_event, host, ann, bob, cy):
    row = make_event()
    guest = User.objects.create(username="Guest 1", is_guest=True)
    assert code_of(lambda: invitations.invite(row.pk, ann, "bob")) == "tournament/not-director"
    for name in ("stranger", guest.username):
        assert (
            code_of(lambda name=name: invitations.invite(row.pk, host, name))
            == "tournament/no-such-player"
        )
    block(bob, host)
    refused = code_of(lambda: invitations.invite(row.pk, host, bob.username))
    assert refused == "community/not-together"
    row.state = "cancelled"
    row.save()
    assert code_of(lambda: invitations.invite(row.pk, host, cy.username)) == "tournament/state"


def test_invitations_are_limited(make_event, host, people, monkeypatch):
    monkeypatch.setenv("LIMIT_TOURNAMENT_INVITATIONS", "1/hour")
    row = make_event()
    invitations.invite(row.pk, host, people[0].username)
    with pytest.raises(TooManyError):
        invitations.invite(row.pk, host, people[1].username)


def test_invited_players_of_an_event_are_limited(make_event, host, people, monkeypatch):
    row = make_event()
    monkeypatch.setenv(PLAYERS.setting, "1")
    for _ in range(2):
        invitations.invite(row.pk, host, people[0].username)
    with pytest.raises(InputError, match="1 players are invited; that is the limit"):
        invitations.invite(row.pk, host, people[1].username)
    assert row.invitations.count() == 1


def test_the_director_invites_on_the_page(client, make_event, host, people):
    row = make_event(by_invitation=True)
    client.force_login(host)
    where = f"/tournament/{row.slug}/"
    page = client.post(f"{where}do/invite", {"name": people[0].username}, follow=True)
    assert f"You have invited {people[0].username}." in page.content.decode()
    client.logout()
    page = client.get(where).content.decode()
    assert "by invitation" in page
    assert "Invited:" not in page


def test_an_invitation_is_stored_and_a_step_of_the_log(make_event, host, people, clocks):
    row = make_event(by_invitation=True)
    assert not invitations.is_invited(row, people[0])
    invitations.invite(row.pk, host, "ANN")
    [found] = row.invitations.all()
    assert (found.user, found.by, found.at) == (people[0], host, now())
    step = row.log.last()
    assert (step.kind, step.by, step.data) == ("invited", host, {"user": people[0].pk})
    users = (host, people[0], people[1])
    assert [invitations.is_invited(row, user) for user in users] == [True, True, False]


def test_only_players_with_an_account_in_use_are_invited(make_event, host, people):
    row = make_event()
    User.objects.filter(username="bob").update(is_active=False)
    for name in ("bob", computer("1").username, "x" * 50):
        with pytest.raises(InputError) as error:
            invitations.invite(row.pk, host, name)
        message = f"There is no player {name[:40]} with an account."
        assert error.value.faults[0].message == message
    block(host, people[2])
    with pytest.raises(InputError, match="you cannot invite cy"):
        invitations.invite(row.pk, host, "cy")
    assert not row.invitations.exists()


def test_players_are_invited_until_the_event_is_over(make_event, host, people):
    row = make_event(2)
    for state, user in (("announced", 0), ("check-in", 1), ("running", 2), ("paused", 3)):
        TournamentRow.objects.update(state=state)
        invitations.invite(row.pk, host, people[user].username)
    assert row.invitations.count() == 4
    TournamentRow.objects.update(state="finished")
    with pytest.raises(InputError, match="This tournament is over"):
        invitations.invite(row.pk, host, "p000")
