"""Events: host, direct and join tournaments, simuls and clubs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from antipodes.web.town.clients import Form
from antipodes.web.town.habits import curious
from antipodes.web.town.person import Person

_FORMATS = (
    "swiss", "swiss", "swiss", "round-robin", "round-robin", "knockout", "arena", "tables",
    "double-elimination", "groups", "league", "ladder", "rolling-swiss",
)  # fmt: skip
# Short games on small boards, so that events end within a day.
_GAMES = {"hex": {"option-size": "3"}, "antipod": {"option-side": "4"}, "antipode": {}}
_RARELY = ("/cancel", "/close", "/finish", "/pause", "/withdraw", "/leave", "/remove", "/give-club")


async def host_tournament(person: Person) -> None:
    """Announce a tournament that starts soon."""
    game = person.chance.choice(list(_GAMES))
    begins = datetime.now(UTC) + timedelta(minutes=person.chance.choice([10, 60, 300]))
    page = await person.open(
        f"/tournaments/new/?format={person.chance.choice(_FORMATS)}&game={game}"
    )
    form = page.form("/tournaments/new/")
    if form is None:
        return
    clocks = [text for text in form.options("control") if text not in ("", "other")]
    page = await person.browser.submit(
        form,
        title=person.words("Cup"),
        description=person.words("All are welcome."),
        starts=begins.strftime("%Y-%m-%dT%H:%M"),
        check_in=person.chance.choice(["0", "0", "5"]),
        control=person.chance.choice(clocks or [""]),
        **{name: value for name, value in _GAMES[game].items() if name in form.element.inputs},
    )
    person.page = page
    person.did += f" {form.path}:{page.visit.status}"
    if page.path.startswith("/tournament/"):
        person.memory.setdefault("hosted", []).append(page.path)


async def take_part(person: Person) -> None:
    """Open an event, and mostly join it or check in."""
    where = person.chance.choice(["/tournaments/", "/tournaments/", "/simuls/", "/clubs/"])
    page = await person.open(where)
    start = {"/tournaments/": "/tournament/", "/simuls/": "/simul/", "/clubs/": "/clubs/"}[where]
    links = [
        link
        for link in page.links()
        if link.startswith(start) and len(link) > len(start) and "/new" not in link
    ]
    if links:
        page = await person.open(person.chance.choice(links))
        forms = _forms(person)
        eager = [form for form in forms if form.path.endswith(("/join", "/check-in", "/ask"))]
        if eager or forms:
            await curious.send(person, person.chance.choice(eager or forms))


async def direct(person: Person) -> None:
    """Direct an event that one hosts: begin it, decide games, invite, pause and go on."""
    hosted: list[str] = person.memory.get("hosted", [])
    if hosted:
        await person.open(person.chance.choice(hosted))
        await _use_a_form(person)


async def follow_event(person: Person) -> None:
    """Keep the page of an event open, and look at its boards, its log and its files."""
    page = await person.open("/tournaments/")
    links = [link for link in page.links() if link.startswith("/tournament/")]
    if not links:
        return
    path = "/".join(person.chance.choice(links).split("/")[:3])
    await person.socket(f"{path}/socket")
    more = ["games/", "games/", "log/", "now", "games/now?", "embed/", "tournament.trf",
            "tournament.csv", "tournament.json", "games.sgf", "games.jsonl", "tournament.ics",
            "season/"]  # fmt: skip
    page = await person.open(f"{path}/{person.chance.choice(more)}")
    if games := [link for link in page.links() if link.startswith("/m/")]:
        slug = person.chance.choice(games).split("/")[2]
        await person.browser.get(f"{path}/games/{slug}/now")


async def host_simul(person: Person) -> None:
    """Announce a simul, or direct it."""
    hosted: list[str] = person.memory.setdefault("simuls", [])
    if hosted and person.chance.random() < 0.7:
        simul = person.chance.choice(hosted)
        await person.open(simul)
        await _use_a_form(person)
        await person.browser.get(simul + person.chance.choice(["now", "next"]))
        return
    await person.open("/simuls/new/")
    page = await person.submit("/simuls/new/", title=person.words("Simul"), game="hex")
    if page is not None and page.path.startswith("/simul/"):
        hosted.append(page.path)


async def found_club(person: Person) -> None:
    """Found a club."""
    await person.open("/clubs/new/")
    slug = f"club-{person.name.lower()}-{person.chance.randrange(1000)}"
    page = await person.submit(
        "/clubs/new/",
        name=person.words("Club"),
        slug=slug,
        entry=None,
        description=person.words(""),
    )
    if page is not None and page.ok:
        person.memory.setdefault("clubs", []).append(f"/clubs/{slug}/")


async def run_club(person: Person) -> None:
    """Run a club that one owns: take people in, name officers, invite, change it."""
    owned: list[str] = person.memory.get("clubs", [])
    if not owned:
        return
    club = person.chance.choice(owned)
    page = await person.open(club + person.chance.choice(["people/", "people/", "change/", ""]))
    form = page.form(f"{club}change/")
    if form is not None and person.chance.random() < 0.5:
        await person.submit(form.path, description=person.words("We are"), entry=None)
    else:
        await _use_a_form(person)


def _forms(person: Person) -> list[Form]:
    """Return the forms of the present page with which people act on an event or a club."""
    forms = [] if person.page is None else person.page.forms()
    return [form for form in forms if "/do/" in form.path or form.path.startswith("/chat/")]


async def _use_a_form(person: Person) -> None:
    """Send a form of an event's page; those that end something rarely."""
    forms = [
        form
        for form in _forms(person)
        if not form.path.endswith(_RARELY) or person.chance.random() < 0.1
    ]
    if not forms:
        return
    form = person.chance.choice(forms)
    names = [name for name in ("name", "names", "player") if name in form.element.inputs]
    if names and not form.options(names[0]):
        friend = person.memory.get("friend", "ada0")
        person.page = await person.browser.submit(form, **{names[0]: friend})
        person.did += f" {form.path} {friend}:{person.page.visit.status}"
    else:
        await curious.send(person, form)
