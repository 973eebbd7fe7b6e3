"""Looks at every page of the book in a headless Chromium, as a reader with a screen or a phone would.

    python lab/browser/inspect_pages.py [--built FOLDER] [--only ch02,tiny] [--screenshots FOLDER] [--chromium PROGRAM] [--axe FILE]

Builds the book with mdBook into a temporary folder, unless a built one is given, and serves it from this machine.
In light and dark, at 1280 and 390 pixels: no error or warning, no request that fails or goes to another host, no
entity or include that nobody resolved, no page that scrolls sideways, no text in a figure that is too small, cut off
or on other text, no text that is hard to tell from what is behind it. What scrolls sideways shows it, can be reached
by keyboard and keeps the arrow keys. Once per page: the copy buttons give clean code and bare commands and say that
they did; letters of figures are in proportion; the fonts are the book's own; no word of a listing is underlined, and
each guess is. At 1440 pixels hardly a listing scrolls.
Once on a wide screen: the notes in the margin lie on nothing. Once on paper: the text alone, all of it. Once without
scripts on a dark system: everything can be read. The handles of drawings move, by hand and by keys, drawings with
inputs begin as their still pictures and hear the keys, and what follows is what Python computes. The engine on a page writes
what it writes natively (`engine.py`), and so do the live figures (`figures.py`). Once for the book: the search
answers ten questions, and the colours of figures stand out in each theme. With `--axe` and the file `axe.min.js` of
axe-core, its rules too, in every theme.
The exit status says whether all of it is so.
"""

import argparse
import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import engine
import figures
from chromium import Chromium

HERE = Path(__file__).resolve().parent
BOOK = HERE.parent.parent / "book"
PROBE = (HERE / "probe.js").read_text()

WIDE = 1920
DESK, SCROLLING = 1440, 20  # so many listings may scroll on a screen so wide
PAPER = 673  # A4 less the margins of book.css
VIEWS = [(theme, width) for width in (1280, 390) for theme in ("light", "dark")]
SMALLEST = 9  # CSS pixels of a letter's size in a figure
THEMES = {"light": "light", "dark": "navy"}  # what mdBook makes of what the system prefers, by book.toml
ALL_THEMES = ["light", "rust", "coal", "navy", "ayu"]
COLOURS = [f"--figure-{name}" for name in ("ink", "one", "two", "three", "four", "five", "six")]
# What a reader may type, and where the answer is: among the first three that are found.
QUERIES = {
    "KV cache": "glossary.html#kv-cache", "RoPE": "glossary.html#rope", "quantization": "glossary.html#quantise-quantization",
    "quantise": "glossary.html#quantise-quantization", "softmax": "glossary.html#softmax", "false sharing": "glossary.html#false-sharing",
    "AVX2": "glossary.html#avx2", "sampling": "ground/sampling.html#sampling", "flash attention": "ch06/in-tiles.html#flash-attention-blocks-in-tiles", "temperature": "glossary.html#temperature",
}
RANK = 3
# And what is in there has been told how wide it is.
OPEN_ALL = """for (const part of document.querySelectorAll('main details')) part.open = true;
new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"""
WAYLAID = ["introduction.html", "ch00/attention.html", "ground/sampling.html"]  # pages on which things are put in a figure's way


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def end_headers(self):
        # `?policy=none`: a page that may have no worker; with `self` only one from a file.
        if "?policy=" in self.path:
            source = self.path.split("?policy=")[1]
            self.send_header("Content-Security-Policy", f"worker-src '{source}'")
        super().end_headers()


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def build(folder):
    if shutil.which("mdbook") is None:
        raise SystemExit("no mdbook found: `cargo install mdbook@0.5.4 --locked`, or give a built book with --built")
    subprocess.run(["mdbook", "build", str(BOOK), "--dest-dir", str(folder)], check=True)


def pages(folder, only):
    """Every page. `toc.html` is a part of pages."""
    found = sorted(str(file.relative_to(folder)) for file in folder.rglob("*.html"))
    return [page for page in found if page != "toc.html" and (not only or any(word in page for word in only))]


def trouble(events, base):
    """What the browser itself had to complain about."""
    addresses = {}
    for event in events:
        params = event.get("params", {})
        match event.get("method"):
            case "Network.requestWillBeSent":
                address = params["request"]["url"]
                addresses[params["requestId"]] = address
                if not address.startswith((base, "data:", "blob:", "about:")):
                    yield f"a request to another host: {address}"
            case "Network.responseReceived" if params["response"]["status"] >= 400:
                yield f"a request fails with {params['response']['status']}: {params['response']['url']}"
            case "Network.loadingFailed" if not params.get("canceled"):
                yield f"a request fails, {params['errorText']}: {addresses.get(params['requestId'], '?')}"
            case "Runtime.consoleAPICalled" if params["type"] in ("error", "warning", "assert"):
                words = " ".join(str(part.get("value", part.get("description", ""))) for part in params["args"])
                yield f"the console says, {params['type']}: {words}"
            case "Runtime.exceptionThrown":
                details = params["exceptionDetails"]
                yield f"a script fails: {details.get('exception', {}).get('description', details['text'])}"
            case "Log.entryAdded" if params["entry"]["level"] in ("error", "warning") and params["entry"]["source"] != "network":
                yield f"the log says, {params['entry']['level']}: {params['entry']['text']}"


