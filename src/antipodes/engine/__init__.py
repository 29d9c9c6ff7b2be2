"""Programs talk to the games here: version 2 of the Go Text Protocol, GTP."""

from antipodes.engine.gtp import GtpEngine
from antipodes.engine.serve import serve

__all__ = ["GtpEngine", "serve"]
