"""The splitting rule: how a text, code or English, becomes words before it is tokenised.

Everything that is embedded goes through `words`, questions and code alike:

    >>> words("HTTPServer.parse_body")
    'http server parse body'
    >>> words("getURLs(userID2) -> []string")
    'get urls user id 2 string'
    >>> words("gRPC over OAuth2, Straße")
    'grpc over oauth 2 straße'

The rule, in order:

1. A word is a longest run of letters, or a longest run of digits; every other character ends a word and is dropped.
   A letter is what Rust's `char::is_alphabetic` says, a digit is what else `char::is_numeric` says.
2. A run of letters is cut between a lower-case and an upper-case letter (`parseBody` -> parse, Body), unless that lower-case letter
   is the only one in its part and two or more upper-case letters follow (`gRPC` stays whole).
3. A run of letters is cut before the last of several upper-case letters when a lower-case letter follows (`HTTPServer` -> HTTP, Server),
   unless only one letter would stand before the cut (`OAuth`, `AClass` stay whole), or what follows is one `s` that ends the
   part (`URLs` stays whole).
4. Everything is lower-cased and joined by one space.
"""


def words(text):
    """The words of `text`, lower-case, one space between."""
    found = []
    run, kind = [], None
    for character in text:
        new = "letter" if character.isalpha() else "digit" if character.isnumeric() else None
        if new != kind:
            close(run, kind, found)
            run, kind = [], new
        run.append(character)
    close(run, kind, found)
    return " ".join(found)


def close(run, kind, found):
    """Takes a finished run into `found`."""
    if kind == "digit":
        found.append("".join(run))
    elif kind == "letter":
        found.extend("".join(run[a:b]).lower() for a, b in parts(run))


def parts(run):
    """The parts of a run of letters, as pairs of start and end."""
    start, length = 0, len(run)
    for at in range(1, length):
        before, here = run[at - 1], run[at]
        if not here.isupper():
            continue
        following = run[at + 1] if at + 1 < length else ""
        if before.islower():
            # gRPC: one lower-case letter, then two or more upper-case ones.
            if at - start == 1 and following.isupper():
                continue
            yield start, at
            start = at
        elif before.isupper() and following.islower():
            # HTTPServer is cut before the S; OAuth, whose first part would be one letter, is not; nor is URLs.
            plural = following == "s" and (at + 2 == length or run[at + 2].isupper())
            if at - start >= 2 and not plural:
                yield start, at
                start = at
    yield start, length


if __name__ == "__main__":
    import doctest

    raise SystemExit(doctest.testmod().failed)
