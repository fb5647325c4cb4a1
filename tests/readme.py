"""The parts of the README that are made from the code: settings, starter query and its answer.

``make readme`` writes them, ``test_drift`` compares them.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pith_graph.gql.context import open_context
from pith_graph.gql.schema import build_schema
from pith_graph.ingest.records import Ingest
from pith_graph.settings import Settings
from pith_graph.store.engine import create_read_engine, create_write_engine, parse_database_url
from pith_graph.store.migrations import upgrade
from pith_graph.web.pages import starter_query

README = Path(__file__).parent.parent / "README.md"
SEED = README.parent / "seed" / "2509.00217.citation-record.json"
SHOWN_CITATIONS = 2


def render_settings() -> str:
    """Render the settings class as a table."""
    lines = ["| variable | default | what it sets |", "|---|---|---|"]
    for name, setting in Settings.model_fields.items():
        lines.append(f"| `PITH_{name.upper()}` | `{setting.default}` | {setting.description} |")
    return "\n".join(lines)


def render_query() -> str:
    """Render the starter query as it stands in the editor, without its comments."""
    lines = [line for line in starter_query().splitlines() if not line.startswith("#")]
    return "```graphql\n" + "\n".join(lines).strip() + "\n```"


async def render_answer() -> str:
    """Render the starter query's real answer, its citations cut to the first few."""
    with tempfile.TemporaryDirectory() as folder:
        answer = await answer_starter(f"sqlite+aiosqlite:///{folder}/readme.db")
    outbound = answer["paper"]["outbound"]
    outbound["edges"] = outbound["edges"][:SHOWN_CITATIONS]
    return "```json\n" + json.dumps(answer, indent=2, ensure_ascii=False) + "\n```"


async def answer_starter(database_url: str) -> dict[str, Any]:
    """Load the seed into a new database and answer the starter query from it."""
    url = parse_database_url(database_url)
    await asyncio.to_thread(upgrade, url)
    writer = create_write_engine(url)
    await Ingest(writer, url, lambda: datetime.now(UTC)).run(str(SEED))
    await writer.dispose()
    reader = create_read_engine(url, pool_size=1)
    async with open_context(reader, Settings(), clock=lambda: datetime.now(UTC)) as context:
        result = await build_schema().execute(starter_query(), context_value=context)
    await reader.dispose()
    assert result.errors is None, result.errors
    assert result.data is not None
    return result.data


def render_parts() -> dict[str, str]:
    """Render every generated part by the name that stands in its opening comment."""
    return {
        "starter query": render_query(),
        "starter answer": asyncio.run(render_answer()),
        "settings": render_settings(),
    }


def render_readme(text: str) -> str:
    """Return the README with every generated part made anew."""
    for name, part in render_parts().items():
        opening = f"<!-- {name}: written by `make readme` -->\n"
        before, _, rest = text.partition(opening)
        _, ending, after = rest.partition("<!-- end -->")
        assert ending, f"README.md has no place for the {name}"
        text = f"{before}{opening}{part}\n{ending}{after}"
    return text


if __name__ == "__main__":
    README.write_text(render_readme(README.read_text(encoding="utf-8")), encoding="utf-8")
