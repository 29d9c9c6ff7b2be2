"""GTP commands about the engine, the board, the options and the moves."""

from __future__ import annotations

import time
from collections.abc import Mapping

import antipodes
from antipodes.core import Move
from antipodes.core.numbers import read_number
from antipodes.engine import dialect
from antipodes.engine.commands import COMMANDS, command
from antipodes.engine.counting import count_positions, read_depth
from antipodes.engine.gtp_analysis import MENU as ANALYSIS_MENU
from antipodes.engine.gtp_analysis import read_request, write_report
from antipodes.engine.gtp_session import GtpSession, composed
from antipodes.engine.wire import GtpError
from antipodes.errors import (
    IllegalMoveError,
    InputError,
    InvalidOptionsError,
    InvalidRecordError,
)
from antipodes.games.position import Position
from antipodes.notation.text import shorten
from antipodes.records import Record, load
from antipodes.records.sgf.names import letter_of
from antipodes.search.interface import ProgressCallback, SearchProgress
from antipodes.search.players import SearchPlayer

# The engine.


@command("protocol_version")
def _protocol_version(_session: GtpSession, _: tuple[str, ...]) -> str:
    return "2"


@command("name")
def _name(_session: GtpSession, _: tuple[str, ...]) -> str:
    return "Antipodes"


@command("version")
def _version(_session: GtpSession, _: tuple[str, ...]) -> str:
    return antipodes.__version__


@command("known_command NAME")
def _known_command(_session: GtpSession, arguments: tuple[str, ...]) -> str:
    return "true" if arguments[0] in COMMANDS else "false"


@command("list_commands")
def _list_commands(_session: GtpSession, _: tuple[str, ...]) -> str:
    return "\n".join(sorted(COMMANDS))


@command("cputime")
def _cputime(_session: GtpSession, _: tuple[str, ...]) -> str:
    """Return the seconds of CPU time that this process has used."""
    return f"{time.process_time():.3f}"


@command("quit")
def _quit(session: GtpSession, _: tuple[str, ...]) -> str:
    session.quit_requested = True
    return ""


# The board and the options.


@command("boardsize WIDTH [HEIGHT]")
def _boardsize(session: GtpSession, arguments: tuple[str, ...]) -> str:
    options = dialect.board_size_options(session.game, arguments)
    try:
        session.start_game({**session.chosen_options, **options})
    except InvalidOptionsError as error:
        raise GtpError(f"unacceptable size: {dialect.write_faults(error)}") from None
    return ""


@command("komi NUMBER")
def _komi(_session: GtpSession, _: tuple[str, ...]) -> str:
    """Do nothing: programs for matches of Go send it, and these games have no points."""
    return ""


@command("clear_board")
def _clear_board(session: GtpSession, _: tuple[str, ...]) -> str:
    session.clear_board()
    return ""


@command("set_option [KEY VALUE]...")
def _set_option(session: GtpSession, arguments: tuple[str, ...]) -> str:
    if not arguments:
        return dialect.write_options(session.game)
    if len(arguments) % 2:
        raise GtpError(f"{shorten(arguments[-1])} has no value; write set_option KEY VALUE")
    if len(session.history) > 1:
        raise GtpError("options are set before the first move; clear_board starts a new game")
    chosen = session.chosen_options
    known = {info.name for info in session.game.option_table()}
    for key, value in zip(arguments[::2], arguments[1::2], strict=True):
        chosen[key] = value
        if value == "default" and key in known:
            del chosen[key]
    session.start_game(chosen)
    return ""


@command("list_options")
def _list_options(session: GtpSession, _: tuple[str, ...]) -> str:
    return dialect.write_options(session.game)


# Moves.


@command("play COLOR MOVE...")
def _play(session: GtpSession, arguments: tuple[str, ...]) -> str:
    color = dialect.read_color(session.game, arguments[0])
    before = session.with_turn(color)
    if arguments[1].lower() == dialect.RESIGNATION:
        session.resigned = color
        return ""
    try:
        after = before.play(dialect.read_move(before, " ".join(arguments[1:])))
    except IllegalMoveError as error:
        raise GtpError(f"illegal move: {error}") from None
    if before is not session.position:
        after = composed(after, after.to_move)
    session.history.append(after)
    return ""


