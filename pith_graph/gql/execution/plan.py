"""What a plan is: each object type's fields, and where their values come from.

A plan holds for one operation and one set of values of the variables in ``@skip`` and ``@include``;
arguments that name variables are read when it runs. `compiling` makes plans, `run` executes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from graphql import (
    FieldNode,
    GraphQLField,
    GraphQLObjectType,
    GraphQLOutputType,
    get_nullable_type,
    is_leaf_type,
    is_non_null_type,
)
from graphql.execution.collect_fields import FieldDetails
from graphql.pyutils import Path
from strawberry.types.field import StrawberryField

from pith_graph.gql.execution.arguments import Arguments
from pith_graph.gql.execution.asked import Asked
from pith_graph.gql.execution.codegen import Build, Leaves, Part, make_build, make_leaves
from pith_graph.gql.execution.fields import How

OBJECTS_BEFORE_GENERATING: Final = 24
"""Objects of a selection set that are built field by field: to generate its function costs as much
as to build some 50 objects."""


@dataclass(frozen=True, eq=False)
class FieldPlan:
    """One field of one object type, resolved for all objects of a level at once.

    Attributes:
        key: The response key.
        parent: The object type.
        type: What it returns.
        how: Where its value comes from.
        field: graphql-core's definition.
        definition: Strawberry's definition.
        arguments: Reads its arguments; None if it has none.
        details: The merged nodes in graphql-core's form, to collect what is selected of it.
        selection: The plan of each object type that it may return; empty for leaves.
        asked: What is selected below it, if its resolver is for many.
        waits: Whether something in it is likely to be waited for.
        waits_below: Whether something in its objects is.
    """

    key: str
    parent: GraphQLObjectType
    type: GraphQLOutputType
    how: How
    field: GraphQLField
    definition: StrawberryField
    arguments: Arguments | None
    details: list[FieldDetails]
    selection: dict[str, ObjectPlan]
    asked: Asked | None
    waits: bool
    waits_below: bool

    @cached_property
    def field_name(self) -> str:
        """The field's name in the schema."""
        return self.nodes[0].name.value

    @cached_property
    def nodes(self) -> list[FieldNode]:
        """The merged nodes."""
        return [each.node for each in self.details]

    @cached_property
    def path(self) -> Path:
        """The path of its info: the field's, not one object's."""
        return Path(None, self.key, self.parent.name)

    @cached_property
    def leaves(self) -> Leaves | None:
        """What serialises its values if it is a leaf."""
        inner = get_nullable_type(self.type)
        if not is_leaf_type(inner):
            return None
        return make_leaves(inner, required=is_non_null_type(self.type))


@dataclass(slots=True, eq=False)
class ObjectPlan:
    """What is selected of one object type.

    Attributes:
        type: The type.
        parts: What stands under each response key, in order.
        inline: The fields that ``build`` reads itself.
        columns: The fields whose values it is handed, in order.
        checked: The fields whose infos it is handed, in order.
    """

    type: GraphQLObjectType
    parts: dict[str, Part] = field(default_factory=dict)
    inline: list[FieldPlan] = field(default_factory=list)
    columns: list[FieldPlan] = field(default_factory=list)
    checked: list[FieldPlan] = field(default_factory=list)
    _build: Build | None = None
    _met: int = 0

    def build_for(self, count: int) -> Build | None:
        """Return what builds a level of so many objects; None while it is not worth generating.

        Most queries are executed once, and few of a union's types are met in them.
        """
        self._met += count
        if self._build is None and self._met >= OBJECTS_BEFORE_GENERATING:
            self._build = make_build(self.parts)
        return self._build

    @property
    def depth(self) -> int:
        """How many levels of objects are built inline, this one included."""
        return 1 + max(
            (each.selection[name].depth for each in self.inline for name in each.selection),
            default=0,
        )

    def fields(self) -> Iterator[FieldPlan]:
        """Yield all fields at and below this level."""
        for each in (*self.inline, *self.columns):
            yield each
            for below in each.selection.values():
                yield from below.fields()


@dataclass(frozen=True, slots=True)
class OperationPlan:
    """A compiled query.

    Attributes:
        root: What is selected of the query type.
        size: The bytes that it is taken to hold.
    """

    root: ObjectPlan
    size: int
