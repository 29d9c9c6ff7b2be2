"""Members of clubs: joining, requests, invitations, links, roles and limits."""

import pytest

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import computer
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs import services as clubs
from antipodes.web.clubs.models import (
    ClubRow,
    Entry,
    InviteLinkRow,
    MemberRow,
    PendingMemberRow,
    Role,
)
from antipodes.web.clubs.selectors import members, valid_links
from antipodes.web.platform.clock import now
from tests.raising import code_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def found(people):
    """Return a function that creates a club of ann."""

    def create(entry=Entry.OPEN, name="Antipodeans", **more):
        return clubs.create_club(people[0], clubs.ClubDetails(name=name, entry=entry, **more))

    return create


@pytest.fixture
def club(found):
    """A club of ann that everybody may join."""
    return found()


def roles(club):
    return {member.user.username: member.role for member in club.members.select_related("user")}


def test_the_creator_owns_a_club(club):
    assert roles(club) == {"ann": Role.OWNER}
    assert club.slug == "antipodeans"


@pytest.mark.parametrize(
    ("details", "code"),
    [
        ({"name": "ab"}, "clubs/name"),
        ({"name": "a" * 61}, "clubs/name"),
        ({"name": "new"}, "clubs/address"),
        ({"name": "東京東京"}, "clubs/address"),
        ({"name": "ANTIPODEANS", "slug": "others"}, "clubs/taken"),
        ({"name": "Others", "slug": "antipodeans"}, "clubs/taken"),
        ({"name": "Others", "description": "a" * 2001}, "clubs/description"),
    ],
)
def test_an_invalid_club_is_refused(found, people, details, code):
    found()
    assert code_of(clubs.create_club, people[1], clubs.ClubDetails(**details)) == code
    assert ClubRow.objects.count() == 1
    assert MemberRow.objects.count() == 1


def test_names_and_descriptions_have_limits(found):
    shortest = found(name="abc", description="d" * 2000)
    longest = found(name="n" * 60)
    assert (shortest.name, len(shortest.description)) == ("abc", 2000)
    assert (longest.name, longest.slug) == ("n" * 60, "n" * 40)


@pytest.mark.parametrize(("slug", "named"), [("", "now"), ("join", "join")])
def test_a_reserved_address_is_named_in_the_error(found, slug, named):
    with pytest.raises(InputError, match=f"'{named}' cannot be an address"):
        found(name="now", slug=slug)


def test_guests_cannot_create_or_join_clubs(found):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    club = found()
    assert code_of(clubs.create_club, guest, clubs.ClubDetails(name="Guests")) == "clubs/account"
    assert code_of(membership.join, club, guest) == "clubs/account"
    assert code_of(membership.ask, club, guest) == "clubs/account"
    link = membership.make_link(club, club.members.get().user)
    assert code_of(membership.use_link, link.token, guest) == "clubs/account"


def test_an_open_club_can_be_joined_once(club, people):
    membership.join(club, people[1])
    assert code_of(membership.join, club, people[1]) == "clubs/member"
    assert roles(club) == {"ann": "owner", "bob": "member"}


@pytest.mark.parametrize("entry", [Entry.REQUEST, Entry.INVITED])
def test_a_club_that_is_not_open_can_be_joined_by_invitation_only(found, people, entry):
    club = found(entry)
    assert code_of(membership.join, club, people[1]) == "clubs/not-open"
    membership.invite(club, people[0], people[1])
    membership.join(club, people[1])
    assert roles(club)["bob"] == Role.MEMBER
    assert not PendingMemberRow.objects.exists()


def test_officers_accept_and_decline_membership_requests(found, ann, bob, cy, dee):
    club = found(Entry.REQUEST)
    for user in (bob, cy):
        membership.ask(club, user, "please\nlet me in")
        membership.ask(club, user, "again")
    assert [row.message for row in club.pending_members.all()] == ["please let me in"] * 2
    assert code_of(membership.accept_request, club, dee, bob) == "clubs/not-allowed"
    assert code_of(membership.accept_request, club, bob, bob) == "clubs/not-allowed"
    assert code_of(membership.accept_request, club, ann, dee) == "clubs/no-request"
    membership.accept_request(club, ann, bob)
    membership.remove_pending(club, ann, cy)
    assert roles(club) == {"ann": "owner", "bob": "member"}
    assert not PendingMemberRow.objects.exists()


