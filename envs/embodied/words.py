"""The noun, plural, material, shape, use and groups of each kind: one line for each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from planners.names import unknown


@dataclass(frozen=True, slots=True)
class Word:
    """The words of a kind: its noun and plural, material, shape, use, and the groups that it belongs to."""

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
keys|bunch of keys|bunches of keys|metal|small|opening doors|personal small
phone|phone|phones|plastic|flat|calling people|device personal small
glasses|pair of glasses|pairs of glasses|plastic|small|seeing better|personal clothes small
card|bank card|bank cards|plastic|flat|paying|personal small
towel|towel|towels|cloth|folded|drying oneself|bath cloth small
bread|loaf of bread|loaves of bread|bread|long|eating|food small
mug|mug|mugs|ceramic|cylindrical|drinking coffee|dish small
wine_glass|wine glass|wine glasses|glass|tall|drinking wine|dish small
can|tin can|tin cans|metal|cylindrical|keeping food|food small
jar|jar|jars|glass|cylindrical|keeping jam|food small
milk_carton|carton of milk|cartons of milk|cardboard|box-shaped|drinking|drink food small
packet|packet of food|packets of food|cardboard|box-shaped|cooking|food small
tomato|tomato|tomatoes|vegetable|round|eating|vegetable food small
lemon|lemon|lemons|fruit|round|eating|fruit food small
plum|plum|plums|fruit|round|eating|fruit food small
pear|pear|pears|fruit|pear-shaped|eating|fruit food small
carrot|carrot|carrots|vegetable|long|eating|vegetable food small
cake|cake|cakes|cake|round|celebrating a birthday|food sweet small
doughnut|doughnut|doughnuts|cake|ring-shaped|eating|food sweet small
cheese|piece of cheese|pieces of cheese|cheese|box-shaped|eating|food small
knife|knife|knives|metal|long|cutting|cutlery small
fork|fork|forks|metal|long|eating|cutlery small
frying_pan|frying pan|frying pans|metal|round|frying eggs|kitchen small
teapot|teapot|teapots|ceramic|round|making tea|kitchen dish small
soap|bar of soap|bars of soap|soap|oval|washing hands|bath small
soap_dispenser|soap dispenser|soap dispensers|plastic|cylindrical|washing hands|bath small
toothbrush|toothbrush|toothbrushes|plastic|long|cleaning teeth|bath small
hairbrush|hairbrush|hairbrushes|plastic|long|doing one's hair|bath personal small
toilet_roll|toilet roll|toilet rolls|paper|cylindrical|using the toilet|bath small
candle|candle|candles|wax|cylindrical|giving a soft light|decoration small
remote_control|remote control|remote controls|plastic|long|changing the channel|device small
camera|camera|cameras|plastic|box-shaped|taking photos|device personal small
headphones|pair of headphones|pairs of headphones|plastic|curved|listening to music|device personal small
tablet|tablet computer|tablet computers|plastic|flat|reading on a screen|device small
newspaper|newspaper|newspapers|paper|rectangular|reading the news|paper small
magazine|magazine|magazines|paper|rectangular|reading|paper small
pencil|pencil|pencils|wood|long|drawing|stationery small
scissors|pair of scissors|pairs of scissors|metal|long|cutting paper|stationery small
stapler|stapler|staplers|plastic|long|fastening sheets together|stationery small
calculator|calculator|calculators|plastic|flat|doing sums|stationery device small
notebook|notebook|notebooks|paper|rectangular|writing notes in|stationery paper small
envelope|envelope|envelopes|paper|flat|sending a letter|stationery paper small
backpack|backpack|backpacks|cloth|bag-shaped|carrying things on the back|bag personal
handbag|handbag|handbags|leather|bag-shaped|carrying things about|bag personal
umbrella|umbrella|umbrellas|cloth|long|staying dry in the rain|personal
hat|hat|hats|cloth|round|wearing on the head|clothes personal small
dumbbell|dumbbell|dumbbells|metal|long|training the arms|sport small
racket|racket|rackets|plastic|long|playing tennis|sport
watering_can|watering can|watering cans|metal|cylindrical|watering plants|cleaning
hammer|hammer|hammers|wood|long|driving in nails|tool small
torch|torch|torches|plastic|long|lighting the way in the dark|tool small
sponge|sponge|sponges|sponge|box-shaped|washing up|cleaning small
spray_bottle|spray bottle|spray bottles|plastic|cylindrical|cleaning windows|cleaning small
alarm_clock|alarm clock|alarm clocks|metal|round|waking up in time|device small
wallet|wallet|wallets|leather|flat|keeping money|personal small
trophy|trophy|trophies|metal|cup-shaped|rewarding a winner|decoration small
gift|gift box|gift boxes|cardboard|box-shaped|giving to somebody|container small
scarf|scarf|scarves|cloth|folded|keeping the neck warm|clothes small
toy_robot|toy robot|toy robots|plastic|angular|playing|toy small
globe|globe|globes|plastic|round|learning about countries|decoration small
toilet|toilet|toilets|ceramic|rounded|relieving oneself|furniture water
bathtub|bathtub|bathtubs|ceramic|box-shaped|taking a bath|furniture water
washbasin|washbasin|washbasins|ceramic|box-shaped|washing hands|furniture water
shower|shower|showers|glass|box-shaped|taking a shower|furniture water
towel_rail|towel rail|towel rails|metal|rectangular|hanging up towels|wall
wardrobe|wardrobe|wardrobes|wood|box-shaped|hanging up clothes|furniture case
piano|piano|pianos|wood|box-shaped|playing music|furniture instrument
fireplace|fireplace|fireplaces|brick|box-shaped|heating the room|furniture device
aquarium|aquarium|aquariums|glass|box-shaped|keeping fish|furniture
standing_fan|fan|fans|metal|tall|cooling the room|furniture device
speaker|loudspeaker|loudspeakers|wood|box-shaped|playing music|furniture device
microwave|microwave oven|microwave ovens|metal|box-shaped|warming food|device
coffee_machine|coffee machine|coffee machines|plastic|box-shaped|making coffee|device
bunk_bed|bunk bed|bunk beds|wood|box-shaped|sleeping|furniture
toy_chest|toy chest|toy chests|wood|box-shaped|storing toys|furniture container
ironing_board|ironing board|ironing boards|cloth|long|ironing shirts|furniture
vacuum_cleaner|vacuum cleaner|vacuum cleaners|plastic|rounded|cleaning the floor|device furniture
shoe_rack|shoe rack|shoe racks|wood|box-shaped|storing shoes|furniture
umbrella_stand|umbrella stand|umbrella stands|metal|cylindrical|keeping umbrellas|furniture
desk_lamp|desk lamp|desk lamps|metal|bent|giving light|light device
floor_lamp|floor lamp|floor lamps|cloth|tall|giving light|light device furniture
television|television|televisions|plastic|rectangular|watching films|device furniture
computer|computer|computers|plastic|rectangular|working|device
radio|radio|radios|plastic|box-shaped|listening to the news|device
bench|bench|benches|wood|long|sitting|furniture seat
pouffe|pouffe|pouffes|cloth|round|sitting|furniture seat
crib|crib|cribs|wood|box-shaped|putting a baby to bed|furniture
hamper|laundry basket|laundry baskets|wicker|round|collecting dirty clothes|furniture container
drying_rack|drying rack|drying racks|metal|long|drying clothes|furniture
whiteboard|whiteboard|whiteboards|metal|rectangular|writing on|wall text
blackboard|blackboard|blackboards|slate|rectangular|writing on|wall text
sign|sign|signs|plastic|rectangular|informing people|wall text
painting|painting|paintings|canvas|rectangular|decoration|wall art
statue|statue|statues|stone|tall|decoration|furniture art
school_desk|school desk|school desks|wood|flat|learning at|furniture table
shop_shelf|shop shelf|shop shelves|metal|box-shaped|showing goods|furniture
checkout|checkout counter|checkout counters|wood|box-shaped|paying|furniture
freezer|freezer|freezers|metal|box-shaped|keeping food frozen|furniture device
clothes_rack|clothes rack|clothes racks|metal|long|hanging up clothes|furniture
treadmill|treadmill|treadmills|metal|long|running|furniture sport device
exercise_bike|exercise bike|exercise bikes|metal|angular|training the legs|furniture sport
weight_rack|rack of weights|racks of weights|metal|long|keeping dumbbells|furniture sport
yoga_mat|yoga mat|yoga mats|rubber|flat|doing yoga|floor sport
locker|locker|lockers|metal|tall|locking away bags|furniture case
punching_bag|punching bag|punching bags|leather|tall|boxing|furniture sport
reception|reception desk|reception desks|wood|box-shaped|welcoming visitors|furniture
water_cooler|water cooler|water coolers|plastic|tall|drinking water|furniture water device
vending_machine|vending machine|vending machines|metal|tall|buying drinks|furniture device
copier|copier|copiers|plastic|box-shaped|copying papers|furniture device
fire_extinguisher|fire extinguisher|fire extinguishers|metal|cylindrical|putting out a fire|furniture
billiard_table|billiard table|billiard tables|wood|flat|playing billiards|furniture sport
booth|padded bench|padded benches|leather|soft|sitting|furniture seat
bar_counter|bar|bars|wood|box-shaped|serving drinks|furniture
easel|easel|easels|wood|tall|painting pictures|furniture art
magazine_rack|magazine rack|magazine racks|wood|rectangular|showing magazines|furniture
row_of_books|row of books|rows of books|paper|rectangular|reading|books
fruit_crate|crate of fruit|crates of fruit|wood|box-shaped|selling fruit|furniture
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