def ask(browser, call):
    return browser.evaluate(f"bookProbe.{call}")


def drag_down(browser, x, y, phone):
    for kind, by in [("Start", 0), ("Move", 20), ("Move", 40), ("Move", 60), ("Move", 60), ("End", 60)]:
        if phone:
            browser.call("Input.dispatchTouchEvent", type="touch" + kind, touchPoints=[] if kind == "End" else [{"x": x, "y": y + by}])
        else:
            kind = {"Start": "Pressed", "Move": "Moved", "End": "Released"}[kind]
            browser.call("Input.dispatchMouseEvent", type="mouse" + kind, x=x, y=y + by, button="left", buttons=1, clickCount=1)


def handles(browser, phone):
    """Each handle of a drawing can be dragged, and moved by an arrow key, which must not turn the page."""
    for index in range(ask(browser, "handles()")):
        at = ask(browser, f"hold({index})")
        if phone and at["small"]:
            yield "a handle that is too small for a finger"
        figure, first, _ = ask(browser, f"state({index})")
        drag_down(browser, at["x"], at["y"], phone)
        dragged = ask(browser, f"state({index})")[1]
        # Should the key reach the document, mdBook must not turn the page under this check.
        browser.evaluate("document.documentElement.addEventListener('keydown', (event) => event.stopPropagation(), { once: true })")
        browser.press("ArrowRight")
        _, pressed, says = ask(browser, f"state({index})")
        if first == dragged:
            yield f"{figure}: the handle cannot be dragged"
        if dragged == pressed:
            yield f"{figure}: an arrow does not move the handle"
        if (wrong := figures.TOUCH[figure](says, browser.evaluate(f"document.getElementById('{figure}').textContent"))):
            yield f"{figure}: after “{says}” it shows {' '.join(wrong.split())[:200]}"


STILL = """(async (id) => {
    const flat = (place) => place.querySelector(`#${id} :is(.drawn, .tree)`).innerHTML.replace(/>\\s+</g, '><').trim();
    return flat(document) === flat(new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html'));
})"""


def inputs(browser):
    """Each drawing with inputs begins as its still picture, and follows them; the keys don't turn the page."""
    for figure in browser.evaluate("Array.from(document.querySelectorAll('[id^=input-]'), (figure) => figure.id)"):
        if not browser.evaluate(f"{STILL}('{figure}')"):
            yield f"{figure}: without a script it isn't what it begins with"
        every = f"Array.from(document.querySelectorAll('#{figure} input'))"
        for index in range(browser.evaluate(f"{every}.length")):
            one = f"{every}[{index}]"
            for key in ["x"] if browser.evaluate(f"{one}.type") == "text" else ["ArrowRight", "ArrowRight"]:
                before = browser.evaluate(f"{one}.focus(), {one}.type === 'text' && {one}.setSelectionRange(0, 0), {every}.map((one) => one.value)")
                browser.press(key)
                yield from shown(browser, figure, every)
                if before == browser.evaluate(f"{every}.map((one) => one.value)"):
                    yield f"{figure}: input {index} does not hear the key {key}"
        if browser.evaluate(f"{every}.every((one) => one.type === 'text')"):
            # Even of a text that was there before, the last token isn't found.
            browser.evaluate(f"{every}.forEach((one, _, [first]) => {{ one.value = first.value; one.dispatchEvent(new Event('input')); }})")
            yield from shown(browser, figure, every)


def shown(browser, figure, every):
    values = browser.evaluate(f"new Promise((done) => setTimeout(() => done({every}.map((one) => one.ariaValueText?.split(' ')[0] ?? one.value)), 500))")
    text = browser.evaluate(f"document.getElementById('{figure}').textContent.replaceAll('\\u00a0', ' ')")
    if (wrong := figures.SHOWN[figure](values, text)):
        yield f"{figure}: with {values} it shows {' '.join(wrong.split())[:400]}"


