"""Previews of pages on other sites: their addresses, and the answers to oEmbed."""

import json

import pytest
from django.http import Http404

from antipodes.web.platform import previews
from antipodes.web.platform.previews import Preview, make_preview, oembed

SITE = "http://testserver"


@pytest.fixture
def embedded(monkeypatch):
    """The preview of the rules of a game, and the games whose preview is asked for."""
    asked: list[str] = []
    shown = Preview("Rules & more", "How to play.", f"{SITE}/rules/hex/", frame=f"{SITE}/f/?a&b")
    found = {"preview": shown}

    def provider(request, game_id):
        asked.append(game_id)
        if game_id == "nothing":
            raise Http404
        return found["preview"]

    monkeypatch.setattr(previews, "providers", {"game-rules": provider})
    return found, asked


def answer_to(rf, url=f"{SITE}/rules/hex/", **query):
    """Return the status and the data of an answer."""
    response = oembed(rf.get("/oembed", {"url": url, **query}))
    return response.status_code, json.loads(response.content)


def test_a_page_is_embedded_in_a_frame(rf, embedded):
    status, data = answer_to(rf)
    assert (status, embedded[1]) == (200, ["hex"])
    assert data == {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Antipodes",
        "provider_url": f"{SITE}/",
        "title": "Rules & more",
        "html": (
            f'<iframe src="{SITE}/f/?a&amp;b" width="480" height="640"'
            ' title="Rules &amp; more" loading="lazy"></iframe>'
        ),
        "width": 480,
        "height": 640,
    }


def test_a_preview_may_have_an_author_and_a_picture(rf, embedded):
    embedded[0]["preview"] = Preview("a", "b", "c", picture="d.png", frame="e", author="ann")
    _, data = answer_to(rf, url="/rules/hex/")
    more = {"author_name": "ann", "thumbnail_url": "d.png"}
    assert {name: data[name] for name in more} == more
    assert (data["thumbnail_width"], data["thumbnail_height"]) == (1_200, 1_200)


@pytest.mark.parametrize(
    ("asked", "size"),
    [("479", 479), ("481", 480), ("240", 240), ("239", 240), ("0", 240), ("99999", 480)]
    + [(text, 480) for text in ("100000", "-300", "3e2", "", "wide")],
)
def test_a_frame_is_as_small_as_wanted_but_not_unreadable(rf, embedded, asked, size):
    _, data = answer_to(rf, maxwidth=asked, maxheight="300")
    assert (data["width"], data["height"]) == (size, 300)
    assert f'width="{size}" height="300"' in data["html"]


@pytest.mark.parametrize(
    "url",
    [
        "http://elsewhere.org/rules/hex/",
        f"{SITE}/rules/nothing/",
        f"{SITE}/no/such/page/",
        f"{SITE}/rules/",
        f"{SITE}/rules/hex/" + "?" * 500,
        "",
    ],
)
def test_other_addresses_cannot_be_embedded(rf, embedded, url):
    if "?" in url:
        url = f"{SITE}/{'/' * 500}rules/hex/"
    message = "This address cannot be embedded."
    assert answer_to(rf, url) == (404, {"code": "embed/refused", "message": message})


def test_a_page_without_frame_cannot_be_embedded_and_the_only_format_is_json(rf, embedded):
    assert answer_to(rf, format="json")[0] == 200
    message = "Only JSON is available."
    expected = (501, {"code": "embed/refused", "message": message})
    assert answer_to(rf, format="xml") == expected
    embedded[0]["preview"] = Preview("a", "b", "c")
    assert answer_to(rf)[0] == 404


def test_other_sites_may_read_the_answer_and_change_nothing(rf, embedded):
    response = oembed(rf.get("/oembed", {"url": "/rules/hex/"}))
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert oembed(rf.post("/oembed", {"url": "/rules/hex/"})).status_code == 405


def test_addresses_of_a_preview_are_absolute(rf):
    request = rf.get("/m/abc/")
    found = make_preview(
        request, "/m/abc/", title="a", description="b", picture="/p.png", frame="/f/"
    )
    assert (found.url, found.picture, found.frame) == (
        f"{SITE}/m/abc/",
        f"{SITE}/p.png",
        f"{SITE}/f/",
    )
    query = "url=http%3A%2F%2Ftestserver%2Fm%2Fabc%2F&format=json"
    assert found.oembed == f"{SITE}/oembed?{query}"
    bare = make_preview(request, "/m/abc/", title="a", description="b", picture="", frame="")
    assert (bare.picture, bare.frame, bare.oembed) == ("", "", "")


@pytest.mark.parametrize("url", ["http://[", "//[", "http://[::1", "http://\u2100.com/", "\ud800"])
def test_an_address_that_is_none_cannot_be_embedded(rf, embedded, url):
    request = rf.get("/oembed")
    request.GET = {"url": url}
    assert oembed(request).status_code == 404
    assert embedded[1] == []
