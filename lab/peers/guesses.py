"""Chapter 14 at real size: texts that somebody wrote are replayed, and rules of guessing are counted on the same texts."""

import json
import re
import subprocess
import tempfile
from pathlib import Path

from recordings import CHAPTERS, OUT, ROOT, example, in_turn, model, rounds, times

TEXTS = ROOT / "tests/fixtures/replay"
NAMES = ("code", "prose", "list", "summary", "new")


def ids(texts):
    """Words, marks and spaces as tokens, about as large as those of Qwen3: the small vocabulary has shorter ones."""
    known = {}
    words = [re.findall(r" ?[A-Za-z]+| ?\d| ?[^\sA-Za-z\d]+|\s+", text) for text in texts]
    return [[known.setdefault(word, 1000 + len(known)) for word in text] for text in words]


def texts():
    return {name: ids([(TEXTS / f"{name}.{part}").read_text() for part in ("prompt", "answer")]) for name in NAMES}


def counted(prompt, answer, spans, longest, doubts=True):
    """Rows of each pass after the first token, and how many guessed tokens came true. `spans`: so many equal tokens."""
    text, places, rows, kept, trust, at = list(prompt), {}, [], 0, 0 if doubts else 10, 1
    text.append(answer[0])
    indexed = 0
    while at < len(answer):
        for end in range(indexed, len(text)):
            places.update({tuple(text[end - span:end]): end for span in spans if end >= span})
        indexed = len(text)
        place = next((places[key] for span in spans if (key := tuple(text[-span:])) in places), len(text))
        most = min(longest, (1 << trust) - 1, len(answer) - at - 1)
        guess = text[place:place + most]
        # What it would have guessed counts, too.
        trust += trust == 0 and text[place:place + 1] == [answer[at]]
        right = next((i for i, (a, b) in enumerate(zip(guess, answer[at:])) if a != b), len(guess))
        if guess and doubts:
            trust = min(trust + 1, 4) if right == len(guess) else trust - 1
        rows.append(1 + len(guess))
        kept += right
        text += answer[at:at + right + 1]
        at += right + 1
    return rows, kept


def of_rows(curve):
    """What a pass over so many rows takes beside a lone one: in between, a line."""
    points = sorted((int(rows), ms["median"]) for rows, ms in curve.items())

    def cost(rows):
        below, above = max(p for p in points if p[0] <= rows), min(p for p in points if p[0] >= rows)
        share = (rows - below[0]) / max(above[0] - below[0], 1)
        return (below[1] + share * (above[1] - below[1])) / points[0][1]
    return cost


def replayed(prompt, answer, speculate):
    with tempfile.NamedTemporaryFile("w", suffix=".ids") as file:
        file.write(",".join(map(str, answer)))
        file.flush()
        command = [CHAPTERS["ch14"].program, "--model", model("q8_0"), "--threads", 2, "--speculate", speculate, "--json",
                   "--replay", file.name, "--token-ids", ",".join(map(str, prompt))]
        found = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout
    found = json.loads(found)
    return {"tokens_per_second": found["decode_tokens_per_second"], "passes": found["passes_after_first"],
            "guessed": found["guessed_tokens"], "kept": found["kept_tokens"]}


def guesses():
    curve = example("ch12", "rows", model("q8_0"), rounds(3))["q8_0"]["2"]["ms"]
    cost, found, rules = of_rows(curve), {}, {"ours": ((4, 3), 15), "three_two": ((3, 2), 15), "llama": ((12,), 48, False)}
    for name, (prompt, answer) in texts().items():
        ways = in_turn({way: lambda way=way: replayed(prompt, answer, way) for way in ("15", "off")}, 1)
        speed = lambda way: ways[way]["tokens_per_second"]
        counts = {rule: counted(prompt, answer, *of) for rule, of in rules.items()}
        predicted = {rule: (len(answer) - 1) / sum(map(cost, rows)) for rule, (rows, _) in counts.items()}
        assert len(counts["ours"][0]) == ways["15"]["passes"]["median"], (name, "counted otherwise than guessed")
        found[name] = {"prompt_tokens": len(prompt), "answer_tokens": len(answer), **ways, "gain": times(speed("15"), speed("off")),
                       "predicted": predicted, "tokens_a_pass": (len(answer) - 1) / len(counts["ours"][0])}
    return {"what": "Texts are replayed at real size, Q8_0, two threads. Words are tokens. Predicted: passes counted, each with "
                    "what chapter 12's program measures for as many rows, in the same recording.", "threads": 2, "figures": found,
            "curve": curve, "times_alone": {rows: cost(int(rows)) for rows in curve},
            "command": "ch14-speculation --replay FILE --token-ids IDS --speculate 15|off"}


if __name__ == "__main__":
    cost = of_rows(json.loads((OUT / "ch14-replay.json").read_text())["curve"])
    for name, (prompt, answer) in texts().items():
        for rule in (((4, 3), 15), ((3, 2), 15), ((4,3,2),15), ((12,), 48, False)):
            rows, kept = counted(prompt, answer, *rule)
            print(name, rule, len(prompt), len(answer), "passes", len(rows), "guessed", sum(rows) - len(rows), "kept", kept,
                  "gain", round((len(answer) - 1) / sum(map(cost, rows)), 2))
