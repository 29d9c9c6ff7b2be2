"""Reading SGF."""

from __future__ import annotations

from antipodes.errors import Fault, InputError, Phrase
from antipodes.games.position import Game
from antipodes.games.registry import game_class, make_game
from antipodes.notation.text import shorten
from antipodes.records.draft import Draft, DraftNode, faultless, finish
from antipodes.records.record import Record
from antipodes.records.result import Reason, Result
from antipodes.records.sgf import heads, hex_programs, little_golem, names
from antipodes.records.sgf.fields import Fields
from antipodes.records.sgf.grammar import (
    Properties,
    SgfNode,
    decode,
    heads_of_games,
    parse,
    read_text,
)
from antipodes.records.texts import clean_line

_LATE_SETUP = "record/late-setup"
_ENDINGS = {"resign": Reason.RESIGNATION, "forfeit": Reason.FORFEIT}


def from_sgf(source: str | bytes, game: int | None = None) -> Record:
    """Read a record from SGF, as text or as bytes in the encoding that they name.

    Args:
        source: text or bytes.
        game: its number in a file of several games, counted from 1.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    return faultless(from_sgf_leniently(source, game), "sgf")


def from_sgf_leniently(
    source: str | bytes, game: int | None = None
) -> tuple[Record, tuple[Fault, ...]]:
    """Read what can be read; lines end before their first illegal move.

    Returns the record and everything that is wrong with the text.

    Args:
        source: text or bytes.
        game: its number in a file of several games, counted from 1; ``None`` for the first one.

    Raises:
        InvalidRecordError: not even a game and its start could be found out.
    """
    faults: list[Fault] = []
    text = source if isinstance(source, str) else decode(source, faults)
    tree = parse(text, faults, game)
    if tree is not None:
        little_golem.put_into_usual_form(tree)
        hex_programs.put_into_usual_form(tree)
    draft = None if tree is None else _Reader(tree, faults).draft()
    record, all_faults = finish(draft, faults, "sgf")
    if tree is not None and names.RESULT not in tree.properties:
        _name_reason(record)
    return record, all_faults


def titles_in_sgf(source: str | bytes) -> list[str]:
    """Return the players and the event of each game of a file; empty where it does not say them."""
    text = source if isinstance(source, str) else decode(source, [])
    return [_title(head) for head in heads_of_games(text)]


def _title(head: Properties) -> str:
    black, white, event = (read_text(head.get(name, [""])[0]) for name in ("PB", "PW", "EV"))
    players = " – ".join(filter(None, [black, white]))
    return clean_line(", ".join(filter(None, [players, event])))


def _name_reason(record: Record) -> None:
    """Where the file says who has won but not why, say it if the rules do."""
    outcome = record.final_position().outcome
    if record.result is None or outcome is None or record.result.text:
        return
    if record.result in (Result(outcome.winner), Result(None, Reason.AGREEMENT)):
        record.result = Result.of(outcome)


class _Reader:
    """Makes a draft of a tree of properties."""

    def __init__(self, tree: SgfNode, faults: list[Fault]) -> None:
        self._tree = tree
        self._faults = faults
        self._game: Game | None = None
        self._ending: Result | None = None

    def draft(self) -> Draft | None:
        fields = Fields(self._tree, self._faults)
        game_id = heads.read_game(fields)
        if game_id is None:
            return None
        try:
            game_type = game_class(game_id)
            options = heads.read_options(fields, game_type)
            if game_type.swap_names and "swap" not in options:
                # Other programs do not write which swap is allowed: only one that is played tells.
                options |= self._swap_played(game_type)
            self._game = make_game(game_id, options)
        except InputError as error:
            for fault in error.faults:
                self._faults.append(fault.at(fields.where))
            return None
        root = DraftNode("", fields.where)
        draft = Draft(
            game_id=game_id,
            options=options,
            root=root,
            rules_version=heads.read_version(fields),
            start=heads.read_start(fields, self._game),
            players=heads.read_players(fields, self._game),
            lines={field: fields.text(name) for field, name in names.LINES.items()},
            comment=fields.text("GC"),
            result=heads.read_result(fields, self._game.colors),
            extra=heads.read_extra(fields),
            where=dict.fromkeys(("start", "players", "result", "rules_version"), fields.where),
        )
        self._read_tree(root, fields)
        self._take_ending(draft, fields)
        return draft

    def _take_ending(self, draft: Draft, fields: Fields) -> None:
        """Let a resignation that stands as a move be the result, if none says otherwise."""
        if self._ending is None:
            return
        if draft.result is not None and draft.result.winner is not self._ending.winner:
            fields.note_fault(
                "{first} says {value}, but {second} says {other}",
                first="RE",
                value=draft.result,
                second="the last move",
                other=self._ending,
            )
        elif draft.result in (None, Result(self._ending.winner)):
            draft.result = self._ending

    def _swap_played(self, game_type: type[Game]) -> dict[str, object]:
        """Return the option that allows the kind of swap that is played anywhere in the file."""
        swap_names = {
            value.strip().lower()
            for node in self._tree.walk()
            for letter in "BW"
            for value in node.properties.get(letter, ())
        }
        kinds = [value for value, name in game_type.swap_names.items() if name in swap_names]
        return {"swap": kinds[-1]} if kinds else {}

    def _read_tree(self, root: DraftNode, fields: Fields) -> None:
        """Read all nodes; entries hold a node, its children, the draft before it, main line."""
        # A stack of its own, since a file may be nested more deeply than Python calls.
        todo = [(fields, self._tree.children, root, True)]
        while todo:
            fields, children, parent, main = todo.pop()
            here = self._read_node(fields, parent, bool(children), root, main=main)
            if here is None:
                continue
            # Pushed in reverse: the first child, which goes on with the line, is read first.
            for index in reversed(range(len(children))):
                child = children[index]
                entry = Fields(child, self._faults)
                todo.append((entry, child.children, here, main and index == 0))

    def _read_node(
        self, fields: Fields, parent: DraftNode, more: bool, root: DraftNode, *, main: bool
    ) -> DraftNode | None:
        """Return the draft of a node; ``parent`` where it has no move, ``None`` to leave it out."""
        assert self._game is not None
        is_root = fields.where == root.where
        if not is_root and names.SETUP & fields.left.keys():
            setup_names = ", ".join(sorted(names.SETUP & fields.left.keys()))
            fields.note_fault(
                "{names} set up stones after the start", _LATE_SETUP, names=setup_names
            )
            return None
        moves = self._moves(fields)
        if len(moves) > 1:
            fields.note_fault("there are several moves in one node", "record/several-moves")
            return None
        if not moves:
            fields.read_notes(parent, "", self._game.title, root=is_root)
            return parent
        letter, color_name, text = moves[0]
        node = self._move_node(fields, letter, color_name, text)
        if node is None:
            return None
        word = text.strip().lower()
        if word in _ENDINGS:
            self._end(fields, node, _ENDINGS[word], parent=parent, main=main, more=more)
            return None
        if word in ("pass", ""):
            fields.note_fault("a player passes, which the rules here do not allow", "record/pass")
            return None
        if self._wrong_swap(word):
            option = f"swap={self._game.options.swap}"
            fields.note_fault(
                "{move} is played, but the option is {option}", move=word, option=option
            )
            return None
        fields.read_notes(node, letter, self._game.title, root=is_root)
        parent.children.append(node)
        return node

    def _moves(self, fields: Fields) -> list[tuple[str, str, str]]:
        """Take out the moves of a node: letter, name of the colour, text."""
        found = [(letter, "", text) for letter in "BW" for text in fields.all(letter)]
        for value in fields.all(names.MOVE):
            color, _, text = value.partition(":")
            found.append(("", color.strip().lower(), text))
        return found

    def _move_node(
        self, fields: Fields, letter: str, color_name: str, text: str
    ) -> DraftNode | None:
        assert self._game is not None
        colors = self._game.colors
        if letter:
            color = names.color_of(letter, colors)
        else:
            color = next((color for color in colors if color.value == color_name), None)
        if color is None:
            fields.note_fault(
                "{text} is not a colour of {game}",
                text=shorten(color_name or letter),
                game=Phrase(self._game.title),
            )
            return None
        return DraftNode(text.strip(), fields.where, color)

    def _end(
        self,
        fields: Fields,
        node: DraftNode,
        reason: Reason,
        *,
        parent: DraftNode,
        main: bool,
        more: bool,
    ) -> None:
        """Read a resignation that stands as a move: it is the result, or a note of a variation."""
        assert self._game is not None
        winner = None if node.color is None else self._game.opponent_of(node.color)
        if more or winner is None:
            fields.note_fault("{move} can stand only at the end of a line", move=node.move)
        elif main:
            self._ending = Result(winner, reason)
        else:
            parent.more_comments.append(str(Result(winner, reason)))

    def _wrong_swap(self, word: str) -> bool:
        assert self._game is not None
        name, known = self._game.swap_name, self._game.swap_names.values()
        return name != word and name in known and word in known
