"""Excessive use by guests: new guests, games, analyses, hints and challenges."""

import asyncio

import pytest

from tests.attack.attack import Target
from tests.attack.client import Connection, api, form

GAMES = 20  # of each guest
STRONGEST = "9"
_CONNECTIONS = 20


async def new_guests(target: Target) -> None:
    """Begin games, each as a new guest."""
    await target.repeat(
        lambda _: form("/play/hex/", {"level": "1", "option-size": "5"}), _CONNECTIONS
    )


async def strong_games(target: Target, cookies: list[str], games: int) -> None:
    """Let each guest begin games against the strongest level with a first move."""

    async def begin(cookie: str) -> None:
        connection = Connection(target.port)
        for number in range(games):
            fields = {"level": STRONGEST, "move": str(number), "option-size": "13"}
            try:
                status = await connection.send(form("/play/hex/", fields, cookie))
            except OSError:
                status = 0
            target.counts[str(status)] += 1

    await asyncio.gather(*(begin(cookie) for cookie in cookies))
    await asyncio.Event().wait()


async def analyses(target: Target, cookies: list[str]) -> None:
    """Let each guest request analyses of different positions."""

    def ask(number: int) -> bytes:
        fields = {
            "game": "hex",
            "size": "13",
            "moves": f"{number % 169},{(number + 1 + number // 169) % 169}",
            "effort": "study",
        }
        return form("/analyses", fields, cookies[number % len(cookies)])

    await target.repeat(ask, len(cookies))


async def hints(target: Target, cookies: list[str]) -> None:
    """Let each guest begin a game against the computer, and request hints in it."""

    async def ask(cookie: str) -> None:
        connection = Connection(target.port)
        slug = ""
        while True:
            try:
                if not slug:
                    fields = {"level": "1", "option-size": "13"}
                    slug = await begun(connection, form("/play/hex/", fields, cookie))
                    target.counts["games" if slug else "no game"] += 1
                else:
                    status = await connection.send(form(f"/m/{slug}/hint", {}, cookie))
                    target.counts[str(status)] += 1
            except OSError:
                target.counts["connection lost"] += 1
            await asyncio.sleep(0 if slug else 1)

    await asyncio.gather(*(ask(cookie) for cookie in cookies))


async def begun(connection: Connection, request: bytes) -> str:
    """Begin a game; return the slug of its match, or an empty string if it was refused."""
    reader, writer = await connection.open()
    try:
        writer.write(request)
        _, headers = await connection.read_head(reader)
        await reader.readexactly(int(headers.get("content-length", "0")))
    except EOFError as error:
        connection.close()
        raise OSError(str(error)) from error
    return headers.get("location", "").rstrip("/").rpartition("/")[2]


async def challenges(target: Target, token: str) -> None:
    """Post challenges and begin games by the API as fast as responses arrive."""

    def make(number: int) -> bytes:
        data = {"game": "hex", "opponent": "computer" if number % 2 else "anybody", "level": 9}
        return api("POST", "/challenges", token, data)

    await target.repeat(make, _CONNECTIONS)


@pytest.fixture
def cookies(siege):
    return [one["cookie"] for one in siege.seeded["guests"]]


def test_new_guests(withstand):
    withstand(new_guests)


def test_challenges(siege, withstand):
    withstand(challenges, token=siege.seeded["accounts"][1]["token"])


def test_analyses_of_forty_guests(withstand, cookies):
    withstand(analyses, cookies=cookies)


def test_hints_for_forty_guests(withstand, cookies):
    withstand(hints, cookies=cookies)


def test_a_hundred_games_against_the_strongest_level(withstand, cookies):
    withstand(strong_games, cookies=cookies[:5], games=GAMES, seconds=20.0)
