"""Features of the moment of the order, which the API's own clock tells."""

from pipeline.registry import feature


@feature
def hour_of_day(event: dict) -> int:
    return event["placed_at"].hour


@feature
def is_weekend(event: dict) -> bool:
    return event["placed_at"].weekday() >= 5
