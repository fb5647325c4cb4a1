"""What the benchmarks compare with is pinned: exact versions, hashes, no addresses."""

from __future__ import annotations

import json
import re

from tests.test_locks import ROOT

PEERS = ROOT / "bench" / "peers"


def test_python_packages_have_versions_and_hashes_and_no_address():
    text = (PEERS / "requirements.txt").read_text(encoding="utf-8")
    pins = text.replace("\\\n", " ").splitlines()
    assert pins
    for pin in pins:
        assert re.match(r"[\w.-]+==\S+ ", pin), pin
        assert "--hash=sha256:" in pin, pin
        assert "//" not in pin, pin


def test_node_packages_have_exact_versions_and_integrity_and_no_address():
    package = json.loads((PEERS / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((PEERS / "package-lock.json").read_text(encoding="utf-8"))
    assert all(re.fullmatch(r"\d[\w.-]*", version) for version in package["dependencies"].values())
    assert lock["packages"][""]["dependencies"] == package["dependencies"]
    for path, locked in lock["packages"].items():
        if path:
            assert locked["integrity"].startswith("sha512-"), path
            assert "resolved" not in locked, path
