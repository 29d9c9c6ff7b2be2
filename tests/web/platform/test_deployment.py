"""Tests of the settings of a public site."""

import os
import subprocess
import sys

import pytest
from django.test import override_settings


def check(folder, **environment):
    """Run Django's deployment checks on the site's settings."""
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


@pytest.mark.extreme  # in `make test`, `antipodes doctor` runs these checks in test_doctor.py
def test_djangos_deployment_checks_pass(tmp_path):
    code, output = check(tmp_path, HTTPS="true", ALLOWED_HOSTS="play.example.org")
    assert code == 0, output


@pytest.mark.extreme
def test_missing_https_is_reported(tmp_path):
    code, output = check(tmp_path)
    assert code != 0
    assert "SESSION_COOKIE_SECURE" in output


@pytest.mark.django_db
def test_pages_forbid_inline_scripts_and_other_origins(client):
    response = client.get("/")
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self' 'wasm-unsafe-eval';" in policy
    assert policy.count("unsafe") == 1
    assert "connect-src 'self' ws://testserver;" in policy
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "same-origin"
    assert "camera=()" in response.headers["Permissions-Policy"]


@pytest.mark.django_db
def test_requests_without_tls_are_redirected(client):
    with override_settings(
        SECURE_SSL_REDIRECT=True, SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https")
    ):
        assert client.get("/").url == "https://testserver/"
        by_proxy = client.get("/", headers={"X-Forwarded-Proto": "https"})
        assert by_proxy.status_code == 200
        assert "wss://testserver" in by_proxy.headers["Content-Security-Policy"]
