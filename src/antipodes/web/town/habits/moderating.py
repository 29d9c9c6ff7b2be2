"""Moderating: read reports, mute, suspend and void, and lift it again."""

from __future__ import annotations

import re

from antipodes.web.town.person import Person

_CASES = (
    "/admin/moderation/reportrow/",
    "/admin/accounts/user/",
    "/admin/accounts/user/",
    "/admin/matches/chatline/",
    "/admin/matches/matchrow/",
    "/admin/moderation/sanctionrow/",
)
_MOST_CASES = 3  # decided in one act
_CASE = re.compile(r"/admin/\w+/\w+/(\d+)/(?:change/)?$")
_ACTS = ("warn", "mute", "mute", "mute", "suspend", "suspend", "hide", "remove-text", "hide-study",
         "void", "dismiss")  # fmt: skip


async def moderate(person: Person) -> None:
    """Open a case, and decide it; the first time, be appointed by the operator."""
    if not person.memory.get("appointed"):
        person.memory["appointed"] = await person.site.appoint(person.name)
        return
    for _ in range(person.chance.randint(1, _MOST_CASES)):
        await _decide_a_case(person)


async def _decide_a_case(person: Person) -> None:
    page = await person.open(person.chance.choice(_CASES))
    cases = [link for link in page.links() if _CASE.search(link)]
    if not cases:
        return
    page = await person.open(person.chance.choice(cases))
    more = [link for link in page.links() if link.endswith(("/act/", "/void/", "/lift/"))]
    if more:
        page = await person.open(person.chance.choice(more))
    form = next((form for form in page.forms() if "reason" in form.element.inputs), None)
    if form is None:
        return
    offered = set(form.options("action"))
    action = person.chance.choice([name for name in _ACTS if name in offered] or ["void"])
    values = {"reason": "The rules of the town.", "days": str(person.chance.randint(1, 3))}
    if offered:
        values["action"] = action
    person.page = await person.browser.submit(form, **values)
    person.did += f" {action} {form.path}:{person.page.visit.status}"
