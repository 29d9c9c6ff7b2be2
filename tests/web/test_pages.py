"""Tests of all pages: headers, compression and error pages."""

import gzip
import re

import pytest
from django import forms
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.template import Context
from django.test import Client, override_settings
from django.urls import path
from django.utils import translation
from django.utils.feedgenerator import Atom1Feed, Rss201rev2Feed

from antipodes.errors import Fault, InputError
from antipodes.web.platform import feeds, security_headers, static_files
from antipodes.web.platform.cookies import set_preference
from antipodes.web.platform.form_errors import FormFaults
from antipodes.web.platform.limits import TooManyError
from antipodes.web.platform.request_middleware import HeadRequests
from antipodes.web.platform.templatetags.pages import pager
from antipodes.web.project import urls
from tests.web.file_client import FileClient, not_found

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
    # The engine in the page is WebAssembly, which is not made of texts.
    assert "unsafe" not in policy.replace("'self' 'wasm-unsafe-eval';", "")
    text = response.content.decode()
    assert "<script>" not in text
    assert " style=" not in text
    assert " onclick=" not in text


def test_pages_and_files_are_compressed(client):
    headers = {"accept-encoding": "gzip"}
    page = client.get("/", headers=headers)
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"Antipodes" in gzip.decompress(page.content)
    plain = FileClient().head("/static/antipodes/site.css")
    small = FileClient().head("/static/antipodes/site.css", headers=headers)
    assert small.headers["Content-Encoding"] == "gzip"
    assert int(small.headers["Content-Length"]) < int(plain.headers["Content-Length"]) / 2


def test_a_compressed_copy_has_the_content_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(static_files, "data_folder", lambda: tmp_path)
    file = tmp_path / "some.txt"
    for text in ("first " * 200, "second " * 200):
        file.write_text(text, encoding="utf-8")
        assert gzip.decompress(static_files.compressed(file).read_bytes()).decode() == text


def test_scripts_and_styles_are_sent_without_comments():
    headers = {"accept-encoding": "gzip"}
    for name, comment in (("board.css", b"/* The pictures */"), ("board/marks.js", b"// Marks")):
        source = FileClient().get(f"/static/antipodes/{name}").content
        sent = gzip.decompress(
            FileClient().get(f"/static/antipodes/{name}", headers=headers).content
        )
        assert comment in source
        assert comment not in sent
        assert len(sent) < len(source)


def test_an_unchanged_file_is_not_sent_again():
    headers = {"accept-encoding": "gzip"}
    known = (
        FileClient().head("/static/antipodes/site.css", headers=headers).headers["Last-Modified"]
    )
    headers["if-modified-since"] = known
    assert FileClient().head("/static/antipodes/site.css", headers=headers).status_code == 304


def test_browsers_keep_the_files_that_a_page_names(client):
    page = client.get("/").content.decode()
    named = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    assert f"/static/{static_files.release()}/antipodes/board.js" in named
    for address in named:
        answer = FileClient().head(address)
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "max-age=31536000, public, immutable"


def test_pages_of_an_earlier_release_get_files_that_browsers_do_not_keep():
    earlier = FileClient().get("/static/0123456789ab/antipodes/site.css")
    assert earlier.content == FileClient().get("/static/antipodes/site.css").content
    assert earlier.headers["Cache-Control"] == "max-age=60, public"


def test_the_pages_answer_for_a_missing_file(client):
    address = f"/static/{static_files.release()}/antipodes/no.css"
    assert FileClient().get(address).status_code == 404
    missing = client.get(address)
    assert missing.status_code == 404
    assert "immutable" not in missing.headers.get("Cache-Control", "")


def test_the_inventors_are_credited_on_every_page(client):
    text = client.get("/lobby/").content.decode()
    for name in ("Cameron Browne", "Martin Collier", "Shane Hendrickson", "Piet Hein", "John Nash"):
        assert name in text


