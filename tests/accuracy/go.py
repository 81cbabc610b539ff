#!/usr/bin/env python3
"""How far Ripple's graph of a Go module agrees with what Go's own analyses know of it.

    python3 tests/accuracy/go.py                      all modules
    python3 tests/accuracy/go.py cobra --causes 10    one, with what is missed and what is wrong, by cause
    python3 tests/accuracy/go.py cobra --json         one line of JSON a module

The truth is told by tests/oracles/go_truth: go/types for declarations and accesses, and four call graphs. They stand for different ideas
of what may be called: `static` is what the source names, `vta` follows values by their types, `rta` takes all that is reachable from the roots,
`cha` every function of that signature and every type with such a method. What is missing of `static` is missed; what is outside of `cha` is
wrong; between them stand ideas, and a precision or recall against one of them says how near to it we are. `vta` itself loses what `range` and
`v, ok := <-c` take out of a channel, and knows all channels of one type as one.

Tests are left out on both sides: both read a copy of the module without them. So are files of other platforms than linux/amd64, and calls that
a library makes of what it was handed (`callback`): they have no call in the source, and are only asked whether a library calls there at all. What the
compiler never reaches is not judged. The truth is kept beside the module until the oracle changes; modules come from setup/fetch.py.
"""

import argparse
import collections
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLE = HERE.parent / "oracles" / "go_truth"
sys.path.insert(0, str(HERE.parent / "setup"))
import fetch  # noqa: E402

GRAPHS = ("static", "cha", "rta", "vta")


def main():
    # No reader is left behind in a folder that will be gone.
    os.environ["RIPPLE_RESIDENT"] = "0"
    names = [package[0] for package in fetch.GO]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help=f"of {', '.join(names)} [all], or the folder of another")
    parser.add_argument("--ripple", type=Path, help="the binary [release/ripple in $CARGO_TARGET_DIR, or in target]")
    parser.add_argument("--causes", type=int, default=0, metavar="N", help="show what differs, with N places for each cause")
    parser.add_argument("--json", action="store_true", help="figures as JSON, a line per module")
    options = parser.parse_args()
    if not shutil.which("go"):
        print("accuracy: Go is not installed: nothing to compare with", file=sys.stderr)
        return 1
    ripple = options.ripple or Path(os.environ.get("CARGO_TARGET_DIR") or HERE.parents[1] / "target", "release", "ripple")
    if not ripple.is_file():
        print(f"accuracy: {ripple} is missing: build it first (./run build)", file=sys.stderr)
        return 1
    for name in options.modules or names:
        folder = module_folder(name, names)
        with without_tests(folder) as copy:
            truth = Truth(oracle(folder, copy, known=name in names))
            ours = Ours(ripple.absolute(), copy)
        result = Comparison(truth, ours)
        if options.json:
            print(json.dumps({"module": name, "figures": result.figures}), flush=True)
            continue
        print(f"\n{name}: {result.about}")
        result.print_figures()
        if options.causes:
            result.print_causes(options.causes)
        sys.stdout.flush()
    return 0


# What is compared.


def module_folder(name, known):
    if name not in known:
        folder = Path(name).absolute()
        if not (folder / "go.mod").is_file():
            raise SystemExit(f"accuracy: {name} is none of {', '.join(known)}, nor a folder with a go.mod")
        return folder
    data = fetch.data_folder()
    data.mkdir(parents=True, exist_ok=True)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            fetch.fetch(name, data, fetch.from_go, next(package for package in fetch.GO if package[0] == name))
    except fetch.Missing as problem:
        raise SystemExit(f"accuracy: {problem}") from None
    return data / name


@contextlib.contextmanager
def without_tests(folder):
    """A copy of what a build takes: Go's own sources, what they embed, and the module's files."""
    with tempfile.TemporaryDirectory(prefix="accuracy-") as scratch:
        copy = Path(scratch, "module")
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*_test.go", "testdata", ".git", ".ripple"))
        yield copy


