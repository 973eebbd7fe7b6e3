"use strict";
// Code on a page: buttons that copy it as it should be, folds that open, boxes that show that they go on sideways.

(function () {
    const main = document.querySelector("main");
    const make = (tag, properties) => Object.assign(document.createElement(tag), properties);

    // What a screen reader says after a button has done its work.
    const said = make("div", { className: "said" });
    said.setAttribute("role", "status");
    document.body.append(said);

    // The new code: no removed lines, folded lines included. Marks are no text: the style shows them.
    function cleanCode(listing) {
        const left = (part) => part instanceof Element && part.matches("del, .gap, .fold, .beside");
        return Array.from(listing.querySelector(".rows").childNodes)
            .filter((part) => !left(part))
            .map((part) => part.textContent)
            .join("");
    }

    // The lines of a console block, and whether each is typed. A backslash at the end of one makes the next one typed too.
    function consoleLines(text) {
        let more = false;
        return text.replace(/\n$/, "").split("\n").map((line) => {
            const command = more || line.startsWith("$ ");
            more = command && line.endsWith("\\");
            return { line, command };
        });
    }

    // Of a console block the commands; of any other block all of it.
    function typed(text) {
        const commands = consoleLines(text).filter((one) => one.command);
        return commands.length ? commands.map((one) => one.line.replace(/^\$ /, "") + "\n").join("") : text;
    }

    function copyText(text) {
        if (navigator.clipboard && window.isSecureContext) {
            return navigator.clipboard.writeText(text);
        }
        // A book opened from the disk has no clipboard object.
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
    }

    function copyButton(label, text) {
        const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
        button.setAttribute("aria-label", label);
        const tell = (words) => {
            button.textContent = words;
            said.textContent = words;
            setTimeout(() => { button.textContent = "Copy"; said.textContent = ""; }, 1600);
        };
        button.addEventListener("click", () => copyText(text()).then(() => tell("Copied"), () => tell("Not copied")));
        return button;
    }

    // A letter of code in its colour, as in a listing: which kinds there are, and how each is recognised.
    const KINDS = /(\/\/.*)|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])')|('[a-z_]+\b)|(#!?\[.*?\])|\b(\d[\w.]*)|\b(as|async|await|break|const|continue|crate|else|enum|extern|fn|for|if|impl|in|let|loop|match|mod|move|mut|pub|ref|return|self|Self|static|struct|super|trait|type|unsafe|use|where|while)\b|\b([A-Z]\w*[a-z]\w*|[iuf](?:8|16|32|64|128|size)|bool|str|char)\b|\b(\w+)(?=!?\()/g;
    const CLASSES = ["c", "s", "l", "a", "n", "k", "t", "f"];
    function colour(code) {
        const parts = [];
        let end = 0;
        for (const match of code.textContent.matchAll(KINDS)) {
            const kind = CLASSES[match.slice(1).findIndex((part) => part !== undefined)];
            parts.push(match.input.slice(end, match.index), make("b", { className: kind, textContent: match[0] }));
            end = match.index + match[0].length;
        }
        code.replaceChildren(...parts, code.textContent.slice(end));
    }

    const tool = (words, label) => {
        const button = make("button", { type: "button", className: "copy", textContent: words });
        button.setAttribute("aria-label", label);
        return button;
    };

    for (const figure of main.querySelectorAll("figure.code")) {
        const listing = figure.querySelector("pre.listing");
        const caption = figure.querySelector("figcaption");
        if (!listing || !caption) continue;
        listing.dataset.name = caption.textContent.trim();
        const tools = make("span", { className: "tools" });
        const wrap = tool("Wrap", "Wrap long lines");
        wrap.classList.add("wrap-lines");
        wrap.setAttribute("aria-pressed", "false");
        wrap.addEventListener("click", () => wrap.setAttribute("aria-pressed", String(figure.classList.toggle("wrapped"))));
        tools.append(copyButton("Copy this code without marks", () => cleanCode(listing)), wrap);
        if (figure.id) {
            const link = make("a", { className: "copy here", href: "#" + figure.id, textContent: "#" });
            link.setAttribute("aria-label", "Link to this listing");
            tools.append(link);
        }
        caption.append(tools);
        const rows = listing.querySelector(".rows");
        for (const fold of rows.querySelectorAll(".fold")) {
            const inside = [];
            for (let row = fold.nextElementSibling; row?.matches(".folded"); row = row.nextElementSibling) inside.push(row);
            const words = fold.textContent;
            const show = (open) => {
                fold.textContent = (open ? "fold " : "") + words;
                fold.setAttribute("aria-expanded", String(open));
                for (const row of inside) {
                    row.classList.toggle("open", open);
                    if (open) row.removeAttribute("hidden");
                    else if ("onbeforematch" in document.body) row.setAttribute("hidden", "until-found");
                }
            };
            for (const row of inside) row.addEventListener("beforematch", () => show(true));
            fold.addEventListener("click", () => show(!inside[0].matches(".open")));
            show(false);
        }
    }

    for (const code of main.querySelectorAll("pre > code")) {
        const text = code.textContent;
        const isConsole = code.classList.contains("language-console");
        code.dataset.name = isConsole ? "Console" : "Text";
        if (code.classList.contains("language-rust")) colour(code);
        if (isConsole) {
            const lines = consoleLines(text);
            code.classList.toggle("commands", lines.every((one) => one.command));
            code.replaceChildren(...lines.flatMap(({ line, command }) => {
                if (!command) return [line + "\n"];
                const row = make("span", { className: "line" });
                if (line.startsWith("$ ")) row.append(make("span", { className: "prompt", textContent: "$ " }));
                // A line breaks between words, and not after the dashes of `--threads`; a word longer than a line still breaks.
                const words = line.replace(/^\$ /, "").split(/(?<= )/).map((word) => make("span", { className: "word", textContent: word }));
                const typing = make("b", {});
                typing.append(...words);
                row.append(typing, "\n");
                return [row];
            }));
        }
        const what = isConsole ? "Copy the commands" : "Copy this text";
        code.parentElement.append(copyButton(what, () => typed(text)));
    }

    // A line must not break after the dashes of `--kv`. Where a page has HTML, mdBook leaves quotation marks straight: they
    // become curly here, an x between numbers a sign, and the hyphen before a number a minus.
    for (const code of main.querySelectorAll(":not(pre) > code")) {
        if (code.textContent.length <= 16) code.classList.add("short");
        else code.innerHTML = code.innerHTML.replace(/(?<![\w-])--[\w-]+/g, '<span class="short">$&</span>');
    }
    const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    let last = { block: null, end: " " };
    for (const text of texts) {
        const block = text.parentElement.closest("p, li, td, th, summary, figcaption, text, h1, h2, h3, h4, div");
        const before = last.block === block ? last.end : " ";
        last = { block, end: text.data.slice(-1) };
        if (text.parentElement.closest("code, pre, math")) continue;
        const written = text.data
            .replace(/(^|[\s(\[\u2014])"/g, (all, space, at) => (at === 0 && !space && /[^\s(]/.test(before) ? all : space + "\u201c"))
            .replace(/"/g, "\u201d")
            .replace(/'/g, "\u2019")
            .replace(/(\d) x (?=\d)/g, "$1 \u00d7 ")
            .replace(/(^|[\s(\[=])-(?=\d)/g, "$1\u2212");
        if (written !== text.data) text.data = written;
    }

    // The corner of a table is no heading of anything.
    for (const corner of main.querySelectorAll("th:empty")) {
        const cell = document.createElement("td");
        if (corner.hasAttribute("style")) cell.setAttribute("style", corner.getAttribute("style"));
        corner.replaceWith(cell);
    }

    // What scrolls sideways says so: it fades where it goes on, the keyboard can reach it, and the arrows stay in it.
    for (const table of main.querySelectorAll(".table-wrapper")) table.dataset.name = "Table";
    for (const formula of main.querySelectorAll(".formula")) formula.dataset.name = "Formula";
    for (const figure of main.querySelectorAll("figure.wide")) figure.dataset.name = "Figure";
    const boxes = main.querySelectorAll("[data-name]");

    function look(box) {
        const more = box.scrollWidth - box.clientWidth;
        const wide = more > 1;
        const at = Math.abs(box.scrollLeft);
        box.classList.toggle("goes-on", wide);
        box.classList.toggle("before", wide && at > 1);
        box.classList.toggle("after", wide && at < more - 1);
        for (const [name, value] of [["tabindex", "0"], ["role", "group"], ["aria-label", box.dataset.name]]) {
            if (wide) box.setAttribute(name, value);
            else box.removeAttribute(name);
        }
    }

    const changes = new ResizeObserver((entries) => { for (const entry of entries) look(entry.target); });
    for (const box of boxes) {
        changes.observe(box);
        box.addEventListener("scroll", () => look(box), { passive: true });
        box.addEventListener("click", (event) => { if (event.target.closest(".fold")) look(box); });
        box.addEventListener("keydown", (event) => {
            const arrow = event.key === "ArrowLeft" || event.key === "ArrowRight";
            // mdBook would turn the page.
            if (arrow && event.target === box) event.stopPropagation();
        });
    }

    // On paper every answer is open, and afterwards as it was.
    let opened = [];
    window.addEventListener("beforeprint", () => {
        opened = Array.from(main.querySelectorAll("details:not([open])"));
        for (const one of opened) one.open = true;
    });
    window.addEventListener("afterprint", () => {
        for (const one of opened) one.open = false;
    });
})();
