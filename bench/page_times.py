"""Measure in Chromium how long players wait for the engine in pages; run it on an idle machine.

python bench/page_times.py answers    the first answer, then those of levels 3 and 7
python bench/page_times.py review     the review of a game of Hex 11x11 with 1 and 2 workers
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

sys.path.insert(0, str(Path(__file__).parents[1]))
from antipodes.games.position import Position
from antipodes.games.registry import game_ids, make_game
from antipodes.search.players import make_player
from tests.browser.fixtures import site_and_browser
from tests.live.site import Site

LEVELS = (3, 7)
POSITIONS = 7  # of each game and level
SEEDS = 6  # moves before a position at most
WORKERS = (1, 2)
# Files of the page are below a folder of the release.
STATIC = "${document.querySelector('link[href$=\"/site.css\"]').href.replace('/site.css', '')}"

# Returns the milliseconds of the answers of a level to lines; the first one loads the engine.
ANSWERS = """async ({ game, level, lines }) => {
  const began = performance.now();
  const { PageEngine } = await import(`STATIC/engine/page_engine.js`);
  const { engine } = await (await fetch(`/engine.json?game=${game}&for=play`)).json();
  const page = new PageEngine(engine);
  await page.choose(level, lines[0], 1e9);
  const times = [performance.now() - began];
  for (const moves of lines) {
    const asked = performance.now();
    await page.choose(level, moves, 1e9);
    times.push(performance.now() - asked);
  }
  page.close();
  return times;
}""".replace("STATIC", STATIC)

# Returns the seconds of a review, the visits of all its positions, and its turning points.
REVIEW = """async ({ line, seconds }) => {
  const { DeviceJob } = await import(`STATIC/analysis/device_job.js`);
  const job = new DeviceJob();
  await job.prepare(line);
  const began = performance.now();
  let visits = 0;
  const turns = await job.review(line, seconds, (result) => (visits += result.rootInfo.visits));
  job.close();
  return { seconds: (performance.now() - began) / 1e3, visits, turns: turns.length };
}""".replace("STATIC", STATIC)


@contextmanager
def page_of(browser: Browser, site: Site, cores: int = 2) -> Iterator[Page]:
    """Open a page of the site in a browser that has loaded nothing of it."""
    context = browser.new_context()
    page = context.new_page()
    told = f"Object.defineProperty(navigator, 'hardwareConcurrency', {{ value: {cores} }});"
    page.add_init_script(told)
    page.goto(site.url("/privacy/"))  # has no board
    yield page
    context.close()


def lines(position: Position) -> list[list[int]]:
    """Return the first moves of random games."""
    chance = random.Random(1)
    drawn = []
    for _ in range(POSITIONS):
        now, moves = position, []
        for _ in range(chance.randrange(SEEDS)):
            moves.append(int(chance.choice(now.legal_moves)))
            now = now.play(moves[-1])
        drawn.append(moves)
    return drawn


def measure_answers(browser: Browser, site: Site) -> None:
    """Print the waiting times of each game and level."""
    print(f"{'':26}{'first use':>10}{'median':>10}{'longest':>10}   seconds")
    for game_id in game_ids():
        for level in LEVELS:
            asked = {"game": game_id, "level": level, "lines": lines(make_game(game_id).initial())}
            with page_of(browser, site) as page:
                first, *times = (time / 1_000 for time in page.evaluate(ANSWERS, asked))
            middle = statistics.median(times)
            case = f"{game_id} level {level}"
            print(f"{case:26}{first:10.2f}{middle:10.2f}{max(times):10.2f}", flush=True)


def whole_game() -> list[int]:
    """Return the moves of a game of level 3 against itself."""
    position: Position = make_game("hex").initial()
    player = make_player("computer:3", seed=1)
    moves: list[int] = []
    while position.outcome is None:
        moves.append(int(player.choose(position)))
        position = position.play(moves[-1])
    return moves


def measure_review(browser: Browser, site: Site) -> None:
    """Print the seconds of a review for each number of workers."""
    moves = whole_game()
    seconds = min(1.0, max(0.15, 30.0 / (len(moves) + 1)))  # as the site does
    line: dict[str, Any] = {"game": "hex", "options": {}, "moves": moves}
    print(f"Hex 11x11, {len(moves)} moves, {seconds:.2f} s for each position")
    for workers in WORKERS:
        with page_of(browser, site, cores=workers + 1) as page:
            told = page.evaluate(REVIEW, {"line": line, "seconds": seconds})
        print(f"{workers} workers: {json.dumps(told)}", flush=True)


MEASURES = {"answers": measure_answers, "review": measure_review}


def main() -> None:
    """Start a site and a browser, and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", nargs="*", default=list(MEASURES))
    chosen = parser.parse_args()
    with site_and_browser() as (site, browser, _):
        for what in chosen.what:
            MEASURES[what](browser, site)


if __name__ == "__main__":
    main()
