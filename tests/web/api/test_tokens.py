"""API tokens and bot accounts."""

from datetime import UTC, datetime

import pytest

from antipodes.errors import InputError
from antipodes.web.accounts.api_tokens import Scope, make_token, revoke
from antipodes.web.accounts.models import ApiTokenRow, BotRow, User
from antipodes.web.api.templatetags.moments import moment
from antipodes.web.relations.services import block, follow


def test_a_token_authenticates_its_account(ask, people, token):
    response = ask("GET", "account", token(people[1]))
    assert response.status_code == 200
    assert (response.data["name"], response.data["kind"]) == ("bob", "account")


def test_an_account_has_all_its_fields(ask, people, begin, token):
    begin()
    since = datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)
    User.objects.filter(pk=people[0].pk).update(date_joined=since)
    told = {"name": "ann", "shown": "ann", "kind": "account", "since": 1_772_368_215_250}
    account = ask("GET", "account", token(people[0], "read", "chat")).data
    assert account == {**told, "scopes": ["chat", "read"], "matches": 1}
    profile = {"about": "", "availability": "", "country": "", "languages": ""}
    public = {**told, **profile, "ratings": [], "followed": False, "blocked": False}
    assert ask("GET", "people/ann").data == public
    bob = token(people[1])
    follow(people[1], people[0])
    assert ask("GET", "people/ANN", bob).data == {**public, "followed": True}
    block(people[1], people[0])
    assert ask("GET", "people/ann", bob).data == {**public, "blocked": True}
    assert ask("GET", "people/ann").data == public
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    missing = ask("GET", "people/ann")
    assert (missing.status_code, missing.data["message"]) == (404, "There is no player 'ann'.")


@pytest.mark.parametrize(
    ("scheme", "status"), [("Bearer", 200), ("bearer", 200), (" BEARER  ", 200), ("Basic", 401)]
)
def test_the_scheme_of_a_token_may_be_written_in_any_case(client, token, scheme, status):
    header = {"authorization": f"{scheme} {token()}"}
    assert client.get("/api/v1/account", headers=header).status_code == status


@pytest.mark.parametrize(
    "header", ["Bearer nothing", "Bearer", "Basic YTpi", "", "bearer atp_\x80", "Bearer \ud7ff"]
)
def test_an_invalid_token_is_refused_with_401(db, client, header):
    response = client.get("/api/v1/games", headers={"authorization": header})
    assert (response.status_code, response.json()["code"]) == (401, "api/bad-token")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_session_cookie_does_not_authenticate(client, people):
    client.force_login(people[0])
    assert client.get("/api/v1/account").status_code == 401


def test_a_revoked_token_is_refused_at_once(ask, people, token):
    text = token()
    assert ask("GET", "account", text).status_code == 200
    assert not revoke(people[1], ApiTokenRow.objects.get().pk)
    assert revoke(people[0], ApiTokenRow.objects.get().pk)
    assert ask("GET", "account", text).status_code == 401


@pytest.mark.parametrize(
    ("name", "scopes", "days", "code"),
    [
        ("", ["read"], None, "token/name"),
        ("mine", [], None, "token/scopes"),
        ("mine", ["everything"], None, "token/scopes"),
        ("mine", ["read"], 31, "token/days"),
    ],
)
def test_an_invalid_token_cannot_be_made(people, name, scopes, days, code):
    with pytest.raises(InputError) as caught:
        make_token(people[0], name, scopes, days)
    assert caught.value.code == code
    assert not ApiTokenRow.objects.exists()


def test_the_page_of_a_new_token_needs_the_password_and_shows_it_once(client, people):
    people[0].set_password("only for tests 7")
    people[0].save()
    client.force_login(people[0])
    asked = client.get("/accounts/tokens/new/")
    assert asked.status_code == 302
    assert "reauthenticate" in asked.headers["Location"]
    client.post(asked.headers["Location"], {"password": "only for tests 7"})
    page = client.post(
        "/accounts/tokens/new/", {"name": "my bot", "scopes": ["read", "play"], "days": "90"}
    )
    text = page.context["text"]
    assert text in page.content.decode()
    assert "no-store" in page.headers["Cache-Control"]
    listed = client.get("/accounts/tokens/").content.decode()
    assert "my bot" in listed
    assert text not in listed
    row = ApiTokenRow.objects.get()
    assert row.scopes == ["play", "read"]
    client.post(f"/accounts/tokens/{row.pk}/revoke")
    assert not ApiTokenRow.objects.exists()


def test_a_moment_is_a_time_in_utc_with_its_milliseconds():
    assert moment(1_772_368_215_250) == datetime(2026, 3, 1, 12, 30, 15, 250_000, tzinfo=UTC)


def test_token_pages_redirect_guests_and_visitors(client, people):
    location = client.get("/accounts/tokens/").headers["Location"]
    assert location == "/accounts/login/?next=/accounts/tokens/"
    people[0].is_guest = True
    people[0].save()
    client.force_login(people[0])
    for page in ("/accounts/tokens/", "/accounts/tokens/new/"):
        assert client.get(page).headers["Location"] == "/accounts/signup/"


# Bots.


def test_a_bot_is_marked_in_its_name(people, ask, token):
    text = token()
    assert ask("PUT", "account/bot", text).data["kind"] == "bot"
    fresh = User.objects.get(pk=people[0].pk)
    assert fresh.name == "ann (bot)"
    assert fresh.username == "ann"
    assert ask("DELETE", "account/bot", text).data["kind"] == "account"
    assert User.objects.get(pk=people[0].pk).name == "ann"
    assert not BotRow.objects.exists()


def test_an_account_that_has_played_cannot_become_a_bot(ask, people, begin, token):
    begin()
    response = ask("PUT", "account/bot", token())
    assert (response.status_code, response.data["code"]) == (409, "bot/has-played")
    assert not BotRow.objects.exists()


def test_the_scopes():
    assert {scope.value for scope in Scope} == {
        "read",
        "play",
        "challenge",
        "chat",
        "profile",
        "clubs",
        "studies",
        "tournaments",
        "engine",
    }


def test_requests_of_a_token_are_limited(ask, people, token, monkeypatch):
    monkeypatch.setenv("LIMIT_API_REQUESTS", "2/minute")
    own, other = token(people[0]), token(people[1])
    assert [ask("GET", "account", own).status_code for _ in range(3)] == [200, 200, 429]
    refused = ask("GET", "account", own)
    assert refused.data["code"] == "limits/too-many"
    assert int(refused.headers["Retry-After"]) > 0
    assert ask("GET", "account", other).status_code == 200


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer nothing"}])
def test_requests_without_a_valid_token_are_limited(db, client, monkeypatch, header):
    monkeypatch.setenv("LIMIT_API_ANONYMOUS", "2/minute")

    def status(address):
        return client.get("/api/v1/games", headers=header, REMOTE_ADDR=address).status_code

    usual = 401 if header else 200
    assert [status("192.0.2.7") for _ in range(3)] == [usual, usual, 429]
    assert status("192.0.2.8") == usual
