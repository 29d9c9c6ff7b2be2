"""Laws of all tokens: those of programs and those of mail."""

from dataclasses import replace
from typing import Any

import pytest

from antipodes.errors import InputError
from antipodes.web.accounts import api_tokens, tokens
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.email_play import mail_tokens

pytestmark = pytest.mark.django_db

KINDS: dict[str, TokenKind[Any]] = {"programs": api_tokens.KIND, "mail": mail_tokens.KIND}
HOUR = 3_600_000  # milliseconds


@pytest.fixture(params=KINDS)
def kind(request):
    return KINDS[request.param]


def test_a_token_stands_for_whoever_made_it_and_shows_its_kind(kind, people):
    row, text = kind.make(people[0], " Mutt at home ")
    assert text.startswith(kind.prefix)
    assert kind.find(text) == row
    assert (kind.find(text).user, row.name) == (people[0], "Mutt at home")
    assert kind.find(text[:-1] + ("a" if text[-1] != "a" else "b")) is None
    assert kind.find("") is None


def test_tokens_of_one_kind_are_none_of_the_other(people):
    _row, text = KINDS["mail"].make(people[0], "Mutt")
    assert KINDS["programs"].find(text) is None


def test_only_a_hash_of_it_is_kept(kind, people):
    _row, text = kind.make(people[0], "Mutt")
    [row] = kind.rows.objects.values()
    assert text not in str(row)
    assert text.endswith(row["ending"])


def test_nobody_but_its_owner_revokes_a_token(kind, people):
    row, text = kind.make(people[0], "Mutt")
    assert not kind.revoke(people[1], row.pk)
    assert kind.find(text) is not None
    assert kind.revoke(people[0], row.pk)
    assert kind.find(text) is None


def test_an_account_that_is_closed_takes_its_tokens_along(kind, people):
    _row, text = kind.make(people[0], "Mutt")
    people[0].is_active = False
    people[0].save()
    assert kind.find(text) is None


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_token_needs_a_name(kind, people, name):
    with pytest.raises(InputError, match="characters") as caught:
        kind.make(people[0], name)
    assert caught.value.code == "token/name"


def test_an_account_has_a_bounded_number_of_tokens(kind, people):
    few = replace(kind, most=2)
    for _ in range(2):
        few.make(people[0], "mine")
    with pytest.raises(InputError, match="You have 2 tokens; revoke one"):
        few.make(people[0], "mine")
    few.make(people[1], "mine")


def test_guests_have_no_tokens(kind, people):
    people[0].is_guest = True
    with pytest.raises(InputError, match="account") as caught:
        kind.make(people[0], "Mutt")
    assert caught.value.code == "token/no-account"


def test_its_last_use_is_noted_to_the_hour_and_once_an_hour(
    kind, people, monkeypatch, django_assert_num_queries
):
    row, text = kind.make(people[0], "Mutt")
    monkeypatch.setattr(tokens, "now", lambda: 7 * HOUR + 5)
    kind.note_use(row)
    used = kind.find(text)
    assert used.used_at == 7 * HOUR
    with django_assert_num_queries(0):
        kind.note_use(used)


def test_those_listed_are_ones_own_with_the_newest_first(kind, people, monkeypatch):
    for number in (1, 2):
        monkeypatch.setattr(tokens, "now", lambda: number)  # noqa: B023 - called at once
        kind.make(people[0], str(number))
    kind.make(people[1], "of bob")
    assert [one.name for one in kind.of(people[0])] == ["2", "1"]
