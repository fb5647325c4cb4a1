"""From an exception to what a client sees, and what it does not see."""

from __future__ import annotations

import pytest
from graphql import GraphQLError, located_error, parse

from pith_graph.errors import (
    AmbiguousIdentifierError,
    CursorError,
    DatabaseNotReadyError,
    InputError,
    MalformedIdentifierError,
    NotHeldError,
    StoreError,
)
from pith_graph.gql.errors import (
    HTTP_STATUS,
    ErrorCode,
    build_error,
    code_of,
    format_errors,
    status_of,
    with_code,
)

FIELD = parse("{ a }").definitions[0].selection_set.selections[0]  # type: ignore[attr-defined]


def located(error: Exception) -> GraphQLError:
    return located_error(error, [FIELD], ["a"])


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("x"), ErrorCode.BAD_USER_INPUT),
        (CursorError("x"), ErrorCode.BAD_USER_INPUT),
        (MalformedIdentifierError("x", "y"), ErrorCode.BAD_USER_INPUT),
        (AmbiguousIdentifierError("x", ("a", "b")), ErrorCode.BAD_USER_INPUT),
        (NotHeldError("paper", "x"), ErrorCode.NOT_HELD),
        (StoreError("x"), ErrorCode.SERVICE_UNAVAILABLE),
        (DatabaseNotReadyError("x"), ErrorCode.SERVICE_UNAVAILABLE),
        (TimeoutError(), ErrorCode.TIMEOUT),
        (ValueError("x"), ErrorCode.INTERNAL_SERVER_ERROR),
        (KeyError("x"), ErrorCode.INTERNAL_SERVER_ERROR),
        (GraphQLError("a result that cannot be serialised"), ErrorCode.INTERNAL_SERVER_ERROR),
        (build_error(ErrorCode.FORBIDDEN, "x"), ErrorCode.FORBIDDEN),
        (GraphQLError("x", extensions={"code": "MADE_UP"}), ErrorCode.INTERNAL_SERVER_ERROR),
    ],
)
def test_the_exception_behind_an_error_decides_its_code(error, code):
    assert code_of(located(error)) is code
    assert code_of(located_error(located(error), [FIELD], ["a"])) is code


def test_every_code_has_a_status_that_is_an_error():
    assert set(HTTP_STATUS) == set(ErrorCode)
    assert all(400 <= status < 600 for status in HTTP_STATUS.values())


def test_an_answer_has_the_gravest_status_of_its_errors():
    errors = [build_error(ErrorCode.BAD_USER_INPUT, "x"), build_error(ErrorCode.TIMEOUT, "y")]
    assert status_of(errors) == 504
    assert status_of([]) == 500


def test_a_formatted_error_says_what_where_and_which():
    error = located(InputError("`first` is -1; expected 0 to 100"))
    assert format_errors([error], request_id="r") == [
        {
            "message": "`first` is -1; expected 0 to 100",
            "locations": [{"line": 1, "column": 3}],
            "path": ["a"],
            "extensions": {"code": "BAD_USER_INPUT"},
        }
    ]


def test_an_unexpected_error_is_masked_and_its_traceback_logged(caplog):
    with pytest.raises(ValueError, match="secret") as caught:
        int("secret")
    (formatted,) = format_errors([located(caught.value)], request_id="r-1")
    assert formatted["message"] == "Internal server error"
    assert formatted["extensions"] == {"code": "INTERNAL_SERVER_ERROR", "requestId": "r-1"}
    (record,) = caplog.records
    assert "r-1" in record.getMessage()
    assert "secret" not in record.getMessage()
    assert record.exc_info[2] is not None


def test_expected_errors_are_not_logged(caplog):
    format_errors([located(InputError("x")), located(NotHeldError("paper", "x"))], request_id="r")
    assert caplog.records == []


def test_a_drivers_time_out_is_told_in_our_words():
    (formatted,) = format_errors([located(TimeoutError("host 10.0.0.1"))], request_id="r")
    assert "10.0.0.1" not in formatted["message"]


def test_a_long_message_is_cut():
    (formatted,) = format_errors([located(InputError("x" * 100_000))], request_id="r")
    assert len(formatted["message"]) == 1000
    assert formatted["message"].endswith("…")


def test_details_of_an_error_stand_beside_its_code():
    error = build_error(ErrorCode.COST_LIMIT_EXCEEDED, "x", requested=2, limit=1)
    (formatted,) = format_errors([error], request_id="r")
    assert formatted["extensions"] == {
        "code": "COST_LIMIT_EXCEEDED",
        "requested": 2,
        "limit": 1,
    }


def test_an_error_that_gets_a_code_keeps_its_place_and_lets_go_of_its_frames():
    with pytest.raises(GraphQLError) as caught:
        parse("{")
    coded = with_code(caught.value, ErrorCode.GRAPHQL_PARSE_FAILED)
    assert coded.locations == caught.value.locations
    assert coded.__traceback__ is None
    assert code_of(coded) is ErrorCode.GRAPHQL_PARSE_FAILED
