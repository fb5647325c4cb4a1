"""Generating the functions in which most of the time is spent: those that touch every value.

`make_build` makes the function that builds a level's dictionaries, `make_leaves` the one that
serialises a list of leaves. They know only values that are as they should be. Whatever else comes
raises, and `run` goes through that level again value by value, as the specification says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from types import GeneratorType
from typing import Any, Final, NoReturn, TypeAlias

from graphql import (
    GraphQLBoolean,
    GraphQLEnumType,
    GraphQLFloat,
    GraphQLID,
    GraphQLInt,
    GraphQLLeafType,
    GraphQLString,
    Undefined,
)
from graphql.pyutils import is_awaitable

Build = Callable[[Sequence[Any], Sequence[Sequence[Any]], Sequence[Any]], list[Any]]
"""From sources, columns and infos to dictionaries."""

Leaves = Callable[[Sequence[Any]], list[Any]]
"""From values to what they are in the answer."""

MOST_NESTED: Final = 8
"""Levels of objects that one function builds; Python's parser allows no deep nesting."""

_MOST_KINDS: Final = 64


@dataclass(frozen=True, slots=True)
class Constant:
    """A text that is the same in all objects."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """A field whose values are handed over: the columns come in the order of these."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf that is an attribute."""

    attribute: str
    type: GraphQLLeafType
    required: bool


@dataclass(frozen=True, slots=True)
class Nested:
    """An object that is an attribute, with nothing to wait for in it.

    Attributes:
        is_type_of: Says whether it is of its type; called with the source and an info. The infos
            come in the order of the nested objects that have it, outer before inner.
    """

    attribute: str
    required: bool
    is_type_of: Callable[[Any, Any], Any] | None
    parts: Mapping[str, Part]


Part: TypeAlias = Constant | Column | Leaf | Nested


class UnexpectedValueError(Exception):
    """A generated function met a value that it does not know."""


def make_build(parts: Mapping[str, Part]) -> Build:
    """Generate the function that builds the dictionaries of one selection set."""
    writer = _Writer()
    row = writer.object("source", parts)
    loop = ", ".join(["source", *writer.columns])
    iterated = "zip(sources, *columns)" if writer.columns else "sources"
    lines = [
        "def build(sources, columns, infos):",
        "    built = []",
        "    append = built.append",
        *(f"    {name} = infos[{index}]" for index, name in enumerate(writer.infos)),
        f"    for {loop}, in {iterated}:" if writer.columns else f"    for source in {iterated}:",
        f"        append({row})",
        "    return built",
    ]
    build: Build = writer.compile(lines)["build"]
    return build


@lru_cache(maxsize=256)
def make_leaves(type_: GraphQLLeafType, *, required: bool) -> Leaves:
    """Generate the function that serialises a list of leaves."""
    writer = _Writer()
    lines = [
        "def leaves(values):",
        "    built = []",
        "    append = built.append",
        "    for value in values:",
        f"        append({writer.leaf('value', type_, required=required)})",
        "    return built",
    ]
    leaves: Leaves = writer.compile(lines)["leaves"]
    return leaves


