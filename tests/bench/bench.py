#!/usr/bin/env python3
"""Measures `ripple index` and `ripple cypher` on packages that nobody here wrote, beside a rival on the largest single one.

    ./run bench                     everything; about a quarter of an hour on 2 cores
    ./run bench --only rival        one part: sets, growth, shapes, rival, queries
    ./run bench --json report.json  the figures as JSON too

Nothing here passes or fails: it prints figures. Every run is cold, which means an index folder of its own and so no facts from an earlier run; the
files themselves are in the system's cache, since a first run that is not measured reads them all. Memory is the largest resident set of the
process, as the system tells when it ends. The two programs are measured in turn (A B A B …), so that a slow spell of the machine meets both.
"""

import argparse
import contextlib
import http.client
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1] / "setup"))
from fetch import GO_PARTS, PYTHON_PARTS, RIVAL, data_folder  # noqa: E402
from shapes import SHAPES  # noqa: E402

PARTS = ("sets", "growth", "shapes", "rival", "queries")
# Whole packages, in eight parts of much the same size.
EIGHTHS = (
    ("ansible", "ansible_test"),
    ("nltk",),
    ("pip",),
    ("sphinx", "docutils"),
    ("textual", "mitmproxy"),
    ("IPython", "streamlit"),
    ("distributed", "celery"),
    ("pylint", "hypothesis", "botocore"),
)
POINT = "MATCH (n:Function {id: $id}) RETURN n.qualified_name, n.file, n.line"
# The ways of one phase, up or down, and all.
WALKS = {
    "10 hops up": "FLOWS_TO|RETURNS_TO|SUMMARIZES",
    "10 hops down": "FLOWS_TO|PASSES_TO|SUMMARIZES",
    "10 hops of all": "FLOWS_TO|PASSES_TO|RETURNS_TO|SUMMARIZES",
}
WALK = "MATCH (s:Variable {{id: $id}})-[:{}* SHORTEST 1..10]->(t:Variable) RETURN count(DISTINCT t.id)"
# The walk starts where most edges leave, so that ten hops have somewhere to go.
BUSY = "MATCH (s:Variable)-[:{}]->() RETURN s.id AS id, count(*) AS n ORDER BY n DESC LIMIT 5"
SOME = "MATCH (n:Function) RETURN n.id LIMIT 20"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ripple", default="target/release/ripple", help="the binary [%(default)s]")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program [%(default)s]")
    parser.add_argument("--only", choices=PARTS, action="append", help="leave the other parts out")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    options = parser.parse_args()
    wanted = options.only or PARTS

    data = data_folder()
    if not all((data / name).is_dir() for name in ("networkx", "terraform")):
        raise SystemExit("the packages to measure on are missing: python3 tests/setup/fetch.py bench")
    report = {"cores": os.cpu_count()}
    # In the folder of the test data and not in /tmp, which may lie in memory.
    with tempfile.TemporaryDirectory(dir=data, prefix=".bench-") as scratch:
        bench = Bench(Path(options.ripple).absolute(), data, Path(scratch), max(options.runs, 1))
        print(f"{os.cpu_count()} cores, {bench.version()}")
        if "sets" in wanted:
            report["sets"] = bench.sets()
        if "growth" in wanted:
            report["growth"] = {name: bench.growth(name) for name in ("python", "go")}
            report["growth inside packages"] = {name: bench.growth_inside(name) for name in ("million", "go")}
        if "shapes" in wanted:
            report["shapes"] = bench.shapes()
        if "rival" in wanted:
            report["rival"] = bench.rival()
        if "queries" in wanted:
            report["queries"] = bench.queries()
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


