"""Compiled parts of the search; like the rules, plain Python that Numba compiles when wanted."""
