"""The same prompts through this project, the reference implementation and llama.cpp.

    python lab/peers/verify.py MODEL.gguf [--steps 24] [--only kv,scalar] [--without-llama]

For every chapter and backend: are the tokens those of the reference, and if not, how close were the two best
tokens where they part; and how far are the logits from the reference's up to there. The exit status is 1 if
tokens part where the best two are 1e-3 or more apart, or if a logit is off by more than 1e-4 of the largest in
its row. llama.cpp rounds activations on quantised files, so its tokens are shown and not judged.
"""

import argparse
import sys
from pathlib import Path

import engines

MARGIN, TOLERANCE, TOP = 1e-3, 1e-4, 16
PROMPTS = ["Once upon a time", "The capital of France is", "1, 2, 3, 4, 5,", "Why does the sun rise in the east?"]
FEW = 6  # steps of a way that computes everything again for every token


def reference_run(model, ids, steps):
    """Tokens, and for each step all logits."""
    import torch

    tokens, rows = [], []
    state, new = None, ids
    with torch.no_grad():
        for _ in range(steps):
            # The cache of the reference: f32 throughout, so it differs from no cache in the last digits only.
            out = model(torch.tensor([new]), past_key_values=state, use_cache=True, logits_to_keep=1)
            state, row = out.past_key_values, out.logits[0, -1]
            rows.append(row)
            tokens.append(int(row.argmax()))
            new = tokens[-1:]
    return tokens, rows


def judge(answer, tokens, rows):
    """(steps that are equal, margin where they part or None, largest logit difference as a share)."""
    worst, equal = 0.0, 0
    for mine, theirs, top, row in zip(answer["generated_ids"], tokens, answer["top_logits"], rows):
        largest = row.abs().max().item()
        worst = max(worst, max(abs(row[i].item() - logit) for i, logit in top) / largest)
        if mine != theirs:
            best = row.topk(2).values
            return equal, (best[0] - best[1]).item(), worst
        equal += 1
    return equal, None, worst


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("model", type=Path)
    args.add_argument("--steps", type=int, default=24)
    args.add_argument("--only", default=None, help="words, separated by commas: only the ways whose name has one of them")
    args.add_argument("--without-llama", action="store_true")
    args = args.parse_args()
    wanted = args.only.split(",") if args.only else [""]
    chapters = engines.chapters()
    ways = [(" ".join([chapter.short, *way["flags"]]), chapter, way) for chapter in chapters for way in chapter.ways]
    ways = [way for way in ways if any(word in way[0] for word in wanted)]
    engines.build(chapters)

    prompts = [engines.encode(chapters[-1], args.model, text) for text in PROMPTS]
    reference = engines.reference_model(args.model)
    expected = [reference_run(reference, ids, args.steps) for ids in prompts]
    del reference

    failed = False
    print(f"{'engine':42} {'prompt':>6} {'equal':>9} {'margin there':>13} {'logits off by':>14}")
    for name, chapter, way in ways:
        steps = FEW if way.get("recomputes") else args.steps
        for number, (ids, (tokens, rows)) in enumerate(zip(prompts, expected)):
            try:
                answer = engines.ours(chapter, way["flags"], args.model, ids, steps, TOP)
            except RuntimeError as error:
                if "cannot run the backend" not in str(error):
                    raise
                print(f"{name:42} this CPU does not have it")
                break
            equal, margin, worst = judge(answer, tokens, rows)
            bad = worst > TOLERANCE or (margin is not None and margin >= MARGIN)
            failed |= bad
            shown = "-" if margin is None else f"{margin:.1e}"
            print(f"{name:42} {number:6} {equal:4}/{steps:<4} {shown:>13} {worst:14.1e}{'  WRONG' if bad else ''}")
    if not args.without_llama:
        engine = engines.llama(args.model, threads=2, context=512)
        for number, (ids, (tokens, _)) in enumerate(zip(prompts, expected)):
            found = engines.llama_greedy(engine, ids, args.steps)
            equal = next((i for i, (a, b) in enumerate(zip(found, tokens)) if a != b), args.steps)
            print(f"{'llama.cpp':42} {number:6} {equal:4}/{args.steps:<4}")
    print("wrong" if failed else "all as the reference says, or a near tie")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
