"""Features of who pays; often somebody else than who ordered."""

from pipeline.address import domain_of
from pipeline.registry import feature


@feature
def billing_domain(event: dict) -> str:
    return domain_of(event.get("billing_email", ""))


@feature
def has_billing_contact(event: dict) -> bool:
    return bool(event.get("billing_email"))


@feature
def shipping_per_line(event: dict) -> float:
    """Reads no country, and yet depends on it: that is what the API works shipping out from."""
    count = len(event["items"]) or 1
    return event["shipping"] / count
