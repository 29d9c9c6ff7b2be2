"""Tests of the pages about the site itself, and of the laws of its stylesheets."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from antipodes.web.platform import static_files
from antipodes.web.site_pages.views import qr_svg

pytestmark = pytest.mark.django_db

STATIC = Path(__file__).resolve().parents[3] / "src/antipodes/web/static/antipodes"
SHEETS = [one for one in sorted(STATIC.glob("*.css")) if one.name != "staff.css"]  # Django's tokens
SIZE = re.compile(r"font(?:-size)?:[^;}]*?\d(?:rem|em)\b")
# Shares of the size of the text around them, not sizes of their own.
RELATIVE = {"font-size: 0.8em"}


def test_the_manifest_names_icons_that_exist(client):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    icons = answer.json()["icons"]
    assert {one["purpose"] for one in icons} == {"any", "maskable"}
    for one in icons:
        file = Path(str(finders.find(static_files.path_of(one["src"]))))
        if file.suffix == ".png":
            width = int.from_bytes(file.read_bytes()[16:20])
            assert one["sizes"] == f"{width}x{width}"


def test_a_qr_code_has_an_address_of_this_site(client):
    answer = client.get("/qr.svg", {"path": "/m/abc/?ply=3"})
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.content.decode() == qr_svg("http://testserver/m/abc/?ply=3")


def test_a_qr_code_of_another_site_is_refused(client):
    for path in ("", "https://evil.example/", "//evil.example/", "m/abc/", "/" + 500 * "a"):
        assert client.get("/qr.svg", {"path": path}).status_code == 400


def test_qr_codes_of_an_address_are_limited(monkeypatch):
    monkeypatch.setenv("LIMIT_QR_CODES", "2/hour")
    client = Client(REMOTE_ADDR="198.51.100.7")
    found = [client.get("/qr.svg", {"path": "/"}).status_code for _ in range(3)]
    assert found == [200, 200, 429]


def test_fonts_have_their_licences():
    fonts = sorted(STATIC.glob("fonts/*.woff2"))
    assert len(fonts) == 2
    for font in fonts:
        licence = STATIC / f"fonts/OFL-{font.stem}.txt"
        assert "SIL Open Font License, Version 1.1" in licence.read_text(encoding="utf-8")


def test_pages_begin_with_the_fonts_once_the_browser_has_them(client):
    assert b"fonts.css" not in client.get("/offline/").content
    client.cookies["fonts"] = "on"
    assert b"fonts.css" in client.get("/offline/").content


def test_sizes_of_text_come_from_the_tokens():
    for sheet in SHEETS:
        if sheet.name != "tokens.css":
            found = set(SIZE.findall(sheet.read_text(encoding="utf-8"))) - RELATIVE
            assert not found, f"{sheet.name}: use --text-… of tokens.css instead of {found}"


def test_every_token_in_use_is_defined():
    text = "".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS)
    defined = set(re.findall(r"(--[\w-]+):", text))
    used = set(re.findall(r"var\((--[\w-]+)\)", text))
    assert used <= defined, used - defined


def test_the_manifest_describes_the_site_in_the_readers_language(client):
    answer = client.get("/manifest.webmanifest", headers={"Accept-Language": "de"}).json()
    assert answer["lang"] == "de"
    found = client.get("/manifest.webmanifest").json()
    icons = [tuple(one.values()) for one in found.pop("icons")]
    assert icons == [
        (static("antipodes/icon.svg"), "any", "image/svg+xml", "any"),
        (static("antipodes/icon-192.png"), "192x192", "image/png", "any"),
        (static("antipodes/icon-512.png"), "512x512", "image/png", "any"),
        (static("antipodes/icon-maskable-512.png"), "512x512", "image/png", "maskable"),
    ]
    assert found == {
        "id": "/",
        "name": "Antipodes",
        "short_name": "Antipodes",
        "description": "Play Antipod, Antipalos, Antipode and Hex against people and computers.",
        "lang": "en-gb",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fdfbf6",
        "theme_color": "#fdfbf6",
        "categories": ["games"],
        "shortcuts": [
            {"name": "Lobby", "url": "/lobby/"},
            {"name": "Puzzles", "url": "/puzzles/"},
            {"name": "Learn", "url": "/learn/"},
        ],
    }
    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8")
    assert f"--page: light-dark({found['theme_color']}," in tokens


@pytest.mark.parametrize(("length", "status"), [(500, 200), (501, 400)])
def test_a_qr_code_has_an_address_of_limited_length(client, length, status):
    answer = client.get("/qr.svg", {"path": f"/{'a' * (length - 1)}"})
    assert answer.status_code == status
    if status == 400:
        assert answer.context["reason"] == "No address of this site."


def test_the_styleguide_shows_tokens_that_are_defined(client, root):
    client.force_login(root)
    tokens = client.get("/styleguide/").context["tokens"]
    sheet = (STATIC / "tokens.css").read_text(encoding="utf-8")
    defined = re.findall(r"--([\w-]+):", sheet)
    assert tokens["spaces"] == tuple(range(1, 8))
    names = [*tokens["colours"], *(f"text-{one}" for one in tokens["texts"])]
    names += [f"space-{one}" for one in tokens["spaces"]]
    assert [one for one in names if one not in defined] == []
