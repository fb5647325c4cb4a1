"""Made citation graphs, put straight into the tables in bulk, for tests of reading and of plans.

The shape is that of real ones: bibliographies of 5 to 100 entries, few papers and works that many
cite, a fifth of the entries without a link, ties in times and years, and nulls. The same seed is
the same graph. Only the rows that reading touches are made: history stays empty.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from sqlalchemy import Table, insert, text
from sqlalchemy.ext.asyncio import AsyncConnection

from pith_graph.folding import fold_text
from pith_graph.store import tables
from pith_graph.vocabulary import (
    BibliographySource,
    CitationSource,
    EventKind,
    LoadSource,
    MeasurementSource,
    MetadataSource,
    ResolutionStatus,
    ResolverSource,
    StandingSource,
    Vocabulary,
)

Row = dict[str, Any]

_START = datetime(2020, 1, 1, tzinfo=UTC)
_STAMP = {"commit_number": 1}
_WORDS = tuple(
    "sharded Sharding shard model models Poincaré bendixson théorème of the deep depth 深度 "  # noqa: SIM905  # a list of strings would be a line a word
    "attention graphs Über-network citation NEAR OR and a b2b Ångström kernel kernels".split()
)
_TABLES = (
    tables.loads,
    tables.commits,
    tables.papers,
    tables.paper_authors,
    tables.bibliographies,
    tables.cited_works,
    tables.work_authors,
    tables.paper_references,
    tables.paper_reference_links,
    tables.scholarly_work_events,
    tables.retraction_status_cache,
    tables.external_citation_measurements,
    tables.paper_citation_counts,
    tables.work_citation_counts,
)


@dataclass(slots=True)
class Graph:
    """The rows of a made graph, by table.

    The first paper is the one cited most, the first work too; bibliographies go to the first
    papers. The last papers are not held.
    """

    rows: dict[Table, list[Row]] = field(default_factory=lambda: {name: [] for name in _TABLES})

    def column(self, table: Table, name: str = "id") -> list[Any]:
        """Return one column of a table."""
        return [row[name] for row in self.rows[table]]

    @property
    def held(self) -> list[Row]:
        """The papers that are held."""
        return [row for row in self.rows[tables.papers] if row["observed_at"] is not None]


def made_title(random: Random) -> str:
    """Return a title of one to eight words, of which few are different, and maybe a number."""
    words = [random.choice(_WORDS) for _ in range(random.randint(1, 8))]
    return " ".join([*words, _maybe(random, str(random.randint(1, 9999)), 0.1) or "end"])


def made_graph(
    citations: int, *, papers: int = 8, seed: int = 0, source_receipts: bool = False
) -> Graph:
    """Make a graph of at least so many citations.

    Args:
        citations: How many; every paper's bibliography is whole, so that a few more come.
        papers: The fewest papers, of which an eighth is not held.
        seed: Of the randomness.
        source_receipts: Whether standing sources were asked about everything they cover.
    """
    random = Random(seed)
    graph = Graph()
    graph.rows[tables.loads] = [_load()]
    graph.rows[tables.commits] = [{"number": 1, "committed_at": _START, "load_id": 1}]
    papers = max(papers, citations // 30)
    _add_papers(graph, random, count=papers, held=papers - papers // 8)
    _add_works(graph, random, count=max(6, citations // 4))
    _add_standing(graph, random, source_receipts=source_receipts)
    citing = itertools.cycle(row["id"] for row in graph.held)
    while len(graph.rows[tables.paper_references]) < citations:
        add_entries(graph, random, citing=next(citing), count=random.randint(5, 100))
    _add_counts(graph)
    return graph


def add_entries(graph: Graph, random: Random, *, citing: int, count: int) -> Graph:
    """Add entries to a paper's bibliography; return a graph of the new entries and links alone."""
    papers = len(graph.rows[tables.papers])
    works = len(graph.rows[tables.cited_works])
    added = Graph()
    last = len(graph.rows[tables.paper_references])
    for number in range(last + 1, last + count + 1):
        cited = citing if random.random() < 0.05 else _ranked(random, papers)
        entry = _entry(random, number, citing=citing)
        entry["cited_paper_id"] = cited if random.random() < 0.6 else None
        added.rows[tables.paper_references].append(entry)
        if random.random() < 0.8:
            work = _ranked(random, works) if random.random() < 0.9 else None
            added.rows[tables.paper_reference_links].append(_link(random, entry, work=work))
    for table, rows in added.rows.items():
        graph.rows[table] += rows
    return added


