"""Inbound mail: LMTP and SMTP, a mailbox (IMAP), webhooks, a pipe, a folder.

A transport hands the bytes of a mail on to :mod:`antipodes.web.email_play.inbound.intake`, and
accepts it only when the mail is a row of the database. What is not accepted stays where it came
from, and comes again. Coming twice does no harm.
"""
