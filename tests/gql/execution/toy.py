"""A schema with everything in it, over values of which any share is wrong.

What a field of a source gives follows from the world's seed, the field's coordinate, the source and
the arguments alone: a right value, null, an exception raised or returned, a value of a wrong type,
each at once or awaited. So two executions of one operation in equal worlds must agree.
"""

# mypy: disable-error-code="no-any-return, untyped-decorator"
# Resolvers return what the test makes, and Strawberry types some decorators as Any.

from __future__ import annotations

import asyncio
import enum
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Annotated, Any, NewType

import strawberry
from graphql import (
    GraphQLEnumType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    Undefined,
    is_abstract_type,
)
from strawberry.schema.config import StrawberryConfig

from pith_graph.gql.execution import Asked, for_many
from pith_graph.read.loader import Loader

WORLD: ContextVar[World] = ContextVar("world")


class FieldFailedError(Exception):
    """What a resolver of the world raises."""


class Source:
    """An object of the world: its attributes are values of the world, the same at each reading."""

    def __init__(self, kind: str, number: int) -> None:
        self.kind = kind
        self.number = number

    def __repr__(self) -> str:
        return f"{self.kind}-{self.number}"

    def __getattr__(self, name: str) -> Any:
        coordinate = f"{self.kind}.{name}"
        if coordinate not in ATTRIBUTES:
            raise AttributeError(f"{self!r} has no {name}")
        return WORLD.get().kept(coordinate, self)


class Later:
    """An awaitable that may be awaited several times."""

    def __init__(self, value: Any, *, raised: Exception | None = None) -> None:
        self._value = value
        self._raised = raised

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from asyncio.sleep(0).__await__()
        if self._raised is not None:
            raise self._raised
        return self._value

    def __repr__(self) -> str:
        return "later"


class Many:
    """A list that may be read several times, at once or asynchronously, and may break off."""

    def __init__(self, items: Sequence[Any], *, broken: bool) -> None:
        self._items = items
        self._broken = broken

    def __iter__(self) -> Iterator[Any]:
        yield from self._items
        if self._broken:
            raise FieldFailedError("the list broke off")

    def __repr__(self) -> str:
        return "many"


class ManyLater(Many):
    """The same, asynchronous."""

    async def __aiter__(self) -> AsyncIterator[Any]:
        for item in self:
            await asyncio.sleep(0)
            yield item


@dataclass
class World:
    """The values of all fields.

    Args:
        seed: Of the choices.
        wrong: The share of values that are wrong in some way.
    """

    seed: int
    wrong: float

    def __post_init__(self) -> None:
        self.sources = {
            name: [Source(name, number) for number in range(3)]
            for name in ("Cat", "Dog", "Fish", "Leafy", "Deep")
        }
        self.rocks = [Rock(name=f"rock {number}", weight=number) for number in range(2)]
        self._kept: dict[tuple[str, int], Any] = {}
        self.loader: Loader[tuple[str, str], Any] = Loader(self._load, missing=None)

    async def _load(self, keys: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Any]:
        await asyncio.sleep(0)
        return {key: self.give(*key) for key in keys if Random(repr(key)).random() < 0.9}

    def kept(self, coordinate: str, source: Source) -> Any:
        """Return an attribute's value."""
        key = (coordinate, id(source))
        if key not in self._kept:
            self._kept[key] = self.give(coordinate, source)
        return self._kept[key]

    def give(self, coordinate: str, source: Any, **arguments: Any) -> Any:
        """Return a field's value, right or wrong."""
        random = Random(f"{self.seed} {coordinate} {source!r} {arguments!r}")
        return self._value(type_of(coordinate), random)

    def call(self, coordinate: str, source: Any, **arguments: Any) -> Any:
        """Return a field's value or raise."""
        random = Random(f"raised {self.seed} {coordinate} {source!r} {arguments!r}")
        if random.random() < self.wrong / 2:
            raise FieldFailedError(f"{coordinate} of {source!r} failed")
        return self.give(coordinate, source, **arguments)

    def _value(self, type_: GraphQLOutputType, random: Random) -> Any:
        if random.random() < self.wrong:
            return self._wrong_value(type_, random)
        if isinstance(type_, GraphQLNonNull):
            return self._right_value(type_.of_type, random)
        return None if random.random() < 0.15 else self._right_value(type_, random)

    def _wrong_value(self, type_: GraphQLOutputType, random: Random) -> Any:
        right = type_.of_type if isinstance(type_, GraphQLNonNull) else type_
        anything: list[Callable[[], Any]] = [
            lambda: None,
            lambda: Undefined,
            lambda: FieldFailedError("returned"),
            lambda: Later(self._right_value(right, random)),
            lambda: Later(None, raised=FieldFailedError("raised later")),
        ]
        of_no_such_type: list[Callable[[], Any]] = [
            lambda: 7.5,
            lambda: "word",
            lambda: {"a": 1},
            lambda: Source("Stranger", 1),
            *(partial(random.choice, sources) for sources in self.sources.values()),
        ]
        return random.choice(random.choice((anything, of_no_such_type)))()

    def _right_value(self, type_: GraphQLOutputType, random: Random) -> Any:
        if isinstance(type_, GraphQLList):
            if random.random() < self.wrong:
                # Before its first item: else it is a race which of the failures takes the list.
                return random.choice((Many, ManyLater))([], broken=True)
            length = random.choice((0, 1, 2, 3))
            items = [self._value(type_.of_type, random) for _ in range(length)]
            return random.choice((list, list, tuple, _many, _many_later))(items)
        if is_abstract_type(type_):
            names = POSSIBLE[type_.name]
            return self._object(random.choice(names), random)
        if isinstance(type_, GraphQLObjectType):
            return self._object(type_.name, random)
        if isinstance(type_, GraphQLEnumType):
            return random.choice(list(Color))
        return random.choice(RIGHT[str(type_)])

    def _object(self, name: str, random: Random) -> Any:
        return random.choice(self.rocks if name == "Rock" else self.sources[name])


