"""Opening record files: one document or many, plain or gzipped, whole or not."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tracemalloc
import zlib

import pytest

from pith_graph.errors import RecordRefusedError
from pith_graph.sources import record_files
from pith_graph.sources.pith_record import ReadRecord, RefusedRecord, read_records
from pith_graph.sources.record_files import open_record_file
from tests.records import encode, make_record, seed_path

SEED = seed_path.read_bytes()
PRETTY = json.dumps(json.loads(SEED), indent=2).encode()
OTHER = encode(make_record(arxiv_id="hep-th/9901001", citations=3))

Outcome = tuple[str, str | RecordRefusedError]


@pytest.fixture
def read(tmp_path):
    """Write bytes to a file and read its records."""

    def write_and_read(data, name="records"):
        path = tmp_path / name
        path.write_bytes(data)
        return [_outcome(item, str(path)) for item in read_records(str(path))]

    return write_and_read


def _outcome(item: ReadRecord | RefusedRecord, name: str) -> Outcome:
    """A record's arXiv id or a refusal, after its place without the folder."""
    place = item.place.removeprefix(name)
    if isinstance(item, ReadRecord):
        return place, item.observation.paper.arxiv_id
    return place, item.error


def ids(outcomes: list[Outcome]) -> list[str]:
    return [found if isinstance(found, str) else "refused" for _, found in outcomes]


