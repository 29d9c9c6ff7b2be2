"""Proofs: written by the solver, believed by the checker alone; damaged ones are not."""

import copy
import random

import pytest

from antipodes.core import Color, Move
from antipodes.errors import InputError
from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.proof.checker import ProofBoard, ProofError, Statement, follow
from antipodes.search.proof.files import Proof, merge_proofs, read_proof
from antipodes.search.proof.solver import Solver
from tests.search.proof.brute_force import BOARDS, endings, game_of, winner_of
from tests.thorough import repetitions, sample


def solved(position):
    solver = Solver(position)
    assert solver.run()
    return solver.prove()


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 3))
def test_every_ending_has_a_proof_that_holds(game_id, options, empty):
    game = game_of(game_id, options)
    known: dict[object, int] = {}
    winners = set()
    for state in endings(game, empty, repetitions(10, 25), seed=6):
        proof = solved(game.wrap(state))
        proof.verify()
        winner = winner_of(game, state, known)
        winners.add(winner)
        assert proof.winner is game.kernel_colors[winner - 1]
    assert game_id != "hex" or winners == {1, 2}


STARTS = [
    ("hex", {"size": 4}, ""),
    ("hex", {"size": 5}, ""),
    ("hex", {"size": 5}, "a1"),
    ("hex", {"size": 6}, "c4 d3"),
    ("antipod", {"side": 3}, ""),
    ("antipod", {"side": 3, "handicap": "none", "first": "black"}, ""),
    ("antipod", {"side": 3}, "b3 d4 d8"),
    ("antipod", {"side": 4}, "d3 f5 c3 d5 e12"),
    ("antipod", {"side": 4, "handicap": "none"}, "d3"),
    ("cylindrical-hex", {"rows": 4, "columns": 4}, ""),
    ("cylindrical-hex", {"rows": 5, "columns": 3, "first": "white"}, ""),
]


def position_of(game_id, options, moves):
    position = make_game(game_id, options).initial()
    for move in moves.split():
        position = position.play(position.parse_move(move))
    return position


@pytest.mark.parametrize(("game_id", "options", "moves"), STARTS)
def test_a_proof_survives_its_file(game_id, options, moves):
    proof = solved(position_of(game_id, options, moves))
    read = read_proof(proof.text())
    assert read.position == proof.position
    assert (read.winner, list(read.lines)) == (proof.winner, list(proof.lines))
    assert read.verify() == proof.verify()


def test_a_compressed_proof_is_read():
    proof = solved(position_of("hex", {"size": 5}, ""))
    packed = proof.compressed()
    assert len(packed) < len(proof.text())
    assert read_proof(packed) == read_proof(proof.text().encode())
    for broken in (packed[:-9], packed[:20] + b"x" * 20, b""):
        with pytest.raises(InputError, match="not JSON"):
            read_proof(broken)


def test_the_proof_of_a_winning_move_proves_the_position_before_it():
    position = position_of("hex", {"size": 4}, "")
    merged = merge_proofs(position, {Move(6): solved(position.play("c2"))})
    assert (merged.position, merged.winner) == (position, Color.BLACK)
    with pytest.raises(ProofError, match="one winner"):
        merge_proofs(position, {})


def test_proofs_against_each_move_can_be_merged():
    position = position_of("antipod", {"side": 3}, "")
    parts = {move: solved(position.play(move)) for move in position.legal_moves}
    merged = merge_proofs(position, parts)
    assert merged.winner is Color.BLACK
    assert len(merged.lines) < sum(len(part.lines) for part in parts.values())
    with pytest.raises(ProofError, match="all alternatives need"):
        merge_proofs(position, dict([*parts.items()][:1]))


class Follower:
    """Plays by a proof: keeps promises, which are lines, and mends the one that is disturbed."""

    def __init__(self, proof):
        self.lines = proof.lines
        self.board = ProofBoard(proof.position.game.topology, proof.winner.value)
        self.statements: list[Statement] = []
        for line in proof.lines:
            self.statements.append(follow(self.board, line, self.statements))
        self.promises = [len(self.lines) - 1]

    def move(self, owned, lost):
        """Return the point to play, or ``None`` if any will do."""
        todo, self.promises = self.promises, []
        point = None
        while todo:
            line = todo.pop()
            said = self.statements[line]
            kind, *rest = self.lines[line]
            if said.safe and not said.carrier & lost:
                self.promises.append(line)
            elif kind == "pairing":
                self.promises.append(line)
                sets = [[self.board.set_of([name]) for name in pair] for pair in rest[1]]
                for pair, (one, other) in zip(rest[1], sets, strict=True):
                    if (one & lost or other & lost) and not (one | other) & owned:
                        assert point is None
                        point = pair[0] if other & lost else pair[1]
            elif kind == "chain":
                todo += rest[1]
            elif kind == "either":
                todo.append(next(p for p in rest[0] if not self.statements[p].carrier & lost))
            else:
                assert kind == "play"
                assert not said.carrier & lost
                assert point is None
                point = None if self.board.set_of([rest[0]]) & owned else rest[0]
                todo.append(rest[1])
        return point


