"""The table of faults in ``docs/simulation.md``: ``python -m tests.town.fault_table RESULTS``.

Each group of faults runs once, until each has broken a law of its own. The file gets a line for
each group that has ended, so that a later call runs the others only.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from antipodes.web.town.simulation import Settings, simulate
from tests.live import database
from tests.town.faulty import FAULTS

_BREACH = re.compile(r"BROKEN after (\d+): (\w+): ")
_SANCTIONS = (
    "the_muted_are_not_heard",
    "acts_under_a_sanction_make_nothing_for_others",
)

# Laws of which each fault may break any, by name.
LAWS: dict[str, tuple[str, ...]] = {
    "fails-for-strangers": ("the_site_never_fails",),
    "fails-in-outages": ("the_site_never_fails",),
    "looks-up-long-names": ("the_site_never_fails", "nothing_is_logged_as_an_error"),
    "rates-twice": ("nothing_is_logged_as_an_error", "ratings_are_those_computed_again"),
    "takes-deleted-for-new": ("ratings_are_those_computed_again",),
    "keeps-ratings-of-deleted": ("rows_refer_to_what_exists", "nothing_is_logged_as_an_error"),
    "logs-addresses": ("the_log_has_no_secrets",),
    "writes-long-lines": ("lines_of_mails_are_short",),
    "follows-clocks-back": ("time_never_goes_back",),
    "carries-out-copies": ("a_mail_counts_once",),
    "misses-lost-messages": ("open_pages_show_the_present_board",),
    "starts-clocks-at-once": ("no_time_is_lost_before_the_first_move",),
    "masks-nothing": ("secrets_stay_with_their_owners",),
    "outages-answer-offers": ("an_outage_withdraws_no_offer",),
    "passes-on-quotes": ("words_pass_on_no_quote",),
    "misses-wrapped-attributions": ("words_pass_on_no_quote",),
    "trusts-marks-of-quotes": ("words_pass_on_no_quote",),
    "says-clicks-twice": ("shown_words_are_stored_once",),
    "opens-private-studies": ("private_studies_stay_private",),
    "lets-flags-stay": ("no_flag_stays_up",),
    "tells-the-log-another-round": ("the_log_of_an_event_tells_it",),
    "tells-no-beginnings": ("players_are_told_before_a_quarter_of_their_time",),
    "tells-before-the-commit": ("no_shown_change_is_lost",),
    "pays-for-the-end": ("clocks_gain_only_what_the_control_gives",),
    "takebacks-give-time": ("clocks_gain_only_what_the_control_gives",),
    "leaves-events-undone": ("events_end_with_their_rounds",),
    "ends-events-early": ("events_end_with_their_rounds",),
    "ends-events-in-silence": ("events_end_with_their_rounds",),
    "counts-changed-votes-again": ("votes_count_once",),
    "forgets-rated-games-of-the-deleted": (
        "ratings_change_by_own_games_alone",
        "ratings_are_those_computed_again",
    ),
    "lets-the-suspended-play": ("the_suspended_begin_no_games", _SANCTIONS[1]),
    "hears-the-muted": _SANCTIONS,
    "hears-the-muted-in-texts": _SANCTIONS,
    "hears-the-muted-in-studies": _SANCTIONS,
    "keeps-challenges-of-the-absent": ("open_challenges_begin_with_their_authors",),
    "keeps-names-of-the-deleted": ("names_of_deleted_accounts_go",),
    "keeps-time-of-downtimes": ("no_time_passes_while_the_site_is_down",),
    "plays-on-other-boards": ("a_reply_plays_on_the_board_that_it_answers",),
    "pairs-who-has-left": ("no_player_is_paired_after_leaving",),
    "pairs-again": ("no_players_are_paired_twice",),
    "forgets-waiting-jobs": ("no_job_stays", "the_computer_plays_in_its_turn"),
    "lets-jobs-be-lost-with-workers": ("no_job_stays", "the_computer_plays_in_its_turn"),
}

# Seeds, and faults that are put in together: each breaks another law.
GROUPS: tuple[tuple[int, str], ...] = (
    (228, ("says-clicks-twice opens-private-studies lets-flags-stay carries-out-copies"
     " tells-the-log-another-round writes-long-lines masks-nothing")),
    (370, "pays-for-the-end leaves-events-undone starts-clocks-at-once"),
    (26, "passes-on-quotes"),
    (111, ("takebacks-give-time keeps-challenges-of-the-absent hears-the-muted"
     " keeps-names-of-the-deleted plays-on-other-boards pairs-again tells-before-the-commit")),
    (158, ("ends-events-early keeps-ratings-of-deleted pairs-who-has-left trusts-marks-of-quotes"
     " hears-the-muted-in-studies keeps-time-of-downtimes")),
    (31, "fails-for-strangers"),
    (3, "fails-in-outages"),
    (105, "follows-clocks-back"),
    (3, "rates-twice"),
    (7, "looks-up-long-names"),
    (8, ("takes-deleted-for-new hears-the-muted-in-texts ends-events-in-silence"
     " misses-wrapped-attributions forgets-waiting-jobs")),
    (9, "lets-jobs-be-lost-with-workers"),
    (228, ("tells-no-beginnings counts-changed-votes-again logs-addresses misses-lost-messages"
     " outages-answer-offers lets-the-suspended-play forgets-rated-games-of-the-deleted")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FirstBreach:
    """The first breach that a fault has caused: a law, and the number of the event."""

    law: str
    event: int


def run_group(seed: int, faults: list[str], people: int, events: int) -> dict[str, FirstBreach]:
    """Run some faults together; return what found each."""
    breaches: dict[str, FirstBreach] = {}

    def note(line: str) -> None:
        if breach := _BREACH.match(line):
            for fault in faults:
                if breach[2] in LAWS[fault]:
                    breaches.setdefault(fault, FirstBreach(breach[2], int(breach[1])))

    program = ("tests.town.faulty", "+".join(faults))
    settings = Settings(
        seed=seed,
        people=people,
        days=30,
        events=events,
        program=program,
        database=database.migrated(),
    )
    run = simulate(settings, note, lambda _broken: len(breaches) == len(faults))
    if len(breaches) < len(faults) and "breaches of laws" not in run.summary:
        raise SystemExit(f"the run of {'+'.join(faults)} has not ended: {run.summary}")
    return breaches


def rows(results: Path) -> Iterator[str]:
    """Yield the rows of the table, and a line with the faults that were not found."""
    missing = set(FAULTS)
    for line in results.read_text(encoding="utf-8").splitlines():
        group = json.loads(line)
        for fault, (law, event) in group["found"].items():
            missing.discard(fault)
            who, number = group["people"], group["number"]
            yield f"| `{fault}` | {group['seed']} | {who} | `{law}` | {event:,} | {number} |"
    yield f"not found: {', '.join(sorted(missing))}"


def main() -> None:
    """Run the groups that the file does not have yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results", type=Path, help="a file with a line for each group")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--events", type=int, default=1_500)
    parser.add_argument("--groups", type=int, nargs="*", help="their numbers; all if left out")
    options = parser.parse_args()
    options.results.touch()
    for number, (seed, names) in enumerate(GROUPS, 1):
        ended = [json.loads(line)["number"] for line in options.results.open(encoding="utf-8")]
        if number in ended or (options.groups and number not in options.groups):
            continue
        breaches = run_group(seed, names.split(), options.people, options.events)
        group = {
            "number": number,
            "seed": seed,
            "people": options.people,
            "found": {fault: [each.law, each.event] for fault, each in breaches.items()},
        }
        with options.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(group) + "\n")
    print("\n".join(rows(options.results)))


if __name__ == "__main__":
    main()
