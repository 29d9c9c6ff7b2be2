"""Mutants: small random changes of the sources, which Cosmic Ray makes.

Kernels have none, since oracles and frozen games test those. Some kinds of changes are left out,
because no test should notice them:

- Values of constants: tests take them by their names.
- Comparisons, other than by their opposite (``==`` by ``!=``) and at their limit (``<`` by ``<=``),
  as other tools have it: ``==`` and ``>=`` are the same if nothing can be greater.
- Annotations of types, whether arguments are given by place or by name, ``strict`` of ``zip``, and
  ``frozen``, ``slots`` and ``kw_only`` of dataclasses, which are for mypy and developers.
- Caches, and arguments of log messages.
- ``@property``, which templates need not have, and whose absence mypy finds elsewhere.
- How many characters of a wrong value a message shows: ``{text[:20]!r}``.
"""

from __future__ import annotations

import ast
import difflib
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {"migrations", "kernels"}

# Comparisons by their opposite, and at their limit.
COMPARISONS = {
    *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
    *("Lt_LtE", "Lt_GtE", "LtE_Lt", "LtE_Gt", "Gt_GtE", "Gt_LtE", "GtE_Gt", "GtE_Lt"),
}
KINDS = [
    name
    for name in operator_names()
    if "Comparison" not in name or name.partition("Operator_")[2] in COMPARISONS
]
DECORATORS = {"cache", "lru_cache", "property", "cached_property"}
FOR_DEVELOPERS = {"frozen", "slots", "kw_only"}

Place = tuple[int, int]  # line and column


@dataclass(frozen=True)
class Mutant:
    """One small change of one file.

    Attributes:
        path: of the file, from the root of the repository.
        line: where the change begins.
        operator: Cosmic Ray's name of the kind of change.
        occurrence: number of the place among those of this kind in the file.
    """

    path: str
    line: int
    operator: str
    occurrence: int

    def code(self) -> str:
        """Return the text of the changed file."""
        changed: str = mutate_code(
            text_of(self.path), get_operator(self.operator)(), self.occurrence
        )
        return changed

    def changes_code(self) -> bool:
        """Return whether more changes than what `bare` leaves out, and the code is valid."""
        try:
            return bare(self.code()) != bare(text_of(self.path))
        except (SyntaxError, AttributeError):  # Cosmic Ray fails at `except module.Error:`
            return False

    def __str__(self) -> str:
        """Return the place and the changed lines."""
        pair = text_of(self.path).splitlines(), self.code().splitlines()
        lines = list(difflib.unified_diff(*pair, n=0, lineterm=""))[3:]
        return "\n    ".join([f"{self.path}:{self.line}", *lines])


@cache
def text_of(path: str) -> str:
    """Return the text of a file."""
    return (ROOT / path).read_text(encoding="utf-8")


def bare(source: str) -> str:
    """Return a program's syntax tree, without annotations and kinds of arguments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.arguments):
            node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
            node.defaults += [one for one in node.kw_defaults if one is not None]
            node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
    return ast.dump(tree)


@cache
def mutants_of(path: str) -> Mapping[int, Sequence[Mutant]]:
    """Return line -> mutants that begin there."""
    found: dict[int, list[Mutant]] = defaultdict(list)
    text = text_of(path)
    lines, syntax, tree = text.splitlines(), ast.parse(text), get_ast(text)
    constants = lines_of_constants(syntax)
    unseen = list(unobservable(syntax))
    strings = [span(node) for node in ast.walk(syntax) if isinstance(node, ast.JoinedStr)]
    for name in KINDS:
        kind = get_operator(name)
        if not kind.arguments():
            places = (
                place for node in ast_nodes(tree) for place in kind().mutation_positions(node)
            )
            for occurrence, (place, _) in enumerate(places):
                line, column = place
                is_cut = lines[line - 1][:column].endswith("[:") and is_in(place, strings)
                is_value = line in constants and ("Number" in name or "Binary" in name)
                is_left_out = is_cut or is_value or is_in(place, unseen)
                if not is_left_out:
                    found[line].append(Mutant(path, line, name, occurrence))
    return found


def lines_of_constants(tree: ast.Module) -> set[int]:
    """Return the lines of a module that define names in capitals, as in ``MOST = 20``."""
    found: set[int] = set()
    for one in tree.body:
        match one:
            case ast.Assign(targets=targets):
                pass
            case ast.AnnAssign(target=target):
                targets = [target]
            case _:
                continue
        if all(isinstance(name, ast.Name) and name.id.isupper() for name in targets):
            found.update(range(one.lineno, (one.end_lineno or one.lineno) + 1))
    return found


def unobservable(tree: ast.Module) -> Iterator[tuple[Place, Place]]:
    """Yield the places of caches, properties, log messages and options for developers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for one in node.decorator_list:
                if ast.unparse(one).partition("(")[0].rpartition(".")[2] in DECORATORS:
                    (line, column), end = span(one)
                    yield (line, column - 1), end  # with the "@"
        elif (isinstance(node, ast.keyword) and node.arg in FOR_DEVELOPERS) or (
            isinstance(node, ast.Call) and ast.unparse(node.func).startswith("logger.")
        ):
            yield span(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "zip":
            yield from map(span, node.keywords)


def span(node: ast.expr | ast.keyword) -> tuple[Place, Place]:
    """Return where a node of a syntax tree begins and ends."""
    last = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset), last


def is_in(place: Place, spans: Iterable[tuple[Place, Place]]) -> bool:
    """Return whether a place is in one of some spans."""
    return any(first <= place < last for first, last in spans)


def sample(folders: Sequence[str], count: int, seed: int) -> list[Mutant]:
    """Draw mutants: a file by its length, one of its lines, and a change of that line."""
    files = [path for one in folders for path in sorted((ROOT / one).rglob("*.py")) or [ROOT / one]]
    names = [one.relative_to(ROOT).as_posix() for one in files if not SKIPPED & set(one.parts)]
    lengths = [text_of(name).count("\n") for name in names]
    chance = random.Random(seed)
    found: dict[Mutant, None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        by_line = mutants_of(*chance.choices(names, lengths))
        if by_line:
            mutant = chance.choice(by_line[chance.choice(sorted(by_line))])
            if mutant.changes_code():
                found[mutant] = None
    return list(found)
