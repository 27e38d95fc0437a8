"""Command-line options generated from the settings: each field, with its type and help, becomes an option."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from planners.names import unknown


def add_options(parser: argparse.ArgumentParser, *models: type[BaseModel]) -> None:
    """Add an option for every field. An option that is not given is None, and the field's default applies."""
    found: dict[str, argparse._ArgumentGroup] = {}
    for model in models:
        for name, field in model.model_fields.items():
            extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
            title = str(extra.get("group", "options"))
            if title not in found:
                found[title] = parser.add_argument_group(title)
            found[title].add_argument(flag(name), dest=name.rstrip("_"), **_described(field, extra))


def flag(name: str) -> str:
    """The option of a field, such as `--fail-probability`."""
    return f"--{name.rstrip('_').replace('_', '-')}"


def _described(field: FieldInfo, extra: Mapping[str, Any]) -> dict[str, Any]:
    help = (field.description or "").replace("%", "%%")
    default = field.default.value if isinstance(field.default, Enum) else field.default
    if default not in (None, False) and "default" not in help:
        help = f"{help} (default: {default:g})" if isinstance(default, float) else f"{help} (default: {default})"
    kind = _plain_type(field.annotation)
    if kind is bool:
        return {"help": help, "action": "store_true", "default": None}
    metavar = extra.get("metavar") or None
    return {"help": help, "type": kind, "default": None, **({"metavar": metavar} if metavar else {})}


def _plain_type(annotation: Any) -> type:
    """The type of the command-line argument; all other validation is left to the field."""
    if get_origin(annotation) in (Union, UnionType):
        return next(_plain_type(part) for part in get_args(annotation) if part is not type(None))
    return annotation if annotation in (bool, int, float, Path) else str


def options_of(given: Mapping[str, Any], *models: type[BaseModel]) -> dict[str, Any]:
    """All options, None if not given; `ValueError` for an unknown name."""
    possible = {name.rstrip("_") for model in models for name in model.model_fields}
    for name in given:
        if name not in possible:
            raise unknown("option", name, tuple(sorted(possible)))
    return {**dict.fromkeys(possible), **given}


def chosen(model: type[BaseModel], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a model that the arguments set."""
    given = {name: arguments.get(name.rstrip("_")) for name in model.model_fields}
    return {name: value for name, value in given.items() if value is not None}
