"""The positions of a recipe's marks in its pictures, and the pixels of the marked things."""

from __future__ import annotations

from envs.render.marks import Arrow, Box, Mark, Note, Point, Segment
from evals.families.base import Recipe, view_of
from evals.families.words import noun
from evals.questions.known import Spot


def spots_of(recipe: Recipe) -> tuple[dict[str, Spot], Spot | None]:
    """The marks by their name in options (a number, a colour, or the kind of the marked thing), and the anchor.

    The anchor is the only mark without a number whose colour no option names: "the object in the red box".
    """
    worded = " ".join((*recipe.options, *recipe.items)).casefold().replace(".", " ").split()
    spots: dict[str, Spot] = {}
    anchors: list[Spot] = []
    for shot, one in enumerate(recipe.shots):
        for mark in one.marks:
            if isinstance(mark, Note):
                continue
            name, owner = mark.text or mark.colour, _owner(recipe, shot, mark)
            spot = Spot(*_middle(mark), float(view_of(recipe, shot).pixels(owner) if owner else 0), shot)
            if not mark.text and mark.colour not in worded:
                anchors.append(spot)
                continue
            spots.setdefault(name, spot)
            called = noun(owner.rpartition("_")[0]) if owner else ""
            if called in recipe.options:
                spots.setdefault(called, spot)
    return spots, anchors[0] if len(anchors) == 1 else None


def _middle(mark: Point | Box | Segment | Arrow) -> tuple[float, float]:
    match mark:
        case Point(x, y):
            return float(x), float(y)
        case Box(left, top, right, bottom):
            return (left + right) / 2, (top + bottom) / 2
        case Segment(x0, y0, x1, y1) | Arrow(x0, y0, x1, y1):
            return (x0 + x1) / 2, (y0 + y1) / 2


def _owner(recipe: Recipe, shot: int, mark: Mark) -> str | None:
    """The thing at a mark."""
    view = view_of(recipe, shot)
    match mark:
        case Point(x, y):
            return view.owner(x, y)
        case Box(left, top, right, bottom):
            frame = (left, top, right, bottom)
            return next((name for name in view.seen if view.frame(name) == frame), None)
    return None