@command("genmove COLOR")
def _genmove(session: GtpSession, arguments: tuple[str, ...]) -> str:
    color = dialect.read_color(session.game, arguments[0])
    if session.is_over:
        return dialect.RESIGNATION
    before = session.with_turn(color)
    return _played(session, before, _chosen(session, before))


def _played(session: GtpSession, before: Position, move: Move) -> str:
    """Play the move of the computer and return its text."""
    session.history.append(before.play(move))
    if session.ponders and isinstance(session.player, SearchPlayer):
        session.player.ponder(session.position)
    return dialect.write_move(before, move)


@command("genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...")
@command("kata-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...")
def _genmove_analyze(session: GtpSession, arguments: tuple[str, ...]) -> str:
    return _reported_genmove(session, arguments, whole_numbers=False)


@command("lz-genmove_analyze [COLOR] [INTERVAL] [KEY VALUE]...")
def _lz_genmove_analyze(session: GtpSession, arguments: tuple[str, ...]) -> str:
    return _reported_genmove(session, arguments, whole_numbers=True)


def _reported_genmove(
    session: GtpSession, arguments: tuple[str, ...], *, whole_numbers: bool
) -> str:
    """Send reports of the search for a move at intervals, the last one at its end, then play it.

    A move that needs no search has no report.
    """
    request = read_request(session, arguments)
    if request.limits:
        raise GtpError("avoid and allow limit analyses only, not the move of the computer")
    color = request.color or session.position.to_move
    if session.is_over:
        return f"play {dialect.RESIGNATION}"
    position, player = session.with_turn(color), session.player
    reported: float | None = None  # seconds of the search at the last report

    def report() -> str:
        candidates = player.candidates() if isinstance(player, SearchPlayer) else []
        return write_report(position, candidates, request.most, whole_numbers)

    def on_progress(progress: SearchProgress) -> None:
        nonlocal reported
        reported = reported or 0.0
        if progress.seconds - reported >= request.interval / 100:
            reported = progress.seconds
            session.send_part(report())

    move = _chosen(session, position, on_progress)
    lines = [] if reported is None else [report()]
    return "\n".join([*lines, f"play {_played(session, position, move)}"])


@command("reg_genmove COLOR")
def _reg_genmove(session: GtpSession, arguments: tuple[str, ...]) -> str:
    """Return the move of the computer without playing it."""
    color = dialect.read_color(session.game, arguments[0])
    if session.is_over:
        return dialect.RESIGNATION
    before = session.with_turn(color)
    return dialect.write_move(before, _chosen(session, before))


def _chosen(
    session: GtpSession, before: Position, progress: ProgressCallback | None = None
) -> Move:
    """Return the computer's move in a position."""
    player = session.player
    with session.timed(player):
        move = player.choose(before, progress)
    if move not in before.legal_moves:
        raise RuntimeError(f"{player.name} chose {move!r}, which is not legal")
    return move


@command("ponder [SWITCH]")
def _ponder(session: GtpSession, arguments: tuple[str, ...]) -> str:
    if not arguments:
        return "on" if session.ponders else "off"
    if arguments[0] not in ("on", "off"):
        raise GtpError(f"{shorten(arguments[0])} is neither on nor off")
    session.ponders = arguments[0] == "on"
    return ""


@command("undo")
def _undo(session: GtpSession, _: tuple[str, ...]) -> str:
    if session.resigned is not None:
        session.resigned = None
        return ""
    if len(session.history) == 1:
        raise GtpError("cannot undo: this is the start")
    session.history.pop()
    return ""


