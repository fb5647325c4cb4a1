from __future__ import annotations

import pytest

from pith_graph.store.check import Problem, check_store
from tests.record_world import make_history
from tests.table_rows import execute

SEED = 0  # its history has past rows of papers, works, entries and links
FIRST_PAPER = "(SELECT min(paper_id) FROM bibliographies)"
ENTRY = "(SELECT min(id) FROM paper_references WHERE cited_paper_id IS NOT NULL)"


@pytest.fixture
async def filled(ingest):
    """A store with records of several papers, some of them superseded."""
    records = make_history(seed=SEED, length=3)
    await ingest(records[:1])
    await ingest(records[1:])


async def check_after(database, read_engine, *statements: str) -> list[Problem]:
    await execute(database, *statements)
    return await check_store(read_engine)


async def test_a_store_that_the_writer_filled_is_sound(filled, read_engine) -> None:
    assert await check_store(read_engine) == []


async def test_an_empty_store_is_sound(read_engine) -> None:
    assert await check_store(read_engine) == []


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("paper_citation_counts", "outbound_unresolved"),
        ("paper_citation_counts", "inbound_unresolved"),
        ("work_citation_counts", "citations_verified_fuzzy"),
    ],
)
async def test_a_count_that_differs_from_a_recount_is_reported(
    filled, database, read_engine, table: str, column: str
) -> None:
    key = "work_id" if table.startswith("work") else "paper_id"
    first = f"(SELECT min({key}) FROM {table})"  # constants of this test
    statement = f"UPDATE {table} SET {column} = {column} + 7 WHERE {key} = {first}"
    (problem,) = await check_after(database, read_engine, statement)
    assert problem.table == table
    assert problem.key.endswith(column)
    assert int(problem.found) == int(problem.expected) + 7


async def test_counts_without_a_row_are_reported(filled, database, read_engine) -> None:
    problems = await check_after(database, read_engine, "DELETE FROM work_citation_counts")
    assert problems
    assert {problem.table for problem in problems} == {"work_citation_counts"}
    assert {problem.found for problem in problems} == {"0"}


async def test_a_title_without_its_search_text_is_reported(filled, database, read_engine) -> None:
    (problem,) = await check_after(
        database, read_engine, f"UPDATE papers SET title = 'Öther' WHERE id = {FIRST_PAPER}"
    )
    assert problem.table == "paper_search"
    assert problem.expected == "'other'"


async def test_search_text_of_no_paper_is_reported(filled, database, read_engine) -> None:
    key = "rowid" if database.kind == "sqlite" else "paper_id"
    (problem,) = await check_after(
        database,
        read_engine,
        f"INSERT INTO paper_search ({key}, folded) VALUES (999, 'none')",
    )
    assert problem == Problem("paper_search", f"{key} 999", "a row", "none: no such paper")


async def test_a_period_that_ends_after_the_next_began_is_reported(
    filled, database, read_engine
) -> None:
    problems = await check_after(
        database,
        read_engine,
        "UPDATE papers_history SET superseded_at = "
        + ("4102444800000000" if database.kind == "sqlite" else "'2100-01-01T00:00:00Z'")
        + " WHERE version_id = (SELECT max(version_id) FROM papers_history)",
    )
    assert {problem.table for problem in problems} == {"papers_history"}
    (problem,) = [problem for problem in problems if "2100-01-01" in problem.found]
    assert "when the next period begins" in problem.expected


async def test_a_period_that_ends_before_it_begins_is_reported(
    filled, database, read_engine
) -> None:
    problems = await check_after(
        database,
        read_engine,
        "UPDATE cited_works_history SET superseded_at = "
        + ("0" if database.kind == "sqlite" else "'1970-01-01T00:00:00Z'")
        + " WHERE version_id = 1",
    )
    assert [problem.table for problem in problems] == ["cited_works_history"]
    assert problems[0].key.startswith("version_id 1,")
    assert problems[0].found == "an end before the beginning"


async def test_a_gap_in_the_commits_is_reported(filled, database, read_engine) -> None:
    problems = await check_after(database, read_engine, "DELETE FROM commits WHERE number = 2")
    assert problems[0] == Problem("commits", "number 3", "no commit 2", "no gap")
    assert {problem.found for problem in problems[1:]} <= {"commit_number 2", "closed_commit 2"}
    assert len(problems) > 1


async def test_a_counter_behind_its_ids_is_reported(filled, database, read_engine) -> None:
    problems = await check_after(
        database,
        read_engine,
        "UPDATE counters SET last_value = 1 WHERE name IN ('commits', 'cited_works')",
    )
    assert [problem.key for problem in problems] == ["name commits", "name cited_works"]
    assert problems[1].found == "1"


@pytest.mark.parametrize(
    ("statement", "table", "found"),
    [
        ("UPDATE commits SET load_id = 99", "commits", "load_id 99"),
        (
            "UPDATE papers_history SET commit_number = 99",
            "papers_history",
            "commit_number 99",
        ),
        (
            "UPDATE papers_history SET closed_commit = 99",
            "papers_history",
            "closed_commit 99",
        ),
        (
            f"UPDATE paper_references SET cited_paper_id = 999 WHERE id = {ENTRY}",
            "paper_references",
            "cited_paper_id 999",
        ),
    ],
)
async def test_a_row_that_names_what_is_not_there_is_reported(
    filled, database, read_engine, statement: str, table: str, found: str
) -> None:
    problems = await check_after(database, read_engine, statement)
    named = [problem for problem in problems if problem.found == found]
    assert named
    assert {problem.table for problem in named} == {table}
    assert named[0].expected.startswith("a row of ")


async def test_a_bibliography_said_to_be_whole_with_too_few_entries_is_reported(
    filled, database, read_engine
) -> None:
    (problem,) = await check_after(
        database,
        read_engine,
        f"UPDATE coverage_declarations SET outbound_total = 50 WHERE paper_id = {FIRST_PAPER}",
    )
    assert problem.table == "bibliographies"
    assert problem.found == "complete True"
    assert problem.expected.endswith("with a declared total of 50")


async def test_entries_without_a_bibliography_are_reported(filled, database, read_engine) -> None:
    (problem,) = await check_after(
        database, read_engine, f"DELETE FROM bibliographies WHERE paper_id = {FIRST_PAPER}"
    )
    assert (problem.table, problem.found) == ("bibliographies", "no row")
