"""The registry of kernels, filled by the decorator ``@kernel(signature)``.

A kernel module is plain Python, and the decorator only records the signature; the folder
:file:`tools/compiler` translates the same functions to C. So rules are written once and run in all
editions.

A *group* is a named tuple of arrays that kernels take as one argument, so that two arrays of the
same type cannot be exchanged unnoticed. The signature of such a kernel follows from the types of
its parameters, and that of the group from the types of its fields.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Annotated, Any, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt

Function = TypeVar("Function", bound=Callable[..., Any])

# Signatures shared by all games: tables, state, work and further arguments.
START = "i8(i8[::1], i8[::1], i8[::1])"
JUDGE = "i8(i8[::1], i8[::1], i8[::1], i8)"
LISTING = "i8(i8[::1], i8[::1], i8[::1], i8[::1])"
DESCRIBE = "i8(i8[::1], i8[::1], i8, i8[::1])"

# Types of parameters and fields; F4_2 is an array of two dimensions of 4-byte floats.
Int = Annotated[int, "i8"]
Float = Annotated[float, "f8"]
I1 = Annotated[npt.NDArray[np.int8], "i1[::1]"]
I1_2 = Annotated[npt.NDArray[np.int8], "i1[:,::1]"]
I4 = Annotated[npt.NDArray[np.int32], "i4[::1]"]
I4_2 = Annotated[npt.NDArray[np.int32], "i4[:,::1]"]
I8 = Annotated[npt.NDArray[np.int64], "i8[::1]"]
I8_2 = Annotated[npt.NDArray[np.int64], "i8[:,::1]"]
U1 = Annotated[npt.NDArray[np.uint8], "u1[::1]"]
U4 = Annotated[npt.NDArray[np.uint32], "u4[::1]"]
U4_2 = Annotated[npt.NDArray[np.uint32], "u4[:,::1]"]
F4 = Annotated[npt.NDArray[np.float32], "f4[::1]"]
F4_2 = Annotated[npt.NDArray[np.float32], "f4[:,::1]"]
F4_3 = Annotated[npt.NDArray[np.float32], "f4[:,:,::1]"]
F8 = Annotated[npt.NDArray[np.float64], "f8[::1]"]
F8_2 = Annotated[npt.NDArray[np.float64], "f8[:,::1]"]
Playing = Annotated[Callable[..., int], f"FunctionType({JUDGE})"]
Starting = Annotated[Callable[..., int], f"FunctionType({START})"]
Listing = Annotated[Callable[..., int], f"FunctionType({LISTING})"]
Describing = Annotated[Callable[..., int], f"FunctionType({DESCRIBE})"]

KERNELS: dict[str, dict[str, tuple[Callable[..., Any], str]]] = {}
INLINE: set[Callable[..., Any]] = set()
SCALAR: set[Callable[..., Any]] = set()


def kernel(
    signature: str = "", *, inline: bool = False, scalar: bool = False
) -> Callable[[Function], Function]:
    """Register a function as a kernel with a ``signature``.

    Without a signature the function's annotations are its types. With ``inline`` its machine code
    becomes part of that of its callers, whatever its length. With ``scalar`` its loops use no
    vectors in pages, whose vectors of two words can make them slower.
    """

    def mark(function: Function) -> Function:
        kernels = KERNELS.setdefault(function.__module__, {})
        kernels[function.__name__] = function, signature
        if inline:
            INLINE.add(function)
        if scalar:
            SCALAR.add(function)
        return function

    return mark


def types_of(annotated: Any) -> dict[str, Any]:
    """Return the types of a kernel's parameters and its ``return``, or of a group's fields.

    They are names of types, or groups.
    """
    hints = get_type_hints(annotated, include_extras=True)
    return {
        name: hint if hasattr(hint, "_fields") else hint.__metadata__[0]
        for name, hint in hints.items()
    }


def bound(template: Any, module: str, **kernels: Callable[..., Any]) -> FunctionType:
    """Return a function of a module: a template whose calls by these names go to these kernels.

    So the machine code of a template contains that of its callees, as if it were written for them:
    a call of a kernel that comes as an argument takes longer than a move of Hex.
    """
    function = FunctionType(template.__code__, template.__globals__ | kernels)
    function.__module__, function.__doc__ = module, template.__doc__
    return function
