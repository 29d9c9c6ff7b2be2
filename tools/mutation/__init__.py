"""Mutation testing of the tests; ``tools.mutants`` is its command."""
