"""Puts each known fault into a copy of the built book. The check must name it, and must have nothing to say without it."""

import shutil

PAGE = "ch02/index.html"  # has tables, drawings and a figure that can be played with
DIFFS = "ch02/cache.html"
ENGINE = "engine/index.html"
RACE, HEADS, ROAD = "introduction.html", "ch00/attention.html", "ground/sampling.html"
FOLDS = "ch02/model.html"
FORMULAS = "ch00/product.html"
CONSOLES = "introduction.html"
GUESSES = "ch14/guess.html"
END = "</main>"
# After the book's own scripts have mended what they can
LATE = "<script>addEventListener('load', () => document.querySelector('main').insertAdjacentHTML('beforeend', '<p>{}</p>'))</script></main>"

# name, the page that is looked at, the file, what stands there, what comes in its place, what the check must say
FAULTS = [
    ("a wide table", PAGE, PAGE, END, "<table><tr><td><div style='width:1500px'>wide</div></td></tr></table></main>", "sideways"),
    ("a line that does not break", PAGE, PAGE, END, "<p style='white-space:nowrap'>" + "word " * 60 + "</p></main>", "sideways"),
    ("a wide table behind a question", PAGE, PAGE, END,
     "<details><summary>?</summary><table><tr><td><div style='width:1500px'>wide</div></td></tr></table></details></main>", "sideways"),
    ("a script that breaks", PAGE, "js/listing*.js", '"use strict";', '"use strict"; throw new Error("planted");', "a script fails: Error: planted"),
    ("a script that complains", PAGE, "js/listing*.js", '"use strict";', '"use strict"; console.warn("planted");', "the console says, warning: planted"),
    ("a dead image", PAGE, PAGE, END, "<img src='nowhere.png' alt=''></main>", "a request fails with 404"),
    ("an image of another host", PAGE, PAGE, END, "<img src='https://example.org/a.png' alt=''></main>", "a request to another host: https://example.org/a.png"),
    ("an entity that was escaped twice", PAGE, PAGE, END, "<p>4&amp;nbsp;bytes</p></main>", "a reader sees “&nbsp;”"),
    ("an include of nothing", PAGE, PAGE, END, "<p>{{#include gone.md}}</p></main>", "a reader sees “{{#include gone.md}}”"),
    ("faint text in a page", PAGE, PAGE, END, "<p style='color:#888'>faint</p></main>", "faint text"),
    ("faint text in a drawing", PAGE, PAGE, END,
     "<svg viewBox='0 0 100 40'><rect width='100' height='40' fill='#333'/><text x='9' y='30' fill='#444'>faint</text></svg></main>", "faint text"),
    ("small text in a drawing", PAGE, PAGE, END, "<svg viewBox='0 0 800 40'><text x='9' y='30' fill='#777'>small</text></svg></main>", "small text in a figure"),
    ("text on text", PAGE, PAGE, END, "<svg viewBox='0 0 300 40'><text x='9' y='30'>one</text><text x='12' y='30'>two</text></svg></main>", "text lies on text"),
    ("text over the edge of its drawing", PAGE, PAGE, END, "<svg viewBox='0 0 300 40'><text x='280' y='30'>too long</text></svg></main>", "text is cut off"),
    ("a figure's colour that is missing", PAGE, "css/book*.css", "--figure-six", "--figure-sixth", "no --figure-six"),
    ("a figure's colour that is faint", PAGE, "css/book*.css", "--figure-five: light-dark(#bb2229", "--figure-five: light-dark(#ffdddd", "--figure-five has a contrast"),
    ("the marks are copied too", DIFFS, DIFFS, "<ins>", "<ins>+", "copies a mark"),
    ("removed lines are copied too", DIFFS, "js/listing*.js", 'part.matches("del, .gap', 'part.matches(".gap', "copies other than the code"),
    ("no copy button", DIFFS, "js/listing*.js", 'tools.append(copyButton("Copy this', 'void (copyButton("Copy this', "no copy button"),
    ("a console block that copies its output", CONSOLES, "js/listing*.js", "return commands.length ? commands", "return false ? commands", "copies other than the commands"),
    ("a copy that is told to nobody", DIFFS, "js/listing*.js", "said.textContent = words;", "", "nobody is told"),
    ("a card without a title", PAGE, PAGE, "<small>Next</small>", "<i></i><!--", "a card without a title"),
    ("a straight quotation mark", PAGE, PAGE, END, LATE.format("a &quot;word&quot;"), "a reader sees “\"word”"),
    ("a letter for a sign", PAGE, PAGE, END, LATE.format("2 x 6"), "a reader sees “2 x 6”"),
    ("another font than the book's", PAGE, "css/book*.css", '"Open Sans", "Noto', '"Noto', "not written in Open Sans"),
    ("a listing with every word underlined", DIFFS, "css/book*.css", "figure:not(.code) pre b", "figure pre b", "words of listings are underlined"),
    ("a guess without its line", GUESSES, "css/book*.css", "text-decoration: underline; }", "}", "a guess that is told by its colour alone"),
    ("a formula in the font of the text", FORMULAS, "css/book*.css", "math { font-family: var(--math-font); }", "", "a formula without a font"),
    ("large text in a drawing", PAGE, PAGE, END, "<svg viewBox='0 0 100 40' width='400'><text x='9' y='30'>large</text></svg></main>", "large text in a figure"),
    ("a box that does not show that it scrolls", DIFFS, "js/listing*.js", 'box.classList.toggle("goes-on", wide);', "", "scrolls and does not show it"),
    ("a box that the keyboard cannot reach", DIFFS, "js/listing*.js", '[["tabindex", "0"], ', "[", "the keyboard cannot reach it"),
    ("a landmark for every listing", DIFFS, "js/listing*.js", '["role", "group"]', '["role", "region"]', "a landmark"),
    ("an arrow that turns the page", DIFFS, "js/listing*.js", "if (arrow && event.target === box) event.stopPropagation();", "", "an arrow in it turns the page"),
    ("a drawing that does not hear the arrows", PAGE, "js/kv-steps*.js", "steps.tabIndex = 0;", "", "does not step on"),
    ("off and on below each other", PAGE, "js/kv-steps*.js", 'y="16" font-weight', 'y="${cache ? 16 : 60}" font-weight', "not side by side"),
    ("buttons for a mouse", PAGE, "css/kv-steps*.css", "min-height: 44px; ", "", "a button of"),
    ("a note that lies on the text", PAGE, "css/book*.css", "float: inline-end;", "float: inline-end; position: relative; inset-inline-end: 60rem;", "lies on"),
    ("an empty margin", "ch02/compare.html", "css/book*.css", "@container (min-width: 137rem)", "@container (min-width: 937rem)", "no note is in the margin"),
    ("a sidebar on paper", PAGE, "css/book*.css", "#mdbook-sidebar, #mdbook-menu-bar, #mdbook-menu-bar-hover", "#mdbook-menu-bar-hover", "on paper"),
    ("code that is cut off on paper", PAGE, PAGE, END, "<pre><code style='white-space: pre'>" + "word " * 60 + "</code></pre></main>", "cut off on paper"),
    ("an answer that is shut on paper", PAGE, "css/book*.css", "details::details-content {", "details::no-content {", "hidden on paper"),
    ("a dark sheet", PAGE, "css/book*.css", "--bg: #fff; --fg: #000; --links", "--links", "on paper the text is not dark on white"),
    ("a fold that only a script opens", FOLDS, "css/book*.css", ".js pre.listing .rows:not(.unfolded) > .folded {", "pre.listing .rows > .folded {", "hidden without a script"),
    ("a button that needs a script", FOLDS, "css/book*.css", "html:not(.js) pre.listing .fold { display: none; }", "", "a button without a script"),
    ("a listing of the other theme", DIFFS, "css/book*.css", "--listing-bg: light-dark(#f8f8f5, #14181f)", "--listing-bg: #f8f8f5", "in the colours of another theme"),
    ("buttons that do nothing", PAGE, "js/kv-steps*.js", "if (clicked) go(clicked.dataset.to);", "", "a control changes nothing"),
    ("a button that lies under something", PAGE, "css/kv-steps*.css", "#kv-steps .kv-controls {", "#kv-steps .kv-controls { pointer-events: none;",
     "a control changes nothing"),
    ("an image that says nothing", PAGE, PAGE, END, "<img src='data:image/gif;base64,R0lGODlhAQABAAAAACw='></main>", "axe: image-alt"),
    ("a search that finds nothing", PAGE, "searcher*.js", "limit_results", "no_limit_results", "the search for 'KV cache'"),
    ("a model with one bit changed", ENGINE, "engine/worker.js", "give(engine, new Uint8Array(files.bytes));",
     "const all = new Uint8Array(files.bytes); all[3000000] ^= 1; give(engine, all);", "the logits have the digest"),
    ("an engine that loses words", ENGINE, "engine/lab.js", "now.text += data.step.text;", "now.text += data.step.text.trim();", "the engine writes"),
    ("weights of another head", ENGINE, "engine/worker.js", "attention(layer, head, position);", "attention(layer, head ^ 1, position);", "the head that copies"),
    ("a page that waits for the engine", ENGINE, "engine/lab.js", "        facts.replaceChildren(table());",
     "        for (const end = performance.now() + 600; performance.now() < end;);", "the page is frozen"),
    ("an engine that is fetched again", ENGINE, "engine/core.js", "files ??=", "files =", "with no network"),
    ("a control without a key", ENGINE, "engine/lab.js", '{ type: "range",', '{ tabIndex: -1, type: "range",', "the keyboard does not reach step"),
    ("an arrow in the frame that turns the page", ENGINE, "engine/core.js", "event.stopPropagation(); });", "void 0; });", "turns the page"),
    ("a refusal that nobody shows", ENGINE, "engine/lab.js", "ended(error.message, true);", "void 0;", "when a file does not come"),
    ("an engine that comes unasked", RACE, "engine/core.js", "    place.prepend(live);", "    load(); place.prepend(live);", "fetched before a press"),
    ("a race against itself", RACE, "engine/worker.js", "{ ...request, cache }", "{ ...request, cache: true }", "the blocks of the race are"),
    ("a thread whose death nobody notices", RACE, "engine/core.js", "QUIET = 10000", "QUIET = 1000000", "died in silence"),
    ("a fault without a name", RACE, "engine/core.js", 'event.message || "its thread could not start, or ended"', '"?"', "a policy that forbids workers"),
    ("maps of other heads", HEADS, "engine/heads.js", "weights[row][layer][head]", "weights[row][layer][head ^ 1]", "the head that copies"),
    ("another road than the one that was pressed", ROAD, "engine/worker.js", "engine.branch(kept, id)", "engine.branch(kept, id ^ 1)", "the other road ends with"),
    ("no dark theme", PAGE, PAGE, "navy", "light", "the theme is not navy"),
]


def all_seen(check, built, copy, only=None, axe=False):
    """`only`: parts of faults' names. `axe`: are the rules of axe-core checked too?"""
    blind = 0
    faults = [fault for fault in FAULTS if not only or any(word in fault[0] for word in only)]
    faults = [fault for fault in faults if axe or not fault[-1].startswith("axe")]
    for page in sorted({page for _, page, *_ in faults}):
        for fault in check(built, page):
            blind += 1
            print(f"a fault that nobody put in: {fault}")
    for name, page, pattern, old, new, words in faults:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(built, copy)
        changed = [file for file in copy.glob(pattern) if old in file.read_text()]
        for file in changed:
            file.write_text(file.read_text().replace(old, new))
        seen = bool(changed) and any(words in fault for *_, fault in check(copy, page))
        blind += not seen
        print(f"{'seen' if seen else 'NOT SEEN' if changed else 'NOT PUT IN: its place is gone'}: {name}", flush=True)
    print(f"{len(faults)} faults put in")
    return blind == 0
