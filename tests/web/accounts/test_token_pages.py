"""Pages of API tokens and bot accounts."""

from dataclasses import replace

import pytest
from django.contrib.messages import get_messages

from antipodes.clocks import DAY
from antipodes.errors import InputError
from antipodes.web.accounts import api_token_views, api_tokens, bots, tokens
from antipodes.web.accounts.api_tokens import find_token, make_token, scope_description
from antipodes.web.accounts.models import ApiTokenRow, BotRow, User
from antipodes.web.accounts.services import computer
from antipodes.web.accounts.tokens import digest_of
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db

PAGE, NEW, BOT = "/accounts/tokens/", "/accounts/tokens/new/", "/accounts/bot/"
BOTH_FAULTS = "There is no scope '{}'; the scopes are read, play, challenge, chat, profile, clubs"


@pytest.fixture
def ann(client, people):
    """An account that is signed in and has just entered its password."""
    ann = people[0]
    ann.set_password("only for tests 7")
    ann.save()
    form = {"login": "ann", "password": "only for tests 7"}
    client.post("/accounts/login/", form)
    client.post("/accounts/reauthenticate/", form)
    client.get("/accounts/")  # shows the messages
    return ann


@pytest.fixture
def time(monkeypatch):
    def set_time(at):
        for module in (tokens, api_tokens, api_token_views):
            monkeypatch.setattr(module, "now", lambda: at)

    return set_time


def told(response):
    """Return the messages that the next page shows."""
    return [str(one) for one in get_messages(response.wsgi_request)]


def test_a_token_expires_after_its_days(ann, client, time):
    time(1_000)
    row, text = make_token(ann, "short", ["read", "read"], 30)
    assert (row.made_at, row.expires_at, row.scopes) == (1_000, 1_000 + 30 * DAY, ["read"])
    for at, is_expired in ((30 * DAY + 999, False), (30 * DAY + 1_000, True)):
        time(at)
        assert (find_token(text) is None) is is_expired
        (line,) = client.get(PAGE).context["lines"]
        assert line["is_expired"] is is_expired
        assert ("expired" in client.get(PAGE).content.decode()) is is_expired


def test_an_expired_token_is_not_used(ann, time):
    time(1_000)
    _row, text = make_token(ann, "short", ["read"], 30)
    time(1_000 + 40 * DAY)
    assert find_token(text) is None
    assert ApiTokenRow.objects.get().used_at is None


def test_all_faults_of_a_token_are_told(people):
    with pytest.raises(InputError) as caught:
        make_token(people[0], "", ["x", "read", "y"], 31)
    name, first, second, days = caught.value.faults
    assert (name.code, name.where) == ("token/name", "name")
    assert first.message.startswith(BOTH_FAULTS.format("x"))
    assert second.message.startswith(BOTH_FAULTS.format("y"))
    assert (days.code, days.where) == ("token/days", "days")
    assert days.message.endswith("30, 90 or 365 days or for ever, not for 31 days.")


def test_the_list_has_each_token_with_its_scopes(client, ann, people, begin):
    make_token(ann, "first", ["read", "chat"], None)
    make_token(people[1], "of bob", ["read"], None)
    page = client.get(PAGE)
    (line,) = page.context["lines"]
    assert line["row"].name == "first"
    assert line["scopes"] == [
        scope_description(one) for one in map(api_tokens.Scope, ["chat", "read"])
    ]
    assert line["is_expired"] is False
    assert page.context["has_played"] is False
    assert "no-store" in page.headers["Cache-Control"]
    begin()
    assert client.get(PAGE).context["has_played"] is True


def test_the_form_of_a_token_has_its_choices_and_defaults(client, ann):
    page = client.get(NEW)
    form = page.context["form"]
    assert form.fields["days"].choices == [
        ("30", "30 days"),
        ("90", "90 days"),
        ("365", "365 days"),
        ("0", "No expiry"),
    ]
    assert [name for name, _ in form.fields["scopes"].choices] == list(api_tokens.Scope)
    assert (form["days"].initial, form["scopes"].initial) == ("90", ["read", "play", "challenge"])
    assert not form.errors
    assert "no-store" in page.headers["Cache-Control"]


