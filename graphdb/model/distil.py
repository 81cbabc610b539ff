"""From the transformer to a table: vocabulary, one vector per token, 256 numbers of it, a weight from how often it is used.

    vocabulary = vocabulary_of(source_tokens, counts)         # the source's, what no code needs replaced by words of code
    table = distilled(bert, vocabulary, source_tokens)        # (tokens, 384): each token read by the transformer, alone
    table = reduced(table, frequency, 256)                    # PCA
    weight = rarity(frequency)                                # SIF: a / (a + p)
"""

import re

import numpy as np

# Words of code and its docs that get a token of their own.
NEW_WORDS = 4000
LEAST_COUNT = 60


def vocabulary_of(source, counts):
    """The tokens of our model, in order: the source's that our words can meet, then frequent words that the source cuts in pieces.

    `source`: tokens of the source in order. `counts`: how often each word stands in the mined text.
    """
    # After `words` a text has letters and digits only; other scripts than Latin, Greek and Cyrillic are kept to single letters.
    kept = [t for t in source if t in SPECIAL or re.fullmatch(r"(##)?[a-z0-9]+", t) or (re.fullmatch(r"(##)?\w+", t) and not CJK.search(t))]
    known = set(kept)
    new = [w for w, n in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if n >= LEAST_COUNT and w not in known and w.isascii() and w.isalpha() and len(w) > 1]
    return kept + new[:NEW_WORDS]


SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def distilled(bert, vocabulary):
    """What the transformer says of each token when it reads `[CLS] token [SEP]`; words that are new to it, in their pieces."""
    of = bert.tokenizer.token_to_id
    ids = []
    for token in vocabulary:
        if of(token) is not None:
            pieces = [of(token)]
        else:
            pieces = bert.tokenizer.encode(token, add_special_tokens=False).ids
        ids.append([of("[CLS]"), *pieces, of("[SEP]")])
    return bert.encode_ids(ids)


def reduced(table, dimensions):
    """PCA: the directions in which tokens differ most. Signs are fixed, so that a second run gives the same."""
    table = table - table.mean(0)
    _, vectors = np.linalg.eigh((table.T.astype(np.float64) @ table) / len(table))
    vectors = vectors[:, ::-1][:, :dimensions]
    vectors *= np.sign(vectors[np.abs(vectors).argmax(0), np.arange(dimensions)])
    return (table @ vectors).astype(np.float32)


def rarity(frequency, a=1e-3):
    """SIF: near 1 for rare tokens, near 0 for those in every text. `frequency`: counts per token."""
    p = (frequency + 1) / (frequency.sum() + len(frequency))
    return (a / (a + p)).astype(np.float32)
