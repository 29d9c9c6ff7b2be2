"""Loading time and transferred data until a new visitor's first move, printed for comparison."""

import time
from urllib.parse import parse_qsl

from antipodes.games.registry import make_game


def test_a_new_visitor_plays_a_first_move_within_seconds(window, site, capsys):
    player = window(site)
    sent = []
    session = player.page.context.new_cdp_session(player.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sent.append(event["encodedDataLength"]))
    began = time.monotonic()
    player.open("/")
    board = player.page.locator("antipodes-board").first
    options = dict(parse_qsl(board.get_attribute("data-options")))
    position = make_game(board.get_attribute("data-game"), options).initial()
    player.shows(position)
    playable = time.monotonic()
    first = sum(sent)
    move = list(position.legal_moves)[30]
    player.cell(position.steps(move)[0]).click()
    player.wait_for_match()
    after = position.play(move)
    moved = time.monotonic()
    player.after_answer(after)
    answered = time.monotonic()
    whole = sum(sent)
    with capsys.disabled():
        print(
            f"\n    playable board {playable - began:.2f} s after opening, {first / 1024:.0f} KiB;"
            f" first move after {moved - began:.2f} s, answered {answered - moved:.2f} s later;"
            f" {whole / 1024:.0f} KiB in all"
        )
    assert moved - began < 60