def oracle(folder, copy, known):
    """The facts, from the last time if the module is pinned and the oracle is the same."""
    sources = b"".join(path.read_bytes() for path in sorted(ORACLE.iterdir()) if path.is_file())
    kept = folder.with_name(f"{folder.name}.{hashlib.sha256(sources).hexdigest()[:12]}.truth.jsonl")
    if known and kept.is_file():
        return kept.read_text().splitlines()
    program = copy.with_name("go_truth")
    # The oracle's own sums are checked; an older module's may lack what today's Go wants to find there, and it is a copy.
    for command, place, mode in (
        (["go", "build", "-buildvcs=false", "-o", program, "."], ORACLE, "-mod=readonly"),
        (["go", "mod", "download"], copy, "-mod=mod"),
        ([program, copy], copy, "-mod=mod"),
    ):
        environment = dict(os.environ, GOFLAGS=mode, GOWORK="off")
        done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"accuracy: `{' '.join(map(str, command[:3]))}` failed: {done.stderr[-2000:]}")
    if known:
        for old in folder.parent.glob(f"{folder.name}.*.truth.jsonl"):
            old.unlink()
        half = kept.with_suffix(".half")
        half.write_text(done.stdout)
        half.rename(kept)
    return done.stdout.splitlines()


class Truth:
    """What Go says. A place is `file:line:column`."""

    def __init__(self, lines):
        facts = collections.defaultdict(list)
        for line in lines:
            fact = json.loads(line)
            facts[fact["fact"]].append(fact)
        (self.module,) = facts["module"]
        self.files = {fact["at"] for fact in facts["file"]}
        self.functions = {fact["at"]: fact for fact in facts["function"]}
        self.types = {fact["at"]: fact for fact in facts["type"]}
        self.fields = {fact["at"]: fact for fact in facts["field"]}
        self.accesses, self.either = {}, set()
        self.through = {}
        for fact in facts["access"]:
            key = (fact["at"], fact["field"], fact["mode"])
            self.through[fact["at"]] = fact["through"]
            if fact["optional"]:
                self.either.add(key)
            else:
                self.accesses[key] = fact
        self.implements = {(fact["type"], fact["interface"]): fact for fact in facts["implements"]}
        self.unjudged = {fact["interface"] for fact in facts["unjudged"]}
        self.shapes = {fact["at"]: fact["shape"] for fact in facts["site"]}
        self.calls = {graph: {} for graph in GRAPHS}
        for fact in facts["call"]:
            for graph in fact["in"]:
                self.calls[graph][fact["at"], fact["callee"]] = fact["caller"]
        self.known = {graph: {fact["function"] for fact in facts["known"] if graph in fact["in"]} for graph in GRAPHS}
        self.library = {graph: {fact["callee"] for fact in facts["library"] if graph in fact["in"]} for graph in GRAPHS}


class Ours:
    """What Ripple says of the same folder, in the same words."""

    def __init__(self, ripple, folder):
        with tempfile.TemporaryDirectory(prefix="accuracy-") as index:
            subprocess.run([ripple, "index", folder, "--index", index, "--quiet"], check=True, stdout=subprocess.DEVNULL)

            def ask(query):
                command = [ripple, "cypher", "--index", index, "--format", "jsonl", "--limit", "10000000", "--timeout", "600s", query]
                answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
                if json.loads(answer[-1])["truncated"]:
                    raise SystemExit(f"accuracy: the answer is cut off: {query}")
                return [json.loads(line) for line in answer[1:-1]]

            go = "language: 'go'"
            node = "{0}.file, {0}.line, {0}.col".format
            self.functions, self.types, self.fields = {}, {}, {}
            for kind, into in (("Function", self.functions), ("Type", self.types), ("Field", self.fields)):
                for row in ask(f"MATCH (n:{kind} {{{go}}}) RETURN {node('n')}, n.name, n.kind, n.end_line, n.qualified_name"):
                    into[place(row)] = dict(zip(("name", "kind", "end", "qualified"), row[3:]))
            self.owner = {
                place(row): place(row[3:])
                for row in ask(f"MATCH (t:Type)-[:CONTAINS]->(f:Function {{kind: 'method'}}) RETURN {node('f')}, {node('t')}")
            }
            self.receivers = collections.defaultdict(set)
            for row in ask(
                f"MATCH (f:Function)-[:CONTAINS]->(v:Variable {{kind: 'receiver', {go}}})-[:HAS_TYPE {{rule: 'declared-type'}}]->(t:Type) "
                f"RETURN {node('f')}, {node('t')}"
            ):
                self.receivers[place(row)].add(place(row[3:]))
            self.implements = {
                (place(row), place(row[3:])): row[6]
                for row in ask(f"MATCH (t:Type {{{go}}})-[r:IMPLEMENTS]->(i:Type) RETURN {node('t')}, {node('i')}, r.rule")
            }
            self.accesses = {}
            for kind, mode in (("READS", "read"), ("WRITES", "write")):
                # Go's form knows a write of a field by its own instruction, and none of what is in it or through its address.
                for row in ask(f"MATCH (f:Function {{{go}}})-[r:{kind}]->(n:Field) WHERE r.how = '' RETURN {node('r')}, {node('n')}, {node('f')}, r.rule"):
                    self.accesses[place(row), place(row[3:]), mode] = (place(row[6:]), row[9])
            self.calls = []
            for row in ask(f"MATCH (f:Function {{{go}}})-[r:CALLS]->(g:Function) RETURN {node('r')}, {node('g')}, {node('f')}, r.rule, r.how"):
                self.calls.append((place(row), place(row[3:]), place(row[6:]), *row[9:]))
            self.outside = collections.defaultdict(set)
            for row in ask(f"MATCH (f:Function {{{go}}})-[r:CALLS]->(g:External) RETURN {node('r')}, g.kind, g.qualified_name, r.rule"):
                self.outside[place(row)].add((row[3], row[4], row[5]))


