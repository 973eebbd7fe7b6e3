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

    const CELL = 23;
    const LEFT = 78;

    function cell(column, y, kind) {
        const x = LEFT + column * CELL;
        const w = CELL - 3;
        const frame = `x="${x}" y="${y}" width="${w}" height="${w}"`;
        switch (kind) {
            case "new": return `<rect ${frame} fill="var(--figure-three)"/>`;
            case "again": return `<rect ${frame} fill="var(--figure-two)" fill-opacity=".25" stroke="var(--figure-two)"/>` +
                `<path d="M${x} ${y + w} L${x + w} ${y}" stroke="var(--figure-two)" stroke-width="1.5"/>`;
            case "kept": return `<rect ${frame} fill="var(--figure-one)" fill-opacity=".25" stroke="var(--figure-one)"/>` +
                `<circle cx="${x + w / 2}" cy="${y + w / 2}" r="3" fill="var(--figure-one)"/>`;
            default: return `<rect ${frame} fill="none" stroke="var(--figure-quiet)" stroke-opacity=".35" stroke-dasharray="2 3"/>`;
        }
    }

    function label(y, text, colour) {
        return `<text x="${LEFT - 8}" y="${y + 15}" text-anchor="end" fill="${colour}">${text}</text>`;
    }

    function grid(step, cache) {
        const now = pass(step, cache);
        const of = (row) => (row >= now.length ? "none" : row < now.kept ? "none" : row < now.again ? "again" : "new");
        let out = "";
        for (let row = 0; row < TOKENS.length; row += 1) {
            const y = 4 + row * CELL;
            const active = row < now.length && row >= now.kept;
            if (row < now.length) out += label(y, TOKENS[row].trim(), active ? "var(--figure-ink)" : "var(--figure-quiet)");
            for (let column = 0; column <= row; column += 1) out += cell(column, y, of(row));
        }
        const y = 4 + TOKENS.length * CELL + 10;
        out += label(y, "K, V", "var(--figure-ink)");
        for (let column = 0; column < TOKENS.length; column += 1) {
            out += cell(column, y, column < now.kept ? "kept" : of(column));
        }
        const alt = `${now.rows} rows and ${now.pairs} pairs are computed, ${now.again} of the rows again; ` +
            `the keys and values of ${now.kept} positions are read from the cache.`;
        return `<svg viewBox="0 0 ${LEFT + TOKENS.length * CELL} ${y + CELL + 2}" role="img" aria-label="${alt}">` +
            `<g font-size="13">${out}</g></svg>`;
    }

    function panel(step, cache) {
        const now = pass(step, cache);
        const lines = [
            ["Rows computed", now.rows],
            ["of these, again", now.again],
            ["Pairs in attention", now.pairs],
            ["Work of this pass", gflop(now.flops)],
            ["Weights read, at least", Math.round(WEIGHT_BYTES / 1e6).toLocaleString("en") + " MB"],
            ["Written to the cache", kib(now.written)],
            ["Read from the cache", kib(now.read)],
            ["Held in the cache", kib(now.held)],
            ["Work so far", gflop(total(step, cache))],
        ];
        const rows = lines.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${value}</td></tr>`).join("");
        return `<div class="kv-panel"><p>Cache ${cache ? "on" : "off"}</p>${grid(step, cache)}<table><tbody>${rows}</tbody></table></div>`;
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
    steps.innerHTML =
        '<div class="kv-controls" role="group" aria-label="Steps">' +
        '<button type="button" data-to="next">Next token</button>' +
        '<button type="button" data-to="back">Back</button>' +
        '<button type="button" data-to="start">Start again</button></div>' +
        '<p class="kv-says" role="status"></p><p class="kv-text"></p><div class="kv-panels"></div>';
    const button = (to) => steps.querySelector(`[data-to="${to}"]`);
    let step = 0;

    function show() {
        const length = PROMPT + step;
        steps.querySelector(".kv-says").textContent = says(step);
        const text = steps.querySelector(".kv-text");
        text.textContent = TOKENS.slice(0, step ? length - 1 : 0).join("");
        const fresh = document.createElement("b");
        fresh.textContent = TOKENS.slice(step ? length - 1 : 0, length).join("");
        text.append(fresh);
        steps.querySelector(".kv-panels").innerHTML = panel(step, false) + panel(step, true);
        // A disabled button would lose the keyboard's place.
        button("next").setAttribute("aria-disabled", String(step === LAST));
        button("back").setAttribute("aria-disabled", String(step === 0));
    }

    function go(to) {
        const wanted = to === "start" ? 0 : to === "end" ? LAST : step + (to === "next" ? 1 : -1);
        step = Math.max(0, Math.min(LAST, wanted));
        show();
    }

    steps.addEventListener("click", (event) => {
        const clicked = event.target.closest("button");
        if (clicked) go(clicked.dataset.to);
    });

    const KEYS = { ArrowRight: "next", ArrowLeft: "back", Home: "start", End: "end" };
    steps.addEventListener("keydown", (event) => {
        const to = KEYS[event.key];
        if (!to || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        // Elsewhere on the page the arrows turn to the next chapter.
        event.preventDefault();
        event.stopPropagation();
        go(to);
    });

    figure.querySelector("svg").replaceWith(steps);
    const caption = figure.querySelector("figcaption");
    caption.querySelector("span").textContent = "With a button in focus, the arrow keys work too.";
    show();
})();
