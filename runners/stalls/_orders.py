"""What a request's JSON is, and what is to be known of it. Worker processes import this inside the clock."""

import json


def make_body(orders: int) -> bytes:
    """Return JSON of that many orders, about 100 bytes each."""
    return json.dumps([make_order(number) for number in range(orders)]).encode()


def make_order(number: int) -> dict[str, object]:
    return {"id": number, "name": f"customer {number}", "tags": ["a", "b", "c"], "cents": number % 1000, "paid": True}


def total(body: bytes) -> int:
    """Parse a body and return what its orders cost."""
    return sum_cents(json.loads(body))


def sum_cents(orders: list[dict[str, int]]) -> int:
    return sum(order["cents"] for order in orders)
