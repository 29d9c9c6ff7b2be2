"""Pictures of boards are in the viewer's board theme."""

import subprocess
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import caches

from antipodes.notation.svg.style import CELL
from antipodes.notation.svg.themes import DEFAULT_THEME, THEMES
from antipodes.puzzles import store
from antipodes.web.platform import pictures, rasterizer
from antipodes.web.platform.limits import BusyError, TooManyError
from antipodes.web.site_pages.views import qr_svg

pytestmark = pytest.mark.django_db

PICTURES = [
    "/rules/antipod.svg",
    "/learn/hex-rules/swap.svg",
    "/learn/first-game/hex.svg",
    "/practice/board.svg?game=hex",
    f"/puzzles/{next(iter(store.puzzles('antipod'))).id}/board.svg",
]


@pytest.mark.parametrize("address", PICTURES)
def test_pictures_have_the_theme_that_the_browser_has_stored(client, address):
    plain = client.get(address)
    assert plain.status_code == 200
    assert CELL in plain.content.decode()
    assert "Cookie" in plain.headers["Vary"]
    drawn = {plain.content}
    for theme, colors in THEMES.items():
        client.cookies["board"] = theme
        picture = client.get(address)
        drawn.add(picture.content)
        if theme != DEFAULT_THEME:
            assert colors[CELL] in picture.content.decode()
            assert CELL not in picture.content.decode()
    assert len(drawn) == len(THEMES)
    client.cookies["board"] = "<script>"
    assert client.get(address).content == plain.content


@pytest.fixture
def drawn(monkeypatch):
    """Pictures that are drawn, of which a PNG is the reverse of the SVG, and their widths."""
    found: list[object] = []

    def draw_png(svg, width):
        found.append(width)
        return svg.encode()[::-1]

    monkeypatch.setattr(pictures, "draw_png_soon", draw_png)
    caches["pictures"].clear()
    yield found
    caches["pictures"].clear()


def answer(rf, kind, drawn, key="7", **headers):
    """Return the response with a picture."""

    def draw():
        drawn.append("draw")
        return "<svg/>"

    request = rf.get("/", headers=headers, REMOTE_ADDR="192.0.2.7")
    return pictures.picture_response(request, key, kind, draw, name="board", caching="no-cache")


@pytest.mark.parametrize(
    ("kind", "content_type", "content", "steps"),
    [
        ("svg", "image/svg+xml", b"<svg/>", ["draw"]),
        ("png", "image/png", b">/gvs<", ["draw", 1_200]),
    ],
)
def test_a_picture_is_drawn_once_and_sent_to_clients_that_do_not_have_it(
    rf, drawn, kind, content_type, content, steps
):
    for _ in range(2):
        found = answer(rf, kind, drawn)
        assert (found.status_code, found.content) == (200, content)
        assert dict(found.headers) == {
            "Content-Type": content_type,
            "Content-Disposition": f'inline; filename="board.{kind}"',
            "ETag": f'"{kind}-7"',
            "Cache-Control": "no-cache",
        }
    known = {"if-none-match": f'"{kind}-7"'}
    assert answer(rf, kind, drawn, **known).status_code == 304
    assert drawn == steps
    assert answer(rf, kind, drawn, "8", **known).status_code == 200
    assert drawn == 2 * steps


def test_a_png_counts_as_four_pictures(rf, drawn, monkeypatch):
    monkeypatch.setenv("LIMIT_PICTURES", "6/hour")
    for number, kind in enumerate(("png", "svg", "svg")):
        answer(rf, kind, drawn, str(number))
    with pytest.raises(TooManyError):
        answer(rf, "svg", drawn, "another")
    assert answer(rf, "png", drawn, "0").status_code == 200, "it is kept"
    assert drawn == ["draw", 1_200, "draw", "draw"]


def test_a_picture_of_a_page_is_cached_for_each_theme(rf):
    found = pictures.board_picture(rf.get("/"), "<svg/>", "max-age=5")
    assert (found.content, found.headers["Content-Type"]) == (b"<svg/>", "image/svg+xml")
    assert (found.headers["Cache-Control"], found.headers["Vary"]) == ("max-age=5", "Cookie")


@pytest.fixture
def rasterized(monkeypatch):
    """The programs that draw pictures, with their input; the first fails."""
    found: list[Any] = []

    def run(command, *, timeout, **options):
        assert (timeout, options["check"], options["capture_output"]) == (20, True, True)
        found.append((command[-2:], options["input"]))
        if len(found) == 1:
            raise subprocess.TimeoutExpired(command, timeout)
        return SimpleNamespace(stdout=b"a picture")

    monkeypatch.setattr(subprocess, "run", run)
    return found


def test_a_picture_that_could_not_be_drawn_frees_its_place(rasterized):
    with pytest.raises(OSError, match="could not be drawn"):
        rasterizer.draw_png("<svg/>", 90)
    assert rasterizer.draw_png("<svg/>", 90) == b"a picture"
    assert rasterizer.draw_png("<svg/>", 5, shape_rendering="crisp_edges") == b"a picture"
    usual = (["90", "geometric_precision"], b"<svg/>")
    assert rasterized == [usual, usual, (["5", "crisp_edges"], b"<svg/>")]


def test_a_picture_that_takes_too_long_is_refused_as_on_a_busy_site(rasterized):
    with pytest.raises(BusyError) as refused:
        rasterizer.draw_png_soon("<svg/>", 90)
    assert (refused.value.status, refused.value.seconds) == (503, 3)
    assert rasterizer.draw_png_soon("<svg/>", 90) == b"a picture"
    assert len(rasterized) == 2


def test_three_requests_wait_for_pictures_and_others_are_refused(monkeypatch):
    waiting: list[object] = []

    def draw(_svg, _width):
        waiting.append(1)
        if len(waiting) <= 3:
            return rasterizer.draw_png_soon("<svg/>", 90)
        return pytest.fail("four wait")

    monkeypatch.setattr(rasterizer, "draw_png", draw)
    with pytest.raises(BusyError) as refused:
        rasterizer.draw_png_soon("<svg/>", 90)
    assert (len(waiting), refused.value.seconds) == (3, 3)
    monkeypatch.setattr(rasterizer, "draw_png", lambda *given: repr(given).encode())
    for _ in range(4):
        assert rasterizer.draw_png_soon("<svg/>", 90) == b"('<svg/>', 90)"


def test_a_qr_code_is_dark_on_white_with_modules_of_eight_pixels():
    svg = qr_svg("x")
    begin, _, path = svg.partition('<path d="')
    assert begin == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" width="232" height="232"'
        ' shape-rendering="crispEdges"><rect width="29" height="29" fill="#fff"/>'
    )
    squares, _, end = path.partition('"')
    assert squares.startswith("".join(f"M{x} 4h1v1h-1z" for x in range(4, 11)))
    assert end == ' fill="#000"/></svg>'
