"""Translations of the library's English texts: games, options, results, faults.

:func:`texts` lists them for the catalogues; apps bring those that they show alone. Texts with
values, such as errors, carry the template and the values apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext as _

from antipodes.core import Color, Outcome
from antipodes.core.illegality import Illegality
from antipodes.errors import Fault, InputError, Phrase
from antipodes.games.figures import FIGURES
from antipodes.games.options import OptionInfo
from antipodes.games.position import Position
from antipodes.games.registry import by_ruleset, game_class, game_ids
from antipodes.games.texts import Section, game_notes, short_rules
from antipodes.records.result import LOSER, Reason, Result

# Contexts: "on" is one thing as a value of an option and another in a sentence.
_COLOR, _OPTION, _VALUE = "colour", "option", "value of an option"
# Where the name of an option is no label.
_OPTION_NAMES = {"first": "Colour that begins"}
# Where a value is no label.
_VALUE_NAMES = {
    "cutthroat3": "cut-throat for three",
    "cutthroat4": "cut-throat for four",
}


def translate(text: str) -> str:
    """Translate a text of the library, such as the title of a game."""
    return gettext(text) if text else ""


def color_name(color: Color) -> str:
    """Return the name of a colour, capitalised."""
    return gettext(color.title)


def option_label(name: str) -> str:
    return pgettext(_OPTION, _option_name(name))


def _option_name(name: str) -> str:
    return _OPTION_NAMES.get(name) or name.replace("_", " ").capitalize()


def value_label(value: object) -> str:
    """Return the label of an option's value; numbers are unchanged."""
    if not isinstance(value, str) or value.isdigit():
        return f"{value}"
    return pgettext(_VALUE, _value_name(value))


def _value_name(value: str) -> str:
    return _VALUE_NAMES.get(value, value)


def game_label(game_id: str, options: Mapping[str, object]) -> str:
    """Return the title of a game with its options that differ from the defaults."""
    title = translate(game_class(game_id).title)
    return " · ".join([title, *(_setting_label(name, value) for name, value in options.items())])


def _setting_label(name: str, value: object) -> str:
    """Return a short label of an option with its value."""
    if name == "first":
        return _("%(colour)s begins") % {"colour": pgettext(_COLOR, str(value))}
    values = {"option": pgettext(_OPTION, name.replace("_", " ")), "value": value_label(value)}
    if value == "on":
        return _("with %(option)s") % values
    if value == "off":
        return _("no %(option)s") % values
    return _("%(option)s %(value)s") % values


def result_text(result: Result | Outcome) -> str:
    """Say in the reader's language how a match, or a game on the board, has ended."""
    return (Result.of(result) if isinstance(result, Outcome) else result).sentence(translate)


def fault_message(fault: Fault) -> str:
    """Translate the message of a fault; without translation it stays English."""
    if not fault.template:
        return translate(fault.message)
    return phrase_text(Phrase(fault.template, fault.values))


def caption_text(position: Position) -> str:
    """Translate the caption of a position: game, and player to move or winner."""
    return " ".join(map(phrase_text, position.caption_phrases()))


def phrase_text(phrase: Phrase) -> str:
    """Translate a phrase, and the phrases among its values."""
    values = {name: _part_text(value) for name, value in phrase.values.items()}
    return translate(phrase.template).format_map(values)


def _part_text(value: object) -> object:
    """Translate a value of a phrase; other values are unchanged."""
    if isinstance(value, Phrase):
        return phrase_text(value)
    if isinstance(value, tuple):
        return ", ".join(str(_part_text(one)) for one in value)
    if isinstance(value, Color):
        return pgettext(_COLOR, value.value)
    if isinstance(value, Result | Outcome):
        return result_text(value)
    return value


def error_message(error: InputError) -> str:
    """Translate all faults of an error, each with its place."""
    return "; ".join(_placed(fault) for fault in error.faults)


def _placed(fault: Fault) -> str:
    words = fault_message(fault)
    if not fault.where or fault.message.startswith(fault.where):
        return words
    values = {"place": place_text(fault.where), "fault": words}
    return _("%(place)s: %(fault)s") % values


def place_text(where: str) -> str:
    """Translate the place of a fault; names of options and fields are unchanged."""
    return ", ".join(map(_part_of_place, where.split(", ")))


def _part_of_place(part: str) -> str:
    kind, _space, name = part.partition(" ")
    texts = {
        "move": _("move %(number)s"),
        "line": _("line %(number)s"),
        "column": _("column %(number)s"),
        "character": _("character %(number)s"),
        "row": _("row %(number)s"),
        "file": _("file %(number)s"),
    }
    if part == "the size":
        return _("the size")
    if kind not in texts or not re.fullmatch(r"\d+|[a-z]", name):
        return part
    return texts[kind] % {"number": name}


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the texts of games and results that pages show, with their contexts."""
    for color in Color:
        yield None, color.title
        yield _COLOR, color.value
    for illegality in Illegality:
        yield None, illegality.message
    for reason in Reason:
        yield from ((None, Result(winner, reason).template) for winner in (None, Color.BLACK))
    yield None, LOSER
    for game_id in game_ids():
        game = game_class(game_id)
        rules = short_rules(game_id)
        for text in (game.title, game.summary, rules.byline, *rules.paragraphs):
            yield None, text
        yield from ((None, figure.caption) for figure in FIGURES.get(game_id, ()))
        yield from ((None, example.caption) for example in game.rule_examples)
        for section in game_notes(game_id):
            yield from ((None, text) for text in _texts_of_section(section))
        for ruleset in by_ruleset(game_id).values():
            yield from ((None, goal) for goal in ruleset.goals_in_words.values())
        for info in game().option_table():
            yield from option_texts(info)


def _texts_of_section(section: Section) -> Iterator[str]:
    yield section.title
    for block in section.blocks:
        yield from (text for text in (block.text, *sum(block.rows, ())) if re.search(r"\D", text))


def option_texts(info: OptionInfo) -> Iterator[tuple[str | None, str]]:
    """Yield the texts of an option: its name, its help, and its values."""
    yield _OPTION, _option_name(info.name)
    yield _OPTION, info.name.replace("_", " ")
    yield None, info.help
    for value in info.values:
        if not value.isdigit():
            yield _VALUE, _value_name(value)
