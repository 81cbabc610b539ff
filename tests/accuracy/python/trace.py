#!/usr/bin/env python3
"""Runs a program and writes down which calls between functions of one folder it executed. Needs CPython 3.11 or newer.

    python3 trace.py --root DIR --out calls.json -m pytest tests
    python3 trace.py --root DIR --out calls.json driver.py

What is written is `{"calls": [call, …], "sites": [site, …]}`. A site is a place in the source where a call was executed, whatever was called:

  file, line, column         the name that is called, of `a.b(c)` the `b`, of `a[b](c)` the `a`; of another computed callee, `a()(c)`, the
                             parenthesis behind it; of an operator or an attribute the start of the expression
  end_line                   the last line of the expression
  function, function_line    the function around it, `<module>` and 1 if there is none

A call is a site and what was entered there, a function of the folder, or a class of the folder of which no function of the folder was entered:

  callee, callee_file, callee_line, callee_column    line and column of the name behind `def` or `class`, of a lambda's first character
  way                        how the callee was reached:
    call                     the expression that is called was the function, a bound method of it, or an instance with this `__call__`
    constructor              … was a class, and the function is its `__init__` or `__new__`
    class                    … was a class without a constructor in the folder
    decorator                the same as `call`, in a decorator that is applied
    property, operator, item, iteration, context, format, test, attribute, class statement, other
                             there is no call in the source: the language does it
    builtin                  the source calls something written in C, which called the function: `sorted(key=f)`, `str(x)`, `partial`
    library                  the source calls Python code outside of the folder, which called the function

A module that is run as a program is not looked at as a caller. Comprehensions and class bodies count as the function around them, as callers; entering them is no call, and neither is entering a module or
resuming a generator. A generator function is called where it is called, not where its first element is asked for.

Two observers work together. A profile function (`sys.setprofile`) sees every frame that is entered, and the instruction in the caller that led
to it; that is the truth. What it cannot see is the call of a generator function, which enters nothing yet, and whether the called
expression was the function itself or something in between. So every file of the folder is compiled with its called expressions wrapped:
`f(x)` becomes `(seen(17, f))(x)`, which hands `f` on. Positions, frames and order of evaluation stay as they were.
"""

import argparse
import ast
import atexit
import builtins
import dis
import functools
import importlib.machinery
import inspect
import json
import os
import runpy
import sys
import threading
import types
from pathlib import Path

NOTE = "__ripple_seen__"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
# Deep enough for a call through a library's own layers; beyond it nobody would call it a call.
LIBRARY_DEPTH = 12

IMPLICIT = {
    "LOAD_ATTR": "property",
    "LOAD_METHOD": "property",
    "STORE_ATTR": "property",
    "DELETE_ATTR": "property",
    "BINARY_OP": "operator",
    "COMPARE_OP": "operator",
    "CONTAINS_OP": "operator",
    "BINARY_SUBSCR": "item",
    "STORE_SUBSCR": "item",
    "DELETE_SUBSCR": "item",
    "BINARY_SLICE": "item",
    "STORE_SLICE": "item",
    "GET_ITER": "iteration",
    "FOR_ITER": "iteration",
    "SEND": "iteration",
    "GET_YIELD_FROM_ITER": "iteration",
    "UNPACK_SEQUENCE": "iteration",
    "UNPACK_EX": "iteration",
    "LIST_EXTEND": "iteration",
    "SET_UPDATE": "iteration",
    "GET_AITER": "iteration",
    "GET_ANEXT": "iteration",
    "GET_AWAITABLE": "iteration",
    "BEFORE_WITH": "context",
    "BEFORE_ASYNC_WITH": "context",
    "WITH_EXCEPT_START": "context",
    "FORMAT_VALUE": "format",
    "FORMAT_SIMPLE": "format",
    "FORMAT_WITH_SPEC": "format",
    "CONVERT_VALUE": "format",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help="the folder whose functions count")
    parser.add_argument("--out", type=Path, required=True, help="where the calls are written")
    parser.add_argument("-m", dest="module", action="store_true", help="the program is a module")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if sys.version_info < (3, 11):
        raise SystemExit("Python 3.11 or newer is needed: older ones do not tell columns")

    tracer = Tracer(options.root.resolve())
    tracer.install()
    # A test may end the process by itself.
    atexit.register(tracer.write, options.out.absolute())
    sys.argv = [options.program, *options.arguments]
    if options.module:
        runpy.run_module(options.program, run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, str(Path(options.program).parent.absolute()))
        runpy.run_path(options.program, run_name="__main__")


