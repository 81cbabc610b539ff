#!/usr/bin/env python3
"""Holds Ripple's `CALLS` edges of real Python packages to what their own tests execute, and to what jedi says.

    python3 tests/accuracy/python/calls.py                       everything; some minutes on 2 cores
    python3 tests/accuracy/python/calls.py --only executed       one part: executed, read, jedi
    python3 tests/accuracy/python/calls.py --more                five more packages, of which only what their tests execute is told
    python3 tests/accuracy/python/calls.py --package click --json report.json --out folder

Packages and tools come through `setup/fetch.py tests`. Only the package's own source is indexed, not its tests.

Recall: the tests run under a tracer (`trace.py`; `rich`, whose archives carry no tests, is driven by `drive_rich.py`). Of the calls between two
functions of the package that were executed, how many are in the graph: same place, same function called. A call is told by the way the
callee was reached. Where source is called in between that is not the package's, or a function written in C (`sorted(key=f)`, `str(x)`), the
edge is told apart and is not part of the sum: the two functions do not call each other.

Honesty: of each function that was called by another that the graph does not have among its callers, `ripple callers` is asked. How many of these
answers say that they are `complete`? These are wrong.

Precision: somebody read the edges of the three packages beside the source, those that the tests had entered left out, and wrote down the ones that
no run of the program can make true: `wrong_calls.jsonl`. How many of these are (still) in the graph? Edges that were made since are not read.

Second opinion: at every call of a name or attribute, what jedi says that is called. Neither is the truth; `disagreements.json`, in the folder
given by --out, holds each place where they differ, and --sample N prints N of each sort, the same ones for the same --seed.
"""

import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[2] / "setup"))
from fetch import MORE_TOOLS, TOOLS, data_folder  # noqa: E402

HERE = Path(__file__).parent
PARTS = ("executed", "read", "jedi")
EDGE = ("caller", "file", "line", "column", "rule", "how", "label", "callee", "callee_file", "callee_line")
CALLS = """MATCH (f:Function)-[c:CALLS]->(g)
    RETURN f.qualified_name, c.file, c.line, c.col, c.rule, c.how, label(g), g.qualified_name, g.file, g.line"""
# The source that is called stands between the two functions.
BETWEEN = ("builtin", "library")
# There is a call expression in the source, and its place is exact.
WRITTEN = ("call", "constructor", "class")


class Package(NamedTuple):
    name: str
    # Below the folder that was fetched.
    source: str
    # What is run, by Python, in the package's folder.
    program: tuple
    # Where it is, and the environment that runs it.
    folder: str = ""
    tools: str = TOOLS[0]
    # The part of it that is the package, where its tests lie beside that.
    inside: str = ""


PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
# No test is run as a coroutine where the tracer cannot follow.
PLAIN = (*PYTEST, "-p", "no:asyncio", "-W", "ignore::pytest.PytestDeprecationWarning")
# What serves, or has a tracer of its own, and what takes minutes under ours, is left out.
WERKZEUG = ("tests", "-k", "not test_basic", "--ignore", "tests/live_apps", "--ignore", "tests/middleware/test_profiler.py",
            "--ignore", "tests/middleware/test_http_proxy.py", "--ignore", "tests/test_serving.py")
PYPARSING = ("tests/test_unit.py", "tests/test_simple_unit.py", "tests/test_testing.py", "tests/test_diagram.py",
             "-k", "not Test04 and not Test06 and not Test08 and not Test10 and not Random and not random")

PACKAGES = (
    Package("rich", ".", (str(HERE / "drive_rich.py"),)),
    Package("click", "src", (*PYTEST, "tests")),
    Package("jinja2", "src", (*PYTEST, "tests")),
)
# Those that `fetch.py calls` brings. Nobody read their edges, and some of their tests fail under a tracer.
MORE = (
    Package("markdown_it_py", ".", (*PLAIN, "tests"), "markdown_it_py-tests", MORE_TOOLS[0], "markdown_it"),
    Package("structlog", "src", (*PYTEST, "tests"), "structlog-tests", MORE_TOOLS[0]),
    Package("werkzeug", "src", (*PLAIN, *WERKZEUG), "werkzeug-tests", MORE_TOOLS[0]),
    Package("parso", ".", (*PLAIN, "test"), "parso-tests", MORE_TOOLS[0], "parso"),
    Package("pyparsing", ".", (*PLAIN, *PYPARSING), "pyparsing-tests", MORE_TOOLS[0], "pyparsing"),
)


