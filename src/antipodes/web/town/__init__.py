"""The town: a whole site in one process, with people who use it, in virtual time.

One seed decides everything that is random, so that a run can be repeated event by event. Laws of
the site are checked meanwhile; see :mod:`antipodes.web.town.laws`.
"""
