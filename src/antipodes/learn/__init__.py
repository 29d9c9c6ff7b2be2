"""Courses: lessons whose tasks are judged by the rules and the search.

:mod:`antipodes.learn.store` has the courses that come with the program,
:mod:`antipodes.learn.exercise` judges a learner's answers, and
:mod:`antipodes.learn.progress` remembers which steps a learner has solved.
"""
