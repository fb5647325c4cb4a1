"""Plans count against the cache of documents, and go with their document."""

from __future__ import annotations

from pith_graph.gql.documents import DocumentCache
from pith_graph.gql.execution.executing import Refusal
from pith_graph.gql.plans import MOST_PLANS, DocumentPlans
from pith_graph.gql.schema import build_schema
from pith_graph.settings import Settings


def cache(most: int) -> DocumentCache:
    return DocumentCache(build_schema()._schema, Settings(document_cache_bytes=most))  # noqa: SLF001  # no public name


def test_the_oldest_plan_makes_room_for_a_new_one():
    plans = DocumentPlans()
    for number in range(MOST_PLANS + 3):
        plans[number] = Refusal("no", size=10)
    assert len(plans) == MOST_PLANS
    assert plans.get(2) is None
    assert plans.get(3) is not None
    assert plans.size == 10 * MOST_PLANS


def test_a_plan_that_takes_the_place_of_another_is_counted_once():
    plans = DocumentPlans()
    plans["a"] = Refusal("no", size=10)
    plans["a"] = Refusal("no", size=30)
    assert (len(plans), plans.size) == (1, 30)


def test_plans_push_out_the_documents_that_were_used_least_recently():
    documents = cache(100_000)
    first, second = documents.get("{ a: __typename }"), documents.get("{ b: __typename }")
    before = documents.size
    second.plans["plan"] = Refusal("no", size=1_000)
    assert documents.size == before + 1_000
    second.plans["other"] = Refusal("no", size=100_000 - before)
    assert documents.size <= 100_000
    assert documents.get(second.text) is second
    assert documents.get(first.text) is not first


def test_a_plan_of_a_document_that_was_dropped_is_no_longer_counted():
    documents = cache(20_000)
    dropped = documents.get("{ a: __typename }")
    dropped.plans["plan"] = Refusal("no", size=30_000)
    assert (len(documents), documents.size) == (0, 0)
    dropped.plans["later"] = Refusal("no", size=30_000)
    assert documents.size == 0
