"use strict";
// What the check asks a page of the book, from within. Each function gives a list of faults, in words.

(function () {
    const main = () => document.querySelector("main");
    const name = (element) => {
        const id = element.id ? "#" + element.id : "";
        const kind = typeof element.className === "string" && element.className ? "." + element.className.trim().split(/\s+/).join(".") : "";
        const words = element.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
        return `<${element.tagName.toLowerCase()}${id}${kind}> “${words}”`;
    };
    const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowX);

    // The page must not scroll sideways. A table, a listing or a figure may, inside its own box.
    function sideways(width) {
        const faults = [];
        const all = document.scrollingElement.scrollWidth;
        if (all > width) faults.push(`scrolls sideways: ${all} px wide`);
        // mdBook puts the page into boxes of its own; they would scroll unseen by the window.
        for (let box = main(); box; box = box.parentElement) {
            const more = box.scrollWidth - box.clientWidth;
            if (more > 1 && scrolls(box)) faults.push(`scrolls sideways by ${more} px: <${box.tagName.toLowerCase()}>`);
        }
        const look = (element) => {
            const box = element.getBoundingClientRect();
            if (box.width > 0 && (box.right > width + 1 || box.left < -1)) {
                faults.push(`reaches sideways over the edge, from ${Math.round(box.left)} to ${Math.round(box.right)}: ${name(element)}`);
                return;
            }
            if (scrolls(element) || element instanceof SVGElement) return;
            for (const child of element.children) look(child);
        };
        for (const child of main().children) look(child);
        return faults;
    }

    // What some step of the making should have turned into something else.
    function leftovers() {
        const faults = [];
        const walk = document.createTreeWalker(main(), NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
            if (walk.currentNode.parentElement.closest("code, pre")) continue;
            const found = walk.currentNode.data.match(/&#?\w+;|\{\{#.*?\}\}|\d x \d|[\w.,]*["'][\w.,]*/);
            if (found) faults.push(`a reader sees “${found[0]}”`);
        }
        return faults;
    }

    const drawings = () => Array.from(main().querySelectorAll("svg"));
    const texts = (svg) => Array.from(svg.querySelectorAll("text")).filter((text) => text.textContent.trim());

    // Letters of a figure are no larger than those of the text around it.
    function largeText() {
        const faults = [];
        const most = parseFloat(getComputedStyle(main()).fontSize) * 1.06;
        for (const svg of drawings()) {
            if (svg.closest(".cover")) continue;
            for (const text of texts(svg).filter((one) => /\w/.test(one.textContent))) {
                const grid = text.getScreenCTM();
                const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(grid.a, grid.b);
                if (size > most) { faults.push(`large text in a figure, ${size.toFixed(1)} px: “${text.textContent.trim()}”`); break; }
            }
        }
        return faults;
    }

    // The fonts are those that the book brings, and formulas ask for one that has large brackets and roots.
    function fonts() {
        const faults = [];
        for (const [family, where] of [["Open Sans", main()], ["Source Code Pro", main().querySelector("code")]]) {
            if (!where) continue;
            if (!getComputedStyle(where).fontFamily.includes(family)) faults.push(`not written in ${family}: ${name(where)}`);
            if (!Array.from(document.fonts).some((font) => font.family.includes(family) && font.status === "loaded")) {
                faults.push(`${family} was not loaded`);
            }
        }
        for (const formula of main().querySelectorAll("math")) {
            if (!/Latin Modern Math.*STIX Two Math/.test(getComputedStyle(formula).fontFamily)) {
                faults.push(`a formula without a font for mathematics: ${name(formula)}`);
                break;
            }
        }
        return faults;
    }

    // A line under a word means that it was guessed. In a listing words have colours, and no lines.
    function underlines() {
        const words = (where) => Array.from(main().querySelectorAll(`${where} b`));
        const underlined = (word) => getComputedStyle(word).textDecorationLine.includes("underline");
        const listed = words("figure.code pre").filter(underlined);
        const faults = listed.length ? [`${listed.length} words of listings are underlined: ${name(listed[0])}`] : [];
        if (words("figure:not(.code) pre").some((word) => !underlined(word))) faults.push("a guess that is told by its colour alone");
        return faults;
    }

    // What scrolls sideways shows it, can be reached by keyboard, has a name, and keeps the arrows to itself.
    function scrollers() {
        const faults = [];
        let reached = false;
        const stop = (event) => { reached = true; event.stopPropagation(); };
        document.documentElement.addEventListener("keydown", stop);
        for (const box of main().querySelectorAll("*")) {
            if (box instanceof SVGElement || !scrolls(box) || box.scrollWidth - box.clientWidth <= 1 || !box.checkVisibility()) continue;
            if (!box.matches(".goes-on.after, .goes-on.before")) faults.push(`scrolls and does not show it: ${name(box)}`);
            if (box.tabIndex !== 0 || !box.getAttribute("aria-label") || !box.getAttribute("role")) {
                faults.push(`scrolls, and the keyboard cannot reach it or it has no name: ${name(box)}`);
            }
            reached = false;
            box.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
            if (reached) faults.push(`an arrow in it turns the page: ${name(box)}`);
        }
        document.documentElement.removeEventListener("keydown", stop);
        if (main().querySelector("[role=region]")) faults.push("a part of the page is a landmark");
        return faults;
    }

    // Where one is and what comes next, in words; and the first link leads to the text.
    function around() {
        const faults = [];
        for (const link of document.querySelectorAll(".turn a")) {
            if (!link.textContent.replace(/Before|Next/, "").trim() || !link.checkVisibility()) faults.push(`a card without a title: ${name(link)}`);
        }
        if (!document.querySelector(".turn a") && !location.pathname.endsWith("404.html")) faults.push("no card for the page before or the next one");
        const first = document.querySelector("a[href], button, input:not([hidden]), [tabindex='0']");
        if (first?.getAttribute("href") !== "#mdbook-content") faults.push(`the first that Tab reaches is ${name(first)}`);
        return faults;
    }

    // On paper: nothing but the text, nothing cut off, every answer open.
    function onPaper() {
        const faults = [];
        for (const part of document.querySelectorAll("#mdbook-sidebar, #mdbook-menu-bar, .turn, .copy, .fold")) {
            if (part.checkVisibility()) { faults.push(`on paper: ${name(part)}`); break; }
        }
        const wrapper = document.querySelector("#mdbook-page-wrapper").getBoundingClientRect();
        if (wrapper.left > 1) faults.push(`on paper the text begins at ${Math.round(wrapper.left)} px`);
        for (const box of main().querySelectorAll("pre, pre > code, pre .rows")) {
            const right = box.parentElement.getBoundingClientRect().right;
            if (box.scrollWidth > box.clientWidth + 1 || box.getBoundingClientRect().right > right + 1) {
                faults.push(`cut off on paper: ${name(box)}`);
                break;
            }
        }
        for (const row of main().querySelectorAll(".folded, details > :not(summary)")) {
            if (!row.closest(".engine-live") && !row.checkVisibility({ contentVisibilityAuto: true })) { faults.push(`hidden on paper: ${name(row)}`); break; }
        }
        const [ink, paper] = [colour(getComputedStyle(main()).color), ground(main())];
        if (light(paper) < 0.9 || contrast(ink, paper) < 12) faults.push("on paper the text is not dark on white");
        return faults;
    }

    // Without scripts: nothing that only a script could open, and no button that does nothing.
    function withoutScripts() {
        const faults = [];
        for (const row of main().querySelectorAll(".folded")) { // in a closed box it is a press away
            if (!row.closest("details:not([open])") && !row.checkVisibility()) { faults.push(`hidden without a script: ${name(row)}`); break; }
        }
        for (const button of main().querySelectorAll("button")) {
            if (button.checkVisibility()) { faults.push(`a button without a script: ${name(button)}`); break; }
        }
        const dark = light(ground(main())) < 0.2;
        const listing = main().querySelector("figure.code, pre > code");
        if (listing && dark !== light(ground(listing)) < 0.2) faults.push(`a listing in the colours of another theme: ${name(listing)}`);
        return faults;
    }

    // Beside the text, on a wide screen: notes lie on nothing.
    function margin() {
        const faults = [];
        const blocks = Array.from(main().children).filter((block) => block.checkVisibility());
        const notes = blocks.filter((block) => getComputedStyle(block).float !== "none");
        const beside = blocks.filter((block) => block.matches("details, aside") && !block.querySelector("pre, table, figure, .formula, ul, ol") &&
            block.previousElementSibling.matches("p") && block.nextElementSibling?.matches("p"));
        if (beside.length && !notes.length) faults.push(`no note is in the margin: ${name(beside[0])}`);
        for (const note of notes) {
            const a = note.getBoundingClientRect();
            for (const block of blocks) {
                const b = block.getBoundingClientRect();
                const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                if (block !== note && wide > 1 && high > 1) faults.push(`lies on ${name(block)}: ${name(note)}`);
            }
        }
        return faults;
    }

    // The figure with the cache off and on, on a phone: side by side.
    function besideEachOther() {
        const figure = main().querySelector("#kv-steps");
        if (!figure) return [];
        const [off, on] = ["Cache off", "Cache on"].map((words) =>
            Array.from(figure.querySelectorAll("text")).find((text) => text.textContent === words)?.getBoundingClientRect().top);
        return Math.abs(off - on) <= 2 ? [] : ["off and on are not side by side"];
    }

    async function axe(theme) {
        const root = document.documentElement;
        const before = root.className;
        root.className = before.replace(/\b(light|rust|coal|navy|ayu)\b/g, "") + " " + theme;
        // Only colours depend on the theme.
        const rules = theme === "light" ? {} : { runOnly: ["color-contrast"] };
        const found = await window.axe.run(document, { resultTypes: ["violations"], ...rules });
        root.className = before;
        return found.violations.map((fault) => {
            const first = fault.nodes[0].target.join(" ");
            return `axe: ${fault.id}, ${fault.nodes.length} times, first at ${first}`;
        });
    }

    function smallText(least) {
        const faults = [];
        for (const svg of drawings()) {
            let smallest = Infinity, which = "";
            for (const text of texts(svg)) {
                const grid = text.getScreenCTM();
                for (const part of [text, ...text.querySelectorAll("tspan")]) {
                    const size = parseFloat(getComputedStyle(part).fontSize) * Math.hypot(grid.a, grid.b);
                    if (size < smallest) [smallest, which] = [size, part.textContent.trim()];
                }
            }
            if (smallest < least) faults.push(`small text in a figure, ${smallest.toFixed(1)} px: “${which}”`);
        }
        return faults;
    }

    // Text on text, and text that is cut off by the edge of its drawing.
    function clashes() {
        const faults = [];
        for (const svg of drawings()) {
            const frame = svg.getBoundingClientRect();
            const boxes = texts(svg).map((text) => [text.textContent.trim(), text.getBoundingClientRect()]);
            for (const [words, box] of boxes) {
                const over = Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom);
                if (over > 2) faults.push(`text is cut off by ${over.toFixed(0)} px: “${words}”`);
            }
            // The box around a turned text is mostly empty.
            const upright = boxes.filter((_, index) => texts(svg)[index].getScreenCTM().b === 0);
            upright.forEach(([one, a], index) => {
                for (const [other, b] of upright.slice(index + 1)) {
                    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
                    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
                    if (wide > 2 && high > 0.42 * Math.min(a.height, b.height)) faults.push(`text lies on text: “${one}” and “${other}”`);
                }
            });
        }
        return faults;
    }

    // Colours, as [red, green, blue, opacity].
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const known = new Map();
    function colour(css) {
        if (!known.has(css)) {
            canvas.clearRect(0, 0, 1, 1);
            canvas.fillStyle = css;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
            known.set(css, [r, g, b, a / 255]);
        }
        return known.get(css);
    }
    const over = (top, below, opacity) => {
        const a = top[3] * opacity;
        return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)).concat(1);
    };
    const light = (c) => {
        const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);

    function ground(element) {
        const above = element.parentElement ? ground(element.parentElement) : [255, 255, 255, 1];
        return over(colour(getComputedStyle(element).backgroundColor), above, 1);
    }

    // What is painted under the middle of a text in a drawing.
    function under(text, svg) {
        const box = text.getBoundingClientRect();
        const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        let paint = ground(svg);
        for (const shape of stack.reverse()) {
            if (!svg.contains(shape) || shape === svg || shape.closest("text")) continue;
            const style = getComputedStyle(shape);
            if (style.fill !== "none") paint = over(colour(style.fill), paint, style.fillOpacity * style.opacity);
        }
        return paint;
    }

    function faintText() {
        const worst = new Map();
        const judge = (element, ink, paper, large) => {
            const ratio = contrast(over(ink, paper, 1), paper);
            if (ratio >= (large ? 3 : 4.5)) return;
            const key = `${element.tagName}.${element.getAttribute("class")} ${ink} ${paper}`;
            if (!worst.has(key)) worst.set(key, `faint text, contrast ${ratio.toFixed(1)}: ${name(element)}`);
        };
        const walk = document.createTreeWalker(main(), NodeFilter.SHOW_TEXT);
        const seen = new Set();
        while (walk.nextNode()) {
            const element = walk.currentNode.parentElement;
            if (!walk.currentNode.data.trim() || seen.has(element) || element.closest("svg") || !element.checkVisibility()) continue;
            seen.add(element);
            const style = getComputedStyle(element);
            const size = parseFloat(style.fontSize);
            judge(element, colour(style.color), ground(element), size >= 24 || (size >= 18.6 && style.fontWeight >= 700));
        }
        for (const svg of drawings()) {
            for (const text of texts(svg)) {
                text.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
                judge(text, colour(getComputedStyle(text).fill), under(text, svg), false);
            }
        }
        scrollTo({ top: 0, behavior: "instant" });
        return Array.from(worst.values());
    }

    // Each colour that figures are drawn with must stand out from the page, in every theme of mdBook.
    function themeColours(themes, names) {
        const root = document.documentElement;
        const before = root.className;
        const faults = [];
        for (const theme of themes) {
            root.className = before.replace(/\b(light|rust|coal|navy|ayu)\b/g, "") + " " + theme;
            const paper = ground(main());
            for (const variable of names) {
                // As a colour, and not as the words of the style.
                const tried = document.createElement("i");
                tried.style.color = "transparent";
                tried.style.backgroundColor = `var(${variable}, transparent)`;
                main().append(tried);
                const css = getComputedStyle(tried).backgroundColor;
                tried.remove();
                const seen = colour(css);
                const there = seen[3] > 0;
                const ratio = there ? contrast(seen, paper) : 0;
                if (ratio < 3) faults.push(there ? `theme ${theme}: ${variable} has a contrast of ${ratio.toFixed(1)}` : `theme ${theme}: no ${variable}`);
            }
        }
        root.className = before;
        return faults;
    }

    // Every button of a listing, and what it should put on the clipboard.
    async function copies() {
        const faults = [];
        let copied = null;
        const clipboard = { writeText: (text) => { copied = text; return Promise.resolve(); } };
        Object.defineProperty(navigator, "clipboard", { value: clipboard, configurable: true });
        for (const figure of main().querySelectorAll("figure.code")) {
            const button = figure.querySelector("button.copy");
            if (!button) { faults.push(`no copy button: ${name(figure)}`); continue; }
            let expected = "";
            for (const part of figure.querySelector(".rows").childNodes) {
                const left = part instanceof Element && part.matches("del, .gap, .fold, .beside");
                if (!left) expected += part.textContent;
            }
            copied = null;
            button.click();
            await Promise.resolve();
            await Promise.resolve();
            const said = document.querySelector("[role=status].said");
            if (!said || said.textContent !== "Copied") faults.push(`nobody is told that it was copied: ${name(figure)}`);
            if (copied !== expected) faults.push(`copies other than the code: ${name(figure)}`);
            const marked = (copied || "").split("\n").find((line) => /^[+\u2212]/.test(line));
            if (marked !== undefined) faults.push(`copies a mark: “${marked}”`);
        }
        for (const code of main().querySelectorAll("pre > code")) {
            const button = code.parentElement.querySelector("button.copy");
            if (!button) { faults.push(`no copy button: ${name(code)}`); continue; }
            let more = false;
            const commands = code.textContent.split("\n").filter((line) => {
                const command = more || line.startsWith("$ ");
                more = command && line.endsWith("\\");
                return command;
            });
            const isConsole = code.classList.contains("language-console") && commands.length;
            const expected = isConsole ? commands.map((line) => line.replace(/^\$ /, "") + "\n").join("") : code.textContent;
            copied = null;
            button.click();
            await Promise.resolve();
            if (copied !== expected) faults.push(`copies other than the commands: ${name(code)}`);
        }
        delete navigator.clipboard;
        return faults;
    }

    // Handles of drawings. A finger needs 44 pixels.
    const handle = (index) => main().querySelectorAll(".handle")[index];
    const figureOf = (index) => handle(index).closest("figure");
    function hold(index) {
        handle(index).scrollIntoView({ block: "center", behavior: "instant" });
        const box = handle(index).getBoundingClientRect();
        return { x: box.left + box.width / 2, y: box.top + box.height / 2, small: box.width < 43.5 };
    }

    // The frame with the engine. `engine` presses Run as a hand would, and looks at every frame of the screen meanwhile.
    const inFrame = (selector) => main().querySelector(`.engine[data-live=lab] ${selector}`);
    const digests = () => Array.from(inFrame(".facts").querySelectorAll("tr:last-child td:not(:first-child)"), (cell) => cell.textContent);
    async function engine({ prompt = "Once upon a time", cache = "both", limit = 24, chapter = 2, past = false, stop = 0, again = false }) {
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        const [run, halt] = inFrame("form").querySelectorAll("button");
        inFrame("textarea").value = prompt;
        inFrame(`input[value=${cache}]`).checked = true;
        if (inFrame("input[type=number]")) {
            inFrame("input[type=number]").value = limit;
            inFrame("[id$=chapter]").value = chapter;
            inFrame("[id$=past]").checked = past;
        }
        const says = inFrame(".says");
        says.textContent = "";
        const start = performance.now();
        let [last, gap, first] = [start, 0, null];
        run.click();
        if (again) setTimeout(() => run.click(), 200);
        if (stop) setTimeout(() => halt.click(), stop);
        while (last < start + 50000) {
            await frame();
            const now = performance.now();
            gap = Math.max(gap, now - last);
            last = now;
            if (first === null && inFrame(".reply span").textContent) first = now - start;
            // A second Run is on its way.
            if (again && now < start + 400) continue;
            if (says.textContent && halt.hidden) break;
        }
        await frame();
        await frame();
        return {
            gap, first, begun: start, all: last - start, says: says.textContent, fault: says.matches(".fault"), digests: digests(),
            text: inFrame(".reply").textContent, tokens: Number(inFrame(".facts tr:first-child td:last-child")?.textContent),
            speed: Number(inFrame(".facts tbody tr:nth-child(3) td:last-child")?.textContent.replace(",", "")),
        };
    }

    // One step, as a layer's head sees it.
    async function engineLook(step, layer, head) {
        const set = (name, value, event) => Object.assign(inFrame(`[id$=${name}]`), { value }).dispatchEvent(new Event(event));
        set("layer", layer, "change");
        set("head", head, "change");
        set("step", step, "input");
        await new Promise((done) => setTimeout(done, 700));
        return Array.from(inFrame(".inside").querySelectorAll("p"), (part) => part.textContent).join("\n");
    }

    // What the key Tab must reach: of radio buttons the chosen one. Each with a short name.
    const called = (control) => control?.id.replace(/^engine-\d+-/, "") || control?.getAttribute("role") || control?.type || control?.textContent.slice(0, 20) || "";
    const reachable = () => Array.from(inFrame(".engine-live").querySelectorAll("textarea, select, input:not([type=radio]), input:checked, button, summary, [role=option][tabindex='0']"))
        .filter((control) => control.checkVisibility());
    const labelOf = (control) => (control?.tagName === "BUTTON" ? control.textContent : called(control));
    // With a name: the focus goes there. What the frame shows, and what is set.
    function engineState(name) {
        if (name) reachable().find((control) => labelOf(control) === name).focus();
        return inFrame(".engine-live").textContent + Array.from(inFrame("form").elements, (one) => `${one.value} ${one.checked}`) + inFrame("[id$=step]").value;
    }

    window.bookProbe = {
        engine, engineLook, engineState, engineControls: () => reachable().map(labelOf), focused: () => labelOf(document.activeElement),
        around, axe, besideEachOther, fonts, largeText, margin, onPaper, scrollers, underlines, withoutScripts,
        sideways, leftovers, smallText, clashes, faintText, themeColours, copies,
        handles: () => main().querySelectorAll(".handle").length,
        // With the focus on the handle: a key counts.
        state: (index) => { handle(index).focus(); return [figureOf(index).id, figureOf(index).innerHTML, handle(index).getAttribute("aria-valuetext") ?? ""]; },
        hold,
    };
})();
