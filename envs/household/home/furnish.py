"""Places furniture by rules (against walls, in rows, around tables) and keeps it accessible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from envs.household.home.model import Placed, Pose, Room, Thing
from envs.household.home.recipes import Rule, Wish
from envs.household.home.site import AHEAD, FLAT, Block, Site, Swept, block, facing, region, standing, sweep, swing
from envs.household.home.walls import Quarter, Stretch, sides

_GAP = 0.02
"""The gap between a thing and the wall behind it, for skirting boards."""
_TRIES = 40
_ROOM_TO_STAND = 0.95
"""The depth of free floor in front of a needed thing."""
_BEFORE = {"sofa": 1.15, "armchair": 0.5, "tv": 0.5, "bed": 0.6, "plant": 0.0, "lamp": 0.0}
"""The depth of free floor in front of other things; half a metre by default."""
_AROUND = {False: 0.5, True: 0.72}
"""The free floor around tables that do not stand against a wall."""
_UNDER_TABLE = 0.14
"""The distance that chairs are pushed under a table."""
_EYES = 1.52
"""The height of the centre of pictures."""


class Furnisher:
    """Fills the rooms of a site."""

    def __init__(self, site: Site, random: Random) -> None:
        self.site = site
        self._random = random
        # Needed things may be open at the same time.
        self._swings: list[Block] = []

    def place(self, thing: Thing, wish: Wish, room: Room, *, needed: bool = False, opening: float = 0.0) -> bool:
        """Place a thing in a room by its rule; None if it does not fit."""
        partner = self._partner(wish, room) if wish.to else None
        if wish.to and partner is None:
            return False
        if thing.size[2] < FLAT:
            return self._lay(thing, room, partner)
        ignore = (partner.thing.name,) if partner and wish.rule in ("before", "at", "row", "beside") else ()
        swept = sweep(thing)
        for pose in self._poses(thing, swept, wish.rule, room, partner):
            blocks, zones = [block(thing, pose)], self._zones(thing, swept, pose, wish.rule, needed)
            swings = swing(thing.name, pose, swept) if needed else []
            crowds = partner is not None and wish.rule != "at" and blocks[0].meets(block(partner.thing, partner.pose))
            if crowds or any(new.meets(old) for new in swings for old in self._swings):
                continue
            if self.site.fits(room, blocks, zones, ignore=ignore):
                self.site.take(Placed(thing, pose, opening), blocks, zones)
                self._swings += swings
                return True
        return False

    def _partner(self, wish: Wish, room: Room) -> Placed | None:
        found = [placed for placed in self.site.placed if placed.thing.kind == wish.to]
        return next((placed for placed in found if self.site.room_of(placed) == room), None)

    def _zones(self, thing: Thing, swept: Swept | None, pose: Pose, rule: Rule, needed: bool) -> list[Block]:
        width, depth, _ = thing.size
        half, front = max(width / 2.0, 0.35), -depth / 2.0
        if rule in ("hung", "at", "before"):
            return []
        if rule == "free":
            margin = _AROUND[needed]
            return [
                region(
                    thing.name, pose, -width / 2 - margin, front - margin, width / 2 + margin, margin - front, FLAT, 1.6
                )
            ]
        ahead = _ROOM_TO_STAND if needed else _BEFORE.get(thing.kind, 0.5)
        zones = [region(thing.name, pose, -half, front - ahead, half, front, FLAT, 1.6)] if ahead else []
        if needed and swept is not None:
            zones.append(region(thing.name, pose, -half, swept[1] - 0.55, half, swept[1], FLAT, 1.6))
        return [*zones, *swing(thing.name, pose, swept)]

    def _poses(
        self, thing: Thing, swept: Swept | None, rule: Rule, room: Room, partner: Placed | None
    ) -> Iterator[Pose]:
        if partner is not None and rule == "at":
            yield from self._round(thing, partner)
        elif partner is not None and rule in ("row", "beside"):
            yield from self._next_to(thing, partner, 0.0 if rule == "row" else self._random.uniform(0.05, 0.15))
        elif partner is not None and rule == "before":
            ahead = AHEAD[facing(partner.pose)]
            away = (partner.thing.size[1] + thing.size[1]) / 2.0 + self._random.uniform(0.36, 0.45)
            x, y, _ = partner.pose.position
            yield standing(x + ahead[0] * away, y + ahead[1] * away, facing(partner.pose))
        elif rule == "free":
            yield from self._anywhere(thing, room)
        else:
            wall = None if partner is None else (facing(partner.pose) + (2 if rule == "hung" else 0)) % 4
            for _ in range(_TRIES):
                yield self._at_wall(thing, swept, rule, room, wall, partner)

    def _anywhere(self, thing: Thing, room: Room) -> Iterator[Pose]:
        x0, y0, x1, y1 = room.corners
        for _ in range(_TRIES):
            # Places near the middle of the room are more likely.
            x = (x0 + x1) / 2.0 + (x1 - x0) * 0.25 * self._random.triangular(-1.0, 1.0)
            y = (y0 + y1) / 2.0 + (y1 - y0) * 0.25 * self._random.triangular(-1.0, 1.0)
            yield standing(x, y, self._random.randrange(4))

    def _at_wall(
        self, thing: Thing, swept: Swept | None, rule: Rule, room: Room, wall: Quarter | None, partner: Placed | None
    ) -> Pose:
        side = self._random.choice(sides(room.name, room.corners)) if wall is None else _side(room, wall)
        width, depth, height = thing.size
        if swept is not None:
            width = 2.0 * max(width / 2.0, -swept[0], swept[2])
            depth = 2.0 * max(depth / 2.0, swept[3])
        low, high = side.start + width / 2.0 + _GAP, side.end - width / 2.0 - _GAP
        if partner is not None:
            x, y, _ = partner.pose.position
            along = (x if side.along_x else y) + self._random.uniform(-0.4, 0.4)
        elif rule == "corner" or (rule == "wall" and self._random.random() < 0.3):
            along = self._random.choice((low, high))
        else:
            along = self._random.uniform(low, high)
        along = min(max(along, low), high)
        gap = 0.002 if rule == "hung" else _GAP
        ahead = AHEAD[side.outward]
        x, y = side.spot(along)
        back = depth / 2.0 + gap
        z = round(_EYES - height / 2.0, 4) if rule == "hung" else 0.0
        return standing(x - ahead[0] * back, y - ahead[1] * back, (side.outward + 2) % 4, z)

    def _next_to(self, thing: Thing, partner: Placed, gap: float) -> Iterator[Pose]:
        front = facing(partner.pose)
        ahead, aside = AHEAD[front], AHEAD[(front + 1) % 4]
        (width, depth, _), (x, y, _) = partner.thing.size, partner.pose.position
        signs = [1.0, -1.0]
        self._random.shuffle(signs)
        for sign in signs:
            across = sign * ((width + thing.size[0]) / 2.0 + gap + 0.002)
            back = (thing.size[1] - depth) / 2.0
            yield standing(x + aside[0] * across + ahead[0] * back, y + aside[1] * across + ahead[1] * back, front, 0.0)

    def _round(self, chair: Thing, partner: Placed) -> Iterator[Pose]:
        """Poses at the sides of a table, slightly under it; of a desk only at its front."""
        front, (width, depth, _) = facing(partner.pose), partner.thing.size
        x, y, _ = partner.pose.position
        turns = (0, 2, 1, 3) if self._stands_free(partner) else (0,)
        for turn in turns:
            side = (front + turn) % 4
            away = (width if turn in (1, 3) else depth) / 2.0 + chair.size[1] / 2.0 - _UNDER_TABLE
            away += self._random.uniform(0.0, 0.08)
            yield standing(x + AHEAD[side][0] * away, y + AHEAD[side][1] * away, (side + 2) % 4)

    def _stands_free(self, placed: Placed) -> bool:
        back = AHEAD[(facing(placed.pose) + 2) % 4]
        reach = placed.thing.size[1] / 2.0 + 0.3
        x, y, _ = placed.pose.position
        x0, y0, x1, y1 = self.site.room_of(placed).corners
        return x0 < x + back[0] * reach < x1 and y0 < y + back[1] * reach < y1

    def _lay(self, rug: Thing, room: Room, partner: Placed | None) -> bool:
        """The pose of a rug, which may lie under furniture but not in front of doors."""
        x0, y0, x1, y1 = room.corners
        x, y, front = (x0 + x1) / 2.0, (y0 + y1) / 2.0, 3 if x1 - x0 >= y1 - y0 else 0
        if partner is not None:
            front = facing(partner.pose)
            away = partner.thing.size[1] / 2.0 + 0.3
            x = partner.pose.position[0] + AHEAD[front][0] * away
            y = partner.pose.position[1] + AHEAD[front][1] * away
        pose = standing(x, y, front)
        laid = block(rug, pose)
        others = [old for old in self.site.blocks if old.high < FLAT]
        if not laid.inside(room.corners) or any(laid.meets(old) for old in others):
            return False
        self.site.take(Placed(rug, pose), [laid])
        return True


def _side(room: Room, outward: Quarter) -> Stretch:
    return sides(room.name, room.corners)[outward]
