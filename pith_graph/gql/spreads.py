"""The order in which fragments can be summed up: each after those that it spreads.

``gql/limits.py`` and ``gql/cost.py`` sum over fragments once each, however often they are spread.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def dependency_order(spreads: Mapping[str, Sequence[str]]) -> list[str]:
    """Order fragment names so that each follows the fragments that it spreads.

    Unknown fragments are left out, and a spread that closes a cycle is ignored: validation reports
    both. Linear in the number of spreads, and without recursion.

    Args:
        spreads: The names that each fragment spreads, anywhere in it.
    """
    order: list[str] = []
    seen: set[str] = set()
    for root in spreads:
        if root in seen:
            continue
        seen.add(root)
        path: list[tuple[str, Iterator[str]]] = [(root, iter(spreads[root]))]
        while path:
            name, pending = path[-1]
            following = next((n for n in pending if n in spreads and n not in seen), None)
            if following is None:
                order.append(name)
                path.pop()
            else:
                seen.add(following)
                path.append((following, iter(spreads[following])))
    return order
