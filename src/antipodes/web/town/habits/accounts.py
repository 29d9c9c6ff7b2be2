"""Accounts: sign up, confirm the address, sign in and out, change settings, leave."""

from __future__ import annotations

import re

from antipodes.web.town.person import Person

LINK = re.compile(r"https?://[^\s/]+(/accounts/confirm-email/\S+)")


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
    for mail in list(person.mails):
        body = mail.get_body(("plain",))
        link = LINK.search(body.get_content()) if body is not None else None
        if link:
            person.mails.remove(mail)
            await person.open(link[1])
            await person.submit("/accounts/confirm-email/")


async def sign_in(person: Person) -> None:
    """Sign in again, as on another device."""
    if not person.has_account:
        return
    person.browser.forget()
    person.sockets.clear()
    await person.open("/accounts/login/")
    await person.submit("/accounts/login/", login=person.name, password=person.site.password)


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
    await person.open("/accounts/delete/")
    page = await person.submit("/accounts/delete/", password=person.site.password, name=person.name)
    if page is not None and page.ok and page.path == "/":
        person.begin_again()
