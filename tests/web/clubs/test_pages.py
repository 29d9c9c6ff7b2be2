"""Pages of clubs: visibility, forms, buttons and results."""

import re

import pytest
from django.test import Client

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.match import Abort, Play, Resign, Terms
from antipodes.web.accounts.models import User
from antipodes.web.archive.services import archive_match
from antipodes.web.club_pages.selectors import MemberResults, member_results
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.clubs.models import (
    ClubRow,
    Entry,
    InviteLinkRow,
    MemberRow,
    PendingMemberRow,
    Role,
)
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations.services import block

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
PAGES = ["", "people/", "leaderboard/"]


@pytest.fixture
def browsers(people):
    """Return browsers of ann, the owner, bob, a member, cy, dee and an anonymous visitor."""
    found = [Client() for _ in range(5)]
    for browser, user in zip(found, people, strict=False):
        browser.force_login(user, BACKEND)
    return found


@pytest.fixture
def club(people):
    details = clubs.ClubDetails(name="The <b>Club</b>", slug="club")
    made = clubs.create_club(people[0], details)
    membership.join(made, people[1])
    return made


def change(club, **fields):
    ClubRow.objects.filter(pk=club.pk).update(**fields)


def played(club, users, *, is_private=False):
    terms = Terms(game=make_game("hex"), players=tuple(str(user.pk) for user in users))
    row = begin_match(terms, users, is_private=is_private, club=club)
    carry_out(row.slug, Play(seat=0, ply=0, key="move one", move=0))
    carry_out(row.slug, Resign(seat=0, ply=1, key="resigned"))
    return row


FORM = {"name": "Hexagons", "slug": "", "description": "We <i>play</i>.", "entry": "open"}


def test_the_form_creates_a_club(browsers, people):
    answer = browsers[0].post("/clubs/new/", {**FORM, "is_public": "on"})
    assert answer.headers["Location"] == "/clubs/hexagons/"
    page = browsers[4].get("/clubs/hexagons/").content.decode()
    assert "We &lt;i&gt;play&lt;/i&gt;." in page
    assert "/people/ann/" in page
    assert b"Hexagons" in browsers[4].get("/clubs/").content


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "ab"}, {"entry": "never"}, {"slug": "new"}]
)
def test_an_invalid_club_form_shows_errors(browsers, wrong):
    answer = browsers[0].post("/clubs/new/", {**FORM, **wrong})
    assert answer.status_code == 400
    assert b"We &lt;i&gt;play" in answer.content
    assert not ClubRow.objects.exists()


def test_visitors_cannot_create_clubs(browsers):
    assert browsers[4].post("/clubs/new/", FORM).status_code == 400
    assert not ClubRow.objects.exists()


@pytest.mark.parametrize("page", PAGES)
def test_members_and_invited_players_see_a_club_that_is_not_public(browsers, people, club, page):
    change(club, is_public=False)
    membership.invite(club, people[0], people[2])
    seen = [browser.get(f"/clubs/club/{page}").status_code for browser in browsers]
    assert seen == [200, 200, 200, 404, 404]
    listed = [b"/clubs/club/" in browser.get("/clubs/").content for browser in browsers]
    assert listed == [True, True, True, False, False]


@pytest.mark.parametrize("act", ["join", "ask", "invite", "accept-request", "leave", "close"])
def test_actions_on_an_invisible_club_answer_404(browsers, club, act):
    change(club, is_public=False)
    assert browsers[3].post(f"/clubs/club/do/{act}", {"name": "dee"}).status_code == 404
    assert club.members.count() == 2


