"""Job queue: the computer's moves, analyses and reviews, scheduled fairly on engines."""
