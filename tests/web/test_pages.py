"""The pages: headers, escaping, no other host, and what is said where nothing is built."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pith_graph.web import pages

HASHED_NAME = re.compile(r"-[A-Z0-9]{8}\.\w+$")
CSS_ADDRESS = re.compile(r"""(?:url\(|@import)\s*['"]?([^'")\s]+)""")


class Attributes(HTMLParser):
    """Collects every attribute of a page and the text outside of scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(tag, name, value or "") for name, value in attrs]

    def of(self, *names: str) -> list[str]:
        return [value for _, name, value in self.found if name in names]


async def graphql(_request: Request) -> Response:
    return pages.graphiql_response(starter=pages.starter_query())


def client() -> TestClient:
    routes = [Route("/", pages.home), Route("/graphql", graphql), pages.static_mount()]
    return TestClient(Starlette(routes=routes), follow_redirects=False)


@pytest.fixture
def unbuilt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    directory = tmp_path / "static"
    monkeypatch.setattr(pages, "STATIC_DIRECTORY", directory)
    return directory


@pytest.fixture
def built(unbuilt: Path) -> Path:
    (unbuilt / "hashed").mkdir(parents=True)
    for name in ("graphiql.js", "graphiql.css", "icon.svg", "hashed/font-AAAAAAAA.woff2"):
        (unbuilt / name).write_text(f"content of {name}", encoding="utf-8")
    return unbuilt


@pytest.fixture
def build() -> Path:
    if not (pages.STATIC_DIRECTORY / "graphiql.js").is_file():
        pytest.fail("the front end is not built: run `make setup`")
    return pages.STATIC_DIRECTORY


def test_the_page_carries_a_strict_policy_and_no_cookie(built):
    headers = client().get("/graphql").headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "worker-src": "'self'",
        "connect-src": "'self'",
        "font-src": "'self'",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data:",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
        "form-action": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cache-control"] == "no-cache"
    assert headers["vary"] == "Accept"
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert "set-cookie" not in headers


def test_the_starter_query_reaches_the_page_unchanged(built):
    page = client().get("/graphql").text
    assert Attributes(page).of("data-starter") == [pages.starter_query()]


@pytest.mark.parametrize("with_build", [True, False])
def test_a_starter_with_markup_stays_text(unbuilt, with_build):
    if with_build:
        unbuilt.mkdir()
        (unbuilt / "graphiql.js").touch()
    starter = """{ a(b: "</script><script>alert('x')</script>", c: $d) } # & ${starter} </pre>"""
    page = bytes(pages.graphiql_response(starter=starter).body).decode()
    assert "alert('x')" not in page
    assert "<script>" not in page
    assert page.count("</pre>") == (0 if with_build else 1)
    if with_build:
        assert Attributes(page).of("data-starter") == [starter]


@pytest.mark.parametrize("with_build", [True, False])
def test_the_page_names_no_other_host_and_runs_no_inline_script(unbuilt, with_build):
    if with_build:
        unbuilt.mkdir()
        (unbuilt / "graphiql.js").touch()
    page = client().get("/graphql").text
    attributes = Attributes(page)
    for address in attributes.of("src", "href", "action", "srcset", "content"):
        assert "//" not in address
    assert not [name for _, name, _ in attributes.found if name.startswith("on")]
    assert not re.search(r"<script[^>]*>[^<]", page)


def test_a_browser_without_javascript_is_told_so(built):
    assert re.search(
        r"<noscript>.*needs JavaScript.*</noscript>", client().get("/graphql").text, re.DOTALL
    )


def test_every_file_the_page_names_is_in_the_build(build):
    with client() as browser:
        for address in Attributes(browser.get("/graphql").text).of("src", "href"):
            assert browser.get(f"/{address}").status_code == 200, address


def test_the_built_styles_load_nothing_from_another_host(build):
    for sheet in build.rglob("*.css"):
        for address in CSS_ADDRESS.findall(sheet.read_text(encoding="utf-8")):
            assert address.startswith(("./", "data:image/", "#")), address[:80]
            if address.startswith("./"):
                assert (sheet.parent / address).is_file(), address


def test_the_build_names_hashed_files_by_their_content(build):
    names = [path.name for path in (build / "hashed").iterdir()]
    assert names
    assert all(HASHED_NAME.search(name) for name in names)


def test_without_a_build_the_page_says_how_to_make_one(unbuilt):
    response = client().get("/graphql")
    assert response.status_code == 200
    assert "GraphiQL is not built" in response.text
    assert "<code>make setup</code>" in response.text
    assert response.headers["content-security-policy"] == pages.CONTENT_SECURITY_POLICY


def test_a_build_that_comes_later_is_served_without_a_restart(unbuilt):
    with client() as browser:
        assert browser.get("/static/graphiql.js").status_code == 404
        unbuilt.mkdir()
        (unbuilt / "graphiql.js").touch()
        assert browser.get("/static/graphiql.js").status_code == 200
        assert "not built" not in browser.get("/graphql").text


def test_a_hashed_file_is_kept_for_a_year(built):
    headers = client().get("/static/hashed/font-AAAAAAAA.woff2").headers
    assert headers["cache-control"] == "public, max-age=31536000, immutable"
    assert headers["content-type"] == "font/woff2"
    assert headers["x-content-type-options"] == "nosniff"


def test_other_files_are_asked_for_again_and_answered_not_modified(built):
    first = client().get("/static/graphiql.js")
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-type"] == "text/javascript; charset=utf-8"
    assert first.headers["x-content-type-options"] == "nosniff"
    again = client().get("/static/graphiql.js", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert again.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["../pages.py", "%2e%2e/pages.py", "hashed", "absent.js"])
def test_nothing_outside_the_build_is_served(built, path):
    assert client().get(f"/static/{path}").status_code == 404


def test_home_leads_to_the_endpoint():
    response = client().get("/")
    assert response.status_code == 307
    assert response.headers["location"] == "/graphql"


def test_home_keeps_the_prefix_of_a_proxy():
    app = Starlette(routes=[Route("/", pages.home)])
    response = TestClient(app, root_path="/pith", follow_redirects=False).get("/")
    assert response.headers["location"] == "/pith/graphql"
