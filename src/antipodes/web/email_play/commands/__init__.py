"""All that is asked for by mail and is no move on a board: looking, starting, following, accounts.

Each handler calls the same services as the pages, and says what came of it.
"""
