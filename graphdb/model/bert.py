"""The source model, all-MiniLM-L6-v2, run forward in numpy: six layers, twelve heads, mean of the last layer, length one.

    model = Bert(weights, "tokenizer.json")
    vectors = model.encode(["where is the session saved"])     # (1, 384), float32

It stands here so that making our model needs no deep-learning framework.
"""

import numpy as np
from scipy.special import erf
from tokenizers import Tokenizer

LAYERS, HEADS = 6, 12


class Bert:
    def __init__(self, weights, tokenizer_path, longest=256):
        """`weights`: tensors by name, as in the source's model.safetensors."""
        self.weights = {name.removeprefix("bert."): value for name, value in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(tokenizer_path))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def encode(self, texts, positions=16384):
        """One vector of length one per text. `positions`: tokens worked on at a time, which bounds memory."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        return self.encode_ids(ids, positions)

    def encode_ids(self, ids, positions=16384):
        """The same for token ids, `[CLS]` and `[SEP]` included."""
        out = np.zeros((len(ids), 384), np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        start = 0
        while start < len(order):
            # Texts of one batch have one length, so that no padding has to be masked.
            length, end = len(ids[order[start]]), start
            while end < len(order) and len(ids[order[end]]) == length and (end - start + 1) * length <= positions:
                end += 1
            end = max(end, start + 1)
            batch = order[start:end]
            out[batch] = self.forward(np.array([ids[i] for i in batch]))
            start = end
        return out

    def forward(self, ids):
        count, length = ids.shape
        embedding = lambda name: self.weights[f"embeddings.{name}.weight"]
        x = embedding("word_embeddings")[ids] + embedding("position_embeddings")[:length] + embedding("token_type_embeddings")[0]
        x = self.norm(x, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            heads = lambda part: (
                self.linear(x, f"{name}attention.self.{part}").reshape(count, length, HEADS, -1).transpose(0, 2, 1, 3)
            )
            query, key, value = heads("query"), heads("key"), heads("value")
            scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1]))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            seen = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, -1)
            x = self.norm(x + self.linear(seen, f"{name}attention.output.dense"), f"{name}attention.output.LayerNorm")
            wide = self.linear(x, f"{name}intermediate.dense")
            wide *= np.float32(0.5) * (1 + erf(wide * np.float32(1 / np.sqrt(2))))
            x = self.norm(x + self.linear(wide, f"{name}output.dense"), f"{name}output.LayerNorm")
        mean = x.mean(1)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def linear(self, x, name):
        weight = self.weights[f"{name}.weight"]
        return (x.reshape(-1, weight.shape[1]) @ weight.T + self.weights[f"{name}.bias"]).reshape(*x.shape[:-1], -1)

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x /= np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