@pytest.mark.parametrize(("days", "expires"), [("0", None), ("30", 30 * DAY)])
def test_a_token_of_the_form_expires_as_chosen(client, ann, time, days, expires):
    at = now()
    time(at)
    page = client.post(NEW, {"name": "x" * 60, "scopes": ["read"], "days": days})
    row = ApiTokenRow.objects.get()
    assert (row.user, row.name, row.scopes) == (ann, "x" * 60, ["read"])
    assert row.expires_at == (None if expires is None else at + expires)
    assert digest_of(page.context["text"]) == row.digest
    assert (page.context["name"], page.context["person"]) == (row.name, ann)


def test_the_form_says_why_there_is_no_new_token(client, ann, monkeypatch):
    make_token(ann, "first", ["read"], None)
    monkeypatch.setattr(api_tokens, "KIND", replace(api_tokens.KIND, limit=1))
    page = client.post(NEW, {"name": "second", "scopes": ["read"], "days": "0"})
    assert page.context["form"].non_field_errors() == [
        "You have 1 tokens; revoke one that you no longer need."
    ]
    assert ApiTokenRow.objects.count() == 1
    page = client.post(NEW, {"name": "second", "days": "0"})
    assert page.context["form"].errors == {"scopes": ["Choose at least one scope."]}


def test_a_revoked_token_is_told_once(client, ann):
    row, _text = make_token(ann, "first", ["read"], None)
    place = f"{PAGE}{row.pk}/revoke"
    response = client.post(place)
    assert (response.headers["Location"], told(response)) == (PAGE, ["The token has been revoked."])
    client.get(PAGE)
    assert told(client.post(place)) == []


def test_guests_and_visitors_have_no_tokens_and_no_bots(client, people):
    for place in (f"{PAGE}1/revoke", BOT):
        assert client.post(place).headers["Location"] == "/accounts/login/?next=/following/"
    User.objects.filter(pk=people[0].pk).update(is_guest=True)
    client.force_login(people[0])
    for place in (f"{PAGE}1/revoke", BOT):
        assert client.post(place).headers["Location"] == "/accounts/signup/"
    assert not BotRow.objects.exists()


# Bots.


def test_an_account_becomes_a_bot_and_a_player_again(client, ann):
    response = client.post(BOT, {"bot": "yes"})
    assert response.headers["Location"] == PAGE
    assert told(response) == ["This is now a bot account, and marked as one everywhere."]
    ann.refresh_from_db()
    assert ann.name == "ann (bot)"
    client.get(PAGE)
    response = client.post(BOT, {"bot": "no"})
    assert told(response) == ["This account is no longer a bot account."]
    ann.refresh_from_db()
    assert ann.name == "ann"


def test_the_page_says_why_an_account_cannot_become_a_bot(client, ann, begin):
    begin()
    response = client.post(BOT, {"bot": "yes"})
    assert response.status_code == 409
    assert response.context["reason"] == (
        "ann has played as a person; make a new account for a bot."
    )
    User.objects.filter(pk=ann.pk).update(first_name="bot")
    response = client.post(BOT, {"bot": "no"})
    assert response.status_code == 409
    assert response.context["reason"] == "ann has played as a bot and stays one."


def test_marking_a_bot_twice_changes_nothing(people, monkeypatch):
    monkeypatch.setattr(bots, "now", lambda: 7)
    ann, bob = people[:2]
    for _ in range(2):
        bots.mark_as_bot(ann)
        assert ann.is_bot
    bots.unmark_bot(bob)
    assert [(row.user, row.since) for row in BotRow.objects.all()] == [(ann, 7)]
    for _ in range(2):
        bots.unmark_bot(ann)
        assert not ann.is_bot
    assert not BotRow.objects.exists()


def test_guests_and_the_computer_are_no_bots(people):
    people[0].is_guest = True
    for user in (people[0], computer("3")):
        with pytest.raises(InputError, match="A bot needs an account"):
            bots.mark_as_bot(user)
        assert not user.is_bot
