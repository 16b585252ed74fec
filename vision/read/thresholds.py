"""The thresholds for calling a die `read`, asking about it, or leaving it out.

Each says its unit and its source. "Chosen": by hand, on rendered pictures and photographs, when the rule was written;
how is not recorded. "Reasoned": it follows from what is said. A name alone is that of the bench in `tests.bench` that
measures what the value does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from rules.dice import DieKind


@dataclass(frozen=True)
class Thresholds:
    """The least values with which a die is called `read`, each a share from 0 to 1.

    `read`: the confidence after all doubts; `support`: how much its upper face looks like a whole upright face;
    `posed`: how surely its pose fits (a cube that leans far looks much like one that does not); `flat`: how surely it
    lies flat under the assumed "up"; `kind`: how surely it is of the only kind that is named; `print_of_open_kind`: the
    most that it may be print where not even its sides tell its kind, since they would prove it a solid too; `legible`:
    how surely the other faces of a d20 are read by themselves, in the mean, and `of_illegible`: how sure the upper face
    must be where they are less so, for its own numeral is lettered in the same hand.
    """

    read: Mapping[DieKind, float]
    support: float
    posed: Mapping[DieKind, float]
    flat: float
    kind: float
    print_of_open_kind: float
    legible: float
    of_illegible: float


THRESHOLDS: Final = Thresholds(
    read=MappingProxyType({DieKind.D20: 0.95, DieKind.CHALLENGE: 0.92, DieKind.D6: 0.92}),
    support=0.75,
    posed=MappingProxyType({DieKind.D20: 0.92, DieKind.CHALLENGE: 0.94, DieKind.D6: 0.94}),
    flat=0.7,
    kind=0.999,
    print_of_open_kind=0.02,
    legible=0.5,
    of_illegible=0.99,
)
"""What a die must have to be called `read`.

Unit: chances. Source: `read` is set by `vision_thresholds`, on dice whose faces are known, in fonts that no network saw
(docs/vision-measured.md, "How sure is sure enough"); the others are chosen, and the same bench measures what they cost.
"""
SUSPICION: Final = 0.9
"""The factor on a reading's confidence for each suspicion.

Unit: a factor. Source: reasoned: less than any of `THRESHOLDS.read`.
"""

# What keeps a die from being called `read`, or makes it cocked.

COCKED_LEAN: Final = math.radians(10.0)
"""A cocked die leans further than this from the table's "up".

Unit: radians. Source: chosen; `vision_ray_traced` measures what it does.
"""
COCKED_SPREADS: Final = 2.5
"""A cocked die leans by more than this multiple of the errors of the table's "up" and the pose.

Unit: a factor. Source: chosen; `vision_ray_traced` measures what it does.
"""
COCKED_LIKELY: Final = 0.8
"""The least chance that a cocked die's pose is about right.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
COCKED_FLAT: Final = 0.12
"""Things likelier than this to be print are not called cocked: print seems to lean wherever it lies.

Unit: a chance. Source: chosen; `vision_prints` measures what it does.
"""
WITNESSES: Final = 2
"""Other dice needed to confirm "up": under a camera that stands askew a lone die seems to lean.

Unit: dice. Source: reasoned: one other die may lean itself.
"""
COCKED_UNPOSED: Final = 0.4
"""A sure die whose best pose at rest fits less well than this is cocked, too.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
D20_LEANS: Final = math.radians(3.5)
"""From this lean of its pose on a d20 may stand on an edge.

Unit: radians. Source: `vision_mishaps leaning`: the poses of those that were read lean by 3.8 degrees and more.
"""
D20_DOUBTED: Final = 0.0
"""From these log odds on, by the network, a d20 whose pose leans is read once more as if it lay flat.

Unit: log odds. Source: reasoned: likelier than not; of those on an edge that were read none had less than 3.
"""
D20_LEANS_BEFORE: Final = -14.7
"""The log odds, before looking, that such a d20 stands on an edge.

