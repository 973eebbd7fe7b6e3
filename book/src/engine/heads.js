// All heads: what each head of each layer looks at, over a sentence of the reader's own. `<div class="engine" data-live="heads">`

import { amount, broken, compute, frame, halt, make, painter, percent, QUIETLY, quoted, shown } from "./core.js";

const SENTENCE = "Once upon a time, a brave fox named Zelda lived in Juniper Creek. One day Zelda";
const MOST = 64; // tokens: beyond, a map has no room

export default function heads(place, id) {
    const { live, says, bar, run, stop, say, files } = frame(place, "What all heads look at", "Look");
    const text = make("textarea", { id: id("text"), rows: 2, spellcheck: false, value: SENTENCE });
    const form = make("form", {},
        make("div", { className: "field grows" }, make("label", { htmlFor: text.id }, "Sentence"), text),
        make("div", { className: "row" }, run, stop));
    const small = make("div", { className: "maps", role: "group", "aria-label": "Heads, a row for each layer" });
    const name = make("p", { className: "map-name" });
    const large = make("canvas", { role: "img", "aria-label": "No map yet" });
    const tells = make("p", { className: "quiet" });
    const rows = make("tbody", {});
    const table = make("details", {}, make("summary", {}, "This map as a table"), make("div", { className: "scrolls", tabIndex: 0, role: "group", "aria-label": "Table" },
        make("table", {}, make("thead", {}, make("tr", {}, ...["Token", "looks most at", "with"].map((head) => make("th", { scope: "col" }, head)))), rows)));
    const opened = make("div", { className: "map" }, name, large, tells, table);
    const both = make("div", { className: "heads", hidden: true }, small, opened);
    live.append(form, bar, says, both);

    let number = 0;
    let starts = 0;
    let tokens = [];
    let weights = []; // by row: layers, heads, keys
    let chosen = { layer: 5, head: 1 };

    const at = (row, { layer, head }) => weights[row][layer][head];
    // A colour variable holds `light-dark(...)`: an element says what it comes to.
    const probe = make("i", { hidden: true });
    live.append(probe);
    const plain = (variable) => {
        probe.style.color = `var(${variable})`;
        return getComputedStyle(probe).color;
    };

    // The cells of one head, from the corner on.
    function cells(context, which, left, top, cell, gap) {
        context.fillStyle = plain("--figure-one");
        weights.forEach((row, y) => at(y, which).forEach((weight, x) => {
            context.globalAlpha = Math.sqrt(weight);
            context.fillRect(left + x * cell, top + y * cell, cell - gap, cell - gap);
        }));
        context.globalAlpha = 1;
    }

    function context(canvas, wide, high) {
        const sharp = devicePixelRatio || 1;
        Object.assign(canvas, { width: wide * sharp, height: high * sharp });
        Object.assign(canvas.style, { width: `${wide}px`, height: `${high}px` });
        const drawn = canvas.getContext("2d");
        drawn.scale(sharp, sharp);
        return drawn;
    }

    function maps() {
        const [layers, count] = [weights[0].length, weights[0][0].length];
        if (small.children.length !== layers * count) {
            small.style.setProperty("--heads", count);
            small.replaceChildren(...Array.from({ length: layers * count }, (_, index) => {
                const which = { layer: Math.floor(index / count), head: index % count };
                const button = make("button", { type: "button", "aria-label": `Layer ${which.layer}, head ${which.head}` }, make("canvas", { "aria-hidden": "true" }));
                button.addEventListener("click", () => { chosen = which; draw(); });
                return button;
            }));
        }
        const edge = Math.max(28, Math.floor((small.clientWidth - 6 * (count - 1)) / count) - 8);
        Array.from(small.children).forEach((button, index) => {
            const which = { layer: Math.floor(index / count), head: index % count };
            button.setAttribute("aria-pressed", String(which.layer === chosen.layer && which.head === chosen.head));
            cells(context(button.firstChild, edge, edge), which, 0, 0, edge / tokens.length, 0);
        });
    }

    function map() {
        const letters = 12;
        const wide = Math.min(opened.clientWidth, 560);
        const label = Math.min(84, wide / 4);
        const cell = Math.min(20, (wide - label) / tokens.length);
        const side = cell * tokens.length;
        const drawn = context(large, label + side, label + side);
        cells(drawn, chosen, label, label, cell, cell > 5 ? 1 : 0);
        drawn.fillStyle = plain("--figure-ink");
        drawn.font = `${Math.min(letters, Math.max(8, cell))}px "Source Code Pro", monospace`;
        drawn.textBaseline = "middle";
        tokens.slice(0, weights.length).forEach((token, index) => {
            const middle = label + (index + 0.5) * cell;
            drawn.textAlign = "right";
            drawn.fillText(shown(token), label - 5, middle, label - 5);
            drawn.save();
            drawn.translate(middle, label - 5);
            drawn.rotate(-Math.PI / 2);
            drawn.textAlign = "left";
            drawn.fillText(shown(token), 0, 0, label - 5);
            drawn.restore();
        });
        name.textContent = `Layer ${chosen.layer}, head ${chosen.head}`;
        const best = weights.map((_, row) => {
            const of = at(row, chosen);
            const most = of.reduce((top, weight, key) => (weight > of[top] ? key : top), 0);
            return { row, most, share: of[most] };
        });
        // What a head that copies looks at: the token after an earlier one that is the same.
        const copies = best.filter(({ row, most, share }) => most > 0 && most < row && tokens[most - 1] === tokens[row] && share > 0.4);
        tells.textContent = "Down the side: the token that looks. Along the top: the token that it looks at. " +
            (copies.length ? `${copies.length === 1 ? "Once" : `${copies.length} times`} this head looks at what came after the same token before; first ` +
                `${quoted(tokens[copies[0].row])}, whose weight on ${quoted(tokens[copies[0].most])} is ${percent(copies[0].share)}.` : "This head copies nothing here.");
        large.setAttribute("aria-label", `${name.textContent}. ${tells.textContent}`);
        rows.replaceChildren(...best.map(({ row, most, share }) =>
            make("tr", {}, make("td", {}, quoted(tokens[row])), make("td", {}, quoted(tokens[most])), make("td", {}, percent(share)))));
    }

    const draw = painter(() => {
        if (!weights.length) return;
        both.hidden = false;
        maps();
        map();
    });

    function ended(line, fault = false) {
        stop.hidden = true;
        say(line, fault);
        draw();
    }

    function listen(data) {
        if (data.run !== number) return;
        if (data.error) return ended(broken(data), true);
        if (data.quiet) return say(QUIETLY);
        if (data.stopped) return ended("stopped");
        if (data.begun) {
            tokens = data.begun.tokens;
            if (tokens.length > MOST) {
                starts += 1;
                halt();
                return ended(`the sentence has ${amount(tokens.length)} tokens, and a map has room for ${MOST}: shorten it`, true);
            }
        } else if (data.step) {
            // The prompt is computed; now it is looked at, row by row.
            const all = tokens.length;
            files().then((there) => { number = compute(there, { work: "heads", from: 0, to: all - 1 }, listen); });
        } else {
            weights.push(data.weights);
            if (data.last) return ended(`${amount(weights[0].length * weights[0][0].length)} heads, ${amount(tokens.length)} tokens. Press a map to see it large`);
            draw();
        }
    }

    async function start() {
        const mine = starts += 1;
        await halt();
        if (mine !== starts) return;
        stop.hidden = false;
        try {
            const all = await files();
            if (mine !== starts) return;
            say("Looking");
            weights = [];
            number = compute(all, { work: "reply", prompt: text.value, chapter: 2, cache: true, chat: false, limit: 1, past: true }, listen);
        } catch (error) {
            if (mine === starts) ended(error.message, true);
        }
    }

    form.addEventListener("submit", (event) => { event.preventDefault(); start(); });
    text.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    stop.addEventListener("click", () => { starts += 1; halt(); ended("stopped"); });
    new ResizeObserver(draw).observe(both);
    new MutationObserver(draw).observe(document.documentElement, { attributeFilter: ["class"] });
}
