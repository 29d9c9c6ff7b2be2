"""Events: host, direct and join tournaments, simuls and clubs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from antipodes.web.town.habits import curious
from antipodes.web.town.person import Person


async def host_tournament(person: Person) -> None:
    """Announce a tournament that starts soon."""
    game = person.chance.choice(["hex", "antipod", "antipalos", "antipode"])
    begins = datetime.now(UTC) + timedelta(minutes=person.chance.choice([10, 60, 600]))
    await person.open(f"/tournaments/new/?game={game}")
    formats = [link for link in person.page.links() if "format=" in link] if person.page else []
    if formats:
        await person.open(person.chance.choice(formats))
    await person.submit(
        "/tournaments/new/",
        title=f"Cup of {person.name} {person.chance.randrange(1000)}",
        starts=begins.strftime("%Y-%m-%dT%H:%M"),
        check_in=person.chance.choice(["0", "15"]),
        control=None,
    )


async def take_part(person: Person) -> None:
    """Open an event, and use one of its forms: join, check in, leave, or direct it."""
    page = await person.open(person.chance.choice(["/tournaments/", "/simuls/", "/clubs/"]))
    links = [
        link
        for link in page.links()
        if link.startswith(("/tournament/", "/simul/", "/clubs/")) and "/new" not in link
    ]
    if not links:
        return
    page = await person.open(person.chance.choice(links))
    forms = [form for form in page.forms() if "/do/" in form.path]
    if forms:
        form = person.chance.choice(forms)
        if form.path.endswith(("/cancel", "/close")) and person.chance.random() < 0.9:
            return
        await curious.send(person, form)


async def host_simul(person: Person) -> None:
    """Announce a simul."""
    await person.open("/simuls/new/")
    await person.submit("/simuls/new/", title=f"Simul of {person.name}", game="hex")


async def found_club(person: Person) -> None:
    """Found a club."""
    await person.open("/clubs/new/")
    number = person.chance.randrange(1000)
    await person.submit(
        "/clubs/new/",
        name=f"Club {person.name} {number}",
        slug=f"club-{person.name.lower()}-{number}",
        entry=None,
    )
