"""A BERT sentence encoder in numpy: the normalised mean of the last layer's outputs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.questions.similarity.weights import find_weights, read_tensors
from evals.questions.similarity.wordpiece import WordPiece, read_vocabulary

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

_LONGEST = 256
"""The maximum number of tokens, as in the encoder's training."""


class Encoder:
    """Embeds sentences; vectors are cached by text."""

    def __init__(self, folder: Path | None = None) -> None:
        place = find_weights(folder)
        config = json.loads((place / "config.json").read_text(encoding="utf-8"))
        self._layers, self._heads = int(config["num_hidden_layers"]), int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])
        self._weights = read_tensors(place / "model.safetensors")
        self._tokens = WordPiece(read_vocabulary(place / "vocab.txt"))
        self._known: dict[str, Array] = {}

    def embed(self, texts: Sequence[str]) -> Array:
        """One vector of length 1 for each text, as rows."""
        import numpy as np

        for text in dict.fromkeys(texts):
            if text not in self._known:
                self._known[text] = self._embedded(text)
        return np.stack([self._known[text] for text in texts])

    def _embedded(self, text: str) -> Array:
        import numpy as np

        ids = self._tokens.encode(text, _LONGEST)
        values = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][: len(ids)]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        values = self._normed(values, "embeddings.LayerNorm")
        for number in range(self._layers):
            values = self._layer(values, f"encoder.layer.{number}")
        mean = values.mean(axis=0)
        vector: Array = mean / max(float(np.linalg.norm(mean)), 1e-12)
        return vector

    def _layer(self, values: Array, name: str) -> Array:
        attended = self._dense(self._attention(values, f"{name}.attention.self"), f"{name}.attention.output.dense")
        values = self._normed(values + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._dense(values, f"{name}.intermediate.dense"))
        return self._normed(values + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attention(self, values: Array, name: str) -> Array:
        import numpy as np

        query, key, value = (
            self._dense(values, f"{name}.{part}").reshape(len(values), self._heads, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(1, 2) / np.float32(np.sqrt(query.shape[-1]))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed: Array = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return mixed.swapaxes(0, 1).reshape(len(values), -1)

    def _dense(self, values: Array, name: str) -> Array:
        return values @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, values: Array, name: str) -> Array:
        import numpy as np

        centred = values - values.mean(axis=-1, keepdims=True)
        scaled: Array = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(self._epsilon))
        return scaled * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(values: Array) -> Array:
    """The GELU activation; its error function by Abramowitz and Stegun 7.1.26 (within 1.5e-7)."""
    import numpy as np

    size = np.abs(values.astype(np.float64)) / np.sqrt(2.0)
    t = 1.0 / (1.0 + 0.3275911 * size)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(values) * (1.0 - series * np.exp(-(size**2)))
    result: Array = (0.5 * values * (1.0 + erf)).astype(np.float32)
    return result


def cosine(first: Array, second: Array) -> float:
    """The cosine of two vectors of length 1."""
    return float(first @ second)
