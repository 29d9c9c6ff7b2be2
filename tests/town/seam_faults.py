"""Faults where parts meet: fixes of the past that are taken out again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.town.replacing import in_tasks, replace_everywhere, replace_methods


def tells_before_the_commit() -> None:
    """Tell pages of a match before the change is stored."""
    from django.db import transaction

    from antipodes.web.matches import services

    class Hasty:
        atomic = transaction.atomic

        @staticmethod
        def on_commit(call: Callable[[], Any]) -> None:
            call()

    vars(services)["transaction"] = Hasty


def keeps_names_of_the_deleted() -> None:
    """Keep matches in memory with the names that players had."""
    from antipodes.web.matches import snapshots

    vars(snapshots)["_is_of"] = lambda _known, _names: True


def forgets_rated_games_of_the_deleted() -> None:
    """Delete the rated games of an account with it, and so their part in ratings of others."""
    from antipodes.web.accounts import account_deletion
    from antipodes.web.ratings.models import RatedMatch

    delete = account_deletion.delete_account

    def delete_all(user: Any) -> None:
        RatedMatch.objects.filter(match__seats__user=user).delete()
        delete(user)

    replace_everywhere(delete, delete_all)


def keeps_time_of_downtimes() -> None:
    """Give no time of an outage back."""
    from antipodes.web.matches import downtime, periodic_tasks

    vars(downtime)["given_back"] = lambda snapshot, *_: (snapshot.match, ())
    in_tasks(periodic_tasks.give_back_downtimes, lambda: None)


def lets_flags_stay() -> None:
    """Never look for games whose time is over."""
    from antipodes.web.matches import periodic_tasks

    in_tasks(periodic_tasks.let_flags_fall, lambda: None)


def pays_for_the_end() -> None:
    """Give an increment to the turn that the end of a game cuts off."""
    from antipodes.clocks import clock

    replace_methods(
        clock.Clock,
        stop=lambda self, now: replace(clock._ended(clock._read(self, now)), seat=None, spent=0),
    )


def fails_in_outages() -> None:
    """Take an outage of the database for an error of the program."""
    from antipodes.web.platform import outages

    replace_everywhere(outages.outage_of, lambda _error: None)


def logs_addresses() -> None:
    """Log the addresses of requests that fail."""
    from antipodes.web.platform import logs

    replace_methods(logs.AddressFilter, filter=lambda _filter, _record: True)


def writes_long_lines() -> None:
    """Break no lines of mails."""
    from antipodes.mail.layout import text

    replace_everywhere(text.broken, str)


def misses_wrapped_attributions() -> None:
    """Find introductions of quotes in one line only."""
    from antipodes.mail import quoting

    vars(quoting)["_ATTRIBUTION_LINES"] = 1


def trusts_marks_of_quotes() -> None:
    """Compare no reply with what the site has sent."""
    from antipodes.web.email_play import inbox_task

    vars(inbox_task)["without_sent"] = lambda text, _sent: text


def opens_private_studies() -> None:
    """List and show private studies to all."""
    from django.db.models import Q

    from antipodes.web.studies import permissions

    replace_everywhere(permissions.is_listed, lambda: Q(hidden_at=None))
    replace_everywhere(permissions.may_read, lambda _study, _user: True)


def says_clicks_twice() -> None:
    """Store a line of chat as often as it comes."""
    from antipodes.web.matches import chat

    add = chat.add_line

    def add_again(user: Any, data: dict[str, Any], **more: Any) -> Any:
        import secrets

        return add(user, {**data, "key": secrets.token_hex(8)}, **more)

    replace_everywhere(add, add_again)


def counts_changed_votes_again() -> None:
    """Add each vote to the sums of a puzzle, also one that was changed."""
    from antipodes.web.puzzles import services

    vote = services.vote

    def vote_more(user: Any, puzzle: Any, *, is_up: bool | None) -> Any:
        row = vote(user, puzzle, is_up=is_up)
        row.up += is_up is None
        row.save()
        return row

    replace_everywhere(vote, vote_more)


def tells_no_beginnings() -> None:
    """Tell open pages of no live game that begins."""
    from antipodes.web.notifications import match_events

    vars(match_events)["_await_each_other"] = lambda _row, _users: False


def ends_events_in_silence() -> None:
    """End events early without a reason."""
    from antipodes.web.tournaments import log

    record = log.record

    def record_silently(row: Any, step: Any, by: Any = None, _reason: str = "", **data: Any) -> Any:
        return record(row, step, by, "", **data)

    replace_everywhere(record, record_silently)


def looks_up_long_names() -> None:
    """Look for names that are longer than a database compares."""
    from antipodes.web.accounts import services
    from antipodes.web.accounts.models import User

    replace_everywhere(
        services.users_named, lambda name: User.objects.filter(username__iexact=name)
    )


def lets_jobs_be_lost_with_workers() -> None:
    """Take a job from the queue before it is done, so that a killed worker loses it."""
    from antipodes.web.jobs import queue

    run_of = queue.run_of

    def taking(job: Any) -> Any:
        queue.done(job)
        return run_of(job)

    vars(queue).update(run_of=taking, missing=lambda _kind, _wanted: [])


FAULTS = (
    tells_before_the_commit,
    keeps_names_of_the_deleted,
    forgets_rated_games_of_the_deleted,
    keeps_time_of_downtimes,
    lets_flags_stay,
    pays_for_the_end,
    fails_in_outages,
    logs_addresses,
    writes_long_lines,
    misses_wrapped_attributions,
    trusts_marks_of_quotes,
    opens_private_studies,
    says_clicks_twice,
    counts_changed_votes_again,
    tells_no_beginnings,
    ends_events_in_silence,
    looks_up_long_names,
    lets_jobs_be_lost_with_workers,
)
