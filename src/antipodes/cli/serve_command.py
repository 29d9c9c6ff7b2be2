"""``antipodes serve``: the site."""

from __future__ import annotations

import errno
import socket

import click

from antipodes.errors import Fault, InvalidOptionsError, NotInstalledError


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
def serve_command(host: str, port: int) -> None:
    """Serve the site, where people play in a browser.

    Nothing has to be set up: games are kept in a database in your own folder for data.
    """
    try:
        from antipodes.web import serve
        from antipodes.web.config import data_folder
    except ImportError as error:
        message = f"the site needs {error.name}; install it with: pip install 'antipodes[site]'"
        raise NotInstalledError(message) from None
    try:
        data_folder()
    except OSError as error:
        message = f"{error.filename} cannot be written; name another folder in ANTIPODES_DATA"
        raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None
    listening = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"Antipodes is at http://{shown}:{listening.getsockname()[1]}/  (Ctrl-C ends it)")
    serve.serve(listening, click.echo)


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; made here so that what goes wrong is told at once.

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
