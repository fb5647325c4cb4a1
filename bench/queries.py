"""The questions of the benchmarks, in each server's own words, and the requests that ask them.

The same papers are asked of all, and the same facts: keys, titles, links, notices and receipts.
PostGraphile and Datasette name things as the tables do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import orjson

_ENTRY = """
fragment Entry on Citation {
  referenceIndex
  observationId
  sourceObservedAt
  resolution { status resolverSource observedAt }
  citedWork { workId title year doi }
  standingNotice {
    state
    reason
    checkedAt
    events { kind noticeDoi occurredOn }
    sourceReceipts { source observedAt }
  }
}
"""
ONE_HOP = f"""
query OneHop($id: String!) {{
  paper(id: $id) {{
    arxivId
    title
    outbound(first: 100) {{ edges {{ node {{ ...Entry citedPaper {{ arxivId title }} }} }} }}
  }}
}}
{_ENTRY}"""
TWO_HOPS = f"""
query TwoHops($id: String!) {{
  paper(id: $id) {{
    arxivId
    title
    outbound(first: 100) {{ edges {{ node {{ ...Entry citedPaper {{
      arxivId
      title
      outbound(first: 100) {{ edges {{ node {{ ...Entry citedPaper {{ arxivId title }} }} }} }}
    }} }} }} }}
  }}
}}
{_ENTRY}"""
# Without times: SQLite holds them as integers of 64 bits, which datasette-graphql cannot serve.
LEAVES = """
query Leaves($id: String!) {
  paper(id: $id) { outbound(first: 100) { edges { node {
    referenceIndex
    subIndex
    source
    citedAs { title year venue doi arxivId }
  } } } }
}
"""
_INBOUND_PAGE = """{
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      edges { node { observationId sourceObservedAt citingPaper { arxivId title } } }
    }"""
INBOUND = f"""
query Inbound($id: String!) {{
  paper(id: $id) {{ arxivId inbound(first: 20) {_INBOUND_PAGE} }}
}}
"""
INBOUND_LAST = INBOUND.replace("first: 20", "last: 20")
INBOUND_TOTAL = "query Total($id: String!) { paper(id: $id) { inbound(first: 0) { totalCount } } }"
SEARCH = """
query Search($words: String!) {
  searchPapers(query: $words, first: 20) { edges { rank node { arxivId title } } }
}
"""

FREQUENT = SEARCH.replace("Search($words: String!)", "Frequent").replace("$words", '"learning"')

_PG_ENTRY = """
fragment Entry on PaperReference {
  referenceIndex
  observationId
  sourceObservedAt
  paperReferenceLinkByReferenceId {
    status
    resolverSource
    resolvedAt
    citedWorkByCitedWorkId {
      workId
      title
      year
      doi
      scholarlyWorkEventsByCitedWorkId { nodes { kind noticeDoi occurredOn } }
      retractionStatusCachesByCitedWorkId { nodes { source observedAt } }
    }
  }
}
"""
_PG_RECEIPTS = """allRetractionStatusCaches(condition: {citedWorkId: null, paperId: null}) {
    nodes { source observedAt }
  }"""
_PG_LIST = "paperReferencesByCitingPaperId(first: 100, orderBy: [REFERENCE_INDEX_ASC])"
PG_ONE_HOP = f"""
query OneHop($id: String!) {{
  {_PG_RECEIPTS}
  paperByArxivId(arxivId: $id) {{
    arxivId
    title
    {_PG_LIST} {{ nodes {{ ...Entry paperByCitedPaperId {{ arxivId title }} }} }}
  }}
}}
{_PG_ENTRY}"""
PG_TWO_HOPS = f"""
query TwoHops($id: String!) {{
  {_PG_RECEIPTS}
  paperByArxivId(arxivId: $id) {{
    arxivId
    title
    {_PG_LIST} {{ nodes {{ ...Entry paperByCitedPaperId {{
      arxivId
      title
      {_PG_LIST} {{ nodes {{ ...Entry paperByCitedPaperId {{ arxivId title }} }} }}
    }} }} }}
  }}
}}
{_PG_ENTRY}"""
DATASETTE_LEAVES = """
query Leaves($key: Int!) {
  paper_references(filter: {citing_paper_id: {eq: $key}}, first: 100) { nodes {
    reference_index
    sub_index
    source
    title
    year
    venue
    doi
    arxiv_id
  } }
}
"""


@dataclass(frozen=True, slots=True)
class Subject:
    """What a question is about.

    Attributes:
        key: A paper's integer id.
        arxiv_id: Its arXiv id.
        words: Words of its title, to search for.
    """

    key: int
    arxiv_id: str
    words: str


Body = Callable[[Subject], bytes]


def body(query: str, variables: Callable[[Subject], dict[str, Any]]) -> Body:
    """Return what makes the request body of a query about a subject."""
    return lambda subject: orjson.dumps({"query": query, "variables": variables(subject)})


def by_id(query: str) -> Body:
    """Return the body of a query by arXiv id."""
    return body(query, lambda subject: {"id": subject.arxiv_id})


def by_key(query: str) -> Body:
    """Return the body of a query by integer id."""
    return body(query, lambda subject: {"key": subject.key})


def by_nothing(query: str) -> Body:
    """Return the body of a query that is the same for all."""
    return body(query, lambda _subject: {})


def by_words(query: str) -> Body:
    """Return the body of a search."""
    return body(query, lambda subject: {"words": subject.words})
