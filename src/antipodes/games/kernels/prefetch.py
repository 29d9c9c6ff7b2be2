"""A hint to the processor, for kernels that go through more memory than its caches hold."""

from __future__ import annotations

from functools import cache
from typing import Any


def prefetch(array: Any, index: int) -> None:
    """Begin to load the part of an array's memory that holds ``array[index]``; return at once.

    It does nothing in the plain edition. In the compiled one it changes no value, whatever the
    index is.
    """


@cache
def register() -> None:
    """Tell Numba what :func:`prefetch` is in compiled kernels."""
    from numba.core import cgutils, types
    from numba.extending import intrinsic, overload

    llvm: Any = vars(cgutils)["ir"]  # llvmlite, of which only Numba knows the right version

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        place = builder.bitcast(builder.gep(data, [values[1]]), cgutils.voidptr_t)
        number = cgutils.int32_t
        kind = llvm.FunctionType(llvm.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        # To read, into all caches, data and not instructions.
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    def emit(_context, array, index):
        return types.void(array, index), generate

    hint: Any = intrinsic(emit)

    # Numba wants both functions to have the parameters of `prefetch`, without types.
    @overload(prefetch)
    def compiled(array, index):
        def call(array, index):
            hint(array, index)

        return call
