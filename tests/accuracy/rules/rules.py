#!/usr/bin/env python3
"""What share of each rule's edges holds: a sample of edges of real packages, each read beside its source by a person, and counted.

    python3 tests/accuracy/rules/rules.py draw --each 40        edges that are to be read go into edges.jsonl; those that are no longer made go out
    python3 tests/accuracy/rules/rules.py show --rule summary   what is still to be read, with its source
    python3 tests/accuracy/rules/rules.py rate                  the shares; `schema/src/rule.rs` has them as confidences

An edge holds if some run of the program could make it true:

- `CALLS`: the call at this place enters this function. A class stands for making an object of it. To `library` or `builtin`: the name that is
  called there is that of the library or of the language.
- `FLOWS_TO`, `PASSES_TO`, `RETURNS_TO`, `SUMMARIZES`: a value that was in the start, or something that is made of it, arrives in the end
  by way of this place. For `how: test`, what arrives depends on it.
- `READS`, `WRITES`: the function reads or writes that field of an object of that class, or that global.
- `HAS_TYPE`: a value of that type can be there. `IMPLEMENTS`, `INHERITS`, `EMBEDS`, `OVERRIDES`, `CONTAINS`, `IMPORTS`, `SERIALIZED_AS`,
  `USES_KEY`: as the schema says.

Which edges are drawn is told by a hash of what they say, so that a better engine is measured on what is left of the same sample and a few new
ones. Edges of rules for calls that were not resolved are not drawn: they claim nothing. A reader puts `"holds": true` or `false` behind each, and
`"why"` where it does not.
"""

import argparse
import collections
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "setup"))
from fetch import data_folder  # noqa: E402

READ = Path(__file__).parent / "edges.jsonl"
# Packages whose source is read: three of each language. Tests come along: their edges are edges like all others.
PACKAGES = ("rich", "click", "jinja2", "cobra", "gitleaks", "syft")
# What tells an edge, in the order of the lines of the file.
TOLD = ("package", "rule", "kind", "how", "file", "line", "col", "from", "to")
EDGES = """MATCH (a)-[e]->(b) WHERE label(e) <> 'CO_CHANGED'
    RETURN label(e), e.rule, e.how, e.file, e.line, e.col, a.qualified_name, b.qualified_name, label(a), label(b), a.kind, b.kind,
           a.file, a.line, b.file, b.line, a.col, b.col"""


def main():
    # No reader is left behind in a folder that will be gone.
    os.environ["RIPPLE_RESIDENT"] = "0"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("draw", "show", "rate"))
    parser.add_argument("--ripple", type=Path, help="the binary [release/ripple in $CARGO_TARGET_DIR, or in target]")
    parser.add_argument("--each", type=int, default=40, metavar="N", help="edges of each rule that are to be in the sample [%(default)s]")
    parser.add_argument("--rule", action="append", metavar="RULE", help="only this rule")
    parser.add_argument("--part", metavar="K/N", help="every Nth edge, from the Kth on: several readers share the work")
    parser.add_argument("--json", action="store_true", help="`rate`: the shares as JSON")
    options = parser.parse_args()
    return {"draw": draw, "show": show, "rate": rate}[options.verb](options)


# The verbs.


def draw(options):
    places = graphs(binary(options))
    known = {told: edge for told, edge in read().items() if told in places}
    by_rule = collections.defaultdict(list)
    for told, edge in places.items():
        if not edge["rule"].startswith("unresolved-"):
            by_rule[edge["rule"]].append(told)
    for rule, edges in sorted(by_rule.items()):
        if options.rule and rule not in options.rule:
            continue
        have = [told for told, edge in known.items() if edge["rule"] == rule]
        for told in spread(edges, places, options.each):
            if len(have) >= options.each:
                break
            if told not in known:
                known[told] = places[told]
                have.append(told)
        print(f"{rule:18} {len(have):4} of {len(edges)}")
    write(known)
    return 0


def spread(edges, places, count):
    """By hash, a package at a time, so that a large one does not fill the sample."""
    queues = collections.defaultdict(list)
    for told in sorted(edges, key=lambda told: hashlib.sha256(json.dumps(told).encode()).digest()):
        queues[places[told]["package"]].append(told)
    queues = [queues[name] for name in PACKAGES if name in queues]
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue):
                yield queue[turn]


