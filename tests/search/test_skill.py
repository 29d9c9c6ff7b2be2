"""Laws of the settings of players."""

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.search.skill import Skill, read_skill


def test_settings_are_read():
    text = (
        "seconds=0.5, visits=1_000,threads=2,memory=64,knowledge=off,haste=.1,glance=5,sight=0.75"
    )
    assert read_skill(text) == Skill(
        seconds=0.5,
        visits=1000,
        threads=2,
        memory=64,
        knowledge=False,
        haste=0.1,
        glance=5,
        sight=0.75,
    )


def test_an_empty_text_is_the_default_skill():
    assert read_skill("") == Skill()


@pytest.mark.parametrize(
    "text",
    [
        "seconds=nan",
        "seconds=0",
        "seconds=inf",
        "seconds=",
        "visits=0",
        "visits=-5",
        "visits=1e3",
        "visits=" + "9" * 100,
        "knowledge=maybe",
        "sight=2",
        "haste=-1",
    ],
)
def test_a_wrong_value_is_shown_with_what_is_allowed(text):
    name = text.partition("=")[0]
    with pytest.raises(InvalidOptionsError, match=f"{name} is .* must be") as caught:
        read_skill(text)
    assert caught.value.code == "player/wrong-setting"


@pytest.mark.parametrize("text", ["speed=1", "seconds", "=1", "seconds=1,colour=blue"])
def test_an_unknown_setting_is_shown_with_those_that_there_are(text):
    with pytest.raises(InvalidOptionsError, match="seconds") as caught:
        read_skill(text)
    assert caught.value.code == "player/unknown-setting"


def test_all_faults_are_reported_together():
    with pytest.raises(InvalidOptionsError) as caught:
        read_skill("speed=1,visits=0,knowledge=2")
    assert len(caught.value.faults) == 3


def test_only_what_is_allowed_can_be_set():
    assert read_skill("visits=5", ("visits", "seconds")).visits == 5
    with pytest.raises(InvalidOptionsError):
        read_skill("knowledge=on", ("visits", "seconds"))
