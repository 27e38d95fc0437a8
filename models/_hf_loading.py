"""Loads a transformers model and reports every problem in one readable message."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from models._hf_chat import find_chat
from models._hf_engine import Engine, in_short
from models._spec import check_options, whole_number
from models.base import Options
from planners.names import unknown

OPTIONS = (
    "batch",
    "device",
    "device_map",
    "dtype",
    "max_tokens",
    "model",
    "processor",
    "revision",
    "template",
    "trust_remote_code",
)
DTYPES = ("auto", "bfloat16", "float16", "float32")
_LOCATION_ARGUMENTS = {
    "cache_dir",
    "local_files_only",
    "max_memory",
    "offload_folder",
    "low_cpu_mem_usage",
    "device_map",
}
"""Arguments that locate files and do not change the model."""
_SAMPLES, _SAMPLE = 256, 2**18
"""Bytes of each file that are hashed to identify a model. Of larger files, only samples are read."""


@dataclass(frozen=True)
class Wanted:
    """A spec, checked as far as possible without loading anything."""

    source: str
    device: str = ""
    device_map: str = ""
    dtype: str = "auto"
    batch: int = 16
    max_tokens: int | None = None
    revision: str = ""
    template: str = ""
    trust: bool = False
    model: dict[str, Any] = field(default_factory=dict)
    processor: dict[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> Path | None:
        """The local folder of the model; None for a name on the hub."""
        path = Path(self.source).expanduser()
        return path if path.exists() or self.source.startswith((".", "/", "~")) else None

    @property
    def about_generation(self) -> str:
        """Everything except the weights that determines replies."""
        facts = ["greedy"]
        if self.template:
            facts.append(f"template {hashlib.sha256(self.template.encode()).hexdigest()[:12]}")
        if self.max_tokens:
            facts.append(f"max_tokens {self.max_tokens}")
        facts += [f"{name} {json.dumps(given, sort_keys=True)}" for name, given in self._given() if given]
        return ", ".join(facts)

    def _given(self) -> list[tuple[str, dict[str, Any]]]:
        groups = (("model", self.model), ("processor", self.processor))
        return [(name, {key: group[key] for key in group if key not in _LOCATION_ARGUMENTS}) for name, group in groups]


def read_options(rest: str, options: Options) -> Wanted:
    """The parsed spec, or `ValueError`."""
    check_options("hf", options, OPTIONS)
    if not rest.strip():
        raise ValueError("hf needs a model: a folder, or a name such as hf:Qwen/Qwen2.5-VL-7B-Instruct")
    dtype = options.get("dtype", "auto")
    if dtype not in DTYPES:
        raise unknown("dtype", dtype, DTYPES)
    if options.get("device") and options.get("device_map"):
        raise ValueError("hf: give device or device_map, not both")
    return Wanted(
        rest,
        device=options.get("device", ""),
        device_map=options.get("device_map", ""),
        dtype=dtype,
        batch=whole_number("hf", options, "batch") or Wanted.batch,
        max_tokens=whole_number("hf", options, "max_tokens"),
        revision=options.get("revision", ""),
        template=_template(options.get("template", "")),
        trust=_flag(options.get("trust_remote_code", "false")),
        model=_arguments("model", options.get("model", "{}")),
        processor=_arguments("processor", options.get("processor", "{}")),
    )


def _template(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8") if path else ""
    except (OSError, ValueError) as error:
        raise ValueError(f"hf: the template {path!r} cannot be read: {error}") from None


def _flag(word: str) -> bool:
    if word.lower() not in ("true", "false", "1", "0"):
        raise ValueError(f"hf: trust_remote_code is true or false, not {word!r}")
    return word.lower() in ("true", "1")


def _arguments(name: str, text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except ValueError:
        given = None
    if not isinstance(given, dict):
        raise ValueError(f'hf: {name} is a JSON object such as {{"attn_implementation": "sdpa"}}, not {text!r}')
    if {"token", "use_auth_token"} & set(given):
        raise ValueError(f"hf: {name} must not hold a token, it would be written down; set HF_TOKEN instead")
    return given


def load_engine(wanted: Wanted) -> tuple[Engine, str]:
    """Load the model and return it with its identity. Checks that it exists before the slow import of torch."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ValueError(f"hf needs {' and '.join(missing)}: pip install -e '.[hf]'")
    folder = wanted.folder
    if folder is not None and not (folder / "config.json").is_file():
        raise ValueError(f"hf: {wanted.source!r} is not a model's folder: it has no config.json")
    try:
        version = {} if folder else _hub_version(wanted)
    except Exception as error:  # the lookup of a name can fail in many ways
        raise _load_error(wanted, error) from error
    try:
        torch: Any = import_module("torch")
        transformers: Any = import_module("transformers")
    except (ImportError, OSError) as error:
        raise ValueError(f"hf: torch and transformers are broken ({in_short(error)}): pip install -e '.[hf]'") from None
    try:
        return _load(wanted, version, torch, transformers)
    except Exception as error:  # transformers raises many kinds of errors for a broken model
        raise _load_error(wanted, error) from error


