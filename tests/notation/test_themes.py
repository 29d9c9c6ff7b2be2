"""Board themes of pictures have the colours of the site's style sheet."""

import re
from itertools import product
from pathlib import Path

import pytest

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.notation.svg.style import (
    CELL,
    CELL_EDGE,
    CHAIN,
    HEAT,
    LAST,
    NET,
    PAGE,
    PAINTS,
    SHADED_CELL,
)
from antipodes.notation.svg.themes import DARK_THEMES, THEMES, in_theme, on_any_page

STATIC = Path("src/antipodes/web/static/antipodes")
SHEET = (STATIC / "themes.css").read_text(encoding="utf-8")
SETTINGS = (STATIC / "board/settings.js").read_text(encoding="utf-8")
TOKENS = {
    "board-open": CELL,
    "board-shaded": SHADED_CELL,
    "board-edge": CELL_EDGE,
    "board-accent": LAST,
    "board-chain": CHAIN,
    **{color.value: PAINTS[color].fill for color in list(Color)[2:]},
}

DARK_TOKENS = {**TOKENS, "board-page": PAGE, "board-net": NET, "board-heat": HEAT}


def light(theme):
    """Return the light colours of a theme in the style sheet."""
    rules = re.findall(rf'\[data-board="{theme}"\] {{(.*?)}}', SHEET, re.DOTALL)
    pairs = re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})", "".join(rules))
    return {TOKENS[name]: color for name, color in pairs if name in TOKENS}


MARKS = ["board-accent", "board-rim", "board-net", "board-heat"]
GROUNDS = ["board-open", "board-cell", "board-shaded"]
RODS = ["red", "blue", "vert", "horz"]


def colour_pairs(selector):
    """Return the light and the dark colour of each name in the rules of a selector."""
    rules = "".join(
        re.findall(rf"^{re.escape(selector)} {{(.*?)}}", SHEET, re.DOTALL | re.MULTILINE)
    )
    both = r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w{6}))"
    return {name: (a or c, b or c) for name, a, b, c in re.findall(both, rules)}


def themed_pairs(theme):
    pairs = colour_pairs(":is(:root, .board-preview[data-stones])")
    pairs |= colour_pairs(":is(antipodes-board, .board-preview[data-board])")
    if theme == "clear":
        pairs |= colour_pairs(':is(:root, antipodes-board)[data-board="clear"]')
    return pairs | colour_pairs(f':is(antipodes-board, .board-preview)[data-board="{theme}"]')


def luminance(colour):
    """Return the relative luminance of WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, second):
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("brightness", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("theme", THEMES)
def test_marks_stand_out_from_every_cell(theme, brightness):
    colours = {name: pair[brightness] for name, pair in themed_pairs(theme).items()}
    faint = {
        (mark, ground): round(ratio, 2)
        for mark, ground in product(MARKS, GROUNDS)
        if (ratio := contrast(colours[mark], colours[ground])) < 3
    }
    assert not faint


@pytest.mark.parametrize("theme", THEMES)
def test_rods_and_black_stones_stand_out_from_dark_cells(theme):
    colours = {name: pair[1] for name, pair in themed_pairs(theme).items()}
    cell = colours["board-cell"]
    assert [name for name in RODS if contrast(colours[name], cell) < 2] == []
    assert contrast(colours["black"], cell) >= 2


def test_every_theme_has_the_colours_of_the_site():
    for theme, colors in list(THEMES.items())[1:]:
        assert light(theme).items() <= colors.items(), theme
        assert light(theme).keys() >= {CELL, SHADED_CELL, CELL_EDGE, LAST}, theme


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_has_the_dark_colours_of_the_site(theme):
    dark = {name: pair[1] for name, pair in themed_pairs(theme).items()}
    for name, color in DARK_TOKENS.items():
        assert dark[name] == DARK_THEMES[theme].get(color, dark["horz"]), name


def test_style_sheet_settings_and_pictures_have_the_same_themes():
    offered = SETTINGS.partition("const THEMES = [")[2].partition("\n];")[0]
    assert re.findall(r'\["(\w+)",', offered) == list(THEMES)
    assert set(re.findall(r'data-board="(\w+)"', SHEET)) == set(list(THEMES)[1:])


def test_a_picture_in_a_theme_differs_in_colours_only():
    svg = make_game("antipod", {"side": 3}).initial().to_svg()
    assert in_theme(svg, "sand") == svg
    shapes = re.sub("#[0-9a-f]{6}", "", svg)
    found = {theme: in_theme(svg, theme) for theme in THEMES}
    assert len(set(found.values())) == len(THEMES)
    assert {re.sub("#[0-9a-f]{6}", "", text) for text in found.values()} == {shapes}


@pytest.mark.parametrize("theme", THEMES)
def test_a_picture_for_any_page_differs_in_its_style_only(theme):
    svg = make_game("antipod", {"side": 3}).initial().to_svg()
    adaptive = on_any_page(svg, theme)
    [style] = re.findall("<style>.*</style>", adaptive)
    assert adaptive.replace(style, "") == in_theme(svg, theme)
    for color in re.findall(r'="(#\w{6})"', style):
        assert color in in_theme(svg, theme)


def test_a_picture_without_colours_stays_as_it_is():
    assert on_any_page("<svg/>", "sand") == "<svg/>"
