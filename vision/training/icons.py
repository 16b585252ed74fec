"""Pictures of icon fonts, as emblems: far more things than anyone draws by hand.

What a font calls its glyphs stands in a style sheet beside it (as web fonts bring one), or in Unicode. Glyphs without a
name are left out. So are those that are no picture, and all that is like a sign which measures: the emblems of the hard
trays outside `dev` (`tests/bench/ray_traced/emblems.py`), and the families of `signs.KEPT_BACK`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.training.drawing import EDGE, MIDDLE
from vision.training.glyphs import TEXTURE_PIXELS, Mask

_RULE: Final = re.compile(r"((?:\.[\w-]+:{1,2}before\s*,?\s*)+)\{\s*content:\s*[\"']\\(\w+)", re.ASCII)
"""A rule of a style sheet: the names of a glyph, and its code point."""
_BLOCKS: Final = (
    range(0x2600, 0x2700), range(0x2701, 0x2764), range(0x1F300, 0x1F53E), range(0x1F540, 0x1F700),
    range(0x1F900, 0x1FA00),
)  # fmt: skip
"""The blocks of Unicode that hold pictures."""
_MEASURED: Final = r"""
bolt flash lightning thunder zap electri voltage power energy charg battery light.?up led- plug ev- moon crescent
brightness theme adjust contrast invert sickle night eclipse sleep lunar first.quarter last.quarter cross(?!bone) plus
medic medkit hospital health first.?aid ambulance church grave coffin add\b create bandage pharma swiss religio dagger
stethoscope doctor nurse ankh needle pill syringe monogram coronation crutch baptis chi.rho shakti leaf leaves tree
eco plant flower floret blossom rose\b tulip hibiscus herb clover shamrock club seed sprout palm cactus pine forest
nature maple spa\b cannabis wheat rice bouquet envira pagelines park apple fleur crown king queen prince royal chess
hourglass timer.?sand comet meteor shooting sputnik rocket fireball anchor ship.?wheel orbit planet atom saturn
jupiter react rainbow star.and
"""
"""The beginnings of words in the names of glyphs like the signs that measure."""
_NO_PICTURES: Final = r"""
letter digit number numeric alpha latin text font format bold italic underline strike header heading paragraph
subscript superscript spell keyboard case abc sign input arrow chevron angle caret menu minus equal divi multipl
percent check square circle rectangle box bars? dots? line hr grid view- list align indent column row border table
qrcode barcode apps dialpad hexagram trigram yijing digram code xml json language unfold clock watch timer quote comma
hash pound asterisk slash pipe bracket brace ellipsis more sort sigma pi\b pause stop play step fast- skip rewind
eject remove usd eur gbp inr jpy rub krw try ils btc gg currency dollar bitcoin ruble rupee yen heavy math info
question help exclamation alert- copyright registered trademark bluetooth rune dingbat squared enclosed negative
japanese ideograph emoji modifier variation mahjong domino ballot die.face dice astrological symbol.for male female
mars venus mercury transgender neuter genderless aries taurus gemini cancer leo virgo libra scorpi sagittarius
capricorn aquarius pisces ophiuchus uranus neptune pluto white.medium black.medium medium facebook twitter google
linkedin pinterest yahoo html5 css vk vine tumblr skype paypal hacker amazon windows wikipedia behance yelp tencent
weibo renren xing stack vimeo wordpress opera edge ie\b internet quora ravelry imdb wpbeginner etsy foursquare digg
bandcamp lastfm houzz 500px viacoin scribd themeisle skyatlas stripe yoast deviant drupal joomla loop wave.?dash
lozenge shogi draughts blank reload refresh undo redo repeat sync compress expand resize fullscreen crop select
checkbox artboard word\b excel pdf powerpoint onenote outlook git\b y-comb yc w3c web\b celsius fahrenheit temperature
visa jcb amex cc- credit discover rx prescription quality record hq rec\b closed caption weight om\b ohm omega kodi
steam maxcdn quicktime calendar eighteen translate glide angellist font- ff\b flash- functions toilet human.pregnant
gamepad meetup adn at\b ampersand disqus beats bing meanpath final forumbee ioxhost paragraph foundation yuml
connectdevelop interrobang marriage divorce unmarried earth ceres pallas juno vesta chiron black.rosette window
dribbble firefox radio toggle switch- signal wifi network slider tune filter.list sitemap
"""
"""The same of letters, numbers, strokes, bars, patterns and arrows."""
_SIDE: Final = 160
"""The height, in pixels, at which glyphs are drawn."""
_KEPT: Final = 80
"""The longer side of what is kept of a glyph, in pixels."""
_MOST_INK: Final = 0.97
"""The share of ink in a glyph's own frame from which it is a block."""
_COARSE: Final = 2.5
"""By how much a glyph is blurred to tell whether it is seen at a die's size, in pixels."""
_CLEAR: Final = 0.72
"""How much of its spread in grey must be left then: fine lines would teach that a smudge is a picture."""
_LONGEST: Final = 2.2
"""How many times as long as wide a picture may be."""


