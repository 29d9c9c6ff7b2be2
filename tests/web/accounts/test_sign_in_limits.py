"""Attackers cannot lock an owner out of an account, flood a mailbox or learn who has an account."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from django.core import mail
from django.test import Client

from antipodes.web.accounts import adapter, known_devices
from antipodes.web.accounts.models import User
from tests.web.accounts.codes import code_for

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"
ADDRESS = "ann@example.org"
HOME, SCHOOL, ATTACKER = "192.0.2.7", "192.0.2.99", "198.51.100.1"


def attackers(count):
    return [f"198.51.100.{number}" for number in range(1, count + 1)]


@pytest.fixture
def account(db):
    """An account that is not signed in."""
    return make_account("ann")


def make_account(name):
    user = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_in(client, *, name="ann", password=PASSWORD, address=HOME):
    form = {"login": name, "password": password}
    return client.post("/accounts/login/", form, REMOTE_ADDR=address)


def sign_up(client, name, *, email="new@example.org", address=HOME):
    form = {"username": name, "email": email, "password1": PASSWORD}
    return client.post("/accounts/signup/", form, REMOTE_ADDR=address)


def reset(client, *, email=ADDRESS, address=HOME):
    return client.post("/accounts/password/reset/", {"email": email}, REMOTE_ADDR=address)


def set_limit(monkeypatch, limit, amount):
    monkeypatch.setenv(limit.setting, amount)


def is_signed_in(client):
    return "_auth_user_id" in client.session


def attack(count=120, name="ann"):
    """Try wrong passwords from many networks; return the last response."""
    responses = [
        sign_in(Client(), name=name, password="wrong", address=address)
        for address in attackers(count)
    ]
    return responses[-1]


def test_attempts_on_an_account_from_one_network_are_limited(account):
    responses = [sign_in(Client(), password="wrong", address=ATTACKER) for _ in range(6)]
    assert [response.status_code for response in responses] == [200] * 5 + [429]
    assert 0 < int(responses[-1].headers["Retry-After"]) <= 300
    assert "used before" in responses[-1].content.decode()
    assert sign_in(Client(), address=ATTACKER).status_code == 429
    owner = Client()
    assert sign_in(owner).status_code == 302, "the owner is not locked out"
    assert is_signed_in(owner)


def test_unknown_names_are_limited_in_the_same_way(account):
    for name in ("ann", "missing"):
        responses = [
            sign_in(Client(), name=name, password="wrong", address=ATTACKER) for _ in range(6)
        ]
        assert [response.status_code for response in responses] == [200] * 5 + [429]


def test_an_unknown_name_is_counted_in_any_case_with_any_spaces():
    for name in ("missing", "MISSING", " missing ", "Missing", "missing"):
        sign_in(Client(), name=name, password="wrong", address=ATTACKER)
    assert sign_in(Client(), name="mIssing", address=ATTACKER).status_code == 429


def test_attempts_on_the_machine_itself_are_not_counted_by_network(account):
    responses = [sign_in(Client(), password="wrong", address="127.0.0.1") for _ in range(6)]
    assert {response.status_code for response in responses} == {200}


def test_an_account_is_found_by_its_name_or_its_confirmed_address(account):
    other = User.objects.create_user("bob", ADDRESS)
    EmailAddress.objects.create(user=other, email=ADDRESS, verified=False, primary=True)
    for credentials, found in (
        ({"username": " Bob "}, (None, "bob")),
        ({"username": "BOB"}, (other, "bob")),
        ({"email": ADDRESS.upper()}, (account, ADDRESS)),
        ({"username": "bob", "email": ADDRESS}, (other, "bob")),
        ({"username": "zed", "email": ADDRESS}, (account, "zed")),
        ({}, (None, "")),
    ):
        assert adapter.find_account(credentials) == found, credentials


def test_name_and_mail_address_are_counted_as_one_account(account):
    for name in ("ann", "ANN", ADDRESS, ADDRESS.upper(), "ann"):
        sign_in(Client(), name=name, password="wrong", address=ATTACKER)
    assert sign_in(Client(), name=ADDRESS, address=ATTACKER).status_code == 429


def test_a_known_device_can_sign_in_during_an_attack(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_ACCOUNT, "4/hour")
    owner = Client()
    sign_in(owner)
    owner.post("/accounts/logout/")
    assert attack(5).status_code == 429
    assert sign_in(Client()).status_code == 429
    for address in (HOME, ATTACKER):
        assert sign_in(owner, address=address).status_code == 302
        assert is_signed_in(owner)
        owner.post("/accounts/logout/")


def test_attempts_on_an_account_from_all_networks_are_limited(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_ACCOUNT, "4/hour")
    assert attack(4).status_code == 200
    assert attack(1).status_code == 429


def test_attempts_from_one_network_on_all_accounts_are_limited(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_NETWORK, "4/hour")
    responses = [
        sign_in(Client(), name=f"name-{number}", password="wrong", address=ATTACKER)
        for number in range(5)
    ]
    assert [response.status_code for response in responses] == [200] * 4 + [429]
    assert sign_in(Client(), address=HOME).status_code == 302


def test_a_password_reset_works_during_an_attack(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_ACCOUNT, "4/hour")
    attack(5)
    owner = Client()
    reset(owner)
    link = re.search(r"https?://[^/]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    place = owner.get(link[1], follow=True).redirect_chain[-1][0]
    new = "another quiet heron"
    owner.post(place, {"password1": new, "password2": new})
    assert sign_in(owner, password=new).status_code == 302
    assert is_signed_in(owner)


def test_a_known_device_becomes_unknown_after_many_wrong_passwords(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_DEVICE, "6/day")
    device = Client()
    sign_in(device)
    device.post("/accounts/logout/")
    responses = [sign_in(device, password="wrong", address=ATTACKER) for _ in range(12)]
    assert [response.status_code for response in responses] == [200] * 11 + [429]
    assert sign_in(device, address=HOME).status_code == 302


def test_the_correct_password_resets_the_count_of_a_known_device(account, monkeypatch):
    set_limit(monkeypatch, adapter.PER_DEVICE, "3/day")
    set_limit(monkeypatch, adapter.PER_ACCOUNT_AND_NETWORK, "1/day")
    device = Client()
    sign_in(device)
    for _ in range(3):
        device.post("/accounts/logout/")
        for _ in range(2):
            assert sign_in(device, password="wrong", address=ATTACKER).status_code == 200
        assert sign_in(device, address=ATTACKER).status_code == 302


def test_the_correct_password_resets_the_count(account):
    for _ in range(3):
        for _ in range(4):
            sign_in(Client(), password="wrong")
        assert sign_in(Client()).status_code == 302


def test_a_known_device_of_one_account_is_unknown_to_another(account, monkeypatch):
    make_account("bob")
    set_limit(monkeypatch, adapter.PER_ACCOUNT, "4/hour")
    attacker = Client()
    sign_in(attacker, name="bob", address=ATTACKER)
    attacker.post("/accounts/logout/")
    attack(4)
    assert sign_in(attacker, address=ATTACKER).status_code == 429


@pytest.mark.parametrize("value", ["", "x", "W10:1:2", "\x00"])
def test_a_forged_cookie_does_not_make_a_device_known(account, rf, value):
    request = rf.get("/")
    request.COOKIES[known_devices.COOKIE] = value
    assert known_devices.device_of(request, account) is None


def test_the_device_cookie_is_http_only_and_for_accounts_only(client, account):
    client.post("/play/hex/", {"level": "1"})
    assert known_devices.COOKIE not in client.cookies
    sign_in(client)
    cookie = client.cookies[known_devices.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_two_factor_codes_are_limited_like_passwords(account):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(account, secret)
    place = "/accounts/2fa/authenticate/"
    attacker, owner = Client(), Client()
    sign_in(attacker, address=ATTACKER)
    responses = [attacker.post(place, {"code": "000000"}, REMOTE_ADDR=ATTACKER) for _ in range(6)]
    assert responses[-1].status_code == 429
    sign_in(owner)
    owner.post(place, {"code": code_for(secret)}, REMOTE_ADDR=HOME)
    assert is_signed_in(owner)


def test_mails_to_an_address_are_limited(account):
    for address in attackers(5):
        assert reset(Client(), address=address).status_code == 302
    assert len(mail.outbox) == 3
    for address in attackers(5):
        reset(Client(), email="missing@example.org", address=address)
    assert len(mail.outbox) == 6


def test_a_known_device_can_request_mail_during_a_flood(account):
    owner = Client()
    sign_in(owner)
    owner.post("/accounts/logout/")
    for address in attackers(5):
        reset(Client(), address=address)
    before = len(mail.outbox)
    reset(owner)
    assert len(mail.outbox) == before + 1


def test_password_resets_are_limited_by_network(account, monkeypatch):
    set_limit(monkeypatch, adapter._BY_ADDRESS["account_reset_password"], "4/hour")
    responses = [
        reset(Client(), email=f"x{number}@example.org", address=ATTACKER) for number in range(5)
    ]
    assert [response.status_code for response in responses] == [302] * 4 + [429]
    assert reset(Client()).status_code == 302


def test_new_accounts_are_limited_by_network(monkeypatch):
    set_limit(monkeypatch, adapter._SIGNUPS, "2/hour")
    responses = [
        sign_up(Client(), name, email=f"{name}@example.org", address=address)
        for name, address in [
            ("ann", "2001:db8::1"),
            ("bob", "2001:db8::2"),
            ("cyd", "2001:db8::3"),
        ]
    ]
    assert [response.status_code for response in responses] == [302, 302, 429]
    assert "Retry-After" in responses[-1].headers
    assert User.objects.count() == 2


def test_sign_up_forms_are_limited_by_network(monkeypatch):
    set_limit(monkeypatch, adapter._BY_ADDRESS["account_signup"], "2/hour")
    responses = [sign_up(Client(), "x") for _ in range(3)]
    assert [response.status_code for response in responses] == [200, 200, 429]


def test_password_reset_links_are_limited_by_network(monkeypatch):
    set_limit(monkeypatch, adapter._BY_ADDRESS["account_reset_password_from_key"], "2/hour")
    place = "/accounts/password/reset/key/1-set-password/"
    responses = [Client().post(place, {}, REMOTE_ADDR=ATTACKER) for _ in range(3)]
    assert responses[1].status_code != 429
    assert responses[2].status_code == 429


def test_changes_of_password_and_address_are_limited(client, account, monkeypatch):
    set_limit(monkeypatch, adapter._CHANGES, "2/hour")
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    pages = ["email", "password/change", "email"]
    responses = [client.post(f"/accounts/{page}/", {}) for page in pages]
    assert [response.status_code == 429 for response in responses] == [False, False, True]


def test_signing_up_does_not_reveal_registered_addresses(account):
    known, new = Client(), Client()
    responses = [
        sign_up(known, "bob", email=ADDRESS.upper()),
        sign_up(new, "cyd", email="cyd@example.org"),
    ]
    assert [(one.status_code, one.headers["Location"]) for one in responses] == [
        (302, "/lobby/")
    ] * 2
    existing, new_account = mail.outbox
    assert existing.to == [ADDRESS]
    assert "an account already" in existing.subject
    assert "confirm" in new_account.subject
    shown = [client.get("/accounts/").content.decode() for client in (known, new)]
    for page in shown:
        assert "confirm" in page
    assert EmailAddress.objects.get(email=ADDRESS, verified=True).user == account


def test_adding_an_address_does_not_reveal_registered_addresses(client, account):
    sign_up(client, "bob", email="bob@example.org")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD}, REMOTE_ADDR=HOME)
    mail.outbox.clear()
    responses = [
        client.post("/accounts/email/", {"action_add": "", "email": email}, REMOTE_ADDR=HOME)
        for email in (ADDRESS, "free@example.org")
    ]
    assert len({(one.status_code, one.headers.get("Location")) for one in responses}) == 1
    assert [one.to for one in mail.outbox] == [[ADDRESS], ["free@example.org"]]
    assert not EmailAddress.objects.filter(email=ADDRESS, verified=True).exclude(user=account)


def test_signing_up_with_a_registered_address_does_not_take_the_account_over(account):
    stranger = Client()
    sign_up(stranger, "bob", email=ADDRESS)
    stranger.post("/accounts/logout/")
    owner = Client()
    account.set_password("the owner's heron")
    account.save()
    sign_in(owner, name=ADDRESS, password="the owner's heron")
    assert int(owner.session["_auth_user_id"]) == account.pk
    reset(owner)
    assert "ann" in str(mail.outbox[-1].body)


@pytest.mark.parametrize("host", ["evil.example.org", "other.example"])
def test_links_in_mails_have_the_configured_host(account, settings, host):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "https://play.example"
    client = Client(HTTP_HOST=host)
    sign_up(client, "bob", email="bob@example.org")
    sign_up(Client(HTTP_HOST=host), "cyd", email=ADDRESS)
    reset(Client(HTTP_HOST=host))
    reset(Client(HTTP_HOST=host), email="missing@example.org")
    assert len(mail.outbox) == 4
    for one in mail.outbox:
        text = f"{one.subject} {one.body}"
        assert host not in text
        assert set(re.findall(r"https?://[^/\s]+", text)) == {"https://play.example"}
