"""Puzzles on the site: solving, ratings of solvers and puzzles, the puzzle of the day.

Other apps call :mod:`~antipodes.web.puzzles.catalogue` (puzzles by id, theme and game),
:mod:`~antipodes.web.puzzles.daily`, :mod:`~antipodes.web.puzzles.selectors` (the next puzzle, the
streak) and :mod:`~antipodes.web.puzzles.services` (answers, hints, solutions).
"""
