"""One test for many cases, where a test for each would take longer than what it checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any


def for_each(
    names: str, cases: Collection[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with each case in turn; a failure names the case.

    This is ``pytest.mark.parametrize`` without a test for each case.

    Args:
        names: the parameters of the test that a case gives, such as ``"game, seed"``; its other
            parameters are fixtures, which all cases share.
        cases: values of the parameter, or tuples of values if there are several.
        ids: returns the name of a case.
    """
    assert cases, "no cases"
    given = [name.strip() for name in names.split(",")]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_all(**fixtures: Any) -> None:
            for case in cases:
                values = case if len(given) > 1 else (case,)
                try:
                    test(**dict(zip(given, values, strict=True)), **fixtures)
                except BaseException as error:
                    error.add_note(f"case: {ids(case)}")
                    raise

        signature = inspect.signature(test)
        others = [one for name, one in signature.parameters.items() if name not in given]
        test_all.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return test_all

    return decorate
