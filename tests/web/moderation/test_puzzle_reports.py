"""Reports about puzzles in the admin."""

import pytest

from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import AuditRow
from antipodes.web.puzzles import catalogue, services
from antipodes.web.puzzles.models import PuzzleReportRow, PuzzleRow

pytestmark = pytest.mark.django_db

PATH = "/admin/puzzles/puzzlereportrow/"


@pytest.fixture
def puzzle():
    return store.puzzles("hex")[0]


@pytest.fixture
def reports(puzzle):
    """Two reports of the same puzzle."""
    found = []
    for name in ("ann", "bob"):
        user = User.objects.create(username=name)
        services.solution(user, puzzle)
        found.append(services.report(user, puzzle, "several", f"{name} says c4 wins too"))
    return found


def decide(client, report, action, reason="it is so"):
    return client.post(f"{PATH}{report.pk}/{action}/", {"reason": reason})


def test_moderators_see_open_reports_with_the_puzzle(client, moderator, reports, puzzle):
    client.force_login(moderator)
    page = client.get(PATH).text
    assert "ann says c4 wins too" in page
    report = client.get(f"{PATH}{reports[0].pk}/change/").text
    assert f'href="/puzzles/{puzzle.id}/"' in report
    assert f"{PATH}{reports[0].pk}/retire/" in report


def test_a_retired_puzzle_is_no_longer_offered_until_it_is_kept(client, moderator, reports, puzzle):
    client.force_login(moderator)
    decide(client, reports[0], "retire")
    assert puzzle not in catalogue.offered()
    assert set(PuzzleReportRow.objects.values_list("decision", flat=True)) == {"retired"}
    assert "ann says" not in client.get(PATH).text
    decide(client, reports[0], "keep")
    assert puzzle in catalogue.offered()


def test_decisions_need_a_reason_and_are_logged(client, moderator, reports, puzzle):
    client.force_login(moderator)
    assert decide(client, reports[0], "keep", reason="").status_code == 200
    assert not AuditRow.objects.filter(act="keep-puzzle").exists()
    assert decide(client, reports[0], "keep").status_code == 302
    entry = AuditRow.objects.get(act="keep-puzzle")
    assert (entry.by_name, entry.what, entry.reason) == ("mod", f"puzzle {puzzle.id}", "it is so")


def test_the_list_has_open_reports_oldest_first_unless_a_decision_is_chosen(
    client, moderator, reports
):
    kept = PuzzleReportRow.objects.create(
        puzzle=reports[0].puzzle, user=User.objects.create(username="cy"), at=3, decision="kept"
    )
    for row, at in ((reports[0], 2), (reports[1], 1)):
        PuzzleReportRow.objects.filter(pk=row.pk).update(at=at)
    client.force_login(moderator)
    for query, rows in (
        ({}, [reports[1], reports[0]]),
        ({"decision": "kept"}, [kept]),
        ({"decision": "retired"}, []),
        ({"decision": "all"}, [reports[1], reports[0], kept]),
    ):
        listed = client.get(PATH, query).context["cl"]
        assert list(listed.result_list) == rows, query
        first, *_, last = [one["display"] for one in listed.filter_specs[0].choices(listed)]
        assert (first, last) == ("open", "all")


@pytest.mark.parametrize(
    ("action", "button", "text"),
    [
        ("retire", "Retire", "The puzzle is no longer offered. Ratings stay as they are."),
        ("keep", "Keep", "The puzzle is offered as before; its reports are closed."),
    ],
)
def test_a_decision_names_the_puzzle_and_returns_to_the_list(
    client, moderator, reports, puzzle, action, button, text
):
    client.force_login(moderator)
    page = client.get(f"{PATH}{reports[0].pk}/{action}/")
    for words in (f"Puzzle {puzzle.id}: {button}", text, f'value="{button}"'):
        assert words in page.text
    assert page.context["form"].errors == {}
    assert decide(client, reports[0], action)["Location"] == PATH
    assert AuditRow.objects.latest("pk").act == f"{action}-puzzle"


def test_the_page_of_a_report_shows_when_it_was_made_and_decided(client, moderator, reports):
    at = 1_772_454_600_000
    PuzzleReportRow.objects.update(at=at, decided_at=at + 60_000)
    PuzzleRow.objects.update(retired_at=at + 120_000)
    client.force_login(moderator)
    page = client.get(f"{PATH}{reports[0].pk}/change/").text
    for label, time in (("At", "12:30"), ("Decided", "12:31"), ("Retired", "12:32")):
        assert f"<label>{label}:</label>" in page
        assert f"2 March 2026, {time}" in page
    assert "2 March 2026, 12:30" in client.get(PATH, {"decision": "all"}).text
