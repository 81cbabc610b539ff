#!/usr/bin/env python3
"""Asks jedi, at every call of every Python file below a folder, what is called. Runs in the environment that `setup/fetch.py` makes.

    python3 ask_jedi.py DIR --out answers.json

The answer is a list of `{"file", "line", "column", "targets"}`: line and column of the name that is called, which for `a.b(c)` is the `b`.
Calls of anything but a name or an attribute have no name to ask about and are left out. A target is

  {"kind": "function", "file", "line", "name"}   a function of the folder, line of its name
  {"kind": "class", …}                           a class of the folder that has no constructor in the folder
  {"kind": "outside", "name"}                    the language's, the standard library's or another package's

A class that has one, its own or inherited, is answered with its constructor, and an instance with its class's `__call__`, as Ripple does.
jedi is first asked for the definition (`goto`); where that is a variable, it is asked what the variable holds (`infer`).
"""

import argparse
import ast
import json
import sys
import warnings
from pathlib import Path

import jedi


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(5000)
    root = options.folder.resolve()
    project = jedi.Project(root, added_sys_path=[str(root)])
    answers = []
    for path in sorted(root.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        script = jedi.Script(source, path=path, project=project)
        lines = source.splitlines()
        for line, column, at in called_names(ast.parse(source), lines):
            targets = {tuple(target.items()): target for target in ask(script, root, line, at)}
            place = {"file": path.relative_to(root).as_posix(), "line": line, "column": column}
            answers.append(place | {"targets": sorted(targets.values(), key=str)})
    options.out.write_text(json.dumps(answers, indent=0) + "\n", encoding="utf-8")


def called_names(tree, lines):
    """Line, column in bytes from 1, column in characters from 0."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = node.func
        if isinstance(called, ast.Attribute):
            line, column = called.end_lineno, called.end_col_offset - len(called.attr.encode())
        elif isinstance(called, ast.Name):
            line, column = called.lineno, called.col_offset
        else:
            continue
        yield line, column + 1, len(lines[line - 1].encode()[:column].decode())


def ask(script, root, line, column):
    try:
        found = script.goto(line, column, follow_imports=True)
        if not found or any(name.type not in ("function", "class", "module") for name in found):
            found = [name for name in found if name.type in ("function", "class")] + script.infer(line, column)
    except Exception as problem:
        # It is known to fail on some code; that is an answer too.
        print(f"{script.path}:{line}: jedi failed: {type(problem).__name__}", file=sys.stderr)
        return
    for name in found:
        yield from targets_of(name, root)


def targets_of(name, root):
    if name.type == "class":
        yield constructor(name, root) or target("class", name, root)
    elif name.type == "function":
        yield target("function", name, root)
    elif name.type == "instance":
        called = [inner for value in name._name.infer() for inner in members(value, ("__call__",))]
        yield target("function", called[0], root) if called else {"kind": "outside", "name": name.name}


def target(kind, name, root):
    path = name.module_path and Path(name.module_path)
    if not path or not path.is_relative_to(root):
        return {"kind": "outside", "name": name.full_name or name.name}
    return {"kind": kind, "file": path.relative_to(root).as_posix(), "line": name.line, "name": name.full_name or name.name}


def constructor(name, root):
    for value in name._name.infer():
        for inner in members(value, ("__init__", "__new__")):
            found = target("function", inner, root)
            if found["kind"] == "function":
                return found
    return None


def members(value, names):
    """The first member of one of these names along the method resolution order."""
    if hasattr(value, "py__class__") and not value.is_class():
        value = value.py__class__()
    for base in getattr(value, "py__mro__", lambda: ())():
        node = getattr(base, "tree_node", None)
        if node is None or node.type != "classdef":
            continue
        for function in node.iter_funcdefs():
            if function.name.value in names:
                module = base.get_root_context()
                yield Place(function, module)
                return
        # Behind a decorator the function is one level deeper.
        for decorated in [part for part in node.get_suite().children if part.type == "decorated"]:
            if decorated.children[-1].type == "funcdef" and decorated.children[-1].name.value in names:
                yield Place(decorated.children[-1], base.get_root_context())
                return


class Place:
    """A function of the source, with as much of jedi's face as is needed here."""

    def __init__(self, node, module):
        self.module_path, self.line = module.py__file__(), node.name.start_pos[0]
        self.name = self.full_name = node.name.value


if __name__ == "__main__":
    main()
