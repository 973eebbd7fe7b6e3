"""The live figures: the race, all heads, the road not taken. What they show is what the native programs compute, whatever is in
the way is told, and nothing is fetched before somebody presses.

    python lab/browser/figures.py --record FILE.json [--built FOLDER] [--chromium PROGRAM]

What pages show of them where no script runs, recorded in this browser.
"""

import json
import math
import re
import time
from pathlib import Path

import engine

ROOT = Path(__file__).resolve().parent.parent.parent
# FNV-1a of all logits, as a test in book/engine has them natively: of 64 tokens after "Once upon a time", and of the tokens that
# follow when the eighth of them is the second likeliest.
RACE, ROAD = "599af693", "f2a5d2de"
KINDS = ["race", "heads", "road"]
FILES = ("engine.wasm", "tiny-qwen3.gguf", "worker.js")
FROZEN = 400  # milliseconds for which the page may not answer
QUIET = 10  # seconds after which a figure asks

HELP = """
globalThis.live = (kind) => document.querySelector(`.engine[data-live=${kind}]`);
globalThis.says = (kind) => live(kind).querySelector('.says');
// Presses, and waits for the end: how long the first token took, and the longest that the page did not answer.
globalThis.figure = async (kind, limit = 50000, press = (place) => place.querySelector('.run').click()) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const [place, stop] = [live(kind), live(kind).querySelector('form button:not(.run)')];
    const written = () => place.querySelector('.reply span, .tokens button, .maps button');
    const start = performance.now();
    let [last, gap, first] = [start, 0, null];
    press(place);
    while (last < start + limit) {
        await frame();
        const now = performance.now();
        [gap, last] = [Math.max(gap, now - last), now];
        if (first === null && written()?.textContent + (written()?.tagName ?? '')) first = written() && (written().textContent || kind === 'heads') ? now - start : null;
        if (stop.hidden && says(kind).textContent) break;
    }
    await frame();
    await frame();
    return { says: says(kind).textContent, fault: says(kind).matches('.fault'), gap, first, all: last - start };
};
"""


# What a drawing with a handle must show, by what its handle says: each gives what is wrong, or None.

def touched_query(says, text):
    *query, the, river, bank, x, y = numbers(says)
    keys, values = [(0, 1), (1, 1), (1, 0)], [(5, 5), (10, 0), (0, 10)]
    raised = [math.exp(dot(query, key) / math.sqrt(2)) for key in keys]
    weights = [one / sum(raised) for one in raised]
    mean = [dot(weights, side) for side in zip(*values)]
    bars = re.search(3 * r"(\d\.\d\d)", text).groups()
    if not close([the, river, bank, x, y], weights + mean) or not close(map(float, bars), weights):
        return text


def touched_turn(says, text):
    position, key = numbers(says)
    speeds = [1e6 ** (-pair / 32) for pair in (0, 4, 8)]
    dots = [((2 + 1j) * 1j ** (position * speed * 2 / math.pi) * (1 - 1j) * 1j ** (-key * speed * 2 / math.pi)).real for speed in speeds]
    if position - key != 2 or not close([float(one) for one in re.findall(r"dot product (-?[\d.]+)", plain(text))], dots):
        return text


def touched_steps(says, text):
    length = int(numbers(says)[0])
    wanted = [length, 1 if length > 4 else 4, length - 1 if length > 4 else 0]
    if [int(one) for one in re.search(r"Rows computed(\d+?)([14])of these, again(\d+)0Pairs", text).groups()] != wanted or f"cache0{length * 224:,} KiBWork" not in text:
        return text


# What a drawing with inputs must show, by what they hold.

