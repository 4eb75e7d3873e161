"""Whether the service says truly that it lives and that it can work."""

import httpx


def test_a_migrated_database_makes_the_service_ready(anonymous: httpx.Client) -> None:
    answer = anonymous.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
