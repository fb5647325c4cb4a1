"""All settings, in one frozen class: environment variables with the prefix ``PITH_``.

The README's table, ``serve --help`` and the GraphQL ``limits`` field are made from it.
"""

from __future__ import annotations

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

MAX_PAGE_SIZE = 100
"""The largest ``first`` or ``last``, and the record's cap on displayed citations."""

DEFAULT_PAGE_SIZE = 20
"""The page size where neither ``first`` nor ``last`` is given."""


# GraphQL's integers, as which `limits` shows them, have 32 bits.
_MOST = 2**31 - 1


class Settings(BaseSettings):
    """The server's and the commands' settings."""

    model_config = SettingsConfigDict(env_prefix="PITH_", frozen=True, extra="ignore")

    database_url: str = Field(
        default="sqlite+aiosqlite:///pith-graph.db",
        description="`sqlite+aiosqlite:///PATH` or `postgresql+asyncpg://USER@HOST/NAME`.",
    )
    database_pool_size: int = Field(
        default=8, ge=1, le=200, description="Database connections a server process holds."
    )
    cors_origins: str = Field(
        default="*", description="Origins that browsers may call from, separated by commas."
    )
    max_body_bytes: int = Field(
        default=1024 * 1024,
        ge=1024,
        le=_MOST,
        description="Largest request body that is read, in bytes.",
    )
    max_query_tokens: int = Field(
        default=10_000, ge=100, le=_MOST, description="Most lexical tokens a document may have."
    )
    max_depth: int = Field(
        default=20, ge=1, le=_MOST, description="Deepest nesting of fields, fragments laid open."
    )
    max_aliases: int = Field(
        default=100, ge=0, le=_MOST, description="Most aliases, fragments laid open."
    )
    max_directives: int = Field(
        default=100, ge=0, le=_MOST, description="Most directives, fragments laid open."
    )
    max_root_fields: int = Field(
        default=30,
        ge=1,
        le=_MOST,
        description="Most root fields of one operation, fragments laid open.",
    )
    max_cost: int = Field(
        default=100_000,
        ge=1,
        le=_MOST,
        description="Most objects that an operation may ask for, pages counted at their size.",
    )
    document_cache_bytes: int = Field(
        default=16 * 1024 * 1024, ge=0, description="Memory for parsed and validated documents."
    )
    compiled_execution: bool = Field(
        default=True,
        description="Whether queries are compiled; else graphql-core executes them.",
    )
    request_timeout_seconds: float = Field(
        default=60.0,
        gt=0,
        description="Longest execution of one request, waiting for its turn included, in seconds.",
    )
    log_level: str = Field(
        default="info",
        pattern="^(critical|error|warning|info|debug)$",
        description="`critical`, `error`, `warning`, `info` or `debug`.",
    )

    @property
    def allowed_origins(self) -> tuple[str, ...]:
        """The CORS origins as a tuple; ``("*",)`` for any."""
        return tuple(origin.strip() for origin in self.cors_origins.split(",") if origin.strip())
