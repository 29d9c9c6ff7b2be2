"""Mail tokens; tests/web/accounts/test_tokens.py tests all kinds of tokens."""

import pytest

from antipodes.web.email_play import mail_tokens

pytestmark = pytest.mark.django_db


def test_a_token_authenticates_its_owner(people):
    token = mail_tokens.make_token(people[0], "Mutt at home")
    assert mail_tokens.PATTERN.fullmatch(token)
    assert mail_tokens.user_of(token) == people[0]
    assert mail_tokens.user_of(token.upper()) == people[0]
    assert mail_tokens.user_of(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert mail_tokens.user_of("") is None
