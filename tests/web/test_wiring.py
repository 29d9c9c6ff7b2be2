"""Laws of the wiring: what the site calls, and when, stands in one file."""

import sys
from weakref import ReferenceType

from django.dispatch import Signal

from antipodes.web.project import wiring


def signals():
    """Return all signals that some module names, Django's and libraries' too."""
    values = [value for module in list(sys.modules.values()) for value in vars(module).values()]
    return {id(value): value for value in values if isinstance(value, Signal)}.values()


def subscribers(signal):
    """Return the functions of the site that are connected to a signal."""
    references = [entry[1] for entry in signal.receivers]
    functions = [one() if isinstance(one, ReferenceType) else one for one in references]
    return [one for one in functions if one and one.__module__.startswith("antipodes.")]


def test_every_subscriber_of_a_signal_stands_in_the_wiring():
    connected = [(signal, one) for signal in signals() for one in subscribers(signal)]
    named = [(signal, one) for signal, several in wiring.SUBSCRIBERS.items() for one in several]
    of_rows = [(signal, one) for _, several, one in wiring.ROW_SUBSCRIBERS for signal in several]
    assert len(connected) == len(named + of_rows)
    assert set(connected) == {*named, *of_rows}


def test_subscribers_are_called_in_the_order_of_the_wiring():
    for signal, named in wiring.SUBSCRIBERS.items():
        assert tuple(subscribers(signal)) == named