@pytest.mark.parametrize(("game_id", "options", "moves"), STARTS)
def test_playing_by_the_proof_wins_against_any_play(game_id, options, moves):
    proof = solved(position_of(game_id, options, moves))
    lots = random.Random(7)
    for _ in range(10):
        follower = Follower(proof)
        names = follower.board.points
        position = proof.position
        while position.outcome is None:
            move = lots.choice([m for m in position.legal_moves if m < len(names)])
            if position.to_move is proof.winner:
                stones = position.stones().items()
                owned = [names[cell] for cell, color in stones if color is proof.winner]
                lost = [names[cell] for cell, color in stones if color is not proof.winner]
                sets = map(follower.board.set_of, (owned, lost))
                point = follower.move(*sets)
                move = move if point is None else names.index(point)
            position = position.play(move)
        assert position.outcome.winner is proof.winner


OTHER = {Color.BLACK: Color.WHITE, Color.WHITE: Color.BLACK}


def damaged(lines, lots):
    """Return a proof with one thing changed at random."""
    lines = copy.deepcopy(list(lines))
    place = lots.randrange(len(lines))
    line = lines[place]
    what = lots.randrange(4)
    if what == 0:
        del lines[place]
    elif what == 1:
        lines[place] = copy.deepcopy(lots.choice(lines))
    elif isinstance(line[-1], list) and what == 2:
        del line[-1][lots.randrange(len(line[-1]))]
    elif isinstance(line[-1], list):
        other = lots.choice([part for one in lines for part in _parts_of(one)])
        line[-1][lots.randrange(len(line[-1]))] = other
    elif what == 2:
        line[1] = lots.choice([one[1] for one in lines if one[0] == "play"])
    else:
        line[-1] = lots.randrange(place + 1)
    return lines


def _parts_of(line):
    return (
        line[1]
        if line[0] in ("path", "pairing")
        else line[-1]
        if isinstance(line[-1], list)
        else [line[-1]]
    )


@pytest.mark.parametrize(("game_id", "options", "moves"), sample(STARTS[:8], 3))
def test_damaged_proofs_are_refused_or_still_say_what_is_true(game_id, options, moves):
    """No damage makes the checker believe a loser; most of it makes it believe nothing."""
    proof = solved(position_of(game_id, options, moves))
    lots = random.Random(8)
    refused = 0
    tries = repetitions(50, 150)
    for _ in range(tries):
        lines = damaged(proof.lines, lots)
        try:
            Proof(proof.position, proof.winner, lines).verify()
        except ProofError:
            refused += 1
        with pytest.raises(ProofError):
            Proof(proof.position, OTHER[proof.winner], lines).verify()
    assert refused > tries * 2 / 3


def test_the_loser_has_no_proof_by_the_same_lines():
    proof = solved(position_of("hex", {"size": 5}, ""))
    with pytest.raises(ProofError):
        Proof(proof.position, Color.WHITE, proof.lines).verify()


def test_a_proof_for_the_side_to_move_does_not_hold_for_the_other():
    position = position_of("hex", {"size": 5}, "")
    proof = solved(position)
    state = position.kernel_state.copy()
    state[header.COLOR] = 1
    with pytest.raises(ProofError, match="to move"):
        Proof(position.game.wrap(state), proof.winner, proof.lines).verify()


GOOD = ["path", ["top", "a1", "a2", "bottom"]]

