"""Tests of the documentation on the site: its pages and headers, and no other files."""

import base64
import hashlib
import re

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.games.registry import game_ids
from antipodes.web.platform.config import docs_folder
from antipodes.web.platform.static_files import StaticFiles, policy
from tests.web.file_client import FileClient, not_found

PAGE = (
    b'<html><head><script src="_static/a.js"></script>'
    b"<script>document.body.dataset.theme = 1</script></head><body>Welcome</body></html>"
)
# echo -n 'document.body.dataset.theme = 1' | openssl dgst -sha256 -binary | base64
HASH = "mSXnyZx/KHK36+xjNJOjHyg4SKigbJVKkXspuEW3qug="


@pytest.fixture
def built(settings, tmp_path):
    """A client of the files of a site with documentation, whose folder is beside a secret file."""
    (tmp_path / "secret.html").write_text("a secret")
    folder = tmp_path / "html"
    (folder / "games").mkdir(parents=True)
    (folder / "index.html").write_bytes(PAGE)
    (folder / "games" / "antipod.html").write_bytes(PAGE)
    (folder / "board.svg").write_text("<svg/>")
    settings.DOCS_FOLDER = folder
    return FileClient(StaticFiles(not_found))


def test_the_site_serves_its_documentation_and_links_to_it(built, db, client):
    first = built.get("/docs/")
    assert first.content == PAGE
    assert first.headers["Content-Type"] == 'text/html; charset="utf-8"'
    assert built.get("/docs/games/antipod.html").content == PAGE
    assert 'href="/docs/"' in client.get("/privacy/").content.decode()
    assert built.get("/docs").headers["Location"] == "docs/"
    assert built.get("/docs/index.html").headers["Location"] == "./"


def test_browsers_cache_and_revalidate_the_documentation(built):
    response = built.get("/docs/board.svg")
    assert response.headers["Cache-Control"] == "max-age=3600, public"
    again = built.get("/docs/board.svg", headers={"if-none-match": response.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/docs/../secret.html",
        "/docs/%2e%2e/secret.html",
        "/docs/games/../../secret.html",
        "/docs/..%2fsecret.html",
        "/docs/%2e%2e%5csecret.html",
        "/docs//etc/passwd",
        "/docs/nothing.html",
    ],
)
@pytest.mark.parametrize("debug", [False, True])
@pytest.mark.usefixtures("built")
def test_nothing_outside_the_documentation_is_served(settings, path, debug):
    settings.WHITENOISE_AUTOREFRESH = debug
    response = FileClient(StaticFiles(not_found)).get(path)
    assert response.status_code == 404
    assert b"a secret" not in response.content


def test_pages_of_the_documentation_allow_only_their_own_scripts(built):
    found = built.get("/docs/").headers["Content-Security-Policy"]
    assert f"script-src 'self' 'sha256-{HASH}';" in found
    assert "default-src 'self'" in found
    assert "frame-ancestors 'none'" in found


def test_the_documentation_has_the_security_headers_of_pages(built, client, db):
    names = ("X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy")
    page, file = client.get("/privacy/").headers, built.get("/docs/").headers
    assert {name: page[name] for name in names} == {name: file[name] for name in names}


def test_a_policy_names_no_script_that_is_a_file():
    assert policy(b"<script src='a.js'></script>").count("sha256") == 0


def test_a_site_without_documentation_does_not_link_to_it(client, db):
    response = client.get("/docs/")
    assert response.status_code == 200
    assert "has not been built" in response.content.decode()
    assert client.get("/docs/games/antipod.html").status_code == 404
    for address in ("/", "/privacy/", "/knowledge/"):
        assert 'href="/docs/' not in client.get(address).content.decode()
    for game_id in game_ids():
        assert "/docs/" not in client.get(f"/rules/{game_id}/").content.decode()


@pytest.mark.usefixtures("built", "db")
def test_rules_link_to_the_documentation(client):
    page = client.get("/rules/antipod/").content.decode()
    assert 'href="/docs/games/antipod.html"' in page


def test_a_named_folder_without_documentation_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("ANTIPODES_DOCS", str(tmp_path))
    with pytest.raises(InvalidOptionsError, match="ANTIPODES_DOCS"):
        docs_folder()
    (tmp_path / "index.html").write_bytes(PAGE)
    assert docs_folder() == tmp_path


def test_a_script_that_a_page_has_twice_is_allowed_once_and_its_order_is_kept():
    page = b"<script>b</script><script>a</script><script type='x'>b</script><script></script>"
    [scripts] = re.findall(r"script-src 'self'([^;]*);", policy(page))
    digests = [base64.b64encode(hashlib.sha256(one).digest()).decode() for one in (b"b", b"a")]
    assert scripts == "".join(f" 'sha256-{one}'" for one in digests)


def test_pages_alone_have_a_policy_and_the_notice_is_read_alone(built, db, client):
    assert "Content-Security-Policy" not in built.get("/docs/board.svg").headers
    assert client.post("/docs/").status_code == 405
