#!/usr/bin/env python3
"""Runs a program that reads one text, and writes down which variables of one folder's functions came to hold it. Needs CPython 3.11.

    python3 watch.py --root DIR --out places.json program.py

The text that `input()` gives is a mark. After each line and at each return, a variable that holds a text with the mark in it, in letters of
either case, is noted once: `[file, function, first line of the function, variable, line]`, in the order in which they were found. What a
function gives back is the variable `<return>`. Containers and objects are not looked into: a graph tells of their parts, not of them.
"""

import argparse
import io
import json
import os
import sys
import threading
import traceback
import types
from pathlib import Path

MARK = "secretxyz"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--root", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("program", type=Path)
    options = options.parse_args()
    root = os.path.realpath(options.root)
    watch = Watch(root)
    failed = run(options.program, root, watch)
    options.out.write_text(json.dumps({"places": watch.found, "failed": failed}, indent=1))


class Watch:
    """What was found so far."""

    def __init__(self, root):
        self.root = root + os.sep
        self.found, self.seen, self.inside = [], set(), {}

    def enter(self, frame, _event, _argument):
        file = frame.f_code.co_filename
        if file not in self.inside:
            self.inside[file] = os.path.realpath(file).startswith(self.root)
        return self.look if self.inside[file] else None

    def look(self, frame, event, given):
        if event in ("line", "return"):
            # Code that looks at values may be the program's own.
            sys.settrace(None)
            for name, value in frame.f_locals.items():
                self.note(frame, name, value)
            if event == "return":
                self.note(frame, "<return>", given)
            sys.settrace(self.enter)
        return self.look

    def note(self, frame, name, value):
        key = (frame.f_code, name)
        if key not in self.seen and holds_mark(value):
            self.seen.add(key)
            code = frame.f_code
            file = os.path.relpath(os.path.realpath(code.co_filename), self.root)
            self.found.append([file, code.co_name, code.co_firstlineno, name, frame.f_lineno])


def holds_mark(value):
    # The type itself is asked: a proxy would answer for another.
    if issubclass(type(value), str):
        return MARK in str.lower(value)
    return issubclass(type(value), (bytes, bytearray)) and MARK.encode() in bytes(value).lower()


def run(program, root, watch):
    """Runs a program as the main module; the last line of its error, if it ends in one."""
    sys.path.insert(0, root)
    sys.argv = [str(program)]
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"SECRETxyz\n"))
    module = types.ModuleType("__main__")
    module.__file__ = str(program)
    sys.modules["__main__"] = module
    code = compile(program.read_text(), str(program), "exec")
    shown, sys.stdout = sys.stdout, open(os.devnull, "w")
    threading.settrace(watch.enter)
    sys.settrace(watch.enter)
    try:
        exec(code, module.__dict__)
    except SystemExit:
        pass
    except Exception:
        sys.settrace(None)
        return traceback.format_exc().strip().splitlines()[-1]
    finally:
        sys.settrace(None)
        threading.settrace(None)
        sys.stdout = shown
    return None


if __name__ == "__main__":
    main()
