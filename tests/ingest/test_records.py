"""What ingesting records leaves in the store, seen through the record that it exports."""

from __future__ import annotations

from tests.records import SEED_AS_OF, SEED_ID, seed_path


async def test_the_seed_comes_out_byte_for_byte(ingest, export) -> None:
    await ingest(seed_path)
    assert await export(SEED_ID) == seed_path.read_bytes()
    assert await export(SEED_ID, at=SEED_AS_OF) == seed_path.read_bytes()