def main():
    # No reader is left behind in a folder that will be gone.
    os.environ["RIPPLE_RESIDENT"] = "0"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ripple", default="target/release/ripple", type=Path, help="the binary [%(default)s]")
    parser.add_argument("--package", choices=[package.name for package in PACKAGES + MORE], action="append", help="leave the others out")
    parser.add_argument("--more", action="store_true", help="the packages that `fetch.py calls` brings, and what their tests execute")
    parser.add_argument("--only", choices=PARTS, action="append", help="leave the other part out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep there what was observed, and each difference")
    parser.add_argument("--again", action="store_true", help="take from --out what was observed before")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="print so many differences of each sort")
    parser.add_argument("--seed", type=int, default=1, help="which ones [%(default)s]")
    options = parser.parse_args()
    data = data_folder()
    if not (data / TOOLS[0]).is_dir():
        raise SystemExit("the packages and tools are missing: python3 tests/setup/fetch.py tests")
    report = {}
    with tempfile.TemporaryDirectory(dir=data, prefix=".calls-") as scratch:
        for package in PACKAGES + MORE:
            if package.name not in (options.package or [package.name for package in (MORE if options.more else PACKAGES)]):
                continue
            if not (data / (package.folder or package.name)).is_dir() or not (data / package.tools).is_dir():
                raise SystemExit(f"{package.name} is missing: python3 tests/setup/fetch.py {'calls' if package in MORE else 'tests'}")
            parts = options.only or (("executed",) if package in MORE else PARTS)
            out = (options.out or Path(scratch)).absolute() / package.name
            out.mkdir(parents=True, exist_ok=True)
            study = Study(package, data, out, options)
            figures = report[package.name] = {}
            if "executed" in parts:
                figures["executed"] = study.executed()
            if "read" in parts:
                figures["read"] = study.read()
            if "jedi" in parts:
                figures["jedi"] = study.jedi()
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


