"""Features of the person: where from, how old, known to us or not."""

from datetime import date
from typing import Optional

from pipeline.address import bucket
from pipeline.registry import feature

HOME = "DE"
COUNTRY_RISK = {"DE": 0.1, "FR": 0.1, "CH": 0.05}
UNKNOWN_RISK = 0.4
STAFF = {"ada@shop.example": "u-1", "grace@shop.example": "u-2"}
ADULT = 18


@feature
def country_code(event: dict) -> str:
    return event.get("country") or "??"


@feature
def is_domestic(event: dict) -> bool:
    return event.get("country") == HOME


@feature
def country_risk(event: dict) -> float:
    country = event.get("country")
    return COUNTRY_RISK.get(country, UNKNOWN_RISK)


@feature
def age_years(event: dict) -> Optional[int]:
    born: Optional[date] = event.get("birth_date")
    if born is None:
        return None
    days = (event["placed_at"].date() - born).days
    return int(days / 365.25)


@feature
def is_adult(event: dict) -> bool:
    return (age_years(event) or 0) >= ADULT


@feature
def user_bucket(event: dict) -> int:
    return bucket(event["user_id"], 64)


@feature
def is_staff_order(event: dict) -> bool:
    """Whether one of us ordered; goes by account, as anybody can type one of our addresses."""
    accounts = {account for email, account in STAFF.items() if email.endswith("@shop.example")}
    return event["user_id"] in accounts
