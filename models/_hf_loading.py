"""Loads a model of transformers; every problem becomes one readable message."""

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
"""Arguments that say where things are and not what the model is."""
_SAMPLES, _SAMPLE = 256, 2**18
"""How much of each file is read to tell models apart: all of it up to 64 MB, and that much of larger ones."""


@dataclass(frozen=True)
class Wanted:
    """The content of a spec, checked as far as possible without loading anything."""

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
        """The folder of a model on this disk; None for a name of the hub."""
        path = Path(self.source).expanduser()
        return path if path.exists() or self.source.startswith((".", "/", "~")) else None

    @property
    def about_generation(self) -> str:
        """What else than the weights decides the replies."""
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
    """What is wanted, or `ValueError`."""
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
    """The model in memory, and its identity. Whether there is one is found out before the seconds that torch takes."""
    missing = [name for name in ("torch", "transformers") if find_spec(name) is None]
    if missing:
        raise ValueError(f"hf needs {' and '.join(missing)}: pip install -e '.[hf]'")
    folder = wanted.folder
    if folder is not None and not (folder / "config.json").is_file():
        raise ValueError(f"hf: {wanted.source!r} is no folder of a model: there is no config.json in it")
    try:
        version = {} if folder else _hub_version(wanted)
    except Exception as error:  # there are many ways in which a name cannot be asked for
        raise _load_error(wanted, error) from error
    try:
        torch: Any = import_module("torch")
        transformers: Any = import_module("transformers")
    except (ImportError, OSError) as error:
        raise ValueError(f"hf: torch and transformers are broken ({in_short(error)}): pip install -e '.[hf]'") from None
    try:
        return _load(wanted, version, torch, transformers)
    except Exception as error:  # what transformers raises for a broken model is not one kind of error
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
        raise ValueError("it takes no pictures; a vision-language model is needed")
    if wanted.template:
        processor.chat_template = wanted.template
    chat = find_chat(processor)
    net = transformers.AutoModelForImageTextToText.from_pretrained(
        source, dtype=getattr(torch, dtype), **placed, **common, **wanted.model
    )
    # A quantised model, or one spread over several devices, is where it has to be.
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
    """Which version of the model to take, or that only what was fetched before can be had.

    Asked once: left to itself, transformers tries five times for each of a dozen files before it finds out.
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
            raise FileNotFoundError(f"it was not fetched before, and {in_short(error)}") from None
        return {"revision": Path(fetched).parent.name, "local_files_only": True}
    return {"revision": commit or revision}


def contents(folder: Path) -> str:
    """A short hash of a model's files. Of large files it reads samples, since training changes weights everywhere."""
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
    """The cause and the remedy, in one line."""
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
        return "it takes no pictures, or transformers does not know its kind; a vision-language model is needed"
    return text
