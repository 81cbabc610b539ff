#!/usr/bin/env python3
"""Runs Python programs that are handed a secret, and says what they print.

    python3 run.py < programs.jsonl > answers.jsonl

Each line of the input is a program as a JSON text. It is run in a fresh module, with the line `secret` as its input and within a
time limit, and answered by a line of JSON:

  lines  what it printed, line by line
  error  what it ended with, where that was not its end

All programs run in this one process, one after the other, so what a program leaves behind in a library is there for the next.
"""

import contextlib
import io
import json
import signal
import sys
import types

# In seconds; a program takes milliseconds.
LIMIT = 5


def main():
    programs = [json.loads(line) for line in sys.stdin]
    signal.signal(signal.SIGALRM, too_long)
    for program in programs:
        print(json.dumps(run(program)))


def run(program):
    """What a program prints, and what goes wrong in it."""
    module = types.ModuleType("combination")
    # Dataclasses look their module up.
    sys.modules[module.__name__] = module
    printed = io.StringIO()
    answer = {}
    stdin, sys.stdin = sys.stdin, io.StringIO("secret\n")
    signal.alarm(LIMIT)
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "combination.py", "exec"), module.__dict__)
    except Exception as error:
        answer["error"] = f"{type(error).__name__}: {error}"
    finally:
        signal.alarm(0)
        sys.stdin = stdin
    answer["lines"] = printed.getvalue().splitlines()
    return answer


def too_long(signum, frame):
    raise TimeoutError(f"not within {LIMIT} seconds")


if __name__ == "__main__":
    main()
