"""What things are called, what they are made of, what they look like and what they are for: one line for each kind."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from planners.names import unknown


@dataclass(frozen=True, slots=True)
class Word:
    """Of a kind: its noun and plural, material, shape, use, and the groups that it belongs to."""

    noun: str
    plural: str
    material: str
    shape: str
    use: str
    groups: tuple[str, ...]


TABLE = """
hardback|hardback book|hardback books|paper|rectangular|reading|book small
book|book|books|paper|rectangular|reading|book small
document|sheet of paper|sheets of paper|paper|flat|reading|paper small
folder|folder|folders|cardboard|flat|keeping papers together|stationery small
marker|marker pen|marker pens|plastic|long|writing|stationery small
box|box|boxes|cardboard|box-shaped|storing things|container
carton|carton|cartons|cardboard|box-shaped|storing things|container furniture
piece_of_cloth|cloth|cloths|cloth|flat|wiping|cloth small
sock|sock|socks|cloth|long|wearing|clothes small
gym_shoe|sports shoe|sports shoes|cloth|long|wearing|clothes small
pillow|pillow|pillows|cloth|soft|resting the head|cloth
lamp|lamp|lamps|cloth|tall|giving light|light furniture
rug|rug|rugs|cloth|flat|covering the floor|floor
plant|potted plant|potted plants|leaves|bushy|decoration|plant furniture
picture|picture|pictures|canvas|rectangular|decoration|wall art
mirror|mirror|mirrors|glass|rectangular|looking at yourself|wall
clock|clock|clocks|plastic|round|telling the time|wall
tv|television|televisions|plastic|rectangular|watching films|device furniture
apple|apple|apples|fruit|round|eating|fruit food small
orange|orange|oranges|fruit|round|eating|fruit food small
banana|banana|bananas|fruit|curved|eating|fruit food small
sandwich|sandwich|sandwiches|bread|flat|eating|food small
snack_food|bag of snacks|bags of snacks|foil|flat|eating|food small
trash_can|trash can|trash cans|metal|cylindrical|throwing rubbish away|container furniture
ladder|ladder|ladders|metal|tall|climbing|furniture
tyres|stack of tyres|stacks of tyres|rubber|round|driving|furniture
bicycle|bicycle|bicycles|metal|long|riding|furniture
tool_board|tool board|tool boards|wood|rectangular|hanging up tools|wall
coat_rack|coat rack|coat racks|wood|tall|hanging up coats|furniture
bottle|bottle|bottles|glass|cylindrical|holding drinks|drink small
vase|vase of flowers|vases of flowers|ceramic|round|holding flowers|decoration small
kettle|kettle|kettles|metal|round|boiling water|kitchen small
laptop|laptop|laptops|plastic|flat|working and writing mail|device small
toolbox|toolbox|toolboxes|metal|box-shaped|carrying tools|tool
bucket|bucket|buckets|plastic|cylindrical|carrying water|cleaning
basket|basket|baskets|wicker|round|carrying things|container
counter|counter|counters|wood|box-shaped|preparing food|furniture case
sink|kitchen sink|kitchen sinks|metal|box-shaped|washing dishes|furniture water
stove|stove|stoves|metal|box-shaped|cooking|furniture device
washing_machine|washing machine|washing machines|metal|box-shaped|washing clothes|furniture device
door|door|doors|wood|rectangular|closing a room|opening
doorway|doorway|doorways|wood|rectangular|walking through|opening
window|window|windows|glass|rectangular|letting light in|opening
electric_refrigerator|refrigerator|refrigerators|metal|box-shaped|keeping food cold|furniture device case
sofa|sofa|sofas|cloth|soft|sitting|furniture seat
armchair|armchair|armchairs|cloth|soft|sitting|furniture seat
chair|chair|chairs|wood|angular|sitting|furniture seat
stool|stool|stools|wood|round|sitting|furniture seat
bed|bed|beds|cloth|rectangular|sleeping|furniture
cabinet|cabinet|cabinets|wood|box-shaped|storing things|furniture case
nightstand|nightstand|nightstands|wood|box-shaped|keeping things by a bed|furniture case
shelf|shelf|shelves|wood|box-shaped|storing books|furniture case
table|table|tables|wood|flat|eating at|furniture table
workbench|workbench|workbenches|wood|flat|repairing things|furniture table
bowl|bowl|bowls|ceramic|round|holding soup|dish small
plate|plate|plates|ceramic|round|serving food|dish small
cup|cup|cups|ceramic|cylindrical|drinking|dish small
spoon|spoon|spoons|metal|long|eating soup|dish small
saucepan|saucepan|saucepans|metal|cylindrical|cooking|kitchen small
plaything|toy|toys|plastic|small|playing|toy small
ball|ball|balls|rubber|round|playing|toy small
person|person|people|-|-|-|person
"""


@cache
def words() -> dict[str, Word]:
    """The table, by kind."""
    found = {}
    for line in TABLE.strip().splitlines():
        kind, noun, plural, material, shape, use, groups = (field.strip() for field in line.split("|"))
        found[kind] = Word(noun, plural, material, shape, use, tuple(groups.split()))
    return found


def word(kind: str) -> Word:
    """The line of a kind."""
    if kind not in words():
        raise unknown("kind with words", kind, words())
    return words()[kind]
