#!/usr/bin/env python3
"""Compares what the graph says about generated programs with what arrives when they are run.

    python3 compare.py --ripple target/release/ripple --count 1000 --minimize 40 [--objects | --links]

makes the programs of `snippets.py`, or those of `objects.py`, runs them by `tracked.py`, indexes them all in one folder, and asks of every source and every sink that a
run came to whether the one may reach the other: up through results, then down through arguments, as the two-phase query does.
It prints, for all and for each feature,

  precision  of the pairs that the graph joins, the share that a run joined
  recall     of the pairs that a run joined, the share that the graph joins

and then the programs where they differ, each cut down to what the difference needs:

    false alarm, 1 alike, in programs about overwriting: a does not arrive in s1
        p = source('a')
        p = 'plain'
        sink('s1', p)

A source is what its call hands back: where the edges `RETURNS_TO` from `source`'s result lead at that place. A sink is what its call is
handed: where the edges `PASSES_TO` into `sink`'s parameter come from on those lines. The outcome of a comparison (`how: "test"`) is not the
text, here as there.

The packages of one index know each other: a name that only one class has tells what an unknown value is. Names are therefore different
in every program, and in every candidate while one is cut down.
"""

import argparse
import ast
import collections
import copy
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# The folder of the sources stays as it is.
sys.dont_write_bytecode = True

import objects
import snippets
import tracked

FLOWS = ("FLOWS_TO", "PASSES_TO", "RETURNS_TO", "SUMMARIZES")
# The numbers behind names, which keep programs apart.
NUMBER = re.compile(r"(?<=[a-z0-9])_\d+\b", re.IGNORECASE)


def main():
    # No reader is left behind in a folder that will be gone.
    os.environ["RIPPLE_RESIDENT"] = "0"
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--ripple", default="ripple", help="the binary")
    options.add_argument("--first", type=int, default=0, help="first seed")
    options.add_argument("--count", type=int, default=1000, help="number of seeds")
    options.add_argument("--feature", help="programs about this feature only")
    options.add_argument("--objects", action="store_true", help="programs of `objects.py` instead")
    options.add_argument("--links", action="store_true", help="the same, whose objects hang on others of their class")
    options.add_argument("--minimize", type=int, default=0, help="cut down as many false alarms and as many misses")
    options.add_argument("--json", help="write the shares and the small programs here, too")
    options = options.parse_args()
    ripple = Path(options.ripple).resolve() if "/" in options.ripple else options.ripple

    seeds = range(options.first, options.first + options.count)
    if options.objects or options.links:
        made = [("objects", objects.program(seed, options.links)) for seed in seeds]
    else:
        made = [snippets.snippet(seed) for seed in seeds if options.feature in (None, snippets.feature_of(seed))]
    programs = [Program(feature, text) for feature, text in made]
    usable = [program for program in programs if program.is_usable()]
    graph_answers(ripple, usable)
    print(f"{len(usable)} programs, {len(programs) - len(usable)} left out (they fail or fork too often)")
    shares = shares_of(usable)
    show_shares(shares)
    wrong = [program.differences() for program in usable]
    alike = sum(not difference for difference in wrong)
    print(f"{alike} programs without any difference ({alike / max(1, len(usable)):.3f})")
    small = minimize(ripple, usable, options.minimize) if options.minimize else []
    show_small(small)
    if options.json:
        Path(options.json).write_text(json.dumps({"programs": len(usable), "shares": shares, "small": small}, indent=1))


class Program:
    """A program, what its runs say and what the graph says."""

    def __init__(self, feature, text):
        self.feature, self.text = feature, text
        self.seen = tracked.observe(text)
        self.ran = {tuple(flow) for flow in self.seen["flows"]}
        self.graph = set()

    def is_usable(self):
        return not self.seen["error"] and not self.seen["bounded"]

    def pairs(self):
        """Every source and every sink that a run came to."""
        return {(source, sink) for source in self.seen["ran"]["sources"] for sink in self.seen["ran"]["sinks"]}

    def differences(self):
        """`("false alarm" or "miss", source, sink)`."""
        return {("false alarm", *pair) for pair in (self.graph & self.pairs()) - self.ran} | {
            ("miss", *pair) for pair in self.ran - self.graph
        }


def shares_of(programs):
    """For all and for each feature: what was counted, precision and recall; a share of nothing is missing."""
    features = dict.fromkeys(program.feature for program in programs)
    counts = {feature: collections.Counter() for feature in ["all", *features]}
    for program in programs:
        joined, arrive = program.graph & program.pairs(), program.ran
        counted = {
            "programs": 1,
            "pairs": len(program.pairs()),
            "arrive": len(arrive),
            "right": len(joined & arrive),
            "false alarms": len(joined - arrive),
            "misses": len(arrive - joined),
        }
        counts["all"].update(counted)
        counts[program.feature].update(counted)
    share = lambda part, rest: part / (part + rest) if part + rest else None
    for row in counts.values():
        precision, recall = share(row["right"], row["false alarms"]), share(row["right"], row["misses"])
        row["precision"], row["recall"] = precision, recall
    return counts


