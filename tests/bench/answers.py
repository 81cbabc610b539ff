#!/usr/bin/env python3
"""Measures how long answers take on a large index: every operation over random symbols and over the hubs, and questions in words without a model.

    python3 tests/bench/answers.py --ripple target/release/ripple --index DIR
    python3 tests/bench/answers.py …                        without --index: builds one of django, twisted and networkx first

Nothing here passes or fails: it prints figures, in milliseconds, as a client of `ripple serve` sees them. The symbols are drawn with a fixed seed, so that two
runs ask the same. Hubs are what most edges of the operation's kind come to. An answer that is asked a second time may be faster: each is asked once. On a machine
that others use too, --cpu tells the time that the server's threads ran in place of the time that passed (Linux).
"""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))
from fetch import data_folder  # noqa: E402

SYMBOLS = 200
HUBS = 20
# The label that an operation is asked about, and the edges that make a hub of it.
OPERATIONS = {
    "impact": ("Function", "CALLS"),
    "flows": ("Function", "CALLS"),
    "callers": ("Function", "CALLS"),
    "callees": ("Function", "CALLS"),
    "readers_writers": ("Field", "READS"),
    "implementations": ("Type", "INHERITS"),
    "hierarchy": ("Type", "INHERITS"),
    "uses_of_key": ("Key", "USES_KEY"),
    "tests_for": ("Function", "CALLS"),
    "explain": ("Function", "CALLS"),
}
QUESTIONS = (
    "Who calls `{name}`?",
    "What breaks if `{name}` is removed?",
    "Which tests cover `{name}`?",
    "Where does the result of `{name}` go?",
    "How does {words} work?",
    "If a client stops sending {words}, what changes?",
)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ripple", default="target/release/ripple", help="the binary [%(default)s]")
    parser.add_argument("--index", type=Path, help="an index that is there")
    parser.add_argument("--cpu", action="store_true", help="time on the processor in place of time on the clock")
    parser.add_argument("--slow", action="store_true", help="tell the slowest symbol of each row")
    options = parser.parse_args()
    ripple = Path(options.ripple).absolute()
    if options.index:
        measure(ripple, options.index, options)
        return
    data = data_folder()
    with tempfile.TemporaryDirectory(dir=data, prefix=".bench-") as scratch:
        roots = [data / package for package in ("django", "twisted", "networkx")]
        index = Path(scratch) / "index"
        subprocess.run([ripple, "index", *roots, "--index", index, "--quiet"], check=True)
        measure(ripple, index, options)


def measure(ripple, index, options):
    command = [ripple, "serve", "--index", index, "--addr", "127.0.0.1:0", "--no-llm"]
    environment = {name: value for name, value in os.environ.items() if name != "RIPPLE_TOKEN"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        address = process.stdout.readline().strip().rpartition("//")[2]
        server = Server(address, cpu_of(process.pid) if options.cpu else time.perf_counter)
        counts = server.cypher("MATCH (n) RETURN count(*)")[0][0]
        print(f"{os.cpu_count()} cores, {counts:,} nodes; milliseconds\n")
        draw = random.Random(7)
        samples = {label: server.sample(label, draw) for label in {label for label, _ in OPERATIONS.values()}}
        server.post("operations/callers", {"target": str(samples["Function"][0][0])})
        heading = f"{'':16} {'symbols':>8} {'p50':>7} {'p95':>7} {'max':>7}   {'hubs':>5} {'p50':>7} {'p95':>7} {'max':>7}"
        print(heading)
        for name, (label, kind) in OPERATIONS.items():
            some = server.operation(name, samples[label])
            hubs = server.operation(name, server.hubs(label, kind))
            print(f"{name:16} {row(some, 8)}   {row(hubs, 5)}")
            if options.slow:
                print("    slowest:", *(f"{node} {ms:.0f}" for ms, node in sorted(some + hubs)[-3:]))
        by_name = server.operation("callers", [(name, name) for _, name in samples["Function"]])
        print(f"{'callers by name':16} {row(by_name, 8)}")
        first, whole = server.questions(samples["Function"], draw)
        print(f"\n{'question':16} {'asked':>8} {'p50':>7} {'p95':>7} {'max':>7}")
        print(f"{'first event':16} {row(first, 8)}\n{'whole answer':16} {row(whole, 8)}")
        if options.slow:
            print("    slowest:", *(f"{question!r} {ms:.0f}" for ms, question in sorted(whole)[-3:]))
    finally:
        process.terminate()
        process.wait()


class Server:
    def __init__(self, address, clock):
        self.clock = clock
        self.connection = http.client.HTTPConnection(address, timeout=120)

    def post(self, path, body):
        self.connection.request("POST", f"/api/v1/{path}", json.dumps(body), {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise SystemExit(f"{path} {body}: {answer.status}: {text.decode()}")
        return json.loads(text)

    def cypher(self, query):
        return self.post("cypher", {"query": query})["rows"]

    def sample(self, label, draw):
        rows = self.cypher(f"MATCH (n:{label}) WHERE NOT n.test RETURN n.id, n.qualified_name ORDER BY n.id")
        return draw.sample(rows, min(SYMBOLS, len(rows)))

    def hubs(self, label, kind):
        count = f"MATCH (a)-[e:{kind}]->(n:{label}) RETURN n.id, n.qualified_name, count(e) AS many ORDER BY many DESC LIMIT {HUBS}"
        return [(id, name) for id, name, _ in self.cypher(count)]

    def operation(self, name, targets):
        times = []
        for target, shown in targets:
            began = self.clock()
            self.post(f"operations/{name}", {"target": str(target)})
            times.append(((self.clock() - began) * 1000, shown))
        return times

    def questions(self, functions, draw):
        first, whole = [], []
        for id, name in draw.sample(functions, min(60, len(functions))):
            short = name.rsplit(".", 2)
            words = short[-1].strip("_").replace("_", " ")
            question = draw.choice(QUESTIONS).format(name=".".join(short[-2:]), words=words)
            began = self.clock()
            headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
            self.connection.request("POST", "/api/v1/ask", json.dumps({"question": question}), headers)
            answer = self.connection.getresponse()
            answer.readline()
            first.append(((self.clock() - began) * 1000, question))
            answer.read()
            whole.append(((self.clock() - began) * 1000, question))
        return first, whole


def cpu_of(process):
    """A clock of the seconds that the threads of a process have run."""

    def seconds():
        tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    return seconds


def row(times, width):
    values = sorted(ms for ms, _ in times)
    if not values:
        return f"{0:{width}}"
    at = lambda share: values[min(len(values) - 1, int(len(values) * share))]
    return f"{len(values):{width}} {at(0.5):7.1f} {at(0.95):7.1f} {values[-1]:7.1f}"


if __name__ == "__main__":
    main()
