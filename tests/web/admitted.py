"""Clients with one request each, and an application that they reach through ``Admission``."""

import asyncio

from antipodes.web.project.admission import Admission

FAR = "192.0.2.7"  # an address of documentation, not of this machine
OTHER = "198.51.100.7"


def scope_of(path="/", *headers, address=FAR, query=b""):
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": list(headers),
        "client": (address, 4711),
    }


def sized(length):
    return (b"content-length", str(length).encode())


class Client:
    """A client with one request, and its response."""

    def __init__(self, scope, *parts, stalls=False):
        self.scope = scope
        self.parts = list(parts) or [b""]
        self.read = 0
        self.stalls = stalls
        self.sent = []

    async def receive(self):
        if not self.parts:
            await asyncio.sleep(3_600)
        part = self.parts.pop(0)
        self.read += len(part)
        return {"type": "http.request", "body": part, "more_body": self.stalls or bool(self.parts)}

    async def send(self, message):
        self.sent.append(message)

    @property
    def status(self):
        return self.sent[0]["status"] if self.sent else None

    @property
    def headers(self):
        return dict(self.sent[0]["headers"])

    @property
    def body(self):
        return b"".join(one.get("body", b"") for one in self.sent)


class Site:
    """An application that notes the bodies of requests, and responds when it is released."""

    def __init__(self, *, responds=True):
        self.bodies = []
        self.running = self.most = 0
        self.released = asyncio.Event()
        if responds:
            self.released.set()

    async def __call__(self, scope, receive, send):
        self.running += 1
        self.most = max(self.most, self.running)
        self.bodies.append((await receive())["body"])
        headers = [(b"x-accel-buffering", b"no")] if scope["path"] == "/stream" else []
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        try:
            await self.released.wait()
            await send({"type": "http.response.body", "body": b"done"})
        finally:
            self.running -= 1


def handle(*clients):
    """Handle requests one after another; return the bodies that reached the application."""

    async def run():
        site = Site()
        admit = Admission(site)
        for client in clients:
            await admit(client.scope, client.receive, client.send)
        return site.bodies

    return asyncio.run(run())


async def settle():
    for _ in range(50):
        await asyncio.sleep(0)
