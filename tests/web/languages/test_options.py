"""Labels of the options of games."""

import re

import pytest
from django.utils import translation

from antipodes.errors import Phrase
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import find_level
from antipodes.web.accounts.levels import computer_name, level_description, level_name
from antipodes.web.platform.templatetags.translations import languages_of_site, phrase
from antipodes.web.platform.translations import (
    game_label,
    option_label,
    value_label,
)
from antipodes.web.project.wiring import LIBRARY_TEXTS


def test_options_are_labelled_with_their_names():
    names = {info.name for game_id in game_ids() for info in game_class(game_id).option_table()}
    others = {name for name in names if option_label(name).lower() != name.replace("_", " ")}
    assert others == {"first"}
    assert option_label("first") == "Colour that begins"
    assert option_label("side") == "Side"


def test_values_have_labels_and_numbers_are_unchanged():
    values = ["cutthroat3", "cutthroat4", "on", "12", 7, True]
    assert [value_label(one) for one in values] == [
        "cut-throat for three",
        "cut-throat for four",
        "on",
        "12",
        "7",
        "True",
    ]
    with translation.override("de"):
        assert [value_label(one) for one in ("on", "12")] == ["an", "12"]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en-gb", "Hex · with swap · size 4 · black begins · no dead stones"),
        ("de", "Hex · mit Tausch · Größe 4 · schwarz beginnt · "),
    ],
)
def test_the_label_of_a_game_has_its_options(language, label):
    options = {"swap": "on", "size": 4, "first": "black", "dead_stones": "off"}
    with translation.override(language):
        assert game_label("hex", options).startswith(label)
        assert game_label("hex", {}) == "Hex"


def test_levels_have_names_and_descriptions():
    level = find_level("novice")
    assert [level_name(one) for one in (level, "novice", "9")] == ["Novice", "Novice", "Master"]
    assert level_description(level) == "1 Novice: a child wins"
    assert computer_name("novice") == "computer, novice"
    with translation.override("de"):
        assert [level_name(level), computer_name("novice")] == ["Anfänger", "Computer, Anfänger"]
        assert level_description(level) == "1 Anfänger: ein Kind gewinnt"


def test_templates_translate_phrases_and_list_the_languages():
    with translation.override("de"):
        assert phrase(Phrase("Hex, {colour}", {"colour": Phrase("Black")})) == "Hex, Schwarz"
        assert phrase("Black") == "Black"
    assert languages_of_site() == [("en-gb", "English"), ("de", "Deutsch"), ("fr", "Français")]


def test_texts_of_the_library_of_every_kind_are_translated():
    texts = {text for texts in LIBRARY_TEXTS for text in texts()}
    assert {
        ("colour", "black"),
        ("level", "Novice"),
        ("level", "novice"),
        ("level", "pairing strategy"),
        ("option", "Colour that begins"),
        ("option", "swap"),
        ("value of an option", "pieces"),
        ("value of an option", "cut-throat for three"),
        *(
            (None, text)
            for text in (
                "Black",
                "the point is not empty",
                "{winner} wins on time",
                "No winner, ended by time",
                "a child wins",
                "Antipod",
                "Is Antipod fair?",
                "Why White begins with six stones",
                "squares along a side",
                "join the two poles with a chain of black stones",
                "rows and columns of the board",
                "Round robin",
                "Everyone meets everyone",
                "how often two players meet, with seats exchanged",
            )
        ),
    } <= texts
    assert all(re.search(r"[^\d\W]", text) for _, text in texts)
    assert not [text for _, text in texts if text.count("{winner}") > 1]
