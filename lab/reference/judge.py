"""Writes the judge's fixtures: what the reference implementation says on the weights of our files.

    python judge.py REPOSITORY_ROOT
    python judge.py REPOSITORY_ROOT --rounded
    python judge.py REPOSITORY_ROOT --f16

A prompt on which two tokens nearly tie would make "the same tokens" a matter of luck, so it is rejected and the next
candidate is taken.

`--rounded` asks the reference with rounded inputs (rounded.py) about the models whose weights are quantised: about the
same prompts of the trained one, and about prompts on which no rounding is near a tie. The latter are found by a walk: of
the model's best next tokens the first that is sure. `sure` says how many steps of a case are.

`--f16` rounds keys and values as well, for engines that keep them in sixteen bits, and asks about the prompts that were judged
before. A thousand numbers a token are rounded then, and one of them is always near a tie: nothing is sure. `tolerance` is
three times as far as disturbed runs part.
"""

import argparse
import hashlib
import json
import random
from pathlib import Path

import torch
import transformers

import reference
import rounded
import stories

STEPS, TOP, MARGIN = 64, 16, 1e-3
FILES = {
    "tiny-qwen3": "src/ground/embedded/tiny-qwen3.gguf",
    "untied-one-kv": "tests/fixtures/models/untied-one-kv.gguf",
    "three-to-one-odd-vocab": "tests/fixtures/models/three-to-one-odd-vocab.gguf",
}
ROUNDED = ["tiny-qwen3", "three-to-one-odd-vocab"]
SURE_LENGTHS, SURE_STEPS = [1, 2, 7, 33, 64, 200], 2
NO_THINKING = "<think>\n\n</think>\n\n"


def asked(*turns, thinking=False, system=None):
    """The prompt that the chat template makes of these turns (user, assistant, user, ...)."""
    text = f"<|im_start|>system\n{system}<|im_end|>\n" if system else ""
    for number, turn in enumerate(turns):
        text += f"<|im_start|>{'assistant' if number % 2 else 'user'}\n{turn}<|im_end|>\n"
    return text + "<|im_start|>assistant\n" + ("" if thinking else NO_THINKING)


