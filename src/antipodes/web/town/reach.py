"""Reach: which laws had something to judge, and what people did, as how many, under a sanction."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

_Check = Callable[..., Iterator[str]]


@dataclass
class Reach:
    """Counts of a run.

    Attributes:
        acts: of each habit.
        people: who have done each.
        sanctioned: acts of people who were muted or suspended, by the sanction and the habit.
    """

    acts: Counter[str] = field(default_factory=Counter)
    people: defaultdict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    sanctioned: Counter[tuple[str, str]] = field(default_factory=Counter)
    _judged: set[str] = field(default_factory=set)
    _codes: dict[CodeType, tuple[str, frozenset[int]]] = field(default_factory=dict)

    def note(self, habit: str, who: int, sanctions: Iterable[str]) -> None:
        """Count an act of a person, who may be under sanctions."""
        self.acts[habit] += 1
        self.people[habit].add(who)
        self.sanctioned.update((sanction, habit) for sanction in sanctions)

    @contextmanager
    def watch(self, law: _Check) -> Iterator[None]:
        """Notice whether a law that is checked meanwhile comes to a case."""
        code = law.__code__
        if code not in self._codes:
            self._codes[code] = law.__name__, judging_lines(law)
        name, lines = self._codes[code]
        if name in self._judged or sys.gettrace() is not None:
            yield
            return
        if not lines:  # each row that it finds is a breach
            self._judged.add(name)

        def trace(frame: FrameType, event: str, _argument: Any) -> Any:
            if frame.f_code is not code:
                return None
            if event == "line" and frame.f_lineno in lines:
                self._judged.add(name)
            return trace

        sys.settrace(trace)
        try:
            yield
        finally:
            sys.settrace(None)

    def lines(self, measured: Mapping[str, list[int]]) -> Iterator[str]:
        """Yield how often each thing was done, which laws judged nothing, and what was measured."""
        for name, count in self.acts.most_common():
            under = [
                f", {self.sanctioned[kind, name]} times {state}"
                for kind, state in (("mute", "muted"), ("suspension", "suspended"))
                if self.sanctioned[kind, name]
            ]
            yield f"{name}: {count} times by {len(self.people[name])} people{''.join(under)}"
        laws = {name for name, _ in self._codes.values()}
        yield f"laws without a case: {', '.join(sorted(laws - self._judged)) or 'none'}"
        for title, counts in measured.items():
            ordered = sorted(counts) or [0]
            shares = [ordered[round(share * (len(ordered) - 1))] for share in (0.5, 0.99, 1)]
            yield f"{title}: half {shares[0]} at most, 99 % {shares[1]} at most, all {shares[2]}"


def judging_lines(law: _Check) -> frozenset[int]:
    """Return the lines of the conditions on which a law's breaches depend; empty without any."""
    source, first = inspect.getsourcelines(law)
    tree = ast.parse(textwrap.dedent("".join(source)))
    lines: set[int] = set()

    def visit(node: ast.AST, condition: ast.expr | None) -> None:
        if isinstance(node, (ast.Yield, ast.YieldFrom)) and condition is not None:
            lines.add(first + condition.lineno - 1)
        for child in ast.iter_child_nodes(node):
            inner = node.test if isinstance(node, ast.If) and child is not node.test else condition
            visit(child, inner)

    visit(tree, None)
    return frozenset(lines)
