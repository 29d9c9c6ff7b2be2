"""Periodic tasks of tournaments."""

from __future__ import annotations

import logging

from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.tournaments import progress, repeats

logger = logging.getLogger(__name__)


def advance_tournaments() -> None:
    """Take the next steps of all events that are due."""
    for key in progress.due(now()):
        try:
            progress.advance(key)
        except Exception as error:
            if outage_of(error):
                raise
            logger.exception("tournament step failed tournament=%s", key)
            progress.fail(key)


def repeat_tournaments() -> None:
    """Make the next event of each repeated one that has begun."""
    for key in repeats.due():
        repeats.make_next(key)
