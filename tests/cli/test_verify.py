"""``pith-graph verify``: digests that match and digests that do not."""

from __future__ import annotations

import pytest

from tests.commands import run
from tests.records import encode, seed, seed_path


def test_a_true_record_matches_and_needs_no_database(tmp_path):
    result = run("verify", str(seed_path), cwd=tmp_path)
    assert (result.code, result.err) == (0, "")
    assert result.text == f"{seed_path}: all digests match\n"
    assert list(tmp_path.iterdir()) == []


def test_every_digest_that_differs_is_named(tmp_path):
    record = seed()
    record["outbound"][3]["citation"]["reference_index"] = 99
    file = tmp_path / "record.json"
    file.write_bytes(encode(record))
    result = run("verify", str(file), str(seed_path))
    assert result.code == 1
    places = [line.split(": ")[1] for line in result.err.splitlines()]
    assert places == ["outbound[3].observation_digest", "context_digest"]
    assert result.text == f"{seed_path}: all digests match\n"


def test_as_of_is_not_covered(tmp_path):
    record = seed() | {"as_of": "2027-01-01T00:00:00Z"}
    result = run("verify", "-", stdin=encode(record))
    assert (result.code, result.text) == (0, "standard input: all digests match\n")


def test_what_cannot_be_read_differs(tmp_path):
    documents = [b"", b"{", b"[]", b"{}", seed_path.read_bytes()[:5000]]
    files = [tmp_path / f"{number}.json" for number in range(len(documents))]
    for file, document in zip(files, documents, strict=True):
        file.write_bytes(document)
    result = run("verify", *map(str, files))
    assert (result.code, result.out) == (1, b"")
    lines = result.err.splitlines()
    for line, file in zip(lines, files, strict=True):
        assert line.startswith(f"{file}: ")


def test_a_file_that_is_missing_differs(tmp_path):
    result = run("verify", str(tmp_path / "none.json"))
    assert result.code == 1
    assert "cannot be read: No such file or directory" in result.err


@pytest.mark.parametrize("arguments", [[], ["--store", str(seed_path)]])
def test_files_or_the_store_but_not_both_nor_neither(arguments):
    result = run("verify", *arguments)
    assert result.code == 2
    assert "expected files, or --store" in result.err


def test_a_store_that_agrees_with_itself_is_zero(held):
    result = run("verify", "--store", database=held)
    assert (result.code, result.err) == (0, "")
    assert result.text == "the store agrees with itself\n"


async def test_a_count_that_is_wrong_is_one_and_named(database, ingest, write_engine):
    await ingest(seed_path)
    async with write_engine.begin() as connection:
        await connection.exec_driver_sql(
            "UPDATE paper_citation_counts SET outbound_unresolved = outbound_unresolved + 1"
        )
    result = run("verify", "--store", database=database)
    assert result.code == 1
    assert result.text.endswith(" problems\n")
    assert result.err != ""
    assert "Traceback" not in result.err
