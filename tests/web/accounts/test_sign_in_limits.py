"""Attackers cannot lock an owner out of an account, flood a mailbox or learn who has an account."""

import re

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal import auth as totp
from django.core import mail
from django.test import Client

from antipodes.web.accounts import adapter, known_devices, sign_in_limits
from antipodes.web.accounts.models import User

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"
ADDRESS = "ann@example.org"
HOME, SCHOOL, ATTACKER = "192.0.2.7", "192.0.2.99", "198.51.100.1"


def attackers(count):
    return [f"198.51.100.{number}" for number in range(1, count + 1)]


@pytest.fixture
def account(db):
    """An account whose owner is somewhere else."""
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


def few(monkeypatch, limit, amount):
    monkeypatch.setenv(limit.setting, amount)


def is_in(client):
    return "_auth_user_id" in client.session


def attack(count=120, name="ann"):
    """Try wrong passwords from many networks; return the last answer."""
    answers = [
        sign_in(Client(), name=name, password="wrong", address=address)
        for address in attackers(count)
    ]
    return answers[-1]


def test_wrong_passwords_from_elsewhere_do_not_refuse_the_right_one(account):
    answers = [sign_in(Client(), password="wrong", address=ATTACKER) for _ in range(8)]
    assert answers[-1].status_code == 429
    owner = Client()
    assert sign_in(owner).status_code == 302
    assert is_in(owner)


def test_too_many_attempts_from_one_network_wait_and_are_told_how_long(account):
    answers = [sign_in(Client(), password="wrong", address=ATTACKER) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert 0 < int(answers[-1].headers["Retry-After"]) <= 300
    assert "used before" in answers[-1].content.decode()
    assert sign_in(Client(), address=ATTACKER).status_code == 429


def test_names_that_nobody_has_wait_as_long(account):
    for name in ("ann", "nobody"):
        answers = [
            sign_in(Client(), name=name, password="wrong", address=ATTACKER) for _ in range(6)
        ]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]


def test_name_and_mail_address_are_counted_as_one_account(account):
    for name in ("ann", "ANN", ADDRESS, ADDRESS.upper(), "ann"):
        sign_in(Client(), name=name, password="wrong", address=ATTACKER)
    assert sign_in(Client(), name=ADDRESS, address=ATTACKER).status_code == 429


def test_a_known_device_gets_in_while_the_account_is_attacked(account, monkeypatch):
    few(monkeypatch, sign_in_limits.OF_ACCOUNT, "10/hour")
    owner = Client()
    sign_in(owner)
    owner.post("/accounts/logout/")
    assert attack(12).status_code == 429
    assert sign_in(Client()).status_code == 429
    for address in (HOME, ATTACKER):
        assert sign_in(owner, address=address).status_code == 302
        assert is_in(owner)
        owner.post("/accounts/logout/")


def test_all_unknown_devices_together_try_an_account_so_often(account, monkeypatch):
    few(monkeypatch, sign_in_limits.OF_ACCOUNT, "10/hour")
    assert attack(10).status_code == 200
    assert attack(11).status_code == 429


def test_one_network_tries_all_accounts_so_often(account, monkeypatch):
    few(monkeypatch, sign_in_limits.OF_ADDRESS, "10/hour")
    answers = [
        sign_in(Client(), name=f"name-{number}", password="wrong", address=ATTACKER)
        for number in range(11)
    ]
    assert [answer.status_code for answer in answers] == [200] * 10 + [429]
    assert sign_in(Client(), address=HOME).status_code == 302


def test_a_new_password_by_mail_lets_in_while_the_account_is_attacked(account, monkeypatch):
    few(monkeypatch, sign_in_limits.OF_ACCOUNT, "10/hour")
    attack(12)
    owner = Client()
    reset(owner)
    link = re.search(r"https?://[^/]+(/\S+)", str(mail.outbox[-1].body))
    assert link is not None
    place = owner.get(link[1], follow=True).redirect_chain[-1][0]
    new = "another quiet heron"
    owner.post(place, {"password1": new, "password2": new})
    assert sign_in(owner, password=new).status_code == 302
    assert is_in(owner)


def test_a_known_device_that_fails_too_often_is_unknown(account, monkeypatch):
    few(monkeypatch, sign_in_limits.ON_DEVICE, "6/day")
    device = Client()
    sign_in(device)
    device.post("/accounts/logout/")
    answers = [sign_in(device, password="wrong", address=ATTACKER) for _ in range(12)]
    assert [answer.status_code for answer in answers] == [200] * 11 + [429]
    assert sign_in(device, address=HOME).status_code == 302


def test_the_right_password_forgets_wrong_ones(account):
    for _ in range(3):
        for _ in range(4):
            sign_in(Client(), password="wrong")
        assert sign_in(Client()).status_code == 302


def test_a_known_device_of_one_account_is_unknown_to_another(account, monkeypatch):
    make_account("bob")
    few(monkeypatch, sign_in_limits.OF_ACCOUNT, "10/hour")
    attacker = Client()
    sign_in(attacker, name="bob", address=ATTACKER)
    attacker.post("/accounts/logout/")
    attack(10)
    assert sign_in(attacker, address=ATTACKER).status_code == 429


@pytest.mark.parametrize("value", ["", "x", "W10:1:2", "\x00"])
def test_a_cookie_that_the_site_did_not_sign_makes_no_device_known(account, rf, value):
    request = rf.get("/")
    request.COOKIES[known_devices.COOKIE] = value
    assert known_devices.device_of(request, account) is None