class Tracer:
    def __init__(self, root):
        self.root = str(root) + os.sep
        self.files = {}
        # By (id of the caller's code, offset of the instruction, id of the callee's code): the ways. The codes are kept alive below.
        self.entered = {}
        self.alive = {}
        # By (number of a wrapped expression, id of code or class).
        self.called = {}
        self.wrapped = []
        # What the wrapped expressions of a running frame last were, by id of the frame.
        self.holds = {}
        # Frames that are inside of a function written in C.
        self.in_c = set()

    def install(self):
        sys.dont_write_bytecode = True
        original = importlib.machinery.SourceFileLoader.get_code

        def get_code(loader, name):
            path = loader.get_filename(name)
            if not path.startswith(self.root):
                return original(loader, name)
            return self.compile(loader.get_data(path), path)

        importlib.machinery.SourceFileLoader.get_code = get_code
        setattr(builtins, NOTE, self.note)
        threading.setprofile(self.profile)
        sys.setprofile(self.profile)

    def compile(self, source, path):
        if path not in self.files:
            file = self.files[path] = File(path[len(self.root) :].replace(os.sep, "/"), source, ast.parse(source, path))
            for site in file.sites:
                site.number = len(self.wrapped)
                self.wrapped.append(site)
        file = self.files[path]
        tree = Wrap(file).visit(ast.parse(source, path))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def note(self, number, function):
        """What a wrapped expression is. Runs before its arguments are evaluated."""
        frame = sys._getframe(1)
        if is_program(frame):
            return function
        self.holds.setdefault(id(frame), {})[number] = function
        what = function.__func__ if type(function) is types.MethodType else function
        if type(what) is types.FunctionType:
            code = what.__code__
            if code.co_flags & SUSPENDS and code.co_filename in self.files:
                self.keep(self.called, (number, id(code)), code, "call")
            else:
                self.wrapped[number].executed = True
        elif isinstance(what, type):
            if not any(code.co_filename in self.files for code in constructors(what)) and self.class_place(what):
                self.keep(self.called, (number, id(what)), what, "class")
            self.wrapped[number].executed = True
        else:
            self.wrapped[number].executed = True
        return function

    def keep(self, table, key, what, way):
        ways = table.get(key)
        if ways is None:
            ways = table[key] = set()
            self.alive[id(what)] = what
        ways.add(way)

    def profile(self, frame, event, _):
        if event == "call":
            code = frame.f_code
            if code.co_filename in self.files:
                self.enter(frame, code)
        elif event == "return":
            self.holds.pop(id(frame), None)
            self.in_c.discard(id(frame))
        elif event == "c_call":
            if frame.f_code.co_filename in self.files:
                self.in_c.add(id(frame))
        else:
            self.in_c.discard(id(frame))

    def enter(self, frame, code):
        # A finaliser runs wherever the memory is wanted.
        if code.co_name in COMPREHENSIONS or code.co_name in ("<module>", "__del__"):
            return
        if code.co_flags & SUSPENDS and not (is_start(code, frame.f_lasti) and code.co_name in ("__iter__", "__await__", "__aiter__")):
            return
        back = frame.f_back
        depth = 0
        while back is not None and back.f_code.co_filename not in self.files and depth < LIBRARY_DEPTH:
            back, depth = back.f_back, depth + 1
        if back is None or back.f_code.co_filename not in self.files or is_program(back):
            return
        caller = back.f_code
        key = (id(caller), back.f_lasti, id(code))
        ways = self.entered.get(key)
        if depth:
            way = "library"
        elif ways and not ways.isdisjoint(("call", "constructor")):
            return
        else:
            way = self.way(back, caller, frame, code)
        if ways is None:
            ways = self.entered[key] = set()
            self.alive[id(caller)], self.alive[id(code)] = caller, code
        ways.add(way)

    def way(self, back, caller, frame, code):
        if id(back) in self.in_c:
            return "builtin"
        operation = operation_at(caller, back.f_lasti)
        if not operation.startswith("CALL"):
            way = IMPLICIT.get(operation, "test" if "JUMP" in operation or operation == "UNARY_NOT" else "other")
            return "builtin" if not means(way, code.co_name) else way
        sites = self.sites(caller, back.f_lasti)
        if not sites:
            # Nothing is called in the source: the end of a `with`, or a class that is made.
            return "context" if code.co_name in ("__exit__", "__aexit__") else "class statement"
        holds = self.holds.get(id(back), {})
        for site in sites:
            function = holds.get(site.number)
            way = leads_to(function, code)
            if way:
                return "decorator" if site.decorates and way == "call" else way
        return "context" if code.co_name in ("__exit__", "__aexit__") else "builtin"

    def sites(self, code, offset):
        """The wrapped expressions that end where this instruction's expression ends."""
        position = positions(code)[offset // 2]
        return self.files[code.co_filename].by_end.get((position[1], position[3]), [])

    def class_place(self, what):
        module = sys.modules.get(what.__module__)
        file = self.files.get(getattr(module, "__file__", None))
        return file and file.classes.get(what.__qualname__) and (file, file.classes[what.__qualname__])

    def write(self, out):
        sys.setprofile(None)
        threading.setprofile(None)
        calls, sites = {}, {}

        def add(file, site, target, ways):
            place = (file.path, *site)
            sites[place] = None
            for way in ways:
                calls[(*place, *target, way)] = None

        for (caller, offset, callee), ways in self.entered.items():
            caller, callee = self.alive[caller], self.alive[callee]
            target = self.files[callee.co_filename].place(callee)
            if not target:
                continue  # a class body
            wrapped = self.sites(caller, offset) if operation_at(caller, offset).startswith("CALL") else []
            file = self.files[caller.co_filename]
            if len(wrapped) > 1:
                wrapped = [site for site in wrapped if site.decorates == ("decorator" in ways)] or wrapped
            site = wrapped[0].place if wrapped else file.place_of(positions(caller)[offset // 2])
            if site:
                add(file, site, target, ways)
        for (number, callee), ways in self.called.items():
            callee, site = self.alive[callee], self.wrapped[number]
            if isinstance(callee, type):
                file, name = self.class_place(callee)
                target = (callee.__qualname__, file.path, *name)
            else:
                target = self.files[callee.co_filename].place(callee)
            add(site.file, site.place, target, {"decorator"} if site.decorates else ways)
        for site in self.wrapped:
            if site.executed:
                sites[(site.file.path, *site.place)] = None

        names = ("file", "line", "column", "end_line", "function", "function_line")
        more = ("callee", "callee_file", "callee_line", "callee_column", "way")
        report = {
            "calls": [dict(zip(names + more, call)) for call in sorted(calls, key=str)],
            "sites": [dict(zip(names, site)) for site in sorted(sites, key=str)],
        }
        out.write_text(json.dumps(report, indent=0) + "\n", encoding="utf-8")


class Site:
    """An expression that is called, or a decorator that is applied."""

    def __init__(self, file, place, decorates):
        self.file, self.place, self.decorates = file, place, decorates
        self.number, self.executed = None, False


class File:
    """What the source says of places: functions and classes by what the interpreter calls them, calls by where they end."""

    def __init__(self, path, source, tree):
        self.path, self.lines = path, source.splitlines()
        self.functions, self.classes, self.spans = {}, {}, []
        self.sites, self.by_end, self.by_node = [], {}, {}
        self.visit(tree, "", ("<module>", 1))

    def visit(self, node, prefix, function):
        if isinstance(node, FUNCTIONS):
            # What stands before the body runs in the scope around it.
            for decorator in node.decorator_list:
                self.site(decorator, decorator, function, True)
            for outer in (*node.decorator_list, node.args, *filter(None, [node.returns])):
                self.visit(outer, prefix, function)
            name = prefix + node.name
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            column = node.col_offset + (11 if isinstance(node, ast.AsyncFunctionDef) else 5)
            self.functions[(first, node.name)] = (name, self.path, node.lineno, column)
            for inner in node.body:
                self.visit(inner, name + ".<locals>.", (name, node.lineno))
            self.spans.append((node.body[0].lineno, node.end_lineno, (name, node.lineno)))
            return
        if isinstance(node, ast.Lambda):
            self.visit(node.args, prefix, function)
            name = prefix + "<lambda>"
            self.functions.setdefault((node.lineno, "<lambda>"), (name, self.path, node.lineno, node.col_offset + 1))
            self.visit(node.body, name + ".<locals>.", (name, node.lineno))
            return
        if isinstance(node, ast.ClassDef):
            for decorator in node.decorator_list:
                self.site(decorator, decorator, function, True)
            for outer in (*node.decorator_list, *node.bases, *node.keywords):
                self.visit(outer, prefix, function)
            name = prefix + node.name
            self.classes[name] = (node.lineno, node.col_offset + 7)
            for inner in node.body:
                self.visit(inner, name + ".", function)
            return
        if isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id == "super"):
            self.site(node, node.func, function, False)
        for inner in ast.iter_child_nodes(node):
            self.visit(inner, prefix, function)

    def site(self, node, called, function, decorates):
        if isinstance(called, ast.Call) and decorates:
            # Of `@f(x)` the name is that of `f`; what is applied is the result.
            called = called.func
        table = table_of(called)
        if isinstance(table, (ast.Name, ast.Attribute)):
            called = table
        line, column = called.lineno, called.col_offset
        if isinstance(called, ast.Attribute):
            line, column = called.end_lineno, called.end_col_offset - len(called.attr.encode())
        elif not isinstance(called, ast.Name) and not decorates:
            line, column = self.parenthesis(called.end_lineno, called.end_col_offset)
        site = Site(self, (line, column + 1, node.end_lineno, *function), decorates)
        self.sites.append(site)
        self.by_end.setdefault((node.end_lineno, node.end_col_offset), []).append(site)
        # By position, since the wrapped tree is parsed anew for each compilation.
        self.by_node[(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, decorates)] = site

    def parenthesis(self, line, column):
        """Where the arguments begin, behind an expression that ends here and may stand in parentheses itself."""
        while True:
            text = self.lines[line - 1]
            while column < len(text) and text[column : column + 1] in b" \t)":
                column += 1
            if text[column : column + 1] == b"(":
                return line, column
            line, column = line + 1, 0

    def place(self, code):
        return self.functions.get((code.co_firstlineno, code.co_name))

    def place_of(self, position):
        line, end_line, column, _ = position
        if line is None or column is None:
            return None
        around = [span for span in self.spans if span[0] <= line <= span[1]]
        function = min(around, key=lambda span: span[1] - span[0])[2] if around else ("<module>", 1)
        return (line, column + 1, end_line, *function)


def table_of(called):
    """What is behind all subscripts."""
    while isinstance(called, ast.Subscript):
        called = called.value
    return called


class Wrap(ast.NodeTransformer):
    def __init__(self, file):
        self.file = file

    def visit_Call(self, node):
        site = self.file.by_node.get(place_of_node(node, False))
        self.generic_visit(node)
        if site:
            node.func = self.seen(site, node.func)
        return node

    def decorated(self, node):
        sites = [self.file.by_node[place_of_node(decorator, True)] for decorator in node.decorator_list]
        self.generic_visit(node)
        node.decorator_list = [self.seen(site, decorator) for site, decorator in zip(sites, node.decorator_list)]
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = decorated

    def seen(self, site, function):
        name = ast.Name(NOTE, ast.Load())
        return ast.copy_location(ast.Call(name, [ast.Constant(site.number), function], []), function)


def place_of_node(node, decorates):
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, decorates)


@functools.lru_cache(maxsize=None)
def positions(code):
    return list(code.co_positions())


def operation_at(code, offset):
    # Behind an instruction stands room for what the interpreter learns about it, and it may point there already.
    while offset and dis.opname[code.co_code[offset]] == "CACHE":
        offset -= 2
    return dis.opname[code.co_code[offset]]


def means(way, name):
    """Whether the language itself calls a function of this name there, and not a dict its key's `__hash__` or a `map` its function."""
    if way == "iteration":
        return name in ("__iter__", "__next__", "__aiter__", "__anext__", "__await__")
    return name != "__hash__" and (way != "item" or name != "__eq__")


def is_start(code, offset):
    """Whether a generator's frame stands at its beginning, not behind a `yield`."""
    return dis.opname[code.co_code[offset]] == "RESUME" and code.co_code[offset + 1] & 3 == 0


def constructors(what):
    """The code of what runs when a class is called."""
    for name in ("__new__", "__init__"):
        function = inspect.getattr_static(what, name, None)
        function = getattr(function, "__func__", function)
        if isinstance(function, types.FunctionType):
            yield function.__code__
    call = inspect.getattr_static(type(what), "__call__", None)
    if isinstance(call, types.FunctionType):
        yield call.__code__


def is_program(frame):
    """A module of the folder that is run as a program uses the folder's functions as any other program does."""
    return frame.f_globals.get("__name__") == "__main__" and frame.f_code.co_name == "<module>"


def leads_to(what, code):
    """How calling this enters that code with nothing in between; None if something is."""
    if type(what) is types.MethodType:
        what = what.__func__
    if type(what) is types.FunctionType:
        return "call" if what.__code__ is code else None
    if isinstance(what, type):
        return "constructor" if any(found is code for found in constructors(what)) else None
    call = inspect.getattr_static(type(what), "__call__", None)
    if isinstance(call, types.FunctionType) and call.__code__ is code:
        return "call"
    return None


if __name__ == "__main__":
    main()
