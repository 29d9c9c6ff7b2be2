"""The exponential function and the natural logarithm, with the same bits in every edition.

Those of C libraries differ in their last bits, so kernels call these; both are within one unit in
the last place. Ranges and polynomials are those of fdlibm (Sun Microsystems 1993), in plain
arithmetic of 8-byte floats; sums are nested little, so that processors can add at the same time.
"""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels.registry import kernel

# The logarithm of 2 as a sum, of which the product of the first part and an exponent is exact.
_LOG_2 = float.fromhex("0x1.62e42feep-1")
_LOG_2_REST = float.fromhex("0x1.a39ef35793c76p-33")
_LOGS_OF_2 = float.fromhex("0x1.71547652b82fep+0")  # one through the logarithm of 2

_FRACTION = 52  # bits
_BIAS = 1023  # of exponents
_EXPONENTS = 0x7FF
_LARGE = 1.5 * 2.0**_FRACTION
_ONE = _BIAS << _FRACTION  # as bits

_LEAST_POWER = -708.0
_MOST_POWER = 709.0
_E1 = float.fromhex("0x1.555555555553ep-3")
_E2 = float.fromhex("-0x1.6c16c16bebd93p-9")
_E3 = float.fromhex("0x1.1566aaf25de2cp-14")
_E4 = float.fromhex("-0x1.bbd41c5d26bf1p-20")
_E5 = float.fromhex("0x1.6376972bea4d0p-25")

_LEAST = 2.0**-1022
_MOST = float.fromhex("0x1.fffffffffffffp+1023")
_ROOT_HALF = 0x3FE6A09E667F3BCD  # as bits

_L1 = float.fromhex("0x1.5555555555593p-1")
_L2 = float.fromhex("0x1.999999997fa04p-2")
_L3 = float.fromhex("0x1.2492494229359p-2")
_L4 = float.fromhex("0x1.c71c51d8e78afp-3")
_L5 = float.fromhex("0x1.7466496cb03dep-3")
_L6 = float.fromhex("0x1.39a09d078c69fp-3")
_L7 = float.fromhex("0x1.2f112df3e5244p-3")


@kernel("i8(f8)")
def bits_of(x):
    """Return the bits of a float."""
    return int(np.float64(x).view(np.int64))


@kernel("f8(i8)")
def float_of(bits):
    """Return the float with these bits."""
    return float(np.int64(bits).view(np.float64))


@kernel("f8(f8)")
def exp(x):
    """Return the exponential of a number, which is taken as -708 to 709."""
    x = float(x)
    if x > _MOST_POWER:
        x = _MOST_POWER
    elif not x > _LEAST_POWER:
        x = _LEAST_POWER
    # A sum as large has no bits for fractions, so the last ones are the exponent, rounded.
    shifted = x * _LOGS_OF_2 + _LARGE
    exponent = shifted - _LARGE
    high = x - exponent * _LOG_2
    low = exponent * _LOG_2_REST
    part = high - low
    square = part * part
    fourth = square * square
    sum_of_powers = (_E1 + square * _E2) + fourth * ((_E3 + square * _E4) + fourth * _E5)
    even = part - square * sum_of_powers
    result = 1.0 + (part * even / (2.0 - even) - low + high)
    return result * float_of((bits_of(shifted) + _BIAS & _EXPONENTS) << _FRACTION)


@kernel("f8(f8)")
def log(x):
    """Return the natural logarithm of a number, which is taken as 2**-1022 at least."""
    x = float(x)
    if x > _MOST:
        x = _MOST
    elif not x > _LEAST:
        x = _LEAST
    # The fraction is at least the root of 1/2, and less than that of 2.
    bits = bits_of(x) + _ONE - _ROOT_HALF
    exponent = (bits >> _FRACTION) - _BIAS
    x = float_of((bits & (1 << _FRACTION) - 1) + _ROOT_HALF)
    above = x - 1.0
    ratio = above / (2.0 + above)
    square = ratio * ratio
    fourth = square * square
    eighth = fourth * fourth
    sum_of_powers = (_L1 + square * _L2) + fourth * (_L3 + square * _L4)
    sum_of_powers += eighth * ((_L5 + square * _L6) + fourth * _L7)
    half = 0.5 * above * above
    small = ratio * (half + square * sum_of_powers) + exponent * _LOG_2_REST
    return exponent * _LOG_2 - (half - small - above)
