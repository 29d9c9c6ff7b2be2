"""The proxies of ``deploy`` in front of a test site, with other ports and names."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.live.ports import free_port

ROOT = Path(__file__).parents[2]
NAME = "localhost"  # under which the site is reached
_TIMEOUT = 30  # seconds until a server listens
_NGINX = """{user}daemon off;
pid {folder}/pid;
error_log {folder}/log;
events {{}}
http {{
    access_log off;
    include /etc/nginx/mime.types;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/temp;
    {others}
    include {folder}/site.conf;
}}
"""
_CADDY = """
	http_port {http}
	https_port {https}
	admin off
	skip_install_trust
	storage file_system {folder}/storage
"""


class Proxy:
    """A proxy that terminates TLS in front of the site."""

    def __init__(self, folder: Path, *behind: int) -> None:
        """Choose ports, in front of those of web processes; ``start`` starts the server."""
        self.folder = folder
        self.behind = behind
        self.http, self.https = free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        """The origin of the site for browsers."""
        return f"https://{NAME}:{self.https}"

    def start(self, prepare: Callable[[Proxy], tuple[list[str], dict[str, str]]]) -> None:
        """Write the files, start the server, and wait until it answers."""
        self.folder.mkdir()
        command, environment = prepare(self)
        with (self.folder / "output").open("wb") as output:
            self._process = subprocess.Popen(
                command, env={**os.environ, **environment}, stdout=output, stderr=subprocess.STDOUT
            )
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with (
                    socket.create_connection(("127.0.0.1", self.https), 1) as plain,
                    unchecked().wrap_socket(plain, server_hostname=NAME),
                ):
                    return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise AssertionError((self.folder / "output").read_text(encoding="utf-8"))

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_TIMEOUT)
            self._process = None


def unchecked() -> ssl.SSLContext:
    """Return a context that accepts any certificate."""
    found = ssl.create_default_context()
    found.check_hostname = False
    found.verify_mode = ssl.CERT_NONE
    return found


def _replace(text: str, old: str, new: str) -> str:
    """Replace a value as a host does; check that the file still has it."""
    assert old in text, f"{old!r} is missing"
    return text.replace(old, new)


def nginx(proxy: Proxy) -> tuple[list[str], dict[str, str]]:
    """Write ``deploy/nginx.conf`` with other ports and a self-signed certificate."""
    folder = proxy.folder
    names = ["-subj", f"/CN={NAME}", "-keyout", f"{folder}/key.pem", "-out", f"{folder}/cert.pem"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *names],
        check=True,
        capture_output=True,
    )
    upstream = "".join(f"    server 127.0.0.1:{port} max_fails=0;\n" for port in proxy.behind)
    text = (ROOT / "deploy/nginx.conf").read_text(encoding="utf-8")
    for old, new in (
        ("listen 80;", f"listen 127.0.0.1:{proxy.http};"),
        ("listen [::]:80;", ""),
        ("listen 443 ssl", f"listen 127.0.0.1:{proxy.https} ssl"),
        ("listen [::]:443 ssl http2;", ""),
        ("server_name play.example.org;", f"server_name {NAME};"),
        ("/etc/letsencrypt/live/play.example.org/fullchain.pem", f"{folder}/cert.pem"),
        ("/etc/letsencrypt/live/play.example.org/privkey.pem", f"{folder}/key.pem"),
        ("    server 127.0.0.1:8000 max_fails=0;\n", upstream),
    ):
        text = _replace(text, old, new)
    (folder / "site.conf").write_text(text, encoding="utf-8")
    others = " ".join(f"{one}_temp_path {folder}/{one};" for one in ("fastcgi", "uwsgi", "scgi"))
    user = "user root;\n" if os.geteuid() == 0 else ""
    whole = _NGINX.format(user=user, folder=folder, others=others)
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    return [_program("nginx"), "-c", f"{folder}/nginx.conf", "-e", f"{folder}/log"], {}


def caddy(proxy: Proxy) -> tuple[list[str], dict[str, str]]:
    """Write ``deploy/Caddyfile`` with other ports; Caddy creates a certificate itself."""
    text = (ROOT / "deploy/Caddyfile").read_text(encoding="utf-8")
    options = _CADDY.format(http=proxy.http, https=proxy.https, folder=proxy.folder)
    file = proxy.folder / "Caddyfile"
    # Global options are in the first block.
    file.write_text(_replace(text, "\n{\n", f"\n{{\n{options}"), encoding="utf-8")
    command = [_program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    behind = " ".join(f"127.0.0.1:{port}" for port in proxy.behind)
    return command, {"SITE_ADDRESS": NAME, "SITE_BEHIND": behind}


def _program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, f"{name} is missing; on Debian and Ubuntu: sudo apt install nginx-light caddy"
    return found