def shown_passes(values, text):
    """The page's own prices: 40 ms for a pass and 2.4 for a row; four write."""
    rows = int(values[0])
    count = math.ceil(2000 / rows)
    told = [rows, round(40 + 2.4 * (rows + 4)), count, count * 49.6 + 4800, 4800, count * 9.6, count * 40]
    words = re.search(r"With (\d+) rows.*?every (\d+) ms.*?needs (\d+) passes.*?after ([\d.]+) s.*own rows: ([\d.]+) s.*rows: ([\d.]+) s.*again: ([\d.]+) s", text, re.S).groups()
    if any(abs(float(said) * unit - right) > unit / 2 + 0.01 for said, right, unit in zip(words, told, [1, 1, 1, 1e3, 1e3, 1e3, 1e3], strict=True)) or f"a pause of {told[1]} ms" not in text:
        return text


def shown_tile(values, text):
    m, n = map(int, values)
    wanted = [f"{m + n} loads", f"{m * n} FMA", f"{math.floor(100 * (m + n) / (m * n) + 0.5) / 100:.2f} per FMA"]
    for name, have, need in [("AVX-512", 32, m * n + n + 1), ("AVX2", 16, 2 * m * n + n + 1)]:
        wanted.append(f"{name}, {have} registers: {need} {'in use' if need <= have else f'needed, {need - have} sum'}")
    if not all(words in text for words in wanted):
        return text


def shown_chats(values, text):
    """Of a text all that any earlier one begins with is found, but never its last token; equal beginnings are there once."""
    texts = [re.findall(r"\w+|[^\w\s]", value) for value in values]
    found = [max([0, *(common(ids[:-1], other) for other in texts[:at])]) for at, ids in enumerate(texts)]
    nodes = set()  # each by all tokens from the root to its end
    for ids in texts:
        for start in range(0, len(ids), 4):
            end = min(start + 4, len(ids))
            if tuple(ids[:end]) not in nodes:
                nodes -= {tuple(ids[:short]) for short in range(start + 1, end)}
                nodes.add(tuple(ids[:end]))
    wanted = [f"{number} of {len(ids)} tokens found" for number, ids in zip(found, texts)]
    wanted.append(f"Of {sum(map(len, texts))} tokens {sum(found)} are found")
    wanted.append(f"{len(nodes)} blocks")
    if not all(words in text for words in wanted):
        return f"{wanted}, but {text}"


def shown_kept(values, text):
    old, new = [re.findall(r"\w+|[^\w\s]", value) for value in values]
    kept = max(0, min(common(old, new), len(new) - 1))
    wanted = [f"{len(old)} rows, {len(old) - kept} cut off", f"{kept} kept, {len(new) - kept} computed", f"tokens {kept} are kept"]
    if not all(words in text for words in wanted):
        return f"{wanted}, but {text}"


def shown_bits(values, text):
    """A block of the file, rounded here; and what the native program wrote with such weights, that text alone."""
    bits, recorded = int(values[0]), json.loads((ROOT / "book/measurements/ch05-few-bits.json").read_text())
    ints, most = recorded["block"]["ints"], 2 ** (bits - 1) - 1
    wrong = sum((round(one * most / 127) * 127 / most - one) ** 2 for one in ints)
    wanted = [f"With {bits} bits", f"one of {2 * most + 1} levels", f"error is {100 * math.sqrt(wrong / sum(one**2 for one in ints)):.1f} %"]
    shown = [one for one, words in recorded["texts"].items() if words in text]
    if not all(words in text for words in wanted) or str(bits) not in shown or any(recorded["texts"][one] != recorded["texts"][str(bits)] for one in shown):
        return f"{wanted}, but {text}"


def common(a, b):
    return next((at for at, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))


SHOWN = {"input-passes": shown_passes, "input-tile": shown_tile, "input-chats": shown_chats, "input-bits": shown_bits, "input-kept": shown_kept}
TOUCH = {"touch-query": touched_query, "touch-turn": touched_turn, "kv-steps": touched_steps}


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def plain(text):
    return text.replace("\u2212", "-")


def numbers(text):
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", plain(text))]


def close(shown, computed):
    return all(abs(a - b) < 0.0051 for a, b in zip(shown, computed, strict=True))


def kinds_on(file):
    html = file.read_text()
    return [kind for kind in KINDS if f'data-live="{kind}"' in html]


