"""Taking in Paper Citation Records: each file a load, each record a transaction.

A record that is refused leaves the database as it was and does not stop the others.
``pith-graph ingest record`` calls it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import RecordRefusedError
from pith_graph.sources.pith_record import ReadRecord, RefusedRecord, read_record_file
from pith_graph.sources.record_files import RecordFile, open_record_file
from pith_graph.store.transaction import Clock, Load, finish_load, transaction
from pith_graph.store.writer import write_record
from pith_graph.vocabulary import LoadSource


class Result(StrEnum):
    """What came of a record: one of the writer's outcomes, or refused."""

    NEW = "new"
    SUPERSEDED = "superseded"
    HISTORY = "history"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class RecordReport:
    """What came of one record, for the operator.

    Attributes:
        place: The file, with the line where it has several records.
        arxiv_id: The record's paper, None where it was refused.
        reason: Where and why it was refused, None where it was not.
        warnings: Derived values that were not as stated and are computed anew.
    """

    place: str
    result: Result
    arxiv_id: str | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()


@dataclass(slots=True)
class Ingest:
    """One run of ``ingest record`` over one database.

    Attributes:
        engine: The write engine.
        url: Its database.
        clock: The present time, UTC.
        counts: How many records came to which result, over all files.
    """

    engine: AsyncEngine
    url: URL
    clock: Clock
    counts: Counter[Result] = field(default_factory=Counter)

    async def run(self, path: str, *, stdin: BinaryIO | None = None) -> list[RecordReport]:
        """Take in one file and report on each of its records."""
        reports = []
        try:
            with open_record_file(path, stdin=stdin) as file:
                reports = await self._run_file(file)
        except RecordRefusedError as error:
            place = "standard input" if path == "-" else path
            reports.append(RecordReport(place, Result.REFUSED, reason=str(error)))
        self.counts.update(report.result for report in reports)
        return reports

    async def _run_file(self, file: RecordFile) -> list[RecordReport]:
        load = Load(
            source=LoadSource.RECORD,
            file_name=Path(file.name).name,
            sha256=file.sha256,
            size_bytes=file.size,
            started_at=self.clock(),
        )
        reports = [await self._take(record, load) for record in read_record_file(file)]
        counts = Counter(report.result for report in reports)
        kept = counts[Result.UNCHANGED] + counts[Result.REFUSED]
        await finish_load(
            self.engine,
            self.url,
            load,
            counts={
                "records_read": len(reports),
                "records_changed": len(reports) - kept,
                "records_refused": counts[Result.REFUSED],
            },
            ended_at=self.clock(),
        )
        return reports

    async def _take(self, record: ReadRecord | RefusedRecord, load: Load) -> RecordReport:
        if isinstance(record, RefusedRecord):
            return RecordReport(record.place, Result.REFUSED, reason=str(record.error))
        seen = record.observation
        try:
            async with transaction(self.engine, self.url, load, clock=self.clock) as tx:
                outcome = await write_record(tx, seen)
        except RecordRefusedError as error:
            return RecordReport(record.place, Result.REFUSED, reason=str(error))
        return RecordReport(
            record.place, Result(outcome.value), seen.paper.arxiv_id, warnings=record.warnings
        )
