"""Clubs in the API offer the same as their pages."""

import pytest

from antipodes.web.clubs.models import ClubRow, InviteLinkRow, MemberRow, PendingMemberRow


@pytest.fixture
def found(ask, token):
    """Return a function that founds a club of Ann's and returns its path in the API."""

    def make(**more):
        response = ask("POST", "clubs", token(), {"name": "The Poles", **more})
        assert response.status_code == 201
        return f"clubs/{response.data['slug']}"

    return make


def test_a_club_is_founded_changed_and_closed(ask, token, people, found):
    ann, club = token(), found(description="We play at night.")
    changed = ask("PATCH", club, ann, {"entry": "request"}).data
    assert (changed["slug"], changed["entry"], changed["role"]) == ("the-poles", "request", "owner")
    assert changed["description"] == "We play at night."
    moved = ask("PATCH", club, ann, {"slug": "poles", "public": False}).data
    assert (moved["slug"], moved["name"], moved["public"]) == ("poles", "The Poles", False)
    assert ask("GET", "clubs/poles", token(people[1])).status_code == 404
    response = ask("DELETE", "clubs/poles?name=poles", ann)
    assert (response.status_code, response.data["code"]) == (422, "clubs/confirm")
    assert ask("DELETE", "clubs/poles", ann).status_code == 422
    assert ask("DELETE", "clubs/poles?name=The%20Poles", ann).status_code == 204
    assert not ClubRow.objects.exists()


def test_a_club_has_all_its_fields(ask, token, people, found):
    club = found(description="We play at night.", entry="request")
    told = {
        "slug": "the-poles",
        "name": "The Poles",
        "description": "We play at night.",
        "entry": "request",
        "public": True,
        "members": 1,
        "role": None,
        "door": None,
    }
    ann, bob, cy = (token(one) for one in people[:3])
    assert ask("GET", club).data == told
    assert ask("GET", club, ann).data == {**told, "role": "owner"}
    ask("PUT", f"{club}/door", bob, {"words": "please"})
    ask("PUT", f"{club}/door/cy", ann)
    assert ask("GET", club, bob).data == {**told, "door": "asked"}
    assert ask("GET", club, cy).data == {**told, "door": "invited"}
    person = {
        name: {"name": name, "shown": name, "kind": "account"} for name in ("ann", "bob", "cy")
    }
    first, second = PendingMemberRow.objects.all()
    assert ask("GET", f"{club}/door", ann).data == [
        {"person": person["bob"], "words": "please", "invitedBy": None, "at": first.at},
        {"person": person["cy"], "words": "", "invitedBy": person["ann"], "at": second.at},
    ]
    [owner] = ask("GET", f"{club}/members").data
    since = MemberRow.objects.get().since
    assert owner == {"person": person["ann"], "role": "owner", "since": since}
    missing = ask("GET", "clubs/nowhere")
    assert missing.data["message"] == "There is no club 'nowhere'."


def test_clubs_are_listed_by_size_for_those_who_may_see_them(ask, token, people, found):
    ann, bob, cy = (token(one) for one in people[:3])
    found(name="The Poles")
    found(name="Alpha")
    found(name="Secret", public=False)
    found(name="Hidden Poles", public=False)
    ask("PUT", "clubs/the-poles/membership", bob)
    ask("PUT", "clubs/hidden-poles/door/bob", ann)
    for query, text, slugs in (
        ("", None, ["the-poles", "alpha"]),
        ("", bob, ["the-poles", "alpha", "hidden-poles"]),
        ("", ann, ["the-poles", "alpha", "hidden-poles", "secret"]),
        ("?mine=true", bob, ["the-poles"]),
        ("?mine=true", cy, []),
        ("?words=POLE", ann, ["the-poles", "hidden-poles"]),
        ("?words=POLE", None, ["the-poles"]),
        ("?words=%20%20", None, ["the-poles", "alpha"]),
        ("?mine=true&words=pole", ann, ["the-poles", "hidden-poles"]),
    ):
        listed = ask("GET", f"clubs{query}", text).data
        assert [one["slug"] for one in listed] == slugs, query
    assert [one["members"] for one in ask("GET", "clubs").data] == [2, 1]
    refused = ask("GET", "clubs?mine=true")
    assert (refused.status_code, refused.data["code"]) == (401, "api/no-token")


def test_a_changed_club_keeps_what_was_left_out(ask, token, found):
    club = found(description="We play at night.", entry="request", public=False)
    before = ask("GET", club, token()).data
    for change in (
        {"name": "The Other Poles"},
        {"description": ""},
        {"entry": "invited"},
        {"public": True},
    ):
        before = {**before, **change}
        assert ask("PATCH", club, token(), change).data == before


