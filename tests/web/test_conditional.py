"""That a foretold tag never outlives its answer: all that the schema shows, over a real store.

A query of every field shows what changes by the clock alone, by the end of a load and by commits;
the fields that change without a commit must be declared as such, or the tag would match too long.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from graphql import (
    GraphQLField,
    GraphQLNamedType,
    GraphQLObjectType,
    build_schema,
    get_named_type,
    is_leaf_type,
    is_required_argument,
)
from sqlalchemy import text, update

from pith_graph.gql.schema import print_sdl
from pith_graph.store.tables import commits
from pith_graph.web.app import _CHANGING_FIELDS
from tests.asking import NOW, Asking, asking, statements
from tests.record_versions import revise
from tests.records import SEED_ID, seed, seed_path

DEPTH = 6
ROOTS = (
    f'paper(id: "{SEED_ID}")',
    f'papers(ids: ["{SEED_ID}"])',
    'work(by: {workId: "5ba66983-5cf2-456d-80cf-602f36483974"})',
    'citation(observationId: "24514ff3-c30a-4254-a4ec-ed5a690fdb0a")',
    'searchPapers(query: "learning", first: 2)',
    "changes(first: 100)",
    "sources",
    "limits",
)


def everything(*, without: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield queries that together ask for every field, each of one root field."""
    schema = build_schema(print_sdl())
    query = schema.query_type
    assert query is not None
    assert {root.partition("(")[0] for root in ROOTS} | {"node", "nodes"} == set(query.fields)
    for root in ROOTS:
        name = root.partition("(")[0]
        if name not in without:
            kind = get_named_type(query.fields[name].type)
            yield f"{{ {root} {selection(schema, kind, without, DEPTH)} }}"


def selection(schema: Any, kind: GraphQLNamedType, without: tuple[str, ...], depth: int) -> str:
    if not isinstance(kind, GraphQLObjectType):
        if is_leaf_type(kind):
            return ""
        possible = schema.get_possible_types(kind)
        on = " ".join(
            f"... on {each.name} {selection(schema, each, without, depth - 1)}"
            for each in possible
            if depth > 1
        )
        return f"{{ __typename {on} }}"
    fields = " ".join(fields_of(schema, kind, without, depth))
    return f"{{ __typename {fields} }}"


def fields_of(
    schema: Any, kind: GraphQLObjectType, without: tuple[str, ...], depth: int
) -> Iterator[str]:
    for name, field in kind.fields.items():
        target = get_named_type(field.type)
        if name in without or any(map(is_required_argument, field.args.values())):
            continue
        if is_leaf_type(target):
            # Of one name with another type elsewhere: told apart, as fields of a union must be.
            yield f"{kind.name}_{name}: {name}"
        elif depth > 1:
            paged = page_of(field)
            inner = selection(schema, target, without, depth - 1)
            yield f"{kind.name}_{name}: {name}{paged} {inner}"


def page_of(field: GraphQLField) -> str:
    return "(first: 2)" if "first" in field.args else ""


async def get(asked: Asking, query: str, **headers: str) -> Any:
    return await asked.client.get("/graphql", params={"query": query}, headers=headers)


async def data_of(asked: Asking, query: str) -> tuple[Any, str]:
    response = await get(asked, query)
    answer = response.json()
    assert "errors" not in answer, answer["errors"][:2]
    return answer["data"], response.headers["etag"]


WIDE: dict[str, Any] = {
    "max_cost": 2 * 10**9,
    "max_depth": 100,
    "max_aliases": 10**6,
    "max_query_tokens": 10**6,
}


async def test_what_is_not_declared_to_change_changes_with_neither_clock_nor_loads(
    database, ingest, write_engine
):
    await ingest(seed_path)
    queries = list(everything(without=_CHANGING_FIELDS))
    async with asking(database, **WIDE) as asked:
        first = [await data_of(asked, query) for query in queries]
    async with write_engine.begin() as connection:
        await connection.execute(
            text("UPDATE loads SET ended_at = NULL, records_read = 7, records_refused = 6")
        )
    async with asking(database, clock=lambda: NOW + timedelta(days=400), **WIDE) as asked:
        assert [await data_of(asked, query) for query in queries] == first


async def test_what_is_declared_to_change_does_and_its_tag_with_it(database, ingest, write_engine):
    await ingest(seed_path)
    record = f'{{ paper(id: "{SEED_ID}") {{ record {{ asOf }} }} }}'
    sources = "{ sources { latest { endedAt } } }"
    async with asking(database) as asked:
        first = [await data_of(asked, query) for query in (record, sources)]
        for (_, tag), query in zip(first, (record, sources), strict=True):
            assert (await get(asked, query, **{"if-none-match": tag})).status_code == 304
    async with write_engine.begin() as connection:
        await connection.execute(text("UPDATE loads SET ended_at = NULL"))
    async with asking(database, clock=lambda: NOW + timedelta(minutes=1)) as asked:
        for (data, tag), query in zip(first, (record, sources), strict=True):
            other, other_tag = await data_of(asked, query)
            assert data != other
            assert tag != other_tag


async def test_whatever_an_import_changes_changes_the_tag(database, ingest):
    await ingest(seed_path)
    queries = list(everything(without=_CHANGING_FIELDS))
    async with asking(database, **WIDE) as asked:
        before = {query: await data_of(asked, query) for query in queries}
        changed = 0
        for number in range(1, 4):
            await ingest(revise(seed(), number))
            for query in queries:
                data, tag = await data_of(asked, query)
                response = await get(asked, query, **{"if-none-match": before[query][1]})
                assert response.status_code == 200
                changed += data != before[query][0]
                before[query] = data, tag
        assert changed > 3
        await ingest(revise(seed(), 3))
        for query, (data, tag) in before.items():
            assert (await data_of(asked, query)) == (data, tag)


async def test_a_copy_that_is_good_costs_one_statement(database, ingest):
    await ingest(seed_path)
    query = f'{{ paper(id: "{SEED_ID}") {{ title outbound {{ totalCount }} }} }}'
    async with asking(database) as asked:
        _, tag = await data_of(asked, query)
        with statements() as driven:
            response = await get(asked, query, **{"if-none-match": tag})
    assert response.status_code == 304
    assert len(driven) == 1
    assert "commits" in driven[0]


async def test_another_store_at_the_same_commit_has_other_tags(database, ingest, write_engine):
    await ingest(seed_path)
    query = "{ limits { __typename } }"
    async with asking(database) as asked:
        _, tag = await data_of(asked, query)
        async with write_engine.begin() as connection:
            later = update(commits).values(committed_at=NOW)
            await connection.execute(later)
        _, other = await data_of(asked, query)
    assert tag != other


@pytest.mark.parametrize("setting", [{"max_cost": 5000}, {"max_depth": 19}])
async def test_settings_that_are_shown_change_the_tag(database, setting):
    query = "{ limits { __typename } }"
    async with asking(database) as asked:
        _, tag = await data_of(asked, query)
    async with asking(database, **setting) as asked:
        _, other = await data_of(asked, query)
    assert tag != other


async def test_a_store_without_commits_has_a_tag_until_its_first(database, ingest):
    async with asking(database) as asked:
        _, tag = await data_of(asked, "{ limits { __typename } }")
        await ingest(seed_path)
        _, other = await data_of(asked, "{ limits { __typename } }")
    assert tag != other