Unit: log odds. Source: `vision_mishaps leaning`, `vision_ray_traced`: with what the network says, and by how much worse
its faces are read as if it lay flat, those on an edge have 14 and more, those that lie flat 9.5 at most.
"""
D20_OUTLINE: Final = 0.25
"""The least `outline_share` of a d20 in a pose that a search found, unless the network says that it lies so.

Unit: a share. Source: `vision_mishaps leaning`: two on an edge had 0.19 and 0.22; of those that lie flat 0.26 at least.
"""
D20_ELSEWHERE: Final = -1.0
"""Below these log odds, by the network, a d20 lies flat in such a pose all the same.

Unit: log odds. Source: as `D20_OUTLINE`: the two had -0.3 and 2.7.
"""
LEANS_BEFORE: Final = -5.5
"""The log odds, before looking, that a cube leans which was read in a pose that lies flat.

Unit: log odds. Source: chosen; `vision_causes --cocked` measures what it does.
"""
TAUGHT_POSED: Final = 0.2
"""The least fit of a taught d20's pose if other dice confirm "up".

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
CUT_OFF_BEYOND: Final = 0.1
"""A die that reaches beyond the picture by more than this, in radii, is cut off.

Unit: radii. Source: chosen; `vision_edges` measures what it does.
"""
NO_FACE_SUPPORT: Final = 0.1
"""A die is contradicted where its upper face is less likely than this to be a whole face, and `NO_FACE` holds too.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
NO_FACE: Final = 0.2
"""The chance of its likeliest face below which nothing on a die looks like a face.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
CUBE_SUPPORT: Final = 0.5
"""Below this chance of an upper face a cube is rather none.

Unit: a chance. Source: reasoned: likelier than not.
"""
POSE_CONTRADICTED: Final = 0.5
"""Below this fit of its best pose a thing is hardly a die.

Unit: a chance. Source: reasoned: likelier than not.
"""
BLANK_SHARPNESS: Final = 0.47
"""The least `edge_sharpness` of a blank cube that the first look at the picture did not see; shadows stay below.

Unit: a share of the sharpest (`faces.edge_sharpness`). Source: chosen on shadows that passed for blank faces.
"""
BLANK_POSED: Final = 0.97
"""The least chance of the pose of a die on which nothing is drawn: the pose must speak for it.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
BLANK_GLANCE: Final = 0.3
"""The least chance, at the first look, of a die on which nothing is drawn, unless its edges speak for it.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
WASHED_OUT_GREY: Final = 250
"""Grey levels from here on count as overexposed.

Unit: grey levels. Source: chosen; the brightest level is 255.
"""
WASHED_OUT_SHARE: Final = 0.6
"""A face with a larger overexposed share may carry an invisible sign.

Unit: a share of the face. Source: chosen; `vision_thresholds` measures what it does.
"""
GLARE_GREY: Final = 245
"""Grey levels from here on may be a glare that hides pips.

Unit: grey levels. Source: chosen; `vision_mishaps glare` measures what it does.
"""
GLARE_SHARE: Final = 0.08
"""A smaller share of so bright a face hides no pip.

Unit: a share of the face. Source: reasoned: two pips.
"""
GLARE_HIDES: Final = 0.5
"""The bright share of a pip's place from which on the pip may not show.

Unit: a share of the place. Source: chosen; `vision_mishaps glare` measures what it does.
"""
GLARE_BRIGHTER: Final = 30
"""By how much the glare is brighter than the face beside it: on a white die pips show.

Unit: grey levels. Source: chosen; `vision_mishaps glare` measures what it does.
"""
GLARE_DARKER_SHARE: Final = 0.12
"""The least share of the face between its pips that is so much darker.

Unit: a share of the face. Source: chosen; `vision_mishaps glare` measures what it does.
"""
TRAY_SIDE: Final = 0.6
"""A die of more than this share of the picture's shorter side fills it.

Unit: a share of the picture's shorter side. Source: reasoned: a second die has no room beside it.
"""

# What is asked about, and what is left out.

ASKED_DIE: Final = 0.95
"""The least chance of a die that is reported although none of its faces is legible.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
ASKED_FACE: Final = 0.4
"""A die that is less sure is reported only if its likeliest face is at least this likely.

