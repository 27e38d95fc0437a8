"""The sentence encoder against its own published example, the reference tokenizer, and damaged files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evals.questions.similarity import INSTALL, Encoder, cosine, find_weights
from evals.questions.similarity.weights import read_tensors
from evals.questions.similarity.wordpiece import WordPiece, read_vocabulary

WEATHER = ("The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.")
VOCABULARY = {
    piece: number
    for number, piece in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##do", "##ing", "cafe", "!"])
}


@pytest.fixture(scope="module")
def weights() -> Path:
    try:
        return find_weights()
    except FileNotFoundError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def encoder(weights: Path) -> Encoder:
    return Encoder(weights)


def test_the_published_example(encoder: Encoder) -> None:
    first, second, third = encoder.embed(WEATHER)
    assert cosine(first, second) == pytest.approx(0.6660, abs=1e-4)
    assert cosine(first, third) == pytest.approx(0.1046, abs=1e-4)
    assert cosine(second, third) == pytest.approx(0.1411, abs=1e-4)


@pytest.mark.slow
def test_a_sentence_is_closest_to_itself_and_other_sentences_in_the_batch_do_not_matter(encoder: Encoder) -> None:
    alone = encoder.embed(WEATHER[:1])[0]
    together = Encoder(find_weights()).embed([*WEATHER, "word " * 400])
    assert cosine(alone, together[0]) == pytest.approx(1.0, abs=1e-6)
    assert max(cosine(alone, other) for other in together[1:]) < 0.7


def test_no_neural_library_is_imported(weights: Path) -> None:
    code = (
        "import sys\n"
        "from evals.questions.similarity import Encoder\n"
        "Encoder().embed(['a red mug'])\n"
        "bad = {'torch', 'onnxruntime', 'sentence_transformers', 'tensorflow', 'transformers'} & set(sys.modules)\n"
        "assert not bad, bad\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.fixture(scope="module")
def tokenizers(weights: Path) -> tuple[WordPiece, Any]:
    """Ours, and the one that was published with the weights."""
    library = pytest.importorskip("tokenizers", reason="needs the reference tokenizer: pip install tokenizers")
    published = library.Tokenizer.from_file(str(weights / "tokenizer.json"))
    published.no_truncation()
    published.no_padding()
    return WordPiece(read_vocabulary(weights / "vocab.txt")), published


@given(text=st.text(st.characters(codec="utf-8", max_codepoint=0x24F), max_size=40))
def test_pieces_are_those_of_the_published_tokenizer(tokenizers: tuple[WordPiece, Any], text: str) -> None:
    ours, published = tokenizers
    # Written out in a text, these are plain letters for us and tokens for the library.
    assume(not any(token in text for token in ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")))
    assert ours.encode(text, 256) == published.encode(text).ids


def test_words_are_split_into_the_longest_pieces() -> None:
    words = WordPiece(VOCABULARY)
    assert words.encode("Undoing CAFÉ!", 20) == [2, 4, 5, 6, 7, 8, 3]
    assert words.encode("undoes", 20) == [2, 1, 3]
    assert words.encode("u" * 101, 20) == [2, 1, 3]
    assert words.encode("un un un un", 4) == [2, 4, 4, 3]
    assert words.encode("", 4) == [2, 3]


def test_absent_weights_are_named_with_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.questions.similarity.weights._PACKAGE", "no_such_package")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="not installed") as caught:
        find_weights()
    assert INSTALL in str(caught.value)
    with pytest.raises(FileNotFoundError, match=r"config\.json"):
        find_weights(tmp_path)


def test_weights_in_the_cache_of_the_hub_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.questions.similarity.weights._PACKAGE", "no_such_package")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    folder = tmp_path / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots" / "abc"
    folder.mkdir(parents=True)
    for name in ("config.json", "vocab.txt", "model.safetensors"):
        (folder / name).touch()
    assert find_weights() == folder


def _safetensors(header: bytes, data: bytes = b"") -> bytes:
    return len(header).to_bytes(8, "little") + header + data


def test_tensors_are_read(tmp_path: Path) -> None:
    header = json.dumps({"__metadata__": {}, "w": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}).encode()
    path = tmp_path / "model.safetensors"
    path.write_bytes(_safetensors(header.ljust(80), b"\0\0\x80\x3f\0\0\0\x40"))
    assert read_tensors(path)["w"].tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "header would be 0 bytes"),
        (b"version https://git-lfs.github.com/spec/v1\n", "header would be"),
        (_safetensors(b"{nonsense}"), "not JSON"),
        (_safetensors(b'{"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}', b"\0\0\0\0"), "4 bytes behind"),
    ],
    ids=["empty", "pointer", "nonsense", "cut"],
)
def test_a_damaged_file_is_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        read_tensors(path)
    assert "\n" not in str(caught.value)
