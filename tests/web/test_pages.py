"""Tests of all pages: headers, compression and error pages."""

import gzip

import pytest
from django.test import Client, override_settings
from django.urls import path

from antipodes.web.platform import static_files
from antipodes.web.project import urls

pytestmark = pytest.mark.django_db


def broken(request):
    """Raise an unexpected error."""
    raise ZeroDivisionError("secret details")


urlpatterns = [*urls.urlpatterns, path("broken/", broken)]


def test_an_unexpected_error_is_a_500_without_details():
    with override_settings(ROOT_URLCONF=__name__, DEBUG=False):
        response = Client(raise_request_exception=False).get("/broken/")
    assert response.status_code == 500
    assert b"Something went wrong" in response.content
    assert b"secret details" not in response.content
    assert b"Traceback" not in response.content


def test_a_form_without_csrf_token_has_a_page():
    response = Client(enforce_csrf_checks=True).post("/play/hex/")
    assert response.status_code == 403
    assert b"Form expired" in response.content


def test_a_missing_page_has_a_404_page(client):
    response = client.get("/nowhere/")
    assert response.status_code == 404
    assert b"Page not found" in response.content


def test_a_wrong_host_has_a_400_page(client):
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    assert b"Bad request" in response.content


def test_head_is_answered_like_get_without_a_body(client):
    for address in ("/", "/lobby/", "/tv/", "/simuls/", "/studies/", "/nowhere/", "/import/"):
        head, got = client.head(address), client.get(address)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert head.headers["Content-Type"] == got.headers["Content-Type"]
    assert client.head("/play/hex/").status_code == 405


@pytest.mark.parametrize("address", ["/", "/lobby/", "/rules/antipod/", "/accounts/signup/"])
def test_pages_allow_only_scripts_from_files(client, address):
    response = client.get(address)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    text = response.content.decode()
    assert "<script>" not in text
    assert " style=" not in text
    assert " onclick=" not in text


def test_pages_and_files_are_compressed(client):
    headers = {"accept-encoding": "gzip"}
    page = client.get("/", headers=headers)
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"Antipodes" in gzip.decompress(page.content)
    plain = client.head("/static/antipodes/site.css")
    small = client.head("/static/antipodes/site.css", headers=headers)
    assert small.headers["Content-Encoding"] == "gzip"
    assert int(small.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2


def test_a_compressed_copy_has_the_content_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(static_files, "data_folder", lambda: tmp_path)
    file = tmp_path / "some.txt"
    for text in ("first " * 200, "second " * 200):
        file.write_text(text, encoding="utf-8")
        assert gzip.decompress(static_files.compressed(file).read_bytes()).decode() == text


def test_scripts_and_styles_are_sent_without_comments(client):
    headers = {"accept-encoding": "gzip"}
    for name, comment in (("board.css", b"/* The pictures */"), ("board/marks.js", b"// Marks")):
        source = client.get(f"/static/antipodes/{name}").content
        sent = gzip.decompress(client.get(f"/static/antipodes/{name}", headers=headers).content)
        assert comment in source
        assert comment not in sent
        assert len(sent) < len(source)


def test_an_unchanged_file_is_not_sent_again(client):
    headers = {"accept-encoding": "gzip"}
    known = client.head("/static/antipodes/site.css", headers=headers).headers["Last-Modified"]
    headers["if-modified-since"] = known
    assert client.head("/static/antipodes/site.css", headers=headers).status_code == 304


def test_the_inventors_are_credited_on_every_page(client):
    text = client.get("/lobby/").content.decode()
    for name in ("Cameron Browne", "Martin Collier", "Shane Hendrickson", "Piet Hein", "John Nash"):
        assert name in text
