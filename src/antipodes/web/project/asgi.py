"""ASGI application: pages, the API and WebSockets."""

from __future__ import annotations

import os
from typing import Any

from django.core.asgi import get_asgi_application

from antipodes.web.platform.request_threads import RequestThreads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "antipodes.web.project.settings")
_django = get_asgi_application()

# Models can be imported only now that the apps are loaded.
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import re_path  # noqa: E402

from antipodes.web.connections.handshakes import GuardedSockets  # noqa: E402
from antipodes.web.connections.middleware import (  # noqa: E402
    CountedSockets,
    CountedStreams,
    IdentifiedSockets,
)
from antipodes.web.connections.origins import SameOrigin  # noqa: E402
from antipodes.web.connections.sessions import SessionSockets  # noqa: E402
from antipodes.web.matches.consumers import MatchSocket  # noqa: E402
from antipodes.web.matches.open_chat_socket import ChatSocket  # noqa: E402
from antipodes.web.notifications.consumers import NotificationConsumer  # noqa: E402
from antipodes.web.platform.static_files import StaticFiles  # noqa: E402
from antipodes.web.project.admission import Admission, HandshakeAdmission  # noqa: E402
from antipodes.web.project.lifespan import lifespan  # noqa: E402
from antipodes.web.studies.consumers import StudySocket  # noqa: E402
from antipodes.web.tournaments.consumers import TournamentSocket  # noqa: E402

# Django's stubs accept views only, not ASGI applications.
SOCKETS: Any = [
    re_path(r"^m/(?P<slug>[\w-]+)/socket$", MatchSocket.as_asgi()),  # type: ignore[arg-type]
    re_path(
        r"^study/(?P<slug>[\w-]+)/(?P<number>\d{1,6})/socket$",
        StudySocket.as_asgi(),  # type: ignore[arg-type]
    ),
    re_path(
        r"^tournament/(?P<slug>[\w-]+)/socket$",
        TournamentSocket.as_asgi(),  # type: ignore[arg-type]
    ),
    re_path(r"^lobby/socket$", ChatSocket.as_asgi(), {"room": "lobby"}),  # type: ignore[arg-type]
    re_path(
        r"^(?P<room>tournament|simul)/(?P<slug>[\w-]+)/chat$",
        ChatSocket.as_asgi(),  # type: ignore[arg-type]
    ),
    re_path(r"^notices/socket$", NotificationConsumer.as_asgi()),  # type: ignore[arg-type]
]

_pages = Admission(CountedStreams(RequestThreads(_django)))
# From the outside in: cheap checks first, the session last.
_identified = SessionSockets(IdentifiedSockets(URLRouter(SOCKETS)))
_sockets = SameOrigin(GuardedSockets(CountedSockets(HandshakeAdmission(_identified))))

application = ProtocolTypeRouter(
    {"http": StaticFiles(_pages), "lifespan": lifespan, "websocket": _sockets}
)
