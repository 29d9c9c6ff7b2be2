"""A site as programs see it: requests, answers, errors, and streams that connect again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, InputError, InvalidOptionsError, NotInstalledError

if TYPE_CHECKING:
    import httpx

Data = dict[str, Any]

_PATIENCE = 20.0  # seconds for an answer; a stream says at least every six that it is there
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0)  # seconds before the next attempt to connect
_TOO_MANY = 429
_AT_FAULT = 500  # from here on the site itself is at fault, perhaps as it is started again


class SiteError(InputError):
    """A refusal of the site, or a failure to reach it.

    Attributes:
        status: the status of HTTP; 0 if there was no answer.
    """

    def __init__(self, code: str, message: str, status: int = 0) -> None:
        super().__init__([Fault(code, message)])
        self.status = status

    @property
    def may_pass(self) -> bool:
        """Whether another attempt may succeed: the site was not reached, busy, or at fault."""
        return self.status in {0, _TOO_MANY} or self.status >= _AT_FAULT


def _httpx() -> Any:
    """Return the library for HTTP.

    Raises:
        NotInstalledError: it is not installed.
    """
    try:
        import httpx
    except ImportError:
        raise NotInstalledError.of("a client of a site", "httpx", "bot") from None
    return httpx


class Site:
    """A site, and the token by which it knows us."""

    def __init__(self, url: str, token: str = "") -> None:
        """Note where the site is; nothing is asked yet, and without a token only public things.

        Raises:
            NotInstalledError: the library for HTTP is missing.
            SiteError: the address is none.
        """
        self._library = _httpx()
        self.url = url.rstrip("/")
        self.is_closed = False
        if not self.url.startswith(("http://", "https://")):
            message = f"{url!r} is no address of a site; one begins with http:// or https://"
            raise SiteError("client/address", message)
        authorization = {"Authorization": f"Bearer {token}"} if token else {}
        self._client: httpx.Client = self._library.Client(
            base_url=f"{self.url}/api/v1/",
            headers={"User-Agent": "antipodes"} | authorization,
            timeout=_PATIENCE,
        )

    def get(self, path: str, **query: Any) -> Any:
        """Ask for something.

        Raises:
            SiteError: it is refused, or there is no site.
        """
        return self._ask("GET", path, params=query)

    def send(self, method: str, path: str, data: Data | None = None) -> Any:
        """Do something.

        Raises:
            SiteError: it is refused, or there is no site.
        """
        return self._ask(method, path, json=data)

    def _ask(self, method: str, path: str, **given: Any) -> Any:
        while True:
            try:
                answer = self._client.request(method, path, **given)
            except (self._library.HTTPError, RuntimeError) as error:
                # After hanging up the library raises errors of its own kind.
                raise self._no_answer(error) from None
            if answer.status_code != _TOO_MANY:
                return self._data(answer)
            # The site says how long to wait; a request before that is refused again.
            time.sleep(min(60, int(answer.headers.get("Retry-After", "5"))))

    def _no_answer(self, error: Exception) -> SiteError:
        return SiteError("client/no-site", f"there is no answer from {self.url}: {error}")

    def _data(self, answer: httpx.Response) -> Any:
        if answer.status_code == 204:
            return None
        try:
            data = answer.json()
        except ValueError:
            message = f"{self.url} does not answer as a site of Antipodes does"
            raise SiteError("client/not-antipodes", message, answer.status_code) from None
        if answer.is_success:
            return data
        if not isinstance(data, dict) or "code" not in data:
            message = f"{self.url} answers {answer.status_code}"
            raise SiteError("client/not-antipodes", message, answer.status_code)
        raise SiteError(str(data["code"]), str(data.get("message")), answer.status_code)

    def stream(self, path: str, say: Callable[[str], object], **query: Any) -> Iterator[Data]:
        """Return the objects of a stream; where the connection breaks, connect again.

        After each break the stream tells first how everything stands then. A site that is restarted
        ends its streams in good order: that is a break like others. So this goes on until it is
        left, or the client closed.

        Args:
            path: of the stream.
            say: is told of broken connections.
            query: what else the address says.

        Raises:
            SiteError: the site refuses.
        """
        failures = 0
        while True:
            reason = "the site has ended the stream"
            try:
                for data in self._lines(path, query):
                    failures = 0
                    yield data
            except (self._library.HTTPError, RuntimeError) as error:
                reason = type(error).__name__
            except SiteError as error:
                if not error.may_pass:
                    raise
                time.sleep(_PAUSES[-1])
                continue
            if self.is_closed:
                return
            pause = _PAUSES[min(failures, len(_PAUSES) - 1)]
            failures += 1
            say(f"the connection is lost ({reason}); again in {pause:g} s")
            time.sleep(pause)

    def _lines(self, path: str, query: Data) -> Iterator[Data]:
        with self._client.stream("GET", path, params=query) as answer:
            if not answer.is_success:
                answer.read()
                self._data(answer)
            for line in answer.iter_lines():
                if line.strip():
                    yield json.loads(line)

    def close(self) -> None:
        """Hang up; streams end."""
        self.is_closed = True
        self._client.close()


def read_token(given: str | None) -> str:
    """Return a token, or the one in the file that is named.

    Raises:
        InvalidOptionsError: no token is given, the file cannot be read, or there is nothing in it.
    """
    text = given or ""
    token = text.strip()
    if text.startswith("@"):
        try:
            token = Path(text[1:]).read_text(encoding="ascii").strip()
        except (OSError, ValueError) as error:
            message = f"the token cannot be read from {text[1:]!r}: {error}"
            raise InvalidOptionsError([Fault("client/token-file", message, "--token")]) from None
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        message = "this is no token; make one on the page /accounts/tokens/ of the site"
        raise InvalidOptionsError([Fault("client/token", message, "--token")])
    return token
