"""What can be told from an e-mail address without asking anybody."""

import hashlib


class Address:
    """An e-mail address in its two halves; the part after a `+` is the owner's own note and is dropped."""

    def __init__(self, mailbox: str, domain: str):
        self.mailbox = mailbox
        self.domain = domain

    @classmethod
    def parse(cls, text: str) -> "Address":
        mailbox, _, domain = text.partition("@")
        return cls(mailbox.split("+")[0], domain)

    def canonical(self) -> str:
        """The same text for every spelling that reaches the same person."""
        return f"{self.mailbox}@{self.domain}"


def domain_of(text: str) -> str:
    """The part after the `@`; empty if there is none."""
    return Address.parse(text).domain


def bucket(text: str, count: int) -> int:
    """A number below `count` that is always the same for the same text."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") % count