@command("loadsgf FILE [MOVE_NUMBER]")
def _loadsgf(session: GtpSession, arguments: tuple[str, ...]) -> str:
    """Go to a position of the main line of a file: the last one, or the one before a move."""
    try:
        record = load(arguments[0], kind="sgf")
    except InvalidRecordError as error:
        raise GtpError(f"cannot load file: {dialect.write_faults(error)}") from None
    if type(record.game) is not type(session.game):
        raise GtpError(f"this is a record of {record.game.title}, not of {session.game.title}")
    positions = _positions_of(record, session.chosen_options)
    number = read_number(arguments[1], len(positions)) if len(arguments) > 1 else len(positions)
    if not number:
        last = len(positions)
        raise GtpError(f"{shorten(arguments[1])} is not the number of a move, from 1 to {last}")
    session.start_game(positions[0].game.options.changed())
    session.set_history(positions[:number])
    return ""


def _positions_of(record: Record, chosen: Mapping[str, object]) -> list[Position]:
    """Return the positions of the main line, with chosen options that the record leaves open.

    SGF of other programs does not say whether a swap is possible. Where the chosen options do not
    go with the record, it has its own.
    """
    options = record.game.options
    sizes = {name: options.as_dict()[name] for name in record.game.size_options}
    try:
        game = type(record.game)(type(options).read({**chosen, **sizes, **options.changed()}))
        start = game.initial() if record.start is None else game.position(record.start)
        positions = [start]
        for move in record.moves():
            positions.append(positions[-1].play(move))
    except InputError:
        return list(record.positions())
    return positions


# Queries about the position.


@command("showboard")
def _showboard(session: GtpSession, _: tuple[str, ...]) -> str:
    return f"\n{session.position.picture()}\n{session.position.caption()}"


@command("all_legal_moves")
def _all_legal_moves(session: GtpSession, _: tuple[str, ...]) -> str:
    position = session.position
    return " ".join(dialect.write_move(position, move) for move in position.legal_moves)


@command("to_move")
def _to_move(session: GtpSession, _: tuple[str, ...]) -> str:
    return "none" if session.position.outcome is not None else str(session.position.to_move)


@command("winner")
def _winner(session: GtpSession, _: tuple[str, ...]) -> str:
    outcome = session.position.outcome
    if outcome is None:
        return "none"
    return "draw" if outcome.winner is None else str(outcome.winner)


@command("final_score")
def _final_score(session: GtpSession, _: tuple[str, ...]) -> str:
    """Return the result as SGF has it: the letter of the winner, and how the game ended."""
    game, outcome = session.game, session.position.outcome
    if session.resigned is not None:
        winner = game.opponent_of(session.resigned)
        return "0" if winner is None else f"{letter_of(winner, game.colors)}+R"
    if outcome is None:
        raise GtpError("cannot score: the game is in progress")
    return "0" if outcome.winner is None else f"{letter_of(outcome.winner, game.colors)}+"


@command("winning_chain")
def _winning_chain(session: GtpSession, _: tuple[str, ...]) -> str:
    name = session.game.topology.name
    return " ".join(name(cell) for cell in session.position.winning_chain())


@command("perft DEPTH")
def _perft(session: GtpSession, arguments: tuple[str, ...]) -> str:
    return str(count_positions(session.position, read_depth(arguments[0])))


# Graphical clients.

_MENU = (
    "string/Winner/winner",
    "plist/Winning chain/winning_chain",
    "string/Legal moves/all_legal_moves",
    "string/Board/showboard",
    "string/Perft/perft %s",
    "param/Options/set_option",
    *ANALYSIS_MENU,
)


@command("gogui-analyze_commands")
def _gogui_analyze_commands(_session: GtpSession, _: tuple[str, ...]) -> str:
    return "\n".join(_MENU)


@command("hexgui-analyze_commands")
def _hexgui_analyze_commands(session: GtpSession, _: tuple[str, ...]) -> str:
    # Only HexGUI sends this, when it connects. It transmits a swap or a set-up position by clearing
    # the board and playing all stones row by row, out of turn where necessary.
    session.any_color_may_play = session.game.plays_in_hexgui
    return "\n".join(("move/Generate a move/genmove %m", *_MENU))
