"""The application as a server process runs it: what concerns the whole process is set here."""

from __future__ import annotations

import gc

from starlette.applications import Starlette

from pith_graph.web.app import create_app

# An answer is made of some thousand small objects, none of which refer to each other in a circle.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def create_served_app() -> Starlette:
    """Build the application from the environment's settings, and calm the garbage collector.

    The schema and the modules stay for good: they are never looked through again.
    """
    app = create_app()
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    return app
