"""The doors by which mail comes in: LMTP and SMTP, a mailbox, webhooks, a pipe, a folder.

A door hands the bytes of a mail on to :mod:`antipodes.web.mailroom.doors.taking`, and says "taken"
only when the mail is a row of the database. What is not taken stays where it came from, and comes
again. Coming twice does no harm.
"""
