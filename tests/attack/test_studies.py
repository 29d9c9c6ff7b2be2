"""Large studies: read by many at once, and edited as fast as sockets allow, also in vain."""

import asyncio
import itertools
import json

import websockets

from tests.attack.attack import Target
from tests.attack.client import head
from tests.attack.siege import is_noisy

CHAPTERS = 64  # of the large study; each has nearly as many moves as a chapter may have
_GROWTH = 100.0  # MiB; limit for the site's memory
_FILES = ("study.sgf", "print/", "{}/tree.json", "{}/chapter.sgf", "{}/chapter.json", "{}/embed/")
_READERS = 8
_GONE: dict[str, object] = {"kind": "mark", "path": [675, 674], "mark": "good"}
_PAUSE = 0.2  # seconds between two edits of a socket
_OPENING = 0.15  # seconds between two handshakes, fewer than an address may make in a minute


async def reads(target: Target, slug: str, chapters: int, cookie: str | None = None) -> None:
    """Read all files and pages of a study over some connections."""
    headers = {} if cookie is None else {"Cookie": f"sessionid={cookie}"}

    def make(number: int) -> bytes:
        chapter = 1 + number // len(_FILES) % chapters
        path = _FILES[number % len(_FILES)].format(chapter)
        return head("GET", f"/study/{slug}/{path}", headers)

    await target.repeat(make, _READERS)


async def edits(
    target: Target, slug: str, cookie: str | None, sockets: int, refused: bool, readers: int = 0
) -> None:
    """Edit the first chapter of a study over some sockets while others read it.

    Args:
        target: the site.
        slug: of the study.
        cookie: the session of the writer; ``None`` for a visitor who may not write.
        sockets: number of those that edit.
        refused: whether all edits name a move that does not exist.
        readers: number of sockets that only read.
    """
    keys, texts = itertools.count(), itertools.cycle(["\N{GRINNING FACE}" * 1_000, ""])
    written = [""]

    def make() -> dict[str, object]:
        if refused:
            return _GONE
        before, written[0] = written[0], next(texts)
        return {"kind": "comment", "path": [], "text": written[0], "before": before}

    async def work(delay: float, writes: bool) -> None:
        await asyncio.sleep(delay)
        while True:
            try:
                socket = await target.socket(f"/study/{slug}/1/socket", cookie)
                target.counts["opened"] += 1
                async with socket:
                    await asyncio.gather(listen(socket), *([send(socket)] if writes else []))
            except (OSError, EOFError, websockets.WebSocketException):
                target.counts["closed or refused"] += 1
                await asyncio.sleep(1)

    async def listen(socket: websockets.ClientConnection) -> None:
        async for message in socket:
            data = json.loads(message)
            if data.get("code") is not None:
                target.counts[data["code"]] += 1
            elif data["type"] in {"done", "edits"}:
                target.counts[data["type"]] += 1

    async def send(socket: websockets.ClientConnection) -> None:
        while True:
            await socket.send(json.dumps({"key": f"{next(keys)} {id(socket)}", "edit": make()}))
            await asyncio.sleep(_PAUSE)

    writers = [work(number * _OPENING, True) for number in range(sockets)]
    others = [work((sockets + number) * _OPENING, False) for number in range(readers)]
    await asyncio.gather(*writers, *others)


def grown_too_much(found):
    """Return the bounds of memory that the attack has broken."""
    return [f"grown by {found['grown']:.0f} MiB"] if found["grown"] >= _GROWTH else []


def done_nothing(*outcomes):
    """Return a check that the attack has had these outcomes, and kept the bounds of memory."""

    def check(found):
        if is_noisy(found):  # and perhaps so slow that there was no answer in time
            return grown_too_much(found)
        missing = [f"no {one}" for one in outcomes if not found["counts"].get(one)]
        return [*grown_too_much(found), *missing]

    return check


def test_reads_of_a_study_by_anonymous_visitors(siege, withstand):
    slug, _ = siege.seeded["studies"]
    withstand(reads, slug=slug, chapters=CHAPTERS, seconds=30.0, check=done_nothing("200"))


def test_reads_of_a_study_by_its_owner(siege, withstand):
    (slug, _), (_, owner, *_) = siege.seeded["studies"], siege.seeded["accounts"]
    check = done_nothing("200")
    withstand(reads, slug=slug, chapters=CHAPTERS, cookie=owner["cookie"], check=check)


def test_reads_of_a_study_by_a_guest(siege, withstand):
    (_, slug), (guest, *_) = siege.seeded["studies"], siege.seeded["guests"]
    withstand(reads, slug=slug, chapters=1, cookie=guest["cookie"], check=done_nothing("200"))


def test_refused_edits_by_the_owner_of_a_study(siege, withstand):
    (slug, _), (_, owner, *_) = siege.seeded["studies"], siege.seeded["accounts"]
    check = done_nothing("studies/gone")
    arguments = {"slug": slug, "cookie": owner["cookie"], "refused": True}
    withstand(edits, **arguments, sockets=4, check=check)


def test_refused_edits_by_a_guest(siege, withstand):
    (_, slug), (guest, *_) = siege.seeded["studies"], siege.seeded["guests"]
    arguments = {"slug": slug, "cookie": guest["cookie"], "refused": True}
    withstand(edits, **arguments, sockets=4, check=done_nothing("studies/gone"))


def test_edits_by_anonymous_visitors_of_a_study(siege, withstand):
    slug, _ = siege.seeded["studies"]
    check = done_nothing("studies/not-a-writer")
    withstand(edits, slug=slug, cookie=None, refused=True, sockets=60, seconds=20.0, check=check)


def test_edits_of_a_study_with_many_readers(siege, withstand):
    (_, slug), (guest, *_) = siege.seeded["studies"], siege.seeded["guests"]
    arguments = {"slug": slug, "cookie": guest["cookie"], "refused": False}
    check = done_nothing("done", "edits")
    withstand(edits, **arguments, sockets=1, readers=55, seconds=20.0, check=check)
