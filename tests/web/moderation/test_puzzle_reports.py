"""Reports about puzzles in the admin."""

import pytest

from antipodes.puzzles import store
from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import AuditRow
from antipodes.web.puzzles import catalogue, services
from antipodes.web.puzzles.models import PuzzleReportRow

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
