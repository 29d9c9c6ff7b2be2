"""Play by e-mail: mails read and understood, answers laid out.

Bytes become a mail, a mail becomes requests, and what came of them becomes text. Nothing here reads
a clock, knows who somebody is, or sends anything; the site's mailroom does.
"""