def icons_in(folders: Sequence[Path]) -> list[Mask]:
    """The pictures of the font files below these folders, each once, cut tightly; needs Pillow where there are any."""
    sheets = [sheet.read_text(errors="replace") for one in folders for sheet in sorted(one.rglob("*.css"))]
    kept: dict[bytes, Mask] = {}
    for file in sorted({one.stem: one for folder in folders for one in folder.rglob("*.[to]tf")}.values()):
        lacking = _glyph(file, "\U0010fffd")
        for text, name in _named(file, sheets):
            glyph = _glyph(file, text) if is_picture(name) else None
            if glyph is None or (lacking is not None and np.array_equal(glyph, lacking)):
                continue
            if _looks_like_one(glyph):
                small = np.asarray(cv2.resize(glyph, (12, 12), interpolation=cv2.INTER_AREA), np.uint8)
                kept[(small > 127).tobytes()] = glyph
    return list(kept.values())


def is_picture(name: str) -> bool:
    """Whether a glyph of that name may teach: no letter, number or pattern, and like none of the signs that measure."""
    return not _NEVER.search(name.lower())


def icon(glyph: Mask, reach: float) -> Mask:
    """A texture with that glyph in the middle of the face, reaching so far in edge lengths."""
    growth = 2 * reach * EDGE / max(glyph.shape)
    high, wide = (max(2, round(side * growth)) for side in glyph.shape)
    small = cv2.resize(glyph, (wide, high), interpolation=cv2.INTER_AREA if growth < 1 else cv2.INTER_LINEAR)
    texture = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS), np.uint8)
    top, left = round(MIDDLE - high / 2), round(MIDDLE - wide / 2)
    texture[top : top + high, left : left + wide] = small
    return texture


def _named(file: Path, sheets: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The characters of a font file that have names, with all their names."""
    own = next((sheet for sheet in sheets if file.stem in sheet), None)
    if own is not None:
        for names, code in _RULE.findall(own):
            yield chr(int(code, 16)), names
        return
    for block in _BLOCKS:
        for text in map(chr, block):
            name = unicodedata.name(text, "")
            if name:
                yield text, name


def _glyph(file: Path, text: str) -> Mask | None:
    """The glyph, cut tightly, its longer side as long as all are kept; None where there is no ink."""
    drawing, fonts, images = (import_module(f"PIL.{name}") for name in ("ImageDraw", "ImageFont", "Image"))
    image: Any = images.new("L", (4 * _SIDE, 3 * _SIDE), 0)
    drawing.Draw(image).text((_SIDE, _SIDE), text, fill=255, font=fonts.truetype(str(file), _SIDE))
    made = np.asarray(image, np.uint8)
    rows, columns = np.flatnonzero(made.any(axis=1)), np.flatnonzero(made.any(axis=0))
    if not len(rows):
        return None
    tight = made[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = _KEPT / max(tight.shape)
    high, wide = (max(1, round(side * scale)) for side in tight.shape)
    return np.asarray(cv2.resize(tight, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)


def _looks_like_one(glyph: Mask) -> bool:
    coarse = cv2.GaussianBlur(np.pad(glyph, 8), (0, 0), _COARSE)
    clear = float(coarse.std()) > _CLEAR * float(np.pad(glyph, 8).std())
    return clear and max(glyph.shape) <= _LONGEST * min(glyph.shape) and float(glyph.mean()) < _MOST_INK * 255


_NEVER: Final = re.compile("|".join(rf"\b{word}" for word in (_MEASURED + _NO_PICTURES).split()))
"""What no name of a picture that may teach holds, at the beginning of a word."""