class Study:
    def __init__(self, package, data, out, options):
        self.package, self.out, self.options = package, out, options
        self.folder = data / (package.folder or package.name)
        self.traced = self.root = (self.folder / package.source).resolve()
        if package.inside:
            self.root = out / "source"
            shutil.copytree(self.traced / package.inside, self.root / package.inside, dirs_exist_ok=True)
        self.python = data / package.tools / ("Scripts" if os.name == "nt" else "bin") / "python"
        self.random = random.Random(options.seed)
        self.lines = {}
        self.ripple = options.ripple.absolute()
        self.place = tempfile.TemporaryDirectory(dir=out)
        self.edges = self.index()
        self.at, self.on = collections.defaultdict(list), collections.defaultdict(list)
        for edge in self.edges:
            self.at[edge["file"], edge["line"], edge["column"]].append(edge)
            self.on[edge["file"], edge["line"]].append(edge)
        print(f"\n{package.name}: {len(self.edges):,} CALLS edges")

    def index(self):
        subprocess.run([self.ripple, "index", self.root, "--index", self.place.name, "--quiet", "--no-cache"], check=True)
        answer = self.ask("cypher", CALLS, "--limit", "10000000")
        return [dict(zip(EDGE, row)) for row in answer["rows"]]

    def ask(self, *command):
        done = subprocess.run([self.ripple, *command, "--index", self.place.name, "--format", "json"], check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def observe(self, name, script, *arguments):
        """What a program of ours writes, run in the package's folder, or what it wrote before."""
        file = self.out / name
        if not (self.options.again and file.exists()):
            environment = dict(os.environ, PYTHONPATH=str(self.traced), PYTHONDONTWRITEBYTECODE="1")
            command = [self.python, script, "--out", file, *map(str, arguments)]
            done = subprocess.run(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if done.returncode and (self.package not in MORE or not file.exists()):
                raise SystemExit(f"{self.package.name}: {script.name} failed:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
        return json.loads(file.read_text(encoding="utf-8"))

    # Recall.

    def executed(self):
        observed = self.observe("executed.json", HERE / "trace.py", "--root", self.traced, *self.package.program)
        inside = tuple(f"{part}/" for part in [self.package.inside] if part)
        if inside:
            of_it = lambda call: call["file"].startswith(inside) and call["callee_file"].startswith(inside)
            observed["calls"] = [call for call in observed["calls"] if of_it(call)]
        ways, rules, missed = collections.defaultdict(lambda: [0, 0]), collections.Counter(), []
        for call in observed["calls"]:
            found = self.found(call)
            ways[call["way"]][1] += 1
            if found:
                ways[call["way"]][0] += 1
                if call["way"] not in BETWEEN:
                    rules[max(found, key=lambda edge: edge["how"] != "reference")["rule"]] += 1
            else:
                missed.append(call | {"cause": self.cause(call), "source": self.line(call).strip()})
        entered, by_rule = self.entered(observed), collections.defaultdict(lambda: [0, 0])
        for edge, was in entered:
            by_rule[edge["rule"]][0] += was
            by_rule[edge["rule"]][1] += 1
        direct = [sum(ways[way][at] for way in ways if way not in BETWEEN) for at in (0, 1)]
        written = [sum(ways[way][at] for way in WRITTEN) for at in (0, 1)]
        print(f"  executed calls in the graph: {share(direct)}; those that are written as calls: {share(written)}")
        for way in sorted(ways, key=lambda way: (way in BETWEEN, -ways[way][1])):
            print(f"    {share(ways[way]):24} {way}{' (in between; not part of the sum)' if way in BETWEEN else ''}")
        print("  by rule: " + ", ".join(f"{rule} {count}" for rule, count in rules.most_common()))
        both = [sum(rule[at] for rule in by_rule.values()) for at in (0, 1)]
        print(f"  of the edges to the package at calls that were executed, {share(both)} were entered: " + ", ".join(f"{rule} {share(by_rule[rule])}" for rule in by_rule))
        causes = collections.defaultdict(list)
        for call in missed:
            if call["way"] not in BETWEEN:
                causes[call["cause"]].append(call)
        print("  missed, by cause:")
        for cause in sorted(causes, key=lambda cause: -len(causes[cause])):
            calls = causes[cause]
            places = {(call["file"], call["line"], call["column"]) for call in calls}
            print(f"    {len(calls):4} at {len(places):3} places  {cause}")
            for call in self.random.sample(calls, min(len(calls), self.options.sample)):
                print(f"           {tell(call)}  {call['function']} -> {call['callee']} {call['callee_file']}:{call['callee_line']}  {call['source'][:90]}")
        self.keep("missed.json", missed)
        told = self.told([call for call in missed if call["way"] not in BETWEEN])
        levels = collections.Counter(told.values())
        print("  what is said of callers that are not all there: " + (", ".join(f"{level} {count}" for level, count in levels.most_common()) or "nothing"))
        for (callee, file, line), level in sorted(told.items()):
            if level == "complete":
                print(f"    complete, and is not: {callee} {file}:{line}")
        return {
            "told": dict(levels),
            "recall": direct[0] / direct[1],
            "written": written[0] / written[1],
            "found": direct[0],
            "executed": direct[1],
            "ways": {way: {"found": found, "executed": total} for way, (found, total) in ways.items()},
            "rules": dict(rules),
            "entered": {rule: {"entered": was, "edges": total} for rule, (was, total) in by_rule.items()},
            "missed": {cause: len(calls) for cause, calls in causes.items()},
        }

    def told(self, missed):
        """The verdict on the callers of each function that is called by one that is not among them."""
        callers, told = collections.defaultdict(set), {}
        for call in missed:
            callers[call["callee"], call["callee_file"], call["callee_line"]].add(call["function"].replace(".<locals>", ""))
        for function, executed in callers.items():
            answer = self.ask("callers", f"{function[1]}:{function[2]}", "--limit", "500")
            names = [answer["nodes"][str(result["node"])]["qualified_name"] for result in answer["results"]]
            if any(not any(f".{name}".endswith(f".{caller}") for name in names) for caller in executed):
                told[function] = answer["verdict"]["level"]
        return told

    def found(self, call):
        """The edges to the callee: at the exact place for a call that is written, on its lines for what the language calls."""
        if call["way"] in WRITTEN:
            there = self.at[call["file"], call["line"], call["column"]]
        elif call["callee"].endswith(("__exit__", "__aexit__")):
            # Left at any `return` of the body; the graph has it where the `with` begins.
            there = [edge for line in range(call["function_line"], call["end_line"] + 1) for edge in self.on[call["file"], line]]
        else:
            there = [edge for line in range(call["line"], call["end_line"] + 1) for edge in self.on[call["file"], line]]
        return [edge for edge in there if (edge["callee_file"], edge["callee_line"]) == (call["callee_file"], call["callee_line"])]

    def entered(self, observed):
        """The edges at calls that were executed, and whether their callee was. One that was not is possible still, unless it stands alone."""
        places = {(site["file"], site["line"], site["column"]) for site in observed["sites"]}
        calls = {tuple(call[name] for name in ("file", "line", "column", "callee_file", "callee_line")) for call in observed["calls"]}
        for edge in self.edges:
            place = (edge["file"], edge["line"], edge["column"])
            if place in places and edge["label"] != "External" and edge["how"] not in ("implicit", "callback"):
                yield edge, (*place, edge["callee_file"], edge["callee_line"]) in calls

    def cause(self, call):
        """What the graph has there instead, and how the callee is spelled: enough to tell one sort of loss from another."""
        if call["way"] not in WRITTEN:
            return f"{call['way']}: {call['callee'].rpartition('.')[2] if '__' in call['callee'].rpartition('.')[2] else 'of a name'}"
        there = self.at[call["file"], call["line"], call["column"]]
        if not there:
            instead = "nothing"
        elif any(edge["label"] != "External" for edge in there):
            instead = "other targets"
        else:
            instead = ", ".join(sorted({edge["rule"] for edge in there}))
        # A constructor is spelled as its class.
        name = call["callee"].split(".")[-2 if call["way"] == "constructor" else -1]
        spelled = "wrapper made by a decorator" if self.is_wrapper(call) else "lambda" if name == "<lambda>" else self.spelled(call, name)
        return f"{call['way']}, {spelled}; the graph has {instead}"

    def is_wrapper(self, call):
        inner = call["callee"].split(".")[-2:-1] == ["<locals>"]
        return inner and call["way"] == "call" and call["callee"].split(".")[0] != call["function"].split(".")[0]

    def spelled(self, call, name):
        line = self.line(call).encode()[call["column"] - 1 :].decode(errors="replace")
        before = self.line(call).encode()[: call["column"] - 1].decode(errors="replace").rstrip()
        if line.startswith("("):
            return "computed callee"
        if before.endswith("self."):
            return "method of self"
        if before.endswith("super()."):
            return "method of super()"
        if before.endswith((").", "].")):
            return "method of a call's result or an element"
        if before.endswith("."):
            return "method" if line.startswith(name) else "function in an attribute"
        return "function by name" if line.startswith(name) else "function in a variable"

    def line(self, place):
        path = place["file"]
        if path not in self.lines:
            self.lines[path] = (self.root / path).read_text(encoding="utf-8").splitlines()
        return self.lines[path][place["line"] - 1]

    # Second opinion.

    def jedi(self):
        answers = self.observe("jedi.json", HERE / "ask_jedi.py", self.root)
        sorts, by_rule, differences = collections.Counter(), collections.defaultdict(collections.Counter), []
        for answer in answers:
            edges = [edge for edge in self.at[answer["file"], answer["line"], answer["column"]] if edge["how"] not in ("implicit", "callback")]
            ours = {(edge["callee_file"], edge["callee_line"]): edge for edge in edges if edge["label"] != "External"}
            # jedi may know a package by the type stubs that it brings, and then tells names that are right and places that are not.
            names = {edge["callee"]: key for key, edge in ours.items()}
            inside = [target for target in answer["targets"] if target["kind"] != "outside"]
            theirs = {(target["file"], target["line"]): target for target in inside}
            theirs |= {names[target["name"]]: target for target in answer["targets"] if target["kind"] == "outside" and target["name"] in names}
            place = {name: answer[name] for name in ("file", "line", "column")}
            if not ours and not theirs:
                outside = any(edge["rule"] in ("library", "builtin") for edge in edges)
                sort = "both outside" if outside and answer["targets"] else "only ripple: outside" if outside else "only jedi: outside" if answer["targets"] else "neither knows"
                sorts[sort] += 1
                continue
            for key in ours.keys() | theirs.keys():
                sort = "agree" if key in ours and key in theirs else "only ripple" if key in ours else "only jedi"
                sorts[sort] += 1
                rule = ours[key]["rule"] if key in ours else ", ".join(sorted({edge["rule"] for edge in edges})) or "no edge"
                by_rule[rule][sort] += 1
                if sort != "agree":
                    target = (ours.get(key) or theirs.get(key)).copy()
                    name = target.get("callee") or target["name"]
                    differences.append(
                        place
                        | {"sort": sort, "rule": rule, "target": name, "target_file": key[0], "target_line": key[1]}
                        | {"ripple": sorted(edge["callee"] for edge in edges), "jedi": [told["name"] for told in answer["targets"]]}
                        | {"source": self.line(answer).strip()}
                    )
        print(f"  beside jedi, {len(answers):,} calls: " + ", ".join(f"{sort} {count:,}" for sort, count in sorts.most_common()))
        for rule in sorted(by_rule, key=lambda rule: -sum(by_rule[rule].values())):
            print(f"    {rule:36} " + ", ".join(f"{sort} {count}" for sort, count in by_rule[rule].most_common()))
        for sort in ("only ripple", "only jedi"):
            some = [difference for difference in differences if difference["sort"] == sort]
            for difference in self.random.sample(some, min(len(some), self.options.sample)):
                print(f"    {sort}: {tell(difference)} {difference['rule']}: {difference['target']}; jedi: {', '.join(difference['jedi']) or 'nothing'}  {difference['source'][:90]}")
        self.keep("disagreements.json", differences)
        return {"sorts": dict(sorts), "rules": {rule: dict(counts) for rule, counts in by_rule.items()}}

    def read(self):
        """The edges that were read and found wrong, and how many of them are here."""
        wrong = [json.loads(line) for line in (HERE / "wrong_calls.jsonl").read_text(encoding="utf-8").splitlines()]
        wrong = [edge for edge in wrong if edge["package"] == self.package.name]
        known = {(edge["caller"], edge["line"], edge["column"], edge["callee"]) for edge in self.edges}
        left = [edge for edge in wrong if (edge["caller"], edge["line"], edge["col"], edge["callee"]) in known]
        of_source = sum(edge["label"] in ("Function", "Type") for edge in self.edges)
        print(f"  read and found wrong: {len(wrong)}, still here {len(left)} of {of_source:,} edges, {1 - len(left) / of_source:.3f} without")
        for cause, count in collections.Counter(edge["cause"] for edge in left).most_common():
            print(f"    {cause:24} {count}")
        return {"wrong": len(wrong), "left": len(left), "edges": of_source}

    def keep(self, name, what):
        if self.options.out:
            (self.out / name).write_text(json.dumps(what, indent=1) + "\n", encoding="utf-8")


def share(pair):
    found, total = pair
    return f"{found:,} of {total:,}, {found / max(total, 1):.3f}"


def tell(place):
    return f"{place['file']}:{place['line']}:{place['column']}"


if __name__ == "__main__":
    sys.exit(main())
