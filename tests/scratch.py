"""A folder for servers that run as users of their own."""

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch_folder():
    """Make a folder, and delete it afterwards.

    Pytest's own folders are shut to all other users whenever pytest is started anew, and servers
    could not go on writing there.
    """
    folder = Path(tempfile.mkdtemp(prefix="antipodes-servers-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
