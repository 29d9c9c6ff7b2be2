"""Refused requests leave nothing in memory that only a garbage collection would free."""

import gc
import weakref
from typing import Any

import pytest
from django.test import AsyncClient
from django.urls import path

from antipodes.web.platform.limits import TooManyError
from antipodes.web.project.urls import urlpatterns as pages

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.urls(__name__)]


class Large:
    """An object that a view has read before it refuses the request."""


_read: list[Any] = []


def refuse(_request):
    large = Large()
    _read.append(weakref.ref(large))
    raise TooManyError(7)


urlpatterns = [path("refuse/", refuse), *pages]


async def test_what_a_view_has_read_goes_with_its_refusal():
    client = AsyncClient()
    await client.get("/refuse/")
    _read.clear()
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            assert (await client.get("/refuse/")).status_code == 429
        assert [one() for one in _read[:2]] == [None, None]
    finally:
        gc.enable()
