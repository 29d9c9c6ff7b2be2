"""The laws of the site: what holds whatever people do.

Each law is a function with one sentence; it yields what breaks it, in words.
"""

from __future__ import annotations

from antipodes.web.town.laws import answers, matches, secrets
from antipodes.web.town.town import Law

# Checked after each event.
QUICK: tuple[Law, ...] = (
    secrets.secrets_stay_with_their_owners,
    answers.the_site_never_fails,
    answers.nothing_is_logged_as_an_error,
)
# Checked at the end of each day.
DAILY: tuple[Law, ...] = (
    matches.ratings_are_those_computed_again,
    matches.matches_can_be_replayed,
    matches.no_job_stays,
    answers.no_mail_has_a_traceback,
)
