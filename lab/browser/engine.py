"""The frames in which the engine runs: what it writes, how it is reached, and what it says when something is in the way.

    python lab/browser/engine.py --speed FILE.json [--built FOLDER] [--chromium PROGRAM]

How fast it is, beside the native programs of the same chapters in `target/release`, in turn.
"""

import gzip
import json
import re
import statistics
import subprocess
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STORY = ROOT / "book/runs/ch02-first.md"  # what the native program writes
TOKENS = 24
DIGESTS = {2: "68cf3203", 3: "1f0ffd4f"}  # by chapter: FNV-1a of all logits, as `--json -n 24 --top-logits 1536` has them natively
TABS = 20
FROZEN = 400  # milliseconds for which the page may not answer
HINDRANCES = {"WebAssembly": "is WebAssembly, which", "Worker": "needs a web worker"}  # what a browser lacks, what the page says
PROMPTS = {"": "prompt is empty", "\U0001f98a\U0001f3d4\ufe0f\U0001f9d1\u200d\U0001f680": "", "word " * 3000: "shorten the prompt"}

# A figure is a module, which comes after the page.
READY = """new Promise((done) => {
    const look = () => (document.querySelector('.engine:not(.runs):not(:has(.fault))') ? setTimeout(look, 20) : done());
    look();
})"""


def is_on(file):
    """Whether a built page has the engine's frame."""
    return 'data-live="lab"' in file.read_text()


def run(browser, **settings):
    """Sets what is given, presses Run and waits for the end."""
    browser.evaluate(READY)
    return browser.evaluate(f"bookProbe.engine({json.dumps(settings)})")


def replies(browser):
    """Cache off and on: the native program's text, and the same bits in both."""
    story = STORY.read_text().split("\n")[2]
    ran = run(browser, limit=TOKENS, cache="both")
    if not story.startswith(ran["text"]) or len(ran["text"]) < 80:
        yield f"the engine writes “{ran['text'][:200]}”"
    if "the same bits" not in ran["says"] or len(set(ran["digests"])) != 1:
        yield f"the replies are not said to be the same: “{ran['says']}”"


def native(browser):
    for chapter, digest in DIGESTS.items():
        ran = run(browser, limit=TOKENS, chapter=chapter, cache="on")
        if ran["digests"] != [digest] or not ran["text"].startswith("Once upon a time, there was"):
            yield f"chapter {chapter}: the logits have the digest {ran['digests']}, and natively {digest}"


def copying_head(browser):
    """What the page tells of layer 5, head 1."""
    run(browser, prompt="Once upon a time, a brave fox named Zelda lived in Juniper Creek.", limit=8, cache="on")
    said = browser.evaluate("bookProbe.engineLook(5, 5, 1)")
    if not re.search(r"after “·Z” comes “e”.*“e”, token 11 of 27, gets 9\d", said, re.DOTALL):
        yield f"the head that copies: “{said}”"


def long_reply(browser):
    ran = run(browser, limit=500, cache="on", past=True)
    if ran["tokens"] != 500:
        yield f"{ran['tokens']} tokens instead of 500: “{ran['says']}”"
    if ran["gap"] > FROZEN:
        yield f"the page is frozen for {ran['gap']:.0f} ms"


def without_network(browser):
    """Once loaded, nothing more is asked for, not even after a long step was cut off and its thread with it."""
    browser.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
    for settings, words in [({"limit": 5, "cache": "both"}, "the same bits"), ({"limit": 400, "cache": "off", "stop": 300}, "Stopped after"),
                            ({"prompt": "word " * 600, "limit": 5, "cache": "off", "stop": 100}, "Stopped after"),
                            ({"limit": 100, "cache": "on", "again": True}, "Cache on: 100 tokens")]:
        said = run(browser, **settings)["says"]
        if words not in said:
            yield f"with no network and {settings}: “{said}”"
    browser.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)


def prompts(browser):
    for prompt, words in PROMPTS.items():
        ran = run(browser, prompt=prompt, limit=5, cache="on")
        if words not in ran["says"] or ran["fault"] != bool(words):
            yield f"of the prompt “{prompt[:20]}” the page says “{ran['says']}”"


def keyboard(browser):
    """Every control is reached with the key Tab, and does its work."""
    run(browser, limit=8, cache="on")
    browser.evaluate("document.querySelector('.engine[data-live=lab] .settings').open = true")
    waiting = browser.evaluate("bookProbe.engineControls()")
    browser.evaluate("bookProbe.engineState('prompt')")
    for _ in range(len(waiting) + 2):
        waiting = [name for name in waiting if name != browser.evaluate("bookProbe.focused()")]
        browser.press("Tab")
    yield from (f"the keyboard does not reach {name}" for name in waiting)
    for name, key in [("step", "ArrowLeft"), ("option", "ArrowLeft"), ("radio", "ArrowLeft"), ("prompt", "s"), ("limit", "ArrowUp"), ("Run", "Enter")]:
        before = browser.evaluate(f"bookProbe.engineState({json.dumps(name)})")
        browser.press(key)
        time.sleep(0.5)
        if not browser.evaluate("'bookProbe' in window"):
            yield f"the key {key} on {name} turns the page"
            return
        if browser.evaluate("bookProbe.engineState()") == before:
            yield f"the key {key} on {name} does nothing"


