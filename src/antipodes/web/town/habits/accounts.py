"""Accounts: sign up, confirm the address, sign in and out, change settings, leave."""

from __future__ import annotations

import base64
import hmac
import re

from antipodes.web.town.clients import Page
from antipodes.web.town.habits import curious
from antipodes.web.town.person import Person

LINK = re.compile(r"https?://[^\s/]+(/accounts/confirm-email/\S+)")
_NEW_PASSWORD = re.compile(r"https?://[^\s/]+(/accounts/password/reset/key/\S+)")
_LINKS = re.compile(r"https?://[^\s/]+(/\S+)")
_ASKS_FOR_CODE = "/accounts/2fa/authenticate/"
_PERIOD = 30  # seconds for which a code of an authenticator app is valid


async def sign_up(person: Person) -> None:
    """Sign up with an address, unless one prefers to stay a guest."""
    if person.has_account or person.number % 8 == 7:
        return
    await person.open("/accounts/signup/")
    page = await person.submit(
        "/accounts/signup/",
        username=person.name,
        email=person.mail_address,
        password1=person.site.password,
        password2=person.site.password,
    )
    person.has_account = page is not None and page.ok


async def confirm_address(person: Person) -> None:
    """Follow the links of mails that confirm an address."""
    while (path := _take_link(person, LINK)) is not None:
        await person.open(path)
        await person.submit("/accounts/confirm-email/")


def _take_link(person: Person, pattern: re.Pattern[str]) -> str | None:
    """Return the path to which a mail links, and put that mail away; ``None`` without one."""
    for mail in person.mails:
        body = mail.get_body(("plain",))
        link = pattern.search(body.get_content()) if body is not None else None
        if link:
            person.mails.remove(mail)
            return link[1]
    return None


async def open_link_of_mail(person: Person) -> None:
    """Open a link of a mail, and send the form that it leads to."""
    texts = [part.get_content() for mail in person.mails if (part := mail.get_body(("plain",)))]
    links = [link for text in texts for link in _LINKS.findall(text)]
    if links:
        page = await person.open(person.chance.choice(links).rstrip(">.)"))
        forms = [form for form in page.forms() if form.path.partition("?")[0] == page.path]
        if forms and not page.path.startswith(curious.NEVER):
            await curious.send(person, forms[0])


async def sign_in(person: Person) -> None:
    """Sign in again, as on another device, or after signing out on this one."""
    if not person.has_account:
        return
    if person.chance.random() < 0.5:
        await person.open("/accounts/logout/")
        await person.submit("/accounts/logout/")
    else:
        person.browser.forget()
    person.sockets.clear()
    await person.open("/accounts/login/")
    await person.submit("/accounts/login/", login=person.name, password=person.site.password)
    await _give_code(person)


async def _give_code(person: Person) -> None:
    """Enter the code of the authenticator app if the site asks for it."""
    if person.page is not None and person.page.path.startswith(_ASKS_FOR_CODE):
        await person.submit(_ASKS_FOR_CODE, code=_code(person))


async def forget_password(person: Person) -> None:
    """Ask for a new password, and choose the old one again where the mail's link leads."""
    await person.open("/accounts/password/reset/")
    await person.submit("/accounts/password/reset/", email=person.mail_address)
    await person.site.loop.settle()
    if (path := _take_link(person, _NEW_PASSWORD)) is not None:
        page = await person.open(path)
        password = person.site.password
        await person.submit(page.path, password1=password, password2=password)


async def use_two_factors(person: Person) -> None:
    """Set up an authenticator app, look at the recovery codes, or remove the app again."""
    secret = person.memory.get("totp")
    if secret is None:
        page = await person.open("/accounts/2fa/totp/activate/")
        shown = [] if page.tree is None else page.tree.xpath("//code/text()")
        if shown:
            person.memory["totp"] = shown[0].strip()
            await person.submit("/accounts/2fa/totp/activate/", code=_code(person))
        else:
            return
    pages = ("recovery-codes/", "recovery-codes/generate/", "recovery-codes/download/", "",
             "reauthenticate/", "totp/deactivate/")  # fmt: skip
    path = f"/accounts/2fa/{person.chance.choice(pages)}"
    page = await person.open(path)
    if path.endswith("reauthenticate/"):
        await person.submit(path, code=_code(person))
    elif path.endswith(("generate/", "deactivate/")):
        sent = await person.submit(path)
        if sent is not None and path.endswith("deactivate/"):
            del person.memory["totp"]


def _code(person: Person) -> str:
    """Return the code that an authenticator app shows now (RFC 6238)."""
    secret = base64.b32decode(person.memory.get("totp", ""))
    counter = (person.site.now() // 1_000 // _PERIOD).to_bytes(8, "big")
    digest = hmac.digest(secret, counter, "sha1")
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset : offset + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"


async def choose_language(person: Person) -> None:
    """Choose another language."""
    await person.open("/")
    await person.submit("/language", language=person.chance.choice(["en", "de", "fr"]))


async def play_by_mail(person: Person) -> None:
    """Ask for turns by mail."""
    page = await person.open("/accounts/mail/")
    for form in page.forms():
        if form.path.startswith("/accounts/mail/") and form.buttons():
            name, value = person.chance.choice(form.buttons())
            person.page = await person.browser.submit(form, **{name: value})
            person.did += f" mail:{name}={value}:{person.page.visit.status}"
            break


async def make_mail_token(person: Person) -> None:
    """Make a token for commands by mail."""
    page = await person.open("/accounts/mail/token/")
    form = page.form("/accounts/mail/token/")
    if form is not None:
        person.page = await person.browser.submit(form, name="home")
        if token := re.search(r"\bmt-[a-z2-7]{24}\b", person.page.visit.text):
            person.memory["mail-token"] = token[0]


async def export_data(person: Person) -> None:
    """Download all data of the account."""
    await person.open("/accounts/data.json")


async def delete_account(person: Person) -> None:
    """Delete the account for ever, and come back as a new person."""
    if not person.has_account:
        return
    await leave_for_ever(person)


async def leave_for_ever(person: Person) -> None:
    """Delete the account, and forget it."""
    page: Page | None = await person.open("/accounts/delete/")
    if person.page is not None and person.page.path.startswith(_ASKS_FOR_CODE):
        await _give_code(person)
        page = await person.open("/accounts/delete/")
    assert page is not None
    # An account that one cannot sign in to is gone: the answer to its deletion was lost.
    is_gone = page.path.startswith("/accounts/login/") and page.visit.status == 200
    page = await person.submit("/accounts/delete/", password=person.site.password, name=person.name)
    if is_gone or (page is not None and page.visit.status == 200 and page.path == "/"):
        person.begin_again()