def _many(items: list[Any]) -> Many:
    return Many(items, broken=False)


def _many_later(items: list[Any]) -> Many:
    return ManyLater(items, broken=False)


@strawberry.enum
class Color(enum.Enum):
    RED = "red"
    GREEN = "green"
    DARK_BLUE = 3


Even = NewType("Even", int)


def _even(value: Any) -> Any:
    if value == 0:
        return None
    if not isinstance(value, int) or value % 2:
        raise ValueError(f"{value!r} is not even")
    return value


RIGHT: dict[str, tuple[Any, ...]] = {
    "Int": (0, 5, -2147483648, 2147483647, 2147483648, True, "12", 4.0),
    "Float": (0.5, -1.0, 3, float("inf"), float("nan"), "2.5"),
    "String": ("", "text", "Ünï", 3, True, 1.5),
    "ID": ("id", 7),
    "Boolean": (True, False, 1, "yes"),
    "Even": (2, 4, 0, 3),
}


@strawberry.input
class Size:
    width: int = 1
    height: int | None = strawberry.UNSET
    tags: list[str] | None = None


@strawberry.input
class Filter:
    color: Color
    size: Size = strawberry.field(default_factory=Size)
    sizes: list[Size] | None = None


@strawberry.input(one_of=True)
class By:
    id: strawberry.ID | None = strawberry.UNSET
    number: int | None = strawberry.UNSET


def give(coordinate: str, source: Any, **arguments: Any) -> Any:
    return WORLD.get().call(coordinate, source, **arguments)


async def give_later(coordinate: str, source: Any, **arguments: Any) -> Any:
    for _ in range(Random(f"{coordinate}{source!r}").randint(0, 2)):
        await asyncio.sleep(0)
    return give(coordinate, source, **arguments)


def names(asked: Asked) -> list[Any]:
    """Return what is asked in an order that is always the same."""
    return [sorted(asked.leaves), sorted((name, names(below)) for name, below in asked.edges)]


