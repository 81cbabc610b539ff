"""Runs events through the pipeline as the API writes them: `python -m unittest` in the folder above `pipeline`."""

import io
import json
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

from pipeline import events, vector
from pipeline.__main__ import main
from pipeline.address import Address, bucket
from pipeline.model import RiskModel

ORDER = {
    "type": "order_placed",
    "order_id": "1-1",
    "user_id": "u-7",
    "contact_email": "Ada.1815+shop@Freemail.example",
    "billing_email": "accounts@firm.example",
    "country": "de",
    "birth_date": "1990-12-10",
    "items": [
        {"sku": "tea", "quantity": 2, "unit_price": 450},
        {"sku": "pot", "quantity": 1, "unit_price": 2100},
    ],
    "shipping": 120,
    "placed_at": "2026-05-02T12:30:00Z",
}

WITHOUT_EMAIL = {key: value for key, value in ORDER.items() if key != "contact_email"}


def features_of(order):
    (event,) = events.read([json.dumps(order)])
    return vector.build(event)


class PipelineTest(unittest.TestCase):
    def test_features(self):
        self.assertEqual(
            features_of(ORDER),
            {
                "age_years": 35,
                "average_item_price": 1000.0,
                "basket_size": 3,
                "basket_total": 3000,
                "billing_domain": "firm.example",
                "country_code": "DE",
                "country_risk": 0.1,
                "distinct_products": 2,
                "email_domain": "freemail.example",
                "email_hash_bucket": bucket("ada.1815@freemail.example", 1024),
                "has_billing_contact": True,
                "hour_of_day": 12,
                "is_adult": True,
                "is_domestic": True,
                "is_free_mail_provider": True,
                "is_staff_order": False,
                "is_weekend": True,
                "mailbox_digits": 4,
                "shipping_per_line": 60.0,
                "user_bucket": bucket("u-7", 64),
            },
        )

    def test_only_the_features_of_the_address_change_without_it(self):
        before, after = features_of(ORDER), features_of(WITHOUT_EMAIL)
        changed = {name for name in before if before[name] != after[name]}
        self.assertEqual(changed, {"email_domain", "is_free_mail_provider", "email_hash_bucket", "mailbox_digits"})

    def test_other_events_are_passed_over(self):
        self.assertEqual(list(events.read(['{"type": "order_cancelled"}', ""])), [])

    def test_addresses(self):
        address = Address.parse("ada+news@mail.example")
        self.assertEqual((address.mailbox, address.domain), ("ada", "mail.example"))

    def test_scores_rise_with_risk(self):
        model = RiskModel.default()
        self.assertLess(model.score({"is_adult": True}), model.score({"country_risk": 0.4}))

    def test_command(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "events.jsonl")
            path.write_text(json.dumps(ORDER) + "\n", encoding="utf-8")
            out = io.StringIO()
            with redirect_stdout(out):
                main([str(path)])
        self.assertEqual(json.loads(out.getvalue())["order_id"], "1-1")


if __name__ == "__main__":
    unittest.main()
