"""Kernels as WebAssembly: a translator of their syntax trees to C, and its build with zig."""
