"""For how many of the judge's prompts does another engine (PyPI llama-cpp-python) give the same greedy tokens?

    python other_engine.py REPOSITORY_ROOT

That engine rounds activations to 8 bits before it multiplies them with Q8_0 weights, so near-ties may fall the other
way. For each prompt that parts ways, the reference's margin at that step is printed.
"""

import argparse
import json
from itertools import islice
from pathlib import Path

from llama_cpp import Llama


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    root = args.parse_args().root
    for fixture in sorted((root / "tests/fixtures/judge").glob("*.json")):
        judged = json.loads(fixture.read_text(encoding="utf-8"))
        engine = Llama(model_path=str(root / judged["model_file"]), n_ctx=1024, n_threads=2, verbose=False, seed=0)
        same = 0
        for case in judged["cases"]:
            engine.reset()
            wanted = case["generated_ids"]
            got = list(islice(engine.generate(case["prompt_ids"], temp=0.0, top_k=1, repeat_penalty=1.0), len(wanted)))
            if got == wanted:
                same += 1
                continue
            step = next(i for i, (a, b) in enumerate(zip(got, wanted)) if a != b)
            first, second = case["top"][step][:2]
            print(f"  {case['name']}: differs at step {step}, where the reference's margin is {first[1] - second[1]:.3g}"
                  f" ({'its second choice' if got[step] == second[0] else 'another token'})")
        print(f"{judged['model']}: the same {len(wanted)} tokens for {same} of {len(judged['cases'])} prompts", flush=True)
        text_cases = [c for c in judged["cases"] if c["prompt"] is not None]
        agree = sum(engine.tokenize(c["prompt"].encode(), add_bos=False, special=True) == c["prompt_ids"] for c in text_cases)
        print(f"  tokenizer: the same ids for {agree} of {len(text_cases)} prompts")


if __name__ == "__main__":
    main()
