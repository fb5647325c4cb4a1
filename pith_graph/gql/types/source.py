"""Source: what was loaded of one kind of file, from the load rows."""

from __future__ import annotations

from datetime import datetime

import strawberry

from pith_graph.vocabulary import LoadSource


@strawberry.type(description="One file that was read into the store.")
class Load:
    """A load; its source is a ``LoadRow``."""

    source: LoadSource = strawberry.field(description="What kind of file.")
    file_name: str = strawberry.field(description="The file's name, without its folder.")
    sha256: str = strawberry.field(description="Hex SHA-256 of the file's bytes.")
    size_bytes: str = strawberry.field(
        description="The file's size in bytes, as text: it may exceed 32 bits.",
        resolver=lambda root: str(root.size_bytes),
        graphql_type=str,
    )
    started_at: datetime = strawberry.field(description="When reading began.")
    ended_at: datetime | None = strawberry.field(
        description="When it ended; null while it goes on, or where it was cut off."
    )
    records_read: int = strawberry.field(description="Records in the file.")
    records_changed: int = strawberry.field(description="Records that changed something.")
    records_refused: int = strawberry.field(description="Records that were refused.")


@strawberry.type(
    description="What was loaded of one kind of file. A kind that is not listed was never loaded."
)
class Source:
    """A source; its source object is a ``SourceRow``."""

    source: LoadSource = strawberry.field(description="What kind of file.")
    loads: int = strawberry.field(description="Files that changed something.")
    first_started_at: datetime = strawberry.field(description="When the first was read.")
    last_started_at: datetime = strawberry.field(description="When the last was read.")
    latest: Load = strawberry.field(description="The last one.")