def opened(browser, address, before=""):
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=before)["identifier"]
    browser.open(address)
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.evaluate(engine.READY)
    browser.evaluate(HELP)


def ran(browser, kind, **more):
    return browser.evaluate(f"figure({json.dumps(kind)}, {more.get('limit', 50000)})")


def fetched(browser):
    urls = (event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent")
    return [url for url in urls if url.endswith(FILES)]


def before_a_press(browser, kind):
    """Scrolled past by a finger, rested on by a mouse, reached with the keyboard: nothing is fetched."""
    x, y = browser.evaluate(f"""(() => {{
        live({json.dumps(kind)}).scrollIntoView({{ block: 'center', behavior: 'instant' }});
        const box = live({json.dumps(kind)}).querySelector('form').getBoundingClientRect();
        return [box.left + box.width / 2, box.top + box.height / 2];
    }})()""")
    browser.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
    for step in range(1, 6):
        browser.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y - 30 * step}])
    browser.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
    browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    browser.evaluate(f"live({json.dumps(kind)}).querySelector('.run').focus()")
    time.sleep(0.3)
    browser.evaluate("1")
    yield from (f"fetched before a press: {url}" for url in fetched(browser))


def race(browser, story):
    run = ran(browser, "race")
    texts = browser.evaluate("Array.from(live('race').querySelectorAll('.lane .reply'), (reply) => reply.textContent)")
    if f"Digests {RACE} and {RACE}: every bit" not in run["says"]:
        yield f"the race ends with “{run['says']}”"
    if len(set(texts)) != 1 or not texts[0].startswith(story):
        yield f"the race writes {texts}"
    blocks = browser.evaluate("Array.from(live('race').querySelectorAll('.track'), (track) => [track.children.length, track.offsetWidth])")
    if [count for count, _ in blocks] != [64, 64] or blocks[0][1] <= blocks[1][1]:
        yield f"the blocks of the race are {blocks}"
    if run["gap"] > FROZEN:
        yield f"the race freezes the page for {run['gap']:.0f} ms"


def heads(browser, _):
    run = ran(browser, "heads")
    count = browser.evaluate("live('heads').querySelectorAll('.maps button').length")
    if count != 36 or "36 heads" not in run["says"]:
        yield f"there are {count} maps, and “{run['says']}”"
    told = browser.evaluate("live('heads').querySelector('.map').textContent")
    if "Layer 5, head 1" not in told or "this head looks at what came after" not in told:
        yield f"the head that copies: “{told[:300]}”"
    browser.evaluate("live('heads').querySelectorAll('.maps button')[0].focus()")
    browser.press("Enter")
    other = browser.evaluate("new Promise((done) => setTimeout(() => done(live('heads').querySelector('.map').textContent), 800))")
    if "Layer 0, head 0" not in other:
        yield "the key Enter on a map opens nothing"
    if run["gap"] > FROZEN:
        yield f"the heads freeze the page for {run['gap']:.0f} ms"


def road(browser, story):
    zero = "{ const dial = live('road').querySelector('[id$=temperature]'); if (dial) { dial.value = 0; dial.dispatchEvent(new Event('input')); } }"
    browser.evaluate(zero)
    run = ran(browser, "road")
    text = browser.evaluate("live('road').querySelector('.tokens').textContent")
    if run["fault"] or not text.startswith(story):
        yield f"the road is “{text}”, and “{run['says']}”"
        return
    browser.evaluate("live('road').querySelectorAll('.tokens button')[7].focus()")
    browser.press("Enter")
    time.sleep(0.8)
    rivals = browser.evaluate("Array.from(live('road').querySelectorAll('.forks button'), (rival) => rival.textContent)")
    if len(rivals) < 5 or "taken" not in rivals[0]:
        yield f"the rivals are {rivals}"
        return
    browser.evaluate("figure('road', 50000, (place) => place.querySelectorAll('.forks button')[1].click())")
    said = browser.evaluate("says('road').textContent")
    if f"since: {ROAD}" not in said:
        yield f"the other road ends with “{said}”"
    if browser.evaluate("Boolean(live('road').querySelector('[id$=temperature]'))"):
        shares = "Array.from(live('road').querySelectorAll('.forks .quiet'), (share) => share.textContent).join()"
        before = browser.evaluate(shares)
        browser.evaluate(zero.replace("value = 0", "value = 2"))
        time.sleep(0.8)
        if browser.evaluate(shares) == before:
            yield "a dial moves no share"


