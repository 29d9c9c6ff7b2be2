"""Laws of mail tokens; those of all tokens are in tests/web/people/test_tokens.py."""

import pytest

from antipodes.web.mailroom import tokens

pytestmark = pytest.mark.django_db


def test_a_token_stands_for_whoever_made_it(people):
    token = tokens.make_token(people[0], "Mutt at home")
    assert tokens.PATTERN.fullmatch(token)
    assert tokens.user_of(token) == people[0]
    assert tokens.user_of(token.upper()) == people[0]
    assert tokens.user_of(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert tokens.user_of("") is None
