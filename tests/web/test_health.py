"""Whether the server is alive and ready."""

from __future__ import annotations


def test_a_server_is_alive_whatever_its_database_does(client, client_without_store):
    for each in (client, client_without_store):
        response = each.get("/healthz")
        assert response.status_code == 200
        assert response.json() == {"status": "alive"}
        assert response.headers["cache-control"] == "no-store"


def test_a_server_is_ready_when_its_check_passes(client):
    response = client.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ready"})


def test_a_server_is_not_ready_without_its_database_and_says_why(client_without_store):
    response = client_without_store.get("/readyz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "unavailable",
        "code": "SERVICE_UNAVAILABLE",
        "reason": "the database is away",
    }