class Bench:
    def __init__(self, ripple, data, scratch, runs):
        self.ripple, self.data, self.scratch, self.runs = ripple, data, scratch, runs

    def version(self):
        return subprocess.run([self.ripple, "--version"], check=True, capture_output=True, text=True).stdout.strip()

    def roots(self, name):
        million = [self.data / package for package in ("django", "twisted", "networkx")]
        if name == "million":
            return million
        if name == "go":
            return [self.data / package for package in ("terraform", "syft")]
        if name == "tenth":
            return [every_tenth(root, self.scratch / "tenth" / root.name) for root in million]
        return [self.data / name]

    def sets(self):
        """Each data set: how large it is, how fast it is indexed, what that costs."""
        results = {}
        print("\nIndexing from nothing; the median run by wall time of", self.runs)
        print(f"{'set':10} {'files':>6} {'lines':>10} {'lines/s':>9} {'wall s':>7} {'peak MB':>8} {'db MB':>7}  seconds per stage")
        for name in ("cobra", "rich", "django", "go", "tenth", "million"):
            roots = self.roots(name)
            self.index(roots)
            runs = sorted((self.index(roots) for _ in range(self.runs)), key=lambda run: run["wall"])
            result = results[name] = runs[len(runs) // 2]
            print(
                f"{name:10} {result['files']:6,} {result['lines']:10,} {result['lines'] / result['wall']:9,.0f} "
                f"{result['wall']:7.2f} {megabytes(result['peak']):8.0f} {megabytes(result['database']):7.0f}  "
                + ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in result["stages"].items())
            )
        per_line = {name: results[name]["wall"] / max(results[name]["lines"], 1) for name in ("tenth", "million")}
        ratio = per_line["million"] / per_line["tenth"]
        print(f"a million lines against a tenth of them: {ratio:.2f} times the time per line")
        results["million_to_tenth_per_line"] = ratio
        return results

    def growth(self, name):
        """What joining and following the same whole packages costs in eight parts, in four, in two and in one: beside n·log n of the parts."""
        print(f"\nLink and propagate, whole packages, {name}, the fastest of", self.runs)
        print(f"{'parts':>6} {'lines each':>10} {'edges':>10} {'seconds':>8}  against n·log n of eight parts")
        folder = self.data / PYTHON_PARTS[0]
        python = [[folder / package for package in packages] for packages in EIGHTHS]
        eighths = python if name == "python" else [[self.data / module[0]] for module in GO_PARTS]
        results = {}
        for at_once in (1, 2, 4, 8):
            lines = edges = seconds = steps = 0
            for first in range(0, 8, at_once):
                roots = [root for eighth in eighths[first : first + at_once] for root in eighth]
                runs = [self.index(roots, more=["--no-search"]) for _ in range(self.runs)]
                lines, edges = lines + runs[0]["lines"], edges + runs[0]["edges"]
                seconds += min(run["stages"]["link"] + run["stages"]["propagate"] for run in runs)
                steps += runs[0]["lines"] * math.log2(runs[0]["lines"])
            parts = 8 // at_once
            results[parts] = {"lines": lines // parts, "edges": edges, "seconds": seconds, "unit": seconds / steps}
            ratio = results[parts]["unit"] / results[8]["unit"]
            print(f"{parts:6} {lines // parts:10,} {edges:10,} {seconds:8.2f}  {ratio:.2f}")
        return results

    def growth_inside(self, name):
        """The same with an eighth, a quarter, a half and all of the lines of large packages, of which the smaller parts miss what they call."""
        print(f"\nLink and propagate, parts of packages, {name}, the fastest of", self.runs)
        print(f"{'share':>6} {'lines':>10} {'edges':>10} {'seconds':>8}  against n·log n of the smallest")
        results = {}
        for parts in (8, 4, 2, 1):
            roots = [first_part(root, parts, self.scratch / f"part-{parts}" / root.name) for root in self.roots(name)]
            runs = [self.index(roots, more=["--no-search"]) for _ in range(self.runs)]
            lines, edges = runs[0]["lines"], runs[0]["edges"]
            seconds = min(run["stages"]["link"] + run["stages"]["propagate"] for run in runs)
            unit = seconds / (lines * math.log2(lines))
            results[f"1/{parts}"] = {"lines": lines, "edges": edges, "seconds": seconds, "unit": unit}
            ratio = unit / results["1/8"]["unit"]
            print(f"{'1/' + str(parts):>6} {lines:10,} {edges:10,} {seconds:8.2f}  {ratio:.2f}")
        return results

    def shapes(self):
        """Forms that no person writes: the processor's seconds for a quarter, a half and all of them."""
        print("\nForms that no person writes; user seconds of a whole run with a quarter, a half and all of them")
        results = {}
        for name, (size, file, make) in SHAPES.items():
            seconds = []
            for part in (4, 2, 1):
                folder = self.scratch / "shape" / f"{name}-{part}"
                folder.mkdir(parents=True)
                (folder / file).write_text(make(size // part), encoding="utf-8")
                run = self.index([folder], more=["--no-search"])
                seconds.append(run["user"])
            results[name] = {"size": size, "seconds": seconds, "peak": run["peak"], "edges": run["edges"]}
            told = "  ".join(f"{value:6.2f}" for value in seconds)
            print(f"{name:28} {size:8,} {told}  {megabytes(run['peak']):6.0f} MB  {run['edges']:10,} edges")
        return results

    def index(self, roots, into=None, more=()):
        place = into or self.scratch / "index"
        shutil.rmtree(place, ignore_errors=True)
        # A reader left behind would hold the folder that is taken away, and the machine while the next run is measured.
        options = ["--index", place, "--quiet", "--timings", "--format", "json", "--resident", "0"]
        command = [self.ripple, "index", *roots, *options, *more]
        run = measure(command, self.scratch)
        told = json.loads(run.output)
        result = {
            "files": told["files"],
            "lines": told["lines"],
            "nodes": told["nodes"],
            "edges": told["relationships"],
            "wall": run.wall,
            "user": run.user,
            "peak": run.peak,
            "database": told["database_bytes"],
            "folder": sum(path.stat().st_size for path in place.rglob("*") if path.is_file()),
            "stages": {stage["stage"]: stage["seconds"] for stage in told["stages"]},
        }
        if into is None:
            shutil.rmtree(place)
        return result

    def rival(self):
        """Ripple and the rival on the same files, in turn."""
        program = self.data / RIVAL[0] / "node_modules" / ".bin" / RIVAL[0]
        if not program.exists() or not shutil.which("node"):
            print("\nthe rival is not installed (it needs npm): left out")
            return None
        print(f"\nDjango: ripple (A) beside {RIVAL[1]} (B), {self.runs} runs each, in turn")
        # The rival keeps its graph inside the folder that it reads: each of the two gets a copy of its own.
        ours, theirs = (shutil.copytree(self.data / "django", self.scratch / name / "django") for name in ("ours", "theirs"))
        # What it keeps in the home folder goes here instead.
        home = {f"CODEGRAPH_{name}_PATH": str(self.scratch / name) for name in ("REGISTRY", "UPDATE_CACHE")}
        figures = {"ripple": [], "rival": []}
        for run in range(-1, self.runs):
            a = self.index([ours])
            shutil.rmtree(theirs / ".codegraph", ignore_errors=True)
            b = measure([program, "build", theirs], theirs, os.environ | home)
            if run >= 0:
                figures["ripple"].append((a["wall"], a["peak"]))
                figures["rival"].append((b.wall, b.peak))
        result = {}
        for unit, at, scale in (("seconds", 0, 1), ("peak MB", 1, 1e-6)):
            values = {name: [figure[at] * scale for figure in runs] for name, runs in figures.items()}
            ratio = statistics.median(values["ripple"]) / statistics.median(values["rival"])
            for name, runs in values.items():
                print(f"{name:8} {unit:8} {spread(runs)}")
            print(f"ratio    {unit:8} {ratio:.2f} (medians, ripple to rival)")
            result[unit] = values | {"ratio": ratio}
        return result

    def queries(self):
        """Latencies on the largest index: the whole process, the same where a reader was left behind by the one before, the same where it asks a
        server, and a request to that server."""
        place = self.scratch / "largest"
        built = self.index(self.roots("million"), into=place)
        print(f"\nQueries on {built['nodes']:,} nodes and {built['edges']:,} edges; milliseconds")
        some = [row[0] for row in self.cypher(place, SOME)["rows"]]
        busy = {name: [row[0] for row in self.cypher(place, BUSY.format(kinds))["rows"]] for name, kinds in WALKS.items()}
        result = {"nodes": built["nodes"], "edges": built["edges"]}
        if not some or not all(busy.values()):
            print("the index holds no functions or no flows: nothing to ask for")
            return result
        walks = [(name, WALK.format(kinds), busy[name]) for name, kinds in WALKS.items()]
        questions = [(name, query, (starts * 20)[:20]) for name, query, starts in [("point lookup", POINT, some), *walks]]
        # Before a server runs: afterwards it answers these, too.
        alone = [[self.process_ms(place, query, start) for start in starts] for _, query, starts in questions]
        left = self.process_ms(place, POINT, some[0], resident="60s")
        time.sleep(1)
        after = [[self.process_ms(place, query, start, resident="60s") for start in starts] for _, query, starts in questions]
        print(f"{'point lookup':16} leaving  {left:12.2f}, once: opens the index, and leaves a reader behind")
        with self.server(place) as ask:
            for (name, query, starts), process, resident in zip(questions, alone, after):
                ask(query, starts[0])
                answers = [ask(query, start) for start in starts * 5]
                rows = {
                    "process": process,
                    "resident": resident,
                    "asking": [self.process_ms(place, query, start) for start in starts],
                    "request": [wall for wall, _ in answers],
                    "engine": [inside for _, inside in answers],
                }
                result[name] = {kind: sorted(values) for kind, values in rows.items()}
                for kind, values in rows.items():
                    print(f"{name:16} {kind:8} {spread(values)}")
        return result

    def cypher(self, place, query, *more, resident="0"):
        command = [self.ripple, "cypher", query, "--index", place, "--format", "json", "--resident", resident, *more]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    def process_ms(self, place, query, start, resident="0"):
        began = time.perf_counter()
        self.cypher(place, query, "--param", f"id={start}", resident=resident)
        return (time.perf_counter() - began) * 1000

    @contextlib.contextmanager
    def server(self, place):
        command = [self.ripple, "serve", "--index", place, "--addr", "127.0.0.1:0"]
        environment = {name: value for name, value in os.environ.items() if name != "RIPPLE_TOKEN"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        try:
            address = process.stdout.readline().strip().rpartition("//")[2]
            connection = http.client.HTTPConnection(address, timeout=60)

            def ask(query, start):
                body = json.dumps({"query": query, "params": {"id": start}})
                began = time.perf_counter()
                connection.request("POST", "/api/v1/cypher", body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
                wall = (time.perf_counter() - began) * 1000
                if answer.status != 200:
                    raise SystemExit(f"the server answered {answer.status}: {text.decode()}")
                return wall, json.loads(text)["elapsed_ms"]

            yield ask
        finally:
            process.terminate()
            process.wait()


class Run(NamedTuple):
    """What a process said and what it took."""

    wall: float
    user: float
    peak: int
    output: str


def measure(command, folder, environment=None):
    """Runs a program to its end. Its peak memory comes from the system's own account of the one process (and of its children)."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=errors, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise SystemExit(f"{' '.join(map(str, command[:4]))} … ended with {process.returncode}: {errors.read()[-2000:]}")
        output.seek(0)
        unit = 1 if sys.platform == "darwin" else 1024
        return Run(wall, usage.ru_utime, usage.ru_maxrss * unit, output.read())


def every_tenth(root, place):
    """A copy of every tenth Python file, in the order of their paths: the same mix of code as the whole."""
    for path in sorted(root.rglob("*.py"))[::10]:
        copy = place / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    return place


def first_part(root, parts, place):
    """A copy of the first files, in the order of their paths, that have such a part of the lines: what belongs together stays together."""
    is_go = (root / "go.mod").is_file()
    lines = {path: path.read_bytes().count(b"\n") for path in sorted(root.rglob("*.go" if is_go else "*.py"))}
    left = sum(lines.values()) / parts
    for path, count in lines.items():
        left -= count
        if left < 0:
            break
        copy = place / path.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    if is_go:
        shutil.copy2(root / "go.mod", place / "go.mod")
    return place


def megabytes(count):
    return count / 1e6


def spread(values):
    return f"min {min(values):8.2f}  median {statistics.median(values):8.2f}  max {max(values):8.2f}"


if __name__ == "__main__":
    sys.exit(main())