def _load(wanted: Wanted, version: Mapping[str, Any], torch: Any, transformers: Any) -> tuple[Engine, str]:
    source = str(wanted.folder or wanted.source)
    common = {"trust_remote_code": wanted.trust, **version}
    device = wanted.device or _best_device(torch)
    dtype = wanted.dtype
    if dtype == "auto":
        dtype = "bfloat16" if device.startswith("cuda") else "float32"
    placed = {"device_map": wanted.device_map} if wanted.device_map else {}
    processor = transformers.AutoProcessor.from_pretrained(source, **common, **wanted.processor)
    if not hasattr(processor, "image_processor") or not hasattr(processor, "tokenizer"):
        raise ValueError("it does not accept pictures; use a vision-language model")
    if wanted.template:
        processor.chat_template = wanted.template
    chat = find_chat(processor)
    net = transformers.AutoModelForImageTextToText.from_pretrained(
        source, dtype=getattr(torch, dtype), **placed, **common, **wanted.model
    )
    # A quantised model, or one on several devices, must not be moved.
    if not placed and "device_map" not in wanted.model and "quantization_config" not in wanted.model:
        net = net.to(device)
    net.eval()
    if wanted.folder:
        name = f"{wanted.folder.resolve().name}@{contents(wanted.folder)}"
    else:
        commit = getattr(net.config, "_commit_hash", None) or common.get("revision") or "?"
        name = f"{wanted.source}@{commit[:12]}"
    identity = f"hf:{name}, {dtype}, {wanted.about_generation}"
    return Engine(processor, net, chat, wanted.max_tokens), identity


def _best_device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _hub_version(wanted: Wanted) -> dict[str, Any]:
    """The version of the model to load; without a connection, only files that were downloaded before.

    The hub is asked once, because transformers would try five times for each of a dozen files.
    """
    hub: Any = import_module("huggingface_hub")
    errors: Any = import_module("huggingface_hub.errors")
    import_module("huggingface_hub.utils").validate_repo_id(wanted.source)
    revision = wanted.revision or None
    try:
        commit = hub.get_hf_file_metadata(hub.hf_hub_url(wanted.source, "config.json", revision=revision)).commit_hash
    except errors.HfHubHTTPError:
        raise
    except Exception as error:  # of httpx or of requests: the hub cannot be reached
        cache = wanted.model.get("cache_dir")
        fetched = hub.try_to_load_from_cache(wanted.source, "config.json", cache_dir=cache, revision=revision)
        if not isinstance(fetched, str):
            raise FileNotFoundError(f"it was not downloaded before, and {in_short(error)}") from None
        return {"revision": Path(fetched).parent.name, "local_files_only": True}
    return {"revision": commit or revision}


def contents(folder: Path) -> str:
    """A short hash of a model's files. Samples of large files suffice, because training changes weights everywhere."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if not path.is_file():
            continue
        size = path.stat().st_size
        digest.update(f"{path.name} {size}\n".encode())
        with path.open("rb") as file:
            for place in range(0, size, max(_SAMPLE, size // _SAMPLES)):
                file.seek(place)
                digest.update(file.read(_SAMPLE))
    return digest.hexdigest()[:12]


def _load_error(wanted: Wanted, error: Exception) -> ValueError:
    return ValueError(f"hf: {wanted.source!r} cannot be loaded: {_advice(wanted, error)}")


def _advice(wanted: Wanted, error: Exception) -> str:
    """The cause and the remedy on one line."""
    text = in_short(error)
    if isinstance(error, (ImportError, ValueError)):
        for package in ("accelerate", "torchvision", "bitsandbytes"):
            if package in text.lower():
                return f"it needs {package}: pip install {package} ({text.partition('. ')[0]})"
    if wanted.folder is None and (isinstance(error, OSError) or type(error).__name__ == "HFValidationError"):
        return (
            "it is no folder here, and the hub does not give it. Give the folder of a model, or check the name and the "
            f"connection; `hf download {wanted.source}` fetches it ahead, HF_TOKEN opens gated models ({text})"
        )
    if "Unrecognized configuration class" in text:
        return "it does not accept pictures, or transformers does not know its kind; use a vision-language model"
    return text
