"""Letters: answer the site's mails, in the ways in which mail programs quote."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import parseaddr

from antipodes.web.town.person import Person

_ANSWERS = ("resign", "hello there", "help", "show", "games", "history", "vacation", "offer draw")


async def answer(person: Person) -> None:
    """Answer a mail."""
    if not person.mails:
        return
    mail = person.mails.pop(person.chance.randrange(len(person.mails)))
    to = parseaddr(mail.get("Reply-To") or mail.get("From") or "")[1]
    body = mail.get_body(("plain",))
    text = body.get_content() if body is not None else ""
    reply = EmailMessage()
    reply["From"] = person.mail_address
    reply["To"] = to
    reply["Subject"] = f"Re: {mail['Subject']}"
    reply["Message-ID"] = f"<{person.chance.getrandbits(64):x}@ids.example>"
    if mail["Message-ID"]:
        reply["In-Reply-To"] = reply["References"] = mail["Message-ID"]
    own = person.chance.choice([*_ANSWERS, _guess(person)])
    reply.set_content(_quoted(person, own, text, to))
    await person.site.post(reply.as_bytes(), person.mail_address, [to])
    person.did += f" to {to}: {own}"


def _guess(person: Person) -> str:
    """Return a move, which may be legal on a small board."""
    return f"{person.chance.choice('abcdefg')}{person.chance.randint(1, 7)}"


def _quoted(person: Person, own: str, text: str, to: str) -> str:
    lines = [f"> {line}" for line in text.splitlines()]
    style = person.chance.randrange(5)
    if style == 0:
        return own + "\n"
    if style == 1:
        return "\n".join([own, "", "On Tuesday, the site wrote:", *lines]) + "\n"
    if style == 2:
        return "\n".join([*lines, "", own]) + "\n"
    if style == 3:
        return f"{own}\n\nThank you for your mail! I answered to {to}, as {person.mail_address}.\n"
    return f"{own}\n\n-----Original Message-----\n{text}\n"
