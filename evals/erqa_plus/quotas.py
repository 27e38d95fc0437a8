"""How many questions of each sub-category and type the embedded set has: the published counts, both ways."""

from __future__ import annotations

from collections.abc import Mapping

from evals.families.base import TYPES

_TABLE = """\
Relative distance              30  60   0   6   6   1
Relative shape                  8  92   0   1  12   0
Relative direction             34   5   0   0   8   2
Multi-view matching             6   2  96   0   2   0
Dynamic                        46   6   2   0   6   2
Counting                        4   0   0 100   2   1
State & Activity Understanding 50  10   0   8  18   6
Object & Scene Recognition      8   0   3   2   2   3
Goal Decomposition             47  24   0   2   4   0
Navigation                      6  15   0   0   2   0
Future prediction              44   0   0   2   2   2
"""
"""Sub-categories against types. Only the sums are published."""

QUOTAS: Mapping[str, Mapping[str, int]] = {
    " ".join(words[:-6]): dict(zip(TYPES, map(int, words[-6:]), strict=True))
    for words in map(str.split, _TABLE.splitlines())
}
