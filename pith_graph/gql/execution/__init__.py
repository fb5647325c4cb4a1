"""Compiled execution of GraphQL queries for Strawberry schemas, level by level.

Usage::

    plans = {}  # of one document; where documents are many, keep each one's beside it
    schema = strawberry.Schema(Query, extensions=[lambda: CompiledExecution(plans=lambda: plans)])

A query is compiled once into a plan: one generated function per selection set builds the
dictionaries of all objects of a level, and each field is resolved for all of them before anything
is waited for. Data and errors are graphql-core's, and what is not compiled is left to it:
``extensions["execution"]`` of the result says ``compiled`` or why not.

Resolvers stay as they are. One whose value can be had for many objects at once is written so::

    @strawberry.field(graphql_type=Author | None)
    @for_many
    async def author(books: Sequence[BookRow], info: Info, *, asked: Asked) -> list[AuthorRow]:
        keys = [book.author_key for book in books]
        return await info.context.authors(keys, with_biography=asked.has("biography"))

It is called once a level, under graphql-core too. ``asked``, which may be left out, tells what the
query selects below the field.

A server that parses and validates by itself calls ``execute_compiled`` and saves Strawberry's way
there; where that raises ``NotCompiledError``, ``schema.execute`` answers.

The parts: `extension` is the hook and `executing` what it calls, `compiling` makes a `plan` with
`fields`, `arguments` and `codegen`, `run` executes it with `values`, `outcomes`, `places` and
`awaiting`; `many`, `asked` and `batches` are ``for_many``.
"""

from pith_graph.gql.execution.asked import Asked
from pith_graph.gql.execution.executing import Question, execute_compiled
from pith_graph.gql.execution.extension import COMPILED, CompiledExecution
from pith_graph.gql.execution.fields import NotCompiledError
from pith_graph.gql.execution.many import for_many

__all__ = [
    "COMPILED",
    "Asked",
    "CompiledExecution",
    "NotCompiledError",
    "Question",
    "execute_compiled",
    "for_many",
]
