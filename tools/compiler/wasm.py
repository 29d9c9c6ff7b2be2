"""The build of a WebAssembly module from kernels: ``python -m tools.compiler.wasm FILE``.

It needs the compiler of the package ``ziglang``. The same kernels, compiler and options give the
same bytes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from antipodes.games.kernels import FAMILIES, Rules, Walks, perft
from antipodes.search.families import search_family
from tools.compiler.entries import Entry
from tools.compiler.kinds import Array, Group, Kernel, Number, read_signature
from tools.compiler.translate import Program, registered

PRELUDE = (Path(__file__).with_name("prelude.h")).read_text(encoding="utf-8")

_OPTIONS = (
    "-target",
    "wasm32-wasi",
    "-mexec-model=reactor",
    "-O3",
    "-msimd128",
    "-s",
    # Whole numbers wrap, and floats are never fused: as in the other editions.
    "-fwrapv",
    "-ffp-contract=off",
    "-Wno-parentheses-equality",
    "-Wl,--export=__heap_base",
)


def entries() -> Iterator[Entry]:
    """Yield what the module exports: rules, walks and random games of each family."""
    for family in FAMILIES:
        rules = vars(import_module(f"antipodes.games.kernels.{family}"))
        for name in Rules.__dataclass_fields__:
            yield Entry(f"{family}_{name}", rules[name])
        for name in Walks.__dataclass_fields__:
            walk = vars(perft)[name]
            parameters, _ = read_signature(walk, registered(walk)[1])
            names = walk.__code__.co_varnames
            given = {
                each: rules[each]
                for each, kind in zip(names, parameters, strict=False)
                if isinstance(kind, Kernel)
            }
            yield Entry(f"{family}_{name}", walk, given)
        search = search_family(family)
        assert search is not None
        module = import_module(f"antipodes.search.kernels.{search.playout}")
        yield Entry(f"{family}_playout", vars(module)["playout"])


def translate(wanted: Iterable[Entry]) -> str:
    """Return a program of C that exports kernels.

    Raises:
        TranslationError: a kernel uses something that has no translation.
    """
    program = Program()
    exports = [_export(program, entry) for entry in wanted]
    return "\n".join([PRELUDE, *program.structs(), "", *program.functions, *exports])


def _export(program: Program, entry: Entry) -> str:
    """Return a function that takes numbers, pointers and lengths, and calls a kernel."""
    parameters, result = read_signature(entry.function, registered(entry.function)[1])
    taken: list[str] = []

    def argument(kind: object, name: str) -> str:
        if isinstance(kind, Group):
            inner = [argument(array, f"{name}_{each}") for each, array in kind.fields]
            return f"({kind.name}){{{', '.join(inner)}}}"
        if isinstance(kind, Array):
            lengths = [f"{name}_n{i}" for i in range(kind.dimensions)]
            taken.extend([f"{kind.element.c} *{name}", *(f"int32_t {each}" for each in lengths)])
            return f"({kind.c}){{{', '.join([name, *lengths])}}}"
        assert isinstance(kind, Number)
        taken.append(f"{kind.c} {name}")
        return name

    passed = [
        argument(kind, f"p{place}")
        for place, kind in enumerate(parameters)
        if not isinstance(kind, Kernel)
    ]
    name = program.add(entry.function, entry.given)
    return (
        f'__attribute__((export_name("{entry.name}")))\n'
        f"{result.c} export_{entry.name}({', '.join(taken)}) {{\n"
        f"    return {name}({', '.join(passed)});\n}}\n"
    )


def has_compiler() -> bool:
    """Return whether the package ``ziglang`` is installed."""
    return find_spec("ziglang") is not None


def compile_module(program: str, *, checked: bool = False) -> bytes:
    """Return a WebAssembly module of a program of C.

    Args:
        program: its text.
        checked: whether an index outside of its array ends the call with a trap.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Relative names, so that no path of this machine is in the module.
        Path(folder, "kernels.c").write_text(program, encoding="utf-8")
        zig = [sys.executable, "-m", "ziglang", "cc", "kernels.c", "-o", "kernels.wasm"]
        options = [*_OPTIONS, *(["-DCHECKED"] if checked else [])]
        subprocess.run([*zig, *options], cwd=folder, check=True)  # noqa: S603
        return Path(folder, "kernels.wasm").read_bytes()


def main() -> None:
    """Build the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="the module that is written")
    parser.add_argument("--checked", action="store_true", help="check all indices")
    options = parser.parse_args()
    if not has_compiler():
        parser.exit(1, "The compiler is missing: pip install ziglang installs it.\n")
    options.file.write_bytes(compile_module(translate(entries()), checked=options.checked))


if __name__ == "__main__":
    main()
