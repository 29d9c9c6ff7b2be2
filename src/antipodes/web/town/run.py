"""One run of the town, in a process of its own: ``python -m antipodes.web.town.run``.

It makes time and randomness of its process virtual, so nothing else may happen there; see
:mod:`antipodes.web.town.simulation`, which starts it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from antipodes.web.town import site as town_site
from antipodes.web.town.chronicle import Chronicle
from antipodes.web.town.reach import Reach
from antipodes.web.town.virtual_time import VirtualLoop

_BEGIN = datetime(2030, 3, 4, 8, tzinfo=UTC)  # a Monday


def run(options: argparse.Namespace, prepare: Callable[[], object]) -> int:
    """Run a town; return how many breaches of laws there were.

    Args:
        options: those of :func:`main`.
        prepare: called when the program is loaded.
    """
    acts = None
    if options.acts is not None:
        acts = frozenset(map(tuple, json.loads(options.acts.read_text(encoding="utf-8"))))
    town_site.make_random(options.seed)
    town_site.load(options.folder)
    prepare()
    loop = VirtualLoop(_BEGIN)
    with loop:
        site = town_site.TownSite(loop)
        from antipodes.web.town.habits import fashions, weights_of
        from antipodes.web.town.laws import DAILY, QUICK
        from antipodes.web.town.town import Town

        habits = partial(weights_of, factors=fashions(options.seed))
        town = Town(site, options.seed, habits, DAILY, QUICK, log=sys.stdout, acts=acts)
        if options.coverage:
            town.coverage.reach_site()
            town.reach = Reach()
        if options.picture is not None:
            town.chronicle = Chronicle()
        town.settle_people(options.people)

        async def live() -> None:
            await site.start()
            await town.live(options.days, most=options.events)

        begun = time.process_time()
        loop.run_until_complete(live())
        took = time.process_time() - begun
    if town.chronicle is not None:
        options.picture.write_text(town.chronicle.picture(), encoding="utf-8")
    if town.reach is not None:
        lines = (*town.reach.lines(town.measured), *town.coverage.lines())
        sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.write(
        f"{len(town.events)} events in {took:.1f} s of CPU, {len(town.breaches)} breaches of laws,"
        f" digest {town.digest}\n"
    )
    return len(town.breaches)


def main(prepare: Callable[[], object] = lambda: None) -> None:
    """Read the arguments, and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="an empty folder for the site's data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--days", type=float, default=7.0)
    parser.add_argument("--events", type=int)
    parser.add_argument("--acts", type=Path, help="a file with the only acts that people do")
    parser.add_argument("--coverage", action="store_true", help="print what people did and used")
    parser.add_argument("--picture", type=Path, help="a file for a picture of all hours")
    sys.exit(min(1, run(parser.parse_args(), prepare)))


if __name__ == "__main__":
    main()