Unit: a chance. Source: chosen; `vision_causes` measures what it does.
"""
CONTRADICTED_DIE: Final = 0.9
"""The least chance of a die if it is contradicted (`Detection.contradicted`).

Unit: a chance. Source: chosen on bare wood that passed for blank cubes.
"""
CONTRADICTED_GLANCE: Final = 0.5
"""The least chance of a contradicted die in the first look, unless it shows a face: bare wood looks like a blank cube.

Unit: a chance. Source: chosen on bare wood that passed for blank cubes.
"""
HEAP_GLANCE: Final = 0.6
"""The least chance at the first look of what may be dice that lie on one another.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
HEAP_ANY_KIND: Final = 0.95
"""The least chance of any kind of die of what may be dice that lie on one another.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
HEAP_ONE_KIND: Final = 0.85
"""From this chance of one die of another kind on, a thing is no heap of dice.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
HIDDEN_LEFT_OVER: Final = 0.65
"""Where dice fill no more than this of what looked like a die as a whole, another one lies beneath or beside them.

Unit: a share of the area. Source: chosen; `vision_ray_traced` measures what it does.
"""
NARROWED_LEFT_OVER: Final = 0.85
"""The same where a smaller square showed the die: the first one may have held another one, too, not its shadow.

Unit: a share of the area. Source: looked at: of pairs painted upon one another the upper one fills 0.75 to 0.82 of it.
"""
SIZE_OF_ITS_KIND: Final = 0.6
"""The least size of a die, as a share of the smallest read one of its kind: 12 mm beside 20 mm.

Unit: a share of the radius. Source: reasoned: dice of one kind have sides of 12 to 20 mm.
"""
SIZE_OF_ANY_KIND: Final = 0.4
"""The least size of a die, as a share of the smallest one read, of whatever kind.

Unit: a share of the radius. Source: reasoned: a cube of 12 mm beside a d20 of 42 mm from corner to corner has 0.5.
Bare wood beside a tray had 0.27 and 0.36.
"""
FLAT_BY_SIDES: Final = 4.0
"""What the log odds of sides that a cube shows weigh beside all other evidence that it is flat.

Unit: a factor. Source: fitted on 277 printed squares (`vision_prints`) and 178 dice, 135 of them path-traced: of 147
dice that only this kept from being read 8 are asked about, 16 before; of 159 such prints 34 may be read, 30 before.
"""
FLAT_LIKELY: Final = 0.8
"""Things likelier than this to be flat are asked about only if a face is likelier than not.

Unit: a chance. Source: chosen; `vision_prints` measures what it does.
"""
FLAT_SURELY: Final = 0.95
"""Things likelier than this to be flat are never asked about: they are print.

Unit: a chance. Source: chosen; `vision_prints` measures what it does.
"""
FLAT_BESIDE_DICE: Final = 0.993
"""The same where a die with a numeral is read, for what likely shows a face in a sure pose and looks like a die.

Unit: a chance. Source: chosen: dice in hard light come to 0.991, print of such faces mostly to 0.995 and more
(docs/vision-measured.md, "Dice that nobody is asked about").
"""
RANKS_ASKED: Final = 8
"""More cubes that lie in ranks are the squares of a mat, keys or check boxes, and not asked about.

Unit: cubes. Source: reasoned: more are seldom thrown at once.
"""
THING_DIE: Final = 0.97
"""The least chance of a die, and of its pose, of what is asked about beside read dice although it looks like a thing.

Unit: a chance. Source: chosen; `vision_prints` measures what it does.
"""
EVEN: Final = 0.5
"""A face of this chance is as likely as not.

Unit: a chance. Source: reasoned.
"""
GUESS_LEAST: Final = 0.01
"""Faces less likely than this are not named as guesses.

Unit: a chance. Source: chosen.
"""

# When a die's colours show more than its grey.

INK_COLOUR: Final = 12.0
"""An upper face whose colours vary by less than this carries no sign in colour.

Unit: levels (one standard deviation). Source: chosen; `vision_colours` measures what it does.
"""
INK_GREY: Final = 0.3
"""A sign is visible in grey if grey varies by more than this share of the variation in colour.

Unit: a share. Source: chosen; `vision_colours` measures what it does.
"""