def test_buttons_change_the_members(browsers, people, club):
    change(club, entry=Entry.REQUEST)
    ann, bob, cy, dee, visitor = browsers
    do = "/clubs/club/do/"
    assert cy.post(f"{do}join").status_code == 409
    assert visitor.post(f"{do}join").status_code == 409
    cy.post(f"{do}ask", {"message": "<script>"})
    page = ann.get("/clubs/club/people/").content
    assert b"&lt;script&gt;" in page
    assert b"&lt;script&gt;" not in bob.get("/clubs/club/people/").content
    assert bob.post(f"{do}accept-request", {"name": "cy"}).status_code == 409
    ann.post(f"{do}accept-request", {"name": "CY"})
    ann.post(f"{do}make-officer", {"name": "cy"})
    cy.post(f"{do}invite", {"name": "dee"})
    dee.post(f"{do}decline")
    assert not PendingMemberRow.objects.exists()
    answer = ann.post(f"{do}make-member", {"name": "cy"}, follow=True)
    assert "cy is no longer an officer." in answer.text
    assert club.members.get(user=people[2]).role == Role.MEMBER
    ann.post(f"{do}make-officer", {"name": "cy"})
    cy.post(f"{do}remove", {"name": "bob"})
    ann.post(f"{do}transfer", {"name": "cy"})
    ann.post(f"{do}leave")
    assert list(club.members.values_list("user__username", "role")) == [("cy", "owner")]
    assert cy.post(f"{do}nonsense").status_code == 404
    assert cy.post(f"{do}invite", {"name": "unknown-name"}).status_code == 409


def test_requests_and_invitations_are_declined_and_cancelled(browsers, people, club):
    change(club, entry=Entry.REQUEST)
    ann, _, cy, dee, _ = browsers
    do = "/clubs/club/do/"
    cy.post(f"{do}ask")
    answer = cy.post(f"{do}decline", follow=True)
    assert b"You withdrew your request to join The &lt;b&gt;Club" in answer.content
    cy.post(f"{do}ask")
    answer = ann.post(f"{do}decline-request", {"name": "cy"}, follow=True)
    assert b"You declined the request of cy." in answer.content
    ann.post(f"{do}invite", {"name": "dee"})
    answer = ann.post(f"{do}cancel-invitation", {"name": "dee"}, follow=True)
    assert b"You cancelled the invitation of dee." in answer.content
    ann.post(f"{do}invite", {"name": "dee"})
    answer = dee.post(f"{do}decline", follow=True)
    assert b"You declined the invitation to The &lt;b&gt;Club" in answer.content
    assert not PendingMemberRow.objects.exists()


def test_only_the_owner_edits_a_club_and_types_its_name_to_close_it(browsers, club):
    for browser in browsers[1:]:
        assert browser.get("/clubs/club/change/").status_code == 404
    fields = {**FORM, "slug": "six", "is_public": "on"}
    assert browsers[0].post("/clubs/club/change/", fields).headers["Location"] == "/clubs/six/"
    assert browsers[0].post("/clubs/six/do/close", {"name": "six"}).status_code == 409
    assert browsers[0].post("/clubs/six/do/close", {"name": "Hexagons"}).status_code == 302
    assert not ClubRow.objects.exists()


def test_a_link_makes_account_owners_members(browsers, people, club):
    change(club, is_public=False, entry=Entry.INVITED)
    ann, bob, cy, dee, visitor = browsers
    ann.post("/clubs/club/do/make-link", {"hours": "24", "uses": "1"})
    address = f"/clubs/join/{InviteLinkRow.objects.get().token}/"
    shown = ann.get("/clubs/club/people/").content.decode()
    assert f"http://testserver{address}" in shown
    assert address not in bob.get("/clubs/club/people/").content.decode()
    page = visitor.get(address).content.decode()
    assert f"/accounts/signup/?next={address}" in page
    assert visitor.post(address).status_code == 409
    assert cy.get(address).status_code == 200
    assert not MemberRow.objects.filter(user=people[2]).exists()
    assert cy.post(address).headers["Location"] == "/clubs/club/"
    assert cy.get(address).headers["Location"] == "/clubs/club/"
    assert dee.post(address).status_code == 404
    assert ann.post("/clubs/club/do/make-link", {"hours": "3"}).status_code == 409


def test_signing_up_from_a_link_returns_to_it(browsers, people, club):
    link = membership.make_link(club, people[0])
    fields = {"username": "zoe", "email": "zoe@example.org", "password1": "a long-password 7"}
    address = f"/clubs/join/{link.token}/"
    answer = browsers[4].post(f"/accounts/signup/?next={address}", {**fields, "next": address})
    assert answer.headers["Location"] == address


def test_an_invited_user_is_notified_once(people, club):
    ann, _bob, cy, dee = people
    membership.invite(club, ann, cy)
    membership.invite(club, ann, cy)
    notice = NotificationRow.objects.get(user=cy)
    assert notice.path == "/clubs/club/"
    assert text_of(notice) == "ann invites you to the club The <b>Club</b>."
    block(dee, ann)
    with pytest.raises(InputError):
        membership.invite(club, ann, dee)
    assert not PendingMemberRow.objects.filter(user=dee).exists()


