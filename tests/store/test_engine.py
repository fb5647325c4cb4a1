from __future__ import annotations

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from pith_graph.errors import InputError
from pith_graph.store.engine import (
    create_read_engine,
    create_write_engine,
    parse_database_url,
    sqlite_path,
)
from tests.databases import Database


@pytest.mark.parametrize(
    "address",
    [
        "sqlite:///file.db",
        "postgresql://host/name",
        "mysql+aiomysql://host/name",
        "sqlite+aiosqlite://",
        "sqlite+aiosqlite:///:memory:",
        "no address",
    ],
)
def test_an_address_of_another_form_is_refused_with_the_expected_ones(address: str) -> None:
    with pytest.raises(InputError, match=r"expected sqlite\+aiosqlite:///PATH or postgresql"):
        parse_database_url(address)


def test_a_refused_address_does_not_show_its_password() -> None:
    with pytest.raises(InputError) as refused:
        parse_database_url("mysql://user:secret@host/name")
    assert "secret" not in str(refused.value)


def test_only_sqlite_has_a_file() -> None:
    path = sqlite_path(parse_database_url("sqlite+aiosqlite:///some/file.db"))
    assert str(path) == "some/file.db"
    assert sqlite_path(parse_database_url("postgresql+asyncpg://host/name")) is None


async def test_the_read_engine_cannot_write(read_engine: AsyncEngine) -> None:
    for statement in ("DELETE FROM papers", "CREATE TABLE other (id integer)"):
        async with read_engine.connect() as connection:
            with pytest.raises(DBAPIError, match=r"read-?only|readonly"):
                await connection.execute(text(statement))


async def test_all_statements_of_one_transaction_see_one_state(
    read_engine: AsyncEngine, write_engine: AsyncEngine
) -> None:
    count = text("SELECT count(*) FROM counters")
    async with read_engine.connect() as reader:
        assert (await reader.execute(count)).scalar_one() == 0
        async with write_engine.begin() as writer:
            await writer.execute(text("INSERT INTO counters VALUES ('one', 1)"))
        assert (await reader.execute(count)).scalar_one() == 0
    async with read_engine.connect() as reader:
        assert (await reader.execute(count)).scalar_one() == 1


@pytest.mark.parametrize("create", [create_write_engine, create_read_engine])
async def test_pragmas_are_set_once_per_connection_and_not_per_transaction(
    database: Database, create
) -> None:
    sizes = {"pool_size": 1} if create is create_read_engine else {}
    engine: AsyncEngine = create(database.url, **sizes)
    connected = []
    event.listen(engine.sync_engine, "connect", lambda *_: connected.append(1))
    found = []
    for _ in range(3):
        async with engine.connect() as connection:
            if database.kind == "sqlite":
                names = ("foreign_keys", "busy_timeout", "journal_mode", "query_only")
                found.append(
                    [
                        (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
                        for name in names
                    ]
                )
            else:
                found.append([(await connection.execute(text("SHOW jit"))).scalar_one()])
    await engine.dispose()
    only_reads = 1 if create is create_read_engine else 0
    expected = [1, 30_000, "wal", only_reads] if database.kind == "sqlite" else ["off"]
    assert found == [expected] * 3
    assert len(connected) == 1
