"""What an operator is told of operations that are not compiled."""

from __future__ import annotations

import logging

from pith_graph.gql.execution import COMPILED
from pith_graph.gql.fallbacks import Fallbacks


def test_operations_are_counted_by_reason_and_each_reason_is_logged_once(caplog):
    caplog.set_level(logging.INFO, "pith_graph.gql.fallbacks")
    fallbacks = Fallbacks()
    for execution in ("introspection", COMPILED, "introspection", None, "a mutation"):
        fallbacks.note(execution)
    assert fallbacks.counts == {"introspection": 2, "a mutation": 1}
    assert [record.getMessage().rpartition(": ")[2] for record in caplog.records] == [
        "introspection",
        "a mutation",
    ]
