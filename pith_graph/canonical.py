"""Canonical JSON (RFC 8785) and the SHA-256 digests that records and observations carry."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
import rfc8785

DIGEST_PREFIX = "sha256:"


def canonical_json(value: Mapping[str, Any]) -> bytes:
    """Encode a value as RFC 8785 canonical JSON: sorted keys, no spaces, UTF-8.

    Raises:
        rfc8785.CanonicalizationError: An integer beyond 2**53, a NaN, or a type JSON lacks.
    """
    return rfc8785.dumps(dict(value))


def render_canonical(value: Mapping[str, Any]) -> bytes:
    """Encode a value that we built ourselves, as `canonical_json` does and many times faster.

    It must hold no float, no integer beyond 2**53, and no key but ASCII ones: for such values
    orjson's sorted output is RFC 8785's, byte for byte.

    Raises:
        orjson.JSONEncodeError: A lone surrogate, or a type JSON lacks.
    """
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def digest(value: Mapping[str, Any], *, without: frozenset[str] = frozenset()) -> str:
    """Return ``sha256:`` and the hex SHA-256 of a value's canonical JSON, some keys left out."""
    return digest_bytes(canonical_json({k: v for k, v in value.items() if k not in without}))


def digest_bytes(data: bytes) -> str:
    """Return ``sha256:`` and the hex SHA-256 of bytes that are already canonical."""
    return DIGEST_PREFIX + hashlib.sha256(data).hexdigest()
