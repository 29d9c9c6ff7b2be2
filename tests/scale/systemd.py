"""A real systemd, process 1 of namespaces of its own, that runs the units of ``deploy/systemd``."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

UNITS = Path(__file__).parents[2] / "deploy/systemd"
_TIMEOUT = 60  # seconds until systemd runs

# Folders that systemd and the units write are in memory, so that this machine stays as it is.
_BOOT = """set -e
mount --make-rprivate /
for folder in /run /var/tmp /var/lib /sys/fs/cgroup; do
    umount -R $folder 2>/dev/null || true
    mount -t tmpfs tmpfs $folder
done
mkdir -p /sys/fs/cgroup/systemd
mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
mount -t proc proc /proc
exec /lib/systemd/systemd --system --unit=basic.target --log-target=console
"""

# What every unit needs. Those of this machine are not there: one of them would empty /tmp.
_TARGETS = ("sysinit", "basic", "network-online", "shutdown", "multi-user")

# The tests run from a checkout, perhaps in a home folder, and read the logs.
_ADDED = """[Service]
User=root
ProtectHome=no
StandardOutput=append:{folder}/log
StandardError=append:{folder}/log
"""


class Systemd:
    """A service manager for a site's units; the caller has to be root."""

    def __init__(self, folder: Path, environment: dict[str, str], first_ports: int) -> None:
        """Write the units.

        Args:
            folder: for files of the test.
            environment: settings of the site, as in ``/etc/antipodes.env``.
            first_ports: the ports of web processes without their last digit.
        """
        self._folder = folder
        self.log = folder / "log"
        settings = folder / "antipodes.env"
        units = folder / "units"  # the only ones
        units.mkdir(parents=True)
        settings.write_text("".join(f"{name}='{value}'\n" for name, value in environment.items()))
        for file in UNITS.glob("*.service"):
            text = file.read_text(encoding="utf-8")
            for shipped, tested in (
                ("/opt/antipodes/bin", str(Path(sys.executable).parent)),
                ("/etc/antipodes.env", str(settings)),
                ("--port 800%i", f"--port {first_ports}%i"),
                ("--port 8000", f"--port {first_ports}0"),
                ("/backups", str(folder / "backups")),
            ):
                text = text.replace(shipped, tested)
            (units / file.name).write_text(text, encoding="utf-8")
            added = units / f"{file.name}.d"
            added.mkdir()
            (added / "tested.conf").write_text(_ADDED.format(folder=folder))
        for target in _TARGETS:
            (units / f"{target}.target").write_text("[Unit]\nDefaultDependencies=no\n")
        (folder / "boot").write_text(_BOOT)

    def start(self) -> None:
        """Start systemd, and wait until it answers."""
        namespaces = ("--pid", "--mount", "--cgroup", "--uts", "--ipc", "--fork", "--kill-child")
        with (self._folder / "systemd.log").open("wb") as output:
            self._process = subprocess.Popen(
                ["unshare", *namespaces, "bash", str(self._folder / "boot")],
                env={
                    "PATH": os.environ["PATH"],
                    "SYSTEMD_UNIT_PATH": str(self._folder / "units"),
                    "container": "test",
                },
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        end = time.monotonic() + _TIMEOUT
        while time.monotonic() < end and self._process.poll() is None:
            if self._call("systemctl", "list-units").returncode == 0:
                return
            time.sleep(0.2)
        raise AssertionError((self._folder / "systemd.log").read_text(encoding="utf-8"))

    def systemctl(self, *arguments: str) -> str:
        """Run ``systemctl`` to its end; return its output."""
        return self.run("systemctl", *arguments)

    def run(self, *command: str) -> str:
        """Run a command where the units run; return its output."""
        done = self._call(*command)
        assert done.returncode == 0, f"{done.stderr}\n{self.log_text()}"
        return done.stdout

    def log_text(self) -> str:
        """Return the output of all units."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def stop(self) -> None:
        """Stop the units, and then systemd."""
        self.systemctl("stop", "antipodes-*")
        self._process.kill()
        self._process.wait()

    def _call(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the namespaces of systemd, the only child of ``unshare``."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        namespaces = ["nsenter", "--target", children.read_text().strip() or "0"]
        return subprocess.run(
            [*namespaces, "--pid", "--mount", "--cgroup", *command],
            capture_output=True,
            text=True,
            check=False,
        )
