"""``python -m antipodes`` is the command ``antipodes``."""

import sys

from antipodes.cli import main

if __name__ == "__main__":
    sys.exit(main())
