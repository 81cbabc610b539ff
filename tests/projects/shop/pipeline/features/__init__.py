"""The features, one module per part of an order; each function is one feature of a clean event.

Importing this package registers them all.
"""

from pipeline.features import basket, billing, clock, customer, email

__all__ = ["basket", "billing", "clock", "customer", "email"]
