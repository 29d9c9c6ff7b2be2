"""Sums of metrics of several processes, each of which regularly writes its own to a file.

Files are replaced, never mapped into memory: on a full disk, a write to a mapped file kills the
process. Here a failed write leaves the previous values.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from prometheus_client.core import Metric

from antipodes.web.platform.config import METRICS_FOLDER

logger = logging.getLogger(__name__)

_ENDED = "ended"  # the file with the counters of all processes that have ended
_forgetting = threading.Lock()

# Families by name: type, documentation, and values by sample and labels.
Values = dict[tuple[str, tuple[tuple[str, str], ...]], float]
Families = dict[str, tuple[str, str, Values]]


def folder() -> Path | None:
    """Return the folder of this ``antipodes serve``; ``None`` outside of one."""
    found = os.environ.get(METRICS_FOLDER)
    return Path(found) if found else None


def write(collected: Iterable[Metric]) -> None:
    """Write the metrics of this process to its file; log errors of the disk."""
    where = folder()
    if where is not None:
        _write(where / f"{os.getpid()}.json", _families(collected))


def total(collected: Iterable[Metric]) -> Iterator[Metric]:
    """Yield the metrics of this process added to those of the others."""
    own, where = _families(collected), folder()
    others: list[Families] = []
    if where is not None:
        # Counters that were exposed once must not fall, even if this process is killed now.
        _write(where / f"{os.getpid()}.json", own)
        files = [file for file in where.glob("*.json") if file.stem != str(os.getpid())]
        others = [_read(file) for file in files]
    for name, (kind, documentation, values) in _added([own, *others]).items():
        metric = Metric(name, documentation, kind)
        for (sample, labels), value in values.items():
            metric.add_sample(sample, dict(labels), value)
        yield metric


def forget(pid: int) -> None:
    """Keep the counters of a process that has ended, and discard its gauges."""
    where = folder()
    if where is None or not (file := where / f"{pid}.json").exists():
        return
    with _forgetting:
        counted = {name: one for name, one in _read(file).items() if one[0] != "gauge"}
        ended = where / f"{_ENDED}.json"
        _write(ended, _added([_read(ended), counted]))
        file.unlink(missing_ok=True)


def _families(collected: Iterable[Metric]) -> Families:
    """Return metrics by name, without creation times of counters."""
    return {
        metric.name: (
            metric.type,
            metric.documentation,
            {
                (sample.name, tuple(sorted(sample.labels.items()))): sample.value
                for sample in metric.samples
                if not sample.name.endswith("_created")
            },
        )
        for metric in collected
    }


def _added(all_families: Iterable[Families]) -> Families:
    """Return the sums of values that have the same name and labels."""
    found: Families = {}
    for families in all_families:
        for name, (kind, documentation, values) in families.items():
            sums = found.setdefault(name, (kind, documentation, {}))[2]
            for key, value in values.items():
                sums[key] = sums.get(key, 0.0) + value
    return found


def _write(file: Path, families: Families) -> None:
    """Replace a file; if that fails, keep the previous one."""
    data: list[Any] = [
        [name, kind, documentation, [[*key, value] for key, value in values.items()]]
        for name, (kind, documentation, values) in families.items()
    ]
    unfinished = file.with_suffix(f".{os.getpid()}")
    try:
        unfinished.write_text(json.dumps(data), encoding="utf-8")
        unfinished.replace(file)
    except OSError as error:
        logger.warning("metrics not shared error=%s", error)


def _read(file: Path) -> Families:
    """Return the metrics of a file; none if its process has just ended."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {
        name: (
            kind,
            documentation,
            {
                (sample, tuple((label, text) for label, text in labels)): value
                for sample, labels, value in values
            },
        )
        for name, kind, documentation, values in data
    }
