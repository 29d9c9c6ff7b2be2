"""Delivery reports in the form of real mail servers, with other names and texts."""

from __future__ import annotations

_HEAD = """\
From: {sender}
To: {to}
Subject: {subject}
Date: Mon, 2 Mar 2026 12:30:00 +0000
Message-ID: <{number}@mx.gone.example>
{more}MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="{boundary}"

"""

_ORIGINAL = """\
From: Antipodes <play@play.example>
To: ann@gone.example
Subject: hex board 7 ann
Message-ID: <board.1.2.3@antipodes.example>
X-Antipodes-Letter: {address}
"""

POSTFIX = {
    "sender": "MAILER-DAEMON@mx.gone.example (Mail Delivery System)",
    "subject": "Undelivered Mail Returned to Sender",
    "more": "Auto-Submitted: auto-replied\n",
    "kind": "text/rfc822-headers",
    "words": "This is the mail system at host mx.gone.example.\n\nIt could not be delivered.",
    "status": """\
Reporting-MTA: dns; mx.gone.example
X-Postfix-Queue-ID: 4ABCDEF
X-Postfix-Sender: rfc822; {to}
Arrival-Date: Mon,  2 Mar 2026 12:29:58 +0000 (UTC)

Final-Recipient: rfc822; ann@gone.example
Original-Recipient: rfc822;ann@gone.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; inner.gone.example
Diagnostic-Code: smtp; 550 5.1.1 <ann@gone.example>: Recipient address
    rejected: User unknown in virtual mailbox table
""",
}

EXCHANGE = {
    "sender": "postmaster@gone.example",
    "subject": "Undeliverable: hex board 7 ann",
    "more": "X-MS-Exchange-Message-Is-Ndr:\nAuto-Submitted: auto-replied\n",
    "kind": "message/rfc822",
    "words": "Your message to ann@gone.example couldn't be delivered.",
    "status": """\
Reporting-MTA: dns;AM0PR00MB0001.eurprd00.prod.gone.example
Received-From-MTA: dns;play.example
Arrival-Date: Mon, 2 Mar 2026 12:29:58 +0000

Final-Recipient: rfc822;ann@gone.example
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; ann@gone.example not found

""",
}

GMAIL = {
    "sender": "Mail Delivery Subsystem <mailer-daemon@googlemail.example>",
    "subject": "Delivery Status Notification (Failure)",
    "more": "X-Failed-Recipients: ann@gone.example\nAuto-Submitted: auto-replied\n",
    "kind": "message/rfc822",
    "words": "Address not found",
    "status": """\
Reporting-MTA: dns; googlemail.example
Arrival-Date: Mon, 02 Mar 2026 04:29:58 -0800 (PST)
X-Original-Message-ID: <board.1.2.3@antipodes.example>

Final-Recipient: rfc822; ann@gone.example
Action: failed
Status: 5.1.1
Remote-MTA: dns; mx.gone.example. (192.0.2.1, the server for the domain
 gone.example.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please
 550-5.1.1 try double-checking the recipient's email address.
 550 5.1.1 https://support.example/ a640c23a62f3a-abc si12345 - gsmtp
Last-Attempt-Date: Mon, 02 Mar 2026 04:30:00 -0800 (PST)
""",
}

# Reports 5.0.0, and quotes a more precise status.
EXIM = {
    "sender": "Mail Delivery System <Mailer-Daemon@mx.gone.example>",
    "subject": "Mail delivery failed: returning message to sender",
    "more": "X-Failed-Recipients: ann@gone.example\n",
    "kind": "message/rfc822",
    "words": "A message that you sent could not be delivered.",
    "status": """\
Reporting-MTA: dns; mx.gone.example

Action: failed
Final-Recipient: rfc822;ann@gone.example
Status: 5.0.0
Remote-MTA: dns; inner.gone.example
Diagnostic-Code: smtp; 550 5.1.1 no such user here
""",
}

FULL = POSTFIX | {
    "status": """\
Reporting-MTA: dns; mx.gone.example

Final-Recipient: rfc822; ann@gone.example
Action: failed
Status: 5.2.2 (mailbox full)
Diagnostic-Code: x-unix; quota exceeded
"""
}

REFUSED = POSTFIX | {
    "status": """\
Reporting-MTA: dns; mx.gone.example

Final-Recipient: rfc822; ann@gone.example
Action: failed
Status: 5.7.1
Diagnostic-Code: smtp; 554 5.7.1 not wanted here
"""
}

DELAYED = POSTFIX | {
    "subject": "Delayed Mail (still being retried)",
    "status": """\
Reporting-MTA: dns; mx.gone.example

Final-Recipient: rfc822; ann@gone.example
Action: delayed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to inner.gone.example[192.0.2.1]:25: Connection timed out
Will-Retry-Until: Sat,  7 Mar 2026 12:29:58 +0000 (UTC)
""",
}

EXPIRED = POSTFIX | {
    "status": """\
Reporting-MTA: dns; mx.gone.example

Final-Recipient: rfc822; ann@gone.example
Action: failed
Status: 4.4.1
Diagnostic-Code: X-Postfix; connect to inner.gone.example[192.0.2.1]:25: Connection timed out
"""
}

FORWARDED = POSTFIX | {
    "status": """\
Reporting-MTA: dns; mx.gone.example

Original-Recipient: rfc822;ann@gone.example
Final-Recipient: rfc822; ann@new.example
Action: relayed
Status: 2.0.0

Original-Recipient: rfc822;ann@gone.example
Final-Recipient: rfc822; ann@old.example
Action: failed
Status: 5.1.1
"""
}

ALL = (POSTFIX, EXCHANGE, GMAIL, EXIM, FULL, REFUSED, DELAYED, EXPIRED, FORWARDED)

READ_RECEIPT = """\
From: ann@gone.example
Content-Type: multipart/report; report-type=disposition-notification; boundary=x

--x
Content-Type: message/disposition-notification

Final-Recipient: rfc822;ann@gone.example
Disposition: manual-action/MDN-sent-manually; displayed
--x--
"""


def bounce(
    shape: dict[str, str],
    *,
    to: str = "play+b-abc@play.example",
    address: str = "",
    quoted: str = "",
    number: str = "1",
) -> bytes:
    """Return a delivery report.

    Args:
        shape: texts of a server.
        to: its recipient.
        address: bounce address in the header of the returned e-mail; by default ``to``.
        quoted: the returned mail, if it is another one.
        number: part of the Message-ID.
    """
    original = quoted or _ORIGINAL.format(address=address or to)
    body = "" if shape["kind"].endswith("headers") else "\nYour board.\n"
    parts = [
        ("text/plain; charset=us-ascii", shape["words"]),
        ("message/delivery-status", shape["status"].replace("{to}", to)),
        (shape["kind"], original + body),
    ]
    boundary = "=_mx_1"
    head = _HEAD.format(
        sender=shape["sender"],
        to=to,
        subject=shape["subject"],
        more=shape["more"],
        number=number,
        boundary=boundary,
    )
    content = "".join(f"--{boundary}\nContent-Type: {kind}\n\n{text}\n" for kind, text in parts)
    return f"{head}{content}--{boundary}--\n".replace("\n", "\r\n").encode()