def ranks(browser, base):
    """Typed as by a reader: `s`, then each query. For each the rank of its answer, 0 for none."""
    browser.open(base + "introduction.html")
    browser.press("s")
    return {query: browser.evaluate("""new Promise((done) => {
        const until = performance.now() + 20000;
        const links = () => Array.from(document.querySelectorAll('#mdbook-searchresults li a'), (link) => link.href);
        const bar = document.querySelector('#mdbook-searchbar');
        let before = links().join();
        const look = () => {
            // The search listens for keys, and its index may not be there yet.
            bar.value = QUERY;
            bar.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
            const head = document.querySelector('#mdbook-searchresults-header').textContent;
            if (!head.includes(QUERY) && performance.now() < until) return setTimeout(look, 50);
            done(1 + links().findIndex((link) => link.replace(/\\?[^#]*/, '').endsWith(ANSWER)));
        };
        look();
    })""".replace("QUERY", json.dumps(query)).replace("ANSWER", json.dumps(answer))) for query, answer in QUERIES.items()}


def search(browser, base):
    for query, rank in ranks(browser, base).items():
        if not 1 <= rank <= RANK:
            yield f"the search for {query!r} has {QUERIES[query]} " + (f"in place {rank}" if rank else "nowhere")


def other_ways(browser, base, page, axe):
    """The faults of a page in a wide window, on paper and without scripts: (theme, view, fault)."""
    for opened in (False, True):
        browser.look_as("light", WIDE)
        browser.open(base + page)
        if opened:
            browser.evaluate(OPEN_ALL)
        browser.evaluate(PROBE)
        yield from (("light", WIDE, fault) for fault in [*ask(browser, "margin()"), *ask(browser, f"sideways({WIDE})")])
    # A whole file is thousands of pieces of what the other pages show.
    if axe and not page.startswith("generated/"):
        browser.evaluate(axe)
        for name in ALL_THEMES:
            yield from ((name, WIDE, fault) for fault in ask(browser, f"axe({json.dumps(name)})"))
    browser.look_as("dark", PAPER, "print")
    browser.open(base + page)
    browser.evaluate(PROBE)
    yield from (("dark", "on paper", fault) for fault in [*ask(browser, "onPaper()"), *ask(browser, f"sideways({PAPER})")])
    browser.look_as("dark", 1280)
    browser.scripts(False)
    browser.open(base + page, painted=False)
    browser.evaluate(PROBE)
    faults = [*ask(browser, "withoutScripts()"), *ask(browser, "faintText()")]
    browser.scripts(True)
    yield from (("dark", "without scripts", fault) for fault in faults)


def check_page(browser, base, page, theme, width, screenshots):
    """All faults of one page in one view."""
    browser.look_as(theme, width)
    browser.open(base + page)
    browser.evaluate(OPEN_ALL)
    if screenshots:
        for number, png in enumerate(browser.pictures(width), 1):
            name = re.sub(r"\W", "-", page.removesuffix(".html"))
            (screenshots / f"{name}.{width}.{theme}.{number}.png").write_bytes(png)
    browser.evaluate(PROBE)
    wanted = THEMES[theme]
    if not browser.evaluate(f"document.documentElement.classList.contains('{wanted}')"):
        yield f"the theme is not {wanted}"
    yield from ask(browser, f"sideways({width})")
    yield from ask(browser, "leftovers()")
    yield from ask(browser, "clashes()")
    yield from ask(browser, "faintText()")
    yield from ask(browser, "scrollers()")
    if width == min(width for _, width in VIEWS):
        yield from ask(browser, f"smallText({SMALLEST})")
        yield from ask(browser, "besideEachOther()")
    if (theme, width) == VIEWS[0]:
        for question in ["copies()", "around()", "largeText()", "fonts()", "underlines()"]:
            yield from ask(browser, question)
    yield from handles(browser, width < 600)
    yield from inputs(browser)
    yield from ask(browser, f"sideways({width})")  # played with, a figure may have grown
    yield from trouble(browser.events, base)


def running(browser, base, page, file, axe):
    """The faults of a page with the engine, while it runs: (theme, view, fault)."""
    def opened(theme, width):
        browser.look_as(theme, width)
        browser.open(base + page)
        browser.evaluate(engine.READY)
        browser.evaluate(PROBE)

    for theme, width in VIEWS:
        opened(theme, width)
        faults = list(engine.replies(browser))
        for question in [f"sideways({width})", "clashes()", "faintText()", f"smallText({SMALLEST})"]:
            faults += ask(browser, question)
        yield from ((theme, width, fault) for fault in [*faults, *trouble(browser.events, base)])
    opened("light", 1280)
    browser.evaluate(axe or "")
    for question in [engine.tabs, engine.native, engine.copying_head, engine.long_reply, engine.prompts, engine.keyboard, engine.without_network]:
        yield from (("light", 1280, fault) for fault in question(browser))
        if not browser.evaluate("'bookProbe' in window"):  # a key has turned the page
            opened("light", 1280)
    for name in ALL_THEMES if axe else []:
        yield from ((name, 1280, fault) for fault in ask(browser, f"axe({json.dumps(name)})"))
    for fault in engine.in_the_way(browser, base + page, file):
        yield "light", 1280, fault
    opened("light", 1280)
    for fault in engine.no_answer(browser):
        yield "light", 1280, fault


