"""Draws the loss curve of the training as an SVG, without any plotting package.

    python loss_curve.py OUT_DIR/history.json FILE.svg

The record of the model in the repository is `history.json` beside this script.
"""

import argparse
import json
import math
from pathlib import Path

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 480, 400, 48, 10, 16, 52
LINES = [  # key, label, colour of the book's figures, dashes
    ("train", "training text", "one", ""),
    ("chat", "new conversations", "two", "7 4"),
    ("names", "held-out names", "three", ""),
    ("plots", "held-out plots", "four", "2 3"),
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

    last = history[-1]
    words = ", ".join(f"{label} {last[key]:.2f}" for key, label, *_ in LINES)
    out = [
        "<figure>",
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="640" role="img" aria-label="Four curves of loss against millions of tokens read. At the end, in nats per token: {words}. '
        'The curve for held-out names falls late, after drills in looking back came into the text; the one for held-out plots rises.">',
        '<g font-family="var(--sans-font)" font-size="14" fill="var(--figure-ink)">',
    ]
    for loss in range(top + 1):
        out.append(f'<line x1="{LEFT}" y1="{y(loss):.1f}" x2="{WIDTH - RIGHT}" y2="{y(loss):.1f}" stroke="var(--figure-quiet)" stroke-opacity=".35"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(loss) + 5:.1f}" text-anchor="end">{loss}</text>')
    for million in range(0, int(most / 1e6) + 1, 2):
        out.append(f'<text x="{x(million * 1e6):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{million}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">million tokens read</text>')
    out.append(f'<text x="14" y="{(TOP + HEIGHT - BOTTOM) / 2:.0f}" text-anchor="middle" transform="rotate(-90 14 {(TOP + HEIGHT - BOTTOM) / 2:.0f})">loss, nats per token</text>')
    ends = []
    for key, label, colour, dash in LINES:
        points = " ".join(f"{x(h['tokens']):.1f},{y(h[key]):.1f}" for h in history)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        out.append(f'<polyline points="{points}" fill="none" stroke="var(--figure-{colour})" stroke-width="2"{dashes}/>')
        ends.append((last[key], f"{label}: {last[key]:.2f}", colour, dashes))
    # The names stand above the ends of their lines, in the order of the lines; the highest line's is below it.
    ends.sort(reverse=True)
    rows = [y(ends[0][0]) + 28] + [y(2.2) + 20 * row for row in range(len(ends) - 1)]
    for row, (_, label, colour, dashes) in zip(rows, ends):
        out.append(f'<path d="M{WIDTH - 222} {row - 5:.1f} h32" stroke="var(--figure-{colour})" stroke-width="2"{dashes}/>'
                   f'<text x="{WIDTH - 182}" y="{row:.1f}" fill="var(--figure-{colour})">{label}</text>')
    out += ["</g>", "</svg>", f"<figcaption>What the tiny model learnt in {most / 1e6:.0f} million tokens. The training curve jumps where drills came into the text "
            "and falls again as they are learnt; only then does the loss on held-out names fall. Whole plots it never read stay strange to it.</figcaption></figure>"]
    args.svg.parent.mkdir(parents=True, exist_ok=True)
    args.svg.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
