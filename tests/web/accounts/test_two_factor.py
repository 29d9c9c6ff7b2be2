"""Two-factor authentication, and the list of sessions."""

import json
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.core.cache import cache
from django.test import Client

from antipodes.web.accounts.data_export import export_data
from antipodes.web.accounts.models import User
from antipodes.web.accounts.two_factor import TwoFactorAdapter
from tests.web.accounts.codes import code_for

pytestmark = pytest.mark.django_db

PASSWORD = "a quiet heron"


@pytest.fixture(autouse=True)
def _no_limits_from_other_tests():
    cache.clear()


@pytest.fixture
def account(db):
    """An account with a confirmed address."""
    user = User.objects.create_user("heron", "heron@example.org", PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def browser():
    found = Client()
    found.post("/accounts/login/", {"login": "heron", "password": PASSWORD})
    if "_auth_user_id" in found.session:
        found.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return found


def is_accepted(code):
    client = browser()
    client.post("/accounts/2fa/authenticate/", {"code": code})
    return "_auth_user_id" in client.session


def set_up(client):
    page = client.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    assert secret in page.content.decode()
    client.post("/accounts/2fa/totp/activate/", {"code": code_for(secret)})
    return secret


def test_signing_in_needs_a_code_after_setting_up_an_app(account):
    first = browser()
    secret = set_up(first)
    stored = Authenticator.objects.get(user=account, type="totp")
    assert secret not in str(stored.data), "it is encrypted"
    cache.clear()  # a code can be used only once
    second = browser()
    assert second.get("/accounts/2fa/authenticate/").status_code == 200
    assert "_auth_user_id" not in second.session
    wrong = second.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert "_auth_user_id" not in second.session
    assert "Incorrect code" in wrong.content.decode()
    second.post("/accounts/2fa/authenticate/", {"code": code_for(secret)})
    assert second.session["_auth_user_id"] == str(account.pk)


def test_a_code_may_be_typed_a_period_late_or_early(account, monkeypatch):
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    secret = set_up(browser())
    cache.clear()
    accepted = {n: is_accepted(code_for(secret, periods=n)) for n in (-2, -1, 0, 1, 2)}
    assert accepted == {-2: False, -1: True, 0: True, 1: True, 2: False}


def test_a_code_works_once_as_long_as_it_is_valid(account, monkeypatch):
    clock = [1_800_000_000.0]
    monkeypatch.setattr(time, "time", lambda: clock[0])
    secret = set_up(browser())
    cache.clear()
    code = code_for(secret, periods=1)
    assert is_accepted(code)
    for seconds in (29, 30, 30):
        clock[0] += seconds
        assert not is_accepted(code)
        assert not is_accepted(f"{code[:3]} {code[3:]}")


def test_a_recovery_code_works_once(account):
    first = browser()
    set_up(first)
    shown = first.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    assert len(shown) == 10
    for expected in (True, False):
        cache.clear()
        assert is_accepted(shown[0]) is expected


def test_a_data_export_has_no_secrets_of_two_factor_authentication(account):
    set_up(browser())
    rows = json.loads("".join(export_data(account, str)))["rows"]["mfa.authenticator"]
    assert {row["type"] for row in rows} == {"totp", "recovery_codes"}
    assert not [row for row in rows if "data" in row]


def test_secrets_are_decrypted_with_the_present_key_or_a_fallback(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "first key", []
    encrypted = TwoFactorAdapter().encrypt("secret")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "second key", ["first key"]
    assert TwoFactorAdapter().decrypt(encrypted) == "secret"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(InvalidToken):
        TwoFactorAdapter().decrypt(encrypted)


def test_secrets_are_encrypted_with_a_key_of_any_length(settings):
    for key in ("k", "k" * 64, "ä" * 100):
        settings.SECRET_KEY = key
        assert TwoFactorAdapter().decrypt(TwoFactorAdapter().encrypt("secret")) == "secret"


def test_two_factor_pages_use_the_sites_layout(account):
    client = browser()
    set_up(client)
    for page in ("", "recovery-codes/", "recovery-codes/generate/", "totp/deactivate/"):
        response = client.get(f"/accounts/2fa/{page}")
        assert response.status_code == 200, page
        assert 'href="#main"' in response.content.decode()


def test_other_sessions_can_be_ended(account):
    here, there = browser(), browser()
    page = here.get("/accounts/sessions/").content.decode()
    assert "this session" in page
    there.get("/accounts/sessions/")
    here.post("/accounts/sessions/")
    assert here.get("/accounts/").status_code == 200
    assert there.get("/accounts/").status_code == 302


def test_two_factor_and_session_pages_redirect_guests(client):
    client.post("/play/hex/", {"level": "1"})
    for page in ("2fa/", "sessions/"):
        assert client.get(f"/accounts/{page}").url == "/accounts/signup/"
