"""``pith-graph ingest record``: what it takes in, what it refuses, and what it leaves alone."""

from __future__ import annotations

import copy
import gzip
from collections.abc import Callable

from tests.cli.conftest import rows_of
from tests.commands import run
from tests.databases import Database
from tests.record_universe import Universe
from tests.records import SEED_ID, encode, make_record, make_records, seed, seed_path

AS_OF = "2026-08-10T10:32:00Z"


def is_held(database: Database) -> bool:
    result = run("record", SEED_ID, "--as-of", AS_OF, database=database)
    return result.out == seed_path.read_bytes() + b"\n"


def test_a_record_is_read_from_any_kind_of_file(database, tmp_path):
    data = seed_path.read_bytes()
    lines = data + b"\n\n"
    forms = {"json": data, "gz": gzip.compress(data), "jsonl": lines, "lgz": gzip.compress(lines)}
    files = [tmp_path / f"record.{name}" for name in forms]
    for file, form in zip(files, forms.values(), strict=True):
        file.write_bytes(form)
    result = run("ingest", "record", *map(str, files), "-", database=database, stdin=forms["lgz"])
    assert (result.code, result.err) == (0, "")
    assert result.text.startswith(f"{files[0]}: 2509.00217 new\n")
    assert result.text.endswith(
        "standard input: 2509.00217 unchanged\n5 records: 1 new, 4 unchanged\n"
    )
    assert is_held(database)


def test_several_files_are_read_in_order_and_again_changes_nothing(database, tmp_path):
    others = make_records(Universe(seed=4, papers=5))
    lines, one = tmp_path / "records.jsonl", tmp_path / "one.json"
    lines.write_bytes(b"".join(encode(record) + b"\n" for record in others))
    one.write_bytes(encode(make_record(arxiv_id="2502.00077", citations=3)))
    files = [str(lines), str(seed_path), str(one)]

    result = run("ingest", "record", *files, database=database)
    assert (result.code, result.err) == (0, "")
    assert result.text.endswith("7 records: 7 new\n")
    assert result.text.splitlines()[0].startswith(f"{lines}:1: ")
    before = rows_of(database)
    again = run("ingest", "record", *files, database=database)
    assert again.text.endswith("7 records: 7 unchanged\n")
    assert rows_of(database) == before


def wrong_digest() -> bytes:
    record = seed()
    record["outbound"][3]["observation_digest"] = "sha256:" + "0" * 64
    return encode(record)


def missing_key() -> bytes:
    record = seed()
    del record["outbound"][3]["citation"]["source"]
    return encode(record)


def unknown_key() -> bytes:
    record = copy.deepcopy(seed())
    record["paper"]["colour"] = "green"
    return encode(record)


def bad_id() -> bytes:
    record = seed()
    record["paper"]["arxiv_id"] = "2509.217"
    return encode(record)


REFUSED: list[tuple[Callable[[], bytes], str]] = [
    (wrong_digest, "outbound[3].observation_digest: "),
    (missing_key, "outbound[3].citation.source: "),
    (unknown_key, "paper.colour: "),
    (bad_id, "paper.arxiv_id: "),
    (lambda: seed_path.read_bytes()[:-1000], "record: "),
    (lambda: gzip.compress(seed_path.read_bytes())[:-20], "file: a gzip that is cut off"),
    (lambda: b"", "file: empty, expected a record"),
    (lambda: b"\x00\x01\x02", "record: "),
    (lambda: b"[]", "record: "),
]


async def test_a_refused_record_has_its_place_and_reason_and_changes_nothing(
    database, ingest, tmp_path
):
    await ingest(seed_path)
    before = rows_of(database)
    files = [tmp_path / f"{number}.json" for number in range(len(REFUSED))]
    for file, (make, _) in zip(files, REFUSED, strict=True):
        file.write_bytes(make())
    result = run("ingest", "record", *map(str, files), database=database)
    assert (result.code, result.text) == (1, f"{len(files)} records: {len(files)} refused\n")
    lines = result.err.splitlines()
    for line, file, (_, place) in zip(lines, files, REFUSED, strict=True):
        assert line.startswith(f"{file}: refused: {place}")
        assert len(line) < 1000
    assert rows_of(database) == before


def test_a_refused_record_does_not_stop_the_others(database, tmp_path):
    file = tmp_path / "records.jsonl"
    file.write_bytes(wrong_digest() + b"\n" + seed_path.read_bytes() + b"\n{}\n")
    result = run("ingest", "record", str(tmp_path / "none.json"), str(file), database=database)
    assert result.code == 1
    assert result.text == f"{file}:2: 2509.00217 new\n4 records: 1 new, 3 refused\n"
    first, second, third = result.err.splitlines()
    assert (
        first
        == f"{tmp_path / 'none.json'}: refused: file: cannot be read: No such file or directory"
    )
    assert second.startswith(f"{file}:1: refused: outbound[3].observation_digest: ")
    assert third.startswith(f"{file}:3: refused: ")
    assert is_held(database)


def test_a_database_that_is_not_at_head_takes_nothing(tmp_path):
    file = tmp_path / "empty.db"
    file.touch()
    result = run("ingest", "record", str(seed_path), database=f"sqlite+aiosqlite:///{file}")
    assert (result.code, result.out) == (2, b"")
    assert "run `pith-graph db upgrade`" in result.err
    assert file.stat().st_size == 0
