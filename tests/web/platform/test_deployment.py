"""Laws of what a host who serves the world gets."""

import os
import subprocess
import sys

import pytest
from django.test import override_settings


def check(folder, **environment):
    """Let Django check the site's own settings as for the world."""
    names = ("SECRET_KEY", "HTTPS", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL", "DEBUG")
    clean = {name: value for name, value in os.environ.items() if name not in names}
    ours = {
        "DJANGO_SETTINGS_MODULE": "antipodes.web.project.settings",
        "ANTIPODES_DATA": str(folder),
    }
    command = [sys.executable, "-m", "django", "check", "--deploy", "--fail-level", "WARNING"]
    found = subprocess.run(
        command, env={**clean, **ours, **environment}, capture_output=True, text=True, check=False
    )
    return found.returncode, found.stdout + found.stderr


def test_djangos_own_check_for_deployment_finds_nothing(tmp_path):
    code, said = check(tmp_path, HTTPS="true", ALLOWED_HOSTS="play.example.org")
    assert code == 0, said


def test_without_https_the_check_says_so(tmp_path):
    code, said = check(tmp_path)
    assert code != 0
    assert "SESSION_COOKIE_SECURE" in said


@pytest.mark.django_db
def test_nothing_of_a_page_comes_from_elsewhere_and_no_script_stands_in_it(client):
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "connect-src 'self' ws://testserver;" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]


@pytest.mark.django_db
def test_pages_that_were_asked_for_without_tls_are_asked_for_again_with_it(client):
    with override_settings(
        SECURE_SSL_REDIRECT=True, SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")
    ):
        assert client.get("/").url == "https://testserver/"
        behind = client.get("/", headers={"X-Forwarded-Proto": "https"})
        assert behind.status_code == 200
        assert "wss://testserver" in behind.headers["Content-Security-Policy"]
