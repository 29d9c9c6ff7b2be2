"""Letters: play by mail, answer in the ways in which mail programs quote, and send commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr

from antipodes.mail import COMMANDS
from antipodes.mail.commands import CommandInfo, Verb
from antipodes.web.town.habits import accounts, made_up
from antipodes.web.town.habits.play import GAMES
from antipodes.web.town.habits.quoting import quoting
from antipodes.web.town.person import Person

_SEEKS = 0.5  # chance to look for an opponent without a board and a mail
_MISTAKES = 0.15  # chance to reply to an earlier mail of a thread
_ANY_COMMAND = 0.7  # chance of one that only the help has told of
_WANTS_NEWS = 0.8  # chance that it is one that the person has not sent yet
_MOST_COMMANDS = 3  # in one act
_SEVERAL = 0.1  # chance of several commands in one mail
_DELETES = 0.05  # chance to ask for the end of the account, if that comes to mind
_THREAD = 4  # mails of a board among which people mistake one for another
# Boards on which a game ends within a day.
_SHORT = ("hex {} -size=3", "cylindrical-hex {} -rows=3 -columns=4")
_ANSWERS = (
    "resign", "hello there", "help", "show", "games", "history", "draw", "undo", "accept", "reject",
    "chat well played", "pause", "swap", "queue c2", "preview b2", "vacation",
)  # fmt: skip
_REMARKS = ("", "", "", "\n\nGood luck!", "\n\nI saw this too late, sorry.\n  Your turn",
            "\n\nWrite to me: {own}", "\n\nI play at {to}.")  # fmt: skip
_TOKEN = re.compile(r"\bmt-[a-z2-7]{24}\b")
_BOARD = re.compile(r"^(?:Turn|Moves?|Picture): ", re.MULTILINE)
_SEEN = re.compile(r"\bPicture: \d+ lines; after move (\d+)$", re.MULTILINE)
_NUMBER = re.compile(r"\bBoard (\d+)\b")
_WITH_LETTERS = re.compile(r"^\s+((?:[A-Z]\s+)+[A-Z])\s*$", re.MULTILINE | re.IGNORECASE)


async def answer(person: Person) -> None:
    """Answer a mail."""
    if person.mails:
        await _answer(person, person.mails.pop(person.chance.randrange(len(person.mails))))


async def read_mailbox(person: Person) -> None:
    """Answer mails, the newest first, but few of those from which the site expects no answer."""
    answers = 0
    while person.mails:
        mail = person.mails.pop()
        if not _is_for_commands(person, mail) or person.chance.random() < 0.2:
            answers += 1
            await _answer(person, mail)
            await person.site.loop.settle()
        elif body := mail.get_body(("plain",)):
            _keep_token(person, body.get_content())
    if not answers and person.chance.random() < _SEEKS / (1 + len(_boards(person))):
        await seek_by_mail(person)


async def answer_old_mail(person: Person) -> None:
    """Answer a mail that was answered already, or that a newer one has followed."""
    answered: list[EmailMessage] = person.memory.get("answered", [])
    if answered:
        await _answer(person, person.chance.choice(answered))


async def bounce(person: Person) -> None:
    """Let one's mail server return a mail, as from a full mailbox."""
    if not person.mails:
        return
    mail = person.mails.pop()
    to = parseaddr(mail.get("Return-Path") or "")[1]
    status = person.chance.choice(["5.2.2", "5.1.1", "4.2.2"])
    report = EmailMessage()
    report["From"] = "MAILER-DAEMON@home.example (Mail Delivery System)"
    report["To"], report["Subject"] = to, "Undelivered Mail Returned to Sender"
    report["Message-ID"] = f"<{person.chance.getrandbits(64):x}@mx.home.example>"
    report["Auto-Submitted"] = "auto-replied"
    report["Content-Type"] = 'multipart/report; report-type=delivery-status; boundary="b"'
    action = "failed" if status.startswith("5") else "delayed"
    person.did += f" {status} to {to}"
    raw = report.as_string().rstrip("\n") + (
        f"\n\n--b\nContent-Type: text/plain\n\nIt could not be delivered.\n\n--b\n"
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.home.example\n\n"
        f"Final-Recipient: rfc822; {person.mail_address}\nAction: {action}\nStatus: {status}\n\n"
        f"--b\nContent-Type: message/rfc822\n\n{mail.as_string()}\n--b--\n"
    )
    await person.site.post(raw.encode("utf-8", "replace"), "", [to])


