"""A player in a browser window: opens pages, starts games, and plays with the mouse."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from antipodes.games.registry import make_game
from antipodes.notation.scene import Scene
from tests.browser.accessibility import violations
from tests.browser.menus import cut_choices
from tests.live.site import Site

_ANSWER_TIMEOUT = 300  # seconds; the computer's first answer waits until kernels are compiled

# Compares every cell's label in the page: cell -> pattern of the label, on the board as it is, and
# after a quarter turn.
_SHOWS = """both => {
  const board = document.querySelector("antipodes-board");
  const cells = [...(board?.querySelectorAll("[data-cell]:not([aria-hidden])") ?? [])];
  const expected = both[board?.dataset.turned === undefined ? 0 : 1];
  return cells.length > 0 && cells.every((cell) =>
    new RegExp(`, ${expected[cell.dataset.cell]}(,|$)`).test(cell.getAttribute("aria-label")));
}"""
_LABELS = """() => {
  const cells = document.querySelectorAll("antipodes-board [data-cell]:not([aria-hidden])");
  return Object.fromEntries([...cells].map(
    (cell) => [cell.dataset.cell, cell.getAttribute("aria-label")]));
}"""


# Chromium warns when a page aborts a WebSocket that connects, as when the page is left.
_ABORTED = "WebSocket is closed before the connection is established"


class Player:
    """A browser window with its own cookies."""

    def __init__(self, page: Page, site: Site, pictures: Path) -> None:
        """Record errors of the page from the start."""
        self.page = page
        self.site = site
        self._logged: list[str] = []
        self._expected = [_ABORTED]
        self.pictures = pictures
        page.on("pageerror", lambda error: self._logged.append(f"page: {error}"))
        page.on("console", lambda message: self._log(message.type, _text_of(message)))

    def _log(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self._logged.append(f"{kind}: {text}")

    def expect_errors(self, pattern: str) -> None:
        """Ignore errors that the test causes on purpose, before and after the call."""
        self._expected.append(pattern)

    @property
    def errors(self) -> list[str]:
        """The unexpected errors of the page."""
        return [
            error
            for error in self._logged
            if not any(re.search(pattern, error) for pattern in self._expected)
        ]

    # Pages.

    def open(self, path: str = "/") -> None:
        """Open a page of the site, or any URL."""
        self.page.goto(path if "://" in path else self.site.url(path))

    def picture(self, name: str, *, whole: bool = True) -> None:
        """Save a screenshot of the page as an artefact."""
        self.page.screenshot(path=self.pictures / f"{name}.png", full_page=whole)

    def press(self, name: str) -> None:
        """Press the first button whose name begins like this."""
        self.button(name).click()

    def button(self, name: str) -> Locator:
        """Return the first button whose name begins like this."""
        pattern = re.compile(rf"^{re.escape(name)}", re.IGNORECASE)
        return self.page.get_by_role("button", name=pattern).first

    def says(self, text: str | re.Pattern[str]) -> None:
        """Wait until the page contains a text."""
        expect(self.page.locator("main")).to_contain_text(text, ignore_case=True)

    def check_accessibility(self) -> None:
        """Check the page with axe, and that its width and the texts of its lists fit."""
        assert not (found := violations(self.page)), f"{self.page.url}: " + "\n".join(found)
        wide, window = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= window, f"{self.page.url} is {wide} pixels wide in a window of {window}"
        assert not (cut := cut_choices(self.page)), f"{self.page.url}: " + "\n".join(cut)

    # New games.

    def start_game(self, game_id: str, opponent: str, *, seat: int = 0, **values: Any) -> None:
        """Submit the form of a new game; options of the game have their own names.

        Antipod has the handicap of its inventor, as in the library, not the one that forms offer.
        """
        self.open(f"/new/{game_id}/")
        options = {info.name for info in make_game(game_id, {}).option_table()}
        if "handicap" in options:
            values.setdefault("handicap", "six")
        for details in self.page.locator("form.new-game details").all():
            details.evaluate("element => { element.open = true; }")
        self.fill("opponent", opponent)
        for name, value in values.items():
            self.fill(f"option-{name}" if name in options else name, value)
        # In games for more than two players, the first seat is the default.
        if self.page.locator("[name='seat']").is_visible():
            self.fill("seat", seat)
        self.page.locator("form.new-game button.first").click()

    def fill(self, name: str, value: object) -> None:
        """Set a field of a form, whatever its kind."""
        field = self.page.locator(f"[name='{name}']")
        kind = field.first.evaluate("element => element.type ?? element.localName")
        if kind == "select-one":
            field.select_option(str(value))
        elif kind == "radio":
            self.page.locator(f"[name='{name}'][value='{value}']").check(force=True)
        elif kind == "checkbox":
            field.set_checked(bool(value))
        else:
            field.fill(str(value))

    def play_computer(self, game_id: str, *, level: int = 1, **values: Any) -> None:
        """Start a game against a level of the computer."""
        self.start_game(game_id, "computer", level=level, **values)
        self.page.wait_for_url("**/m/*/")

    def challenge(self, game_id: str, **values: Any) -> str:
        """Create a challenge with a link, and return the link."""
        self.start_game(game_id, "link", **values)
        self.page.wait_for_url("**/c/*/")
        return self.page.url

    def join(self, link: str) -> None:
        """Join a challenge by its link."""
        self.open(link)
        self.page.locator("form[action$='/join'] button.first").click()
        self.page.wait_for_url(re.compile(r"/[mc]/[^/]+/$"))

    def wait_for_match(self) -> None:
        """Wait until the challenge's page opens the match."""
        self.page.wait_for_url("**/m/*/")

    # The match.

    @property
    def match(self) -> dict[str, Any]:
        """The match from the server, as this player sees it."""
        path = self.page.url.split("?")[0].split("#")[0]
        found: dict[str, Any] = self.page.request.get(f"{path}match.json").json()
        return found

    def open_chat(self) -> None:
        """Open the chat of the match."""
        self.page.get_by_role("tab", name=re.compile("^Chat")).click()

    def say(self, text: str) -> None:
        """Send a chat message, and wait until it is shown."""
        self.open_chat()
        self.chat_field.fill(text)
        self.chat_field.press("Enter")
        expect(self.chat_message(text)).to_be_visible()

    @property
    def chat_field(self) -> Locator:
        return self.page.get_by_label("Message", exact=True)

    def chat_message(self, text: str) -> Locator:
        """Return the chat messages that contain a text."""
        return self.page.locator(".chat-lines li", has_text=text)

    def cell(self, cell: int) -> Locator:
        """Return a cell of the board; the first of its spots if it has several."""
        return self.page.locator(f"antipodes-board [data-cell='{cell}']:not([aria-hidden])").first

    def play(self, position: Any, text: str) -> Any:
        """Play a move with the mouse, wait until it is shown, and return the new position."""
        after = self.move(position, text)
        self.shows(after)
        return after

    def move(self, position: Any, text: str) -> Any:
        """Play a move with the mouse, and return the new position.

        The computer can answer so quickly that this position is never shown.
        """
        move = position.parse_move(text)
        if move == position.game.swap_move:
            swap = re.compile(r"^(Swap sides|Take over the first stone)")
            self.page.get_by_role("button", name=swap).click()
        else:
            self.click_steps(position, position.steps(move))
        return position.play(move)

    def after_answer(self, position: Any) -> Any:
        """Wait for the next moves of others until they are shown, and return the position."""
        end = time.monotonic() + _ANSWER_TIMEOUT
        while len(moves := self.match["moves"]) <= position.ply:
            assert time.monotonic() < end, f"no answer to move {position.ply}"
            self.page.wait_for_timeout(50)
        for played in moves[position.ply :]:
            position = position.play(played["move"])
        self.shows(position)
        return position

    def click_steps(self, position: Any, steps: tuple[int, ...]) -> None:
        """Click the cells of a move, and confirm it if the board asks for it."""
        is_rod = bool(position.game.topology.kind == "grid")
        cells, diagonal = (steps[:-1], steps[-1]) if is_rod else (steps, None)
        for cell in cells[:-1]:
            self.cell(cell).click()
        self._click_cell(self.cell(cells[-1]), diagonal)
        confirm = self.page.locator("antipodes-board .confirm").filter(visible=True).first
        if confirm.is_visible():
            confirm.click()

    def _is_turned(self) -> bool:
        """Return whether the board is rotated by a quarter turn: rising rods appear falling."""
        board = self.page.locator("antipodes-board").first
        return board.get_attribute("data-turned") is not None

    def _click_cell(self, cell: Locator, diagonal: int | None) -> None:
        """Click a cell; for a rod, in the corner of the square that chooses its diagonal."""
        if diagonal is None:
            cell.click()
            return
        box = cell.bounding_box()
        assert box is not None
        is_rising = (diagonal == 0) != self._is_turned()
        down = 0.25 if is_rising else 0.75
        cell.click(position={"x": 0.75 * box["width"], "y": down * box["height"]})

    def shows(self, position: Any) -> None:
        """Wait until the board shows a position."""
        both = [cell_labels(position), cell_labels(position, is_turned=True)]
        try:
            self.page.wait_for_function(_SHOWS, arg=both)
        except Exception as error:
            shown = self.page.evaluate(_LABELS)
            wrong = [
                f"{shown.get(cell)!r} instead of {label}"
                for cell, label in both[self._is_turned()].items()
                if not re.search(f", {label}(,|$)", shown.get(cell, ""))
            ]
            raise AssertionError(f"the board is wrong: {wrong[:8]}") from error


def _text_of(message: ConsoleMessage) -> str:
    """Return a console message with its URL, which names missing files."""
    return f"{message.text} ({message.location.get('url', '')})"


def cell_labels(position: Any, *, is_turned: bool = False) -> dict[str, str]:
    """Return the label of each cell's piece for screen readers."""
    scene: Scene = position.scene()
    found = {str(cell): "empty" for cell in range(position.game.topology.cell_count)}
    found.update({str(cell): color.value for cell, color in scene.stones.items()})
    rods = {"/": "falling" if is_turned else "rising", "\\": "rising" if is_turned else "falling"}
    for cell, rod in scene.rods.items():
        found[str(cell)] = f"{rod.color.value} rod, {rods[rod.diagonal]}"
    found.update({str(cell): f"{color.value} pawn" for cell, color in scene.pawns.items()})
    return found
