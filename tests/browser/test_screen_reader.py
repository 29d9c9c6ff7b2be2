"""A match as the screen reader Orca tells it: the page, its cells, and the computer's move."""

import pytest

from antipodes.games.registry import make_game
from tests.browser.fixtures import PICTURES, chromium
from tests.browser.player import Player
from tests.browser.screen_reader import ScreenReader, missing_programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason=missing_programs() or "all there"),
]
_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--force-renderer-accessibility"]


@pytest.fixture
def reader(tmp_path):
    """A screen reader that runs."""
    started = ScreenReader(tmp_path)
    try:
        started.start()
        yield started
    finally:
        started.stop()


def test_a_screen_reader_tells_cells_moves_and_answers(browser, site, reader):
    shown = browser.browser_type.launch(
        executable_path=chromium(), headless=False, args=_ARGUMENTS, env=reader.environment
    )
    try:
        player = Player(shown.new_page(), site, PICTURES)
        player.play_computer("hex", size=3, swap="off", seat=0)
        player.shows(make_game("hex", {"size": 3, "swap": "off"}).initial())
        player.page.bring_to_front()
        reader.hears("Finished loading (?!New).*Hex.*Antipodes")
        reader.hears("^Your turn")
        player.cell(4).focus()
        reader.hears(r"^b2, empty")
        player.page.keyboard.press("ArrowRight")
        reader.hears(r"^c2, empty")
        player.page.keyboard.press("ArrowLeft")
        reader.hears(r"^b2, empty")
        player.page.keyboard.press("Enter")
        reader.hears(r"You played b2\.")
        reader.hears(r"computer, novice played [abc][123]\. Your turn")
        assert player.errors == []
    finally:
        shown.close()