def show_shares(shares):
    columns = ("programs", "pairs", "arrive", "false alarms", "misses", "precision", "recall")
    shown = lambda value: "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    print("\n" + " " * 20 + "".join(f"{column:>13}" for column in columns))
    for feature, row in shares.items():
        print(f"{feature:20}" + "".join(f"{shown(row[column]):>13}" for column in columns))
    print()


def graph_answers(ripple, programs):
    """Sets what the graph says of each program: one index of them all."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "tracks.py").write_text(snippets.TRACKS)
        by_file = {}
        for number, program in enumerate(programs):
            by_file[f"snippet{number:06}.py"] = program
            (folder / f"snippet{number:06}.py").write_text(renumbered(program.text, number))
        subprocess.run([ripple, "index", "-q", "--no-cache", folder], check=True)
        graph = Graph(ripple, folder)
    for file, program in by_file.items():
        # A name with another number may be longer: places are those of the text that was indexed.
        seen = places(renumbered(program.text, int(file[7:13])))
        program.graph = set()
        for source, place in seen["sources"].items():
            reached = graph.reach(graph.sources[(file, *place)])
            for sink, (first, last) in seen["sinks"].items():
                if any(not reached.isdisjoint(graph.sinks[file, line]) for line in range(first, last + 1)):
                    program.graph.add((source, sink))


def renumbered(text, number):
    return NUMBER.sub(f"_{number}", text)


def places(text):
    """Where a text calls `source` and `sink`, by name."""
    found = {"source": {}, "sink": {}}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in found:
            if node.args and isinstance(node.args[0], ast.Constant):
                is_source = node.func.id == "source"
                # Columns of the graph are in bytes, as `ast`'s are, from 1.
                place = (node.lineno, node.col_offset + 1) if is_source else (node.lineno, node.end_lineno)
                found[node.func.id][node.args[0].value] = place
    return {"sources": found["source"], "sinks": found["sink"]}


class Graph:
    """The four flow kinds of an index, to be walked up and then down."""

    def __init__(self, ripple, folder):
        self.out = collections.defaultdict(list)
        self.sources, self.sinks = collections.defaultdict(set), collections.defaultdict(set)
        for kind in FLOWS:
            query = (
                f"MATCH (a)-[e:{kind}]->(b) WHERE e.how <> 'test' "
                "RETURN a.id, b.id, a.qualified_name, b.qualified_name, e.file, e.line, e.col"
            )
            for start, end, source, sink, file, line, column in rows(ripple, folder, query):
                self.out[start].append((kind, end))
                if kind == "RETURNS_TO" and source == "tracks.source.result":
                    self.sources[file, line, column].add(end)
                if kind == "PASSES_TO" and sink == "tracks.sink.value":
                    self.sinks[file, line].add(start)

    def reach(self, starts):
        """Everything that a value may come to. Nothing goes up once it went down: that would leave by another call than it came."""
        seen, waiting = set(), [(start, False) for start in starts]
        while waiting:
            state = waiting.pop()
            if state in seen:
                continue
            seen.add(state)
            node, down = state
            for kind, end in self.out[node]:
                if kind == "PASSES_TO":
                    waiting.append((end, True))
                elif kind != "RETURNS_TO" or not down:
                    waiting.append((end, down))
        return {node for node, _ in seen}


def rows(ripple, folder, query):
    command = [ripple, "cypher", "--path", folder, "--format", "jsonl", "--limit", "20000000", "--timeout", "300s", query]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    end = json.loads(answer[-1])
    if end.get("truncated"):
        sys.exit(f"not all rows came: {end}")
    return map(json.loads, answer[1:-1])


# Cutting down: a program loses statements and parts of expressions, one at a time, while the difference stays. All programs go on
# together, so that a round is one index.


def minimize(ripple, programs, count):
    """The smallest programs that still differ, at most so many of either kind, most features first."""
    chosen = collections.defaultdict(list)
    for program in programs:
        for difference in sorted(program.differences()):
            chosen[difference[0]].append((program, difference))
    work = []
    for kind, found in chosen.items():
        # In turn over the features, so that none fills the list; of each the quickest first.
        found.sort(key=lambda one: one[0].seen["runs"] * len(one[0].text))
        turns = collections.defaultdict(list)
        for program, difference in found:
            turns[program.feature].append((program, difference))
        order = [group[turn] for turn in range(len(found)) for group in turns.values() if turn < len(group)]
        work += [Reduction(program, difference) for program, difference in order[:count]]
    going = work
    while going:
        candidates = [(reduction, candidate) for reduction in going for candidate in reduction.candidates()]
        graph_answers(ripple, [candidate for _, (_, candidate) in candidates])
        good = collections.defaultdict(list)
        for reduction, (chosen, candidate) in candidates:
            if reduction.difference in candidate.differences():
                good[reduction].append((chosen, candidate))
        going = [reduction for reduction in going if reduction.take(good[reduction])]
        print(f"  {len(candidates)} candidates, {len(going)} go on", file=sys.stderr)
    return [reduction.told() for reduction in work]


class Reduction:
    """A program on its way to its smallest form, and the difference to keep."""

    def __init__(self, program, difference):
        self.program, self.difference = program, difference
        self.tree = ast.parse(program.text)
        # Steps that each kept the difference, to be tried together.
        self.good = []

    def candidates(self):
        """Programs that are smaller, and run as they must, each with the steps that make it."""
        steps = list(steps_of(self.tree, self.difference[1]))
        if self.good:
            halves = [self.good[: len(self.good) // 2], self.good[len(self.good) // 2 :]]
            choices = [self.good, *halves, self.good[:1], self.good[-1:]]
        else:
            choices = [[step] for step in steps]
        return [(chosen, program) for chosen in choices if (program := self.after(chosen))]

    def after(self, chosen):
        tree = copy.deepcopy(self.tree)
        try:
            # From the end: what goes does not move what stands before it.
            for step in sorted(chosen, key=lambda step: [str(part).zfill(4) for part in step[1]], reverse=True):
                tree = apply(tree, step) or tree
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            if size(ast.parse(text), self.difference[1]) >= size(self.tree, self.difference[1]):
                return None
            program = Program(self.program.feature, text)
        except (SyntaxError, ValueError, RecursionError, AttributeError, IndexError, KeyError):
            return None
        kind, source, sink = self.difference
        if not program.is_usable() or (source, sink) not in program.pairs():
            return None
        return program if ((source, sink) in program.ran) == (kind == "miss") else None

    def take(self, good):
        """Goes on with the smallest, or with what may go together; false if there is nothing left to do."""
        if not good:
            tried, self.good = self.good, []
            return bool(tried)
        if not self.good and len(good) > 1:
            # Whole statements first, since each takes its parts along.
            statements = [step for (step,), _ in good if step[0] == "statement"]
            alone = [step for (step,), _ in good if not step[0].startswith(("inline", "short cut"))]
            self.good = outermost(statements if len(statements) > 1 else alone)
            if len(self.good) > 1:
                return True
        _, self.program = min(good, key=lambda one: (size(ast.parse(one[1].text), self.difference[1]), one[1].text))
        self.tree, self.good = ast.parse(self.program.text), []
        return True

    def told(self):
        kind, source, sink = self.difference
        text = NUMBER.sub("", self.program.text)
        return {"kind": kind, "source": source, "sink": sink, "feature": self.program.feature, "text": text, "shape": shape(text)}


def shape(text):
    """The text with its names numbered as they come, so that those that are alike are equal."""
    names = {}
    number = lambda found: names.setdefault(found[0], f"n{len(names)}")
    return re.sub(r"(?<![\w.])[a-z]\w*(?=\W)(?!\()|(?<=')\w+(?=')", number, text)


def size(tree, source):
    """Number of nodes; the call of the source in question counts as one."""
    if isinstance(tree, ast.expr_context):
        return 0
    if is_source(tree, source):
        return 1
    return 1 + sum(size(node, source) for node in ast.iter_child_nodes(tree))


def is_source(node, name):
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "source":
        return False
    return isinstance(node.args[0], ast.Constant) and node.args[0].value == name


def outermost(steps):
    """Without the steps at places inside of another's, and one at each place."""
    paths = {path for _, path in steps}
    inside = lambda path: any(path[:length] in paths for length in range(1, len(path)))
    return list({path: (kind, path) for kind, path in steps if not inside(path)}.values())


