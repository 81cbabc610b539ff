"""What is embedded for a node, and what is asked for it: the two sides of a pair, as texts.

    document(unit) -> "parse cookie parse cookie http header str multi dict werkzeug http decode … cookies …"

The fields stand in the order name, name, owner, signature, path, calls, callers, doc, each through `words`; the name stands twice because
a vector is the mean of its tokens, and the name says most.
"""

from words import words

FIELDS = ("name", "name", "owner", "signature", "path", "calls", "callers")


def document(unit, doc=""):
    """The text of a node. `doc`: the docstring where one is wanted in it."""
    return " ".join(part for part in (*(field(unit, name) for name in FIELDS), words(doc)) if part)


def field(unit, name):
    value = unit[name]
    if name == "path":
        value = value.rpartition(".")[0]
    return words(" ".join(value) if isinstance(value, list) else value)
