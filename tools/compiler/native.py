"""The build of the native edition: ``python -m tools.compiler.native`` compiles all kernels.

They become an extension module for Python's stable ABI. The compiler of the package ``ziglang``
makes it for any system, since :file:`python_abi.h` declares what the module uses of Python.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from antipodes.games.kernels.native import PATH, digest
from tools.compiler.entries import Entry, all_entries
from tools.compiler.kinds import Array, Group, Kernel, Kind, Number, read_signature
from tools.compiler.translate import Program, registered

_HERE = Path(__file__).parent
_PARTS = ("prelude.h", "products.h", "calls.h")

_OPTIONS = (
    "-O3",
    "-fPIC",
    "-fvisibility=hidden",
    # Whole numbers wrap, and floats are never fused: as in the other editions.
    "-fwrapv",
    "-ffp-contract=off",
    "-Wno-parentheses-equality",
)
_MADE = {"i": "PyLong_FromLongLong", "u": "PyLong_FromUnsignedLongLong", "f": "PyFloat_FromDouble"}

# Systems by their names in tags of wheels: the target of zig, and processors besides the oldest.
TARGETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "manylinux_2_17_x86_64": ("x86_64-linux-gnu.2.17", ("x86_64_v3",)),
    "manylinux_2_17_aarch64": ("aarch64-linux-gnu.2.17", ()),
    "musllinux_1_2_x86_64": ("x86_64-linux-musl", ("x86_64_v3",)),
    "musllinux_1_2_aarch64": ("aarch64-linux-musl", ()),
    "macosx_11_0_x86_64": ("x86_64-macos.11.0", ("x86_64_v3",)),
    "macosx_11_0_arm64": ("aarch64-macos.11.0", ()),
    "win_amd64": ("x86_64-windows-gnu", ("x86_64_v3",)),
    "win_arm64": ("aarch64-windows-gnu", ()),
}


def this_system() -> str | None:
    """Return the name of this machine's system, or ``None`` if there is no build for it."""
    name, _, machine = sysconfig.get_platform().replace("-", "_").partition("_")
    if name == "macosx":
        machine = machine.rpartition("_")[2] if machine.endswith("arm64") else "x86_64"
    is_musl = name == "linux" and "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "")
    start = {"linux": "musllinux" if is_musl else "manylinux"}.get(name, name)
    systems = [one for one in TARGETS if one.startswith(start) and one.endswith(machine)]
    return systems[0] if systems else None


def translate(wanted: Iterable[Entry]) -> str:
    """Return a program of C with kernels and their calls from Python.

    Raises:
        TranslationError: a kernel uses something that has no translation.
    """
    program = Program()
    calls, methods = [], []
    for entry in wanted:
        calls.append(_call(program, entry))
        call = f"(Function *)call_{entry.name}"
        methods.append(f'    {{"{entry.name}", {call}, FASTCALL_WITH_KEYWORDS, NULL}},')
    return "\n".join(
        [
            *((_HERE / part).read_text(encoding="utf-8") for part in _PARTS),
            *program.structs(),
            "",
            *program.functions,
            *calls,
            "static Method methods[] = {",
            *methods,
            "    {0},\n};\n",
            "Method *KERNELS(void) { return find_arrays() ? methods : NULL; }\n",
        ]
    )


def _call(program: Program, entry: Entry) -> str:
    """Return the function of C that takes Python's arguments and calls a kernel."""
    name, signature = registered(entry.function)
    kinds, result = read_signature(entry.function, signature)
    names = entry.function.__code__.co_varnames
    rows: list[str] = []
    places = 0

    def argument(kind: Kind, each: str) -> str:
        """Add a parameter to the table; return its value in C."""
        nonlocal places
        if isinstance(kind, Group):
            class_name = kind.name.rpartition("_")[2]
            rows.append(_row(each, class_name, "g", len(kind.fields), 0))
            inner = [argument(array, field) for field, array in kind.fields]
            return f"({kind.c}){{{', '.join(inner)}}}"
        place, places = f"to[{places}]", places + 1
        if isinstance(kind, Array):
            number = kind.element
            text = f"{number.name}[{':,' * (kind.dimensions - 1)}::1]"
            rows.append(_row(each, text, number.letter, number.size, kind.dimensions))
            lengths = [f"{place}.array.n[{i}]" for i in range(kind.dimensions)]
            return f"({kind.c}){{{', '.join([f'{place}.array.data', *lengths])}}}"
        assert isinstance(kind, Number)
        rows.append(_row(each, kind.name, kind.letter, kind.size, 0))
        return f"{place}.{kind.letter}"

    taken = [
        argument(kind, each)
        for each, kind in zip(names, kinds, strict=False)
        if not isinstance(kind, Kernel)
    ]
    function = program.add(entry.function, entry.given)
    kernel = f"{entry.function.__module__.rpartition('.')[2]}.{name}"
    return f"""\
static Object *call_{entry.name}(
    Object *module, Object *const *given, Py_ssize_t count, Object *names) {{
    static Parameter wanted[] = {{
        {", ".join(rows)}}};
    Argument to[{places}];
    if (!read_arguments("{kernel}", wanted, {len(taken)}, given, count, names, to)) return NULL;
    void *thread = PyEval_SaveThread();
    {result.c} result = {function}({", ".join(taken)});
    PyEval_RestoreThread(thread);
    return {_MADE[result.letter]}(result);
}}
"""


