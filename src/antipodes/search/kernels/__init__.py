"""Kernels of the search; like those of the rules, plain Python that is compiled as well."""