async def seek_by_mail(person: Person) -> None:
    """Look for an opponent by mail, or challenge an acquaintance, for a short rated game."""
    if not _token(person):
        await _get_token(person)
        return
    game = person.chance.choice(_SHORT)
    who = f"{person.name} {_token(person)}"
    friend = person.memory.get("friend")
    verb = "challenge" if friend and person.chance.random() < 0.3 else "seek"
    others = f" {friend}" if verb == "challenge" else ""
    clock = person.chance.choice(["1d/move", "2d+1h"])
    await write(
        person, commands_of(person), f"{game.format(f'{verb} {who}{others}')} --clock={clock}", ""
    )


async def send_commands(person: Person) -> None:
    """Send a few commands by mail, most of those that the help tells of in turn."""
    if not _token(person):
        await _get_token(person)
    for _ in range(person.chance.randint(1, _MOST_COMMANDS)):
        await _send_command(person)


async def _send_command(person: Person) -> None:
    who, friend = f"{person.name} {_token(person)}", person.memory.get("friend", "ada0")
    number = person.memory.get("board", 1)
    other = f"{person.name}@elsewhere.example"
    subject = person.chance.choice(
        ["help", f"games {person.name}", f"games {who} all", f"hex history {friend}", "list",
         "hex standings", f"show {number}", f"show {number}#2", f"subscribe {number} {who}",
         f"unsubscribe {number} {who}", f"hex notify {who}", f"digest {who} daily 8",
         f"digest {who} each", f"digest {who} hourly", f"reminders {who} 2d 6h",
         f"vacation {who} 3 days", f"vacation {who} off", f"view {who} first",
         f"message {who} {friend}", f"message {who} {friend}", f"all show {who}", "tournament",
         f"hex limit {who} 3", f"simul list {who}", f"resign {number} {who}", "puzzle hex",
         f"move {number} {who} b2 c1 a3", f"propose {number} {who} draw", f"signoff {who}",
         f"add {who} {other}", f"change address {who} {other}", f"hex seek {who} off",
         f"chat {number} {who} hello", f"undo {number} {who}", f"showas {who} {number}"]
    )  # fmt: skip
    body = (
        f"Hello from {person.name}, who writes to {commands_of(person)} as {person.mail_address}."
    )
    if person.chance.random() < _ANY_COMMAND:
        info = _any_command(person)
        if info.verb is not Verb.DELETE or person.chance.random() < _DELETES:
            subject = _fitting(person, info.usage, number)
    if person.chance.random() < _SEVERAL:
        subject, body = "Several", f"multiple\n{subject}\ngames {who}\nend\n"
    await write(person, commands_of(person), subject, body)


def _any_command(person: Person) -> CommandInfo:
    """Return a command of the help, mostly one that the person has not sent with a token yet."""
    sent: set[Verb] = person.memory.setdefault("sent verbs", set())
    new = [info for info in COMMANDS if info.verb not in sent]
    is_new = bool(new) and person.chance.random() < _WANTS_NEWS
    info = person.chance.choice(new if is_new else COMMANDS)
    if _token(person):
        sent.add(info.verb)
    return info


def _fitting(person: Person, usage: str, board: int) -> str:
    """Return a command that fits a line of the help."""
    people = iter([person.name])
    chance, friend = person.chance, person.memory.get("friend", "ada0")
    words: dict[str, Callable[[], str]] = {
        "GAME": lambda: chance.choice(GAMES),
        "BOARD": lambda: str(board),
        "USERID": lambda: next(people, friend),
        "NUMBER": lambda: str(chance.randint(1, 3)),
        "PLAYER": lambda: friend,
        "TOKEN": lambda: _token(person),
        "ADDRESS": lambda: f"{person.name}@elsewhere.example",
        "MOVE": lambda: f"{chance.choice('abcd')}{chance.randint(1, 4)}",
        "DATE": lambda: "2030-03-20",
        "TEXT": lambda: person.words("hello"),
        "OPTION": lambda: chance.choice(["size", "rated", "swap"]),
        "SUBJECT": lambda: chance.choice(["moves", "options", "hex", "queue"]),
    }

    def fill(name: str) -> str:
        return words[name]() if name in words else str(chance.randint(1, 6))

    return made_up.command(usage.replace("[TOKEN]", "TOKEN"), chance, fill)


async def ask_for_deletion(person: Person) -> bool:
    """Ask by mail to delete an account that mail has made; return whether there may be one."""
    for mail in person.mails:
        if body := mail.get_body(("plain",)):
            _keep_token(person, body.get_content())
    is_made_by_mail = bool(_token(person)) and not person.has_account
    if is_made_by_mail:
        person.mails.clear()
        await write(person, commands_of(person), f"delete {person.name} {_token(person)}", "")
    return is_made_by_mail


