#!/usr/bin/env python3
"""Runs Python snippets with texts that remember where they came from, and prints what arrives where.

    python3 tracked.py DIR > flows.json

A snippet marks where texts come from, where they go, and what may turn out either way:

    from tracks import flip, sink, source

    name = source("a")
    if flip():
        name = "nobody"
    sink("s1", f"hello {name}")

It is run once for every way its flips can turn out, and what arrived in any run is its answer, here `[["a", "s1"]]`. So "may flow" is not
an estimate: of each pair that is not in the answer it is known that the one never arrives in the other. For this

- every text literal becomes a `Text`, a `str` with a set of origins, and so everything made from texts by their own methods and
  operators is one, with the origins of all that went in. An f-string, which joins without asking its parts, becomes a call.
- only texts have origins. The outcome of a comparison is not the text, and neither is its length.
- a text is one value: of `(a + b)[:1]` both are origins.
- each `flip()` in the source says yes at most `YES` times in a run, so that a loop over it ends; more than `RUNS` runs are not made, and the
  file is then marked `bounded`.

The answer is `{"files": {name: {...}}}`, of the files of DIR that begin with `snippet`:

  sources  name -> [line, column] of the call that makes it
  sinks    name -> [first line, last line] of the call
  ran      the sources and sinks that were come to in any run
  flows    the pairs that met
  runs     number of runs; `bounded` if there should have been more
  error    what went uncaught in any run, or that a sink was handed something else than a text; the rest then says little
"""

import ast
import json
import sys
import types
from pathlib import Path

RUNS = 256
YES = 3
# Calls and rounds of loops in one run: a snippet that needs more does not end.
TICKS = 5_000
# Letters of a text: one that is joined with itself again and again is cut. Where it came from is what counts.
LETTERS = 200


def main(arguments):
    if len(arguments) != 1:
        print("usage: tracked.py DIR", file=sys.stderr)
        return 2
    files = {path.name: observe(path.read_text()) for path in sorted(Path(arguments[0]).glob("snippet*.py"))}
    json.dump({"files": files}, sys.stdout)
    print()
    return 0


def observe(source):
    """What arrives where in a snippet."""
    tree = ast.parse(source)
    answer = {"sources": {}, "sinks": {}}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("source", "sink"):
            if not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            name = node.args[0].value
            if node.func.id == "source":
                answer["sources"][name] = [node.lineno, node.col_offset + 1]
            else:
                answer["sinks"][name] = [node.lineno, node.end_lineno]
    code = compile(ast.fix_missing_locations(Instrument().visit(tree)), "snippet", "exec")
    flows, ran, error = set(), (set(), set()), None
    # Each run is told how its first flips turn out; the later ones say no, and are what further runs are made of.
    waiting, runs = [()], 0
    while waiting and runs < RUNS:
        told = waiting.pop(0)
        run = Run(told)
        error = run.make(code) or error
        runs += 1
        flows |= run.flows
        ran[0].update(run.sources)
        ran[1].update(run.sinks)
        waiting.extend(
            (*run.flips[:at], True) for at in range(len(told), len(run.flips)) if at not in run.forced
        )
    answer["ran"] = {"sources": sorted(ran[0]), "sinks": sorted(ran[1])}
    return answer | {"flows": sorted(flows), "runs": runs, "bounded": bool(waiting), "error": error}


class Stuck(BaseException):
    """The snippet does not end; no snippet catches this."""


class Run:
    """One run of a snippet."""

    def __init__(self, told):
        self.told, self.flips, self.forced, self.yes = told, [], set(), {}
        self.flows, self.sources, self.sinks = set(), set(), set()
        self.error, self.ticks = None, 0

    def make(self, code):
        tracks = types.ModuleType("tracks")
        tracks.source, tracks.sink, tracks.flip = self.source, self.sink, self.flip
        module = types.ModuleType("snippet")
        vars(module).update(str=Text, _text=Text, _joined=joined, _shown=shown, _tick=self.tick)
        sys.modules["tracks"], sys.modules["snippet"] = tracks, module
        try:
            exec(code, vars(module))
        except (Exception, Stuck) as error:
            self.error = self.error or f"{type(error).__name__}: {error}"
        return self.error

    def source(self, name):
        self.sources.add(str(name))
        return Text(f"<{name}>", {str(name)})

    def sink(self, name, value):
        self.sinks.add(str(name))
        if not isinstance(value, str):
            self.error = f"{name} is handed a {type(value).__name__}"
        self.flows.update((origin, str(name)) for origin in origins(value))

    def flip(self):
        at, site = len(self.flips), sys._getframe(1).f_lineno
        often = self.yes.get(site, 0) >= YES
        if often:
            self.forced.add(at)
        answer = at < len(self.told) and self.told[at] and not often
        self.yes[site] = self.yes.get(site, 0) + answer
        self.flips.append(answer)
        return answer

    def tick(self):
        self.ticks += 1
        if self.ticks > TICKS:
            raise Stuck("it does not end")


