"""Answers to mail as text and HTML, for freezing.

Run ``python -m tests.golden.mail.answers`` from the root of the repository to write the files anew,
and read the difference: programs parse these texts, and ``docs/mail-format.md`` promises how they
look.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from antipodes.core import Color
from antipodes.errors import Fault
from antipodes.games.registry import game_ids
from antipodes.mail.layout import (
    BoardReport,
    ChallengeLine,
    GameLine,
    HistoryLine,
    Preview,
    StandingLine,
    board_html,
    game_help,
    html_of,
    refusal_answer,
    with_footer,
    write_board,
    write_challenges,
    write_clocks,
    write_digest,
    write_games,
    write_help,
    write_history,
    write_news,
    write_preview,
    write_refusal,
    write_standings,
    write_submission,
    write_table,
)
from antipodes.match import (
    ANY,
    Abort,
    Accept,
    ConditionalMoves,
    Offer,
    OfferKind,
    QueueResignation,
    Resign,
    SetConditionalMoves,
    StartVacation,
)
from antipodes.match.handling import claim_flag
from antipodes.records import Reason, Result
from tests.mail.layout.boards import (
    BEGUN,
    HOUR,
    at_random,
    begun,
    carried_out,
    played,
    rated_again,
    reported,
)

FOLDER = Path(__file__).parent

_WON = "d13 e13 g8 e12 c3 f16 f5 f6 e15 d4 d14 f15 h16 d3 e11 h4 g6 f12 g9 f2 c4 e2 d2 e3"
_VERT = "e4-f3 a5-b4 d5-e4 c5-d6 d5-e6 e7-f6 d7-e6 e2-f3 f3-g2 f2-g1 d3-e4 c3-d2 d3-e2 e1-f2 d1-e2"


def _antipod():
    match = played(begun("antipod", {"swap": "on"}), ["e3", "swap", "d13", "e12"])
    answer = ConditionalMoves.line(ANY, match.position.parse_move("h17"))
    match = played(carried_out(match, (SetConditionalMoves, {"seat": 1, "moves": answer})), ["g15"])
    match = carried_out(match, (Offer, {"seat": 1, "kind": OfferKind.PAUSE}))
    return reported(
        match,
        viewer=0,
        news=("bob has played h17.", "bob asked for a pause."),
        followers=("eve", "fritz"),
        comments=(
            ("bob", "That was automatic.\n\nShall we pause until Monday?"),
            (
                "eve",
                f"{'*' * 60}\nbob writes:\nI resign. " + "Said at length. " * 12 + "\n-- \nEve",
            ),
        ),
    )


def _antipod_won():
    report = reported(
        played(begun("antipod", {"side": 5}), _WON.split()), viewer=0, followers=("eve",)
    )
    return rated_again(report, (1620, 1612), (1488, 1500))


def _hex_swapped():
    match = played(begun("hex", {"size": 7}), ["b2", "swap", "d4"])
    return reported(match, viewer=0, comments=(("bob", "Déjà vu: a swap again. 好"),))


def _hex_aborted():
    match = carried_out(begun("hex", {"size": 5}), (Abort, {"seat": 0}))
    return reported(match, viewer=1, news=("ann aborted the game.",))


def _on_time():
    match = at_random(begun("cylindrical-hex", {"rows": 5, "columns": 7}, control="1d/move"), 8)
    late, _ = claim_flag(match, match.clock.latest + 30 * HOUR)
    return rated_again(reported(late, viewer=1), (1612, 1604), (1500, 1524))


def _antipode_resigned():
    match = carried_out(at_random(begun("antipode"), 6), (Resign, {"seat": 1}))
    return rated_again(reported(match), (1599, 1612), (1513, 1500))


def _antipode_draw():
    draw = {"kind": OfferKind.DRAW}
    match = at_random(begun("antipode"), 4)
    match = carried_out(match, (Offer, {"seat": 0, **draw}), (Accept, {"seat": 1, **draw}))
    return reported(match, viewer=0)


def _team():
    match = at_random(begun("antipalos", {"size": 14, "seats": "team"}), 14)
    undo = {"kind": OfferKind.TAKEBACK}
    match = carried_out(match, (Offer, {"seat": 1, **undo}), (Accept, {"seat": 3, **undo}))
    return reported(match, viewer=0, series="match play to 9 points, 4 : 2")


def _out_of_three():
    match = at_random(begun("antipalos", {"size": 14, "seats": "cutthroat3"}), 10)
    return reported(carried_out(match, (Resign, {"seat": 2})), viewer=1)


def _mail_won():
    match = played(begun("antipalos", {"ruleset": "mail", "size": 6}), _VERT.split())
    assert match.result == Result(Color.VERT, Reason.CONNECTION)
    return reported(match)


def _paused():
    pause = {"kind": OfferKind.PAUSE}
    match = begun("hex", {"size": 5})
    match = carried_out(match, (Offer, {"seat": 0, **pause}), (Accept, {"seat": 1, **pause}))
    return reported(match, viewer=0)


# What makes each report, by the name of its file; most take many moves.
REPORTS: dict[str, Callable[[], BoardReport]] = {
    "antipod": _antipod,
    "antipod-won": _antipod_won,
    "antipod-side-10": lambda: reported(at_random(begun("antipod", {"side": 10}), 120), viewer=0),
    "antipod-handicap-two": lambda: reported(
        begun("antipod", {"side": 4, "handicap": "two"}), viewer=1, followers=("eve",)
    ),
    "hex-swapped": _hex_swapped,
    "hex-size-26": lambda: reported(at_random(begun("hex", {"size": 26}), 400), number=1_234_567),
    "hex-aborted": _hex_aborted,
    "cylindrical-hex-on-time": _on_time,
    "antipode": lambda: reported(at_random(begun("antipode"), 9), viewer=1, queued="e4-e5"),
    "antipode-resigned": _antipode_resigned,
    "antipode-draw": _antipode_draw,
    "antipalos-phase-one": lambda: reported(at_random(begun("antipalos"), 11), viewer=1),
    "antipalos-phase-two": lambda: reported(
        at_random(begun("antipalos", {"size": 12, "rods": 6}), 17), viewer=1, side=1
    ),
    "antipalos-team": _team,
    "antipalos-cutthroat3": _out_of_three,
    "antipalos-cutthroat4": lambda: reported(
        at_random(begun("antipalos", {"size": 20, "seats": "cutthroat4"}), 30), viewer=3, side=3
    ),
    "antipalos-mail": _mail_won,
    "antipalos-mail-full": lambda: reported(
        at_random(begun("antipalos", {"ruleset": "mail", "size": 3}), 99, seed=2)
    ),
    "antipalos-mail-size-26": lambda: reported(
        at_random(begun("antipalos", {"ruleset": "mail", "size": 26}), 150), viewer=0
    ),
    "unlimited": lambda: reported(
        begun("hex", {"size": 5}, control="unlimited", rated=False), viewer=1
    ),
    "on-vacation": lambda: reported(
        carried_out(begun("hex", {"size": 5}), (StartVacation, {"seat": 0})), viewer=1
    ),
    "paused": _paused,
    "resigning": lambda: reported(
        carried_out(begun("hex", {"size": 5}), (QueueResignation, {"seat": 1})), viewer=1
    ),
}


@cache
def report(name):
    """Return the report of this name."""
    return REPORTS[name]()


def reports():
    """Return the reports about boards by the name of their file."""
    return {name: report(name) for name in REPORTS}


def boards():
    """Return the answers about boards by the name of their file."""
    return {name: write_board(report) for name, report in reports().items()}


def replies():
    """Return other answers by the name of their file."""
    first = report("hex-swapped")
    start = first.match.position
    fault = Fault.of("move/occupied", "{move} is not legal: the point is not empty", move="d4")
    stale = Fault.of(
        "match/stale", "this was meant for move {meant}, but move {next} is next", meant=3, next=4
    )
    original = "d4\n\nI think this is it.\n\n> Hex Board 101\n> News: bob has played d4.\n"
    tried = [start.parse_move("e3")]
    tried.append(start.play(tried[0]).parse_move("c5"))
    won = begun("hex", {"size": 2, "swap": "off"}).position
    new = Preview(start=won, moves=tuple(map(won.parse_move, ("a1", "b1", "a2"))), now=BEGUN)
    return {
        "board-after-ply": write_board(report("antipod-won"), ply=10),
        "refusal": write_refusal([fault, stale], report=first, original=original),
        "refusal-without-board": write_refusal([fault]),
        "preview": write_preview(
            Preview(
                start=start,
                moves=tuple(tried),
                made=tuple(int(made.move) for made in first.match.moves),
                now=BEGUN,
                number=first.number,
                link=first.link,
                players=first.players,
            )
        ),
        "preview-new": write_preview(new),
        "submission": write_submission(first, start.parse_move("e3")),
        "digest": write_digest(
            [first, report("antipod"), report("resigning")],
            headline="Boards that wait for you: 2. Other boards: 1.",
        ),
        "news": with_footer(
            write_news(["You are on vacation until 2026-12-24.", "Your clocks stand still."]),
            ["How you are told: https://antipodes.example/notices/choices/"],
        ),
    }


def tables():
    """Return answers that are tables by the name of their file."""
    games = (
        GameLine(
            number=101,
            game_id="antipod",
            players=("ann", "bob"),
            turn="ann",
            moves=12,
            deadline=BEGUN + 50 * HOUR,
            left=50 * HOUR,
        ),
        GameLine(
            number=99,
            game_id="antipalos",
            players=("ann", "cat-3", "dan_the_man"),
            moves=40,
            result=Result(None, Reason.AGREEMENT),
        ),
    )
    challenge = ChallengeLine(
        number=7,
        game_id="antipalos",
        options="size=12, seats=team",
        by="ann",
        control="3d/move+10d",
        rated=True,
        invited=("bob", "cat-3"),
        joined=("cat-3",),
        free=2,
    )
    anybody = ChallengeLine(
        number=8, game_id="hex", options="", by="bob", control="1d/move", rated=False
    )
    history = HistoryLine(
        at=BEGUN,
        number=88,
        game_id="cylindrical-hex",
        opponents=("bob",),
        result="won",
        before=1600,
        after=1612,
    )
    casual = HistoryLine(at=BEGUN, number=87, game_id="hex", opponents=("bob",), result="drawn")
    standings = [
        StandingLine(rank=1, name="cat-3", rating="1745", deviation=61, games=84),
        StandingLine(rank=2, name="ann", rating="1612", deviation=90, games=31),
        StandingLine(rank=None, name="bob", rating="1500?", deviation=350, games=0),
    ]
    return {
        "standings": write_standings("Ratings in Antipod, correspondence.", standings),
        "history": write_history("Finished games of ann.", [history, casual]),
        "games": write_games("Boards of ann.", games),
        "games-none": write_games("Boards of dan_the_man.", []),
        "clocks": write_clocks("Clocks that run.", games[:1]),
        "challenges": write_challenges("Open challenges.", [challenge, anybody]),
        "vacation": write_table(
            "What is left of your vacation.", "Vacation", ("Board", "Left"), [("101", "30d")]
        ),
    }


def helps():
    """Return pages of help by file name; texts of commands change more often."""
    topics = {f"help-{topic}": write_help(topic) for topic in ("proof", "layout")}
    return topics | {f"help-{game_id}": game_help(game_id) for game_id in game_ids()}


def pages():
    """Return the HTML parts of e-mails by file name."""
    fault = Fault.of("match/not-your-turn", "it is the turn of seat {seat}", seat=2)
    refusal = refusal_answer([fault], report=report("hex-swapped"), original="<b>d4</b>\n")
    return {
        "antipod": board_html(report("antipod"), "board@antipodes.example"),
        "hex-size-26": board_html(report("hex-size-26"), "board@antipodes.example"),
        "refusal": html_of(refusal, "board@antipodes.example"),
    }


@cache
def files():
    """Return the content of all files by name."""
    texts = {**boards(), **replies(), **tables(), **helps()}
    named = {f"{name}.txt": text for name, text in texts.items()}
    return named | {f"{name}.html": text for name, text in pages().items()}


def main() -> None:
    for old in [*FOLDER.glob("*.txt"), *FOLDER.glob("*.html")]:
        old.unlink()
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(name)


if __name__ == "__main__":
    main()