@pytest.mark.parametrize(
    ("wanted", "status", "code"),
    [
        ({"name": "A"}, 422, "clubs/name"),
        ({"name": "THE POLES"}, 409, "clubs/taken"),
        ({"name": "Another", "slug": "join"}, 422, "clubs/address"),
        ({"name": "Another", "slug": "a" * 61}, 422, "api/body"),
        ({"name": "Another", "entry": "never"}, 422, "api/body"),
        ({}, 422, "api/body"),
    ],
)
def test_an_invalid_club_is_refused_with_a_code(ask, token, found, wanted, status, code):
    found()
    response = ask("POST", "clubs", token(), wanted)
    assert (response.status_code, response.data["code"]) == (status, code)
    assert ClubRow.objects.count() == 1


def test_membership_requests_are_accepted_or_declined(ask, token, people, found):
    ann, bob, cy = (token(one) for one in people[:3])
    club = found(entry="request")
    assert ask("PUT", f"{club}/membership", bob).status_code == 403
    for one in (bob, cy):
        asked = ask("PUT", f"{club}/door", one, {"words": "I play Hex."}).data
        assert (asked["door"], asked["role"]) == ("asked", None)
    pending = ask("GET", f"{club}/door", ann).data
    assert [(one["person"]["name"], one["words"]) for one in pending] == [
        ("bob", "I play Hex."),
        ("cy", "I play Hex."),
    ]
    assert ask("GET", f"{club}/door", bob).status_code == 403
    assert ask("PUT", f"{club}/members/bob", bob).status_code == 403
    assert ask("PUT", f"{club}/members/bob", ann).data["role"] == "member"
    assert ask("DELETE", f"{club}/door/cy", ann).status_code == 204
    assert ask("GET", club, cy).data["door"] is None
    assert ask("PUT", f"{club}/members/cy", ann).data["code"] == "clubs/no-request"
    assert ask("PUT", f"{club}/members/missing", ann).status_code == 404


def test_an_invited_player_joins_or_declines(ask, token, people, found):
    ann, bob, cy = (token(one) for one in people[:3])
    club = found(entry="invited", public=False)
    assert ask("GET", club, bob).status_code == 404
    for name in ("bob", "cy"):
        assert ask("PUT", f"{club}/door/{name}", ann).status_code == 200
    assert ask("GET", club, bob).data["door"] == "invited"
    assert ask("PUT", f"{club}/membership", bob).data["role"] == "member"
    assert ask("DELETE", f"{club}/door", cy).status_code == 204
    assert ask("GET", club, cy).status_code == 404


def test_the_owner_changes_roles_and_transfers_the_club(ask, token, people, found):
    ann, bob, cy = (token(one) for one in people[:3])
    club = found()
    for one in (bob, cy):
        ask("PUT", f"{club}/membership", one)
    officer = {"role": "officer"}
    assert ask("PATCH", f"{club}/members/bob", bob, officer).status_code == 403
    assert ask("PATCH", f"{club}/members/bob", ann, officer).data["role"] == "officer"
    assert ask("DELETE", f"{club}/members/ann", bob).status_code == 403
    assert ask("PATCH", f"{club}/members/bob", ann, {"role": "owner"}).data["role"] == "owner"
    assert ask("GET", club, ann).data["role"] == "officer"
    assert ask("DELETE", f"{club}/members/cy", ann).status_code == 204
    assert ask("PATCH", f"{club}/members/cy", bob, officer).status_code == 409
    assert ask("DELETE", f"{club}/membership", bob).data["code"] == "clubs/owner"
    assert ask("DELETE", f"{club}/membership", ann).status_code == 200


def test_invitation_links_work_until_they_are_used_up_or_revoked(ask, token, people, found):
    ann, bob, cy = (token(one) for one in people[:3])
    club = found(entry="invited", public=False)
    made = ask("POST", f"{club}/links", ann, {"uses": 1})
    assert (made.status_code, made.data["usesLeft"]) == (201, 1)
    link = f"club-links/{made.data['token']}"
    row = InviteLinkRow.objects.get()
    assert made.data == {
        "token": row.token,
        "path": f"/clubs/join/{row.token}/",
        "by": {"name": "ann", "shown": "ann", "kind": "account"},
        "made": row.made_at,
        "expires": row.expires_at,
        "usesLeft": 1,
    }
    assert ask("GET", f"{club}/links", ann).data == [made.data]
    assert ask("POST", link, bob).data["role"] == "member"
    assert ask("POST", link, cy).status_code == 404
    assert ask("GET", f"{club}/links", ann).data == []
    assert ask("GET", f"{club}/links", bob).status_code == 403
    again = ask("POST", f"{club}/links", ann, {"hours": None}).data
    assert again["expires"] is None
    assert ask("DELETE", f"{club}/links/{again['token']}", ann).status_code == 204
    assert ask("POST", f"club-links/{again['token']}", cy).status_code == 404
