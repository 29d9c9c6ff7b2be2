"""``antipodes serve``: the site."""

from __future__ import annotations

import errno
import socket

import click

from antipodes.cli.site_commands import env_file_option, need_site
from antipodes.errors import Fault, InvalidOptionsError

_ANY = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  # hosts that stand for all of this machine


@click.command("serve")
@env_file_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option(
    "--no-worker",
    is_flag=True,
    help="Start no engine; others run `antipodes work`, here or on other machines.",
)
def serve_command(host: str, port: int, *, no_worker: bool) -> None:
    """Serve the site, where people play in a browser.

    Nothing has to be set up: games are kept in a database in your own folder for data.
    """
    need_site(begins=True, anywhere=True)
    from antipodes.web.platform import env_file
    from antipodes.web.server import serve

    if env_file.is_unreadable():
        click.echo(f"Warning: {env_file.source}", err=True)
    elif env_file.source.file is not None:
        click.echo(str(env_file.source))
    listening = _listen(host, port)
    try:
        # Before any setting is read: letters link to where the site is served.
        port = listening.getsockname()[1]
        serve.set_address(f"http://{_shown(_reached(host))}:{port}")
        serve.check(has_worker=not no_worker)
    except BaseException:
        listening.close()
        raise
    greeting = f"Antipodes is at http://{_shown(host)}:{port}/  (Ctrl-C ends it)"
    serve.serve(listening, click.echo, greeting, has_worker=not no_worker)


def _reached(host: str) -> str:
    """Return the name by which a browser on this machine reaches a host."""
    return "localhost" if host in _ANY else host


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; made here so that errors are reported at once.

    Raises:
        InvalidOptionsError: the address is not of this machine, or the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # From here on the port is taken, and browsers that are early wait instead of failing.
        listening.listen()
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            message = (
                f"port {port} is taken, perhaps by another window where the site runs;"
                f" choose another port: --port {port + 1}, or --port 0 for any that is free"
            )
            fault = Fault("serve/port-taken", message)
        else:
            fault = Fault("serve/address", f"cannot listen on {host} port {port}: {error.strerror}")
        raise InvalidOptionsError([fault]) from None
    return listening
