"""From a clean event to its features, by name."""

from typing import Dict, Iterable, Iterator, Tuple

import pipeline.features  # registers the features
from pipeline.registry import FEATURES

Vector = Dict[str, object]


def build(event: dict) -> Vector:
    """Every registered feature of one event."""
    return {name: function(event) for name, function in FEATURES.items()}


def stream(events: Iterable[dict]) -> Iterator[Tuple[str, Vector]]:
    """The number of each order with its features."""
    for event in events:
        yield event["order_id"], build(event)