def live(browser, base, page, file):
    """The faults of the live figures of a page: (theme, view, fault)."""
    story = engine.STORY.read_text().split("\n")[2][:80]
    kinds = figures.kinds_on(file)
    for number, (theme, width) in enumerate(VIEWS):
        for kind in kinds:
            browser.look_as(theme, width)
            figures.opened(browser, base + page)
            browser.evaluate(PROBE)
            faults = list(figures.before_a_press(browser, kind))
            if number:
                faults += [f"{kind}: “{run['says']}”" for run in [figures.ran(browser, kind)] if run["fault"]]
            else:
                faults += getattr(figures, kind)(browser, story)
            for question in [f"sideways({width})", "clashes()", "faintText()"]:
                faults += ask(browser, question)
            yield from ((theme, width, fault) for fault in [*faults, *trouble(browser.events, base)])
    # Each figure stands on some page alone or first: what may be in the way is the same on the others.
    for kind in kinds if page in WAYLAID else []:
        browser.look_as("light", 1280)
        yield from (("light", 1280, fault) for fault in figures.in_the_way(browser, base + page, kind))


def check(browser, folder, only=None, screenshots=None, axe=None):
    """All faults of a built book: (page, theme, width, fault)."""
    base = serve(folder)
    chosen = pages(folder, only)
    listings = scrolling = 0
    for number, page in enumerate(chosen, 1):
        if sys.stderr.isatty():
            print(f"\r{number} of {len(chosen)}: {page:60}", end="", file=sys.stderr, flush=True)
        for theme, width in VIEWS:
            for fault in dict.fromkeys(check_page(browser, base, page, theme, width, screenshots)):
                yield page, theme, width, fault
        if not page.startswith("generated/"):
            browser.look_as("light", DESK)
            wide = browser.evaluate("Array.from(document.querySelectorAll('main pre.listing'), (one) => one.scrollWidth > one.clientWidth + 1)")
            listings, scrolling = listings + len(wide), scrolling + sum(wide)
        for theme, view, fault in dict.fromkeys(other_ways(browser, base, page, axe)):
            yield page, theme, view, fault
        for theme, width, fault in live(browser, base, page, folder / page):
            yield page, theme, width, fault
        if engine.is_on(folder / page):
            for theme, width, fault in running(browser, base, page, folder / page, axe):
                yield page, theme, width, fault
    for theme, width in VIEWS:
        browser.look_as(theme, width)
        for fault in [*search(browser, base), *trouble(browser.events, base)]:
            yield "the search", theme, width, fault
    if scrolling > SCROLLING:
        yield "the listings", "light", DESK, f"{scrolling} of {listings} scroll sideways"
    browser.evaluate(PROBE)
    for fault in ask(browser, f"themeColours({json.dumps(ALL_THEMES)}, {json.dumps(COLOURS)})"):
        yield "the style", "", "", fault


def record(doc, option, found):
    """For scripts that record: what is `found` in a browser of the book at an address goes into a file."""
    args = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument(option, dest="out", type=Path, required=True, metavar="FILE.json", help="where the recording goes")
    args.add_argument("--built", type=Path, help="a built book")
    args.add_argument("--chromium", help="the program")
    args = args.parse_args()
    with tempfile.TemporaryDirectory(prefix="book-") as temporary, Chromium(args.chromium) as browser:
        folder = args.built or Path(temporary) / "book"
        if not args.built:
            build(folder)
        browser.look_as("light", 1280)
        args.out.write_text(json.dumps(found(browser, serve(folder)), indent=1) + "\n")


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--built", type=Path, help="a built book")
    args.add_argument("--only", help="parts of pages' names, separated by commas")
    args.add_argument("--screenshots", type=Path, help="where pictures of every page go")
    args.add_argument("--chromium", help="the program")
    args.add_argument("--axe", type=Path, help="axe.min.js of axe-core: its rules are checked as well")
    args = args.parse_args()
    if args.screenshots:
        args.screenshots.mkdir(parents=True, exist_ok=True)
    axe = args.axe.read_text() if args.axe else None
    only = args.only.split(",") if args.only else None
    with tempfile.TemporaryDirectory(prefix="book-") as temporary, Chromium(args.chromium) as browser:
        folder = args.built or Path(temporary) / "book"
        if not args.built:
            build(folder)
        found = 0
        for page, theme, width, fault in check(browser, folder, only, args.screenshots, axe):
            found += 1
            print(f"{page}  {theme} {width}  {fault}", flush=True)
        print(f"{len(pages(folder, only))} pages, {len(VIEWS)} views each: {found or 'no'} fault{'s' * (found != 1)}")
        return found == 0


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
