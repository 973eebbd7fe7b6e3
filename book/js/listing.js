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

    for (const figure of main.querySelectorAll("figure.code")) {
        const listing = figure.querySelector("pre.listing");
        const caption = figure.querySelector("figcaption");
        if (!listing || !caption) continue;
        listing.dataset.name = caption.textContent.trim();
        caption.append(copyButton("Copy this code without marks", () => cleanCode(listing)));
        const rows = listing.querySelector(".rows");
        const open = () => {
            rows.classList.add("unfolded");
            for (const fold of rows.querySelectorAll(".fold")) fold.remove();
            for (const row of rows.querySelectorAll(".folded[hidden]")) row.removeAttribute("hidden");
        };
        for (const fold of rows.querySelectorAll(".fold")) fold.addEventListener("click", open);
        if ("onbeforematch" in document.body) {
            for (const row of rows.querySelectorAll(".folded")) row.setAttribute("hidden", "until-found");
            rows.addEventListener("beforematch", open);
        }
    }

    for (const code of main.querySelectorAll("pre > code")) {
        const text = code.textContent;
        const isConsole = code.classList.contains("language-console");
        code.dataset.name = isConsole ? "Console" : "Text";
        if (isConsole) {
            const lines = consoleLines(text);
            code.classList.toggle("commands", lines.every((one) => one.command));
            // Also takes away the colours that mdBook gave to words that only look like a shell's.
            code.replaceChildren(...lines.flatMap(({ line, command }) => {
                if (!command) return [line + "\n"];
                const row = make("span", { className: "line" });
                if (line.startsWith("$ ")) row.append(make("span", { className: "prompt", textContent: "$ " }));
                row.append(make("b", { textContent: line.replace(/^\$ /, "") }), "\n");
                return [row];
            }));
        }
        const what = isConsole ? "Copy the commands" : "Copy this text";
        code.parentElement.append(copyButton(what, () => typed(text)));
    }

    // A line must not break after the dashes of `--kv`. Where a page has HTML, mdBook leaves quotation marks straight: they
    // become curly here, and an x between numbers a sign.
    for (const code of main.querySelectorAll(":not(pre) > code")) {
        if (code.textContent.length <= 16) code.classList.add("short");
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
            .replace(/(\d) x (?=\d)/g, "$1 \u00d7 ");
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
