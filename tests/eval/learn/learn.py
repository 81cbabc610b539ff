#!/usr/bin/env python3
"""Learns the trees that rank search hits, from the candidates of questions with known answers.

    python3 -m venv venv && venv/bin/pip install -r tests/eval/learn/requirements.txt
    ripple eval tests/eval/learn/*.toml --index … --candidates candidates.bin
    venv/bin/python tests/eval/learn/learn.py candidates.bin query-api/src/retrieve/trees.txt
    venv/bin/python tests/eval/learn/learn.py candidates.bin --check

With --check nothing is written: the repositories are dealt into four parts, and each part is ranked by trees that learned from the other three.
Without it the trees are learned from all of them. Takes a minute or two; the same candidates give the same trees.
"""

import json
import sys
from pathlib import Path

import lightgbm
import numpy as np

ROUNDS, PARTS = 200, 4
SETTINGS = dict(objective="lambdarank", lambdarank_truncation_level=20, learning_rate=0.05, num_leaves=8, min_data_in_leaf=60, lambda_l2=5, feature_fraction=0.5,
                bagging_fraction=0.8, bagging_freq=1, seed=1, deterministic=True, force_row_wise=True, num_threads=2, verbose=-1)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    names, questions = read(Path(arguments[0]))
    if arguments[1] == "--check":
        check(questions)
        return 0
    trees = learned(questions)
    text = "\n".join(written(tree["tree_structure"], names) for tree in trees.dump_model()["tree_info"])
    Path(arguments[1]).write_text(f"# Made by `tests/eval/learn/learn.py` from {len(questions)} questions; see trees.rs.\n{text}\n")
    return 0


def read(path):
    """The features' names; of each question its suite, how many symbols answer it, and of its candidates which symbol each is and its features."""
    head, _, body = path.read_bytes().partition(b"\n")
    head = json.loads(head)
    numbers = np.frombuffer(body, "<f4").reshape(-1, 1 + len(head["features"]))
    questions, start = [], 0
    for about in head["questions"]:
        mine = numbers[start : start + about["candidates"]]
        questions.append((about["suite"], about["symbols"], mine[:, 0].astype(int), mine[:, 1:]))
        start += len(mine)
    # Trees add to this one.
    assert head["features"][0] == "weighed"
    return head["features"], questions


def learned(questions):
    # Where nothing is right there is nothing to learn.
    useful = [(which, features) for _, _, which, features in questions if which.any()]
    data = lightgbm.Dataset(
        np.vstack([features for _, features in useful]),
        np.concatenate([which > 0 for which, _ in useful]).astype(int),
        group=[len(which) for which, _ in useful],
        init_score=np.concatenate([features[:, 0] for _, features in useful]),
    )
    return lightgbm.train(SETTINGS, data, ROUNDS)


def check(questions):
    suites = list(np.random.default_rng(0).permutation(sorted({suite for suite, *_ in questions})))
    figures = []
    for part in range(PARTS):
        held = set(suites[part::PARTS])
        trees = learned([question for question in questions if question[0] not in held])
        for suite, symbols, which, features in questions:
            if suite in held:
                order = which[np.argsort(-features[:, 0] - trees.predict(features), kind="stable")]
                rated = which[:10]
                figures.append([found(order[:5]) / symbols, found(order[:10]) / symbols, found(order[:10]) > 0, found(rated) / symbols])
    five, ten, hit, rated = np.mean(figures, 0)
    print(f"{len(figures)} questions: recall@5 {five:.3f}, recall@10 {ten:.3f}, hit@10 {hit:.3f}; recall@10 as the weights have them {rated:.3f}")


def found(which):
    return len(set(which[which > 0]))


def written(node, names):
    """A tree on one line: a question, the tree for yes, the tree for no."""
    if "leaf_value" in node:
        return f"{node['leaf_value']:.5g}"
    # Numbers of four bytes are compared with one of eight: the next one below is as good.
    most = np.float32(node["threshold"])
    if most > node["threshold"]:
        most = np.nextafter(most, np.float32(-np.inf))
    return f"{names[node['split_feature']]}<={most:.9g} {written(node['left_child'], names)} {written(node['right_child'], names)}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