# When a die is looked at again.

LOOK_SURE: Final = {DieKind.D20: 0.985, DieKind.CHALLENGE: 0.97, DieKind.D6: 0.985}
"""The chance at which the first look is enough.

Unit: a chance, by kind. Source: chosen; a card's six pips were read as a d6 at the first look alone below 0.985.
"""
LOOK_WHOLE: Final = 0.9
"""Below this chance of a whole upright face a die is examined again.

Unit: a chance. Source: chosen.
"""
LOOK_FACE: Final = 0.3
"""Where no face is at least this likely, looking again from poses nearby hardly ever helps.

Unit: a chance. Source: chosen.
"""
LOOK_SUPPORT: Final = 0.3
"""Below this chance of a whole upper face, looking again hardly ever helps.

Unit: a chance. Source: chosen.
"""
LOOK_TAUGHT: Final = 0.9
"""A look at a few faces of a taught d20 that is surer than this is not outweighed by a look at more.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""

# Which dice are searched for in other poses, and what counts as found.

SEARCH_RIVAL: Final = 4.0
"""Poses of another spin whose log odds are less than this below the best are read beside it.

Unit: log odds. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_APART: Final = math.radians(20.0)
"""Spins further apart than this are rivals; nearer ones are the same pose.

Unit: radians. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_GLANCE: Final = 0.3
"""The least chance of a die, at the first look at the whole picture, of what is worth explaining.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_GLANCE_SURELY: Final = 0.2
"""The same where the closer look is surer of a die than `SEARCH_SURELY`, whatever its pose.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_NONE: Final = 0.3
"""The largest chance of "no die", at the closer look, of a thing that may be another kind of die than it seemed.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_SAME_PLACE: Final = 0.6
"""Squares whose middles lie no further apart, in radii of the larger, may be of one die.

Unit: radii of the larger. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_SAME_SIZE: Final = 1.5
"""Squares of one die differ in size by no more than this factor.

Unit: a factor. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_SURELY: Final = 0.9
"""The least chance of a die, and of its pose, for explaining a place that the first look did not see.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_LEANS: Final = 0.8
"""A leaning die with a likelier pose than this is not explained differently.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_HOPELESS: Final = -1.0
"""Where not even the best of the first poses comes to these log odds, moving it about does not help.

Unit: log odds. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_AS_GOOD: Final = 1.5
"""The pose network has the last word on a pose in which the faces read no worse than by these log odds.

Unit: log odds. Source: chosen; `vision_ray_traced` measures what it does.
"""
SEARCH_EITHER: Final = 0.15
"""The least chance of a kind that a die in doubt is tried as.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""
OVERLOOKED_READABLE: Final = 0.02
"""The least chance of a d20 or a cube of what was overlooked: a matt d20 may look like a d12 by 0.97.

Unit: a chance. Source: 12 path-traced trays with dice of other kinds, on which 0.01, 0.02 and 0.05 find the same;
`vision_ray_traced` measures what it does.
"""
OVERLOOKED_INSIDE: Final = 0.6
"""The least distance of an overlooked die from the picture's edge, in radii; nearer ones count as cut off.

Unit: radii. Source: chosen; `vision_edges` measures what it does.
"""
OVERLOOKED_WITHIN: Final = 0.9
"""The distance from a sure die, in radii of the larger, within which a thing belongs to that die.

Unit: radii of the larger. Source: chosen; `vision_ray_traced` measures what it does.
"""
OVERLOOKED_POSED: Final = 0.5
"""The least chance of the pose of what was overlooked and is a die after all.

Unit: a chance. Source: reasoned: likelier than not.
"""
OVERLOOKED_GLANCE: Final = 0.6
"""The least chance at the first look of what is asked about although no pose explains it.

Unit: a chance. Source: chosen; `vision_ray_traced` measures what it does.
"""

# Dice that the edge of the picture cuts off.

