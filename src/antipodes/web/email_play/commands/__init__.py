"""Handlers of e-mail commands, except those that play a move.

They call the same services as the pages of the site, and answer the sender.
"""