async def insert_graph(connection: AsyncConnection, graph: Graph) -> None:
    """Insert all rows of a graph, the folded titles of held papers too."""
    for table in _TABLES:
        await insert_rows(connection, table, graph.rows[table])
    key = "rowid" if connection.dialect.name == "sqlite" else "paper_id"
    titles = [{"id": row["id"], "folded": fold_text(row["title"])} for row in graph.held]
    if titles:
        statement = f"INSERT INTO paper_search ({key}, folded) VALUES (:id, :folded)"
        await connection.execute(text(statement), titles)


async def insert_rows(connection: AsyncConnection, table: Table, rows: list[Row]) -> None:
    """Insert rows that all have the same columns: COPY on PostgreSQL, executemany on SQLite."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        await connection.execute(insert(table), rows)
        return
    names = list(rows[0])
    records = [[_stored(row[name]) for name in names] for row in rows]
    raw = await connection.get_raw_connection()
    driver = raw.driver_connection
    assert driver is not None
    await driver.copy_records_to_table(table.name, records=records, columns=names)


def _stored(value: Any) -> Any:
    return value.code if isinstance(value, Vocabulary) else value


def _ranked(random: Random, count: int) -> int:
    """Choose an id, the low ones far more often: the first gets the most by a power law."""
    return 1 + int(count * random.random() ** 4)


def _load() -> Row:
    return {
        "id": 1,
        "source": LoadSource.RECORD,
        "file_name": "made.json",
        "sha256": "0" * 64,
        "size_bytes": 1,
        "started_at": _START,
    }


def _sometime(random: Random, days: int = 30) -> datetime:
    """Choose one of few days, so that there are ties."""
    return _START + timedelta(days=random.randint(0, days))


def _uuid(random: Random) -> UUID:
    return UUID(int=random.getrandbits(128))


def _maybe(random: Random, value: Any, share: float = 0.7) -> Any:
    return value if random.random() < share else None


def _add_papers(graph: Graph, random: Random, *, count: int, held: int) -> None:
    for number in range(1, count + 1):
        known = number <= held
        day = _sometime(random, days=400) if known else None
        graph.rows[tables.papers].append(
            {
                "id": number,
                "arxiv_id": f"{2001 + number // 90_000}.{10_000 + number % 90_000}",
                "latest_version": 1 if known else None,
                "submitted_at": day,
                "last_updated": day,
                "snapshot_observed_at": day,
                "observed_at": day,
                "commit_number": 1 if known else None,
                "primary_category": _maybe(random, "cs.DC") if known else None,
                "title": made_title(random) if known else None,
                "doi": _maybe(random, f"10.1234/Paper.{number}", 0.3) if known else None,
            }
        )
        if known:
            graph.rows[tables.bibliographies].append(
                {
                    "paper_id": number,
                    "source": BibliographySource.RECORD,
                    "complete": random.random() < 0.8,
                    "observed_at": _START,
                    **_STAMP,
                }
            )
            graph.rows[tables.paper_authors] += _authors(random, "paper_id", number)


def _authors(random: Random, owner: str, number: int) -> list[Row]:
    return [
        {owner: number, "position": position, "name": "A. Author", "observed_at": _START, **_STAMP}
        for position in range(1, random.randint(1, 4))
    ]


def _add_works(graph: Graph, random: Random, *, count: int) -> None:
    for number in range(1, count + 1):
        graph.rows[tables.cited_works].append(
            {
                "id": number,
                "work_id": _uuid(random),
                "year": _maybe(random, random.randint(1990, 2010)),
                "metadata_source": MetadataSource.CROSSREF,
                "snapshot_observed_at": _START,
                "observed_at": _START,
                "doi": _maybe(random, f"10.5678/Work.{number}", 0.5),
                "arxiv_id": _maybe(random, f"1901.{10_000 + number % 900}", 0.1),
                "title": made_title(random),
                **_STAMP,
            }
        )
        graph.rows[tables.work_authors] += _authors(random, "work_id", number)


def _add_standing(graph: Graph, random: Random, *, source_receipts: bool) -> None:
    """Add events about a fifth of the works and receipts about two fifths."""
    events = graph.rows[tables.scholarly_work_events]
    receipts = graph.rows[tables.retraction_status_cache]
    counts = graph.rows[tables.external_citation_measurements]
    for work in graph.column(tables.cited_works):
        if random.random() < 0.2:
            events += [_event(random, work) for _ in range(random.randint(1, 3))]
        if random.random() < 0.4:
            receipts.append(_receipt(random, work))
        if random.random() < 0.2:
            counts.append(_count(random, None, work))
    for paper in graph.held:
        if random.random() < 0.5:
            receipts.append(_receipt(random, None) | {"paper_id": paper["id"]})
            counts.append(_count(random, paper["id"], None))
    if source_receipts:
        receipts.append(_receipt(random, None))
    for rows in (events, receipts, counts):
        for number, row in enumerate(rows, start=1):
            row["id"] = number


def _event(random: Random, work: int) -> Row:
    return {
        "event_id": _uuid(random),
        "cited_work_id": work,
        "kind": random.choice(list(EventKind)),
        "source": StandingSource.CROSSREF,
        "observed_at": _sometime(random),
        **_STAMP,
    }


def _receipt(random: Random, work: int | None) -> Row:
    return {
        "cited_work_id": work,
        "paper_id": None,
        "source": random.choice([StandingSource.CROSSREF, StandingSource.OPENALEX]),
        "observed_at": _sometime(random),
        **_STAMP,
    }


def _count(random: Random, paper: int | None, work: int | None) -> Row:
    return {
        "paper_id": paper,
        "cited_work_id": work,
        "source": MeasurementSource.OPENALEX,
        "count": random.randint(0, 1000),
        "observed_at": _START,
        **_STAMP,
    }


def _entry(random: Random, number: int, *, citing: int) -> Row:
    return {
        "id": number,
        "observation_id": _uuid(random),
        "citing_paper_id": citing,
        # Few indices for many entries: ties that the sub-index and the id decide.
        "reference_index": random.randint(1, 60),
        "sub_index": random.choice([0, 0, 0, 1]),
        "source": CitationSource.ARXIV_SOURCE,
        "source_observed_at": _sometime(random),
        "year": _maybe(random, random.randint(1990, 2010)),
        "title": _maybe(random, "A cited title"),
        "raw_text": "A. Author, A cited title",
        "observed_at": _START,
        **_STAMP,
    }


def _link(random: Random, entry: Row, *, work: int | None) -> Row:
    unlinked = [ResolutionStatus.MALFORMED_IDENTIFIER, ResolutionStatus.UNRESOLVED]
    linked = [status for status in ResolutionStatus if status not in unlinked]
    return {
        "reference_id": entry["id"],
        "cited_work_id": work,
        "status": random.choice(unlinked if work is None else linked),
        "resolver_source": None if work is None else ResolverSource.PITH,
        "resolved_at": _START,
        "source_observed_at": entry["source_observed_at"],
        "observed_at": _START,
        **_STAMP,
    }


def _add_counts(graph: Graph) -> None:
    links = {row["reference_id"]: row for row in graph.rows[tables.paper_reference_links]}
    papers: dict[int, Counter[str]] = {}
    works: dict[int, Counter[str]] = {}
    for entry in graph.rows[tables.paper_references]:
        link = links.get(entry["id"])
        status = ResolutionStatus.UNRESOLVED if link is None else link["status"]
        citing, cited = entry["citing_paper_id"], entry["cited_paper_id"]
        papers.setdefault(citing, Counter())[f"outbound_{status}"] += 1
        if cited is not None and cited != citing:
            papers.setdefault(cited, Counter())[f"inbound_{status}"] += 1
        if link is not None and link["cited_work_id"] is not None:
            works.setdefault(link["cited_work_id"], Counter())[f"citations_{status}"] += 1
    for table, key, counted in (
        (tables.paper_citation_counts, "paper_id", papers),
        (tables.work_citation_counts, "work_id", works),
    ):
        graph.rows[table] = [{key: owner} | _all(table, key, had) for owner, had in counted.items()]


def _all(table: Table, key: str, counts: Counter[str]) -> Row:
    names: Iterable[str] = (column.name for column in table.columns if column.name != key)
    return {name: counts[name] for name in names}