def in_the_way(browser, address, kind):
    """Each line must say what it is, and where it can be mended a second press does."""
    forget = "URL.createObjectURL = ((make) => (blob) => make(new Blob([{}, blob], {{ type: 'text/javascript' }})))(URL.createObjectURL);"
    refuse = forget.format('"WebAssembly.Instance = class { constructor() { throw new RangeError(\'no memory\'); } };"')
    for how, path, before, words in [
        ("with a policy that forbids workers", "?policy=none", "", "could not start"),
        ("without memory", "", refuse, "no memory left"),
        ("with a policy that forbids workers a page has made", "?policy=self", "", ""),
    ]:
        opened(browser, address + path, before)
        run = ran(browser, kind, limit=20000)
        if words not in run["says"] or run["fault"] != bool(words):
            yield f"{how} the figure says “{run['says']}”"
    opened(browser, address, "globalThis.Worker = class extends Worker { constructor(...all) { super(...all); globalThis.thread = this; } };")
    browser.evaluate(f"live({json.dumps(kind)}).querySelector('.run').click()")
    for _ in range(100):
        time.sleep(0.05)
        if browser.evaluate("'thread' in globalThis"):
            break
    browser.evaluate("thread.terminate()")
    time.sleep(QUIET + 1)
    said = browser.evaluate(f"says({json.dumps(kind)}).textContent")
    if "Nothing has come for ten seconds" not in said:
        yield f"when its thread died in silence the figure says “{said}”"
    browser.evaluate(f"live({json.dumps(kind)}).querySelector('form button:not(.run)').click()")
    time.sleep(0.6)
    run = ran(browser, kind)
    if run["fault"]:
        yield f"after Stop and another press the figure says “{run['says']}”"


def record(browser, base):
    """What a head looked at, and a road that was not taken: neither depends on the machine."""
    opened(browser, base + "engine/index.html")
    found = browser.evaluate("""(async () => {
        const core = await import('./core.js');
        const all = await core.load();
        const told = (request, end) => new Promise((done) => {
            const heard = [];
            core.compute(all, request, (data) => { heard.push(data); if (end(data)) done(heard); });
        });
        const base = { chapter: 2, cache: true, chat: false, limit: 64, past: false };
        const prompt = 'Once upon a time, a brave fox named Zelda lived in Juniper Creek. One day Zelda';
        const [{ begun }] = await told({ ...base, work: 'reply', prompt, limit: 1 }, (data) => data.step);
        const rows = await told({ work: 'heads', from: 0, to: begun.tokens.length - 1 }, (data) => data.last);
        const weights = rows.map((row) => row.weights[5][1].map((weight) => Number(weight.toFixed(4))));
        const writing = await told({ ...base, work: 'reply', prompt: 'Once upon a time', limit: 8 }, (data) => data.step?.ended);
        const steps = writing.filter((data) => data.step).map((data) => data.step);
        return {
            heads: { layer: 5, head: 1, tokens: begun.tokens, weights },
            road: { before: steps.slice(0, 7).map((step) => step.token).join('').slice(2), rivals: steps[7].likely.map(({ text, share }) => ({ text, share: Number(share.toFixed(4)) })) },
            browser: navigator.userAgent.match(/Chrome.[0-9.]+/)[0],
        };
    })()""")
    return {"about": {"date": time.strftime("%Y-%m-%d")}, "command": "python lab/browser/figures.py --record engine-live.json", **found}


if __name__ == "__main__":
    import inspect_pages  # which imports this file

    inspect_pages.record(__doc__, "--record", record)