EDGE_WITHIN: Final = 0.9
"""A die whose middle lies nearer to the picture's edge than this, in radii, is cut off: what is left of it is looked
at as if it were a smaller one, that touches the edge.

Unit: radii. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_GLANCE: Final = 0.35
"""The least chance of a die, as the first look at the whole picture gave it, of what lies cut off at the edge.

Unit: a chance. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_HERE: Final = 0.75
"""How far the closer look's die may lie from that first sight, in radii.

Unit: radii. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_NONE: Final = 0.2
"""The largest chance of "no die" at the closer look.

Unit: a chance. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_OTHER_KIND: Final = 0.985
"""A thing that is likelier than this a die of another kind is not reported as cut off.

Unit: a chance. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_MOST: Final = 3
"""Most things cut off at the edge: more are a mat or a keyboard, and none of them is reported.

Unit: things. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_UNTOLD: Final = 2
"""With this number of false dice away from the edge, a thing at the edge is taken for one more of them.

Unit: things. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_STRAYED: Final = 0.35
"""A pose that moved further than this, in radii, was fitted to a part of the die or to something else.

Unit: radii. Source: chosen; `vision_edges` measures what it does.
"""
EDGE_GREW: Final = 1.35
"""A pose that grew or shrank by more than this factor was fitted to a part of the die or to something else.

Unit: a factor. Source: chosen; `vision_edges` measures what it does.
"""

# Evidence against the pose of a lone d20.

OUTLINE_CONFIRMED: Final = 2
"""Other dice that must agree on "up" to exclude a wrong pose.

Unit: dice. Source: reasoned: as `WITNESSES`.
"""
OUTLINE_FACE: Final = 0.5
"""No d20 whose likeliest face is not likelier than not is looked at again.

Unit: a chance. Source: reasoned: likelier than not.
"""
OUTLINE_SHARES: Final = ((12.4, 0.62), (9.5, 0.74))
"""Where the log odds of a d20 and of its pose add up to less than the first, its `outline_share` must be the second.

Unit: log odds, and a share of the change (0..1). Source: chosen.
"""
OUTLINE_SMALLER: Final = 0.96
"""The outline is not checked if the closer look found the die smaller than this share of the expected size.

Unit: a factor. Source: chosen.
"""
ASIDE_LEAN: Final = math.radians(11.0)
"""A die that leans further than this from what is assumed to be up may be seen from aside.

Unit: radians. Source: chosen.
"""
ASIDE_RESTING: Final = 0.9
"""A die that leans may be seen from aside if it was less likely than this to lie flat before its tilt was mended.

Unit: a chance. Source: chosen.
"""
ASIDE_BRIGHTER: Final = 0.99
"""A die seen from aside is doubtful if a brighter face beside it leaves only this share of its face's chance.

Unit: a share of the chance. Source: chosen.
"""

# Print.

RANKS_TURN: Final = math.radians(5.0)
"""The largest difference in spin of things in ranks; their sizes are alike, too (`RANKS_SIZE`).

Unit: radians. Source: chosen; `vision_prints` measures what it does.
"""
RANKS_SIZE: Final = 1.2
"""The largest ratio between the sizes of things in ranks.

Unit: a factor. Source: chosen; `vision_prints` measures what it does.
"""
RANKS_PARALLEL: Final = 5
"""Of thrown cubes no more than these lie parallel to one another: of eight, six or more do once in 400 throws.

Unit: cubes. Source: reasoned, as said.
"""
RANKS_ON_PRINT: Final = 2
"""Dice that may lie parallel to blank squares by chance: dice on a printed mat.

Unit: cubes. Source: chosen; `vision_prints` measures what it does.
"""
FLUSH_WITHIN: Final = (0.7, 1.3, math.radians(5.0))
"""What is flush: how many edges apart the middles lie, from and to, and how far the line between them may be off the
edges' direction.

Unit: edges, edges, radians. Source: chosen; `vision_prints` measures what it does.
"""
FLAT_POSED: Final = 0.5
"""Things with a less likely pose are no evidence about others.