def _outcome(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except FieldFailedError as error:
        return error


LazyNamed = Annotated["Named", strawberry.lazy("tests.gql.execution.toy")]
LazyThing = Annotated["Thing", strawberry.lazy("tests.gql.execution.toy")]


@strawberry.type
class Leafy:
    """Attributes only, so that generated code reads all of it."""

    number: int
    share: float | None
    text: str
    maybe_text: str | None
    id: strawberry.ID
    flag: bool
    color: Color
    maybe_color: Color | None
    even: Even
    maybe_even: Even | None
    words: list[str]
    leafy: Leafy | None
    sure_leafy: Leafy


@strawberry.type
class Deep:
    """Lists of all nestings, by attribute."""

    a: list[str | None] | None
    b: list[list[str]]
    c: list[list[str | None] | None] | None
    d: list[Leafy]
    e: list[Leafy | None] | None
    f: list[list[Leafy]] | None
    g: list[Color]
    h: list[list[Even] | None]
    deep: Deep | None
    deeps: list[Deep]

    @strawberry.field
    def named(parent: strawberry.Parent[Any]) -> list[LazyNamed]:  # noqa: N805
        return give("Deep.named", parent)

    @strawberry.field
    def leafy(self) -> Leafy | None:
        return give("Deep.leafy", self)


@strawberry.interface
class Named:
    name: str

    @strawberry.field
    def friend(parent: strawberry.Parent[Any]) -> LazyNamed | None:  # noqa: N805
        return give("Named.friend", parent)

    @strawberry.field
    async def sure_friend(self) -> LazyNamed:
        return await give_later("Named.sureFriend", self)


@strawberry.type
class Cat(Named):
    leafy: Leafy
    maybe_leafy: Leafy | None
    deep: Deep
    cat: Cat | None

    @classmethod
    def is_type_of(cls, source: Any, _info: Any) -> bool:
        if getattr(source, "kind", "") == "Stranger":
            raise FieldFailedError("a stranger")
        return getattr(source, "kind", "") == "Cat"

    @strawberry.field
    def by_root(root: Any, info: strawberry.Info, wanted: Filter | None = None) -> int | None:  # noqa: N805
        assert info.field_name == "byRoot"
        return give("Cat.byRoot", root, wanted=wanted)

    @strawberry.field
    async def loaded(self, first: int = 3, by: By | None = None) -> list[LazyThing | None]:
        return await WORLD.get().loader.load(("Cat.loaded", f"{self!r} {first} {by!r}"))

    @strawberry.field(graphql_type=LazyThing | None)
    def promised(self) -> Awaitable[Any]:
        return WORLD.get().loader.load(("Cat.promised", repr(self)))

    @strawberry.field(graphql_type=list[LazyNamed] | None)
    @for_many
    async def batch(
        parents: Sequence[Any],  # noqa: N805
        info: strawberry.Info,
        first: int | None = None,
        *,
        asked: Asked,
    ) -> list[Any]:
        assert isinstance(info, strawberry.Info)
        await asyncio.sleep(0)
        wanted = {"first": first, "asked": names(asked)}
        return [_outcome(lambda p=parent: give("Cat.batch", p, **wanted)) for parent in parents]  # type: ignore[misc]


@strawberry.type
class Dog(Named):
    leafy: list[Leafy | None]

    @classmethod
    def is_type_of(cls, source: Any, _info: Any) -> Any:
        return 1 if getattr(source, "kind", "") == "Dog" else ""

    @strawberry.field
    async def things(self, colors: list[Color] | None = None) -> list[list[LazyThing]] | None:
        return await give_later("Dog.things", self, colors=colors)

    @strawberry.field
    async def barks(self) -> AsyncIterator[str]:
        yield "woof"
        await asyncio.sleep(0)
        yield give("Dog.bark", self)


@strawberry.type
class Fish(Named):
    even: Even | None

    @classmethod
    async def is_type_of(cls, source: Any, _info: Any) -> bool:
        await asyncio.sleep(0)
        return getattr(source, "kind", "") == "Fish"


@strawberry.type
class Rock:
    name: str
    weight: int

    def __repr__(self) -> str:
        return self.name


Thing = Annotated[Cat | Dog | Rock, strawberry.union("Thing")]

ATTRIBUTES: set[str] = set()
POSSIBLE = {"Named": ("Cat", "Dog", "Fish"), "Thing": ("Cat", "Dog", "Rock")}


@strawberry.type
class Query:
    @strawberry.field
    def cat(self) -> Cat | None:
        return give("Query.cat", "root")

    @strawberry.field
    async def sure_dog(self) -> Dog:
        return await give_later("Query.sureDog", "root")

    @strawberry.field
    def fishes() -> list[Fish | None] | None:
        return give("Query.fishes", "root")

    @strawberry.field
    def deep(self) -> Deep | None:
        return give("Query.deep", "root")

    @strawberry.field
    def leafies(self) -> list[Leafy]:
        return give("Query.leafies", "root")

    @strawberry.field
    async def cats(self) -> list[Cat | None] | None:
        return await give_later("Query.cats", "root")

    @strawberry.field
    async def named(self, info: strawberry.Info) -> list[Named | None]:
        assert info.field_name == "named"
        return await give_later("Query.named", "root")

    @strawberry.field
    def things(self, wanted: Filter | None = None, by: By | None = None) -> list[Thing | None]:
        return give("Query.things", "root", wanted=wanted, by=by)

    @strawberry.field
    def number(self, even: Even = Even(2), of: list[list[int]] | None = None, n: float = 1) -> int:
        return give("Query.number", "root", even=even, of=of, n=n)


POOLS = {"Even": (2, 4), "Size": ({}, {"width": 2, "height": None}, {"tags": ["a", "b"]})}


class Silent(strawberry.Schema):
    def process_errors(self, *_: Any) -> None:
        pass


def build_schema(*extensions: Any) -> strawberry.Schema:
    scalar = strawberry.scalar(name="Even", serialize=_even, parse_value=_even)
    config = StrawberryConfig(scalar_map={Even: scalar})
    return Silent(Query, types=[Cat, Dog, Fish], config=config, extensions=extensions)


@cache
def core_schema() -> GraphQLSchema:
    return build_schema()._schema  # noqa: SLF001  # no public name


@cache
def type_of(coordinate: str) -> GraphQLOutputType:
    """Return the type of what a field gives."""
    if coordinate == "Dog.bark":
        return GraphQLNonNull(core_schema().type_map["String"])  # type: ignore[arg-type]
    parent, name = coordinate.split(".")
    words = name.split("_")
    camel = words[0] + "".join(word.title() for word in words[1:])
    type_: GraphQLOutputType = core_schema().type_map[parent].fields[camel].type  # type: ignore[attr-defined]
    return type_


ATTRIBUTES |= {
    f"{type_.__name__}.{one.python_name}"
    for type_ in (Leafy, Deep, Cat, Dog, Fish)
    for one in type_.__strawberry_definition__.fields  # type: ignore[union-attr]
    if one.base_resolver is None
}
