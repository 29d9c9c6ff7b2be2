"""Laws of mail tokens."""

import pytest

from antipodes.errors import InputError
from antipodes.web.mailroom import tokens
from antipodes.web.mailroom.models import MailTokenRow

pytestmark = pytest.mark.django_db


def test_a_token_stands_for_whoever_made_it(people):
    token = tokens.make_token(people[0], "Mutt at home")
    assert tokens.PATTERN.fullmatch(token)
    assert tokens.user_of(token) == people[0]
    assert tokens.user_of(token.upper()) == people[0]
    assert tokens.user_of(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert tokens.user_of("") is None


def test_the_token_itself_is_not_kept(people):
    token = tokens.make_token(people[0], "Mutt")
    [row] = MailTokenRow.objects.values()
    assert token not in str(row)
    assert token.endswith(row["ending"])


def test_a_revoked_token_stands_for_nobody(people):
    token = tokens.make_token(people[0], "Mutt")
    row = tokens.tokens_of(people[0]).get()
    assert not tokens.revoke(people[1], row.pk)
    assert tokens.user_of(token) == people[0]
    assert tokens.revoke(people[0], row.pk)
    assert tokens.user_of(token) is None


def test_an_account_that_is_closed_takes_its_tokens_along(people):
    token = tokens.make_token(people[0], "Mutt")
    people[0].is_active = False
    people[0].save()
    assert tokens.user_of(token) is None


@pytest.mark.parametrize("label", ["", " ", "x" * 61])
def test_a_token_needs_a_name(people, label):
    with pytest.raises(InputError, match="characters"):
        tokens.make_token(people[0], label)


def test_there_is_an_end_to_tokens(people):
    for number in range(tokens.MOST):
        tokens.make_token(people[0], str(number))
    with pytest.raises(InputError, match=f"{tokens.MOST} tokens"):
        tokens.make_token(people[0], "one more")


def test_guests_have_no_tokens(people):
    people[0].is_guest = True
    with pytest.raises(InputError, match="account"):
        tokens.make_token(people[0], "Mutt")
