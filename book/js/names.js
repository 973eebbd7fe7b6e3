"use strict";
// A line must not break inside a name such as Qwen3-0.6B or AVX-512. The text keeps its plain hyphen, so that searching finds it.

(function () {
    const NAME = /Qwen3-[0-9.]+B|AVX-\w+|FMA-\d+|Ctrl-C/;
    const main = document.querySelector("main");
    if (!main) return;
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const text = walker.currentNode;
        if (NAME.test(text.data) && !text.parentElement.closest("pre, code, svg")) found.push(text);
    }
    for (let text of found) {
        for (let match = NAME.exec(text.data); match; match = NAME.exec(text.data)) {
            const name = text.splitText(match.index);
            text = name.splitText(match[0].length);
            const span = document.createElement("span");
            span.style.whiteSpace = "nowrap";
            name.replaceWith(span);
            span.append(name);
        }
    }
})();
