"""The lock files: hash-pinned, free of registry addresses, and of one mind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
REQUIREMENTS = ("requirements.txt", "requirements-runtime.txt", "requirements-build.txt")


def pins(name: str) -> set[str]:
    """Every pin of a requirements file, with its marker and hashes on one line."""
    return set((ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ").splitlines())


@pytest.mark.parametrize("name", REQUIREMENTS)
def test_every_requirement_is_pinned_with_hashes_and_no_address(name):
    for pin in pins(name):
        assert re.match(r"[\w.-]+==\S+ ", pin), pin
        assert "--hash=sha256:" in pin, pin
        assert "//" not in pin, pin


@pytest.mark.parametrize("name", REQUIREMENTS[1:])
def test_the_image_installs_what_was_tested(name):
    assert pins(name) <= pins("requirements.txt")


def test_the_server_needs_no_development_package():
    runtime = {pin.split("==")[0] for pin in pins("requirements-runtime.txt")}
    assert runtime.isdisjoint({"pytest", "mypy", "ruff", "hatchling", "playwright"})


def test_npm_packages_are_pinned_with_integrity_and_no_address():
    lock = json.loads((ROOT / "frontend/package-lock.json").read_text(encoding="utf-8"))
    for path, package in lock["packages"].items():
        if path:
            assert package["integrity"].startswith("sha512-"), path
            assert "resolved" not in package, path


def test_direct_npm_packages_are_exact_versions():
    package = json.loads((ROOT / "frontend/package.json").read_text(encoding="utf-8"))
    assert all(re.fullmatch(r"\d[\w.-]*", version) for version in package["dependencies"].values())