class _Writer:
    """Writes expressions, and keeps the objects that they name."""

    def __init__(self) -> None:
        self.columns: list[str] = []
        self.infos: list[str] = []
        kinds = _Kinds()
        self._scope: dict[str, Any] = {
            "Undefined": Undefined,
            "kinds": kinds,
            "admit": kinds.admit,
            "fail": _fail,
        }
        self._names = 0

    def compile(self, lines: Sequence[str]) -> dict[str, Any]:
        """Run the lines and return what they define."""
        code = compile("\n".join(lines), "<selection set>", "exec")
        exec(code, self._scope)  # noqa: S102  # keys and attributes are checked to be plain names
        return self._scope

    def object(self, source: str, parts: Mapping[str, Part]) -> str:
        """Write the dictionary of an object."""
        items = [f"{_checked(key)!r}: {self._part(source, part)}" for key, part in parts.items()]
        return "{" + ", ".join(items) + "}"

    def leaf(self, read: str, type_: GraphQLLeafType, *, required: bool) -> str:
        """Write a serialised leaf."""
        value = self._name("value")
        if required:
            return self._serialised(value, f"({value} := {read})", type_)
        rest = self._serialised(value, value, type_)
        return f"(None if ({value} := {read}) is None else {rest})"

    def _part(self, source: str, part: Part) -> str:
        if isinstance(part, Constant):
            return repr(_checked(part.text))
        if isinstance(part, Column):
            self.columns.append(self._name("column"))
            return self.columns[-1]
        read = f"{source}.{_checked(part.attribute)}"
        if isinstance(part, Leaf):
            return self.leaf(read, part.type, required=part.required)
        return self._nested(read, part)

    def _nested(self, read: str, nested: Nested) -> str:
        """Write the dictionary of an object that is an attribute."""
        value = self._name("value")
        subject = f"({value} := {read})" if nested.required else value
        fits = self._admitted(value, subject)
        if nested.is_type_of is not None:
            self.infos.append(self._name("info"))
            check = self._add("is_type_of", nested.is_type_of)
            fits += f" and ({check}({value}, {self.infos[-1]}) is True or fail({value}))"
        built = f"{self.object(value, nested.parts)} if {fits} else None"
        if nested.required:
            return f"({built})"
        return f"(None if ({value} := {read}) is None else {built})"

    def _admitted(self, value: str, subject: str) -> str:
        """Write the test that a value is there: no null, exception or awaitable."""
        return f"(type({subject}) in kinds or admit({value}))"

    def _serialised(self, value: str, read: str, type_: GraphQLLeafType) -> str:
        """Write a leaf that is not null; ``read`` assigns ``value``."""
        if type_ in _EXACT:
            kind, test = _EXACT[type_]
            return f"({value} if type({read}) is {kind}{test.format(value)} else fail({value}))"
        if isinstance(type_, GraphQLEnumType):
            names = self._add("names", _names_of(type_))
            kind = self._add("kind", getattr(type_, "wrapped_cls", None))
            return f"({names}[{value}] if type({read}) is {kind} else fail({value}))"
        serialise = self._add("serialise", type_.coerce_output_value)
        done = self._name("done")
        written = (
            f"{done} if ({done} := {serialise}({value})) is not None and {done} is not Undefined "
            f"else fail({value})"
        )
        if type_.coerce_output_value is str:
            # A string is its own serialisation; to call `str` would only cost time.
            rest = f"({written}) if {self._admitted(value, value)} else None"
            return f"({value} if type({read}) is str else {rest})"
        return f"(({written}) if {self._admitted(value, read)} else None)"

    def _add(self, prefix: str, value: Any) -> str:
        name = self._name(prefix)
        self._scope[name] = value
        return name

    def _name(self, prefix: str) -> str:
        self._names += 1
        return f"{prefix}_{self._names}"


_EXACT: Final[Mapping[GraphQLLeafType, tuple[str, str]]] = {
    GraphQLString: ("str", ""),
    GraphQLID: ("str", ""),
    GraphQLBoolean: ("bool", ""),
    GraphQLInt: ("int", " and -2147483648 <= {0} <= 2147483647"),
    GraphQLFloat: ("float", " and {0} - {0} == 0.0"),
}
"""The Python type of a leaf that is its own serialisation, and what else must hold."""


class _Kinds(set[type]):
    """The types of the values met so far that are neither null, exceptions nor awaitables."""

    def admit(self, value: Any) -> bool:
        """Take in the type of a value.

        Raises:
            UnexpectedValueError: It is not one to go on with.
        """
        if value is None or value is Undefined or isinstance(value, Exception):
            _fail(value)
        if is_awaitable(value):
            _fail(value)
        if len(self) < _MOST_KINDS and not isinstance(value, GeneratorType):
            self.add(type(value))
        return True


def _names_of(type_: GraphQLEnumType) -> dict[Any, str]:
    """Return the names of the members that have one."""
    members: type[Enum] | None = getattr(type_, "wrapped_cls", None)
    names: dict[Any, str] = {}
    for member in members or ():
        with suppress(Exception):
            names[member] = type_.coerce_output_value(member)
    return names


def _fail(value: Any) -> NoReturn:
    raise UnexpectedValueError(f"a value of {type(value)}")


def _checked(name: str) -> str:
    """Return a name that generated code may hold as it is.

    Raises:
        ValueError: It is not a plain name.
    """
    if not (name.isidentifier() and name.isascii()):
        raise ValueError(f"{name!r} is not a name; expected letters, digits and underscores")
    return name
