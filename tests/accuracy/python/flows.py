#!/usr/bin/env python3
"""Compares where a text goes in real packages with what the graph says.

    python3 flows.py --ripple target/release/ripple
    python3 flows.py --ripple target/release/ripple --list flask bottle

Each of `programs/` reads one text and hands it to packages that it names in its first line: a form to a web framework, a row to a table.
The packages come from PyPI at the versions of `programs/requirements.txt`. A program is run with them under `watch.py`, which notes each
variable that came to hold the text. Then the program and its packages are indexed as one folder, and of each such variable the graph is
asked whether the text may reach it, up through results, then down through arguments. Printed is the share, for each program and for all:
recall alone, since one run shows too little of where a text never goes. `--list` shows what was missed, in the order of the run: what
follows a miss is often missed for that alone.
"""

import argparse
import ast
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# The folder of the sources stays as it is.
sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "oracles" / "flow"))

from compare import Graph, rows

# What is compiled cannot be watched.
COMPILED = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def main():
    os.environ["RIPPLE_RESIDENT"] = "0"
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--ripple", default="ripple", help="the binary")
    options.add_argument("--packages", type=Path, help="a folder for the packages, which stays; what is there is not fetched")
    options.add_argument("--list", action="store_true", help="show what was missed")
    options.add_argument("programs", nargs="*", help="names of programs; all of them if there is none")
    options = options.parse_args()
    ripple = Path(options.ripple).resolve() if "/" in options.ripple else options.ripple
    every = sorted((HERE / "programs").glob("*.py"))
    chosen = [program for program in every if not options.programs or program.stem in options.programs]
    with tempfile.TemporaryDirectory() as folder:
        packages = options.packages or Path(folder, "packages")
        fetch(packages)
        found, asked = 0, 0
        for program in chosen:
            result = measure(ripple, program, packages, Path(folder, "run"))
            found, asked = found + len(result.held), asked + len(result.held) + len(result.missed)
            print(f"{program.stem:14}{len(result.held):5} of {len(result.held) + len(result.missed):4}", result.failed or "")
            for file, function, name, line in result.missed if options.list else ():
                print(f"    {file}:{line} {function} {name}")
    print(f"{'all':14}{found:5} of {asked:4}  {found / max(1, asked):.3f}")


def fetch(packages):
    if packages.is_dir():
        return
    requirements = HERE / "programs" / "requirements.txt"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, "--requirement", requirements]
    subprocess.run(command, check=True)


Result = collections.namedtuple("Result", "held missed failed")


def measure(ripple, program, packages, folder):
    """Runs a program, indexes it, and asks for each variable that held the text."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    text = program.read_text()
    shutil.copy(program, folder / "program.py")
    for name in re.match(r"# with: (.*)\n", text)[1].split():
        if (packages / name).is_dir():
            shutil.copytree(packages / name, folder / name, ignore=COMPILED)
        else:
            shutil.copy(packages / f"{name}.py", folder)
    out = folder.parent / "places.json"
    environment = {**os.environ, "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    watch = [sys.executable, HERE / "watch.py", "--root", folder, "--out", out, folder / "program.py"]
    subprocess.run(watch, check=True, env=environment, stderr=subprocess.DEVNULL)
    seen = json.loads(out.read_text())
    subprocess.run([ripple, "index", "-q", "--no-cache", folder], check=True)
    return compare(ripple, folder, seen)


def compare(ripple, folder, seen):
    nodes = list(rows(ripple, folder, "MATCH (v:Variable) RETURN v.id, v.file, v.line, v.name, v.kind"))
    secret = [node for node, file, _, name, _ in nodes if (file, name) == ("program.py", "secret")]
    reached = Graph(ripple, folder).reach(secret)
    spans = {}
    holds = collections.defaultdict(bool)
    for node, file, line, name, kind in nodes:
        if line and kind not in ("value", "element"):
            function = innermost(spans_of(spans, folder, file), line)
            holds[file, function, "<return>" if kind == "result" else name] |= node in reached
    held, missed = [], []
    for file, function, first, name, line in seen["places"]:
        # Comprehensions are part of the function around them; what they give has no name.
        is_part = function in ("<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")
        if not file.endswith(".py") or name.startswith(".") or is_part and name == "<return>":
            continue
        around = None if function == "<module>" else innermost(spans_of(spans, folder, file), line if is_part else first)
        key = (file, around, name)
        if key in holds:
            (held if holds[key] else missed).append((file, function, name, line))
    return Result(held, missed, seen["failed"])


def spans_of(spans, folder, file):
    """First and last lines of a file's functions, decorators included."""
    if file not in spans:
        tree = ast.parse((folder / file).read_text(encoding="utf-8", errors="replace"))
        functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
        first = lambda node: min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        spans[file] = [(first(node), node.end_lineno) for node in functions]
    return spans[file]


def innermost(spans, line):
    around = [span for span in spans if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0], default=None)


if __name__ == "__main__":
    main()
