"""Interfaces for other programs: the Go Text Protocol, GTP, and analyses as lines of JSON."""

from antipodes.engine.analysis import AnalysisEngine
from antipodes.engine.gtp import GtpEngine
from antipodes.engine.serve import serve, serve_analysis

__all__ = ["AnalysisEngine", "GtpEngine", "serve", "serve_analysis"]
