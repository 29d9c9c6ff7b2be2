"""The games: one façade each, over the kernels where their rules are written."""