def test_the_page_shows_private_matches_to_their_players_and_members(browsers, people, club):
    public = played(club, people[:2])
    private = played(club, people[:2], is_private=True)
    other = played(None, people[:2])
    for browser, seen in zip(browsers, (2, 2, 1, 1, 1), strict=True):
        page = browser.get("/clubs/club/").content.decode()
        assert (public.slug in page, private.slug in page) == (True, seen == 2)
        assert other.slug not in page


def test_results_of_members_count_games_within_the_club(people, club):
    ann, bob, cy, _ = people
    for users in ((ann, bob), (ann, bob), (bob, ann)):
        played(club, users)
    played(club, (ann, bob), is_private=True)
    played(None, (ann, bob))
    played(club, (ann, cy))  # cy is no member: ann's loss counts all the same
    aborted = begin_match(
        Terms(game=make_game("hex"), players=(str(ann.pk), str(bob.pk))), (ann, bob), club=club
    )
    carry_out(aborted.slug, Abort(seat=0, ply=0, key="abort"))
    for row in MatchRow.objects.exclude(ended_at=None):
        archive_match(row)
    results = member_results(club, ann)
    counted = {line.user: (line.games, line.wins, line.losses) for line in results}
    assert counted == {bob: (4, 3, 1), ann: (5, 1, 4)}
    assert {line.others for line in results} == {0}
    assert MemberResults(ann, games=9, wins=4, losses=2).others == 3
    assert {line.user: line.games for line in member_results(club, None)} == {bob: 3, ann: 4}


def test_closing_keeps_matches_and_private_ones_for_their_players(browsers, people, club):
    private = played(club, people[:2], is_private=True)
    membership.join(club, people[2])
    assert browsers[2].get(f"/m/{private.slug}/").status_code == 200
    clubs.close(club, people[0])
    assert MatchRow.objects.get().club is None
    seen = [browser.get(f"/m/{private.slug}/").status_code for browser in browsers]
    assert seen == [200, 200, 404, 404, 404]


def test_a_link_that_is_revoked_meanwhile_is_gone(browsers, people, club, meanwhile):
    link = membership.make_link(club, people[0])
    with meanwhile(link.delete):
        answer = browsers[2].post(f"/clubs/join/{link.token}/")
    assert answer.status_code == 404
    assert club.members.count() == 2
    assert "clubs/link_gone.html" in [template.name for template in answer.templates]


def test_an_edit_with_the_name_of_another_club_is_refused_on_the_form(browsers, people, club):
    clubs.create_club(people[2], clubs.ClubDetails(name="Others"))
    answer = browsers[0].post("/clubs/club/change/", {**FORM, "name": "others", "slug": "club"})
    assert answer.status_code == 400
    assert "exists" in answer.text
    club.refresh_from_db()
    assert club.name == "The <b>Club</b>"


def test_the_leaderboard_ignores_invalid_choices(browsers, club):
    for query in ("", "?game=antipode&speed=blitz&board=large&page=9", "?game=chess&page=x"):
        assert browsers[4].get(f"/clubs/club/leaderboard/{query}").status_code == 200


def test_members_can_challenge_the_club(browsers, club):
    answer = browsers[1].get("/clubs/club/challenge/?game=hex")
    assert answer.headers["Location"] == "/new/hex/?opponent=club&club=club"
    assert b"The &lt;b&gt;Club" in browsers[1].get(answer.headers["Location"]).content
    assert browsers[1].get("/clubs/club/challenge/?game=chess").status_code == 404
    assert browsers[2].get("/clubs/club/challenge/?game=hex").status_code == 404


def test_clubs_are_searched_by_name(client, people):
    for name in ("Hexagons", "Spheres"):
        clubs.create_club(people[0], clubs.ClubDetails(name=name))
    page = client.get("/clubs/?q=hex").content.decode()
    assert re.findall(r'href="/clubs/(\w+)/"', page.split("<main")[1]) == ["new", "hexagons"]
    assert b"No public club" in client.get("/clubs/?q=zzz").content
    assert User.objects.count() == 4
