"""What a host chooses, read from the environment; every setting has a default that works."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import environ
import platformdirs

env = environ.Env()


def data_folder() -> Path:
    """Return the folder where the site keeps its database; make it if it is not there.

    ``ANTIPODES_DATA`` names it; by default it is the user's own folder for data of programs.
    """
    named = os.environ.get("ANTIPODES_DATA")
    folder = Path(named) if named else Path(platformdirs.user_data_dir("antipodes")) / "site"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def secret_key() -> str:
    """Return the key that signs cookies: ``SECRET_KEY``, or one made once and kept in a file."""
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    file = data_folder() / "secret-key"
    try:
        return file.read_text(encoding="ascii")
    except FileNotFoundError:
        file.touch(mode=0o600)
        file.write_text(secrets.token_urlsafe(50), encoding="ascii")
        return file.read_text(encoding="ascii")