def _row(name: str, text: str, letter: str, size: int, dimensions: int) -> str:
    return f'{{"{name}", "{text}", \'{letter}\', {size}, {dimensions}, NULL}}'


def compile_module(
    program: str,
    target: Path,
    *,
    zig_target: str = "",
    processors: Sequence[str] = (),
    checked: bool = False,
) -> None:
    """Compile a program of C to an extension module.

    Args:
        program: its text.
        target: the file that is written.
        zig_target: the system, in zig's words; this machine with its processor if empty.
        processors: beside the oldest, for which the kernels are compiled too.
        checked: whether an index outside of its array ends the process.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "kernels.c").write_text(program, encoding="utf-8")
        any_processor = "baseline" if zig_target else "native"
        system = ["-target", zig_target] if zig_target else []
        options = [*system, *_OPTIONS, f"-I{_HERE}", *(["-DCHECKED"] if checked else [])]
        builds = [["kernels.c", f"-mcpu={any_processor}", "-DKERNELS=kernels_for_any"]]
        if processors:
            (processor,) = processors
            builds.append(["kernels.c", f"-mcpu={processor}", "-DKERNELS=kernels_for_v3"])
        about = [f'-DDIGEST="{digest()}"', *(["-DWITH_V3"] if processors else [])]
        builds.append([str(_HERE / "module.c"), f"-mcpu={any_processor}", *about])
        objects = [f"{number}.o" for number in range(len(builds))]
        # Compilers run beside each other.
        running = [
            subprocess.Popen(  # noqa: S603
                [*_zig("cc"), *build, "-c", "-o", into, *options], cwd=folder
            )
            for build, into in zip(builds, objects, strict=True)
        ]
        if any([process.wait() for process in running]):  # noqa: C419 - wait for all
            raise subprocess.CalledProcessError(1, "zig cc")
        linked = [*objects, *system, "-shared", "-s", "-o", target.name]
        if "macos" in zig_target or (not zig_target and sys.platform == "darwin"):
            linked += ["-undefined", "dynamic_lookup"]
        if "windows" in zig_target or (not zig_target and sys.platform == "win32"):
            linked.append(_import_library(folder, zig_target))
        subprocess.run([*_zig("cc"), *linked], cwd=folder, check=True)  # noqa: S603
        (folder / target.name).replace(target)


def has_compiler() -> bool:
    """Return whether the package ``ziglang`` is installed."""
    return find_spec("ziglang") is not None


def _zig(command: str) -> list[str]:
    return [sys.executable, "-m", "ziglang", command]


def _import_library(folder: Path, zig_target: str) -> str:
    """Make the library that names what the module takes from Python's DLL of the stable ABI."""
    text = (_HERE / "python_abi.h").read_text(encoding="utf-8")
    names = re.findall(r"\b(Py\w+)(?=[,;(])", text)
    data = [f"{name} DATA" if name.startswith("PyExc_") else name for name in names]
    (folder / "python3.def").write_text(
        "\n".join(["LIBRARY python3.dll", "EXPORTS", *data, ""]), encoding="utf-8"
    )
    machine = "arm64" if zig_target.startswith("aarch64") else "i386:x86-64"
    command = ["-m", machine, "-d", "python3.def", "-l", "python3.lib"]
    subprocess.run([*_zig("dlltool"), *command], cwd=folder, check=True)  # noqa: S603
    return "python3.lib"


def build(system: str = "", target: Path = PATH, *, checked: bool = False) -> None:
    """Build the native edition.

    Args:
        system: of :data:`TARGETS`; this machine with its processor if empty.
        target: the file that is written.
        checked: whether an index outside of its array ends the process.
    """
    zig_target, processors = TARGETS[system] if system else ("", ())
    program = translate(all_entries())
    compile_module(program, target, zig_target=zig_target, processors=processors, checked=checked)


def main() -> None:
    """Build the native edition for this machine, or for the named system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=sorted(TARGETS), default="")
    parser.add_argument("--file", type=Path, default=PATH, help="the module that is written")
    parser.add_argument("--list", action="store_true", help="print the systems")
    options = parser.parse_args()
    if options.list:
        print(*TARGETS)
        return
    if not has_compiler():
        parser.exit(1, "The compiler is missing: pip install ziglang installs it.\n")
    build(options.system, options.file)


if __name__ == "__main__":
    main()
