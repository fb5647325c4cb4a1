"""The GraphiQL page in a real browser: it works, and it talks to its own server alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Response, expect

from pith_graph.web.pages import starter_query

REPORT_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', (event) =>
  console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`));
"""


def is_no_introspection(response: Response) -> bool:
    """GraphiQL asks for the schema by itself; that answer may still be on its way."""
    sent = response.request.post_data
    return sent is not None and "IntrospectionQuery" not in sent


@dataclass
class Watched:
    """A page with what it asked for and complained about since it was opened."""

    page: Page
    requests: list[Request] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.context.on("request", self.note_request)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self.note_message)

    def note_request(self, request: Request) -> None:
        self.requests.append(request)

    def note_message(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.text} {message.location}")

    def addresses_outside(self, origin: str) -> list[str]:
        urls = [urlsplit(request.url) for request in self.requests]
        return [
            url.geturl()
            for url in urls
            if url.scheme not in {"data", "blob"} and f"{url.scheme}://{url.netloc}" != origin
        ]

    def press(self, label: str) -> None:
        self.page.get_by_role("button", name=label).click()

    def type_query(self, text: str) -> None:
        self.page.locator(".graphiql-query-editor .view-lines").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        # The editor closes an open bracket by itself, behind the cursor.
        self.page.keyboard.press("Control+Shift+End")
        self.page.keyboard.press("Delete")

    def execute(self) -> str:
        """Press the play button and return the query that was sent for it."""
        with self.page.expect_response(is_no_introspection) as answer:
            self.press("Execute query (Ctrl-Enter)")
        assert answer.value.status == 200
        sent = json.loads(answer.value.request.post_data or "{}")
        return str(sent["query"])

    @property
    def answer(self) -> Locator:
        return self.page.locator(".graphiql-response .view-lines")


@pytest.fixture
def opened(chromium: Browser, live_server: str) -> Iterator[Watched]:
    context = chromium.new_context(viewport={"width": 1400, "height": 900})
    context.add_init_script(REPORT_VIOLATIONS)
    page = context.new_page()
    watched = Watched(page)
    page.goto(f"{live_server}/graphql")
    expect(page.locator(".graphiql-query-editor .view-lines")).to_contain_text("its 21 references")
    yield watched
    assert watched.complaints == []
    assert watched.addresses_outside(live_server) == []
    assert context.cookies() == []
    context.close()


def test_the_starter_query_is_in_the_editor_and_answers(opened):
    assert opened.execute() == starter_query()
    expect(opened.answer).to_contain_text('"arxivId": "2509.00217"')
    expect(opened.answer).to_contain_text('"totalCount": 21')
    expect(opened.answer).not_to_contain_text('"errors"')


def test_prettify_lays_a_query_out(opened):
    opened.type_query('{paper(id:"2509.00217"){arxivId title}}')
    opened.press("Prettify query (Shift-Ctrl-P)")
    expect(opened.page.locator(".graphiql-query-editor .view-line")).to_have_count(7)
    assert opened.execute() == '{\n  paper(id: "2509.00217") {\n    arxivId\n    title\n  }\n}\n'


def test_the_documentation_opens_on_the_schema(opened):
    opened.press("Show Documentation Explorer")
    explorer = opened.page.locator(".graphiql-plugin")
    expect(explorer).to_contain_text("an edge means that one paper names another", ignore_case=True)
    explorer.get_by_text("Query", exact=True).click()
    explorer.get_by_text("Paper", exact=True).first.click()
    expect(explorer).to_contain_text("referenceResolution")


def test_a_misspelt_field_is_marked_by_the_worker_that_checks_queries(opened):
    opened.type_query('{ paper(id: "2509.00217") { titel } }')
    expect(opened.page.locator(".graphiql-query-editor .squiggly-error")).to_have_count(1)


def test_home_leads_to_the_editor(opened, live_server):
    opened.page.goto(live_server)
    assert urlsplit(opened.page.url).path == "/graphql"
    expect(opened.page.locator(".graphiql-query-editor")).to_be_visible()


def test_without_javascript_the_page_says_what_it_needs(chromium, live_server):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live_server}/graphql")
    message = page.locator("noscript p")  # searches by text leave <noscript> out
    expect(message).to_be_in_viewport()
    expect(message).to_contain_text("needs JavaScript")
    expect(page.locator(".loading")).to_be_hidden()
    context.close()
