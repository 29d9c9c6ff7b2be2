"""Temporary folders for servers that run under their own user accounts."""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_folder():
    """Yield a temporary folder and delete it afterwards.

    Pytest closes its own temporary folders to other users each time it starts, so a running server
    could no longer write there.
    """
    folder = Path(tempfile.mkdtemp(prefix="antipodes-servers-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
