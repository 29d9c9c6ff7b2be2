"""Pictures of boards are in the viewer's board theme."""

import pytest

from antipodes.notation.svg.style import CELL
from antipodes.notation.svg.themes import DEFAULT_THEME, THEMES
from antipodes.puzzles import store

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
