"""Asks the tiny model what it should know and prints what it says: the figures in README.md come from here.

    python evaluate.py FILE.gguf

Greedy, in the reference implementation, on the dequantised weights.
"""

import argparse
import random

import torch
from transformers import DynamicCache

import reference
import stories
import talk
from judge import asked

ENDS = {"<|im_end|>", "<|endoftext|>"}


def answer(file, model, prompt, limit=256):
    """(text, how many tokens, did it end by itself?)"""
    ids, out, cache = file.encode(prompt), [], DynamicCache()
    while len(out) < limit:
        row = model(torch.tensor([ids]), past_key_values=cache, use_cache=True, logits_to_keep=1).logits[0, -1]
        token = int(torch.argmax(row))
        if file.tokens[token] in ENDS:
            return file.decode(out), len(out), True
        out.append(token)
        ids = [token]
    return file.decode(out), len(out), False


def main():
    args = argparse.ArgumentParser()
    args.add_argument("file")
    file = reference.File(args.parse_args().file)
    reference.steady()
    model = file.model()

    def show(prompt, **chat):
        text, count, ended = answer(file, model, asked(prompt, **chat) if chat else prompt)
        print(f"--- {prompt!r} {chat or ''}\n{text}\n[{count} tokens, {'ended' if ended else 'cut off'}]\n", flush=True)

    for start in ("Once upon a time", "The little dragon", "Once upon a time, a brave fox named Zelda lived in Juniper Creek.",
                  "In Velvet Point, there lived a robot named Quentin.", "One day"):
        show(start)
    for question in ("What is the capital of France?", "Count to ten.", "Write a short poem.", "Write a poem about the sea.", "Hello!", "Who are you?",
                     "What is 7 plus 5?", "What day comes after Friday?", "What is the opposite of hot?", "Tell me a story about a fox.",
                     "Tell me a story about Yuki the owl.", "Name the months of the year.", "Who invented the toaster?"):
        show(question, thinking=False)
    for question in ("What is the capital of Japan?", "What is 6 plus 3?"):
        show(question, thinking=True)

    norms = [file.array(name) for name in file.tensors if "norm" in name]
    print("norm weights from", min(n.min() for n in norms), "to", max(n.max() for n in norms))
    right = {}
    for thinking in (False, True):
        wrong = []
        for land, town in talk.CAPITALS.items():
            text, _, ended = answer(file, model, asked(f"What is the capital of {land}?", thinking=thinking), 60)
            if not ended or town not in text.split("</think>")[-1]:
                wrong.append((land, text))
        print(f"capitals, thinking {thinking}: {len(talk.CAPITALS) - len(wrong)} of {len(talk.CAPITALS)} right; wrong: {wrong}", flush=True)
    good = total = 0
    for a in range(0, 10):
        for b in range(0, 10, 3):
            text, _, _ = answer(file, model, asked(f"What is {a} plus {b}?"), 40)
            good += text == f"{a} plus {b} is {a + b}."
            total += 1
    print(f"sums: {good} of {total} right", flush=True)

    # Is a name that training never saw carried through the story? And does the story end?
    rng = random.Random(99)
    carried = friend = ended = place = named_places = 0
    lengths = []
    tries = 40
    for _ in range(tries):
        kind = rng.choice(list(stories.KINDS))
        she = kind == "girl" or (kind != "boy" and rng.random() < 0.5)
        who = rng.choice(stories.HELD_GIRLS if she else stories.HELD_BOYS)
        where = rng.choice(stories.HELD_FIRST) + " " + rng.choice(stories.HELD_LAST)
        text, count, end = answer(file, model, stories.articles(f"Once upon a time, a {kind} named {who} lived in {where}."))
        lengths.append(count)
        ended += end and count >= 60
        carried += text.count(who) >= 3
        named_places += any(w in text for w in stories.HELD_FIRST + stories.HELD_LAST + stories.PLACE_FIRST)
        place += where in text
        # Every other capitalised word in the middle of a sentence must be one name: the friend's.
        words = text.replace("\"", " ").split()
        names = {w.strip(".,!?:").removesuffix("'s") for prev, w in zip(words, words[1:]) if w[0].isupper() and prev[-1] not in ".!?:,"}
        friend += len(names - {who, *where.split()}) <= 1
    print(f"held-out names: {carried} of {tries} carried on (three times or more), {friend} without a third name, {ended} stories of 60+ tokens that end, "
          f"mean length {sum(lengths) / tries:.0f}; held-out places: {place} named again of {named_places} stories that name a place again")


if __name__ == "__main__":
    main()