def stretch(file, count):
    """Candidates of exactly `count` tokens: stories, one after the other, cut to length."""
    for seed in range(200):
        rng = random.Random(1000 * count + seed)
        text = "<|endoftext|>".join(stories.story(rng, held_names=True) for _ in range(count // 80 + 1))
        ids = file.encode(text)[:count]
        cut = file.decode(ids)
        if len(ids) == count and file.encode(cut) == ids:
            yield cut, ids


def texts(file, *candidates):
    for text in candidates:
        yield text, file.encode(text)


def random_ids(file, count):
    """Any ids at all: the untrained models know no text anyway."""
    for seed in range(200):
        rng = random.Random(7000 + 100 * count + seed)
        yield None, [rng.randrange(len(file.tokens)) for _ in range(count)]


def tiny_plan(file):
    """(name, is it a chat?, keep all logits of the last row?, candidates)"""
    yield "one-token", False, True, texts(file, "Once", "One", "The")
    yield "two-tokens", False, False, texts(file, "Once upon", "There was", "One day", "Long ago", "In a")
    yield "once-upon-a-time", False, True, texts(file, "Once upon a time", "Once upon a time,")
    yield "seven-tokens", False, False, stretch(file, 7)
    yield "thirty-three-tokens", False, False, stretch(file, 33)
    yield "sixty-four-tokens", False, False, stretch(file, 64)
    yield "two-hundred-tokens", False, True, stretch(file, 200)
    yield "five-hundred-tokens", False, False, stretch(file, 500)
    yield "held-out-name", False, False, texts(
        file, "Once upon a time, a brave fox named Zelda lived in Juniper Creek.", "In Lemon Point, there lived a mouse named Quentin.",
        "Viktor was a shy bear who lived in Velvet Creek.", "There once was a robot named Odette. She lived in Crystal Point.")
    yield "france", True, True, texts(file, *[asked(f"What is the capital of {c}?") for c in ("France", "Italy", "Japan")])
    yield "count", True, False, texts(file, asked("Count to ten."), asked("Please count to ten."))
    yield "poem", True, False, texts(file, asked("Write a short poem."), asked("Write a poem."), asked("Write a short poem about the sea."))
    yield "sum-with-thinking", True, False, texts(file, *[asked(f"What is {a} plus {b}?", thinking=True) for a, b in ((2, 3), (4, 3), (5, 4), (3, 6))])
    yield "name-over-two-turns", True, False, texts(
        file, *[asked(f"My name is {n}.", f"Hello, {n}! How can I help you?", "What is my name?") for n in ("Wilma", "Tariq", "Petra", "Walter")])
    yield "system-and-greeting", True, False, texts(file, *[asked(q, system="You are a friendly teacher.") for q in ("Hello!", "Who are you?", "What can you do?")])
    yield "many-scripts", False, False, texts(
        file, "Caf\u00e9 \u4f60\u597d \u0645\u0631\u062d\u0628\u0627 \U0001f98a 2048", "Gr\u00fc\u00dfe \u3053\u3093 \u05e9\u05dc\u05d5\u05dd \U0001f989 17", "\u00c5sa \u0416\u0443\u043a \u0e01 \U0001f43b 3")


def other_plan(file):
    for count in (1, 2, 7, 33, 64, 200):
        yield f"{count}-ids", False, count in (7, 200), random_ids(file, count)
    yield "text", False, False, texts(file, "The quick brown fox", "Once upon a time", "One, two, three", "Hello there")


def number(x):
    return float(f"{float(x):.9g}")  # nine digits bring an f32 back exactly


def examine(file, model, name, chat, keep, candidates):
    for text, ids in candidates:
        tokens, tops, margin, first = [], [], float("inf"), None
        for token, row in reference.greedy(model, ids, STEPS):
            best = torch.topk(row, TOP)
            margin = min(margin, float(best.values[0] - best.values[1]))
            if margin < MARGIN:
                break
            first = row if first is None else first
            tokens.append(token)
            tops.append([[int(i), number(v)] for i, v in zip(best.indices, best.values)])
        if margin < MARGIN:
            print(f"  {name}: rejected {text!r}, margin {margin:.2g} at step {len(tokens)}")
            continue
        case = {"name": name, "prompt": text, "chat": chat, "prompt_ids": ids, "generated_ids": tokens, "text": file.decode(tokens),
                "top": tops, "smallest_margin": number(margin)}
        if keep:
            case["last_logits"] = [number(v) for v in first]
        print(f"  {name}: {len(ids)} tokens, margin {margin:.2g}: {case['text'][:90]!r}")
        return case
    raise SystemExit(f"{name}: every candidate was rejected")


def again(file, model, case, sure=None):
    """The same prompt once more, whatever its margins are now: to be compared with what it was."""
    ids, tokens, tops, first = case["prompt_ids"], [], [], None
    for token, row in reference.greedy(model, ids, STEPS):
        best = torch.topk(row, TOP)
        first = row if first is None else first
        tokens.append(token)
        tops.append([[int(i), number(v)] for i, v in zip(best.indices, best.values)])
    if sure is None:
        sure = rounded.sure(model, ids + tokens[:-1])
    found = {key: case[key] for key in ("name", "prompt", "chat", "prompt_ids")} | {
        "generated_ids": tokens, "text": file.decode(tokens), "top": tops,
        "smallest_margin": min(number(top[0][1] - top[1][1]) for top in tops), "sure": max(0, sure - len(ids) + 1)}
    if "last_logits" in case:
        found["last_logits"] = [number(v) for v in first]
    print(f"  {found['name']}: {len(ids)} tokens, {found['sure']} steps are sure, margin {found['smallest_margin']:.2g}: {found['text'][:90]!r}", flush=True)
    return found


def walk(file, model, count, rng):
    """`count` tokens that are all sure, from the first word of a story on, and what may follow them: always one of the
    model's best next tokens."""
    walker, ids, next_ones = rounded.Disturbed(model), [], list({file.encode(stories.story(rng))[0]: 0 for _ in range(64)})
    while len(ids) < count:
        for token in next_ones:
            row = walker.push(token)
            if row is not None:
                break
        else:
            return walker, ids, []
        ids.append(token)
        best = torch.topk(row, 16).indices.tolist()
        next_ones = rng.sample(best[:4], 4) + best[4:]
    return walker, ids, next_ones


def follow(walker, token):
    """Whether this token is sure, and the first greedy steps after it. If not, the walker is where it was."""
    for step in range(SURE_STEPS):
        row = walker.push(token)
        if row is None:
            break
        best = torch.topk(row, 2)
        token = int(best.indices[0])
        if float(best.values[0] - best.values[1]) < MARGIN:
            step += 1
            break
    else:
        return True
    walker.back(step)
    return False


def sure_case(file, model, count):
    """A prompt of `count` tokens and its first steps, all of them sure."""
    for seed in range(100):
        walker, ids, next_ones = walk(file, model, count - 1, random.Random(9000 + 1000 * count + seed))
        last = next((token for token in next_ones if follow(walker, token)), None)
        if last is None:
            continue
        ids.append(last)
        rows = list(reference.greedy(model, ids, SURE_STEPS))
        tokens, best = [token for token, _ in rows], [torch.topk(row, TOP) for _, row in rows]
        margin = min(float(b.values[0] - b.values[1]) for b in best)
        case = {"name": f"sure-{count}", "prompt": None, "chat": False, "prompt_ids": ids, "generated_ids": tokens, "text": file.decode(tokens),
                "top": [[[int(i), number(v)] for i, v in zip(b.indices, b.values)] for b in best], "smallest_margin": number(margin),
                "sure": SURE_STEPS, "last_logits": [number(v) for v in rows[0][1]]}
        print(f"  {case['name']}: margin {margin:.2g}, walk {seed + 1}: {file.decode(ids)[-60:]!r} {case['text']!r}", flush=True)
        return case
    raise SystemExit(f"no sure prompt of {count} tokens")


def hidden(file, model, ids):
    """The rows after the embedding, after each layer and after the last norm."""
    seen = {}

    def keep(key):
        def hook(_module, _inputs, output):
            rows = output[0] if isinstance(output, tuple) else output
            seen[key] = [[number(v) for v in row] for row in rows[0]]
        return hook

    body = model.model
    hooks = [body.embed_tokens.register_forward_hook(keep("embedding")), body.norm.register_forward_hook(keep("final_norm"))]
    hooks += [layer.register_forward_hook(keep(i)) for i, layer in enumerate(body.layers)]
    model(torch.tensor([ids]), use_cache=False)
    for hook in hooks:
        hook.remove()
    return {"prompt_ids": ids, "embedding": seen["embedding"], "layers": [seen[i] for i in range(len(body.layers))], "final_norm": seen["final_norm"]}


def write(root, name, place, file, model, cases, out, **more):
    seven = next(c["prompt_ids"] for c in cases if len(c["prompt_ids"]) == 7)
    head = {
        "model": name, "model_file": place, "model_sha256": hashlib.sha256((root / place).read_bytes()).hexdigest(),
        "reference": {"transformers": transformers.__version__, "torch": torch.__version__.split("+")[0]},
    } | more
    compact = dict(ensure_ascii=False, separators=(",", ":"))
    lines = json.dumps(head, **compact)[:-1] + ',"cases":[\n' + ",\n".join(json.dumps(c, **compact) for c in cases)
    lines += '\n],"hidden":' + json.dumps(hidden(file, model, seven), **compact) + "}\n"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(lines, encoding="utf-8")
    print(f"  {out.stat().st_size} bytes")


def main():
    args = argparse.ArgumentParser()
    args.add_argument("root", type=Path)
    args.add_argument("--rounded", action="store_true")
    args.add_argument("--f16", action="store_true")
    args = args.parse_args()
    root, judge = args.root, args.root / "tests/fixtures/judge"
    reference.steady()
    for name in ROUNDED if args.rounded else FILES:
        print(name)
        file = reference.File(root / FILES[name])
        if args.f16:
            model = rounded.model(file)
            attend = rounded.in_sixteen_bits(model.watch)
            before = json.loads((judge / f"{name}.json").read_text(encoding="utf-8"))["cases"]
            tolerance = max(3 * rounded.apart(model, case["prompt_ids"] + case["generated_ids"]) for case in before)
            cases = [again(file, model, case, sure=0) for case in before]
            write(root, name, FILES[name], file, model, cases, judge / "f16" / f"{name}.json", tolerance=number(tolerance))
            rounded.modeling_qwen3.eager_attention_forward = attend
            continue
        if not args.rounded:
            model = file.model()
            plan = tiny_plan(file) if name == "tiny-qwen3" else other_plan(file)
            write(root, name, FILES[name], file, model, [examine(file, model, *entry) for entry in plan], judge / f"{name}.json")
            continue
        model = rounded.model(file)
        cases = [sure_case(file, model, count) for count in SURE_LENGTHS]
        # Tokens of an untrained model nearly tie: rounding changes them, and that says nothing.
        if name == "tiny-qwen3":
            before = json.loads((judge / f"{name}.json").read_text(encoding="utf-8"))
            cases += [again(file, model, case) for case in before["cases"]]
        write(root, name, FILES[name], file, model, cases, judge / "rounded" / f"{name}.json")


if __name__ == "__main__":
    main()