def test_a_request_does_not_open_a_club(found, people):
    club = found(Entry.REQUEST)
    membership.ask(club, people[1])
    assert code_of(membership.join, club, people[1]) == "clubs/not-open"
    assert roles(club) == {"ann": "owner"}


def test_a_message_with_a_request_is_cut_to_300_characters(found, people):
    club = found(Entry.REQUEST)
    membership.ask(club, people[1], "x" * 301)
    assert club.pending_members.get().message == "x" * 300


def test_only_a_club_by_request_accepts_requests(found, people):
    for number, entry in enumerate((Entry.OPEN, Entry.INVITED)):
        club = found(entry, name=f"Club {number}")
        assert code_of(membership.ask, club, people[1]) == "clubs/not-open"


def test_an_invitation_and_a_request_together_make_a_member(found, ann, bob, cy):
    club = found(Entry.REQUEST)
    membership.ask(club, bob)
    assert membership.invite(club, ann, bob) is None
    membership.invite(club, ann, cy)
    membership.ask(club, cy)
    assert roles(club) == {"ann": "owner", "bob": "member", "cy": "member"}


def test_only_the_invited_player_can_accept_an_invitation(found, people):
    club = found(Entry.INVITED)
    membership.invite(club, people[0], people[1])
    assert code_of(membership.accept_request, club, people[0], people[1]) == "clubs/no-request"
    membership.remove_pending(club, people[1], people[1])
    assert code_of(membership.join, club, people[1]) == "clubs/not-open"


def test_a_link_admits_as_many_players_as_allowed(found, ann, bob, cy, dee):
    club = found(Entry.INVITED)
    link = membership.make_link(club, ann, uses=1)
    membership.use_link(link.token, bob)
    with pytest.raises(InviteLinkRow.DoesNotExist):
        membership.use_link(link.token, cy)
    endless = membership.make_link(club, ann)
    membership.use_link(endless.token, cy)
    membership.use_link(endless.token, dee)
    assert len(roles(club)) == 4


def test_revoked_and_expired_links_are_refused(found, ann, bob, cy):
    club = found(Entry.INVITED)
    revoked, old = membership.make_link(club, ann), membership.make_link(club, ann, hours=1)
    membership.revoke_link(club, ann, revoked.token)
    InviteLinkRow.objects.filter(pk=old.pk).update(expires_at=now())
    for link in (revoked, old):
        with pytest.raises(InviteLinkRow.DoesNotExist):
            membership.use_link(link.token, bob)
    membership.use_link(membership.make_link(club, ann, hours=1).token, bob)
    assert code_of(membership.make_link, club, bob) == "clubs/not-allowed"
    assert code_of(membership.revoke_link, club, cy, old.token) == "clubs/not-allowed"


def test_each_new_member_uses_up_one_use_of_a_link(found, people):
    club = found(Entry.INVITED)
    link = membership.make_link(club, people[0], uses=4)
    assert len(link.token) == 22  # 128 bits in base 64
    for user, left in zip(people[1:], (3, 2, 1), strict=True):
        assert membership.use_link(link.token, user) == club
        assert membership.valid_link(link.token).uses_left == left


def test_expired_and_used_up_links_do_not_count_for_the_limit(found, people, monkeypatch, clocks):
    monkeypatch.setattr(membership, "MOST_LINKS", 2)
    club = found(Entry.INVITED)
    used = membership.make_link(club, people[0], uses=1)
    old = membership.make_link(club, people[0], hours=2)
    membership.use_link(used.token, people[1])
    assert list(valid_links(club)) == [old]
    clocks.advance(2 * HOUR - 1)
    once = membership.make_link(club, people[0], uses=1)
    assert list(valid_links(club)) == [once, old]
    clocks.advance(1)
    assert list(valid_links(club)) == [once]
    endless = membership.make_link(club, people[0])
    assert list(InviteLinkRow.objects.all()) == [endless, once]
    assert code_of(membership.make_link, club, people[0]) == "clubs/too-many"


