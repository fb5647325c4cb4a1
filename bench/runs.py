"""One run of a benchmark: where its databases are, how long it may take, what it found."""

from __future__ import annotations

import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from sqlalchemy.engine import URL

from bench.results import Results
from pith_graph.store.engine import SQLITE


@dataclass(frozen=True, slots=True)
class Run:
    """A run.

    Attributes:
        folder: Where databases and the servers' output go.
        varied: How many different queries a server is asked before its memory is looked at.
        pace: How much of the usual time each measurement takes.
        results: What was found so far.
    """

    folder: Path
    varied: int
    pace: float
    results: Results = field(default_factory=Results)

    @classmethod
    def open(cls, folder: Path, *, varied: int = 0, pace: float = 1.0) -> Self:
        """Begin a run in a folder, made where it is missing."""
        # A run that is terminated stops what it has started, as an interrupted one does.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
        folder.mkdir(parents=True, exist_ok=True)
        return cls(folder.resolve(), varied, pace)

    @property
    def log(self) -> Path:
        """The file that the servers write to."""
        return self.folder / "servers.log"

    def seconds(self, usual: float) -> int:
        """Return whole seconds at this pace."""
        return max(1, round(usual * self.pace))

    def name(self, url: URL) -> str:
        """Name a database as tables show it."""
        return "SQLite" if url.drivername == SQLITE else "PostgreSQL"
