"""What a browser is shown: the GraphiQL page, the files it loads, and the way to it from ``/``.

``web/app.py`` mounts these routes; ``web/endpoint.py`` answers a browser's GET with the page.
Every address in the page is relative, so that it also works below a proxy's prefix.
"""

from __future__ import annotations

import html
import os
from functools import cache
from pathlib import Path
from string import Template
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import PathLike, StaticFiles
from starlette.types import Scope

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; "
    "font-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; "  # Monaco writes style elements and attributes
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
)
"""What the pages may load and who may frame them: this server alone, and nobody."""

PAGE_HEADERS: Final = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
    "vary": "Accept",
}
"""The headers of every HTML page."""

STATIC_DIRECTORY: Final = Path(__file__).parent / "static"
"""Where the front-end build puts its files; absent until it has run."""

_TEMPLATES = Path(__file__).parent / "templates"

# The system's own table of media types may lack these, and ``nosniff`` makes them matter.
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".txt": "text/plain; charset=utf-8",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}


@cache
def starter_query() -> str:
    """Return the GraphQL document that a newcomer finds in the editor."""
    return (_TEMPLATES / "starter.graphql").read_text(encoding="utf-8")


def graphiql_response(*, starter: str) -> HTMLResponse:
    """Render the GraphiQL page with ``starter`` in its editor.

    Where the front end is not built, the page says so and how to build it.
    """
    built = (STATIC_DIRECTORY / "graphiql.js").is_file()
    template = _template("graphiql.html" if built else "not_built.html")
    return HTMLResponse(template.substitute(starter=html.escape(starter)), headers=PAGE_HEADERS)


async def home(request: Request) -> RedirectResponse:
    """Send a visitor of ``/`` to the GraphQL endpoint."""
    return RedirectResponse(f"{request.scope.get('root_path', '')}/graphql", status_code=307)


def static_mount() -> Mount:
    """Serve the front-end build below ``/static``; 404 for everything where it is not built."""
    return Mount("/static", app=BuiltFiles(STATIC_DIRECTORY), name="static")


class BuiltFiles(StaticFiles):
    """The files of the front-end build, with their media types and caching.

    A name in ``hashed/`` changes with the content, so it is kept for a year; the rest is asked
    for again each time, and answered 304 where it is the same.
    """

    def __init__(self, directory: Path) -> None:
        super().__init__(directory=directory, check_dir=False)

    async def check_config(self) -> None:
        """Accept an absent directory: a build that comes later is served without a restart."""

    def file_response(
        self,
        full_path: PathLike,
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Answer with one file, or 304 where the client has it."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        path = Path(full_path)
        hashed = path.parent.name == "hashed"
        response.headers["cache-control"] = (
            "public, max-age=31536000, immutable" if hashed else "no-cache"
        )
        response.headers["x-content-type-options"] = "nosniff"
        # One tag for the file in every content coding.
        response.headers["etag"] = f"W/{response.headers['etag']}"
        if "content-type" in response.headers and path.suffix in _MEDIA_TYPES:
            response.headers["content-type"] = _MEDIA_TYPES[path.suffix]
        return response


@cache
def _template(name: str) -> Template:
    return Template((_TEMPLATES / name).read_text(encoding="utf-8"))
