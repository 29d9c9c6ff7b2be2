"""Games played by the library and by an oracle at once, and setups that both read."""

import random
from typing import Any

from antipodes.core import Setup
from antipodes.errors import InvalidPositionError
from antipodes.games.registry import make_game
from tests.oracles import make_oracle


def result_of(position):
    """Return a position's outcome as oracles write it."""
    outcome = position.outcome
    if outcome is None:
        return None
    return ("draw" if outcome.winner is None else outcome.winner.value), outcome.termination.value


def stones_of(position):
    """Return a position's pieces as oracles write them."""
    return dict(position.to_setup().stones)


def agree(position, oracle, where, *, legal=True):
    """Assert that library and oracle see the same."""
    assert result_of(position) == oracle.outcome, f"{where}\n{position}"
    assert stones_of(position) == oracle.stones(), f"{where}\n{position}"
    if position.outcome is not None:
        if oracle.points is not None:
            assert position.outcome.points == oracle.points, f"{where}\n{position}"
        assert len(position.legal_moves) == 0
        return
    assert position.to_move.value == oracle.to_move, where
    assert position.seat_to_move == oracle.seat_to_move, where
    if legal:
        texts = {position.format_move(move) for move in position.legal_moves}
        assert texts == oracle.legal(), f"{where}: {texts ^ oracle.legal()}\n{position}"


def play_both(position, oracle, rng, where, share=1.0):
    """Play random moves to the end of the game; compare legal moves in a share of positions."""
    plies = 0
    while True:
        agree(position, oracle, f"{where} after {plies}", legal=rng.random() < share)
        if position.outcome is not None:
            return position
        legal = position.legal_moves.array()
        text = position.format_move(int(legal[rng.randrange(len(legal))]))
        position = position.play(position.parse_move(text))
        oracle.play(text)
        plies += 1


def random_game(game_id, options, seed, share=1.0):
    """Play one random game by both and return its last position."""
    rng = random.Random(seed)
    position = make_game(game_id, options).initial()
    where = f"{game_id} {options} seed {seed}"
    return play_both(position, make_oracle(game_id, **options), rng, where, share)


def random_setup(game_id, options, seed):
    """Put random pieces on the board; return library's and oracle's position.

    Both are ``None`` where the pieces cannot be a position as both colours have won, which is then
    asserted of the oracle too.
    """
    rng = random.Random(seed)
    game = make_game(game_id, options)
    if getattr(game.options, "swap", "off") != "off":
        options = {**options, "swap": "off"}  # oracles forget the right to swap in a setup
        game = make_game(game_id, options)
    makers: dict[str, Any] = {"antipalos": _random_rods, "antipode": _random_tokens}
    oracle: Any = make_oracle(game_id, **options)
    setup = makers.get(game_id, _random_stones)(game, rng, oracle)
    pieces = dict(setup.stones)
    try:
        position = game.position(setup)
    except InvalidPositionError as error:
        if error.code != "position/two-winners" or game_id != "antipalos":
            raise
        oracle.set_up(pieces, setup.to_move)
        winners = [color for color in oracle.colours if oracle.winning_chain(color)]
        assert len(winners) > 1, setup
        return None, None
    if game_id == "antipode":
        oracle.set_up(pieces, dict(setup.pawns), setup.to_move)
    else:
        oracle.set_up(pieces, setup.to_move)
    return position, oracle


def _random_stones(game, rng, oracle):
    """Fill part of a placement game's board at random."""
    board, start = game.topology, game.start_stones()
    share = rng.random()
    stones = {
        cell: start.get(cell) or rng.choice(game.kernel_colors)
        for cell in range(board.cell_count)
        if cell in start or rng.random() < share
    }
    named = tuple((board.name(cell), color.value) for cell, color in stones.items())
    return Setup(stones=named, to_move=rng.choice(("black", "white")), composed=True)


def _random_rods(game, rng, oracle):
    """Lay rods, as many as regular turns would have laid: chains across the board among others."""
    size, colors = game.topology.size[0], game.colors
    most = size * size // len(colors) if game.is_mail else game.options.rods
    each = rng.choice((rng.randrange(most + 1), most))
    rods: dict[tuple[int, int], tuple[str, str]] = {}
    for color in colors:
        wanted = _chain_across(size, rng) if rng.random() < 0.5 else []
        wanted += [
            (rng.randrange(size), rng.randrange(size), rng.choice("/\\")) for _ in range(900)
        ]
        mine = 0
        for rod in wanted:
            if mine < each and rod[:2] not in rods:
                rods[rod[:2]] = (oracle.name(rod), color.value)
                mine += 1
        if mine < each:  # the board is full; begin again with fewer
            return _random_rods(game, rng, oracle)
    return Setup(stones=tuple(rods.values()), to_move=colors[0].value, composed=True)


def _chain_across(size, rng):
    """Return the rods of a wandering chain from border to border, sometimes with a gap."""
    across, rods = rng.randrange(size + 1), []
    for up in range(size):
        right = across == 0 or (across < size and rng.random() < 0.5)
        rods.append((across if right else across - 1, up, "/" if right else "\\"))
        across += 1 if right else -1
    if rng.random() < 0.5:
        rods = [(up, column, slant) for column, up, slant in rods]  # lies on its side
    if rng.random() < 0.5:
        rods.pop(rng.randrange(size))
    return rods


def _random_tokens(game, rng, oracle):
    """Put tokens on the corners and at random elsewhere, and a pawn on one of each colour."""
    board = game.topology
    share = rng.random()
    corners = board.rims["corners"]
    tokens: dict[int, str] = {}
    while len(set(tokens.values())) < 2:
        tokens = {
            cell: rng.choice(("blue", "red"))
            for cell in range(board.cell_count)
            if cell in corners or rng.random() < share
        }
    pawns = {
        color: board.name(rng.choice([cell for cell, shown in tokens.items() if shown == color]))
        for color in ("blue", "red")
    }
    return Setup(
        stones=tuple((board.name(cell), color) for cell, color in tokens.items()),
        to_move=rng.choice(("blue", "red")),
        pawns=pawns,
        composed=True,
    )