def steps_of(tree, source):
    """Every way to make a tree smaller, as what to do and the path to the place."""
    waiting = [(tree, ())]
    while waiting:
        node, path = waiting.pop()
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                for at, part in enumerate(value):
                    if isinstance(part, ast.AST):
                        place = (*path, field, at)
                        waiting.append((part, place))
                        if isinstance(part, ast.stmt) and not is_import(part):
                            yield "statement", place
                            if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
                                yield "inline", place
                            if isinstance(part, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                                yield "body", place
                            if getattr(part, "orelse", None):
                                yield "else", place
                        elif isinstance(part, ast.expr):
                            yield "part", place
                            yield from simpler(part, place, source)
            elif isinstance(value, ast.AST):
                place = (*path, field)
                waiting.append((value, place))
                if isinstance(value, ast.expr):
                    yield from simpler(value, place, source)


def is_import(node):
    return isinstance(node, ast.ImportFrom) and node.module == "tracks"


def simpler(node, place, source):
    if isinstance(getattr(node, "ctx", ast.Load()), ast.Load) and not isinstance(node, ast.Constant):
        yield f"short cut {source}", place
    if isinstance(node, ast.BinOp):
        yield "left", place
        yield "right", place
    elif isinstance(node, ast.IfExp):
        yield "body", place
        yield "orelse", place
    elif isinstance(node, ast.Call):
        name = getattr(node.func, "id", None)
        if name == "source" and not is_source(node, source):
            yield "plain", place
        elif name != "source":
            yield from (("argument", (*place, "args", at)) for at in range(len(node.args)))
            if isinstance(node.func, ast.Attribute):
                yield "receiver", place
    elif isinstance(node, (ast.JoinedStr, ast.Name, ast.Subscript)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield "plain", place
        if isinstance(node, ast.JoinedStr):
            yield from (("shown", (*place, "values", at)) for at, part in enumerate(node.values) if isinstance(part, ast.FormattedValue))


def reached(tree, path):
    for step in path:
        tree = tree[step] if isinstance(step, int) else getattr(tree, step)
    return tree


class Exchange(ast.NodeTransformer):
    """Puts something else in the place of every node that is asked for."""

    def __init__(self, asked, new):
        self.asked, self.new = asked, new

    def visit(self, node):
        return copy.deepcopy(self.new) if self.asked(node) else self.generic_visit(node)


def apply(tree, step):
    """Does it to the tree itself; nothing, if that leaves no program."""
    what, path = step
    if what == "inline":
        # The name goes, and its value stands wherever it was read.
        node = reached(tree, path)
        name = node.targets[0].id
        del reached(tree, path[:-1])[path[-1]]
        is_read = lambda part: isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
        return Exchange(is_read, node.value).visit(tree)
    if what.startswith("short cut "):
        # The source stands where something made of it did.
        name = what.removeprefix("short cut ")
        if any(is_source(part, name) for part in ast.walk(reached(tree, path))):
            return None
        call = next(part for part in ast.walk(tree) if is_source(part, name))
        tree = Exchange(lambda part: is_source(part, name), ast.Constant("plain")).visit(tree)
        holder = reached(tree, path[:-1])
        if isinstance(path[-1], int):
            holder[path[-1]] = call
        else:
            setattr(holder, path[-1], call)
        return tree
    # The path is to the part; what is put in its place may stand further out.
    out = {"argument": 2, "shown": 2}.get(what, 0)
    try:
        node = reached(tree, path)
        holder_path = path[: len(path) - out]
        holder, last = reached(tree, holder_path[:-1]), holder_path[-1]
    except (AttributeError, IndexError):
        return None
    if what in ("statement", "part"):
        del holder[last]
        if not holder and what == "statement" and path[-2] == "body":
            holder.append(ast.Pass())
        return tree
    if isinstance(node, ast.stmt):
        holder[last : last + 1] = node.orelse if what == "else" else node.body
        return tree
    new = {
        "left": lambda: node.left,
        "right": lambda: node.right,
        "body": lambda: node.body,
        "orelse": lambda: node.orelse,
        "receiver": lambda: node.func.value,
        "plain": lambda: ast.Constant("plain"),
        "argument": lambda: node.value if isinstance(node, ast.Starred) else node,
        "shown": lambda: node.value,
    }[what]()
    if isinstance(last, int):
        holder[last] = new
    else:
        setattr(holder, last, new)
    return tree


def show_small(small):
    for kind in ("false alarm", "miss"):
        groups = collections.defaultdict(list)
        for told in small:
            if told["kind"] == kind:
                groups[told["shape"]].append(told)
        for group in sorted(groups.values(), key=lambda group: (-len(group), len(group[0]["text"]))):
            told = group[0]
            verb = "does not arrive" if kind == "false alarm" else "arrives"
            about = ", ".join(sorted({one["feature"] for one in group}))
            print(f"{kind}, {len(group)} alike, in programs about {about}: {told['source']} {verb} in {told['sink']}")
            lines = [line for line in told["text"].splitlines() if line and not line.startswith("from tracks")]
            print("\n".join("    " + line for line in lines) + "\n")


if __name__ == "__main__":
    main()
