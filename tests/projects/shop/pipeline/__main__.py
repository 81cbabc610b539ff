"""`python -m pipeline events.jsonl` prints one line of JSON per order: its number, its score and its features."""

import argparse
import json
import sys

from pipeline import events, vector
from pipeline.model import RiskModel

EPILOGUE = "Scores are advice. Questions and complaints: {email}"


def main(arguments=None):
    email = "data-team@shop.example"
    parser = argparse.ArgumentParser(prog="pipeline", description=__doc__, epilog=EPILOGUE.format(email=email))
    parser.add_argument("path", help="file of events, one JSON object per line; - is standard input")
    options = parser.parse_args(arguments)

    model = RiskModel.default()
    with open_events(options.path) as lines:
        for order_id, features in vector.stream(events.read(lines)):
            line = {"order_id": order_id, "score": round(model.score(features), 4), "features": features}
            print(json.dumps(line))
    return 0


def open_events(path):
    if path == "-":
        return sys.stdin
    return open(path, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
