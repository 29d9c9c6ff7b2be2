"""Matches continue without lost moves or reloads after the server is restarted or killed."""

import pytest

from tests.browser.scripts import Script, script

# The own site comes before the windows, so that it stops when these are closed.
LOST = "WebSocket|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|ERR_CONNECTION_RESET|fetch"


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_a_game_continues_after_a_restart(own_site, table, how):
    played = script("hex-size-4-swap-sides")
    players = table(played, at=own_site)
    position = played.start()
    for number, text in enumerate(played.moves):
        own = players[position.seat_to_move]
        position = own.play(position, text)
        for player in players:
            player.shows(position)
        if number == 3:
            getattr(own_site, "kill" if how == "kill" else "stop")()
            for player in players:
                player.says("Connection lost")
            own_site.start()
            for player in players:
                player.page.get_by_text("Connection lost").wait_for(state="hidden")
    for player in players:
        player.says(str(position.outcome))
        player.expect_errors(LOST)


def test_a_move_during_a_downtime_is_played_afterwards(own_site, table):
    played = Script("hex", {"size": 4, "swap": "off"}, ())
    black, white = table(played, at=own_site)
    start = played.start()
    move = start.parse_move("b2")
    for player in (black, white):
        player.shows(start)
    own_site.kill()
    black.says("Connection lost")
    black.click_steps(start, start.steps(move))
    own_site.start()
    for player in (black, white):
        player.shows(start.play(move))
        player.expect_errors(LOST)
    assert len(black.match["moves"]) == 1


def test_the_computer_answers_after_the_server_was_killed(own_site, window):
    player = window(own_site)
    player.play_computer("hex", level=8, size=9, seat=0, swap="off")
    start = Script("hex", {"size": 9, "swap": "off"}, ()).start()
    after = player.move(start, "e5")
    player.page.wait_for_timeout(200)  # the move arrives, and the computer begins to think
    own_site.kill()
    own_site.start()
    answered = player.after_answer(after)
    assert answered.ply == 2
    player.expect_errors(LOST)