Unit: a chance. Source: reasoned: likelier than not.
"""
FLAT_FACE: Final = 0.5
"""Things with a likelier face do not count as blank: dice lie on printed mats.

Unit: a chance. Source: reasoned: likelier than not.
"""

# Kinds and faces.

KIND_BARE: Final = 0.5
"""The least chance of a bare 1 or 2 for the dice in question.

Unit: a chance. Source: reasoned: likelier than not.
"""
KIND_SURE: Final = 0.9
"""The least chance of a face that determines its die's kind.

Unit: a chance. Source: chosen; `vision_kinds` measures what it does.
"""
KIND_TELLS_ITSELF: Final = 2.0
"""Log odds of its own face and sides by which one of the dice in question tells its kind itself.

Unit: log odds. Source: chosen; `vision_kinds` measures what it does.
"""
EFFECT_SIGN: Final = 0.95
"""The least chance at which a sign is called an Effect or another game's.

Unit: a chance. Source: chosen; `vision_effects` measures what it does.
"""
EFFECT_SIGN_OF_SET: Final = 0.8
"""The least chance of a sign that is compared with the others of its set.

Unit: a chance. Source: chosen; `vision_effects` measures what it does.
"""
EFFECT_SAME_SIGN: Final = 0.9
"""A sign that is more alike to a taught Effect than this looks just like it.

Unit: a correlation. Source: chosen; `vision_effects` measures what it does.
"""
EFFECT_SAME_OF_SET: Final = 0.85
"""Signs of one set that are less alike than this, in the sizes in which they are most alike, are not one emblem.

Unit: a correlation. Source: tables of `vision_effects`: of pairs with one sign 99 in 100 are more alike, of others 6.
"""
EFFECT_SET_SIZE: Final = 1.25
"""The largest ratio between the sizes of two cubes of one set in the picture.

Unit: a factor. Source: reasoned: they are alike, and lie nearer to the lens or farther off.
"""
EFFECT_AGAINST: Final = -3.0
"""At these log odds a supposed Effect is asked about.

Unit: log odds. Source: chosen; `vision_effects` measures what it does.
"""
EFFECT_LOOK: Final = 4.0
"""The most that the look of a sign adds to what its sides and its set say for an Effect.

Unit: log odds. Source: 48 tables of `vision_effects` from 30000; `vision_effects` measures what it does.
"""
FACE_FACING: Final = 0.42
"""Faces more slanted than this (65 degrees) are not read.

Unit: a cosine. Source: chosen.
"""
CHALLENGE_FRAMED: Final = 0.97
"""A 1 or 2 is a Challenge Die's where the patch by itself says so as surely as this: it has a frame.

Unit: a chance. Source: chosen; `vision_kinds` measures what it does.
"""
SIDE_FACING: Final = 0.12
"""Sides that look less towards the lens than this (7 degrees) show too little.

Unit: a cosine. Source: chosen; `vision_sides` measures what it does.
"""
SOLID_FACING: Final = (0.05, 0.2)
"""A side that faces the lens by less than the first (3 degrees) is invisible, by the second (12 degrees) visible
enough.

Unit: cosines. Source: chosen; `vision_solids` measures what it does.
"""

# A whole picture, and readings beside one another.

CARD_CUBES: Final = 4
"""The number of cubes that may be markers of the calibration card.

Unit: cubes. Source: reasoned: a corner of the card is one, the board nine.
"""
LARGE_GLANCE: Final = 0.2
"""The least chance, at the first look, of a large die for which a smaller copy of the picture is read.

Unit: a chance. Source: chosen; `vision_closeups` measures what it does.
"""
TAUGHT_SURELY_POSED: Final = 0.95
"""A taught d20 of which the pose network is less sure is laid upon its looks.

Unit: a chance. Source: chosen; `own_dice` measures what it does.
"""
WITNESS_POSED: Final = 0.8
"""The least chance of a pose that counts for "up".

Unit: a chance. Source: chosen.
"""
MIRRORED_D20S: Final = 2
"""Additional d20s that must be readable in the mirrored picture: some are readable either way, above all 8 and 11.