def test_the_owner_is_listed_first_then_officers_and_the_others_by_seniority(club, people):
    ann, bob, cy, dee = people
    for user in (bob, cy, dee):
        membership.join(club, user)
    clubs.set_officer(club, ann, cy, is_officer=True)
    clubs.transfer_ownership(club, ann, dee)
    assert [(row.user, row.role) for row in members(club)] == [
        (dee, "owner"),
        (ann, "officer"),
        (cy, "officer"),
        (bob, "member"),
    ]


def test_a_member_does_not_use_up_a_link(club, people):
    link = membership.make_link(club, people[0], uses=1)
    assert code_of(membership.use_link, link.token, people[0]) == "clubs/member"
    link.refresh_from_db()
    assert link.uses_left == 1


REMOVALS = {  # (by, whom): error code
    ("ann", "ann"): "clubs/owner",
    ("ann", "bob"): None,
    ("ann", "cy"): None,
    ("bob", "ann"): "clubs/not-allowed",
    ("bob", "bob"): "clubs/not-allowed",
    ("bob", "cy"): None,
    ("cy", "ann"): "clubs/not-allowed",
    ("cy", "bob"): "clubs/not-allowed",
    ("cy", "cy"): "clubs/not-allowed",
    ("dee", "ann"): "clubs/not-allowed",
    ("dee", "cy"): "clubs/not-allowed",
    ("ann", "dee"): "clubs/not-member",
}


@pytest.mark.parametrize(("who", "code"), REMOVALS.items())
def test_officers_remove_members_and_the_owner_removes_officers_too(club, ann, bob, cy, who, code):
    for user in (bob, cy):
        membership.join(club, user)
    clubs.set_officer(club, ann, bob, is_officer=True)
    before = roles(club)
    by, whom = (User.objects.get(username=name) for name in who)
    if code is None:
        clubs.remove(club, by, whom)
        assert roles(club) == {name: role for name, role in before.items() if name != who[1]}
    else:
        assert code_of(clubs.remove, club, by, whom) == code
        assert roles(club) == before


def test_the_owner_can_leave_only_after_a_transfer(club, ann, bob):
    membership.join(club, bob)
    assert code_of(clubs.leave, club, ann) == "clubs/owner"
    assert code_of(clubs.transfer_ownership, club, bob, bob) == "clubs/not-allowed"
    clubs.transfer_ownership(club, ann, bob)
    assert roles(club) == {"ann": "officer", "bob": "owner"}
    clubs.leave(club, ann)
    assert roles(club) == {"bob": "owner"}
    assert code_of(clubs.leave, club, ann) == "clubs/not-member"


def test_a_transfer_to_the_owner_changes_nothing(club, people):
    clubs.transfer_ownership(club, people[0], people[0])
    assert roles(club) == {"ann": "owner"}


def test_only_the_owner_appoints_officers_and_edits_and_closes_the_club(club, ann, bob, cy):
    for user in (bob, cy):
        membership.join(club, user)
    clubs.set_officer(club, ann, bob, is_officer=True)
    for action in (
        lambda: clubs.set_officer(club, bob, cy, is_officer=True),
        lambda: clubs.update_club(club, bob, clubs.ClubDetails(name="Bob's")),
        lambda: clubs.close(club, bob),
    ):
        assert code_of(action) == "clubs/not-allowed"
    clubs.set_officer(club, ann, bob, is_officer=False)
    clubs.update_club(club, ann, clubs.ClubDetails(name="Ann's", is_public=False))
    club.refresh_from_db()
    assert (club.name, club.is_public, roles(club)["bob"]) == ("Ann's", False, "member")
    clubs.close(club, ann)
    assert not ClubRow.objects.exists()
    assert code_of(membership.join, club, cy) == "clubs/closed"


