"""Pages of clubs: visibility, forms, buttons and results."""

import re

import pytest
from django.test import Client

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.club_pages import views
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
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.relations.services import block
from tests.thorough import sample
from tests.web.clubs.conftest import BACKEND, played

pytestmark = pytest.mark.django_db
PAGES = ["", "people/", "leaderboard/"]


def change(club, **fields):
    ClubRow.objects.filter(pk=club.pk).update(**fields)


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


@pytest.mark.parametrize("page", PAGES)
def test_members_and_invited_players_see_a_club_that_is_not_public(browsers, people, club, page):
    change(club, is_public=False)
    membership.invite(club, people[0], people[2])
    seen = [browser.get(f"/clubs/club/{page}").status_code for browser in browsers]
    assert seen == [200, 200, 200, 404, 404]


def test_members_and_invited_players_see_a_club_that_is_not_public_in_the_list(
    browsers, people, club
):
    change(club, is_public=False)
    membership.invite(club, people[0], people[2])
    listed = [b"/clubs/club/" in browser.get("/clubs/").content for browser in browsers]
    assert listed == [True, True, True, False, False]


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


def test_an_invited_user_is_notified_once(ann, cy, dee, club):
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


def head_of(browser, page="people/"):
    """Return what the header of each page of a club shows."""
    context = browser.get(f"/clubs/club/{page}").context
    names = ("role", "leads", "owns", "size", "asking_count", "is_invited", "has_asked")
    return tuple(context[name] for name in (*names, "is_open", "can_ask", "has_account"))


@pytest.mark.parametrize("page", sample(PAGES, 2))
def test_the_header_has_the_role_and_the_state_of_its_reader(browsers, people, club, page):
    ann, bob, cy, dee, visitor = browsers
    change(club, entry=Entry.REQUEST)
    membership.ask(club, people[3])
    membership.invite(club, people[0], people[2])
    assert head_of(ann, page) == (
        *("owner", True, True, 2, 1, False, False),
        *(False, True, True),
    )
    clubs.set_officer(club, people[0], people[1], is_officer=True)
    assert head_of(bob, page)[:5] == ("officer", True, False, 2, 1)
    clubs.set_officer(club, people[0], people[1], is_officer=False)
    assert head_of(bob, page)[:7] == ("member", False, False, 2, 0, False, False)
    assert head_of(cy, page)[:7] == (None, False, False, 2, 0, True, False)
    assert head_of(dee, page)[:7] == (None, False, False, 2, 0, False, True)
    nothing = (None, False, False, 2, 0, False, False)
    assert head_of(visitor, page) == (*nothing, False, True, False)
    change(club, entry=Entry.OPEN)
    visitor.force_login(User.objects.create(username="Guest 1", is_guest=True), BACKEND)
    assert head_of(visitor, page) == (*nothing, True, False, False)
    change(club, entry=Entry.INVITED)
    assert head_of(visitor, page) == (*nothing, False, False, False)


def test_only_leaders_see_requests_invitations_and_valid_links(browsers, people, club):
    ann, bob, *_ = browsers
    change(club, entry=Entry.REQUEST)
    membership.ask(club, people[3])
    membership.invite(club, people[0], people[2])
    link = membership.make_link(club, people[0])
    membership.make_link(club, people[0], uses=1).delete()
    used = membership.make_link(club, people[0], uses=1)
    InviteLinkRow.objects.filter(pk=used.pk).update(uses_left=0)
    context = ann.get("/clubs/club/people/").context
    assert [one.user for one in context["asking"]] == [people[3]]
    assert [(one.user, one.by) for one in context["invited"]] == [(people[2], people[0])]
    path = f"/clubs/join/{link.token}/"
    assert context["links"] == [(link, f"http://testserver{path}", path)]
    for browser in (bob, browsers[4]):
        hidden = browser.get("/clubs/club/people/").context
        assert not {"asking", "invited", "links", "link_form"} & hidden.keys()
    clubs.set_officer(club, people[0], people[1], is_officer=True)
    assert "link_form" in bob.get("/clubs/club/people/").context


