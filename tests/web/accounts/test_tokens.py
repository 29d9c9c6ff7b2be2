"""API tokens and mail tokens."""

from dataclasses import replace
from typing import Any

import pytest

from antipodes.errors import InputError
from antipodes.web.accounts import api_tokens, tokens
from antipodes.web.accounts.services import computer
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.email_play import mail_tokens

pytestmark = pytest.mark.django_db

KINDS: dict[str, TokenKind[Any]] = {"api": api_tokens.KIND, "mail": mail_tokens.KIND}
HOUR = 3_600_000  # milliseconds


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def test_a_token_is_found_by_its_text(kind, people):
    row, text = kind.make(people[0], " Mutt at home ")
    assert text.startswith(kind.prefix)
    assert kind.find(text) == row
    assert (kind.find(text).user, row.name) == (people[0], "Mutt at home")
    assert kind.find(text[:-1] + ("a" if text[-1] != "a" else "b")) is None
    assert kind.find("") is None


def test_a_token_of_one_kind_is_not_one_of_another(people):
    _row, text = KINDS["mail"].make(people[0], "Mutt")
    assert KINDS["api"].find(text) is None


def test_only_a_hash_of_a_token_is_stored(kind, people):
    _row, text = kind.make(people[0], "Mutt")
    [row] = kind.model.objects.values()
    assert text not in str(row)
    assert row["ending"] == text[-4:]


def test_only_its_owner_revokes_a_token(kind, people):
    row, text = kind.make(people[0], "Mutt")
    assert not kind.revoke(people[1], row.pk)
    assert kind.find(text) is not None
    assert kind.revoke(people[0], row.pk)
    assert kind.find(text) is None


def test_tokens_of_an_inactive_account_are_invalid(kind, people):
    _row, text = kind.make(people[0], "Mutt")
    people[0].is_active = False
    people[0].save()
    assert kind.find(text) is None


@pytest.mark.parametrize(("name", "length"), [("", 0), (" ", 0), ("y" * 61, 61)])
def test_a_name_of_a_token_has_one_to_sixty_characters(kind, people, name, length):
    with pytest.raises(InputError) as caught:
        kind.make(people[0], name)
    [fault] = caught.value.faults
    assert (fault.code, fault.where) == ("token/name", "name")
    assert fault.message.startswith(f"A name has 1 to 60 characters; '{name.strip()[:4]}")
    assert fault.message.endswith(f"has {length}.")
    for fitting in ("x", "x" * 60):
        assert kind.make(people[0], f" {fitting} ")[0].name == fitting


def test_the_number_of_tokens_is_limited(kind, people):
    limited = replace(kind, limit=2)
    for _ in range(2):
        limited.make(people[0], "mine")
    with pytest.raises(InputError, match="You have 2 tokens; revoke one"):
        limited.make(people[0], "mine")
    limited.make(people[1], "mine")


def test_guests_cannot_have_tokens(kind, people):
    people[0].is_guest = True
    with pytest.raises(InputError, match="account") as caught:
        kind.make(people[0], "Mutt")
    assert caught.value.code == "token/no-account"
    with pytest.raises(InputError, match="account"):
        kind.make(computer("1"), "Mutt")


def test_the_last_use_is_stored_once_an_hour(kind, people, monkeypatch, django_assert_num_queries):
    row, text = kind.make(people[0], "Mutt")
    monkeypatch.setattr(tokens, "now", lambda: 7 * HOUR + 5)
    kind.note_use(row)
    used = kind.find(text)
    assert used.used_at == 7 * HOUR
    with django_assert_num_queries(0):
        kind.note_use(used)
    monkeypatch.setattr(tokens, "now", lambda: 8 * HOUR)
    kind.note_use(used)
    assert kind.find(text).used_at == 8 * HOUR


def test_a_users_tokens_are_listed_newest_first(kind, people, monkeypatch):
    for number in (1, 2):
        monkeypatch.setattr(tokens, "now", lambda: number)  # noqa: B023 - called at once
        kind.make(people[0], str(number))
    kind.make(people[1], "of bob")
    assert [one.name for one in kind.of(people[0])] == ["2", "1"]
