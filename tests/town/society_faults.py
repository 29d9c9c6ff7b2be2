"""Faults of sanctions, events and notices: fixes of the past that are taken out again."""

from __future__ import annotations

from typing import Any

from tests.town.replacing import in_tasks, replace_everywhere


def hears_the_muted() -> None:
    """Let muted people say anything anywhere."""
    from antipodes.web.accounts import restrictions

    restrictions.speech_checks = ()


def hears_the_muted_in_texts() -> None:
    """Refuse no texts of muted people, only their invitations."""
    from antipodes.web.accounts import masking

    vars(masking)["check_may_speak"] = lambda _user: None


def hears_the_muted_in_studies() -> None:
    """Let muted people open studies to others and invite to them."""
    from antipodes.web.studies import services

    vars(services)["check_may_speak"] = lambda _user: None


def lets_the_suspended_play() -> None:
    """Let suspended people begin games."""
    from antipodes.web.accounts import restrictions

    restrictions.play_checks = ()


def pairs_who_has_left() -> None:
    """Pair players who have left an event."""
    from antipodes.web.tournaments import rounds

    state_of = rounds.state_of

    def with_all(row: Any, at: int | None = None) -> Any:
        from dataclasses import replace

        return replace(state_of(row, at), withdrawn=frozenset())

    vars(rounds)["state_of"] = with_all


def pairs_again() -> None:
    """Forget in Swiss events who has met."""
    from antipodes.tournaments.history import History

    History.have_met = lambda *_: False  # type: ignore[method-assign]
    History.met = lambda *_: set()  # type: ignore[method-assign]


def leaves_events_undone() -> None:
    """Do no further step of an event whose due time has come."""
    from antipodes.web.tournaments import progress

    in_tasks(progress.advance_tournaments, lambda: None)


def ends_events_early() -> None:
    """End events after their first round."""
    from antipodes.web.tournaments import rounds

    next_pairings = rounds.next_pairings
    replace_everywhere(
        next_pairings, lambda row, at: None if row.round >= 1 else next_pairings(row, at)
    )


def tells_the_log_another_round() -> None:
    """Write other pairings into the log than those that are played."""
    from antipodes.web.tournaments import log

    record = log.record

    def record_reversed(row: Any, step: Any, by: Any = None, reason: str = "", **data: Any) -> None:
        if "pairings" in data:
            data["pairings"] = data["pairings"][::-1]
        record(row, step, by, reason, **data)

    replace_everywhere(record, record_reversed)


def keeps_challenges_of_the_absent() -> None:
    """Let open live challenges wait although their authors have left."""
    from antipodes.web.challenges import author_presence

    in_tasks(author_presence.end_left_challenges, lambda: None)


def starts_clocks_at_once() -> None:
    """Let live clocks run before the players have made their first moves."""
    from antipodes.clocks import Clock

    ready = Clock.ready
    Clock.ready = lambda control, seats, _grace=0, **_: ready(control, seats)  # type: ignore[method-assign]


FAULTS = (
    hears_the_muted,
    hears_the_muted_in_texts,
    hears_the_muted_in_studies,
    lets_the_suspended_play,
    pairs_who_has_left,
    pairs_again,
    leaves_events_undone,
    ends_events_early,
    tells_the_log_another_round,
    keeps_challenges_of_the_absent,
    starts_clocks_at_once,
)