def test_clubs_members_and_links_are_limited(found, ann, bob, cy, monkeypatch):
    monkeypatch.setattr(clubs, "MOST_OWNED", 2)
    monkeypatch.setattr(membership, "MOST_MEMBERS", 2)
    monkeypatch.setattr(membership, "MOST_LINKS", 1)
    club = found()
    found(name="Second")
    assert code_of(found, name="Third") == "clubs/too-many"
    membership.join(club, bob)
    assert code_of(membership.join, club, cy) == "clubs/full"
    membership.make_link(club, ann)
    assert code_of(membership.make_link, club, ann) == "clubs/too-many"
    monkeypatch.setattr(membership, "MOST_MEMBERS", 9)
    monkeypatch.setattr(permissions, "MOST_JOINED", 0)
    assert code_of(membership.join, club, cy) == "clubs/too-many"


def test_a_member_who_owns_too_many_clubs_cannot_become_an_owner(club, ann, bob, monkeypatch):
    membership.join(club, bob)
    clubs.create_club(bob, clubs.ClubDetails(name="Bob's"))
    monkeypatch.setattr(clubs, "MOST_OWNED", 1)
    with pytest.raises(InputError, match="bob already owns the maximum number of clubs"):
        clubs.transfer_ownership(club, ann, bob)
    assert roles(club) == {"ann": "owner", "bob": "member"}
    monkeypatch.setattr(clubs, "MOST_OWNED", 2)
    clubs.transfer_ownership(club, ann, bob)
    assert roles(club) == {"ann": "officer", "bob": "owner"}


def test_the_owner_cannot_become_an_officer(club, people):
    for is_officer in (True, False):
        code = code_of(clubs.set_officer, club, people[0], people[0], is_officer=is_officer)
        assert code == "clubs/owner"
    assert roles(club) == {"ann": "owner"}


def test_guests_and_the_computer_cannot_be_invited(club, people):
    guest = User.objects.create(username="Guest 1", is_guest=True)
    for user in (guest, computer("1")):
        with pytest.raises(InputError, match=f"{user.name} has no account") as refused:
            membership.invite(club, people[0], user)
        assert refused.value.code == "clubs/account"
    assert not PendingMemberRow.objects.exists()


def test_pending_members_are_limited(found, ann, bob, cy, dee, monkeypatch):
    monkeypatch.setattr(permissions, "MOST_PENDING", 2)
    club = found(Entry.REQUEST)
    membership.ask(club, bob)
    membership.invite(club, ann, cy)
    for action in (lambda: membership.ask(club, dee), lambda: membership.invite(club, ann, dee)):
        with pytest.raises(InputError, match="2 pending invitations and requests") as refused:
            action()
        assert refused.value.code == "clubs/too-many"


def test_the_task_deletes_links_that_have_expired_or_are_used_up(found, people, clocks):
    club = found(Entry.INVITED)
    kept = {membership.make_link(club, people[0], **how).token for how in ({}, {"uses": 2})}
    soon = membership.make_link(club, people[0], hours=1)
    used = membership.make_link(club, people[0], uses=1)
    membership.use_link(used.token, people[1])
    clocks.advance(HOUR - 1 - (now() - soon.made_at))
    services.delete_expired_links()
    left = set(InviteLinkRow.objects.values_list("token", flat=True))
    assert left == {*kept, soon.token}
    clocks.advance(1)
    services.delete_expired_links()
    assert set(InviteLinkRow.objects.values_list("token", flat=True)) == kept


@pytest.mark.parametrize("heir", ["bob", "cy"])
def test_the_oldest_officer_or_member_inherits_a_club_without_an_owner(club, ann, bob, cy, heir):
    for user in (bob, cy):
        membership.join(club, user)
    if heir == "cy":
        clubs.set_officer(club, ann, cy, is_officer=True)
    ann.delete()
    services.replace_missing_owners()
    services.replace_missing_owners()
    assert roles(club)[heir] == "owner"


def test_a_club_that_another_process_closes_meanwhile_does_not_stop_the_others(
    found, people, meanwhile
):
    first, second = found(name="First"), found(name="Second")
    for club in (first, second):
        membership.join(club, people[1])
    people[0].delete()
    with meanwhile(first.delete):
        clubs.replace_missing_owners()
    assert roles(second) == {"bob": "owner"}


def test_a_club_without_members_is_deleted(found, people):
    found()
    people[0].delete()
    clubs.replace_missing_owners()
    assert not ClubRow.objects.exists()