def tabs(browser):
    """How often one presses Tab from the top of the page to the prompt."""
    browser.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    for count in range(1, 200):
        browser.press("Tab")
        if browser.evaluate("document.activeElement.closest('.engine') !== null"):
            break
    if count > TABS:
        yield f"the key Tab is pressed {count} times before the first control"


def in_the_way(browser, address, file):
    """One line for each thing that may be missing; the recorded run is there."""
    for name, words in HINDRANCES.items():
        script = browser.call("Page.addScriptToEvaluateOnNewDocument", source=f"delete globalThis.{name}")["identifier"]
        browser.open(address)
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        yield from hindered(browser, f"without {name}", words)
    browser.open(file.resolve().as_uri())
    yield from hindered(browser, "as a file", "opened as a file")


def hindered(browser, how, words):
    seen = browser.evaluate("""({
        line: document.querySelector('.engine .fault')?.textContent ?? '',
        recorded: document.querySelector('.engine[data-live=lab] .recorded').checkVisibility(),
    })""")
    if words not in seen["line"] or not seen["recorded"]:
        yield f"{how} the page says “{seen['line']}”" + ("" if seen["recorded"] else ", and hides the recorded run")


def no_answer(browser):
    """The files do not come; when they do, Run works."""
    browser.call("Network.setBlockedURLs", urls=["*engine.wasm"])
    said = run(browser, limit=5)["says"]
    browser.call("Network.setBlockedURLs", urls=[])
    if "did not arrive" not in said or "the same bits" not in run(browser, limit=5)["says"]:
        yield f"when a file does not come, the page says “{said}”"


# Each in turn: on the page, and natively.
ROUNDS, LENGTH = 3, 64
ON_PAGE = {"ch02_off": {"chapter": 2, "cache": "off"}, "ch02_on": {"chapter": 2, "cache": "on"}, "ch03_on": {"chapter": 3, "cache": "on"}}
NATIVE = {
    "ch02_off": ["ch02-kv-cache", "--kv=off"],
    "ch02_on": ["ch02-kv-cache", "--kv=contiguous"],
    "ch03_scalar": ["ch03-simd-matmul", "--backend=scalar"],
    "ch03_on": ["ch03-simd-matmul", "--backend=auto"],
}


def natively(program, flag):
    """What the native program reports of the request that the page has."""
    command = [ROOT / "target/release" / program, flag, "--json", "--ignore-eos", "-n", str(LENGTH), "Once upon a time"]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["metrics"]


def start(browser, address):
    """What comes over the network, and when the first token is there, both counted from the address on. Run is pressed as
    soon as the page is painted; nothing is in the browser's cache."""
    browser.call("Network.setCacheDisabled", cacheDisabled=True)
    browser.open(address)
    browser.evaluate((Path(__file__).parent / "probe.js").read_text())
    ran = run(browser, limit=8, cache="on")
    browser.call("Network.setCacheDisabled", cacheDisabled=False)
    files = browser.evaluate("[location.href, ...performance.getEntriesByType('resource').map((file) => file.name)]")
    files = [urllib.request.urlopen(file).read() for file in dict.fromkeys(files)]
    sizes = {"bytes": sum(map(len, files)), "gzip_bytes": sum(len(gzip.compress(file)) for file in files), "files": len(files)}
    return ran["begun"] + ran["first"], sizes


def spread(all):
    return {"median": statistics.median(all), "min": min(all), "max": max(all), "raw": all}


def speed(browser, address):
    """Tokens per second in decode, and the start of the page."""
    firsts = [start(browser, address) for _ in range(2 * ROUNDS + 1)]
    raw = {"page": {name: [] for name in ON_PAGE}, "native": {name: [] for name in NATIVE}}
    for _ in range(ROUNDS):
        for name, settings in ON_PAGE.items():
            browser.open(address)
            browser.evaluate((Path(__file__).parent / "probe.js").read_text())
            raw["page"][name].append(run(browser, limit=LENGTH, past=True, **settings)["speed"])
        for name, command in NATIVE.items():
            report = natively(*command)
            raw["native"][name].append(report["decode_tokens_per_second"])
    return {
        "machine": report["machine"],
        "browser": browser.evaluate("navigator.userAgent.match(/Chrome.[0-9.]+/)[0]"),
        "command": "python lab/browser/engine.py --speed engine-speed.json, beside " + ", ".join(" ".join(command) for command in NATIVE.values()),
        "transfer": firsts[0][1],
        "first_token_ms": spread([first for first, _ in firsts]),
        **{where: {name: spread(all) for name, all in of.items()} for where, of in raw.items()},
    }


if __name__ == "__main__":
    import inspect_pages  # which imports this file

    inspect_pages.record(__doc__, "--speed", lambda browser, base: speed(browser, base + "engine/index.html"))
