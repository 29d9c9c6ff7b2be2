"""Settings: languages, time zones, addresses, and what others see of oneself."""

from __future__ import annotations

import json

from antipodes.web.town.person import Person

_PAGES = (
    "/accounts/profile/", "/accounts/notices/", "/accounts/mail/", "/accounts/away/", "/accounts/",
    "/accounts/sessions/", "/accounts/tokens/",
)  # fmt: skip
_NEVER = ("delete", "bot", "revoke", "sessions", "theme", "language", "logout")


async def adjust(person: Person) -> None:
    """Choose other values for some settings: privacy, time zone, notices, language."""
    page = await person.open(person.chance.choice(_PAGES))
    forms = [
        form
        for form in page.forms()
        if form.method == "POST" and not any(word in form.path for word in _NEVER)
    ]
    if not forms:
        return
    form = person.chance.choice(forms)
    values: dict[str, str | list[str]] = {}
    for name in dict.fromkeys(form.element.inputs.keys()):
        if person.chance.random() < 0.4:
            if options := form.options(name):
                values[name] = person.chance.choice(options)
            elif getattr(form.element.inputs[name], "tag", "") == "textarea":
                values[name] = person.words("I am")
    if buttons := form.buttons():
        name, value = person.chance.choice(buttons)
        values[name] = value
    person.page = await person.browser.submit(form, **values)
    person.did += f" {form.path} {sorted(values)}:{person.page.visit.status}"


async def change_address(person: Person) -> None:
    """Add another mail address, make it the main one, or remove it."""
    if not person.has_account:
        return
    page = await person.open("/accounts/email/")
    form = page.form("/accounts/email/")
    if form is None:
        return
    if person.chance.random() < 0.3:
        values = {"email": f"{person.name}@home.example", "action_add": ""}
    else:
        [act] = person.chance.choices(["action_primary", "action_send", "action_remove"], [4, 2, 1])
        values = {"email": person.mail_address, act: ""}
    person.page = await person.browser.submit(form, **values)
    person.did += f" {sorted(values)}:{person.page.visit.status}"


async def take_pushes(person: Person) -> None:
    """Let a browser receive pushes, with which pages that are open tell of nothing."""
    endpoint = f"https://{person.name}.push.example/{person.chance.getrandbits(64):x}"
    keys = {"p256dh": "a" * 87, "auth": "b" * 22}
    body = json.dumps({"endpoint": endpoint, "keys": keys})
    browser = person.browser
    page = await browser.send_data("POST", "/notices/push", body, browser.csrf)
    person.did += f" push:{page.visit.status}"


async def sleep_for_weeks(person: Person) -> None:
    """Stay away for one to five weeks."""
    person.asleep_until = person.site.loop.time() + person.chance.randint(7, 35) * 86_400.0
    await person.leave()
    person.did += " falls asleep"
