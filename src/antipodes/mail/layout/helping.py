"""Help by mail: an index, each command, each game, from the data of the program.

The rules of a game are those of the terminal's help. Options come from the code, as in the docs,
and commands from the table that the parser uses.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from importlib.resources import files

from antipodes.core import Move
from antipodes.errors import Fault, InputError
from antipodes.games.examples import finished_position
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class, game_ids, make_game, offered_rows
from antipodes.games.samples import FINISHED_GAME
from antipodes.games.texts import Section, game_notes, short_rules
from antipodes.mail import texts
from antipodes.mail.grammar import OLD_OPTIONS
from antipodes.mail.layout.board import board_subject, color_words, move_texts
from antipodes.mail.layout.items import Field, Picture
from antipodes.mail.layout.text import WIDTH, lines_of
from antipodes.mail.requests import COMMANDS, CommandInfo, Proof
from antipodes.notation.text import shorten

_PROOFS = {
    Proof.NONE: "",
    Proof.USER: "Proof needed: a reply to a mail of the site, or a mail token.",
    Proof.MODERATOR: "For moderators only, with a mail token.",
}

_GROUPS = {
    "playing": "Playing",
    "starting": "Starting a game",
    "looking": "Boards and lists",
    "following": "Following games of others",
    "time": "Time and notifications",
    "everyone": "Other commands",
    "account": "Your account",
}

_TOPICS = ("proof", "layout")


def help_topics() -> tuple[str, ...]:
    """Return all topics of help but the index."""
    commands = (name for info in COMMANDS for name in info.names)
    return *game_ids(), *_TOPICS, *commands


def write_help(topic: str = "") -> str:
    """Write the help for a topic: a command or a game; without one the index.

    Raises:
        InputError: ``mail/unknown-topic``, there is no help for it.
    """
    wanted = " ".join(topic.lower().split())
    if wanted in ("", "index", "help"):
        return _index()
    if wanted in game_ids():
        return game_help(wanted)
    if wanted in _TOPICS:
        return _page(wanted, [_text_of(wanted)])
    commands = [info for info in COMMANDS if _is_called(info, wanted)]
    if not commands:
        raise InputError(
            [
                Fault.of(
                    "mail/unknown-topic",
                    "there is no help about {topic}; write help alone for a list of all topics",
                    topic=shorten(topic),
                )
            ]
        )
    return _page(wanted, *map(_command_in_full, commands))


def _is_called(info: CommandInfo, wanted: str) -> bool:
    """Return whether a command has a name, or a name with that first word."""
    return any(wanted in (name, name.split()[0]) for name in info.names)


def game_help(game_id: str) -> str:
    """Write the mail help of a game: its rules, notes, examples and options.

    Raises:
        UnknownGameError: there is no such game.
    """
    name = game_class(game_id).id
    game, rules = make_game(name), short_rules(name)
    start = game.initial()
    first = _some_move(start)
    second = _some_move(start.play(first))
    position = start.play(first).play(second)
    shown = ", ".join(move_texts(start, (first, second)))
    return _page(
        name,
        *([_wrapped(part)] for part in (rules.byline, *rules.paragraphs)),
        [f"The board after {shown}:", "", *lines_of(Picture(position, 2)), *_color_lines(game)],
        *(_section_lines(one) for one in game_notes(name) if one.title != FINISHED_GAME),
        *_finished_lines(name),
        ["By mail", *mail_examples(name)],
        [
            "Options, for challenge, seek and preview new: -NAME=VALUE",
            *(line for row in offered_rows(name) for line in _option_lines(name, *row)),
        ],
    )


def _section_lines(section: Section) -> list[str]:
    """Return a section of the notes: its title, paragraphs and tables."""
    lines = [section.title]
    for block in section.blocks:
        lines += ["", *(_row_lines(block.rows) if block.rows else [_wrapped(block.text)])]
    return lines


def _row_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([cell.ljust(n) for cell, n in zip(row, widths, strict=True)] for row in rows)
    return [f"  {'  '.join(row)}".rstrip() for row in padded]


def _finished_lines(game_id: str) -> list[list[str]]:
    """Return a block with the end of the game's example and the notes on it, if it has one."""
    position = finished_position(game_id)
    if position is None:
        return []
    notes = [_section_lines(one)[1:] for one in game_notes(game_id) if one.title == FINISHED_GAME]
    return [
        [
            _wrapped(f"{FINISHED_GAME}: {position.caption()}"),
            *(line for lines in notes for line in lines),
            "",
            *lines_of(Picture(position, position.ply)),
        ]
    ]


