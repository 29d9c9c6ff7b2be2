"""Smoke tests of the site's JavaScript in Chromium.

`make browser` plays whole games; these few moves are part of `make test`.
"""

from playwright.sync_api import expect

from antipodes.boards import sphere
from tests.browser.scripts import Script

# Returns the cell of the sphere, among some, that is largest on the screen.
_LARGEST = """cells => {
  const area = (cell) => {
    const found = document.querySelector(`.rotatable [data-cell='${cell}']:not([hidden])`);
    const box = found?.getBoundingClientRect();
    return box ? box.width * box.height : 0;
  };
  return cells.reduce((best, cell) => (area(cell) > area(best) ? cell : best));
}"""


def start_match(seats, game_id, **options):
    """Start a match of two players, and return them with its first position."""
    played = Script(game_id, options, ())
    return *seats(played), played.start()


def play_for_both(players, position, text):
    """Play a move for the player to move, and check that both boards show it."""
    after = players[position.seat_to_move].play(position, text)
    for player in players:
        player.shows(after)
    return after


def test_both_players_see_a_move(seated):
    *players, position = start_match(seated, "hex", size=4, swap="off")
    for text in ("b2", "c3"):
        position = play_for_both(players, position, text)


def test_a_rim_point_is_played_on_the_sphere(seated):
    *players, position = start_match(seated, "antipod", side=4, handicap="six")
    black = players[0]
    black.page.locator(".board-views label:has([value='sphere'])").click()
    rim = black.page.evaluate(_LARGEST, [int(cell) for cell in sphere(4).rims["equator"]])
    play_for_both(players, position, position.format_move(rim))


def test_a_turn_of_antipode_takes_two_steps(seated):
    *players, position = start_match(seated, "antipode")
    move = next(move for move in position.legal_moves if len(position.steps(move)) == 2)
    play_for_both(players, position, position.format_move(move))


def test_the_clicked_corner_chooses_a_rods_diagonal(seated):
    *players, position = start_match(seated, "antipalos", size=12)
    rods = [move for move in position.legal_moves if move != position.game.swap_move]
    for move in (rods[0], rods[-1]):
        text = position.format_move(move)
        position = play_for_both(players, position, text)


def test_a_page_reconnects_and_shows_missed_moves(pair, seated):
    black, white = pair
    sockets, is_down = [], False

    def connect(socket):
        if is_down:
            socket.close()
        else:
            socket.connect_to_server()
            sockets.append(socket)

    white.page.route_web_socket("**/m/*/socket*", connect)
    *_, position = start_match(seated, "hex", size=4, swap="off")
    for text in ("a1", "d4"):
        position = play_for_both((black, white), position, text)
    is_down = True
    sockets.pop().close()
    white.says("Connection lost")
    position = black.play(position, "b2")
    is_down = False
    white.shows(position)
    black.shows(white.play(position, "c3"))


def test_times_are_written_in_the_visitors_zone_on_every_page(browser, site):
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    page = context.new_page()
    page.goto(site.url("/rules/"))
    page.evaluate("""() => {
      document.querySelector("h1").insertAdjacentHTML(
        "afterend", "<time datetime='2027-01-15T08:00:00+00:00' data-local>08:00 UTC</time>");
      document.body.dispatchEvent(new Event("htmx:afterSwap", { bubbles: true }));
    }""")
    expect(page.locator("time[data-local]")).to_have_text("15 January 2027, 17:00")
    context.close()
