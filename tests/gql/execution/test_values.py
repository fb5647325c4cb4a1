"""Completing values: objects must be of their type."""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import strawberry

from pith_graph.gql.execution import plan as plans
from pith_graph.gql.execution.extension import CompiledExecution
from tests.gql.execution.toy import Silent


async def later(value: bool) -> bool:  # noqa: FBT001  # what is_type_of returns
    await asyncio.sleep(0)
    return value


FITS: dict[str, Any] = {
    "bool": lambda source: source != "stranger",
    "truth": lambda source: "" if source == "stranger" else "yes",
    "raised": lambda source: {"a": True, "b": True}[source],
    "later": lambda source: later(source != "stranger"),
}


@strawberry.type
class Strict:
    @classmethod
    def is_type_of(cls, source: Any, info: Any) -> Any:
        return FITS[info.context](source)

    @strawberry.field
    def text(parent: strawberry.Parent[Any]) -> str:  # noqa: N805
        return parent


@strawberry.type
class Query:
    @strawberry.field
    def all(root: Any) -> list[Strict | None]:  # noqa: N805
        return root


CORE = Silent(Query)
COMPILED = Silent(Query, extensions=[lambda: CompiledExecution(plans=dict)])


@pytest.mark.parametrize("before", [0, 10**9], ids=["generated", "field by field"])
@pytest.mark.parametrize("way", FITS)
async def test_an_object_of_another_type_is_an_error_and_the_rest_is_built(
    way, before, monkeypatch
):
    monkeypatch.setattr(plans, "OBJECTS_BEFORE_GENERATING", before)
    options: dict[str, Any] = {"root_value": ["a", "stranger", "b"], "context_value": way}
    ours = await COMPILED.execute("{ all { text } }", **options)
    theirs = await CORE.execute("{ all { text } }", **options)
    assert ours.data == {"all": [{"text": "a"}, None, {"text": "b"}]}
    assert ours.data == theirs.data
    assert [(each.path, each.message) for each in ours.errors or ()] == [
        (each.path, each.message) for each in theirs.errors or ()
    ]
    assert len(ours.errors or ()) == 1