FAULTS = [
    ([], None, "empty"),
    ([["path", ["top", "b2"]]], 0, "do not touch"),
    ([["path", ["top", "a1", "zz"]]], 0, "do not touch"),
    ([["path", ["top"]]], 0, "no path"),
    ([["path", [["a1"], "a2"]]], 0, "do not touch"),
    ([["song", []]], 0, "no path"),
    ([GOOD, ["play", "b2", 0]], 1, "b2 is not a stone that is needed"),
    ([GOOD, ["play", "top", 0]], 1, "no path"),
    ([GOOD, ["play", "a1", 1]], 1, "1 is not the number of an earlier line"),
    ([GOOD, ["play", "a1", True]], 1, "True is not the number"),
    ([GOOD, ["play", "a1", -1]], 1, "-1 is not the number"),
    ([GOOD, ["play", "a1", 0], ["play", "a2", 1]], 2, "could spoil it"),
    ([["path", ["a1", "a2"]], ["play", "a1", 0]], 1, "a1 is an end"),
    ([GOOD, ["play", "a1", 0], ["either", [1]]], 2, "all alternatives need a1"),
    ([GOOD, ["path", ["a1", "b1"]], ["either", [0, 1]]], 2, "same ends"),
    ([GOOD, ["path", ["a1", "b1"]], ["chain", "top", [0, 1]]], 2, "does not begin at bottom"),
    ([GOOD, ["play", "a1", 0], ["chain", "top", [1]]], 2, "not a safe connection"),
    ([["path", ["a1", "a2"]]], None, "does not join what"),
    ([GOOD], None, "needs stones on a1, a2"),
    ([GOOD, ["play", "a1", 0]], None, "needs stones on a2"),
    (
        [
            ["path", ["top", "a1"]],
            ["path", ["a1", "a2"]],
            ["path", ["a1", "b1", "a2"]],
            ["play", "b1", 2],
            ["path", ["a2", "bottom"]],
            ["path", ["top", "b1", "a2"]],
            ["play", "b1", 5],
            ["path", ["top", "a1", "a2"]],
            ["play", "a1", 7],
            ["either", [6, 8]],
            ["path", ["a2", "b1", "bottom"]],
        ],
        10,
        "do not touch",
    ),
]


@pytest.mark.parametrize(("lines", "place", "message"), FAULTS)
def test_each_rule_is_held(lines, place, message):
    position = position_of("hex", {"size": 2}, "")
    with pytest.raises(ProofError, match=message) as caught:
        Proof(position, Color.BLACK, lines).verify()
    assert caught.value.place == place


def test_parts_of_a_chain_may_not_share_a_point():
    lines = [
        ["path", ["top", "a1", "a2"]],
        ["path", ["top", "b1", "a2"]],
        ["play", "a1", 0],
        ["play", "b1", 1],
        ["either", [2, 3]],
        ["chain", "a2", [4, 4]],
    ]
    with pytest.raises(ProofError, match="two parts of the chain need a1, b1"):
        Proof(position_of("hex", {"size": 2}, ""), Color.BLACK, lines).verify()


def test_a_smallest_proof():
    lines = [
        ["path", ["top", "a1", "a2"]],
        ["path", ["top", "b1", "a2"]],
        ["play", "a1", 0],
        ["play", "b1", 1],
        ["either", [2, 3]],
        ["path", ["a2", "bottom"]],
        ["chain", "top", [4, 5]],
        ["play", "a2", 6],
    ]
    position = position_of("hex", {"size": 2}, "")
    said = Proof(position, Color.BLACK, lines).verify()
    assert not said.safe
    after = position.play(position.parse_move("b2")).play(position.parse_move("a2"))
    with pytest.raises(ProofError, match="needs a2 empty"):
        Proof(after, Color.BLACK, lines).verify()


def test_a_path_that_does_not_go_round_is_no_ring():
    position = position_of("cylindrical-hex", {"rows": 3, "columns": 3, "first": "white"}, "")
    there_and_back = [["path", ["a2", "b2", "b3", "a3", "a2"]]]
    with pytest.raises(ProofError, match="does not join"):
        Proof(position, Color.WHITE, there_and_back).verify()
    round_it = [["path", ["a2", "b2", "c2", "a2"]], ["play", "a2", 0]]
    with pytest.raises(ProofError, match="needs stones on b2, c2"):
        Proof(position, Color.WHITE, round_it).verify()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda text: "nonsense", "proof/malformed"),
        (lambda text: "[" * 100_000, "proof/malformed"),
        (lambda text: "{}", "proof/malformed"),
        (lambda text: text.replace('"version": 1,', '"version": 2,'), "proof/malformed"),
        (lambda text: text.replace('"hex"', '"chess"'), "game/unknown"),
        (lambda text: text.replace('"hex"', '"antipode"'), "option/unknown"),
        (lambda text: text.replace('"size": 4', '"size": 99'), "option/out-of-range"),
        (lambda text: text.replace('"rules_version": 1', '"rules_version": 9'), "proof/malformed"),
        (lambda text: text.replace('"winner": "black"', '"winner": "red"'), "proof/malformed"),
        (lambda text: text.replace('"stones": {}', '"stones": {"z9": "black"}'), "position/"),
        (lambda text: text.replace('"stones": {}', '"stones": []'), "proof/malformed"),
        (lambda text: text.replace('"lines": [', '"lines": 3, "rest": ['), "proof/malformed"),
    ],
)
def test_a_file_that_is_not_a_proof_is_refused(change, code):
    text = solved(position_of("hex", {"size": 4}, "")).text()
    assert change(text) != text
    with pytest.raises(InputError) as caught:
        read_proof(change(text))
    assert caught.value.code.startswith(code)
