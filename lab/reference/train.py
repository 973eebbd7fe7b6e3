"""Trains the tiny model with the reference implementation's own Qwen3 class.

    python train.py TEXT_DIR OUT_DIR --minutes 60

Stops by the clock, with the learning rate following the share of the time that is gone; so two runs differ in the last
digits. Resumes from OUT_DIR/checkpoint.pt if there is one.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import Qwen3Config, Qwen3ForCausalLM

import stories

SHAPE = dict(
    vocab_size=1536, hidden_size=192, intermediate_size=512, num_hidden_layers=6, num_attention_heads=6,
    num_key_value_heads=3, head_dim=64, max_position_embeddings=2048, rms_norm_eps=1e-6, tie_word_embeddings=True,
    rope_parameters={"rope_type": "default", "rope_theta": 1e6}, attention_bias=False, bos_token_id=None, eos_token_id=None,
)
TOKENS_PER_STEP = 2048
# Mostly short rows; some long ones, so that late positions are not strangers.
ROW_LENGTHS, ROW_WEIGHTS = [256, 512, 2048], [88, 10, 2]
PEAK, FLOOR, WARMUP_STEPS = 3e-3, 5e-5, 100
DRILLS, DRILLS_LATE = 0.6, 0.05  # share of the documents that are drills; they are half as long as the others
IGNORE = -100


def read_documents(tok, path, limit=None):
    """Each document as (ids, labels); a label is IGNORE where nothing is to be learnt."""
    pieces, shape = [], []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            if number == limit:
                break
            doc = json.loads(line)
            pieces += [text for text, _ in doc]
            shape.append([learn for _, learn in doc])
    encoded = iter(tok.encode_batch_fast(pieces))
    documents = []
    for learns in shape:
        ids, labels = [], []
        for learn in learns:
            part = next(encoded).ids
            ids += part
            labels += part if learn else [IGNORE] * len(part)
        documents.append((ids, labels))
    return documents


def drill(tok, rng):
    """A short exercise in looking back: who was that, and what came next?

    Stories alone teach grammar first and the carrying of an unknown name very late. These two exercises are nearly
    nothing but that.
    """
    if rng.random() < 0.5:  # any tokens at all, over and over; the first round cannot be known
        part = [rng.randrange(tok.get_vocab_size() - 5) for _ in range(rng.randint(3, 20))]
        times = rng.randint(2, max(2, 100 // len(part)))
        return part * times, [IGNORE] * len(part) + part * (times - 1)
    people = [stories.name(rng, rng.random() < 0.5) for _ in range(rng.choice([1, 2, 2, 3]))]
    town = stories.place_name(rng)
    lines = []
    for _ in range(rng.randint(4, 9)):
        a, b = rng.choice(people), rng.choice(people)
        if rng.random() < 0.3:
            lines.append(rng.choice(["{a} lived in {p}.", "{a} went back to {p}.", "Everyone in {p} was happy.", "It was a fine day in {p}."]).format(a=a, p=town))
            continue
        lines.append(rng.choice(["{a} smiled.", "{a} said hello to {b}.", "\"Thank you,\" said {a}.", "{a} looked at {b}.", "One day, {a} saw {b}.", "{a} was happy."]).format(a=a, b=b))
    ids = tok.encode(" ".join(["This is " + " and ".join(people) + "."] + lines) + "<|endoftext|>").ids
    return ids, ids


def rows(documents, rng, tok, pad, drill_share):
    """Endless batches (ids, labels). Every row begins with a document, as every prompt will."""
    pool, fresh = [], iter(())
    while True:
        length = rng.choices(ROW_LENGTHS, ROW_WEIGHTS)[0]
        batch_ids, batch_labels = [], []
        for _ in range(TOKENS_PER_STEP // length):
            ids, labels = [], []
            while length - len(ids) > 16:
                while len(pool) < 400:
                    if rng.random() < drill_share():
                        pool.append(drill(tok, rng))
                        continue
                    doc = next(fresh, None)
                    if doc is None:
                        fresh = iter(rng.sample(documents, len(documents)))
                    else:
                        pool.append(doc)
                # The first few that fit are random enough; when none fits, the row is padded.
                fit = next((i for i, d in enumerate(pool) if len(d[0]) <= length - len(ids)), None)
                if fit is None:
                    break
                doc = pool.pop(fit)
                ids += doc[0]
                labels += doc[1]
            if not ids:  # a document longer than the row: cut it
                doc = pool.pop(0)
                ids, labels = doc[0][:length], doc[1][:length]
            fill = length - len(ids)
            batch_ids.append(ids + [pad] * fill)
            batch_labels.append(labels + [IGNORE] * fill)
        yield torch.tensor(batch_ids), torch.tensor(batch_labels)


def loss_of(model, ids, labels, body=None):
    # bf16 for the products only: weights, norms and the softmax of the loss stay in f32.
    with torch.autocast("cpu", torch.bfloat16):
        hidden = (model.model if body is None else body)(ids).last_hidden_state
        wanted = labels[:, 1:].reshape(-1)
        keep = wanted != IGNORE  # the head is a tenth of the work: only where something is learnt
        logits = model.lm_head(hidden[:, :-1].reshape(-1, hidden.shape[-1])[keep])
    return torch.nn.functional.cross_entropy(logits.float(), wanted[keep])


@torch.no_grad()
def validate(model, documents, pad):
    model.eval()
    total = count = 0
    for start in range(0, len(documents), 20):
        part = documents[start: start + 20]
        width = max(len(ids) for ids, _ in part)
        ids = torch.tensor([i + [pad] * (width - len(i)) for i, _ in part])
        labels = torch.tensor([l + [IGNORE] * (width - len(l)) for _, l in part])
        n = (labels[:, 1:] != IGNORE).sum().item()
        total += loss_of(model, ids, labels).item() * n
        count += n
    model.train()
    return total / count


def main():
    args = argparse.ArgumentParser()
    args.add_argument("text", type=Path)
    args.add_argument("out", type=Path)
    args.add_argument("--minutes", type=float, default=60)
    args.add_argument("--documents", type=int, default=None)
    args = args.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)

    tok = Tokenizer.from_file(str(args.text / "tokenizer.json"))
    pad = tok.token_to_id("<|endoftext|>")
    train = read_documents(tok, args.text / "train.jsonl", args.documents)
    valid = {name: read_documents(tok, args.text / f"valid-{name}.jsonl") for name in ("names", "plots", "chat")}
    print(f"{len(train)} documents, {sum(len(i) for i, _ in train)} tokens", flush=True)

    model = Qwen3ForCausalLM(Qwen3Config(**SHAPE, attn_implementation="eager"))
    model.config.use_cache = False
    # The same layers, compiled for the commonest row length: 40% more tokens per second of CPU time.
    compiled = torch.compile(model.model, dynamic=False)
    norms = [p for p in model.parameters() if p.dim() == 1]
    matrices = [p for p in model.parameters() if p.dim() > 1]
    optimiser = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": norms, "weight_decay": 0.0}],
        lr=PEAK, betas=(0.9, 0.97), fused=True,
    )
    step = tokens = 0
    gone, history = 0.0, []
    checkpoint = args.out / "checkpoint.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        step, tokens, gone, history = saved["step"], saved["tokens"], saved["gone"], saved["history"]

    def save():
        state = dict(model=model.state_dict(), optimiser=optimiser.state_dict(), step=step, tokens=tokens, gone=gone, history=history)
        torch.save(state, checkpoint.with_suffix(".new"))
        checkpoint.with_suffix(".new").rename(checkpoint)
        (args.out / "history.json").write_text(json.dumps(history))

    batches = rows(train, random.Random(step), tok, pad, lambda: DRILLS if gone < 0.7 * budget else DRILLS_LATE)
    budget = args.minutes * 60
    recent, last_print = [], 0.0
    clock = time.time()
    while gone < budget:
        share = gone / budget
        rate = FLOOR + (PEAK - FLOOR) * 0.5 * (1 + math.cos(math.pi * share))
        rate *= min(1, (step + 1) / WARMUP_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = rate
        ids, labels = next(batches)
        loss = loss_of(model, ids, labels, compiled if ids.shape[1] == ROW_LENGTHS[0] else None)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        recent.append(loss.item())
        step += 1
        tokens += ids.numel()
        if step % 200 == 0:
            entry = dict(step=step, tokens=tokens, train=sum(recent) / len(recent))
            entry |= {name: validate(model, docs, pad) for name, docs in valid.items()}
            history.append(entry)
            recent = []
            print({k: round(v, 4) for k, v in entry.items()}, f"rate {rate:.5f} at {gone / 60:.1f} min", flush=True)
            save()
        now = time.time()
        gone, clock = gone + now - clock, now
    save()
    model.save_pretrained(args.out / "model")
    print(f"done: {step} steps, {tokens} tokens", flush=True)


if __name__ == "__main__":
    main()
