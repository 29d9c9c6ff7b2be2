"""Laws for every kind of time control: each part of it reaches speeds, labels, forms and mail."""

from dataclasses import fields
from itertools import product

import pytest

from antipodes.clocks import DAY, HOUR, MINUTE, SECOND, Pace, TimeControl, read_control
from antipodes.errors import InvalidOptionsError
from antipodes.web.challenges.forms import GameForm
from antipodes.web.email_play.commands.challenges import parse_options
from antipodes.web.matches.labels import CONTROLS, control_words
from antipodes.web.ratings.classes import Speed, speed_of, speed_of_text

PARTS = [part.name for part in fields(TimeControl)]


def all_kinds():
    """Return a control for each way to set the parts to nothing, seconds or a day."""
    controls = []
    for times in product((0, 20 * SECOND, DAY), repeat=len(PARTS)):
        try:
            controls.append(TimeControl(**dict(zip(PARTS, times, strict=True))))
        except InvalidOptionsError:
            continue
    return controls


every_kind = pytest.mark.parametrize("control", all_kinds(), ids=str)


@every_kind
def test_every_kind_of_control_is_read_from_its_text_and_has_a_speed_and_words(control):
    text = str(control)
    assert read_control(text) == control
    assert str(speed_of_text(text).label)
    assert (speed_of(control) is Speed.CORRESPONDENCE) is (control.pace is not Pace.LIVE)
    assert control_words(text)


@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_control_makes_games_slower(part):
    fast = {"bank": MINUTE, part: MINUTE}
    assert speed_of(TimeControl(bank=MINUTE)) is Speed.BLITZ
    assert speed_of(TimeControl(**{**fast, part: HOUR})) is Speed.RAPID
    assert speed_of(TimeControl(**{**fast, part: DAY})) is Speed.CORRESPONDENCE


@pytest.mark.parametrize("part", PARTS)
def test_the_site_offers_a_control_with_every_part(part):
    offered = [read_control(text) for controls in CONTROLS.values() for text in controls]
    assert any(getattr(control, part) for control in offered)


@every_kind
def test_forms_and_mail_accept_every_kind_of_control(control):
    text = str(control)
    assert parse_options("hex", {"clock": text}).control == control
    given = {"opponent": "link", "control": "other", "control_text": text}
    defaults = {name: field.initial for name, field in GameForm("hex", None).fields.items()}
    form = GameForm("hex", None, {**defaults, **given})
    assert form.is_valid(), form.errors
    assert form.game_request is not None
    assert form.game_request.control == control
