#!/usr/bin/env python3
"""Prints how many declarations of each kind the Python files below a folder hold, as the language's own `ast` sees them.

    python3 python_counts.py DIR > counts.json

The answer is `{"files": {path: counts}, "total": counts}`, paths relative to DIR, with forward slashes. Files that `ast` cannot parse
carry "error" and count nothing. Folders and files that begin with a dot are passed over, and so is `__pycache__`.

  functions            `def` and `async def`, methods included
  methods              those whose nearest enclosing scope is a class
  lambdas              `lambda` expressions
  classes              `class` statements, at any depth
  class_attributes     per class, the distinct names that its body assigns or annotates (nested defs and classes not included)
  instance_attributes  per class, the distinct names X that its methods assign as `self.X`, self being the method's first parameter;
                       nested functions that do not rebind the name count, static methods do not
  attributes           per class, the distinct names of both together
  calls                call expressions
"""

import ast
import json
import os
import sys
import warnings

KINDS = (
    "functions",
    "methods",
    "lambdas",
    "classes",
    "class_attributes",
    "instance_attributes",
    "attributes",
    "calls",
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = FUNCTIONS + (ast.ClassDef, ast.Lambda)


def main(arguments):
    if len(arguments) != 1:
        print("usage: python_counts.py DIR", file=sys.stderr)
        return 2
    sys.setrecursionlimit(20_000)
    warnings.simplefilter("ignore")
    files = {}
    for path in python_files(arguments[0]):
        files[os.path.relpath(path, arguments[0]).replace(os.sep, "/")] = count_file(path)
    total = {"files": len(files), "errors": sum("error" in counts for counts in files.values())}
    for kind in KINDS:
        total[kind] = sum(counts[kind] for counts in files.values())
    json.dump({"files": files, "total": total}, sys.stdout, indent=2)
    print()
    return 0


def python_files(root):
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith(".") and name != "__pycache__")
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".py") and not name.startswith(".") and not os.path.islink(path):
                yield path


def count_file(path):
    counts = dict.fromkeys(KINDS, 0)
    try:
        with open(path, "rb") as source:
            tree = ast.parse(source.read(), path)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        counts["error"] = f"{type(error).__name__}: {error}"
        return counts
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            counts["functions"] += 1
        elif isinstance(node, ast.Lambda):
            counts["lambdas"] += 1
        elif isinstance(node, ast.Call):
            counts["calls"] += 1
        elif isinstance(node, ast.ClassDef):
            count_class(node, counts)
    return counts


def count_class(node, counts):
    own, methods = set(), []
    for part in in_scope(node.body):
        if isinstance(part, FUNCTIONS):
            methods.append(part)
        elif isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            own.add(part.id)
    of_instances = set()
    for method in methods:
        of_instances |= set(assigned_to_self(method))
    counts["classes"] += 1
    counts["methods"] += len(methods)
    counts["class_attributes"] += len(own)
    counts["instance_attributes"] += len(of_instances)
    counts["attributes"] += len(own | of_instances)


def in_scope(nodes):
    """The nodes of one scope; of a nested function, class, lambda or comprehension only the node itself."""
    inner = SCOPES + (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, inner):
            waiting.extend(ast.iter_child_nodes(node))


def assigned_to_self(method):
    if any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in method.decorator_list):
        return
    parameters = method.args.posonlyargs + method.args.args
    if not parameters:
        return
    self_name = parameters[0].arg
    waiting = list(method.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.ClassDef):
            continue
        if isinstance(node, FUNCTIONS + (ast.Lambda,)) and self_name in parameter_names(node.args):
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == self_name:
                yield node.attr
        waiting.extend(ast.iter_child_nodes(node))


def parameter_names(arguments):
    named = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
    rest = [extra for extra in (arguments.vararg, arguments.kwarg) if extra]
    return {parameter.arg for parameter in named + rest}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