# Each action with its user, the fields, the next page and the message.
ACTIONS: tuple[tuple[str, str, dict[str, str], str | None, str], ...] = (
    ("cy", "ask", {"message": "hello"}, "", "You have asked to join. An officer will answer."),
    ("ann", "accept-request", {"name": " cy "}, "people/", "cy is now a member."),
    ("ann", "make-officer", {"name": "cy"}, "people/", "cy is now an officer."),
    ("ann", "make-member", {"name": "cy"}, "people/", "cy is no longer an officer."),
    ("ann", "remove", {"name": "cy"}, "people/", "You have removed cy."),
    ("ann", "invite", {"name": "cy"}, "people/", "You have invited cy."),
    ("cy", "join", {}, "", "You have joined Hexagons."),
    ("cy", "leave", {}, "", "You have left Hexagons."),
    ("ann", "make-link", {}, "people/", ""),
    ("ann", "revoke-link", {}, "people/", "The link has been revoked."),
    ("ann", "transfer", {"name": "bob"}, "people/", "bob now owns the club."),
    ("bob", "close", {"name": " Hexagons "}, None, "Hexagons has been closed."),
)


def test_each_action_leads_to_its_page_with_a_message(browsers, club):
    change(club, entry=Entry.REQUEST, name="Hexagons")
    by_name = dict(zip(("ann", "bob", "cy"), browsers, strict=False))
    for name, action, fields, page, text in ACTIONS:
        links = InviteLinkRow.objects.values_list("token", flat=True)
        data = {"token": links.first() or "", **fields}
        answer = by_name[name].post(f"/clubs/club/do/{action}", data)
        where = "/clubs/" if page is None else f"/clubs/club/{page}"
        assert (answer.status_code, answer.headers["Location"]) == (302, where), action
        shown = [str(one) for one in by_name[name].get("/clubs/").context["messages"]]
        assert shown == ([text] if text else []), action
    assert not ClubRow.objects.exists()
    assert not InviteLinkRow.objects.exists()


def test_leaving_a_club_that_is_not_public_leads_to_the_list(browsers, club):
    change(club, is_public=False)
    assert browsers[1].post("/clubs/club/do/leave").headers["Location"] == "/clubs/"
    change(club, is_public=True)
    browsers[1].post("/clubs/club/do/join")
    assert browsers[1].post("/clubs/club/do/leave").headers["Location"] == "/clubs/club/"


def test_a_refused_action_tells_why(browsers, people, club):
    ann, _, cy, _, visitor = browsers
    for browser, action, fields, reason in (
        (visitor, "join", {}, "You need an account to join clubs; sign up first."),
        (ann, "invite", {"name": f" {'x' * 41} "}, f"No such player: {'x' * 40}."),
        (ann, "invite", {}, "No such player: ."),
        (ann, "make-link", {"hours": "3"}, "Choose one of the offered values."),
        (ann, "make-link", {"uses": "2"}, "Choose one of the offered values."),
        (ann, "close", {"name": "Club"}, "To close the club, type its exact name: "),
        (ann, "close", {}, "To close the club, type its exact name: "),
        (cy, "make-link", {}, "Only the owner or an officer of the club can do this."),
    ):
        answer = browser.post(f"/clubs/club/do/{action}", fields)
        assert answer.status_code == 409
        assert reason in answer.context["reason"]
    assert not InviteLinkRow.objects.exists()
    assert club.members.count() == 2
    assert ann.get("/clubs/club/do/join").status_code == 405


@pytest.mark.parametrize(
    ("fields", "hours", "uses"),
    [
        ({}, None, None),
        ({"hours": "24", "uses": "5"}, 24, 5),
        ({"hours": "", "uses": "20"}, None, 20),
    ],
)
def test_a_link_expires_and_is_used_up_as_its_maker_chooses(browsers, club, fields, hours, uses):
    assert browsers[0].post("/clubs/club/do/make-link", fields).status_code == 302
    link = InviteLinkRow.objects.get()
    left = None if link.expires_at is None else (link.expires_at - link.made_at) / HOUR
    assert (left, link.uses_left) == (hours, uses)


