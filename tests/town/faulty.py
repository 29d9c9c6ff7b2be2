"""The town with a fault that a fix has removed: ``python -m tests.town.faulty FAULT ...``.

Each fault takes a fix out of the program again. The laws of the town must notice it.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from typing import Any

from antipodes.web.town import run
from tests.town import seam_faults, society_faults
from tests.town.replacing import replace_methods


def masks_nothing() -> None:
    """Pass on texts with the secrets of their authors."""
    from antipodes.web.accounts import masking

    vars(masking)["_masked_for_all"] = lambda _user, texts, _also=(): [
        masking.Masked(text) for text in texts
    ]


def rates_twice() -> None:
    """Count each game twice in ratings."""
    from antipodes.web.ratings.pool_ratings import PoolRatings

    rate = PoolRatings.rate

    def rate_twice(ratings: PoolRatings, games: Any) -> None:
        rate(ratings, [*games, *games] if len(games) == 1 else games)

    setattr(PoolRatings, rate.__name__, rate_twice)


def fails_for_strangers() -> None:
    """Fail at profiles of people who do not exist."""
    from antipodes.web.profiles import views

    def fail(name: str) -> None:
        raise KeyError(name)

    vars(views)["_find"] = fail


def takes_deleted_for_new() -> None:
    """Rate games against deleted accounts as if these had never played."""
    from antipodes.web.ratings.pool_ratings import PoolRatings, UserRating

    replace_methods(PoolRatings, _of_deleted=lambda _ratings, _user: UserRating())


def keeps_ratings_of_deleted() -> None:
    """Store ratings of deleted accounts again, when games are rated again."""
    from antipodes.web.ratings import pool_ratings

    vars(pool_ratings)["existing_accounts"] = set


def carries_out_copies() -> None:
    """Take each copy of a mail for a mail of its own."""
    from antipodes.web.email_play import inbox

    vars(inbox)["message_key"] = lambda _raw: secrets.token_hex(32)


def plays_on_other_boards() -> None:
    """Play replies to boards that are no longer current."""
    from antipodes.web.email_play.context import CommandContext

    replace_methods(CommandContext, seen_ply=lambda _context: None)


def passes_on_quotes() -> None:
    """Take all of a mail for the words of its writer."""
    from antipodes.mail import incoming
    from antipodes.web.email_play import inbox_task

    vars(incoming)["own_text"] = vars(inbox_task)["own_text"] = str
    vars(inbox_task)["without_sent"] = lambda text, _sent: text


def takebacks_give_time() -> None:
    """Let a takeback end the turn that runs, with its increment, and forget what was used."""
    from antipodes.clocks.clock import Clock

    replace_methods(Clock, take_back=lambda clock, _withdrawn, seat, now: clock.turn_to(seat, now))


def outages_answer_offers() -> None:
    """Withdraw the offer of a pause when an outage pauses a match."""
    from antipodes.match.match import Match

    agreed = Match.is_agreed
    replace_methods(
        Match,
        is_agreed=lambda match, kind: (
            agreed(match, kind) or sys._getframe(1).f_code.co_name == "_changed"
        ),
    )


def misses_lost_messages() -> None:
    """Never look whether sockets have missed a message."""
    from antipodes.web.matches.consumers import MatchSocket

    replace_methods(MatchSocket, has_missed=lambda _socket, _version, _recent: False)


def follows_clocks_back() -> None:
    """Set the site's clock back with the machine's."""
    from antipodes.web.platform.clock import SiteClock

    def follow(clock: Any, reading: Any, _stored: Any) -> int:
        vars(clock).update(_offset=reading.reference - reading.monotonic, _latest=0)
        return 0

    replace_methods(SiteClock, follow=follow)


def forgets_waiting_jobs() -> None:
    """Never look for jobs that were lost."""
    from antipodes.web.jobs import queue

    vars(queue)["missing"] = lambda _kind, _wanted: []


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__.replace("_", "-"): fault
    for fault in (
        masks_nothing,
        rates_twice,
        fails_for_strangers,
        takes_deleted_for_new,
        keeps_ratings_of_deleted,
        carries_out_copies,
        plays_on_other_boards,
        passes_on_quotes,
        takebacks_give_time,
        outages_answer_offers,
        misses_lost_messages,
        follows_clocks_back,
        forgets_waiting_jobs,
        *society_faults.FAULTS,
        *seam_faults.FAULTS,
    )
}


def main() -> None:
    """Put faults in, whose names are joined by ``+``, and run."""
    faults = [FAULTS[name] for name in sys.argv.pop(1).split("+")]

    def put_in() -> None:
        for fault in faults:
            fault()

    run.main(put_in)


if __name__ == "__main__":
    main()
