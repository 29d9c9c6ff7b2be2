"""Misere Hex: the rules of Hex, but the colour that joins its edges loses."""

from antipodes.games.hex import Hex
from antipodes.games.kernels import header, rules_of
from antipodes.games.kernels.placement import judge, moves, pieces, sample, start

__all__ = ["MisereHex", "judge", "moves", "pieces", "sample", "start"]


def turn_round(state):
    if state[header.WINNER] != 0:
        state[header.WINNER] = 3 - state[header.WINNER]
        state[header.REASON] = header.MISERE


def play(tables, state, work, move):
    rules_of("placement").play(tables, state, work, move)
    turn_round(state)
    return 0


def rebuild(tables, state, work):
    winners = rules_of("placement").rebuild(tables, state, work)
    turn_round(state)
    return winners


def chain(tables, state, work, out):
    in_hex = state.copy()
    turn_round(in_hex)
    return rules_of("placement").chain(tables, in_hex, work, out)


class MisereHex(Hex):
    """Black must not join top and bottom, White must not join left and right."""

    id = "misere-hex"
    title = "Misère Hex"
    summary = "Do not join your two sides: the colour that does so loses."
    family = __name__
    winner_moves_last = False
    plays_in_hexgui = plays_on_hexworld = False
    sgf_number = ""
    first_game = finished_game = None
    rule_examples = ()
    goals_in_words = property(lambda self: dict.fromkeys(self.colors, "avoid joining your edges"))
    brief_goals = property(lambda self: dict.fromkeys(self.colors, "avoid your edges"))