def place(row):
    return f"{row[0]}:{row[1]}:{row[2]}"


def file_of(at):
    return at.rsplit(":", 2)[0]


# What comes of it.


class Comparison:
    def __init__(self, truth, ours):
        self.truth, self.ours = truth, ours
        self.figures = {}
        # Title, to cause, to places with what is said there.
        self.causes = collections.defaultdict(lambda: collections.defaultdict(list))
        about = truth.module
        self.about = (
            f"{about['path']}, Go {about['go']}, {about['packages']} packages, {len(truth.files)} files; roots: {about['roots']}; "
            f"Go's analyses took {about['seconds']} s"
        )
        self.declarations()
        self.implementations()
        self.accesses()
        self.call_edges()

    def judged(self, at):
        return file_of(at) in self.truth.files

    def note(self, title, cause, words):
        self.causes[title][cause].append(words)

    def share(self, name, true, ours):
        """Two sets that ought to be equal."""
        both = len(true & ours)
        self.figures[name] = {"true": len(true), "ours": len(ours), "both": both}

    def declarations(self):
        truth, ours = self.truth, self.ours
        for name, kinds in (("functions", {"function"}), ("methods", {"method"}), ("closures", {"closure"})):
            true = {(at, fact["name"] if kinds != {"closure"} else "", fact["end"]) for at, fact in truth.functions.items() if fact["kind"] in kinds}
            found = {
                (at, fact["name"] if kinds != {"closure"} else "", fact["end"])
                for at, fact in ours.functions.items()
                # The methods of an interface are in the graph too.
                if fact["kind"] in kinds and self.judged(at) and truth.functions.get(at, {}).get("kind") != "abstract"
            }
            self.set(name, true, found)
        self.set(
            "receivers' types",
            {(at, fact["receiver"]) for at, fact in truth.functions.items() if fact["kind"] == "method"},
            {(at, owner) for at, owner in ours.owner.items() if self.judged(at) and truth.functions.get(at, {}).get("kind") != "abstract"},
        )
        self.set(
            "receiver variables",
            {(at, fact["receiver"]) for at, fact in truth.functions.items() if fact.get("named")},
            # A receiver without a name is in the graph too, and has nothing to be compared with.
            {(at, held) for at, types in ours.receivers.items() for held in types if truth.functions.get(at, {}).get("named")},
        )
        self.set(
            "types",
            {(at, fact["name"], fact["kind"]) for at, fact in truth.types.items()},
            {(at, fact["name"], fact["kind"]) for at, fact in ours.types.items() if self.judged(at) and fact["name"] not in ANONYMOUS},
        )
        self.set(
            "fields",
            {(at, fact["name"]) for at, fact in truth.fields.items()},
            {(at, fact["name"]) for at, fact in ours.fields.items() if self.judged(at)},
        )

    def set(self, name, true, ours):
        self.share(name, true, ours)
        for item in sorted(true - ours):
            self.note(f"{name} missed", name, str(item))
        for item in sorted(ours - true):
            self.note(f"{name} wrong", name, str(item))

    def implementations(self):
        truth, ours = self.truth, self.ours
        found = {
            pair: rule
            for pair, rule in ours.implements.items()
            if pair[0] in truth.types and pair[1] in truth.types and pair[1] not in truth.unjudged
        }
        for kind, name in (("concrete", "types that implement"), ("interface", "interfaces that imply")):
            is_interface = kind == "interface"
            self.share(
                name,
                {pair for pair, fact in truth.implements.items() if fact["kind"] == kind},
                {pair for pair in found if (truth.types[pair[0]]["kind"] == "interface") == is_interface},
            )
        called = lambda pair: " -> ".join(f"{truth.types[at]['name']} ({at})" for at in pair)
        for pair in sorted(truth.implements.keys() - found.keys()):
            fact = truth.implements[pair]
            self.note("implementations missed", f"{fact['kind']}, by {fact['by']}", called(pair))
        for pair in sorted(found.keys() - truth.implements.keys()):
            self.note("implementations wrong", found[pair], called(pair))

    def accesses(self):
        truth, ours = self.truth, self.ours
        for mode in ("read", "write"):
            true = {key for key in truth.accesses if key[2] == mode}
            found = {key for key in ours.accesses if key[2] == mode and self.judged(key[0]) and key[1] in truth.fields}
            counted = found - truth.either
            self.share(f"fields {mode}", true, counted)
            elsewhere = [key for key in true & counted if truth.accesses[key]["function"] != ours.accesses[key][0]]
            self.figures[f"fields {mode}"]["in another function"] = len(elsewhere)
            for key in sorted(true - counted):
                there = sorted({self.field(other[1]) for other in self.at_site(key[0]) if other[2] == mode and other[1] != key[1]})
                cause = truth.accesses[key]["through"] + (", another field is told" if there else "")
                told = f"; told: {', '.join(there)}" if there else ""
                self.note(f"{mode}s missed", cause, f"{key[0]} {self.field(key[1])}{told}")
            for key in sorted(counted - true):
                through = truth.through.get(key[0], "no field is named here")
                if (key[0], key[1], "write" if mode == "read" else "read") in truth.accesses:
                    through += ", the other way"
                self.note(f"{mode}s wrong", f"{ours.accesses[key][1]}: {through}", f"{key[0]} {self.field(key[1])}")
            for key in sorted(elsewhere):
                self.note(f"{mode}s in another function", "", f"{key[0]} {self.field(key[1])}: {ours.accesses[key][0]}")

    def at_site(self, site):
        if not hasattr(self, "_sites"):
            self._sites = collections.defaultdict(list)
            for key in self.ours.accesses:
                self._sites[key[0]].append(key)
        return self._sites[site]

    def field(self, at):
        fact = self.truth.fields.get(at)
        return f"{fact['owner'] or 'struct{}'}.{fact['name']} ({at})" if fact else at

    def function(self, at):
        known = self.ours.functions.get(at)
        return f"{known['qualified']} ({at})" if known else at

    def call_edges(self):
        truth, ours = self.truth, self.ours
        found, rules, callbacks = {}, collections.defaultdict(set), {}
        self.other = collections.Counter()
        for site, callee, caller, rule, how in ours.calls:
            if not self.judged(site):
                continue
            kind = truth.functions.get(callee, {}).get("kind")
            if kind is None or kind == "abstract":
                # Of another platform; or the interface's own method, which has no body.
                self.other["the interface's method" if kind else "of another platform"] += 1
            elif how == "callback":
                callbacks[site, callee] = rule
            else:
                found[site, callee] = caller
                rules[rule].add((site, callee))
        self.rule_of = {edge: rule for rule, edges in rules.items() for edge in edges}
        calls = self.figures["calls"] = {}
        for graph in GRAPHS:
            true = truth.calls[graph]
            # What the source names can be asked of every function.
            in_reach = {edge: caller for edge, caller in found.items() if caller in truth.known[graph] or graph == "static"}
            pairs = lambda edges: {(caller, callee) for (_, callee), caller in edges.items()}
            calls[graph] = {
                "sites": overlap(true.keys(), in_reach.keys()),
                "edges": overlap(pairs(true), pairs(in_reach)),
                "not judged": len(found) - len(in_reach),
            }
        self.figures["rules"] = {
            rule: {"edges": len(edges)}
            | {graph: overlap(truth.calls[graph].keys(), {edge for edge in edges if found[edge] in truth.known[graph]}) for graph in GRAPHS}
            for rule, edges in sorted(rules.items())
        }
        self.figures["callbacks"] = {"ours": len(callbacks)} | {
            graph: sum(callee in truth.library[graph] for _, callee in callbacks) for graph in ("vta", "rta")
        }
        self.figures["other edges"] = dict(self.other)
        at_site = collections.defaultdict(list)
        for edge in found:
            at_site[edge[0]].append(edge[1])
        for graph in ("static", "vta"):
            for site, callee in sorted(truth.calls[graph].keys() - found.keys()):
                if graph == "vta" and (site, callee) in truth.calls["static"]:
                    continue
                there = sorted(self.function(other) for other in at_site[site])
                outside = sorted(ours.outside.get(site, ()))
                if there:
                    told = "others are told"
                elif outside:
                    told = f"told: {outside[0][0]}, {outside[0][2]}"
                else:
                    told = "nothing is told"
                words = ", ".join(there + [f"{name} ({rule})" for _, name, rule in outside][:2])
                self.note(f"{graph} calls missed", f"{truth.shapes.get(site)}; {told}", f"{site} calls {self.function(callee)}; told: {words or 'nothing'}")
        for edge in sorted(found):
            caller = found[edge]
            if caller not in truth.known["cha"] or edge in truth.calls["cha"]:
                title = "calls outside vta"
                if caller not in truth.known["vta"] or edge in truth.calls["vta"]:
                    continue
            else:
                title = "calls outside cha"
            right = sorted(self.function(callee) for site, callee in truth.calls["vta"] if site == edge[0]) if title == "calls outside cha" else []
            shape = truth.shapes.get(edge[0], "no call here")
            said = f"; right: {', '.join(right) or 'none in the module'}" if title == "calls outside cha" else ""
            self.note(title, f"{self.rule_of[edge]}: {shape}", f"{edge[0]} calls {self.function(edge[1])}{said}")

    def print_figures(self):
        figures = dict(self.figures)
        calls, rules, callbacks, other = (figures.pop(name) for name in ("calls", "rules", "callbacks", "other edges"))
        print(f"  {'':24} {'true':>7} {'ours':>7} {'both':>7} {'precision':>10} {'recall':>8}")
        for name, figure in figures.items():
            elsewhere = figure.get("in another function")
            print(f"  {name:24} {line(figure)}" + (f"  {elsewhere} in another function" if elsewhere else ""))
        for graph, figure in calls.items():
            for unit in ("sites", "edges"):
                if graph == "static":
                    # Most calls of interfaces and values are right, and not in it.
                    print(f"  {f'calls, static, {unit}':24} {line(figure[unit], precise=False)}")
                    continue
                print(f"  {f'calls, {graph}, {unit}':24} {line(figure[unit])}" + (f"  {figure['not judged']} not judged" if unit == "sites" else ""))
        print("  calls by rule: edges, in static, in vta, in rta, outside cha")
        for rule, figure in rules.items():
            inside = "".join(f" {figure[graph]['both']:7}" for graph in ("static", "vta", "rta"))
            print(f"  {rule:24} {figure['edges']:7}{inside} {figure['cha']['ours'] - figure['cha']['both']:7}")
        print(f"  callbacks: {callbacks['ours']}, of functions that a library calls: {callbacks['vta']} (vta), {callbacks['rta']} (rta)")
        if other:
            print("  not compared: " + ", ".join(f"{count} {what}" for what, count in other.items()))

    def print_causes(self, examples):
        for title, causes in self.causes.items():
            print(f"  {title}: {sum(map(len, causes.values()))}")
            for cause, words in sorted(causes.items(), key=lambda entry: -len(entry[1])):
                print(f"    {len(words):6} {cause}")
                for word in spread(words, examples):
                    print(f"           {word}")


# What the index calls a type without a name.
ANONYMOUS = ("struct{}", "interface{}")


def overlap(true, ours):
    return {"true": len(true), "ours": len(ours), "both": len(true & ours)}


def line(figure, precise=True):
    share = lambda whole: f"{figure['both'] / whole:.1%}" if whole else "-"
    precision = share(figure["ours"]) if precise else ""
    return f"{figure['true']:7} {figure['ours']:7} {figure['both']:7} {precision:>10} {share(figure['true']):>8}"


def spread(words, count):
    """A few of many, from all over."""
    step = max(1, len(words) // max(count, 1))
    return words[::step][:count]


if __name__ == "__main__":
    sys.exit(main())
