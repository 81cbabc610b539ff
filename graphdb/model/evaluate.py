"""How well a model finds the function for what its author says of it, on packages that no model has learned from.

    report = measure(encode, archives)     # {"docstring": {"recall@1": …, "recall@10": …, "mrr": …}, …}

Every function, type and field of a package is a document, without its docstring. Three kinds of question per package:

- docstring: the first sentence of a docstring;
- other words: the same, without the words of the unit's own name and owner, where four words or more are left;
- comment: a comment inside the body.
"""

import json
from pathlib import Path

import numpy as np

from pairs import units
from texts import document, field
from words import words

KINDS = ("docstring", "other words", "comment")


def questions(found):
    """Per kind: text -> set of the units it may mean."""
    asked = {kind: {} for kind in KINDS}
    for at, unit in enumerate(found):
        first = words(unit["first"])
        if first:
            asked["docstring"].setdefault(first, set()).add(at)
            own = set(f"{field(unit, 'name')} {field(unit, 'owner')}".split())
            left = [w for w in first.split() if w not in own and w.rstrip("s") not in own and w + "s" not in own]
            if len(left) >= 4:
                asked["other words"].setdefault(" ".join(left), set()).add(at)
        for comment in unit["comments"]:
            asked["comment"].setdefault(words(comment), set()).add(at)
    return asked


def measure(encode, archives):
    """Recall and mean reciprocal rank per kind of question, each package counted alike."""
    per_package = {}
    for name, archive in archives.items():
        found = units(archive)
        documents = encode([document(unit) for unit in found])
        for kind, asked in questions(found).items():
            if not asked:
                continue
            scores = encode(list(asked)) @ documents.T
            best = np.array([max(scores[row][list(right)]) for row, right in enumerate(asked.values())])
            rank = 1 + (scores > best[:, None] + 1e-6).sum(1)
            per_package[name, kind] = {
                "recall@1": (rank <= 1).mean(), "recall@10": (rank <= 10).mean(), "mrr": (1 / rank).mean(),
                "questions": len(asked), "documents": len(found),
            }
    return per_package


def line(per_package):
    """One line: per kind, recall@1, recall@10 and MRR, the mean over packages."""
    parts = []
    for kind in KINDS:
        rows = [figures for (_, k), figures in per_package.items() if k == kind]
        parts.append(kind + " " + " / ".join(f"{np.mean([r[f] for r in rows]):.3f}" for f in ("recall@1", "recall@10", "mrr")))
    return "   ".join(parts)


def line_of_questions(encode, archives):
    """The same figures for the questions of `questions.json`, written by hand; here documents have their docstrings, as in an index."""
    ranks = []
    for name, asked in json.loads((Path(__file__).parent / "questions.json").read_text()).items():
        found = [unit for unit in units(archives[name]) if unit["kind"] != "field"]
        documents = encode([document(unit, unit["first"] + " " + unit["rest"]) for unit in found])
        for scores, (_, right) in zip(encode([words(text) for text, _ in asked]) @ documents.T, asked):
            best = max(score for score, unit in zip(scores, found) if unit["name"] in right)
            ranks.append(1 + (scores > best + 1e-6).sum())
    ranks = np.array(ranks)
    return f"{len(ranks)} questions {(ranks <= 1).mean():.3f} / {(ranks <= 10).mean():.3f} / {(1 / ranks).mean():.3f}"
