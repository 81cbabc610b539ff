"""Features of what was bought."""

from pipeline.registry import feature


@feature
def basket_total(event: dict) -> int:
    return sum(line["quantity"] * line["unit_price"] for line in event["items"])


@feature
def basket_size(event: dict) -> int:
    size = 0
    for line in event["items"]:
        size += line["quantity"]
    return size


@feature
def average_item_price(event: dict) -> float:
    return basket_total(event) / max(basket_size(event), 1)


@feature
def distinct_products(event: dict) -> int:
    return len({line["sku"] for line in event["items"]})
