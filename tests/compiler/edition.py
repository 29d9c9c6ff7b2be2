"""Kernels of WebAssembly modules, called like those of the other editions."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from filelock import FileLock

import antipodes.puzzles
import antipodes.search
from antipodes.games import kernels
from antipodes.games.kernels import Rules, Walks, perft
from tools.compiler.entries import page_entries
from tools.compiler.wasm import BUILT, compile_module, translate

_PAGE = 1 << 16
_BITS = 16  # arrays begin at multiples of as many bytes


class Edition:
    """The instance of a module: arrays are copied into its memory, and back after a call."""

    def __init__(self, module: bytes) -> None:
        """Instantiate the module."""
        import wasmtime

        engine = wasmtime.Engine()
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self._store = wasmtime.Store(engine)
        self._store.set_wasi(wasmtime.WasiConfig())
        instance = linker.instantiate(self._store, wasmtime.Module(engine, module))
        exports: Any = instance.exports(self._store)
        self._exports, self._memory = exports, exports["memory"]
        exports["_initialize"](self._store)
        self._base = int(exports["__heap_base"].value(self._store))

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a kernel with numbers, arrays and groups of arrays."""
        end, placed, flat = self._base, dict[int, tuple[int, Any]](), list[Any]()
        for value in _flat(arguments):
            if not isinstance(value, np.ndarray):
                flat.append(value)
                continue
            if value.ctypes.data not in placed:
                place = -(-end // _BITS) * _BITS
                end = place + value.nbytes
                placed[value.ctypes.data] = place, value
            flat += [placed[value.ctypes.data][0], *value.shape]
        missing = end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))
        for place, array in placed.values():
            self._memory.write(self._store, np.ascontiguousarray(array).tobytes(), place)
        result = self._exports[name](self._store, *flat)
        for place, array in placed.values():
            held = self._memory.read(self._store, place, place + array.nbytes)
            array[...] = np.frombuffer(held, array.dtype).reshape(array.shape)
        return result


def _flat(arguments: Iterable[Any]) -> Iterable[Any]:
    for argument in arguments:
        yield from _flat(argument) if isinstance(argument, tuple) else (argument,)


class Editions:
    """The modules of some families, as an edition of the kernels.

    Attributes:
        called: the names of the entries that were called.
    """

    def __init__(self, *families: str, checked: bool) -> None:
        """Build and instantiate the modules, perhaps those that check all indices."""
        self._entries: dict[Any, tuple[Edition, str]] = {}
        self.called = set[str]()
        for family in families:
            entries = list(page_entries(family))
            # Another process of the tests may want the same module, which is kept for both.
            BUILT.mkdir(parents=True, exist_ok=True)
            with FileLock(BUILT / "tests.lock"):
                module = Edition(compile_module(translate(entries), checked=checked))
            for entry in entries:
                self._entries[_key(entry.function, entry.given)] = module, entry.name

    def call(self, function: Any, given: dict[str, Any], arguments: list[Any]) -> Any:
        """Call the entry of a kernel with given kernels."""
        module, name = self._entries[_key(function, given)]
        self.called.add(name)
        return module.call(name, *arguments)

    def replace_kernels(self, monkeypatch: Any, *, compare: bool = False) -> None:
        """Let the whole program use these kernels instead of the native ones.

        Args:
            monkeypatch: undoes it.
            compare: whether each call is made in the native edition as well, and must have the
                same result and change all arrays in the same way, byte by byte.
        """
        # A module that is imported while they are replaced would keep the replacements for ever.
        for package in (antipodes.search, antipodes.puzzles):
            for module_info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
                import_module(module_info.name)
        native = kernels.edition
        # They are kept for ever as well, so they are made before.
        plain = {family: vars(kernels.plain_rules(family)) for family in kernels.FAMILIES}

        def edition(module: ModuleType, name: str, **given: Any) -> _Kernel:
            function = vars(module)[name]
            taken = function.__code__.co_varnames
            chosen = {each: kernel for each, kernel in given.items() if each in taken}
            twin = native(module, name, **given) if compare else None
            return _Kernel(self, function, chosen, twin)

        def rules_of(family: str) -> Rules:
            module = sys.modules[f"{kernels.__name__}.{family}"]
            return Rules(**{name: edition(module, name) for name in Rules.__dataclass_fields__})

        def walks_of(family: str) -> Walks:
            given = plain[family]
            names = Walks.__dataclass_fields__
            return Walks(**{name: edition(perft, name, **given) for name in names})

        replaced = {
            kernels.edition: edition,
            kernels.rules_of: rules_of,
            kernels.walks_of: walks_of,
        }
        for name, module in list(sys.modules.items()):
            if name.startswith(("antipodes.games", "antipodes.search", "antipodes.puzzles")):
                for key, value in list(vars(module).items()):
                    if callable(value) and value.__hash__ and value in replaced:
                        monkeypatch.setattr(module, key, replaced[value])


def _key(function: Any, given: Any) -> Any:
    return function, frozenset(given.items())


class _Kernel:
    """A kernel of the modules with those that it gets, perhaps with its native twin."""

    def __init__(self, editions: Editions, function: Any, given: dict[str, Any], twin: Any) -> None:
        self.editions, self.function, self.given, self.twin = editions, function, given, twin

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        code = self.function.__code__
        names = code.co_varnames[len(self.given) : code.co_argcount]
        values = [*arguments, *(named[name] for name in names[len(arguments) :])]
        if self.twin is None:
            return self.editions.call(self.function, self.given, values)
        copies = _copies(values)
        expected = self.twin(*copies)
        result = self.editions.call(self.function, self.given, values)
        assert result == expected, names
        for one, other in zip(_flat(values), _flat(copies), strict=True):
            assert not isinstance(one, np.ndarray) or one.tobytes() == other.tobytes(), names
        return result


def _copies(arguments: list[Any]) -> list[Any]:
    """Return copies of arrays; those that are the same array stay the same."""
    known: dict[int, Any] = {}

    def copied(value: Any) -> Any:
        if isinstance(value, tuple):
            return type(value)(*map(copied, value))
        if isinstance(value, np.ndarray):
            return known.setdefault(value.ctypes.data, value.copy())
        return value

    return [copied(value) for value in arguments]
