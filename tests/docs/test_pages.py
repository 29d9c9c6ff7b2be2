"""Tests of the pages of the docs: they are listed, complete, and their links work."""

import importlib
import re

import pytest

import antipodes
from antipodes.games.registry import game_class, game_ids
from tests.cases import for_each
from tests.docs.pages import DOCS, PAGES, TEXTS, anchors_of, name_of, prose_of, text_of

GAME_PAGES = [DOCS / "games" / f"{game_id}.md" for game_id in game_ids()]
RULINGS = DOCS / "rulings.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
ROLE = re.compile(r"\{ours\}`([\w-]+)`")


def test_every_page_is_in_a_table_of_contents():
    trees = re.findall(r"```\{toctree\}\n(.*?)```", text_of(DOCS / "index.md"), re.DOTALL)
    listed = {line for tree in trees for line in tree.splitlines() if line and line[0] != ":"}
    there = {path.relative_to(DOCS).with_suffix("").as_posix() for path in PAGES}
    assert listed == there - {"index"}


@for_each("page", TEXTS, ids=name_of)
def test_links_lead_to_pages_and_headings_that_exist(page):
    for link in LINK.findall(prose_of(page)):
        if re.match(r"[a-z]+:", link):
            continue
        address, _, anchor = link.partition("#")
        target = (page.parent / address).resolve() if address else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors_of(target), link


@pytest.mark.parametrize("page", GAME_PAGES, ids=name_of)
def test_a_game_has_a_page_with_its_options_its_pictures_and_the_first_move(page):
    text = text_of(page)
    assert text.startswith(f"# {game_class(page.stem).title}\n")
    assert f"```{{options-table}} {page.stem}\n```" in text
    assert f"```{{board}} {page.stem}\n" in text
    for heading in ("History", "Rules", "Notation", "Your first move", "Options"):
        assert f"\n## {heading}\n" in text
    assert f"$ antipodes play {page.stem}" in text
    assert "```{doctest}" in text


def test_our_rulings_are_marked_where_they_apply_and_explained_on_one_page():
    marked = {name for page in GAME_PAGES for name in ROLE.findall(text_of(page))}
    explained = set(re.findall(r"^\(ruling-([\w-]+)\)=$", text_of(RULINGS), re.MULTILINE))
    assert marked == explained - {"list"}


@pytest.mark.parametrize(
    ("game_id", "option"),
    [
        ("antipod", "swap"),
        ("antipod", "first"),
        ("antipod", "handicap"),
        ("antipod", "extra_stones"),
        ("antipalos", "phase_two_limit"),
        ("antipode", "full_board"),
    ],
)
def test_an_option_that_settles_an_open_question_is_named_among_the_rulings(game_id, option):
    assert option in [info.name for info in game_class(game_id).option_table()]
    assert re.search(rf"`{option}\b", text_of(RULINGS))


def test_pages_use_the_british_spelling_of_colour_outside_of_code():
    for page in TEXTS:
        words = re.sub(r"`[^`]*`|\]\([^)]*\)", "", prose_of(page))
        assert not re.search(r"\bcolors?\b", words, re.IGNORECASE), name_of(page)


def test_every_public_name_is_in_the_reference():
    names = set(re.findall(r"antipodes\.(\w+)(?: <|`)", text_of(DOCS / "reference.md")))
    assert names == set(antipodes.__all__)


def test_the_reference_leads_each_public_name_to_its_home():
    pairs = re.findall(r"`antipodes\.(\w+) <([\w.]+)>`", text_of(DOCS / "reference.md"))
    assert len(pairs) == len(antipodes.__all__) - 1  # the module of errors is its own home
    for name, home in pairs:
        module, _, attribute = home.rpartition(".")
        assert getattr(importlib.import_module(module), attribute) is getattr(antipodes, name)


def test_the_glossary_is_sorted_and_has_each_word_once():
    block = text_of(DOCS / "glossary.md").split("```{glossary}\n")[1].split("```")[0]
    words = [line for line in block.splitlines() if line and not line.startswith(" ")]
    assert words == sorted(set(words), key=lambda word: word.lower().replace("ç", "c"))


@for_each("page", TEXTS, ids=name_of)
def test_no_empty_line_breaks_a_table(page):
    """A row after an empty line begins a table, so a line of dashes must follow it."""
    lines = ["", *prose_of(page).split("\n"), ""]
    rows = [index for index, line in enumerate(lines) if line.startswith("|")]
    first = [index for index in rows if not lines[index - 1].startswith("|")]
    assert [lines[at] for at in first if not re.match(r"\|[ :|-]+$", lines[at + 1])] == []
