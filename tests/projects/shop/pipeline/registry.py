"""Which features there are: a function becomes one by carrying the decorator `feature`."""

from typing import Callable, Dict

Feature = Callable[[dict], object]

FEATURES: Dict[str, Feature] = {}


def feature(function: Feature) -> Feature:
    """Registers a feature under the function's own name."""
    name = function.__name__
    if name in FEATURES:
        raise ValueError(f"two features are called {name}")
    FEATURES[name] = function
    return function
