"""The events as the shop's API sends them, and as the features want them."""

import json
from datetime import date, datetime
from typing import Iterable, Iterator, Optional

from pipeline.address import Address

ORDER_PLACED = "order_placed"


class Event:
    """One event; its keys are a contract with the API, which declares them in `api/events`."""

    def __init__(self, kind: str, payload: dict):
        self.kind = kind
        self.payload = payload
        self.contact = clean_address(payload.get("contact_email"))

    @classmethod
    def from_line(cls, line: str) -> "Event":
        payload = json.loads(line)
        return cls(payload["type"], payload)

    def normalised(self) -> dict:
        """The event with every value cleaned, and nothing left out: what is unknown is empty."""
        return {
            "order_id": self.payload["order_id"],
            "user_id": self.payload["user_id"],
            "email": self.contact,
            "sender": Address.parse(self.contact),
            "billing_email": clean_address(self.payload.get("billing_email")),
            "country": clean_country(self.payload.get("country")),
            "birth_date": clean_date(self.payload.get("birth_date")),
            "items": [clean_item(item) for item in self.payload.get("items") or []],
            "shipping": self.payload.get("shipping", 0),
            "placed_at": clean_moment(self.payload["placed_at"]),
        }


def read(lines: Iterable[str]) -> Iterator[dict]:
    """The orders among the events, cleaned, in the order in which they came."""
    for line in lines:
        if not line.strip():
            continue
        event = Event.from_line(line)
        if event.kind == ORDER_PLACED:
            yield event.normalised()


def clean_address(text: Optional[str]) -> str:
    return (text or "").strip().lower()


def clean_country(code: Optional[str]) -> str:
    return (code or "").strip().upper()


def clean_date(text: Optional[str]) -> Optional[date]:
    return date.fromisoformat(text) if text else None


def clean_moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def clean_item(item: dict) -> dict:
    return {
        "sku": item["sku"].strip(),
        "quantity": max(int(item["quantity"]), 0),
        "unit_price": int(item["unit_price"]),
    }