@pytest.mark.parametrize(
    ("method", "address", "allowed", "status", "seen"),
    [
        ("HEAD", "/a/", "GET, POST", 200, ["HEAD", "GET"]),
        ("HEAD", "/a/", "POST", 405, ["HEAD"]),
        ("HEAD", "/a/", None, 405, ["HEAD"]),
        ("HEAD", "/api/v1/a", "GET", 405, ["HEAD"]),
        ("HEAD", "/api/", "GET", 200, ["HEAD", "GET"]),
        ("HEAD", "/a/", "HEAD, GET", 200, ["HEAD"]),
        ("POST", "/a/", "GET", 405, ["POST"]),
    ],
)
def test_head_is_answered_as_get_where_a_page_accepts_get_alone(
    rf, method, address, allowed, status, seen
):
    methods = []

    def view(request):
        methods.append(request.method)
        if allowed and request.method in allowed.split(", "):
            return HttpResponse("a page")
        return HttpResponse(status=405, headers={"Allow": allowed} if allowed else {})

    request = rf.generic(method, address)
    assert HeadRequests(view)(request).status_code == status
    assert methods == seen
    assert request.method == method


def test_a_page_that_fails_after_head_leaves_the_method(rf):
    def view(request):
        if request.method == "HEAD":
            return HttpResponse(status=405, headers={"Allow": "GET"})
        raise ZeroDivisionError

    request = rf.head("/a/")
    with pytest.raises(ZeroDivisionError):
        HeadRequests(view)(request)
    assert request.method == "HEAD"


def test_security_headers_are_added_where_a_response_has_none(rf, settings):
    settings.ALLOWED_HOSTS = ["play.example.org"]

    def headers_of(view=lambda _request: HttpResponse(), **more):
        request = rf.get("/", headers={"host": "play.example.org"}, **more)
        return security_headers.ContentSecurityPolicy(view)(request).headers

    policy = (
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:;"
        " connect-src 'self' {socket}; object-src 'none'; base-uri 'none'; form-action 'self';"
        " frame-ancestors {ancestors}"
    )
    usual = headers_of()
    expected = policy.format(socket="ws://play.example.org", ancestors="'none'")
    assert usual["Content-Security-Policy"] == expected
    assert usual["Permissions-Policy"] == (
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    )
    framed = headers_of(security_headers.frames_allowed(lambda _request: HttpResponse()))
    expected = policy.format(socket="ws://play.example.org", ancestors="*")
    assert framed["Content-Security-Policy"] == expected
    secure = headers_of(secure=True)["Content-Security-Policy"]
    assert "connect-src 'self' wss://play.example.org;" in secure
    own = {"Content-Security-Policy": "default-src 'none'", "Permissions-Policy": "usb=()"}
    kept = headers_of(lambda _request: HttpResponse(headers=own))
    assert {name: kept[name] for name in own} == own


@pytest.mark.parametrize(
    ("name", "size", "is_compressed"),
    [
        ("some.txt", 500, True),
        ("some.txt", 499, False),
        ("some.woff2", 5_000, False),
        ("some.svg", 5_000, True),
    ],
)
def test_large_texts_alone_are_compressed(tmp_path, monkeypatch, name, size, is_compressed):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))
    file = tmp_path / name
    file.write_bytes(b"x" * size)
    files = static_files.StaticFiles(not_found)
    files.files[f"/static/{name}"] = files.get_static_file(str(file), f"/static/{name}")
    response = FileClient(files).get(f"/static/{name}", headers={"accept-encoding": "gzip"})
    assert ("Content-Encoding" in response.headers) is is_compressed
    assert (response.content == file.read_bytes()) is not is_compressed
    kinds = {"txt": 'text/plain; charset="utf-8"', "svg": "image/svg+xml", "woff2": "font/woff2"}
    assert response.headers["Content-Type"] == kinds[file.suffix[1:]]


