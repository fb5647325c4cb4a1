"""What a query selects below a field, for functions that load only what is asked for.

Type conditions of fragments are not told apart: what any of a field's object types is asked for
counts as asked. `compiling` and `batches` work it out, once per plan and once per batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from graphql import (
    BooleanValueNode,
    DirectiveNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    InlineFragmentNode,
    SelectionSetNode,
    VariableNode,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """The fields that are selected below a field, by their names in the schema; hashable.

    Attributes:
        leaves: Those without a selection of their own, ``__typename`` not among them.
        edges: Those with one, and what is selected below each.
    """

    leaves: frozenset[str] = frozenset()
    edges: frozenset[tuple[str, Asked]] = frozenset()

    def has(self, name: str) -> bool:
        """Whether a field is selected, under whatever alias."""
        return name in self.leaves or any(edge == name for edge, _ in self.edges)

    def below(self, name: str) -> Asked:
        """Return what is selected below a field: nothing if it is not selected itself."""
        return next((asked for edge, asked in self.edges if edge == name), Asked())


_UNWANTED: Final = {"skip": True, "include": False}

Fragments: TypeAlias = Mapping[str, FragmentDefinitionNode]


def find_asked(
    nodes: Iterable[FieldNode], fragments: Fragments, variables: Mapping[str, Any]
) -> Asked:
    """Return what is selected below the nodes of one field.

    Args:
        nodes: The nodes that were merged into the field.
        fragments: All fragments of the document.
        variables: Values for the conditions of ``@skip`` and ``@include``.
    """
    leaves: set[str] = set()
    spread: set[str] = set()
    below: dict[str, list[FieldNode]] = {}
    for node in nodes:
        for one in _fields(node.selection_set, fragments, variables, spread):
            name = one.name.value
            if one.selection_set is not None:
                below.setdefault(name, []).append(one)
            elif name != "__typename":
                leaves.add(name)
    edges = ((name, find_asked(each, fragments, variables)) for name, each in below.items())
    return Asked(frozenset(leaves), frozenset(edges))


def _fields(
    selections: SelectionSetNode | None,
    fragments: Fragments,
    variables: Mapping[str, Any],
    spread: set[str],
) -> Iterator[FieldNode]:
    """Yield the fields of a selection set; fragments that are not ``spread`` yet are laid open."""
    for one in selections.selections if selections else ():
        if any(_leaves_out(each, variables) for each in one.directives or ()):
            continue
        if isinstance(one, FieldNode):
            yield one
        elif isinstance(one, InlineFragmentNode):
            yield from _fields(one.selection_set, fragments, variables, spread)
        elif isinstance(one, FragmentSpreadNode) and one.name.value not in spread:
            spread.add(one.name.value)
            opened = fragments[one.name.value].selection_set
            yield from _fields(opened, fragments, variables, spread)


def _leaves_out(directive: DirectiveNode, variables: Mapping[str, Any]) -> bool:
    """Whether a condition leaves out what it stands at."""
    name = directive.name.value
    if name not in _UNWANTED:
        return False
    (value,) = (argument.value for argument in directive.arguments or ())
    if isinstance(value, VariableNode):
        return variables.get(value.name.value) is _UNWANTED[name]
    return isinstance(value, BooleanValueNode) and value.value is _UNWANTED[name]