class Text(str):
    """A text and where it came from."""

    # As little as a `str` does it take other attributes.
    __slots__ = ("origins",)

    def __new__(cls, value="", come_from=()):
        if isinstance(value, Text) and not come_from:
            return value
        shown = value if isinstance(value, str) else type(value).__str__(value)
        text = super().__new__(cls, str.__str__(shown)[:LETTERS])
        text.origins = frozenset(come_from) | getattr(shown, "origins", frozenset())
        return text

    def __str__(self):
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __iter__(self):
        return iter([Text(letter, self.origins) for letter in str.__str__(self)[:]])

    def __radd__(self, left):
        return Text(left) + self

    def __rmod__(self, left):
        return Text(left) % self

    def __hash__(self):
        return str.__hash__(self)

    def join(self, parts):
        parts = list(parts)
        return Text(str.join(self, parts), self.origins | origins(parts))


def keeping(name):
    """The method of `str`, with the origins of all that goes in on what comes out."""
    method = getattr(str, name)

    def call(self, *arguments, **named):
        come_from = self.origins | origins(arguments) | origins(named)
        return marked(method(self, *arguments, **named), come_from)

    return call


# What gives back texts; the rest (`startswith`, `find`, comparisons) gives back something about them.
for _name in (
    "__add__ __mul__ __rmul__ __mod__ __getitem__ __format__ __repr__ capitalize casefold center expandtabs format format_map ljust lower "
    "lstrip partition removeprefix removesuffix replace rjust rpartition rsplit rstrip split splitlines strip swapcase title translate "
    "upper zfill"
).split():
    setattr(Text, _name, keeping(_name))


def marked(value, come_from):
    if isinstance(value, str):
        return Text(str.__str__(value), come_from) if come_from else Text(value)
    if isinstance(value, (list, tuple)):
        return type(value)(marked(part, come_from) for part in value)
    return value


def origins(value):
    """Of a text, of the parts of a container, of what an object shows of itself."""
    if isinstance(value, str):
        return getattr(value, "origins", frozenset())
    if isinstance(value, dict):
        return frozenset().union(*map(origins, value.keys()), *map(origins, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return frozenset().union(*map(origins, value))
    if type(value).__str__ is not object.__str__:
        return origins(type(value).__str__(value))
    return frozenset()


def joined(*parts):
    return Text().join(parts)


def shown(value, conversion, spec):
    """A value as an f-string shows it."""
    for letter, convert in (("r", repr), ("a", ascii), ("s", Text)):
        if conversion == ord(letter):
            value = convert(value)
    return Text(format(value, spec))


class Instrument(ast.NodeTransformer):
    """Makes texts of literals and f-strings, and counts calls and rounds."""

    def visit_Constant(self, node):
        return named("_text", node) if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node):
        return named("_joined", *map(self.visit, node.values))

    def visit_FormattedValue(self, node):
        spec = self.visit(node.format_spec) if node.format_spec else ast.Constant("")
        return named("_shown", self.visit(node.value), ast.Constant(node.conversion), spec)

    def visit_Call(self, node):
        # The interpreter takes the names of a class and of its fields for itself, and no kind of `str` but its own.
        if isinstance(node.func, ast.Name) and node.func.id == "namedtuple":
            return node
        return self.generic_visit(node)

    def visit_AnnAssign(self, node):
        node.value = self.visit(node.value) if node.value else None
        return node

    def visit_arg(self, node):
        return node

    def visit_match_case(self, node):
        # A pattern takes literals only; what is compared need not know its origins.
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = [self.visit(part) for part in node.body]
        return node

    def ticking(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(named("_tick")))
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_For = visit_AsyncFor = visit_While = ticking


def named(function, *arguments):
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
