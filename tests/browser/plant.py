"""Puts each known fault into a copy of the built book. The check must name it, and must have nothing to say without it."""

import shutil

PAGE = "ch02/index.html"  # has tables, drawings and a figure that can be played with
DIFFS = "ch02/cache.html"
END = "</main>"

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
    ("a figure's colour that is faint", PAGE, "css/book*.css", "--figure-five: #bb2229", "--figure-five: #ffdddd", "--figure-five has a contrast"),
    ("the marks are copied too", DIFFS, "js/listing*.js", "row.textContent.slice(mark ? mark.textContent.length : 0)", "row.textContent", "copies a mark"),
    ("removed lines are copied too", DIFFS, "js/listing*.js", 'row.tagName !== "DEL"', "true", "copies other than the code"),
    ("no copy button", DIFFS, "js/listing*.js", "caption.append(button);", "", "no copy button"),
    ("buttons that do nothing", PAGE, "js/kv-steps*.js", "if (clicked) go(clicked.dataset.to);", "", "a control changes nothing"),
    ("a button that lies under something", PAGE, "css/kv-steps*.css", "#kv-steps .kv-controls {", "#kv-steps .kv-controls { pointer-events: none;",
     "a control changes nothing"),
    ("a search that finds nothing", PAGE, "searcher*.js", "limit_results", "no_limit_results", "the search for 'rope' finds"),
    ("no dark theme", PAGE, PAGE, "navy", "light", "the theme is not navy"),
]


def all_seen(check, built, copy):
    blind = 0
    for page in sorted({page for _, page, *_ in FAULTS}):
        for fault in check(built, page):
            blind += 1
            print(f"a fault that nobody put in: {fault}")
    for name, page, pattern, old, new, words in FAULTS:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(built, copy)
        changed = [file for file in copy.glob(pattern) if old in file.read_text()]
        for file in changed:
            file.write_text(file.read_text().replace(old, new))
        seen = bool(changed) and any(words in fault for *_, fault in check(copy, page))
        blind += not seen
        print(f"{'seen' if seen else 'NOT SEEN' if changed else 'NOT PUT IN: its place is gone'}: {name}", flush=True)
    print(f"{len(FAULTS)} faults put in")
    return blind == 0
