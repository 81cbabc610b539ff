"""A small logistic model: how likely an order is to be disputed."""

import math
from dataclasses import dataclass, field
from typing import Dict


@dataclass
class RiskModel:
    """Numbers weigh by name; texts weigh by `name=value`; what is not listed weighs nothing."""

    bias: float = -2.0
    weights: Dict[str, float] = field(default_factory=dict)

    @classmethod
    def default(cls) -> "RiskModel":
        return cls(
            weights={
                "is_free_mail_provider": 0.6,
                "is_adult": -0.3,
                "country_risk": 2.5,
                "basket_total": 0.00002,
                "is_staff_order": -4.0,
                "has_billing_contact": -0.5,
                "email_domain=mailinator.example": 3.0,
            }
        )

    def score(self, vector: dict) -> float:
        """The probability of a dispute, between 0 and 1."""
        total = self.bias
        for name, value in vector.items():
            total += self.contribution(name, value)
        return 1 / (1 + math.exp(-total))

    def contribution(self, name: str, value: object) -> float:
        if isinstance(value, str):
            return self.weights.get(f"{name}={value}", 0.0)
        return self.weights.get(name, 0.0) * float(value or 0)
