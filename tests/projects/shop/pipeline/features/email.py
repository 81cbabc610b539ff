"""Features of the address that the customer gave to be reached at."""

from pipeline.address import Address, bucket, domain_of
from pipeline.registry import feature

FREE_PROVIDERS = frozenset({"freemail.example", "mail.example", "inbox.example"})
BUCKETS = 1024


@feature
def email_domain(event: dict) -> str:
    return domain_of(event["email"])


@feature
def is_free_mail_provider(event: dict) -> bool:
    domain = domain_of(event["email"])
    return domain in FREE_PROVIDERS


@feature
def email_hash_bucket(event: dict) -> int:
    """Lets the model know an address again without learning it."""
    address = Address.parse(event["email"])
    return bucket(address.canonical(), BUCKETS)


@feature
def mailbox_digits(event: dict) -> int:
    """Addresses made by machines tend to be numbered."""
    sender = event["sender"]
    return sum(character.isdigit() for character in sender.mailbox)
