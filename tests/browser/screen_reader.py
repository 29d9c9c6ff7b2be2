"""The screen reader Orca beside a browser on a virtual screen, and a voice that writes down."""

from __future__ import annotations

import os
import re
import shutil
import socketserver
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

_PROGRAMS = ("orca", "Xvfb", "openbox", "dbus-daemon", "gdbus")
_MARKUP = re.compile(r"<[^>]*>")
# Answers of Speech Dispatcher to commands with more than "200 OK".
_ANSWERS = {
    "SPEAK": "230 OK RECEIVING DATA",
    "LIST OUTPUT_MODULES": "250-paper\r\n250 OK MODULE LIST SENT",
    "LIST SYNTHESIS_VOICES": "249-paper\ten\tnone\r\n249 OK VOICE LIST SENT",
    "LIST VOICES": "249-MALE1\r\n249 OK VOICE LIST SENT",
    "GET": "251-0\r\n251 OK GET RETURNED",
    "HISTORY GET CLIENT_ID": "245-1\r\n245 OK CLIENT ID SENT",
    "QUIT": "231 HAPPY HACKING",
}
_SILENCE = 90  # seconds until something is said
_PAUSE = 0.2


def missing_programs() -> str:
    """Return what has to be installed, or an empty text."""
    missing = [name for name in _PROGRAMS if shutil.which(name) is None]
    if not missing:
        return ""
    return f"{', '.join(missing)} missing: apt install orca xvfb openbox dbus libglib2.0-bin"


class _Voice(socketserver.StreamRequestHandler):
    """A connection of Speech Dispatcher's protocol; the server keeps what is to be spoken."""

    def handle(self) -> None:
        """Answer commands until the client leaves."""
        while line := self.rfile.readline():
            command = line.decode().strip()
            known = next((one for one in _ANSWERS if command.upper().startswith(one)), "")
            self._answer(_ANSWERS.get(known, "200 OK"))
            if known == "SPEAK":
                lines = iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), ".")
                text = _MARKUP.sub("", " ".join(lines)).strip()
                self.server.said.append(text)  # type: ignore[attr-defined]
                self._answer("225-1\r\n225 OK MESSAGE QUEUED")

    def _answer(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


class _VoiceServer(socketserver.ThreadingUnixStreamServer):
    """Speech Dispatcher without sound."""

    daemon_threads = True

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), _Voice)
        self.said: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class ScreenReader:
    """Orca in a session of its own; :attr:`environment` is that of its browser."""

    def __init__(self, folder: Path) -> None:
        """Open the voice; the folder is for its socket and Orca's settings."""
        self._folder = folder
        self._voice = _VoiceServer(folder / "voice")
        self._running: list[subprocess.Popen[Any]] = []
        self._read = 0  # utterances that a test has taken
        self.environment = dict(os.environ)

    def start(self) -> None:
        """Start the session, a virtual screen, a window manager and Orca."""
        for name in ("HOME", "XDG_RUNTIME_DIR"):
            path = self._folder / name.lower()
            path.mkdir(mode=0o700)
            self.environment[name] = str(path)
        address = self._first_line("dbus-daemon", "--session", "--nofork", "--print-address")
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        screen = self._first_line("Xvfb", "-displayfd", "1", "-screen", "0", "1280x900x24")
        self.environment["DISPLAY"] = f":{screen}"
        self._start("openbox")
        for name in ("IsEnabled", "ScreenReaderEnabled"):
            self._set_status(name)
        self.environment["SPEECHD_ADDRESS"] = f"unix_socket:{self._folder / 'voice'}"
        self._start("orca", "--disable=braille")
        self.hears("Screen reader on")

    def stop(self) -> None:
        """End all programs, the last one first."""
        for process in reversed(self._running):
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        self._voice.shutdown()
        self._voice.server_close()

    def hears(self, pattern: str) -> str:
        """Wait until Orca says something that matches, after what was heard before; return it."""
        heard: list[str] = []

        def found() -> bool:
            heard[:] = self._voice.said[self._read :]
            return any(re.search(pattern, one) for one in heard)

        end = time.monotonic() + _SILENCE
        while not found():
            assert time.monotonic() < end, f"{pattern!r} was not said, but {heard}"
            time.sleep(_PAUSE)
        at = next(i for i, one in enumerate(heard) if re.search(pattern, one))
        self._read += at + 1
        return heard[at]

    def _set_status(self, name: str) -> None:
        call = "org.freedesktop.DBus.Properties.Set"
        place = ["--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method", call]
        command = ["gdbus", "call", "--session", *place, "org.a11y.Status", name, "<true>"]
        subprocess.run(command, env=self.environment, check=True, capture_output=True, timeout=60)

    def _first_line(self, *command: str) -> str:
        """Start a program, and return the first line that it writes."""
        process = self._start(*command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        line: str = process.stdout.readline()
        return line.strip()

    def _start(self, *command: str, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[Any]:
        process = subprocess.Popen(
            command, env=self.environment, stdout=stdout, stderr=subprocess.DEVNULL, text=True
        )
        self._running.append(process)
        return process
