"""The environment file: settings for systemd, a shell and all commands.

Environment variables take precedence over the file.
"""

from __future__ import annotations

import getpass
import io
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dotenv.parser import Binding, parse_stream

from antipodes.errors import Fault, InvalidOptionsError

DEFAULT = Path("/etc/antipodes.env")
VARIABLE = "ANTIPODES_ENV_FILE"
_NAMES_OF_SITES = ("ANTIPODES_DATA", "DATABASE_URL")  # either says where a site is

# Lines that systemd, a POSIX shell and python-dotenv read alike.
_SAME_EVERYWHERE = re.compile(
    r"""[A-Za-z_][A-Za-z0-9_]*=(?:'[^'\\\n]*'|"[^"\\$`\n]*"|[A-Za-z0-9_./:@%+,=-]*)"""
)


class Source:
    """The origin of this process's settings.

    Attributes:
        file: the file that was read, if any.
        unreadable: the file that exists but may not be read by this user.
    """

    def __init__(self) -> None:
        self.file: Path | None = None
        self.unreadable: Path | None = None

    def __str__(self) -> str:
        """Return a sentence for messages."""
        if self.file is not None:
            return f"Settings were read from {self.file}."
        if self.unreadable is not None:
            return f"{self.unreadable} was not read: {_user()} may not."
        return f"No environment file was read: there is no {DEFAULT}."


source = Source()


def load(named: str | None = None) -> None:
    """Read a site's settings into the environment.

    Args:
        named: the file; ``None`` for the one in ``ANTIPODES_ENV_FILE``, else ``/etc/antipodes.env``
            if it is there; empty for none.

    Raises:
        InvalidOptionsError: the named file cannot be read, or one of its lines is invalid.
    """
    given = os.environ.get(VARIABLE) if named is None else named
    if given == "":
        return
    file = Path(given or DEFAULT)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        if given or not isinstance(error, FileNotFoundError | PermissionError):
            raise _refused(f"{file} cannot be read: {_reason(error)}") from None
        if isinstance(error, PermissionError):
            source.unreadable = file
        return
    for name, value in _values(file, text).items():
        os.environ.setdefault(name, value)
    source.file = file


def require_readable() -> None:
    """Require that the environment file of this machine can be read, if there is one.

    Raises:
        InvalidOptionsError: the file exists and cannot be read, and no variable names the site;
            the command would use another site.
    """
    if not is_unreadable():
        return
    raise _refused(
        f"{source.unreadable} has the settings of the site, and {_user()} may not read it:"
        f" run this as the user of the site, such as sudo -u antipodes antipodes ...;"
        f" that user must be able to read it: chown root:antipodes {source.unreadable};"
        f" chmod 640 {source.unreadable}."
        " For another site: --env-file FILE, or --env-file '' for none"
    )


def is_unreadable() -> bool:
    """Return whether the file exists but cannot be read, and no variable names the site."""
    is_named = any(os.environ.get(name) for name in _NAMES_OF_SITES)
    return source.unreadable is not None and not is_named


def ambiguous_lines(file: Path) -> list[int]:
    """Return the numbers of lines that a shell and systemd may read differently."""
    text = file.read_text(encoding="utf-8")
    return [
        number
        for number, binding in _numbered(text)
        if not _SAME_EVERYWHERE.fullmatch(binding.original.string.strip())
    ]


def _values(file: Path, text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, binding in _numbered(text):
        if binding.error or binding.key is None or binding.value is None:
            raise _refused(
                f"line {number} of {file} is not a setting; write NAME='value', in single quotes"
            )
        found[binding.key] = binding.value
    return found


def _numbered(text: str) -> Iterator[tuple[int, Binding]]:
    """Yield settings with their line numbers; skip empty lines and comments."""
    for binding in parse_stream(io.StringIO(text)):
        line = binding.original.string
        if binding.error or binding.key is not None:
            before = line[: len(line) - len(line.lstrip())]
            yield binding.original.line + before.count("\n"), binding


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or "") if isinstance(error, OSError) else "it is not UTF-8 text"


def _user() -> str:
    with suppress(OSError, KeyError):
        return f"user {getpass.getuser()}"
    return f"user {os.geteuid()}"


def _refused(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("serve/settings", message)])
