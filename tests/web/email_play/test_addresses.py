"""Laws of reply addresses: they stand for one user at one match, until they are revoked."""

import pytest

from antipodes.web.email_play.reply_addresses import (
    address_owner,
    reply_address,
    revoke_all,
    revoke_at,
)

pytestmark = pytest.mark.django_db


def known(address):
    """Return for whom an address stands, which must be somebody."""
    sender = address_owner(address)
    assert sender is not None
    return sender


def test_an_address_stands_for_its_user_at_its_match_alone(people, begin):
    one, other = begin(), begin()
    address = reply_address(people[0], one)
    sender = known(address)
    assert (sender.user, sender.row) == (people[0], one)
    assert len({reply_address(user, row) for user in people[:2] for row in (one, other)}) == 4
    assert len(address.partition("@")[0]) <= 64  # what the local part of an address may have


def test_mail_servers_may_change_the_case(people, begin):
    address = reply_address(people[0], begin())
    assert known(f" {address.upper()} ").user == people[0]


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
def test_what_is_no_address_of_ours_stands_for_nobody(people, begin, spoil):
    assert address_owner(spoil(reply_address(people[0], begin()))) is None


def test_no_letter_of_an_address_can_be_changed(people, begin):
    address = reply_address(people[0], begin())
    for place in range(len("play+"), address.index("@")):
        letter = "a" if address[place] != "a" else "b"
        forged = address_owner(address[:place] + letter + address[place + 1 :])
        assert forged is None


def test_addresses_are_revoked_all_or_at_one_match(people, begin):
    ann, bob = people[:2]
    one, other = begin(), begin()
    before = [reply_address(user, row) for user in (ann, bob) for row in (one, other)]
    revoke_at(ann, one)
    assert [address_owner(address) is not None for address in before] == [False, True, True, True]
    revoke_all(ann)
    assert [address_owner(address) is not None for address in before] == [False, False, True, True]
    assert known(reply_address(ann, one)).user == ann


def test_a_new_key_of_the_site_keeps_addresses_of_the_one_before(people, begin, settings):
    address = reply_address(people[0], begin())
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another"
    assert address_owner(address) is not None
    settings.SECRET_KEY_FALLBACKS = []
    assert address_owner(address) is None


def test_an_address_of_somebody_who_is_gone_holds_no_longer(people, begin):
    address = reply_address(people[0], begin())
    people[0].is_active = False
    people[0].save()
    assert address_owner(address) is None


def test_a_site_that_receives_no_mail_has_no_addresses(people, begin, settings):
    address = reply_address(people[0], begin())
    settings.MAIL_HOST = ""
    assert reply_address(people[0], begin()) == ""
    assert address_owner(address) is None
