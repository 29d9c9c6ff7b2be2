"""Commands for vacations, reminders, digests and the side from which boards are read."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from antipodes.web.email_play.commands import preferences
from antipodes.web.email_play.commands import preferences as by_mail
from antipodes.web.matches.snapshots import look_up
from antipodes.web.matches.viewpoints import reads_own_side
from antipodes.web.notifications import vacations
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.preferences import preference_of, reminders_of
from antipodes.web.platform.clock import now

DAY = 86_400_000


def test_a_vacation_pauses_clocks_until_it_ends(ann, row):
    answer = ann.ask("vacation", "10 days")
    assert f"  {row.pk} " in answer.text
    until = preference_of(ann.user).away_until
    assert until is not None
    assert 10 * DAY <= until - now() <= 11 * DAY
    assert look_up(row.slug).match.clock.away == {0}
    assert "Welcome back" in ann.ask("vacation", "off").text
    assert "Welcome back" in ann.ask("vacation", "never").text
    assert "mail/unknown-word" in ann.ask("vacation", "from 2026-12-24").text
    assert look_up(row.slug).match.clock.away == frozenset()


@pytest.mark.parametrize(
    "words", ["until 1999-12-31", "until 2999-01-01", "4000 days", "until 7.8.26"]
)
def test_an_invalid_last_day_of_a_vacation_is_refused(ann, words):
    assert "mail/day" in ann.ask("vacation", words).text
    assert preference_of(ann.user).away_until is None


def test_vacation_without_a_day_shows_what_is_left(ann, slow):
    slow()
    assert "30d" in ann.ask("vacation").text
    assert preference_of(ann.user).away_until is None


def test_an_unknown_frequency_of_digests_is_refused(ann, prefer):
    prefer(ann.user, Frequency.NEVER)
    told = "mail/digest; '20' is not one of daily, hourly, each, reminders and never"
    assert told in " ".join(ann.ask("digest", "20").text.split())
    assert preference_of(ann.user).frequency == Frequency.NEVER


def test_the_side_from_which_antipalos_is_read_changes(ann):
    assert "from your own side" in ann.ask("view", "").text
    assert "from the side of seat 1" in ann.ask("view", "first").text
    assert not reads_own_side(ann.user)
    assert "from your own side" in ann.ask("view", "own").text
    assert reads_own_side(ann.user)
    assert "mail/unknown-word" in ann.ask("view", "up").text


def news_in(letter):
    """Return the news of an e-mail in one line."""
    head = letter.text.partition("\n\n")[0]
    return " ".join(head.split()).removeprefix("News: ")


@pytest.fixture
def noon(monkeypatch):
    """Let it be noon on 2 March 2026 in UTC, and the next day in Auckland."""
    at = int(datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp() * 1_000)
    for module in (preferences, vacations):
        monkeypatch.setattr(module, "now", lambda: at)
    return at


@pytest.mark.parametrize(
    ("words", "zone", "day"),
    [
        ("0 days", "UTC", "2026-03-02"),
        ("1d", "UTC", "2026-03-03"),
        ("for 10 days", "UTC", "2026-03-12"),
        ("until 2026-03-02", "UTC", "2026-03-02"),
        ("366", "UTC", "2027-03-03"),
        ("2 weeks", "UTC", "2026-03-16"),
        ("for 1 week", "UTC", "2026-03-09"),
        ("2027-03-03", "UTC", "2027-03-03"),
        ("0", "Pacific/Auckland", "2026-03-03"),
    ],
)
def test_a_vacation_lasts_until_the_end_of_its_last_day(ann, prefer, slow, noon, words, zone, day):
    prefer(ann.user, zone=zone)
    row = slow()
    answer = ann.ask("vacation", words)
    assert news_in(answer) == f"You are away until the end of {day}, {zone}."
    end = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(zone)) + timedelta(days=1)
    assert preference_of(ann.user).away_until == end.timestamp() * 1_000
    assert answer.text.splitlines()[-1].split()[:2] == [str(row.pk), "hex"]


@pytest.mark.parametrize("words", ["2026-03-01", "367", "2027-03-04"])
def test_a_vacation_ends_within_a_year_from_today(ann, noon, words):
    refused = " ".join(ann.ask("vacation", words).text.split())
    assert "is not within 366 days from today, 2026-03-02" in refused
    assert preference_of(ann.user).away_until is None


def test_the_answer_has_the_days_left_of_each_board(ann, row):
    for words, left, away in (("", "30d", "no"), ("3", "29d", "yes"), ("off", "29d", "no")):
        *_, line = ann.ask("vacation", words).text.splitlines()
        assert line.split() == [str(row.pk), "hex", left, away]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("2d 12h, 24 tenth", "2d, 1d, 12h, a tenth of the turn"),
        ("usual", "1d, 3h"),
        ("on", "1d, 3h"),
        ("tenth 3h", "3h, a tenth of the turn"),
        ("1 hour before", "1h"),
        ("3d", "3d"),
    ],
)
def test_the_answer_has_the_chosen_reminders(ann, words, text):
    told = f"You are reminded before your time runs out: {text}."
    assert news_in(ann.ask("reminders", words)) == told
    assert news_in(ann.ask("reminders")) == told
    for none in ("off", "none", "never"):
        assert news_in(ann.ask("reminders", none)) == "No reminders."


def test_a_refused_reminder_tells_which_there_are(ann):
    for words, word in (("0", "'0'"), ("1d 4h", "'4h'"), ("3d off", "'off'")):
        refused = " ".join(ann.ask("reminders", words).text.split())
        known = "choose 3d, 2d, 1d, 12h, 6h, 3h, 1h, tenth, usual or off"
        assert f"mail/reminders; there is no reminder {word}; {known}" in refused
    assert reminders_of(preference_of(ann.user)) == (24, 3)


DAILY = "You get one mail a day with all new notifications, at {}, UTC."


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("", DAILY.format("08:00")),
        ("each", "You get a mail for each notification."),
        ("off", "You get a mail for each notification."),
        ("hourly", "You get one mail an hour with all new notifications."),
        ("daily", DAILY.format("08:00")),
        ("on", DAILY.format("08:00")),
        ("daily at 7:00", DAILY.format("07:00")),
        ("daily 0", DAILY.format("00:00")),
        ("daily 6 9", DAILY.format("06:00")),
        ("daily 23", DAILY.format("23:00")),
        ("day at 7", DAILY.format("07:00")),
        ("hour", "You get one mail an hour with all new notifications."),
        ("reminders", "You get only reminders before your time runs out."),
        ("never", "You get no mail except responses to your commands."),
        ("none", "You get no mail except responses to your commands."),
    ],
)
def test_the_answer_tells_how_often_there_is_mail(ann, words, text):
    assert news_in(ann.ask("digest", words)) == text
    assert news_in(ann.ask("digest")) == text
    assert by_mail.plays_by_mail(ann.user) == (words in {"each", "off"})


def test_play_by_mail_begins_with_a_mail_for_each_board_unless_chosen_otherwise(players, prefer):
    ann, bob, cy, _ = players
    prefer(bob.user, Frequency.REMINDERS)
    by_mail.set_play_by_mail(cy.user, on=False)
    for one in (ann, bob, cy):
        by_mail.enable_by_default(one.user)
    found = [
        (by_mail.plays_by_mail(one.user), preference_of(one.user).frequency)
        for one in (ann, bob, cy)
    ]
    assert found == [
        (True, Frequency.EACH),
        (True, Frequency.REMINDERS),
        (False, Frequency.DAILY),
    ]


def test_switching_play_by_mail_on_again_keeps_what_was_chosen_since(ann, prefer):
    by_mail.set_play_by_mail(ann.user, on=True)
    assert preference_of(ann.user).frequency == Frequency.EACH
    prefer(ann.user, Frequency.HOURLY)
    by_mail.set_play_by_mail(ann.user, on=True)
    assert preference_of(ann.user).frequency == Frequency.HOURLY
    by_mail.set_play_by_mail(ann.user, on=False)
    assert not by_mail.plays_by_mail(ann.user)
    by_mail.set_play_by_mail(ann.user, on=True)
    assert preference_of(ann.user).frequency == Frequency.EACH
