"""Laws of the wiring: what the site calls, and when, stands in one file."""

import ast
import sys
from pathlib import Path
from weakref import ReferenceType

from django.dispatch import Signal

from antipodes import web
from antipodes.web.jobs.models import JobKind
from antipodes.web.project import wiring

WEB = Path(web.__path__[0])


def signals():
    """Return all signals that some module names, Django's and libraries' too."""
    names = [getattr(module, "__dict__", {}) for module in list(sys.modules.values())]
    return {value for values in names for value in values.values() if isinstance(value, Signal)}


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


def test_no_two_tasks_have_the_same_name():
    tasks = [*(task for _, task in wiring.PERIODIC_TASKS), *wiring.DELIVERY_TASKS]
    names = sorted(task.__name__ for task in tasks)
    assert names == sorted(set(names))


def test_each_kind_of_job_has_a_handler():
    assert set(wiring.JOB_HANDLERS) == set(JobKind)


def test_a_module_does_nothing_when_it_is_imported():
    """So the order of imports has no meaning, and no module is imported for its effect."""
    effects = {
        path.relative_to(WEB).as_posix()
        for path in WEB.rglob("*.py")
        if path.name != "urls.py" and path.parent.name != "templatetags"
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.For | ast.With)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    }
    assert effects == {"api/api.py", "project/asgi.py", "project/settings.py"}
