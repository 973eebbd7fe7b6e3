"use strict";
// A prompt and its reply, one pass at a time, with the cache off and on.
// The page has a still picture in the figure; this puts the steps in its place.

(function () {
    const figure = document.getElementById("kv-steps");
    if (!figure) return;

    const TOKENS = ["Once", " upon", " a", " time", ",", " there", " was", " a", " curious", " boy", " named"];
    const PROMPT = 4;
    const LAST = TOKENS.length - PROMPT;

    // Qwen3-0.6B, numbers in f32. A test compares these with the functions of chapter 2.
    const FLOPS_PER_ROW = 880803840; // all layers without attention's pairs
    const FLOPS_OF_HEAD = 311164928;
    const FLOPS_PER_PAIR = 229376;
    const BYTES_PER_POSITION = 229376;
    const WEIGHT_BYTES = 2384199680;

    // What the pass that sees `length` tokens does. Pass 0 has the prompt.
    function pass(step, cache) {
        const length = PROMPT + step;
        const kept = cache && step > 0 ? length - 1 : 0;
        const rows = length - kept;
        const pairs = (length * (length + 1) - kept * (kept + 1)) / 2;
        return {
            length, kept, rows, pairs,
            again: cache || step === 0 ? 0 : length - 1,
            flops: rows * FLOPS_PER_ROW + FLOPS_OF_HEAD + pairs * FLOPS_PER_PAIR,
            written: cache ? rows * BYTES_PER_POSITION : 0,
            read: kept * BYTES_PER_POSITION,
            held: cache ? length * BYTES_PER_POSITION : 0,
        };
    }

    function total(step, cache) {
        let flops = 0;
        for (let i = 0; i <= step; i += 1) flops += pass(i, cache).flops;
        return flops;
    }

    const gflop = (flops) => (flops / 1e9).toFixed(2) + " GFLOP";
    const kib = (bytes) => (bytes === 0 ? "0" : (bytes / 1024).toLocaleString("en") + " KiB");

    // Both grids in one drawing, with the tokens' names once, so that on a phone they stay side by side.
    const NARROW = window.matchMedia("(max-width: 620px)");
    const sizes = () => (NARROW.matches ? { cell: 11.5, row: 15, left: 62, gap: 12, top: 26 } : { cell: 22, row: 22, left: 72, gap: 44, top: 30 });

    function cell(x, y, w, h, kind) {
        const frame = `x="${x}" y="${y}" width="${w}" height="${h}"`;
        switch (kind) {
            case "new": return `<rect ${frame} fill="var(--figure-three)"/>`;
            case "again": return `<rect ${frame} fill="var(--figure-two)" fill-opacity=".25" stroke="var(--figure-two)"/>` +
                `<path d="M${x} ${y + h} L${x + w} ${y}" stroke="var(--figure-two)" stroke-width="1.5"/>`;
            case "kept": return `<rect ${frame} fill="var(--figure-one)" fill-opacity=".25" stroke="var(--figure-one)"/>` +
                `<circle cx="${x + w / 2}" cy="${y + h / 2}" r="${w / 7}" fill="var(--figure-one)"/>`;
            case "past": return `<rect ${frame} fill="var(--figure-quiet)" fill-opacity=".28"/>`;
            default: return `<rect ${frame} fill="none" stroke="var(--figure-quiet)" stroke-opacity=".3" stroke-dasharray="1 3"/>`;
        }
    }

    function label(x, y, text, colour) {
        return `<text x="${x}" y="${y}" text-anchor="end" fill="${colour}">${text}</text>`;
    }

    // A row that came in an earlier pass and is not computed again is past; one whose token is not there yet, to come.
    function grid(step, cache, left, { cell: size, row: high, top }) {
        const now = pass(step, cache);
        const w = size - (size > 15 ? 3 : 2);
        const h = w + high - size;
        const of = (row) => (row >= now.length ? "to come" : row < now.kept ? "past" : row < now.again ? "again" : "new");
        let out = `<text x="${left}" y="16" font-weight="600">Cache ${cache ? "on" : "off"}</text>`;
        for (let row = 0; row < TOKENS.length; row += 1) {
            for (let column = 0; column <= row; column += 1) out += cell(left + column * size, top + row * high, w, h, of(row));
        }
        const y = top + TOKENS.length * high + 10;
        for (let column = 0; column < TOKENS.length; column += 1) {
            out += cell(left + column * size, y, w, h, column < now.kept ? "kept" : of(column));
        }
        return out;
    }

    function alt(step) {
        const [off, on] = [pass(step, false), pass(step, true)];
        return `Off: ${off.rows} rows and ${off.pairs} pairs are computed, ${off.again} of the rows again. ` +
            `On: ${on.rows === 1 ? "1 row" : on.rows + " rows"} and ${on.pairs} pairs, and the keys and values of ${on.kept} positions are read from the cache.`;
    }

    function drawing(step) {
        const [off, on] = [pass(step, false), pass(step, true)];
        const wide = TOKENS.length * size.cell;
        const middle = size.row / 2 + 3;
        const right = size.left + wide + size.gap;
        const front = size.top + off.length * size.row - 1.5;
        let out = grid(step, false, size.left, size) + grid(step, true, right, size);
        TOKENS.forEach((token, row) => {
            if (row >= off.length) return;
            const fresh = row >= on.kept;
            out += label(size.left - 8, size.top + row * size.row + middle, token.trim(), fresh ? "var(--figure-ink)" : "var(--figure-quiet)");
        });
        out += label(size.left - 8, size.top + TOKENS.length * size.row + 10 + middle, "K, V", "var(--figure-ink)");
        out += `<path d="M${size.left} ${front}H${right + wide}" stroke="var(--accent)"/>`;
        return `<g font-size="${NARROW.matches ? 12 : 14}" fill="var(--figure-ink)">${out}</g>`;
    }

    function table(step) {
        const both = [pass(step, false), pass(step, true)];
        const lines = [
            ["Rows computed", (now) => now.rows],
            ["of these, again", (now) => now.again],
            ["Pairs in attention", (now) => now.pairs],
            ["Work of this pass", (now) => gflop(now.flops)],
            ["Weights read, at least", () => Math.round(WEIGHT_BYTES / 1e6).toLocaleString("en") + " MB"],
            ["Written to the cache", (now) => kib(now.written)],
            ["Read from earlier passes", (now) => kib(now.read)],
            ["Held in the cache", (now) => kib(now.held)],
        ];
        const row = (name, off, on) => `<tr><th scope="row">${name}</th><td>${off}</td><td>${on}</td></tr>`;
        const rows = lines.map(([name, value]) => row(name, ...both.map(value)));
        rows.push(row("Work so far", gflop(total(step, false)), gflop(total(step, true))));
        return '<table><thead><tr><td></td><th scope="col">off</th><th scope="col">on</th></tr></thead>' +
            `<tbody>${rows.join("")}</tbody></table>`;
    }

    function says(step) {
        if (step === 0) {
            return `Pass 1, prefill: the ${PROMPT} tokens of the prompt. Both do the same work, and the right one keeps the keys and values.`;
        }
        const off = pass(step, false);
        const ratio = (total(step, false) / total(step, true)).toFixed(1);
        return `Pass ${step + 1}, decode: “${TOKENS[off.length - 1].trim()}” comes in. Off: ${off.rows} rows, ${off.again} of them done before. ` +
            `On: 1 row, and the keys and values of ${off.again} positions are read. So far, off has done ${ratio} times the work.`;
    }

    const steps = document.createElement("div");
    steps.innerHTML = '<p class="kv-says" role="status"></p><p class="kv-text"></p>' +
        '<svg><g class="kv-drawing"></g><g class="handle"><circle r="28" fill="transparent"/><circle r="9" fill="var(--accent)"/></g></svg><div class="kv-table"></div>';
    const [svg, part] = [steps.querySelector("svg"), (name) => steps.querySelector(`.kv-${name}`)];
    const handle = bookHandle(steps.querySelector(".handle"), "The text so far", {
        move: (_, y) => set(Math.round((y - size.top) / size.row) - PROMPT),
        key: (right, up) => set(step + right - up),
    });
    let step = 0;
    let size = sizes();

    function show() {
        size = sizes();
        const length = PROMPT + step;
        part("says").textContent = says(step);
        const fresh = document.createElement("b");
        fresh.textContent = TOKENS.slice(step ? length - 1 : 0, length).join("");
        part("text").replaceChildren(TOKENS.slice(0, step ? length - 1 : 0).join(""), fresh);
        const wide = size.left + 2 * TOKENS.length * size.cell + size.gap;
        svg.setAttribute("viewBox", `0 0 ${wide} ${size.top + (TOKENS.length + 1) * size.row + 12}`);
        svg.style.width = `${wide}px`;
        svg.setAttribute("aria-label", alt(step));
        part("drawing").innerHTML = drawing(step);
        part("table").innerHTML = table(step);
        handle.put(size.left + TOKENS.length * size.cell + size.gap / 2, size.top + length * size.row);
        handle.say(length, PROMPT, TOKENS.length, `${length} tokens, the last “${TOKENS[length - 1].trim()}”`);
    }

    function set(to) {
        const wanted = Math.max(0, Math.min(LAST, to));
        if (wanted === step) return;
        step = wanted;
        show();
    }

    figure.querySelector("svg").replaceWith(steps);
    Object.assign(figure.querySelector("figcaption span"), { className: "alive", textContent: "Pull the handle down to let the text grow, or use the arrow keys." });
    NARROW.addEventListener("change", show);
    show();
})();
