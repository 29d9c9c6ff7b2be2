"""Reply addresses and mail tokens: each authenticates one user until it is revoked."""

import pytest

from antipodes.web.email_play import mail_tokens
from antipodes.web.email_play.reply_addresses import (
    address_owner,
    reply_address,
    revoke_all,
    revoke_at,
)

pytestmark = pytest.mark.django_db


def owner_of(address):
    """Return the owner of a valid address."""
    owner = address_owner(address)
    assert owner is not None
    return owner


def test_an_address_is_valid_for_one_user_and_one_match(people, begin):
    one, other = begin(), begin()
    address = reply_address(people[0], one)
    owner = owner_of(address)
    assert (owner.user, owner.row) == (people[0], one)
    assert len({reply_address(user, row) for user in people[:2] for row in (one, other)}) == 4
    assert len(address.partition("@")[0]) <= 64  # the limit for the local part


def test_mail_servers_may_change_the_case(people, begin):
    address = reply_address(people[0], begin())
    assert owner_of(f" {address.upper()} ").user == people[0]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: one.replace("@play.example", "@elsewhere.example"),
        lambda one: one.replace("play+", "play-"),
        lambda one: "play+@play.example",
        lambda one: "play+a@play.example",
        lambda one: "play+!!!@play.example",
        lambda one: "play+" + "a" * 500 + "@play.example",
        lambda one: "",
        lambda one: "@",
    ],
)
def test_other_addresses_have_no_owner(people, begin, spoil):
    assert address_owner(spoil(reply_address(people[0], begin()))) is None


def test_no_character_of_an_address_can_be_changed(people, begin):
    address = reply_address(people[0], begin())
    for place in range(len("play+"), address.index("@")):
        character = "a" if address[place] != "a" else "b"
        forged = address_owner(address[:place] + character + address[place + 1 :])
        assert forged is None


def test_addresses_are_revoked_for_one_match_or_all(ann, bob, begin):
    one, other = begin(), begin()
    before = [reply_address(user, row) for user in (ann, bob) for row in (one, other)]
    revoke_at(ann, one)
    assert [address_owner(address) is not None for address in before] == [False, True, True, True]
    revoke_all(ann)
    assert [address_owner(address) is not None for address in before] == [False, False, True, True]
    assert owner_of(reply_address(ann, one)).user == ann


def test_addresses_stay_valid_with_the_previous_key_of_the_site(people, begin, settings):
    address = reply_address(people[0], begin())
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert address_owner(address) is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert address_owner(address) is None


def test_addresses_of_closed_accounts_are_invalid(people, begin):
    address = reply_address(people[0], begin())
    people[0].is_active = False
    people[0].save()
    assert address_owner(address) is None


def test_a_site_that_receives_no_mail_has_no_addresses(people, begin, settings):
    address = reply_address(people[0], begin())
    settings.MAIL_HOST = ""
    assert reply_address(people[0], begin()) == ""
    assert address_owner(address) is None


def test_a_token_authenticates_its_owner(people):
    token = mail_tokens.make_token(people[0], "Mutt at home")
    assert mail_tokens.PATTERN.fullmatch(token)
    assert mail_tokens.user_of(token) == people[0]
    assert mail_tokens.user_of(token.upper()) == people[0]
    assert mail_tokens.user_of(token[:-1] + ("a" if token[-1] != "a" else "b")) is None
    assert mail_tokens.user_of("") is None
