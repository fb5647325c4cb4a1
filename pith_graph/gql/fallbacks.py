"""How many operations graphql-core executed instead of a plan, by reason; for operators.

``gql/service.py`` notes each execution. The reasons are few: they come from the schema and from
kinds of operations, not from a document's text.
"""

from __future__ import annotations

import logging
from collections import Counter

from pith_graph.gql.execution import COMPILED

_LOG = logging.getLogger(__name__)


class Fallbacks:
    """Counts the operations that were not compiled, and logs each reason once a process.

    Attributes:
        counts: The operations by reason.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def note(self, execution: str | None) -> None:
        """Take note of how an operation was executed.

        Args:
            execution: ``compiled``, or why it was not; None where nothing was executed.
        """
        if execution is None or execution == COMPILED:
            return
        self.counts[execution] += 1
        if self.counts[execution] == 1:
            _LOG.info("graphql-core executes operations that are not compiled: %s", execution)
