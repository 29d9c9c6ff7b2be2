"""The build of WebAssembly modules from kernels: ``python -m tools.compiler.wasm [FOLDER]``.

It writes a module for each family of games, ``placement.wasm`` and so on, by default among the
static files of the site, and needs the compiler of the package ``ziglang``. The same kernels,
compiler and options give the same bytes; modules are kept in ``build/wasm`` by a hash of these.

A module exports what :mod:`tools.compiler.entries` lists, ``_initialize``, which is called once
before all else, ``memory``, and ``__heap_base``, the address from which on memory is the caller's.
A call passes the parameters of the kernel one after the other, without those that are kernels:

- a whole number as an ``i64``, which is a ``BigInt`` in JavaScript; a fractional one as a number;
- an array, in C order and at a multiple of its elements' size, as its address and its lengths, one
  for each dimension, which are plain numbers;
- a group of arrays as its fields in their order.

A module keeps nothing between two calls but what is in the arrays, and allocates nothing.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from antipodes.games.kernels import FAMILIES
from tools.compiler.entries import Entry, device_entries, page_entries
from tools.compiler.kinds import Array, Group, Kernel, Number, read_signature
from tools.compiler.native import has_compiler
from tools.compiler.translate import Program, registered

_ROOT = Path(__file__).parents[2]
BUILT = _ROOT / "build/wasm"
STATIC = _ROOT / "src/antipodes/web/static/antipodes/engine"
PRELUDE = "".join(
    (Path(__file__).with_name(name)).read_text(encoding="utf-8")
    for name in ("prelude.h", "products.h")
)

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


def compile_module(program: str, *, checked: bool = False) -> bytes:
    """Return a WebAssembly module of a program of C, from ``build`` if it is there.

    Args:
        program: its text.
        checked: whether an index outside of its array ends the call with a trap.
    """
    options = [*_OPTIONS, *(["-DCHECKED"] if checked else [])]
    inputs = repr((program, options, version("ziglang")))
    known = BUILT / f"{sha256(inputs.encode()).hexdigest()[:32]}.wasm"
    if not known.exists():
        BUILT.mkdir(parents=True, exist_ok=True)
        # Relative names, so that no path of this machine is in the module.
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:
            Path(folder, "kernels.c").write_text(program, encoding="utf-8")
            zig = [sys.executable, "-m", "ziglang", "cc", "kernels.c", "-o", "kernels.wasm"]
            subprocess.run([*zig, *options], cwd=folder, check=True)  # noqa: S603
            Path(folder, "kernels.wasm").replace(known)
    return known.read_bytes()


def build(folder: Path = STATIC) -> list[Path]:
    """Write the module of each family that has changed; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for family in FAMILIES:
        path = folder / f"{family}.wasm"
        module = compile_module(translate([*page_entries(family), *device_entries(family)]))
        if not path.exists() or path.read_bytes() != module:
            path.write_bytes(module)
        paths.append(path)
    return paths


def main() -> None:
    """Build the modules."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=STATIC, help="where modules go")
    options = parser.parse_args()
    if not has_compiler():
        parser.exit(1, "The compiler is missing: pip install ziglang installs it.\n")
    for path in build(options.folder):
        size = len(gzip.compress(path.read_bytes()))
        sys.stdout.write(f"    {path.name}: {size / 1000:.1f} kB compressed\n")


if __name__ == "__main__":
    main()
