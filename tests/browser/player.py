"""Somebody in front of a browser: opens pages, begins games, plays by pointing."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from antipodes.games.registry import make_game
from antipodes.notation.scene import Scene
from tests.browser.accessibility import violations
from tests.live.site import Site

_ANSWER = 300  # seconds; the first answer ever waits until kernels are compiled

# What every cell must say, compared in the page: cell -> pattern of its spoken name, as the board
# is, and as it is seen after a quarter turn.
_SHOWS = """both => {
  const board = document.querySelector("antipodes-board");
  const cells = [...(board?.querySelectorAll("[data-cell]:not([aria-hidden])") ?? [])];
  const expected = both[board?.dataset.turned === undefined ? 0 : 1];
  return cells.length > 0 && cells.every((cell) =>
    new RegExp(`, ${expected[cell.dataset.cell]}(,|$)`).test(cell.getAttribute("aria-label")));
}"""
_SAID = """() => {
  const cells = document.querySelectorAll("antipodes-board [data-cell]:not([aria-hidden])");
  return Object.fromEntries([...cells].map(
    (cell) => [cell.dataset.cell, cell.getAttribute("aria-label")]));
}"""


class Player:
    """One window of the browser, with cookies of its own."""

    def __init__(self, page: Page, site: Site, pictures: Path, *, confirms: bool = False) -> None:
        """Watch the page for errors from the beginning."""
        self.page = page
        self.site = site
        self.confirms = confirms
        self._heard: list[str] = []
        self._forgiven: list[str] = []
        self.pictures = pictures
        page.on("pageerror", lambda error: self._heard.append(f"page: {error}"))
        page.on("console", lambda message: self._hear(message.type, _text_of(message)))

    def _hear(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self._heard.append(f"{kind}: {text}")

    def forgive(self, pattern: str) -> None:
        """Let errors pass that a test causes on purpose, before and after."""
        self._forgiven.append(pattern)

    @property
    def errors(self) -> list[str]:
        """What went wrong in the page, and was not caused on purpose."""
        return [
            error
            for error in self._heard
            if not any(re.search(pattern, error) for pattern in self._forgiven)
        ]

    # Pages.

    def open(self, path: str = "/") -> None:
        """Open a page of the site, or any address."""
        self.page.goto(path if "://" in path else self.site.url(path))

    def picture(self, name: str, *, whole: bool = True) -> None:
        """Keep a picture of the page as an artefact."""
        self.page.screenshot(path=self.pictures / f"{name}.png", full_page=whole)

    def press(self, name: str) -> None:
        """Press the button whose name begins so."""
        self.button(name).click()

    def button(self, name: str) -> Locator:
        """Return the first button whose name begins so."""
        pattern = re.compile(rf"^{re.escape(name)}", re.IGNORECASE)
        return self.page.get_by_role("button", name=pattern).first

    def says(self, text: str | re.Pattern[str]) -> None:
        """Wait until a text can be read somewhere in the page."""
        expect(self.page.locator("main")).to_contain_text(text, ignore_case=True)

    def breaks_nothing_for_anybody(self) -> None:
        """Check the page's accessibility, and that it is not wider than the window."""
        assert not (found := violations(self.page)), f"{self.page.url}: " + "\n".join(found)
        wide, window = self.page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= window, f"{self.page.url} is {wide} pixels wide in a window of {window}"

    # Beginning games.

    def begin(self, game_id: str, opponent: str, *, seat: int = 0, **values: Any) -> None:
        """Fill in the form of a new game; options of the game are named as they are."""
        self.open(f"/new/{game_id}/")
        options = {info.name for info in make_game(game_id, {}).option_table()}
        for details in self.page.locator("form.wish details").all():
            details.evaluate("element => { element.open = true; }")
        self.fill("opponent", opponent)
        for name, value in values.items():
            self.fill(f"option-{name}" if name in options else name, value)
        # In games for more than two the first seat is one's own unless one says otherwise.
        if self.page.locator("[name='seat']").is_visible():
            self.fill("seat", seat)
        self.page.locator("form.wish button.first").click()

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
        """Begin a game against a level of the computer."""
        self.begin(game_id, "computer", level=level, **values)
        self.page.wait_for_url("**/m/*/")

    def challenge(self, game_id: str, **values: Any) -> str:
        """Post a challenge for whoever gets the link, and return that."""
        self.begin(game_id, "link", **values)
        self.page.wait_for_url("**/c/*/")
        return self.page.url

    def join(self, link: str) -> None:
        """Join a challenge by its link."""
        self.open(link)
        self.page.locator("form[action$='/join'] button.first").click()
        self.page.wait_for_url(re.compile(r"/[mc]/[^/]+/$"))

    def wait_for_match(self) -> None:
        """Wait until the challenge's page gives way to the match."""
        self.page.wait_for_url("**/m/*/")

    # The match.

    @property
    def match(self) -> dict[str, Any]:
        """How the match stands for this player, as the server says."""
        path = self.page.url.split("?")[0].split("#")[0]
        found: dict[str, Any] = self.page.request.get(f"{path}match.json").json()
        return found

    def talk(self) -> None:
        """Bring the chat of the match into view."""
        self.page.get_by_role("tab", name=re.compile("^Chat")).click()

    def say(self, words: str) -> None:
        """Say something at the match, and wait until it is said."""
        self.talk()
        self.page.get_by_label("Say something").fill(words)
        self.page.get_by_label("Say something").press("Enter")
        expect(self.heard(words)).to_be_visible()

    def heard(self, words: str) -> Locator:
        """Return the line of the chat that has some words in it."""
        return self.page.locator(".chat-lines li", has_text=words)

    def cell(self, cell: int) -> Locator:
        """Return a cell of the board; where it is drawn twice, the first place."""
        return self.page.locator(f"antipodes-board [data-cell='{cell}']:not([aria-hidden])").first

    def play(self, position: Any, text: str) -> Any:
        """Make a move by pointing, and return the position after it, which is then shown."""
        after = self.move(position, text)
        self.shows(after)
        return after

    def move(self, position: Any, text: str) -> Any:
        """Make a move by pointing, and return the position after it.

        A computer may answer so quickly that this position is never on the screen.
        """
        move = position.parse_move(text)
        if move == position.game.swap_move:
            swap = re.compile(r"^(Swap sides|Take over the first stone)")
            self.page.get_by_role("button", name=swap).click()
        else:
            self.point(position, position.steps(move))
        return position.play(move)

    def after_answer(self, position: Any) -> Any:
        """Wait until somebody else has moved on, and return the position then, which is shown."""
        end = time.monotonic() + _ANSWER
        while len(moves := self.match["moves"]) <= position.ply:
            assert time.monotonic() < end, f"nobody answered move {position.ply}"
            self.page.wait_for_timeout(50)
        for made in moves[position.ply :]:
            position = position.play(made["move"])
        self.shows(position)
        return position

    def point(self, position: Any, steps: tuple[int, ...]) -> None:
        """Point at the cells of a move, one after another; confirm it if this player has to."""
        is_rod = bool(position.game.topology.kind == "grid")
        cells, diagonal = (steps[:-1], steps[-1]) if is_rod else (steps, None)
        for cell in cells[:-1]:
            self.cell(cell).click()
        self._touch(self.cell(cells[-1]), diagonal)
        if self.confirms:
            self.page.locator("antipodes-board .confirm").click()

    def _is_turned(self) -> bool:
        """Tell whether the board is seen after a quarter turn: rising rods are seen falling."""
        board = self.page.locator("antipodes-board").first
        return board.get_attribute("data-turned") is not None

    def _touch(self, cell: Locator, diagonal: int | None) -> None:
        """Point at a cell; for a rod in the quarter of the square that means its diagonal."""
        if diagonal is None:
            cell.click()
            return
        box = cell.bounding_box()
        assert box is not None
        is_rising = (diagonal == 0) != self._is_turned()
        down = 0.25 if is_rising else 0.75
        cell.click(position={"x": 0.75 * box["width"], "y": down * box["height"]})

    def shows(self, position: Any) -> None:
        """Wait until every cell of the board shows what lies on it in a position."""
        both = [spoken_cells(position), spoken_cells(position, is_turned=True)]
        try:
            self.page.wait_for_function(_SHOWS, arg=both)
        except Exception as error:
            said = self.page.evaluate(_SAID)
            wrong = [
                f"{said.get(cell)!r} instead of {words}"
                for cell, words in both[self._is_turned()].items()
                if not re.search(f", {words}(,|$)", said.get(cell, ""))
            ]
            raise AssertionError(f"the board is wrong: {wrong[:8]}") from error


def _text_of(message: ConsoleMessage) -> str:
    """Return what the console says, and of what; so a file that is missing has a name."""
    return f"{message.text} ({message.location.get('url', '')})"


def spoken_cells(position: Any, *, is_turned: bool = False) -> dict[str, str]:
    """Return for each cell what a screen reader says about what lies on it."""
    scene: Scene = position.scene()
    found = {str(cell): "empty" for cell in range(position.game.topology.cell_count)}
    found.update({str(cell): color.value for cell, color in scene.stones.items()})
    rods = {"/": "falling" if is_turned else "rising", "\\": "rising" if is_turned else "falling"}
    for cell, rod in scene.rods.items():
        found[str(cell)] = f"{rod.color.value} rod, {rods[rod.diagonal]}"
    found.update({str(cell): f"{color.value} pawn" for cell, color in scene.pawns.items()})
    return found
