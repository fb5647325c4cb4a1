"""A problem in a record: where it is and what is wrong, and how several become one refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pith_graph.errors import RecordRefusedError, shorten
from pith_graph.sources.record_json import WHOLE

MOST_REPORTED = 5
"""Problems that one refusal spells out; the rest is counted."""

_PLAIN_KEY = re.compile(r"[A-Za-z0-9_]{1,60}")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong at one place of a record, such as ``outbound[3].citation.source``."""

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}"


def build_refusal(problems: Sequence[Problem]) -> RecordRefusedError:
    """Make one refusal of one or more problems: its place is the first one's."""
    first, *others = problems[:MOST_REPORTED]
    reason = "; ".join([first.reason, *map(str, others)])
    if (rest := len(problems) - MOST_REPORTED) > 0:
        reason += f"; and {rest} more"
    return RecordRefusedError(first.place, reason)


def read_problems(error: ValidationError) -> list[Problem]:
    """List what pydantic found, in the record's order, in this project's words."""
    details = error.errors(include_url=False)
    return [Problem(render_place(detail["loc"]), _explain(detail)) for detail in details]


def render_place(path: Sequence[int | str]) -> str:
    """Render a path of keys and list positions: ``outbound[3].citation.source``."""
    place = ""
    for step in path:
        if isinstance(step, int):
            place += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            place += f".{step}" if place else step
        else:
            place += f"[{shorten(step)}]"
    return place or WHOLE


def _explain(detail: ErrorDetails) -> str:
    kind = detail["type"]
    if kind == "missing":
        return f"the key {shorten(detail['loc'][-1])} is missing"
    if kind == "extra_forbidden":
        return f"the key {shorten(detail['loc'][-1])} is unknown"
    if kind == "value_error":
        return str(detail["ctx"]["error"])
    if kind == "string_unicode":
        return f"{shorten(detail['input'])} has half of a surrogate pair, which is no text"
    message = detail["msg"].replace("Input should be ", "expected ").replace("model_type", "object")
    return f"{message}, found {shorten(detail['input'])}"
