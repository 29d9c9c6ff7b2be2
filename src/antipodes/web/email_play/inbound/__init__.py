"""Inbound mail: LMTP and SMTP, a mailbox (IMAP), webhooks, a pipe, a maildir.

A transport passes each mail to :mod:`antipodes.web.email_play.inbound.intake`, and acknowledges it
only after it is stored in the database. A mail that is not acknowledged is delivered again;
duplicates are ignored.
"""