def test_a_compressed_copy_is_written_once_and_scripts_of_others_are_not_minified(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))
    file = tmp_path / "some.js"
    file.write_text("// a comment\nlet a = 1;\n")
    copy = static_files.compressed(file)
    assert gzip.decompress(copy.read_bytes()) == file.read_bytes()
    assert [one.name for one in copy.parent.iterdir()] == [copy.name]
    assert (copy.parent.parent, copy.name[:8], copy.suffix) == (
        tmp_path / "data",
        "some.js-",
        ".gz",
    )
    assert len(copy.name) == len("some.js-") + 16 + len(".gz")
    assert copy.read_bytes()[4:8] == bytes(4), "the same on each machine"
    copy.write_bytes(b"kept")
    assert static_files.compressed(file).read_bytes() == b"kept"


def test_a_preference_is_a_cookie_that_lasts_a_year(settings):
    for is_secure in (False, True):
        settings.HTTPS = is_secure
        response = HttpResponse()
        set_preference(response, "board", "slate")
        cookie = response.cookies["board"]
        assert cookie.value == "slate"
        assert (cookie["max-age"], cookie["samesite"]) == (31_536_000, "Lax")
        assert (cookie["httponly"], cookie["secure"]) == (True, is_secure or "")


@pytest.mark.parametrize(
    ("kind", "content_type"), [(Atom1Feed, "atom+xml"), (Rss201rev2Feed, "rss+xml")]
)
def test_a_feed_is_sent_to_readers_that_do_not_have_it(rf, kind, content_type):
    written = []

    def write():
        written.append(1)
        return kind("News", "http://testserver/", "of the day")

    def response_to(latest="7", **headers):
        return feeds.feed_response(rf.get("/", headers=headers), kind, latest, write)

    with translation.override("de"):
        first = response_to()
        assert first.headers["Content-Type"] == f"application/{content_type}; charset=utf-8"
        assert first.headers["ETag"] == f'"{kind.__name__}-7-de"'
        assert first.headers["Cache-Control"] == f"private, max-age={feeds.MAX_AGE}"
        assert first.headers["Vary"] == "Accept-Language, Cookie"
        assert b"<title>News</title>" in first.content
        known = {"if-none-match": first.headers["ETag"]}
        assert response_to(**known).status_code == 304
        assert len(written) == 1
        assert response_to("8", **known).status_code == 200
    with translation.override("fr"):
        assert response_to(**known).status_code == 200


def test_faults_in_a_block_become_errors_of_a_form_and_exceeded_limits_do_not():
    form = forms.Form({})
    with FormFaults(form) as faults:
        pass
    assert (faults.found, form.errors) == (False, {})
    with faults:
        raise InputError([Fault("a", "the size is too large"), Fault("b", "no such game")])
    assert faults.found
    assert form.non_field_errors() == ["the size is too large", "no such game"]
    for error in (TooManyError(4), KeyError("x")):
        with pytest.raises(type(error)), FormFaults(forms.Form({})) as others:
            raise error
        assert not others.found


@pytest.mark.parametrize(
    ("given", "shown", "number", "previous", "following"),
    [
        ({}, "?v=3&q=a+b", 1, "", "?q=a+b&page=2"),
        ({}, "?page=2", 2, "?page=1", "?page=3"),
        ({"name": "tables", "anchor": "pairings"}, "?page=2", 3, "?page=2&tables=2#pairings", ""),
    ],
)
def test_links_between_pages_keep_the_rest_of_the_query(
    rf, given, shown, number, previous, following
):
    page = Paginator([1, 2, 3], 1).page(number)
    found = pager(Context({"request": rf.get(f"/list/{shown}")}), page, **given)
    assert found == {
        "page": page,
        "label": "Pages",
        "before": "Back",
        "after": "Next",
        "previous": previous,
        "next": following,
    }


def test_links_between_pages_may_have_words_of_their_own(rf):
    page = Paginator([1, 2], 1).page(1)
    words = {"label": "Pages of the table", "before": "Higher", "after": "Lower"}
    found = pager(Context({"request": rf.get("/list/")}), page, **words)
    assert {name: found[name] for name in words} == words
