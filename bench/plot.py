"""Bars as SVG, without a plotting library: each group has its own scale."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_WIDTH, _LEFT, _RIGHT = 760, 250, 110
_BAR, _GAP, _HEAD = 16, 6, 26
_COLOURS = ("#8a8f98", "#2f6f4f", "#b7791f", "#9b2c2c", "#4a5568")


def render_bars(title: str, groups: Mapping[str, Mapping[str, float]], unit: str) -> str:
    """Draw a row for each value, the groups one below the other; a name keeps its colour."""
    names = list(dict.fromkeys(name for group in groups.values() for name in group))
    colours = {name: _COLOURS[place % len(_COLOURS)] for place, name in enumerate(names)}
    parts: list[str] = []
    top = 2 * _HEAD
    for group, values in groups.items():
        parts.append(f'<text x="8" y="{top + 14}" font-weight="600">{escape(group)}</text>')
        top += _HEAD
        largest = max(values.values())
        for name, value in values.items():
            length = max(1.0, (_WIDTH - _LEFT - _RIGHT) * value / largest)
            fill = f'height="{_BAR}" fill="{colours[name]}"'
            parts += [
                f'<text x="{_LEFT - 8}" y="{top + 12}" text-anchor="end">{escape(name)}</text>',
                f'<rect x="{_LEFT}" y="{top}" width="{length:.1f}" {fill}/>',
                f'<text x="{_LEFT + length + 6:.1f}" y="{top + 12}">{value:.3g} {unit}</text>',
            ]
            top += _BAR + _GAP
    height, label = top + 8, escape(title)
    font = 'font-family="sans-serif" font-size="12"'
    begin = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" {font} '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{label}">'
    )
    background = f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
    heading = f'<text x="8" y="24" font-size="15" font-weight="600">{label}</text>'
    return "\n".join([begin, background, heading, *parts, "</svg>\n"])
