"""Writes the text that the tiny model learns from: stories, conversations, a little running text.

    python write_text.py OUT_DIR [--tokens-millions 14]

One document per line, as JSON: a list of [text, learn] pieces. `train.jsonl` never contains the held-out names,
places and plots; `valid-names.jsonl` has known plots with held-out names and places, `valid-plots.jsonl` has
held-out plots, `valid-chat.jsonl` fresh conversations (whose facts are those of the training: facts are recall).
"""

import argparse
import json
import random
from pathlib import Path

import stories
import talk


def story_document(rng, **held):
    return [(stories.story(rng, **held) + "<|endoftext|>", True)]


def training_document(rng):
    kind = rng.random()
    if kind < 0.40:
        return story_document(rng)
    if kind < 0.86:
        return talk.chat(rng)
    return [(talk.plain(rng) + "<|endoftext|>", True)]


def write(path, count, rng, make):
    with open(path, "w", encoding="utf-8") as out:
        for _ in range(count):
            out.write(json.dumps(make(rng), ensure_ascii=False) + "\n")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("out", type=Path)
    args.add_argument("--documents", type=int, default=160_000)
    args = args.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    write(args.out / "train.jsonl", args.documents, random.Random(1), training_document)
    write(args.out / "valid-names.jsonl", 60, random.Random(2), lambda r: story_document(r, held_names=True))
    write(args.out / "valid-plots.jsonl", 60, random.Random(3), lambda r: story_document(r, held_plots=True))
    write(args.out / "valid-chat.jsonl", 120, random.Random(4), talk.chat)


if __name__ == "__main__":
    main()
