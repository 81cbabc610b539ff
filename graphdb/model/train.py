"""Learns the rows of the table from pairs: what an author says of a unit of code must lie nearer to that unit than to all others of its package.

    rows = train(rows, Examples(packages, table), steps=3000)

The model is a sum of rows, so the gradient is written out here: no framework, one thread, the same result each time.

One step: a few packages, and of each a few hundred units, because telling apart the functions of one package is what a search has
to do. Each unit gives one question and one document. The loss is InfoNCE both ways: softmax over the similarities of a question
to all documents of the step and of a document to all questions. Adam moves the rows that the step touched.
"""

import numpy as np

from table import counts, unit
from texts import FIELDS, field
from words import words

# Said before a question, and to be learned as saying nothing.
PREFIXES = ("where is", "where do we", "where does it", "which function", "what", "how does it", "how do we", "function that", "the code that", "find the code which",
            "where is it decided", "who", "why does it", "when is", "how is", "what happens when", "is there a", "show me the place where", "in which file", "which class",
            "which method", "what decides", "where in the code is", "code for", "how are", "does it", "what sets", "who calls")


class Examples:
    """The units of all packages as token ids, and the drawing of batches from them."""

    def __init__(self, packages, table, seed=1):
        self.random = np.random.default_rng(seed)
        self.packages = []
        for found in packages:
            self.packages.append([self.example(table, unit) for unit in found])
        self.prefixes = [np.array(table.ids(words(p)), np.int32) for p in PREFIXES]
        # Between every package alike and every unit alike.
        sizes = np.array([len(p) for p in self.packages], float)
        self.share = sizes**0.7 / (sizes**0.7).sum()

    @staticmethod
    def example(table, unit):
        ids = lambda text: np.array(table.ids(text), np.int32)
        fields = {name: ids(field(unit, name)) for name in set(FIELDS)}
        return fields, ids(words(unit["first"])), ids(words(unit["rest"])), [ids(words(c)) for c in unit["comments"]]

    def batch(self, packages, per_package):
        """Token ids of the questions and documents, and which unit each is of."""
        asked, documents = [], []
        for number in self.random.choice(len(self.packages), packages, replace=False, p=self.share):
            found = self.packages[number]
            for at in self.random.choice(len(found), min(per_package, len(found)), replace=False):
                question, document = self.pair(*found[at])
                if len(question) and len(document):
                    asked.append(question)
                    documents.append(document)
        return asked, documents

    def pair(self, fields, first, rest, comments):
        draw = self.random.random
        shown = [fields[name] for name in FIELDS if name == "name" or draw() > 0.15]
        # What is asked: a comment of the body, the first sentence, or some words of it.
        if comments and (not len(first) or draw() < 0.4):
            question, told = comments[int(draw() * len(comments))], np.concatenate([first, rest])
        else:
            question, told = first, rest
        if draw() < 0.5 and len(told):
            shown.append(told[:60])
        if draw() < 0.3 and len(question) > 4:
            # Keywords; half of the time none that the name has.
            kept = self.random.random(len(question)) > 0.4
            if draw() < 0.5:
                kept = ~np.isin(question, np.concatenate([fields["name"], fields["owner"]]))
            if kept.sum() >= 2:
                question = question[kept]
        # Some tokens left out on both sides, so that no single word decides.
        question, shown = self.thinned(question), self.thinned(np.concatenate(shown))
        if draw() < 0.4:
            question = np.concatenate([self.prefixes[int(draw() * len(self.prefixes))], question])
        return question, shown

    def thinned(self, ids):
        kept = self.random.random(len(ids)) >= 0.2
        return ids[kept] if kept.any() else ids


def train(rows, examples, steps, packages=8, per_package=128, rate=1e-3, temperature=0.05, report=None):
    """`rows` moved by `steps` steps. `report(step, rows, loss)` is called now and then."""
    rows = rows.astype(np.float32).copy()
    first, second, seen = np.zeros_like(rows), np.zeros_like(rows), np.zeros(len(rows), np.int64)
    total = 0.0
    for step in range(steps):
        asked, documents = examples.batch(packages, per_package)
        loss, touched, gradient = loss_and_gradient(rows, asked, documents, temperature)
        total += loss
        speed = rate * min(1, (step + 1) / 200) * 0.5 * (1 + np.cos(np.pi * step / steps))
        # Adam, on the rows touched only; `seen` counts each row's own steps.
        seen[touched] += 1
        age = seen[touched][:, None].astype(np.float32)
        first[touched] = 0.9 * first[touched] + 0.1 * gradient
        second[touched] = 0.999 * second[touched] + 0.001 * gradient**2
        mean, spread = first[touched] / (1 - 0.9**age), second[touched] / (1 - 0.999**age)
        rows[touched] -= np.float32(speed) * mean / (np.sqrt(spread) + 1e-8)
        if report and (step + 1) % 500 == 0:
            report(step + 1, rows, total / 500)
            total = 0.0
    return rows


def loss_and_gradient(rows, asked, documents, temperature):
    """InfoNCE both ways, and its gradient for the rows touched."""
    size = len(asked)
    counted = counts(asked + documents, len(rows))
    touched = np.unique(counted.indices)
    counted = counted[:, touched]
    sums = counted @ rows[touched]
    norms = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    vectors = sums / norms
    questions, texts = vectors[:size], vectors[size:]
    logits = questions @ texts.T / np.float32(temperature)
    across, down = softmax(logits, 1), softmax(logits, 0)
    loss = -(np.log(np.diag(across) + 1e-12).mean() + np.log(np.diag(down) + 1e-12).mean()) / 2
    slope = (across + down) / 2
    slope[np.arange(size), np.arange(size)] -= 1
    slope /= np.float32(size * temperature)
    for_vectors = np.concatenate([slope @ texts, slope.T @ questions])
    for_sums = (for_vectors - vectors * (for_vectors * vectors).sum(1, keepdims=True)) / norms
    return loss, touched, counted.T @ for_sums


def softmax(logits, axis):
    out = np.exp(logits - logits.max(axis, keepdims=True))
    return out / out.sum(axis, keepdims=True)