def test_the_cookie_of_a_device_is_hidden_from_scripts_and_guests_get_none(client, account):
    client.post("/play/hex/", {"level": "1"})
    assert known_devices.COOKIE not in client.cookies
    sign_in(client)
    cookie = client.cookies[known_devices.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_codes_of_the_second_step_are_counted_like_passwords(account):
    secret = totp.generate_totp_secret()
    totp.TOTP.activate(account, secret)
    place = "/accounts/2fa/authenticate/"
    attacker, owner = Client(), Client()
    sign_in(attacker, address=ATTACKER)
    answers = [attacker.post(place, {"code": "000000"}, REMOTE_ADDR=ATTACKER) for _ in range(6)]
    assert answers[-1].status_code == 429
    sign_in(owner)
    counter = next(totp.yield_hotp_counters_from_time())
    code = totp.format_hotp_value(totp.hotp_value(secret, counter))
    owner.post(place, {"code": code}, REMOTE_ADDR=HOME)
    assert is_in(owner)


def test_a_mailbox_gets_few_mails_however_many_are_asked_for(account):
    for address in attackers(20):
        assert reset(Client(), address=address).status_code == 302
    assert len(mail.outbox) == 3
    for address in attackers(20):
        reset(Client(), email="nobody@example.org", address=address)
    assert len(mail.outbox) == 6


def test_the_owner_gets_mail_on_a_known_device_after_a_flood(account):
    owner = Client()
    sign_in(owner)
    owner.post("/accounts/logout/")
    for address in attackers(5):
        reset(Client(), address=address)
    before = len(mail.outbox)
    reset(owner)
    assert len(mail.outbox) == before + 1


def test_one_network_asks_for_few_new_passwords(account, monkeypatch):
    few(monkeypatch, adapter._BY_ADDRESS["account_reset_password"], "4/hour")
    answers = [
        reset(Client(), email=f"x{number}@example.org", address=ATTACKER) for number in range(5)
    ]
    assert [answer.status_code for answer in answers] == [302] * 4 + [429]
    assert reset(Client()).status_code == 302


def test_one_network_opens_few_accounts(monkeypatch):
    few(monkeypatch, adapter._SIGNUPS, "2/hour")
    answers = [
        sign_up(Client(), name, email=f"{name}@example.org", address=address)
        for name, address in [
            ("ann", "2001:db8::1"),
            ("bob", "2001:db8::2"),
            ("cyd", "2001:db8::3"),
        ]
    ]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert "Retry-After" in answers[-1].headers
    assert User.objects.count() == 2


def test_one_network_sends_few_sign_up_forms(monkeypatch):
    few(monkeypatch, adapter._BY_ADDRESS["account_signup"], "2/hour")
    answers = [sign_up(Client(), "x") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]


def test_one_network_tries_few_links_to_set_passwords(monkeypatch):
    few(monkeypatch, adapter._BY_ADDRESS["account_reset_password_from_key"], "2/hour")
    place = "/accounts/password/reset/key/1-set-password/"
    answers = [Client().post(place, {}, REMOTE_ADDR=ATTACKER) for _ in range(3)]
    assert answers[1].status_code != 429
    assert answers[2].status_code == 429


def test_an_account_changes_its_password_and_address_a_few_times(client, account, monkeypatch):
    few(monkeypatch, adapter._CHANGES, "2/hour")
    client.force_login(account, "django.contrib.auth.backends.ModelBackend")
    pages = ["email", "password/change", "email"]
    answers = [client.post(f"/accounts/{page}/", {}) for page in pages]
    assert [answer.status_code == 429 for answer in answers] == [False, False, True]


def test_signing_up_does_not_tell_that_a_mail_address_is_registered(account):
    known, new = Client(), Client()
    answers = [
        sign_up(known, "bob", email=ADDRESS.upper()),
        sign_up(new, "cyd", email="cyd@example.org"),
    ]
    assert [(one.status_code, one.headers["Location"]) for one in answers] == [(302, "/lobby/")] * 2
    there, here = mail.outbox
    assert there.to == [ADDRESS]
    assert "an account already" in there.subject
    assert "confirm" in here.subject
    shown = [client.get("/accounts/").content.decode() for client in (known, new)]
    for page in shown:
        assert "confirm" in page
    assert EmailAddress.objects.get(email=ADDRESS, verified=True).user == account


def test_an_address_of_another_account_is_not_told_when_it_is_added(client, account):
    sign_up(client, "bob", email="bob@example.org")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD}, REMOTE_ADDR=HOME)
    mail.outbox.clear()
    answers = [
        client.post("/accounts/email/", {"action_add": "", "email": email}, REMOTE_ADDR=HOME)
        for email in (ADDRESS, "free@example.org")
    ]
    assert len({(one.status_code, one.headers.get("Location")) for one in answers}) == 1
    assert [one.to for one in mail.outbox] == [[ADDRESS], ["free@example.org"]]
    assert not EmailAddress.objects.filter(email=ADDRESS, verified=True).exclude(user=account)


def test_who_signs_up_with_the_address_of_another_does_not_sign_in_as_them(account):
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
def test_links_in_mails_name_the_site_and_never_the_host_of_the_request(account, settings, host):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_URL = "https://play.example"
    client = Client(HTTP_HOST=host)
    sign_up(client, "bob", email="bob@example.org")
    sign_up(Client(HTTP_HOST=host), "cyd", email=ADDRESS)
    reset(Client(HTTP_HOST=host))
    reset(Client(HTTP_HOST=host), email="nobody@example.org")
    assert len(mail.outbox) == 4
    for one in mail.outbox:
        text = f"{one.subject} {one.body}"
        assert host not in text
        assert set(re.findall(r"https?://[^/\s]+", text)) == {"https://play.example"}
