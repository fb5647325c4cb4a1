"""Content codings undone, by their libraries: the HTTP client of the tests does not know zstd."""

from __future__ import annotations

import zlib

import brotli  # type: ignore[import-untyped]
import httpx2
import zstandard


def decode(coding: str, data: bytes) -> bytes:
    """Return what was coded."""
    if coding == "zstd":
        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    if coding == "br":
        return bytes(brotli.decompress(data))
    return zlib.decompress(data, wbits=zlib.MAX_WBITS | 16)


def content_of(response: httpx2.Response) -> bytes:
    """Return the content of an answer, decoded where the client left that to us."""
    if response.headers.get("content-encoding") == "zstd":
        return decode("zstd", response.content)
    return response.content
