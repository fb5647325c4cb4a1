"""``pith-graph record``: the bytes, the time, and the exit codes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from tests.commands import run
from tests.record_universe import Universe
from tests.records import SEED_ID, encode, make_record, seed_path

AS_OF = "2026-08-10T10:32:00Z"
OLD_ID = "hep-th/9901001"


def test_the_seed_comes_out_byte_for_byte_and_with_a_newline(held):
    result = run("record", SEED_ID, "--as-of", AS_OF, database=held)
    assert (result.code, result.err) == (0, "")
    assert result.out == seed_path.read_bytes() + b"\n"


def test_any_written_form_will_do(held):
    for written in (f"arXiv:{SEED_ID}v1", f"https://doi.org/10.48550/arXiv.{SEED_ID}"):
        result = run("record", written, "--as-of", AS_OF, database=held)
        assert result.out == seed_path.read_bytes() + b"\n"


def test_without_a_time_it_is_the_record_of_now(held):
    before = datetime.now(UTC).replace(second=0, microsecond=0)
    record = json.loads(run("record", SEED_ID, database=held).out)
    assert before <= datetime.fromisoformat(record["as_of"]) <= datetime.now(UTC)


def test_an_old_style_id_has_a_record(database, tmp_path):
    record = make_record(arxiv_id=OLD_ID, citations=5, universe=Universe(seed=3))
    (tmp_path / "old.json").write_bytes(encode(record))
    assert run("ingest", "record", str(tmp_path / "old.json"), database=database).code == 0
    result = run("record", OLD_ID, "--as-of", AS_OF, database=database)
    assert result.out == encode(record) + b"\n"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["2401.00001"], 1, "paper 2401.00001 is not held by this store"),
        ([OLD_ID], 1, f"paper {OLD_ID} is not held by this store"),
        (["10.5555/none"], 1, "paper with DOI 10.5555/none is not held by this store"),
        (
            [SEED_ID, "--as-of", "2026-08-01"],
            1,
            "2509.00217 as of 2026-08-01T00:00:00Z is not held",
        ),
        (["2401.00001", "--as-of", AS_OF], 1, "is not held"),
        (["nonsense"], 2, "'nonsense' is not an identifier"),
        (["2513.00001"], 2, "the month is 01 to 12, found 13"),
        ([""], 2, "it is empty"),
        ([SEED_ID, "--as-of", "yesterday"], 2, "'yesterday' is not an ISO 8601 time"),
        ([SEED_ID, "--as-of", "9999-12-31"], 2, "is yet to come"),
    ],
)
def test_what_there_is_no_record_of_is_told_by_exit_code(held, arguments, code, message):
    result = run("record", *arguments, database=held)
    assert (result.code, result.out) == (code, b"")
    assert result.err.startswith("pith-graph: ")
    assert message in result.err
    assert result.err.count("\n") == 1