def _some_move(position: Position) -> Move:
    """Return a move of a stone or rod, neither at the beginning nor in the middle of the board."""
    moves = [move for move in position.legal_moves if move != position.game.swap_move]
    return moves[len(moves) * 3 // 8 + position.ply]


def _page(topic: str, *blocks: Iterable[str]) -> str:
    """Return a page of help: a field with its topic, then its blocks."""
    written = ("\n".join(block) for block in ([f"Help: {topic}"], *blocks))
    return "\n\n".join(written) + "\n"


def _index() -> str:
    commands = [
        [
            _GROUPS[group],
            *(line for info in COMMANDS if info.group == group for line in _short(info)),
        ]
        for group in dict.fromkeys(info.group for info in COMMANDS)
    ]
    games = [f"  {name:<16} {short_rules(name).byline}" for name in game_ids()]
    topics = [f"  {name:<16} {_text_of(name).splitlines()[0]}" for name in _TOPICS]
    return _page(
        "index",
        [_text_of("index")],
        *commands,
        ["Games: GAME help", *games],
        ["More: help NAME, where NAME is also that of a command", *topics],
    )


def _text_of(topic: str) -> str:
    return (files(texts) / f"{topic}.txt").read_text(encoding="utf-8").rstrip()


def _short(info: CommandInfo) -> list[str]:
    return [*_usages(info), _wrapped(info.summary, "      ")]


def _command_in_full(info: CommandInfo) -> list[str]:
    lines = [*_usages(info), "", _wrapped(info.summary)]
    if info.names[1:]:
        lines.append(f"Also: {', '.join(info.names[1:])}")
    return lines + ([_wrapped(_PROOFS[info.proof])] if _PROOFS[info.proof] else [])


def _usages(info: CommandInfo) -> list[str]:
    return [
        textwrap.fill(
            usage,
            WIDTH,
            initial_indent="  ",
            subsequent_indent="          ",
            break_on_hyphens=False,
            break_long_words=False,
        )
        for usage in _alternatives(info.usage)
    ]


def _alternatives(usage: str) -> list[str]:
    """Return the usages between bars, but not those inside of brackets."""
    found, depth = [""], 0
    for part in re.split(r"([\[\]]| \| )", usage):
        depth += (part == "[") - (part == "]")
        if part == " | " and depth == 0:
            found.append("")
        else:
            found[-1] += part
    return found


def _wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _color_lines(game: Game) -> list[str]:
    """Return the colours of the seats at the start."""
    start = game.initial()
    seats = {seat: color for color in game.colors for seat in start.seat_of(color)}
    words = ", ".join(f"seat {seat + 1} {color_words(color)}" for seat, color in seats.items())
    return lines_of(Field("Colours", words))


def mail_examples(game_id: str) -> list[str]:
    """Return example commands to play a game by mail, with explanations.

    Raises:
        UnknownGameError: there is no such game.
    """
    game = make_game(game_class(game_id).id)
    move = game.initial().format_move(_some_move(game.initial()))
    examples = (
        ("A reply with the move in the first line", move),
        ("A reply with the move after the Subject", f"{board_subject(game.id, 101, 'ann')} {move}"),
        ("A new mail, with your mail token", f"{game.id} move 101 ann TOKEN {move}"),
        ("A move that waits until your turn comes", f"{game.id} queue 101 ann TOKEN {move}"),
        ("What the board would look like", f"{game.id} preview new {move}"),
        ("To challenge a player", f"{game.id} challenge ann TOKEN bob"),
        ("To seek an opponent", f"{game.id} seek ann TOKEN"),
    )
    return [line for meaning, example in examples for line in (f"  {meaning}:", f"      {example}")]


def _option_lines(game_id: str, name: str, default: str, allowed: str, meaning: str) -> list[str]:
    values = f"  -{name}={allowed.replace(' | ', '|')}"
    classic = next(
        (old for (one, old), own in OLD_OPTIONS.items() if (one, own) == (game_id, name)), ""
    )
    if classic:
        values += f"  or, as on the classic server, -{classic}={allowed}"
    return [values, _wrapped(f"{meaning}. If you say nothing: {default}.", "      ")]