def test_the_form_of_a_link_offers_a_week_and_unlimited_use(browsers, club):
    form = browsers[0].get("/clubs/club/people/").context["link_form"]
    assert [value for value, _ in form.fields["hours"].choices] == ["24", "168", "720", ""]
    uses = [(value, str(label)) for value, label in form.fields["uses"].choices]
    assert uses[0] == ("", "anyone with the link")
    assert [(str(value), label) for value, label in uses[1:]] == [
        ("1", "1 person"), ("5", "5 people"), ("20", "20 people"),
    ]  # fmt: skip
    assert (form["hours"].value(), form["uses"].value()) == ("168", None)


def test_the_page_of_a_link_tells_who_may_use_it(browsers, people, club):
    link = membership.make_link(club, people[0], uses=1)
    address = f"/clubs/join/{link.token}/"
    for browser, has_account in ((browsers[2], True), (browsers[4], False)):
        context = browser.get(address).context
        shown = (context["club"], context["has_account"], context["size"])
        assert shown == (club, has_account, 2)
    guest = Client()
    guest.force_login(User.objects.create(username="Guest 1", is_guest=True), BACKEND)
    assert not guest.get(address).context["has_account"]
    # Members are led to the club, even if the link is used up.
    for uses in (1, 0):
        InviteLinkRow.objects.update(uses_left=uses)
        assert browsers[1].get(address).headers["Location"] == "/clubs/club/"
    assert browsers[2].get(address).status_code == 404
    assert browsers[2].put(address).status_code == 405
    InviteLinkRow.objects.update(uses_left=1)
    joined = browsers[2].post(address, follow=True)
    assert [str(one) for one in joined.context["messages"]] == [f"You have joined {club.name}."]


def test_the_list_has_own_clubs_invitations_and_all_public_clubs(browsers, people, club):
    other = clubs.create_club(people[2], clubs.ClubDetails(name="Others", is_public=False))
    membership.invite(other, people[2], people[1])
    shown = [browser.get("/clubs/?q=%20club%20").context for browser in browsers]
    assert [[row.slug for row in one["own"]] for one in shown] == [
        ["club"], ["club"], ["others"], [], [],
    ]  # fmt: skip
    assert [[row.slug for row in one["inviting"]] for one in shown] == [
        [], ["others"], [], [], [],
    ]  # fmt: skip
    assert shown[0]["own"][0].size == 2
    assert shown[0]["query"] == "club"
    assert [(row.slug, row.size) for row in shown[0]["page"]] == [("club", 2)]
    assert len(browsers[4].get("/clubs/", {"q": "a" * 61}).context["query"]) == 60


def test_long_lists_of_clubs_and_members_have_pages(browsers, people, club, monkeypatch):
    monkeypatch.setattr(views, "_ON_A_PAGE", 1)
    clubs.create_club(people[2], clubs.ClubDetails(name="Others"))
    for page, slug, name in ((1, "club", "ann"), (2, "others", "bob")):
        found = browsers[4].get(f"/clubs/?page={page}").context["page"]
        assert ([row.slug for row in found], found.paginator.count) == ([slug], 2)
        found = browsers[4].get(f"/clubs/club/people/?page={page}").context["page"]
        assert ([row.user.username for row in found], found.paginator.count) == ([name], 2)


def test_the_form_of_a_club_shows_its_details(browsers, people, club):
    change(club, entry=Entry.INVITED, is_public=False, description="We play.")
    form = browsers[0].get("/clubs/club/change/").context["form"]
    assert {field.name: field.value() for field in form} == {
        "name": "The <b>Club</b>", "slug": "club", "description": "We play.",
        "entry": "invited", "is_public": False,
    }  # fmt: skip
    new = browsers[0].get("/clubs/new/")
    assert new.status_code == 200
    assert "club" not in new.context
    form = new.context["form"]
    assert (form["entry"].value(), form["is_public"].value()) == ("open", True)
    browsers[0].post("/clubs/club/change/", {**FORM, "entry": "request", "is_public": "on"})
    changed = ClubRow.objects.get()
    assert (changed.name, changed.slug, changed.entry) == ("Hexagons", "hexagons", "request")
    assert (changed.description, changed.is_public) == ("We <i>play</i>.", True)


def test_forms_of_clubs_are_read_and_posted(browsers, club):
    for path in ("/clubs/new/", "/clubs/club/change/"):
        assert browsers[0].put(path).status_code == 405
