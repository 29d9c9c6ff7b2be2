"""Streaming responses: one compressed stream, and no thread or query between two parts."""

import gzip
import threading
import zlib
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.test import AsyncRequestFactory
from django.test.utils import CaptureQueriesContext

from antipodes.web.accounts.models import User
from antipodes.web.platform import queries
from antipodes.web.platform.streams import streamed


async def test_browsers_read_all_parts_of_a_compressed_download():
    request = AsyncRequestFactory().get("/", headers={"Accept-Encoding": "gzip"})
    parts = [b"one\n" * 100, b"two\n" * 100]
    answer: Any = streamed(request, parts, "text/plain")
    answer = GZipMiddleware(HttpResponse).process_response(request, answer)
    content = b"".join([part async for part in answer.streaming_content])
    reader = zlib.decompressobj(wbits=31)
    assert reader.decompress(content) == b"".join(parts)
    assert not reader.unused_data  # a second stream, which browsers leave out


async def test_downloads_of_slow_clients_hold_no_threads():
    threads = []

    def parts():
        for part in (b"one", b"two"):
            threads.append(threading.get_ident())
            yield part

    of_request = await sync_to_async(threading.get_ident)()
    before = threading.active_count()
    answers: list[Any] = [
        streamed(AsyncRequestFactory().get("/"), parts(), "text/plain") for _ in range(5)
    ]
    clients = [aiter(answer.streaming_content) for answer in answers]
    for part in (b"one", b"two"):
        assert [await anext(client) for client in clients] == [part] * 5
        assert threading.active_count() == before
    for client in clients:
        await client.aclose()
    assert set(threads) == {of_request}


@pytest.mark.django_db
def test_rows_are_read_in_batches_that_leave_no_query_open(monkeypatch):
    monkeypatch.setattr(queries, "_BATCH", 2)
    users = [User.objects.create(username=name) for name in ("eve", "fay", "gus", "hal", "ida")]
    chosen = User.objects.exclude(username="fay").filter(pk__in=[user.pk for user in users])
    rows = queries.in_batches(chosen.order_by("-username"))
    with CaptureQueriesContext(connection) as found:
        assert [next(rows).username, next(rows).username] == ["eve", "gus"]
        assert len(found) == 1
        assert [user.username for user in rows] == ["hal", "ida"]
    assert all("LIMIT 2" in query["sql"] for query in found)


@pytest.mark.parametrize(("accepted", "is_compressed"), [("gzip, br", True), ("br", False)])
def test_a_stream_is_compressed_if_the_client_accepts_that(rf, accepted, is_compressed):
    answer = streamed(
        rf.get("/", headers={"accept-encoding": accepted}), [b"a", b"b"], "text/plain"
    )
    content = b"".join(answer)
    assert (gzip.decompress(content) if is_compressed else content) == b"ab"
    assert answer.headers.get("Content-Encoding") == ("gzip" if is_compressed else None)
    assert answer.headers["Vary"] == "Accept-Encoding"
