"""Kernels of a WebAssembly module, called like those of the other editions."""

from typing import Any

import numpy as np

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
        end, arrays, flat = self._base, list[tuple[int, Any]](), list[Any]()
        for argument in arguments:
            for value in argument if isinstance(argument, tuple) else (argument,):
                if not isinstance(value, np.ndarray):
                    flat.append(value)
                    continue
                place = -(-end // _BITS) * _BITS
                end = place + value.nbytes
                arrays.append((place, value))
                flat += [place, *value.shape]
        missing = end - self._memory.data_len(self._store)
        if missing > 0:
            self._memory.grow(self._store, -(-missing // _PAGE))
        for place, array in arrays:
            self._memory.write(self._store, np.ascontiguousarray(array).tobytes(), place)
        result = self._exports[name](self._store, *flat)
        for place, array in arrays:
            held = self._memory.read(self._store, place, place + array.nbytes)
            array[...] = np.frombuffer(held, array.dtype).reshape(array.shape)
        return result
