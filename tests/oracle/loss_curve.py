"""Draws the loss curve of the training as an SVG, without any plotting package.

    python loss_curve.py OUT_DIR/history.json FILE.svg
"""

import argparse
import json
import math
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 60, 190, 20, 50
LINES = [  # key, label, colour, dash
    ("train", "training text", "#2b6cb0", ""),
    ("chat", "new conversations", "#2f855a", "6 3"),
    ("names", "held-out names and places", "#c05621", ""),
    ("plots", "held-out plots", "#805ad5", "2 3"),
]


def main():
    args = argparse.ArgumentParser()
    args.add_argument("history", type=Path)
    args.add_argument("svg", type=Path)
    args = args.parse_args()
    history = json.loads(args.history.read_text())
    most = max(h["tokens"] for h in history)
    top = math.ceil(max(h[key] for h in history for key, *_ in LINES))

    def x(tokens):
        return LEFT + (WIDTH - LEFT - RIGHT) * tokens / most

    def y(loss):
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - loss / top)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" role="img">',
           "<title>Loss of the tiny model during training</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>']
    for loss in range(top + 1):
        out.append(f'<line x1="{LEFT}" y1="{y(loss):.1f}" x2="{WIDTH - RIGHT}" y2="{y(loss):.1f}" stroke="#dddddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(loss) + 4:.1f}" text-anchor="end" fill="#333333">{loss}</text>')
    for million in range(int(most / 1e6) + 1):
        out.append(f'<text x="{x(million * 1e6):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" fill="#333333">{million}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle" fill="#333333">million tokens read</text>')
    out.append(f'<text x="16" y="{HEIGHT / 2:.0f}" text-anchor="middle" fill="#333333" transform="rotate(-90 16 {HEIGHT / 2:.0f})">loss, nats per token</text>')
    ends = []
    for key, label, colour, dash in LINES:
        points = " ".join(f"{x(h['tokens']):.1f},{y(h[key]):.1f}" for h in history)
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        ends.append([y(history[-1][key]), f"{label} {history[-1][key]:.2f}", colour])
    ends.sort()
    for above, below in zip(ends, ends[1:]):  # labels must not overlap
        below[0] = max(below[0], above[0] + 15)
    shift = max(0, ends[-1][0] - (HEIGHT - BOTTOM))
    for where, label, colour in ends:
        out.append(f'<text x="{WIDTH - RIGHT + 8}" y="{where - shift + 4:.1f}" fill="{colour}">{label}</text>')
    args.svg.parent.mkdir(parents=True, exist_ok=True)
    args.svg.write_text("\n".join(out + ["</svg>"]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
