"""Results of games as words."""

import pytest

from antipodes.records import Reason
from antipodes.web.archive.facts import Ending
from antipodes.web.archive.labels import option_set_label, result_label, wins_label
from antipodes.web.archive.models import BucketRow, OptionSetRow
from tests.cases import for_each

WITH_WINNER = {Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT} | {
    one for one in Reason if one.termination is not None
}


@pytest.mark.parametrize(
    ("winner", "reason", "words"),
    [
        ("black", Reason.RESIGNATION, "Black wins by resignation"),
        ("white", Reason.TIME, "White wins on time"),
        ("", Reason.AGREEMENT, "Draw by agreement"),
    ],
)
def test_a_result_names_its_winner_if_there_is_one(winner, reason, words):
    assert result_label(BucketRow(winner=winner, reason=reason)) == words


@for_each("reason", tuple(Reason))
def test_each_result_is_of_one_kind_of_ending(db, reason):
    options = OptionSetRow.objects.create(game_id="hex", key=reason.value)
    for winner in ("", "black"):
        if winner and reason not in WITH_WINNER:
            continue
        row = BucketRow.objects.create(
            option_set=options, speed="blitz", rated=False, with_computer=False, is_private=False,
            from_position=False, winner=winner, reason=reason.value,
        )  # fmt: skip
        found = [one for one in Ending if BucketRow.objects.filter(one.condition, pk=row.pk)]
        assert found == [Ending.of(winner, reason.value)], winner


@pytest.mark.parametrize(
    ("winner", "reason", "ending"),
    [
        ("black", Reason.RESIGNATION, Ending.RESIGNATION),
        ("black", Reason.TIME, Ending.TIME),
        ("black", Reason.FORFEIT, Ending.FORFEIT),
        ("black", next(one for one in Reason if one.termination is not None), Ending.BOARD),
        ("", Reason.AGREEMENT, Ending.DRAW),
        ("", Reason.TIME, Ending.DRAW),
        ("", Reason.VOID, Ending.ABORT),
    ],
)
def test_an_ending_is_known_by_winner_and_reason(winner, reason, ending):
    assert Ending.of(winner, reason.value) is ending
    assert str(ending.label)


def test_options_are_named_where_they_differ_from_the_default():
    assert option_set_label(OptionSetRow(game_id="hex", options={"size": 9, "swap": "off"})) == (
        "size 9 · no swap"
    )
    assert option_set_label(OptionSetRow(game_id="hex")) == ""
    assert wins_label("red") == "Red wins"
