"""A static model: a row per token, a weight per token; the vector of a text is the weighted sum of its tokens' rows, at length one.

    model = Table.read(folder)                  # model.safetensors, tokenizer.json
    vectors = model.encode(["parse cookie header"])

The same arithmetic as model2vec's readers. Texts have been through `words` before.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file
from scipy.sparse import csr_matrix
from tokenizers import Tokenizer


class Table:
    def __init__(self, rows, weights, tokenizer):
        self.rows, self.weights, self.tokenizer = rows, weights, tokenizer
        self.unknown = tokenizer.token_to_id("[UNK]")
        # Texts are words with spaces between, so a word's tokens don't depend on its neighbours.
        self.tokens_of = lru_cache(2_000_000)(self._tokens_of)

    @classmethod
    def read(cls, folder):
        tensors = load_file(Path(folder) / "model.safetensors")
        return cls(tensors["embeddings"], tensors["weights"], Tokenizer.from_file(str(Path(folder) / "tokenizer.json")))

    def _tokens_of(self, word):
        return [t for t in self.tokenizer.encode(word, add_special_tokens=False).ids if t != self.unknown]

    def ids(self, text):
        return [token for word in text.split() for token in self.tokens_of(word)]

    def encode(self, texts):
        counted = counts([self.ids(text) for text in texts], len(self.rows))
        return unit(counted @ (self.rows.astype(np.float32) * self.weights[:, None]))


def counts(ids, width):
    """Token ids per text as a sparse matrix of how often each stands there."""
    ends = np.cumsum([0, *map(len, ids)])
    flat = np.concatenate([np.asarray(i, np.int64) for i in ids]) if ends[-1] else np.zeros(0, np.int64)
    return csr_matrix((np.ones(len(flat), np.float32), flat, ends), shape=(len(ids), width))


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def quantised(rows):
    """Eight bits per number with one scale per row. The scale goes into the token's weight, so nothing but rounding is lost."""
    scale = np.maximum(np.abs(rows).max(1), 1e-12) / 127
    return np.rint(rows / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def write(folder, rows, vocabulary, about):
    """The three files that model2vec's readers take. `rows`: float32, weights multiplied in."""
    embeddings, weights = quantised(rows)
    # The common size of all weights vanishes when a vector is brought to length one.
    weights /= weights.mean()
    save_file({"embeddings": embeddings, "weights": weights}, Path(folder) / "model.safetensors")
    (Path(folder) / "tokenizer.json").write_text(tokenizer_json(vocabulary))
    (Path(folder) / "config.json").write_text(json.dumps({"model_type": "model2vec", "hidden_dim": rows.shape[1], "normalize": True, **about}, indent=1) + "\n")


def tokenizer_json(vocabulary):
    """The source's tokenizer with this vocabulary: BERT's normalizer, words, then longest pieces first."""
    at = {token: i for i, token in enumerate(vocabulary)}
    added = [
        {"id": at[t], "content": t, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
        for t in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    ]
    return json.dumps(
        {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": added,
            "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
            "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None,
            "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": at},
        },
        ensure_ascii=False, separators=(",", ":"),
    )
