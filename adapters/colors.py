"""Colours as players write them: CSS and HTML values to ``#rrggbb``, and their kind by hue (contract.md, "highlighted")."""

from __future__ import annotations

import colorsys
import re
from functools import lru_cache

from adapters.model import Color

_NAMES = (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 "
    "blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 "
    "chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b "
    "darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b "
    "darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a "
    "darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 "
    "darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff firebrick b22222 "
    "floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 "
    "gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 "
    "ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 "
    "lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 "
    "lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 "
    "lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 "
    "magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db "
    "mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 "
    "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 "
    "olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 "
    "paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd "
    "powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 "
    "salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb "
    "slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c "
    "teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 "
    "yellow ffff00 yellowgreen 9acd32"
)
NAMES: dict[str, str] = dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True))
"""CSS colour names -> six hex digits."""

_HEX = re.compile(r"#([0-9a-f]{3,8})")
_FUNCTION = re.compile(r"(rgb|hsl)a?\(([^()]{1,80})\)")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_AS_DIGITS = bytes(byte if byte in b"0123456789abcdef" else ord("0") for byte in range(256))
_NUMBER = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))(%|deg)?")

# A hue counts as red or blue within these degrees and when it is neither too pale nor too dark to be seen as one. The
# bounds keep every red and blue of the visual editor's palette and leave orange, pink, cyan,
# violet and slate grey out.
_RED_UP_TO, _RED_FROM, _RED_SATURATION = 18, 343, 0.4
_BLUE, _BLUE_SATURATION = (200, 255), 0.45
_DARKEST = 0.25


def kind(digits: str) -> Color:
    """Red, blue or other by hue, of six hex digits."""
    number = int(digits, 16)
    red, green, blue = number >> 16, number >> 8 & 255, number & 255
    if green >= red and green >= blue:  # at the most a pale one
        return "other"
    highest, lowest = max(red, blue), min(red, green, blue)
    if highest < _DARKEST * 255 or (highest - lowest) * 5 < highest * 2:  # too dark, or paler than any red or blue
        return "other"
    hue, saturation, _ = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
    degrees = hue * 360
    if saturation >= _RED_SATURATION and (degrees <= _RED_UP_TO or degrees >= _RED_FROM):
        return "red"
    if saturation >= _BLUE_SATURATION and _BLUE[0] <= degrees <= _BLUE[1]:
        return "blue"
    return "other"


@lru_cache(2048)
def color_of(value: str) -> tuple[Color, str] | None:
    """A CSS colour value as (kind by hue, ``#rrggbb``); None for what no browser takes as a colour.

    Names, ``#rgb``, ``#rrggbb`` (with alpha, too), ``rgb()`` and ``hsl()`` in any case; quotes and blanks around are dropped.
    """
    if len(value) != 7 or not _HEX.fullmatch(value):
        value = value.strip().strip("\"'").strip().lower()
    digits = NAMES.get(value)
    if digits is None and (found := _HEX.fullmatch(value)):
        digits = found[1]
        if len(digits) in (3, 4):
            digits = "".join(d * 2 for d in digits)
        digits = digits[:6] if len(digits) in (6, 8) else None
    elif digits is None and (found := _FUNCTION.fullmatch(value)):
        digits = _function(found[1], found[2])
    return None if digits is None else (kind(digits), "#" + digits)


@lru_cache(512)
def legacy_color(value: str) -> tuple[Color, str] | None:
    """The value of ``<font color>``, for which HTML knows a rule that turns nearly any text into a colour."""
    plain = value.strip().lower()
    if plain in ("", "transparent"):
        return None
    if plain in NAMES:
        return color_of(plain)
    if len(plain) in (4, 7) and plain[0] == "#" and _HEX.fullmatch(plain):
        return color_of(plain)
    plain = (plain if plain.isascii() else _ASTRAL.sub("00", plain))[:128].removeprefix("#")
    digits = (plain.encode("ascii", "replace").translate(_AS_DIGITS) or b"0").decode()
    digits += "0" * (-len(digits) % 3)
    size = len(digits) // 3
    if size == 2:
        made = digits
    else:
        parts = [digits[start : start + size][-8:] for start in (0, size, 2 * size)]
        while len(parts[0]) > 2 and all(part[0] == "0" for part in parts):
            parts = [part[1:] for part in parts]
        made = "".join([part[:2].rjust(2, "0") for part in parts])
    return kind(made), "#" + made


def _function(name: str, inside: str) -> str | None:
    """The digits of ``rgb(...)`` or ``hsl(...)``; the fourth number, alpha, is not looked at."""
    numbers = _NUMBER.findall(inside)
    if len(numbers) not in (3, 4):
        return None
    if name == "hsl":
        hue, saturation, light = (float(number) for number, _ in numbers[:3])
        parts = colorsys.hls_to_rgb(hue % 360 / 360, min(max(light, 0), 100) / 100, min(max(saturation, 0), 100) / 100)
    else:
        red, green, blue = (float(number) / (100 if unit == "%" else 255) for number, unit in numbers[:3])
        parts = (red, green, blue)
    return "".join(f"{round(min(max(part, 0.0), 1.0) * 255):02x}" for part in parts)