def show(options):
    part, parts = map(int, (options.part or "0/1").split("/"))
    sources = {}
    edges = [edge for edge in read().values() if "holds" not in edge and (not options.rule or edge["rule"] in options.rule)]
    for number, edge in enumerate(edges):
        if number % parts != part % parts:
            continue
        folder = data_folder() / edge["package"]
        print(f"\n## {key(edge)}  {edge['package']}: {edge['rule']}, {edge['kind']} {edge['how']}")
        for end in ("from", "to"):
            about = edge["about"][end]
            print(f"{end:>4}: {edge[end]} ({about['kind']} at {about['file']}:{about['line']}:{about['col']})")
        for name, line, around in {
            (edge["file"], edge["line"], 4),
            (edge["about"]["to"]["file"], edge["about"]["to"]["line"], 2),
            (edge["about"]["from"]["file"], edge["about"]["from"]["line"], 2),
        }:
            if not name:
                continue
            if (folder, name) not in sources:
                sources[folder, name] = (folder / name).read_text(errors="replace").splitlines()
            print(f"  {name}")
            for at in range(max(line - around, 1), min(line + around, len(sources[folder, name])) + 1):
                here = f"  <- column {edge['col']}" if (name, at) == (edge["file"], edge["line"]) else ""
                print(f"  {at:6} {sources[folder, name][at - 1]}{here}")
    return 0


def rate(options):
    shares = collections.defaultdict(lambda: [0, 0])
    edges = [edge for edge in read().values() if "holds" in edge]
    for edge in edges:
        shares[edge["rule"]][0] += edge["holds"]
        shares[edge["rule"]][1] += 1
    if options.json:
        print(json.dumps({rule: {"holds": held, "read": all_} for rule, (held, all_) in sorted(shares.items())}))
        return 0
    print("| rule | read | hold | share |\n|---|---|---|---|")
    for rule, (held, all_) in sorted(shares.items(), key=lambda item: -item[1][0] / item[1][1]):
        print(f"| `{rule}` | {all_} | {held} | {held / all_:.2f} |")
    return 0


# The sample, and the graphs that it is drawn from.


def told_of(edge):
    return tuple(edge[name] for name in TOLD)


def key(edge):
    """A short name for an edge, to say what was read."""
    return hashlib.sha256(json.dumps(told_of(edge)).encode()).hexdigest()[:8]


def read():
    if not READ.exists():
        return {}
    edges = (json.loads(line) for line in READ.read_text().splitlines() if line)
    return {told_of(edge): edge for edge in edges}


def write(edges):
    READ.write_text("".join(json.dumps(edge) + "\n" for edge in sorted(edges.values(), key=told_of)))


def graphs(ripple):
    """Every edge of the packages, by what tells it."""
    edges = {}
    for package in PACKAGES:
        with tempfile.TemporaryDirectory() as index:
            run(ripple, "index", "--quiet", "--no-search", "--index", index, data_folder() / package)
            rows = run(ripple, "cypher", "--index", index, "--format", "jsonl", "--limit", "10000000", "--timeout", "300s", EDGES)
            # The first line names the columns, the last one counts.
            for row in map(json.loads, rows.splitlines()[1:-1]):
                edge = edge_of(package, row)
                edges[told_of(edge)] = edge
    return edges


def edge_of(package, row):
    kind, rule, how, file, line, col, start, end, start_label, end_label, start_kind, end_kind, *places = row
    start_file, start_line, end_file, end_line, start_col, end_col = places
    edge = dict(zip(TOLD, (package, rule, kind, how, file, line, col, start, end), strict=True))
    edge["about"] = {
        "from": {"kind": f"{start_label} {start_kind}", "file": start_file, "line": start_line, "col": start_col},
        "to": {"kind": f"{end_label} {end_kind}", "file": end_file, "line": end_line, "col": end_col},
    }
    return edge


def run(ripple, *arguments):
    done = subprocess.run([ripple, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"rules: {done.stderr.strip()}")
    return done.stdout


def binary(options):
    folder = os.environ.get("CARGO_TARGET_DIR") or Path(__file__).parents[3] / "target"
    ripple = options.ripple or Path(folder, "release", "ripple")
    if not ripple.is_file():
        raise SystemExit(f"rules: {ripple} is missing: build it first (./run build)")
    return ripple.absolute()


if __name__ == "__main__":
    sys.exit(main())
