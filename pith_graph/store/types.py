"""Column types that both databases read the same way: instants, public ids, vocabulary codes.

``tables`` uses them; ``read`` and ``writer`` see aware UTC datetimes, UUIDs and enum members.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, DateTime, Integer, LargeBinary, SmallInteger, TypeDecorator, Uuid
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeEngine

from pith_graph.vocabulary import Vocabulary

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

Key = Integer()
"""What names a row, 32 bits on PostgreSQL: two billion of them."""

# SQLite makes a column the table's own row number only under the exact name INTEGER.
VersionKey = BigInteger().with_variant(Integer(), "sqlite")
"""What names a row of history, of which there may be more: 64 bits."""


@lru_cache(maxsize=8192)  # many rows were observed at one time
def instant_of(microseconds: int) -> datetime:
    """Return the time that SQLite stores as microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


def in_utc(at: datetime) -> datetime:
    """Return the time that PostgreSQL's driver gives, in UTC."""
    return at if at.tzinfo is UTC else at.astimezone(UTC)


class Instant(TypeDecorator[datetime]):
    """A UTC time to the microsecond: ``timestamptz``, or on SQLite microseconds since 1970."""

    impl = DateTime
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the database's own type."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(DateTime(timezone=True))
        return dialect.type_descriptor(BigInteger())

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Turn an aware datetime into what the database stores."""
        if value is None or dialect.name == "postgresql":
            return value
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Turn what the database stores into an aware UTC datetime."""
        if value is None:
            return None
        return in_utc(value) if dialect.name == "postgresql" else instant_of(value)


class PublicId(TypeDecorator[UUID]):
    """A UUID: ``uuid``, or on SQLite its sixteen bytes."""

    impl = Uuid
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Choose the database's own type."""
        if dialect.name == "postgresql":
            return dialect.type_descriptor(Uuid(native_uuid=True))
        return dialect.type_descriptor(LargeBinary(16))

    def process_bind_param(self, value: UUID | None, dialect: Dialect) -> Any:
        """Turn a UUID into what the database stores."""
        if value is None or dialect.name == "postgresql":
            return value
        return value.bytes

    def process_result_value(self, value: Any, dialect: Dialect) -> UUID | None:
        """Turn what the database stores into a UUID."""
        if value is None or dialect.name == "postgresql":
            return value  # type: ignore[no-any-return]  # the driver's UUID
        return UUID(bytes=value)


class Code(TypeDecorator[Vocabulary]):
    """A vocabulary member, stored as its small integer code.

    Attributes:
        members: The members by their codes.
    """

    impl = SmallInteger
    cache_ok = True

    def __init__(self, vocabulary: type[Vocabulary]) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.members = {member.code: member for member in vocabulary}

    def process_bind_param(self, value: Vocabulary | None, dialect: Dialect) -> int | None:
        """Turn a member into its code."""
        del dialect
        return None if value is None else value.code

    def process_result_value(self, value: int | None, dialect: Dialect) -> Vocabulary | None:
        """Turn a code into its member."""
        del dialect
        return None if value is None else self.members[value]
