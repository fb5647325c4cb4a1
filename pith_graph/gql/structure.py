"""What each operation and fragment of a document amounts to, with its fragments laid open.

Each definition is walked once and fragments are summed, so that nested ones take linear time.
``gql/limits.py`` compares the totals. No schema is needed; cycles and unknown fragments are safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from pith_graph.gql.spreads import dependency_order

LARGEST_TOTAL: Final = 10**9
"""Totals stop here: fragments laid open can grow like powers."""

_INTROSPECTION_ROOTS: Final = frozenset({"__schema", "__type"})

# Lists from which further types can be reached, and so lists within lists.
_EXPANDING: Final = frozenset({"types", "fields", "interfaces", "possibleTypes", "inputFields"})

_INTROSPECTION_LISTS: Final = _EXPANDING | {"args", "enumValues", "directives"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The counts of one operation or fragment, fragments laid open, each at most 10^9.

    The attributes are those of ``gql.limits.Limits``; a fragment's ``root_fields`` are its
    outermost fields.
    """

    depth: int = 0
    aliases: int = 0
    directives: int = 0
    root_fields: int = 0
    breadth: int = 0
    introspection_lists: int = 0
    introspection_depth: int = 0


@dataclass(slots=True)
class _Level:
    """One selection set, inline fragments laid open."""

    fields: int = 0
    spreads: list[str] = field(default_factory=list)


class _Spread(NamedTuple):
    """A fragment's name, and how many fields and introspection lists are around it."""

    name: str
    depth: int
    nesting: int


@dataclass(slots=True)
class _Shape:
    """One definition by itself: counts, levels (the outermost first), and where it spreads."""

    depth: int = 0
    aliases: int = 0
    directives: int = 0
    introspection_lists: int = 0
    introspection_depth: int = 0
    levels: list[_Level] = field(default_factory=list)
    spreads: list[_Spread] = field(default_factory=list)


class _Frame(NamedTuple):
    """A selection set to be counted, and where it stands."""

    selections: SelectionSetNode
    depth: int
    level: _Level
    introspective: bool
    nesting: int


def measure(
    document: DocumentNode,
) -> Iterator[tuple[OperationDefinitionNode | FragmentDefinitionNode, Totals]]:
    """Yield what each fragment and each operation of a document amounts to, laid open."""
    fragments = {
        definition.name.value: definition
        for definition in document.definitions
        if isinstance(definition, FragmentDefinitionNode)
    }
    shapes = {name: _walk(fragment) for name, fragment in fragments.items()}
    known: dict[str, Totals] = {}
    order = dependency_order({n: [s.name for s in shape.spreads] for n, shape in shapes.items()})
    for name in order:
        known[name] = _lay_open(shapes[name], known)
        yield fragments[name], known[name]
    for definition in document.definitions:
        if isinstance(definition, OperationDefinitionNode) or (
            # Of two fragments with one name the last is laid open; the other counts by itself.
            isinstance(definition, FragmentDefinitionNode)
            and fragments[definition.name.value] is not definition
        ):
            yield definition, _lay_open(_walk(definition), known)


def _walk(definition: OperationDefinitionNode | FragmentDefinitionNode) -> _Shape:
    shape = _Shape(levels=[_Level()], directives=len(definition.directives or ()))
    introspective = False
    if isinstance(definition, FragmentDefinitionNode):
        introspective = definition.type_condition.name.value.startswith("__")
    for variable in definition.variable_definitions or ():
        shape.directives += len(variable.directives or ())
    stack = [_Frame(definition.selection_set, 1, shape.levels[0], introspective, 0)]
    while stack:
        stack.extend(_walk_frame(stack.pop(), shape))
    return shape


def _walk_frame(frame: _Frame, shape: _Shape) -> Iterator[_Frame]:
    """Count one selection set, and yield those inside it."""
    for node in frame.selections.selections:
        shape.directives += len(node.directives or ())
        if isinstance(node, FragmentSpreadNode):
            frame.level.spreads.append(node.name.value)
            shape.spreads.append(_Spread(node.name.value, frame.depth - 1, frame.nesting))
        elif isinstance(node, InlineFragmentNode):
            condition = node.type_condition.name.value if node.type_condition else ""
            inside = frame.introspective or condition.startswith("__")
            yield frame._replace(selections=node.selection_set, introspective=inside)
        elif isinstance(node, FieldNode):
            nested = _count_field(node, frame, shape)
            if nested is not None:
                yield nested


def _count_field(node: FieldNode, frame: _Frame, shape: _Shape) -> _Frame | None:
    name = node.name.value
    nesting = frame.nesting + (frame.introspective and name in _EXPANDING)
    frame.level.fields += 1
    shape.depth = max(shape.depth, frame.depth)
    shape.aliases += node.alias is not None
    shape.introspection_lists += frame.introspective and name in _INTROSPECTION_LISTS
    shape.introspection_depth = max(shape.introspection_depth, nesting)
    if node.selection_set is None:
        return None
    shape.levels.append(_Level())
    inside = frame.introspective or name in _INTROSPECTION_ROOTS
    return _Frame(node.selection_set, frame.depth + 1, shape.levels[-1], inside, nesting)


_NOTHING: Final = Totals()


def _lay_open(shape: _Shape, known: Mapping[str, Totals]) -> Totals:
    """Add to one definition's counts those of the fragments that it spreads."""
    spread = [(each, known.get(each.name, _NOTHING)) for each in shape.spreads]
    widths = [
        level.fields + sum(known.get(name, _NOTHING).root_fields for name in level.spreads)
        for level in shape.levels
    ]
    return Totals(
        depth=max(shape.depth, *(each.depth + inner.depth for each, inner in spread), 0),
        aliases=_capped(shape.aliases, (inner.aliases for _, inner in spread)),
        directives=_capped(shape.directives, (inner.directives for _, inner in spread)),
        root_fields=min(widths[0], LARGEST_TOTAL),
        breadth=min(max(widths), LARGEST_TOTAL),
        introspection_lists=_capped(
            shape.introspection_lists, (inner.introspection_lists for _, inner in spread)
        ),
        introspection_depth=max(
            shape.introspection_depth,
            *(each.nesting + inner.introspection_depth for each, inner in spread),
            0,
        ),
    )


def _capped(own: int, others: Iterable[int]) -> int:
    return min(own + sum(others), LARGEST_TOTAL)
