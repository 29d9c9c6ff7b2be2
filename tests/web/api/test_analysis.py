"""Analyses, hints and reviews in the API."""

import pytest

from antipodes.match import Resign
from antipodes.search.analysis import analyze
from antipodes.search.interface import Limits
from antipodes.web.analysis.models import AnalysisRow, AnalysisState, ReviewRow
from antipodes.web.analysis.presenters import analysis_view
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.clock import now

pytestmark = pytest.mark.django_db

HEX = {"game": "hex", "options": {"size": 3}}
TURN = {
    "ply": 3,
    "color": "black",
    "move": "a1",
    "better": "b2",
    "before": 0.75,
    "after": 0.25,
    "decides": False,
}


def test_an_analysis_is_polled_by_its_user_until_it_is_over(ask, token, people, clocks):
    asked = ask("POST", "analyses", token(), {**HEX, "moves": ["b2", 0], "effort": "look"})
    row = AnalysisRow.objects.get()
    told = {"slug": row.slug, "state": "waiting", "isOver": False, "found": None, "wait": None}
    assert (asked.status_code, asked.data) == (202, told)
    assert (row.options, row.moves, row.effort) == ({"size": 3}, [4, 0], "look")
    path = f"analyses/{row.slug}"
    clocks.advance(60_000)
    assert ask("GET", path, token()).data == told
    assert AnalysisRow.objects.get().seen_at == now()
    refused = ask("GET", path, token(people[1]))
    assert refused.data["message"] == f"There is no analysis '{row.slug}'."
    assert refused.status_code == 404
    analysis = analyze(row.position(), limits=Limits(visits=20), memory=8)
    AnalysisRow.objects.update(state=AnalysisState.WORKING, found=analysis_view(analysis, 0.5))
    told |= {"state": "working", "found": AnalysisRow.objects.get().found}
    assert ask("GET", path, token()).data == told
    AnalysisRow.objects.update(state=AnalysisState.DONE)
    told |= {"state": "done", "isOver": True}
    # A finished analysis may be the answer to the same question of another user.
    for user in people[:2]:
        assert ask("GET", path, token(user)).data == told
    AnalysisRow.objects.update(state=AnalysisState.STOPPED)
    assert ask("GET", path, token()).data["isOver"]
    assert ask("GET", path, token(people[1])).status_code == 404


def test_a_position_to_analyse_may_have_a_setup(ask, token):
    before = {"a1": "black", "a3": "black", "c3": "white"}
    setup = {"stones": before, "to_move": "white"}
    asked = ask("POST", "analyses", token(), {**HEX, "setup": setup, "moves": ["b2"]})
    assert asked.status_code == 202, asked.data
    position = AnalysisRow.objects.get().position()
    assert dict(position.to_setup().stones) == {**before, "b2": "white"}
    refused = ask("POST", "analyses", token(), {**HEX, "setup": {"stones": 1}})
    assert refused.status_code == 422


def test_a_hint_is_asked_in_a_match_against_the_computer_only(ask, token, begin):
    wanted = {**HEX, "opponent": "computer", "seat": 0}
    match = ask("POST", "challenges", token(), wanted).data["match"]["slug"]
    hint = ask("POST", f"matches/{match}/hint", token())
    row = AnalysisRow.objects.get()
    assert (hint.status_code, hint.data["slug"], row.effort) == (202, row.slug, "hint")
    refused = ask("POST", f"matches/{begin(size=3).slug}/hint", token())
    assert refused.data["code"] == "study/no-hint"


def test_a_finished_match_has_a_review(ask, row):
    carry_out(row.slug, Resign(seat=0, ply=0, key="resigned"))
    ReviewRow.objects.all().delete()
    path = f"matches/{row.slug}/review"
    assert ask("GET", path).data == {
        "state": None,
        "estimates": [],
        "turns": [],
        "seconds": 0.0,
        "isLeft": False,
    }
    ReviewRow.objects.create(match=row, state=AnalysisState.WORKING, found=[], turns=[TURN])
    begun = ask("GET", path).data
    assert (begun["state"], begun["turns"]) == ("working", [{**TURN, "line": [TURN["better"]]}])
    assert ask("GET", "matches/nowhere/review").status_code == 404
