"""Kernels of the adapters."""