Unit: d20s. Source: reasoned, as said; `vision_mirrored` measures what it does.
"""
SAME_PLACE: Final = 0.1
"""How far the middles of two boxes may be apart, as a share of the larger box, to be one die's.

Unit: a share of the larger box. Source: chosen.
"""

LEANS_SETTLED: Final = 0.021
"""From this chance on that a die leans a second look does not settle it.

Unit: a chance. Source: `vision_mishaps leaning`: leaning cubes that were settled had log odds of 1.9 and more before
`LEANS_BEFORE` is added; a flat one that a test holds (`592010.jpg`) has 1.4.
"""
HOLDS_ANOTHER_FACE: Final = 0.5
"""From this chance on a die in doubt shows another face than the one that a second look reads there.

Unit: a chance. Source: reasoned: likelier than all others together.
"""

# A second witness.

RECOGNISED: Final = ((0.0, -0.6), (0.02, 0.2), (0.1, 1.2), (0.3, 2.0), (0.6, 3.5), (0.85, 4.8))
"""The log odds for a number by the recogniser's chance of it, from each chance on.

Unit: chances, and log odds. Source: fitted to 117 d20s in doubt in fonts that taught no network; `vision_witness`
measures what it does.
"""
RECOGNISED_ROMAN: Final = 0.1
"""If the recogniser reads a Roman number in any turn with at least this chance, it is not used.

Unit: a chance. Source: chosen on d20s in doubt, of which 155 of 213 Roman ones and 6 of 117 others are above;
`vision_witness` measures what it does.
"""
PRINT_OF_ILLEGIBLE: Final = 0.4
"""The least chance with which the recogniser must read the number of a d20 whose other faces cannot be made out.

Unit: a chance. Source: 22 such d20s of path-traced trays and with Roman numerals, of which the likeliest
number of 9 is wrong: the recogniser reads that with 0.2 at most. `vision_witness` measures what it does.
"""
SMALL_GLANCE: Final = 0.3
"""The least chance, at the first look, of a die too small to be looked at, for which the picture is enlarged.

Unit: a chance. Source: chosen; `vision_sizes` measures what it does.
"""
LENSES: Final = (78.0, 92.0, 106.0)
"""The fields of view along a picture's longer side that are tried in turn where its dice seem to lean outwards.

Unit: degrees. Source: chosen: a webcam's, an action camera's and a phone's ultra-wide one.
"""
LENS_DICE: Final = 3
"""The least number of dice away from the picture's middle that tell of the lens.

Unit: dice. Source: reasoned: two may lean apart by chance.
"""
LENS_REACH: Final = 0.12
"""How far from the picture's middle a die must lie to tell of the lens.

Unit: focal lengths of the supposed lens. Source: reasoned: nearer, a far wider lens moves "up" less than poses err.
"""
LENS_POSED: Final = 0.5
"""How surely a die must be one, and be posed, to tell of the lens.

Unit: a chance. Source: chosen.
"""
LENS_OUTLIER: Final = math.radians(25.0)
"""From this lean against the median of the dice a die leans on something, or another of its faces is supposed to be up.

Unit: radians. Source: reasoned: under a lens of 106 degrees supposed as of 60 dice lean apart by less.
"""
LENS_OUTWARDS: Final = math.radians(2.0)
"""From this mean lean outwards a wider lens is tried.

Unit: radians. Source: `vision_lenses`: rendered dice under the supposed lens show 1.5 at most, under one of 80 degrees
supposed as of 60 some 2 to 5.
"""
LENS_SAME: Final = 1.0
"""Fields of view that differ by no more are one.

Unit: degrees. Source: reasoned: far less than between any of `LENSES`.
"""
LENS_AS_GOOD: Final = 1.2
"""A wider lens is tried first where the dice would be so many times as far apart as under the best one.

Unit: a factor. Source: `vision_lenses`: poses are fitted nearer to the supposed lens than they are.
"""
LENS_CLOSER: Final = 0.8
"""The wider lens is believed if under it the dice are that much less apart.

Unit: a factor. Source: `vision_lenses`.
"""
