"""Events of all formats with players who come and go, double calls and kills; see `simulator`."""

import pytest

from antipodes.tournaments import FORMATS
from antipodes.web.tournaments.models import OVER
from tests.cases import for_each
from tests.thorough import sample
from tests.web.tournaments.simulator import play_event

pytestmark = pytest.mark.django_db

EVENTS = 1_000


@for_each("name", sample(list(FORMATS), 4))
def test_an_event_ends_with_all_that_its_log_tells(name, host):
    assert play_event(name, 1, host, most_players=5).state in OVER


@pytest.mark.extreme
@pytest.mark.parametrize("name", FORMATS)
def test_a_thousand_events_end_with_all_that_their_logs_tell(name, host):
    for seed in range(2, 2 - (-EVENTS // len(FORMATS))):
        assert play_event(name, seed, host).state in OVER
