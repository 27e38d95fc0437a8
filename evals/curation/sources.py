"""Pictures to make questions about: a folder of the user's, or our own, whose truth is known."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

from evals.curation.defects import FRAMES, PLANTERS, Known
from evals.curation.drafts import LETTERS, Candidate
from planners.names import natural

EMBEDDED = "embedded"
SUFFIXES = (".png", ".jpg", ".jpeg", ".webp")
TOGETHER = 4
"""The most questions about one home whose pictures form one set."""
SOUND = "sound"
_EACH = 6


@dataclass(frozen=True, slots=True)
class PictureSet:
    """Pictures that belong together, by name, and a function that draws them. `known` are questions with known answers.

    `given` are candidates to be judged instead of new ones; `planted` is the fault that they have.
    """

    id: str
    pictures: tuple[str, ...]
    draw: Callable[[str], bytes]
    known: tuple[Known, ...] = ()
    given: tuple[Candidate, ...] = ()
    planted: str = ""


def picture_sets(where: str) -> tuple[PictureSet, ...]:
    """The sets in a folder, or our own."""
    return embedded() if where == EMBEDDED else in_folder(Path(where))


def in_folder(folder: Path) -> tuple[PictureSet, ...]:
    """A set for each picture in a folder, and one for each folder in it with all its pictures in order."""
    if folder.is_file():
        return (_set(folder.parent, [folder]),)
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder of pictures")
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: natural(path.name)):
        files = _pictures(path) if path.is_dir() else [path] if path.suffix.lower() in SUFFIXES else []
        if files:
            found.append(_set(folder, files))
    if not found:
        raise ValueError(
            f"{folder} has no pictures: give {', '.join(SUFFIXES)} files, one for each set, or a folder for each set"
        )
    twice = {one.id for one in found if sum(other.id == one.id for other in found) > 1}
    if twice:
        raise ValueError(f"{folder}: two sets of pictures have the name {min(twice)!r}")
    return tuple(found)


def _pictures(folder: Path) -> list[Path]:
    files = (path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())
    return sorted(files, key=lambda path: natural(path.name))


def _set(root: Path, files: Sequence[Path]) -> PictureSet:
    name = files[0].stem if len(files) == 1 and files[0].parent == root else files[0].parent.name
    paths = {str(path.relative_to(root)): path for path in files}
    for path in files:
        check(path)
    return PictureSet(
        re.sub(r"[^\w.-]", "_", name)[:100] or "set", tuple(paths), lambda picture: as_png(paths[picture])
    )


def check(path: Path) -> None:
    """`ValueError` if a file is no picture."""
    from PIL import Image

    try:
        with Image.open(path) as picture:
            picture.verify()
    except Exception as error:
        raise ValueError(f"{path} is no picture: {error}") from None


def as_png(path: Path) -> bytes:
    """A picture as PNG, upright as its EXIF data says."""
    from PIL import Image, ImageOps

    with Image.open(path) as picture:
        upright = ImageOps.exif_transpose(picture) or picture
        if picture.format == "PNG" and upright.size == picture.size and picture.mode in ("RGB", "L"):
            return path.read_bytes()
        file = io.BytesIO()
        upright.convert("RGB").save(file, "PNG")
    return file.getvalue()


@cache
def embedded() -> tuple[PictureSet, ...]:
    """Our own: the pictures of up to four questions of ERQA-Plus about one home."""
    from evals.erqa_diagnostic.benchmark import BENCHMARK
    from evals.families.base import Recipe, picture

    homes: defaultdict[str, list[Recipe]] = defaultdict(list)
    for recipe in BENCHMARK.listed():
        homes[recipe.situation.home].append(recipe)
    found = []
    for home, recipes in sorted(homes.items()):
        some = {recipe.id: recipe for recipe in recipes[:TOGETHER]}
        names = [f"{recipe.id}/{number}" for recipe in some.values() for number in range(len(recipe.shots))]

        def drawn(name: str, some: dict[str, Recipe] = some) -> bytes:
            question, _, number = name.rpartition("/")
            return picture(some[question], int(number))

        known = tuple(_known(recipe, names) for recipe in some.values())
        found.append(PictureSet(f"home_{home}", tuple(names), drawn, known))
    return tuple(found)


def _known(recipe: object, names: Sequence[str]) -> Known:
    """The question as `Known`, with a sentence in front that names the pictures it is about."""
    from evals.families.base import Recipe

    assert isinstance(recipe, Recipe)
    places = [place for place, name in enumerate(names, 1) if name.rpartition("/")[0] == recipe.id]
    lead = ""
    if len(places) < len(names):
        listed = ", ".join(map(str, places))
        lead = f"This is about picture {listed}. " if len(places) == 1 else f"This is about the pictures {listed}. "
    right = recipe.options[recipe.answer[0]]
    wrong = tuple(option for option in recipe.options if option != right)
    explanation = f"By the state of the scene: {right.rstrip('.')}."
    return Known(f"{lead}{recipe.text}", right, wrong, recipe.tags["sub_category"], explanation)


def exam(seed: int, each: int = _EACH) -> tuple[PictureSet, ...]:
    """Questions for judges: `each` with every planted fault, and as many sound ones as faulty ones."""
    dice = Random(f"exam {seed}")
    single = [one for one in _singles() if len(one.known[0].wrong) >= len(LETTERS) - 1]
    several = [one for one in single if len(one.pictures) > 2 and one.known[0].sub_type == "Temporal Reasoning"]
    dice.shuffle(single)
    left = iter(one for one in single if one not in several)
    found = []
    for fault, plant in PLANTERS.items():
        for _ in range(each):
            one = next(left)
            found.append(replace(one, given=(plant(one.known[0].sound(dice), dice),), planted=fault))
    for one in several[:each]:
        mixed = (*one.pictures[1:], one.pictures[0])
        known = (replace(one.known[0], shuffled=True),)
        found.append(replace(one, pictures=mixed, known=known, given=(known[0].sound(dice),), planted=FRAMES))
    for one in [next(left) for _ in range(len(found))]:
        found.append(replace(one, given=(one.known[0].sound(dice),), planted=SOUND))
    dice.shuffle(found)
    return tuple(found)


def _singles() -> list[PictureSet]:
    """A set for each of our own questions, with only its pictures."""
    found = []
    for one in embedded():
        for place, name in enumerate(dict.fromkeys(picture.rpartition("/")[0] for picture in one.pictures)):
            own = tuple(picture for picture in one.pictures if picture.rpartition("/")[0] == name)
            bare = re.sub(r"^This is about (the )?pictures? [\d, ]+\. ", "", one.known[place].question)
            known = replace(one.known[place], question=bare)
            found.append(replace(one, id=name, pictures=own, known=(known,)))
    return found