async def confirm_deletion(person: Person) -> bool:
    """Confirm what new mails ask about the account; return whether they ask for anything."""
    asking = [mail for mail in person.mails if f"{person.name}?" in str(mail["Subject"])]
    for mail in asking:
        to = parseaddr(mail.get("Reply-To") or "")[1]
        await write(person, to, f"Re: {mail['Subject']}", "confirm\n", str(mail["Message-ID"]))
    person.mails.clear()
    return bool(asking)


async def write(
    person: Person, to: str, subject: str, text: str, answers: str = ""
) -> EmailMessage:
    """Send a mail to the site; ``answers`` is the Message-ID of the mail that it answers."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = person.mail_address, to, subject
    mail["Message-ID"] = f"<{person.chance.getrandbits(64):x}@ids.example>"
    if answers and person.chance.random() < 0.8:
        mail["In-Reply-To"] = mail["References"] = answers
    mail.set_content(text)
    person.did += f" to {to}: {subject!r} {text.splitlines()[:1]}"
    await person.site.post(mail.as_bytes(), person.mail_address, [to])
    return mail


async def _answer(person: Person, mail: EmailMessage) -> None:
    body = mail.get_body(("plain",))
    text = body.get_content() if body is not None else ""
    if accounts.LINK.search(text):
        person.mails.append(mail)
        await accounts.confirm_address(person)
        return
    subject = " ".join(str(mail["Subject"]).split())
    _keep_token(person, text)
    person.memory["answered"] = [*person.memory.get("answered", []), mail][-8:]
    to = parseaddr(mail.get("Reply-To") or mail.get("From") or "")[1]
    if number := _NUMBER.search(subject):
        person.memory["board"] = int(number[1])
    earlier: list[EmailMessage] = _boards(person).setdefault(number[1], []) if number else []
    earlier.append(mail)
    del earlier[:-_THREAD]
    if person.chance.random() < _MISTAKES:  # replies to another mail of the same thread
        mail = person.chance.choice(earlier or [mail])
        body = mail.get_body(("plain",))
        text = body.get_content() if body is not None else ""
        to = parseaddr(mail.get("Reply-To") or mail.get("From") or "")[1]
    words = _words(person, to, text, is_board=bool(_BOARD.search(text)))
    written = quoting(person.chance, words, text, to, person.mail_address, subject)
    sent = await write(person, to, f"Re: {subject}", written, str(mail["Message-ID"] or ""))
    # Without both, the site cannot know which board the person saw.
    says_board = sent["In-Reply-To"] or _SEEN.search(written)
    if number and says_board and (seen := _SEEN.search(text)):
        person.memory.setdefault("replies", {})[str(sent["Message-ID"])] = int(seen[1])


def commands_of(person: Person) -> str:
    """Return the address to which people send commands."""
    return f"play@{person.site.mail_host}"


def _is_for_commands(person: Person, mail: EmailMessage) -> bool:
    """Return whether an answer to a mail goes to the address for commands, so that none is due."""
    to = commands_of(person)
    return to in str(mail["Reply-To"] or to)


def _boards(person: Person) -> dict[str, list[EmailMessage]]:
    """Return the mails of each board that a person plays by mail."""
    boards: dict[str, list[EmailMessage]] = person.memory.setdefault("mails of boards", {})
    return boards


def _keep_token(person: Person, text: str) -> None:
    if token := _TOKEN.search(text):
        person.memory["mail-token"] = token[0]


def _words(person: Person, to: str, text: str, *, is_board: bool) -> str:
    """Return what a person writes to a mail: mostly a move, or consent."""
    roll = person.chance.random()
    if roll < 0.12:
        return person.chance.choice(_ANSWERS)
    if is_board:
        return _point(person, text) + person.chance.choice(_REMARKS)
    if to == commands_of(person):
        return person.chance.choice(_ANSWERS)
    return person.chance.choice(["accept", "confirm", "confirm", "reject", "yes, with pleasure"])


def _point(person: Person, text: str) -> str:
    """Return a point of the board that a mail shows, which may be free."""
    letters = _WITH_LETTERS.search(text)
    columns = "".join(letters[1].split()).lower() if letters else "abcdefg"
    rows = 3 if len(columns) <= 4 else 7
    return f"{person.chance.choice(columns)}{person.chance.randint(1, rows)}"


async def _get_token(person: Person) -> None:
    """Make a token on the site, or sign up by mail: then one comes."""
    if person.has_account:
        await accounts.make_mail_token(person)
    else:
        await write(person, commands_of(person), f"signup {person.name}", "")


def _token(person: Person) -> str:
    return str(person.memory.get("mail-token", ""))
