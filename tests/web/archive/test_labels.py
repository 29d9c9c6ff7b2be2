"""Results of games as words."""

import pytest

from antipodes.records import Reason
from antipodes.web.archive.labels import result_label
from antipodes.web.archive.models import BucketRow


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
