"""Attributes of cookies."""

import re
from pathlib import Path

import pytest
from django.conf import settings as site_settings

import antipodes.web

WEB = Path(antipodes.web.__file__).parent


@pytest.mark.django_db
@pytest.mark.parametrize("https", [True, False])
def test_preference_cookies_are_secure_under_https(client, settings, https):
    settings.HTTPS = https
    client.post("/theme", {"theme": "dark"})
    client.get("/lobby/", {"chosen": "1", "game": "hex"})
    client.post("/language", {"language": "de"})
    for name in ("theme", "lobby", site_settings.LANGUAGE_COOKIE_NAME):
        assert bool(client.cookies[name]["secure"]) is https, name
        assert client.cookies[name]["httponly"]
        assert client.cookies[name]["samesite"] == "Lax"


def test_only_one_module_sets_cookies():
    setting = re.compile(r"\.set_(?:signed_)?cookie\(|\.cookies\[[^]]+\] *=")
    files = [path for path in WEB.rglob("*.py") if setting.search(path.read_text(encoding="utf-8"))]
    assert [path.relative_to(WEB).as_posix() for path in files] == ["platform/cookies.py"]
    # Scripts set cookies that hold nothing about a person: the fonts are loaded, the board's theme.
    setting = re.compile(r"document\.cookie = (.+);|cookieStore")
    set_by_scripts = {
        path.relative_to(WEB).as_posix(): found[1]
        for path in WEB.rglob("*.js")
        if (found := setting.search(path.read_text(encoding="utf-8")))
    }
    usual = "; path=/; max-age=${YEAR}; samesite=lax${secure}`"
    assert set_by_scripts == {
        "static/antipodes/site/page.js": f"`fonts=on{usual}",
        "static/antipodes/board/settings.js": f"`board=${{theme}}{usual}",
    }


def test_cookies_of_django_are_secure_under_https():
    text = (WEB / "project/settings.py").read_text(encoding="utf-8")
    assert re.search(r"^SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS$", text, re.MULTILINE)