@pytest.mark.parametrize(
    "data",
    [
        SEED,
        SEED + b"\n",
        SEED + b"\r\n\n",
        b"\n \n" + SEED,
        PRETTY,
        PRETTY.replace(b"\n", b"\r\n") + b"\n",
        b"\xef\xbb\xbf" + SEED,
        b"\xef\xbb\xbf" + PRETTY,
        json.dumps(json.loads(SEED), indent=0).encode(),
        SEED.replace(b'{"arxiv_id"', b'\n{"arxiv_id"'),
    ],
    ids=[
        *("canonical", "newline", "CRLF", "blank first", "pretty", "pretty CRLF"),
        *("BOM", "BOM pretty", "flush left", "objects on their lines"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
def test_one_document_is_one_record_without_a_line(read, data, zipped):
    assert read(gzip.compress(data) if zipped else data) == [("", "2509.00217")]


@pytest.mark.parametrize("zipped", [False, True], ids=["plain", "gzip"])
def test_json_lines_are_records_with_their_lines(read, zipped):
    data = b"\n".join([SEED, b"", OTHER, b" ", SEED]) + b"\n"

    outcomes = read(gzip.compress(data) if zipped else data, name="records.json")

    assert outcomes == [(":1", "2509.00217"), (":3", "hep-th/9901001"), (":5", "2509.00217")]


def test_gzip_is_told_by_its_bytes_and_not_by_its_name(read):
    assert ids(read(SEED, name="record.gz")) == ["2509.00217"]
    assert ids(read(gzip.compress(SEED), name="record.json")) == ["2509.00217"]
    assert ids(read(gzip.compress(SEED + b"\n") + gzip.compress(OTHER))) == [
        "2509.00217",
        "hep-th/9901001",
    ]


@pytest.mark.parametrize(
    "bad",
    [b"{}", b"[]", b"null", b"x", SEED[:-1], SEED[1:], b"\xff\xfe", SEED.replace(b"18", b"81", 1)],
    ids=["empty object", "array", "null", "text", "cut", "headless", "no UTF-8", "digest"],
)
@pytest.mark.parametrize("position", [0, 1, 2])
def test_one_bad_line_does_not_stop_the_others(read, bad, position):
    lines = [SEED, OTHER]
    lines.insert(position, bad)
    expected = ["2509.00217", "hep-th/9901001"]
    expected.insert(position, "refused")

    outcomes = read(b"\n".join(lines))

    assert ids(outcomes) == expected
    assert [place for place, _ in outcomes] == [":1", ":2", ":3"]


def test_lines_of_other_json_are_refused_each_at_its_line(read):
    outcomes = read(b'{"a": 1}\n{"b": 2}\n')

    assert [place for place, _ in outcomes] == [":1", ":2"]
    assert ids(outcomes) == ["refused", "refused"]


@pytest.mark.parametrize("offset", range(1, len(SEED), 97))
def test_a_document_cut_anywhere_is_refused_once_as_cut_off(read, offset):
    ((place, error),) = read(SEED[:offset])

    assert place == ""
    assert isinstance(error, RecordRefusedError)
    assert error.reason.startswith(("cut off", "no JSON"))


@pytest.mark.parametrize("offset", range(1, len(PRETTY) - 1, 173))
def test_a_pretty_document_cut_anywhere_is_one_cut_off_document(read, offset):
    outcomes = read(PRETTY[:offset])

    assert ids(outcomes) == ["refused"]
    assert outcomes[0][0] == ""


@pytest.mark.parametrize("offset", [1, 2, 3, 10, 11, 12, 500, 2000, -9, -8, -4, -1])
def test_a_gzip_cut_anywhere_is_refused_whole(read, offset):
    zipped = gzip.compress(SEED + b"\n" + OTHER)

    ((place, error),) = read(zipped[:offset])

    assert place == ""
    assert isinstance(error, RecordRefusedError)


def test_a_cut_off_gzip_gives_none_of_its_records(read):
    lines = b"\n".join([SEED, OTHER] * 20)

    ((place, error),) = read(gzip.compress(lines)[:-20])

    assert (place, error.place, error.reason) == ("", "file", "a gzip that is cut off")


@pytest.mark.parametrize("position", [40, 400, -6, -2])
def test_a_damaged_gzip_is_refused_whole(read, position):
    zipped = bytearray(gzip.compress(SEED))
    zipped[position] ^= 0x55

    ((_, error),) = read(bytes(zipped))

    assert error.reason.startswith(("a damaged gzip", "a gzip that is cut off"))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty, expected a record"),
        (b" \n\n", "empty, expected a JSON object"),
        (gzip.compress(b""), "empty, expected a JSON object"),
        (b"no json\nat all\n", "no JSON: Expecting value (line 1, column 1)"),
        (SEED.decode().encode("utf-16"), "not UTF-8: byte 0xff at offset 0"),
        (SEED[:-1] + b',"schema":"x"}', "the key 'schema' stands twice in one object"),
        (SEED.replace(b"21,", b"NaN,", 1), "NaN is no JSON number"),
        (SEED.replace(b"21,", b"-Infinity,", 1), "-Infinity is no JSON number"),
        (SEED.replace(b"21,", b"9" * 5000 + b",", 1), "a number that cannot be read"),
        (b"[" * 100_000, "nested too deeply for a record"),
        (PRETTY + b"\n" + PRETTY, "text follows the end of the JSON document (line "),
        (b'"text"', "expected a JSON object, found 'text'"),
    ],
    ids=[
        *("empty", "blank", "empty gzip", "text", "UTF-16", "twice", "NaN", "Infinity"),
        *("digits", "deep", "two documents", "string"),
    ],
)
def test_a_file_that_is_no_record_is_one_refusal_with_its_reason(read, data, reason):
    ((place, error),) = read(data)

    assert place == ""
    assert error.reason.startswith(reason)


def test_a_file_that_cannot_be_read_is_a_refusal(tmp_path):
    for path, reason in (
        (tmp_path / "absent", "cannot be read: No such file or directory"),
        (tmp_path, "cannot be read: Is a directory"),
        ("nul\0", "cannot be read: embedded null byte"),
    ):
        (item,) = read_records(str(path))
        assert isinstance(item, RefusedRecord)
        assert item.place == str(path)
        assert (item.error.place, item.error.reason) == ("file", reason)


def test_standard_input_is_read_like_a_file():
    for data in (SEED, gzip.compress(SEED), PRETTY):
        items = list(read_records("-", stdin=io.BytesIO(data)))
        assert [_outcome(item, "standard input") for item in items] == [("", "2509.00217")]


def test_an_empty_standard_input_is_a_refusal():
    (item,) = read_records("-", stdin=io.BytesIO(b""))

    assert item.place == "standard input"


def test_a_pipe_is_read_like_a_file():
    out, into = os.pipe()
    with os.fdopen(into, "wb") as writer:
        writer.write(OTHER)
    (item,) = read_records(f"/dev/fd/{out}")
    os.close(out)

    assert isinstance(item, ReadRecord)


@pytest.mark.parametrize("data", [SEED, gzip.compress(SEED)], ids=["plain", "gzip"])
def test_the_digest_and_size_are_of_the_file_as_it_is(tmp_path, data):
    path = tmp_path / "record"
    path.write_bytes(data)

    with open_record_file(str(path)) as file:
        assert (file.name, file.size) == (str(path), len(data))
        assert file.sha256 == hashlib.sha256(data).hexdigest()
        assert len(list(file.split())) == len(list(file.split())) == 1


def test_a_record_over_the_limit_is_refused_and_the_others_are_read(read, monkeypatch):
    monkeypatch.setattr(record_files, "MAX_RECORD_BYTES", len(SEED) + 10)
    large = b'{"x":"' + b"x" * (3 * len(SEED)) + b'"}'

    assert ids(read(b"\n".join([SEED, large, OTHER]))) == [
        "2509.00217",
        "refused",
        "hep-th/9901001",
    ]
    assert ids(read(b"\n".join([large, SEED]))) == ["refused", "2509.00217"]
    for data in (large, PRETTY):
        ((_, error),) = read(data)
        assert error.reason.startswith("larger than")


def test_a_gzip_out_of_proportion_is_refused_before_it_is_parsed(read, monkeypatch):
    monkeypatch.setattr(record_files, "FREE_EXPANSION_BYTES", 1024 * 1024)

    ((_, error),) = read(gzip.compress(b" " * 50_000_000))

    assert "expands to more than" in error.reason


def test_a_repetitive_but_honest_gzip_is_read(read, monkeypatch):
    monkeypatch.setattr(record_files, "FREE_EXPANSION_BYTES", 0)

    assert ids(read(gzip.compress((SEED + b"\n") * 50))) == ["2509.00217"] * 50


def test_memory_stays_flat_however_many_records_there_are(tmp_path):
    path = tmp_path / "records.jsonl"
    compressor = zlib.compressobj(wbits=31)
    with path.open("wb") as file:
        for _ in range(300):
            file.write(compressor.compress(OTHER + b"\n"))
        file.write(compressor.flush())

    tracemalloc.start()
    count = sum(isinstance(item, ReadRecord) for item in read_records(str(path)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 300
    assert peak < 8 * 1024 * 1024
