"""Simulation of power failures: a record of writes, and the files that a disk keeps of it."""

import json
import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.live.play import MOVES
from tests.live.site import Site

HERE = Path(__file__).parent
SOURCE = HERE / "power.c"
TABLES = 2  # at least
PAGE = 4096  # bytes that a disk writes atomically
HEAD = struct.Struct("<cIQQ")


def compiled(folder):
    """Compile the recording library; return it, or ``None`` with the reason."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None, "there is no C compiler"
    library = folder / "power.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return (library, "") if done.returncode == 0 else (None, done.stderr)


def operations(record):
    """Yield the recorded operations: kind, path, offset or size, data."""
    data, at = record.read_bytes(), 0
    while at < len(data):
        kind, named, offset, length = HEAD.unpack_from(data, at)
        at += HEAD.size
        path = data[at : at + named].decode()
        at += named
        yield kind.decode(), path, offset, data[at : at + length]
        at += length


@dataclass
class File:
    """The content of a file for programs, its synced content, and later writes."""

    now: bytearray = field(default_factory=bytearray)
    synced: bytes = b""
    since: list[tuple[int, bytes | None]] = field(default_factory=list)

    def write(self, offset, data):
        _put(self.now, offset, data)
        self.since.append((offset, data))

    def truncate(self, size):
        del self.now[size:]
        self.now.extend(bytes(size - len(self.now)))
        self.since.append((size, None))

    def sync(self):
        self.synced, self.since = bytes(self.now), []

    def after_power_failed(self, chance):
        """Return the content afterwards: everything synced, and at random some later writes."""
        kept = bytearray(self.synced)
        for offset, data in self.since:
            if data is None:
                if chance is not None and chance.random() < 0.5:
                    del kept[offset:]
                continue
            for at in range(0, len(data), PAGE):
                if chance is not None and chance.random() < 0.5:
                    _put(kept, offset + at, data[at : at + PAGE])
        return bytes(kept)


def _put(where, offset, data):
    if len(where) < offset:
        where.extend(bytes(offset - len(where)))
    where[offset : offset + len(data)] = data


class Disk:
    """The files of a folder on a disk."""

    def __init__(self, folder):
        """Read files, which are all synced."""
        self.folder = folder
        self.files = {}
        for path in folder.iterdir():
            if path.is_file():
                self.files[str(path)] = File(bytearray(path.read_bytes()), path.read_bytes())
        self.entries = dict(self.files)  # the entries of the folder after a power failure

    def do(self, kind, path, offset, data):
        """Apply a recorded operation."""
        if kind == "D":
            self.entries = dict(self.files)
        elif kind == "U":
            self.files.pop(path, None)
        elif kind == "S":
            self.files[path].sync()
        else:
            file = self.files.setdefault(path, File())
            if kind == "W":
                file.write(offset, data)
            else:
                file.truncate(offset)

    def after_power_failed(self, target, chance=None):
        """Write the files that remain if power fails now.

        Args:
            target: the folder.
            chance: chooses unsynced writes to keep; ``None`` keeps none.
        """
        target.mkdir()
        for path, file in self.entries.items():
            (target / Path(path).name).write_bytes(file.after_power_failed(chance))


class Play:
    """A program that plays, and the record of its writes."""

    def __init__(self, folder, recorder, moves, checkpoint_each, synchronous="unchanged"):
        self.data = folder / "data"
        environment = {**os.environ, "ANTIPODES_DATA": str(self.data)}
        for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL", "REDIS_URL"):
            environment.pop(name, None)
        tables = max(TABLES, -(-moves // MOVES))  # so that no game ends early
        seeded = Site(self.data, folder / "log").seed(people=2 * tables)
        slugs = [table["slug"] for table in seeded["tables"]]
        (self.data / "tables.json").write_text(json.dumps(slugs))
        # Empty the write-ahead log.
        with closing(sqlite3.connect(self.data / "site.sqlite3")) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.disk = Disk(self.data)
        self.record = folder / "record"
        power = {
            "LD_PRELOAD": str(recorder),
            "POWER_FOLDER": str(self.data),
            "POWER_RECORD": str(self.record),
        }
        arguments = [str(moves), str(checkpoint_each), synchronous]
        program = [sys.executable, str(HERE / "power_moves.py"), *arguments]
        subprocess.run(program, env=environment | power, check=True, timeout=600)

    def lost(self, scratch, seeds=()):
        """Let power fail at each sync; return the failures, acknowledged moves and lost moves.

        Args:
            scratch: a folder for the remaining files.
            seeds: for further disks, which keep some unsynced writes.
        """
        acknowledged: set[tuple[str, int]] = set()
        lost: list[tuple[int, int | None, tuple[str, int]]] = []
        cuts = 0
        for kind, path, offset, data in operations(self.record):
            if path.endswith("/acknowledged"):
                slug, ply = data.decode().split()
                acknowledged.add((slug, int(ply)))
                continue
            if "sqlite3-shm" in path:
                continue  # shared memory, which SQLite creates again
            if kind in "SD" and "site.sqlite3" in path + "site.sqlite3" * (kind == "D"):
                # Just before a sync, most writes can be lost.
                for seed in (None, *seeds):
                    chance = None if seed is None else random.Random(f"{seed} {cuts}")
                    target = scratch / f"{cuts}-{seed}"
                    self.disk.after_power_failed(target, chance)
                    lost += [(cuts, seed, one) for one in acknowledged - moves_in(target)]
                cuts += 1
            self.disk.do(kind, path, offset, data)
        target = scratch / "at-last"
        self.disk.after_power_failed(target)
        lost += [(cuts, None, one) for one in acknowledged - moves_in(target)]
        return cuts, len(acknowledged), lost


def moves_in(folder):
    """Return the moves in the database after a restart."""
    with closing(sqlite3.connect(folder / "site.sqlite3")) as database:
        assert database.execute("PRAGMA quick_check").fetchone() == ("ok",)
        rows = database.execute(
            "SELECT slug, data FROM matches_eventrow JOIN matches_matchrow"
            " ON match_id = matches_matchrow.id ORDER BY number"
        ).fetchall()
    counts: dict[str, int] = {}
    found = set()
    for slug, data in rows:
        if json.loads(data)["kind"] == "moved":
            ply = counts.get(slug, 0)
            counts[slug] = ply + 1
            found.add((slug, ply))
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    return found
