"""Commands for vacations, reminders, digests and the side from which boards are read."""

import pytest

from antipodes.web.email_play.commands import players as by_mail
from antipodes.web.matches.snapshots import look_up
from antipodes.web.matches.viewpoints import reads_own_side
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import TENTH, preference_of, reminders_of
from antipodes.web.platform.clock import now

DAY = 86_400_000


def test_a_vacation_pauses_clocks_until_it_ends(players, slow):
    ann, *_ = players
    row = slow()
    answer = ann.ask("vacation", "10 days")
    assert f"  {row.pk} " in answer.text
    until = preference_of(ann.user).away_until
    assert until is not None
    assert 10 * DAY <= until - now() <= 11 * DAY
    assert look_up(row.slug).match.clock.away == {0}
    assert "Welcome back" in ann.ask("vacation", "off").text
    assert look_up(row.slug).match.clock.away == frozenset()


@pytest.mark.parametrize(
    "words", ["until 1999-12-31", "until 2999-01-01", "4000 days", "until 7.8.26"]
)
def test_an_invalid_last_day_of_a_vacation_is_refused(players, words):
    ann, *_ = players
    assert "mail/day" in ann.ask("vacation", words).text
    assert preference_of(ann.user).away_until is None


def test_vacation_without_a_day_shows_what_is_left(players, slow):
    ann, *_ = players
    slow()
    assert "30d" in ann.ask("vacation").text
    assert preference_of(ann.user).away_until is None


@pytest.mark.parametrize(
    ("words", "hours"),
    [("2d 12h", (48, 12)), ("24", (24,)), ("off", ()), ("on", (24, 3)), ("tenth 3h", (3, TENTH))],
)
def test_reminders_change(players, words, hours):
    ann, *_ = players
    ann.say("reminders", words)
    assert reminders_of(preference_of(ann.user)) == hours


def test_unknown_reminders_are_refused(players):
    ann, *_ = players
    assert "mail/reminders" in ann.ask("reminders", "5h").text
    assert reminders_of(preference_of(ann.user)) == (24, 3)


def test_the_digest_changes(players, prefer):
    ann, *_ = players
    prefer(ann.user, Frequency.NEVER)
    assert "20:00" in ann.ask("digest", "daily 20").text
    assert preference_of(ann.user).frequency == Frequency.DAILY
    assert preference_of(ann.user).hour == 20
    ann.say("digest", "each")
    assert preference_of(ann.user).frequency == Frequency.EACH
    assert by_mail.plays_by_mail(ann.user)
    ann.say("digest", "never")
    assert preference_of(ann.user).frequency == Frequency.NEVER


def test_an_unknown_frequency_of_digests_is_refused(players, prefer):
    ann, *_ = players
    prefer(ann.user, Frequency.NEVER)
    told = "mail/digest; '20' is not one of daily, hourly, each, reminders and never"
    assert told in " ".join(ann.ask("digest", "20").text.split())
    assert preference_of(ann.user).frequency == Frequency.NEVER


def test_without_a_word_the_present_choice_is_shown(players, prefer):
    ann, *_ = players
    prefer(ann.user, Frequency.HOURLY)
    assert "an hour" in ann.ask("digest").text
    assert "24h" in ann.ask("reminders").text or "1d" in ann.ask("reminders").text


def test_the_side_from_which_antipalos_is_read_changes(players):
    ann, *_ = players
    assert "from your own side" in ann.ask("view", "").text
    assert "from the side of seat 1" in ann.ask("view", "first").text
    assert not reads_own_side(ann.user)
    assert "from your own side" in ann.ask("view", "own").text
    assert reads_own_side(ann.user)
    assert "mail/unknown-word" in ann.ask("view", "up").text
