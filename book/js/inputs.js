"use strict";
// Drawings that follow an input: a slider, a line of text. The page has a still picture of the first state, and all of it is
// drawn again from here whenever somebody moves or types something. Each is computed in the page; nothing is fetched.

(function () {
    const seconds = (ms) => `${(ms / 1000).toFixed(1)}\u00a0s`;

    // A slider over `stops`, in front of the drawing. An arrow key moves it by one, and doesn't turn the page.
    function slider(label, stops, first, unit, show) {
        const row = document.createElement("label");
        row.innerHTML = `<span>${label}</span><input type="range" min="0" max="${stops.length - 1}" value="${stops.indexOf(first)}"><output></output>`;
        const input = row.querySelector("input");
        const tell = () => {
            row.querySelector("output").textContent = stops[input.value];
            input.setAttribute("aria-valuetext", `${stops[input.value]} ${unit}`);
        };
        input.addEventListener("input", () => { tell(); show(); });
        tell();
        return { row, value: () => stops[input.value] };
    }

    // The line that says what is drawn: read aloud when it has been the same for a moment.
    function before(drawing, ...rows) {
        const place = document.createElement("div");
        place.className = "inputs";
        const says = Object.assign(document.createElement("p"), { className: "says", role: "status" });
        place.append(...rows, says);
        drawing.before(place);
        let soon;
        return (words) => { clearTimeout(soon); soon = setTimeout(() => { says.textContent = words; }, says.textContent ? 300 : 0); };
    }

    // Words for tokens, and how many of b's are the first of a.
    const tokens = (text) => text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
    const common = (a, b) => { const at = b.findIndex((one, index) => one !== a[index]); return at < 0 ? b.length : at; };
    const text = (name, words, inside = []) => { const part = document.createElement(name); part.append(words, ...inside); return part; };

    // The quoted texts of a figure, to be typed over.
    function typed(figure, label, show) {
        figure.querySelector(".texts").classList.add("inputs");
        return Array.from(figure.querySelectorAll(".texts li"), (item, at) => {
            const input = Object.assign(document.createElement("input"), { type: "text", value: item.querySelector("q").textContent, maxLength: 160, spellcheck: false, autocomplete: "off" });
            input.setAttribute("aria-label", label(at));
            input.addEventListener("input", show);
            item.querySelector("q").replaceWith(input);
            return input;
        });
    }

    // ---- Four who write and a prompt of 2,000, in "A budget from the clock"

    function passes(figure) {
        // What a pass costs, in milliseconds: the example of the page. A test compares them.
        const [FIXED, ROW] = [40, 2.4];
        const [WRITERS, PROMPT, GAP, FITS] = [4, 2000, 150, 41];
        const STOPS = [8, 12, 16, 20, 24, 28, 32, 36, 41, 48, 56, 64, 80, 96, 112, 128, 160, 192, 256, 320, 384, 448, 512];
        const [LEFT, ARRIVES, RIGHT, PER_MS] = [44, 102, 476, 0.144];
        const [LANES, BAR, PER_MS_BELOW] = [[92, 110, 128, 146], 8, 0.024];
        const svg = figure.querySelector("svg");
        const rows = slider("Rows of the prompt in a pass", STOPS, FITS, "rows of the prompt in a pass", show);
        const say = before(svg, rows.row);

        const box = (x, y, width, height, colour, opacity) =>
            `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0, width).toFixed(1)}" height="${height}" fill="var(--figure-${colour})" fill-opacity="${opacity}"/>`;

        function show() {
            const most = rows.value();
            const count = Math.ceil(PROMPT / most);
            const pass = (prompt) => FIXED + ROW * (WRITERS + prompt);
            const [again, theirs, own] = [count * FIXED, count * ROW * WRITERS, ROW * PROMPT];
            const first = again + theirs + own;
            const [alone, longest] = [pass(0), pass(most)];
            // Passes up to the edge: some before the prompt is there, then those that read it, which fill the window.
            const ends = [];
            let out = "";
            const one = (start, prompt) => {
                let x = start;
                for (const [ms, colour, opacity] of [[FIXED, "quiet", 0.3], [ROW * WRITERS, "one", 0.9], [ROW * prompt, "two", 0.75]]) {
                    out += box(x, 46, Math.min(ms * PER_MS, RIGHT - x) - (colour === "two" ? 1 : 0), 28, colour, opacity);
                    x = Math.min(x + ms * PER_MS, RIGHT);
                }
                return start + pass(prompt) * PER_MS;
            };
            for (let x = ARRIVES - alone * PER_MS; x >= LEFT; x -= alone * PER_MS) one(x, 0);
            for (let x = ARRIVES; x >= LEFT; x -= alone * PER_MS) ends.push(x);
            for (let x = ARRIVES; x < RIGHT;) ends.push(x = one(x, most));
            const ticks = ends.filter((x) => x <= RIGHT);
            for (const y of LANES) out += `<path d="M${LEFT} ${y}H${RIGHT}" stroke="var(--figure-quiet)" stroke-opacity=".4"/>` +
                `<path d="${ticks.map((x) => `M${x.toFixed(1)} ${y - 6}v12`).join("")}" stroke="var(--figure-one)" stroke-width="2.5"/>`;
            const end = ARRIVES + longest * PER_MS;
            const late = longest > GAP ? "five" : "ink";
            out += `<path d="M${ARRIVES} 160v8M${ARRIVES} 164H${end.toFixed(1)}M${end.toFixed(1)} 160v8" fill="none" stroke="var(--figure-${late})" stroke-width="1.5"/>` +
                `<text x="${(end + 6).toFixed(1)}" y="169" font-weight="600" fill="var(--figure-${late})">a pause of ${Math.round(longest)} ms</text>`;
            let x = BAR;
            for (const [ms, colour, opacity] of [[own, "two", 0.75], [theirs, "one", 0.9], [again, "quiet", 0.3]]) {
                out += box(x, 234, ms * PER_MS_BELOW, 26, colour, opacity);
                x += ms * PER_MS_BELOW;
            }
            out += `<text x="${(x + 6).toFixed(1)}" y="252" font-weight="600">${seconds(first)}</text>`;
            figure.querySelector(".drawn").innerHTML = out;
            for (const [name, ms] of Object.entries({ own, theirs, again })) figure.querySelector(`.${name}`).textContent = seconds(ms);
            const words = `With ${most} rows of the prompt in a pass, the four get a token every ${Math.round(longest)}\u00a0ms` +
                `${longest > GAP ? `, which is longer than the ${GAP}\u00a0ms of --gap` : ""}. The prompt needs ${count} passes, and has its first token after ${seconds(first)}.`;
            svg.setAttribute("aria-label", `Passes on a line of time. ${words} ${seconds(again)} of that go into reading the weights again.`);
            say(words);
        }
        show();
    }

    // ---- A tile and its registers, in "Tiles"

    function tile(figure) {
        const [X, Y, WIDE, HIGH, SLOT] = [92, 46, 40, 20, 28];
        const svg = figure.querySelector("svg");
        const rows = slider("Rows of x", [1, 2, 3, 4, 5, 6, 7, 8], 6, "rows of x", show);
        const columns = slider("Rows of the weight", [1, 2, 3, 4, 5, 6], 4, "rows of the weight", show);
        const say = before(svg, rows.row, columns.row);
        const colours = { sum: "three", weight: "one", x: "two" };
        const box = (x, y, width, height, kind, opacity, more = "") => `<rect x="${x}" y="${y}" width="${width}" height="${height}" ` +
            (colours[kind] ? `fill="var(--figure-${colours[kind]})" fill-opacity="${opacity}" stroke="var(--figure-${colours[kind]})"` : 'fill="none" stroke="var(--figure-quiet)" stroke-opacity=".6"') + `${more}/>`;

        function show() {
            const [m, n] = [rows.value(), columns.value()];
            const now = Math.min(2, m - 1); // the row of x that is in its register
            let out = "";
            for (let column = 0; column < n; column += 1) {
                out += box(X + column * WIDE, 20, WIDE - 6, HIGH, "weight", 0.22) +
                    `<text x="${X + column * WIDE + WIDE / 2 - 3}" y="35" text-anchor="middle">w${column}</text>`;
            }
            for (let row = 0; row < m; row += 1) {
                const y = Y + row * HIGH;
                out += box(50, y, 34, HIGH - 4, "x", row === now ? 0.3 : 0, row === now ? ' stroke-width="2"' : ' stroke-dasharray="3 3"') +
                    `<text x="67" y="${y + 13}" text-anchor="middle">x${row}</text>`;
                for (let column = 0; column < n; column += 1) out += box(X + column * WIDE, y, WIDE - 6, HIGH - 4, "sum", row === now ? 0.6 : 0.22);
            }
            const loads = m + n;
            [`${loads} loads`, m * n === 1 ? "1 FMA" : `${m * n} FMAs`, `${(loads / (m * n)).toFixed(2)} per FMA`].forEach((words, line) => {
                out += `<text x="352" y="${64 + 24 * line}"${line === 2 ? ' font-weight="600"' : ""}>${words}</text>`;
            });
            // Sixteen lanes of sums are one register of AVX-512 and two of AVX2.
            const shelf = (name, have, halves, y) => {
                const sums = halves * m * n;
                const need = sums + n + 1;
                const over = Math.max(0, need - have);
                for (let slot = 0; slot < have; slot += 1) {
                    const kind = slot < sums - over ? "sum" : slot < sums - over + n ? "weight" : slot <= sums - over + n ? "x" : "free";
                    out += box(16 + (slot % 16) * SLOT, y + 8 + 20 * Math.floor(slot / 16), SLOT - 5, 15, kind, kind === "sum" ? 0.5 : 0.6);
                }
                const words = over ? `${need} needed, ${over} ${over === 1 ? "sum" : "sums"} in memory` : `${need} in use`;
                out += `<text x="16" y="${y}"><tspan font-weight="600">${name}, ${have} registers:</tspan> <tspan${over ? ' fill="var(--figure-five)" font-weight="600"' : ""}>${words}</tspan></text>`;
                return over ? `${name} has ${over} too few` : `${name} has enough`;
            };
            const fits = [shelf("AVX-512", 32, 1, 232), shelf("AVX2", 16, 2, 300)].join(", and ");
            figure.querySelector(".drawn").innerHTML = out;
            const words = `A tile of ${m} × ${n}: ${(loads / (m * n)).toFixed(2)} loads for each FMA. Of registers ${fits}.`;
            svg.setAttribute("aria-label", `${words} In each step ${loads} registers are loaded for ${m * n} sums.`);
            say(words);
        }
        show();
    }

    // ---- Three chats and the tree of their blocks, in "A prefix tree"

    function chats(figure) {
        const BLOCK = 4; // tokens, which are words here; in the engine it's 64 tokens

        // What `match_prefix` and `insert` of chapter 11 do, one text after the other, none of them in use any more.
        function match(children, ids, chat) {
            let found = 0;
            for (;;) {
                const rest = ids.slice(found);
                const [most, node] = children.map((node) => [common(rest, node.tokens), node]).reduce((a, b) => (b[0] >= a[0] ? b : a), [0]);
                if (most === 0) return found;
                node.found.push([chat, most]);
                found += most;
                if (most < BLOCK) return found;
                children = node.children;
            }
        }
        function insert(children, ids, found, chat) {
            for (let at = 0; at < ids.length; at += BLOCK) {
                const block = ids.slice(at, at + BLOCK);
                let node = children.find((one) => one.tokens.length === block.length && common(block, one.tokens) === block.length);
                if (!node) {
                    // Shorter beginnings of it are of no more use.
                    for (const short of children.filter((one) => common(block, one.tokens) === one.tokens.length)) children.splice(children.indexOf(short), 1);
                    node = { tokens: block, chat, copied: Math.min(Math.max(0, found - at), block.length), found: [], children: [] };
                    children.push(node);
                    children.sort((a, b) => (a.tokens.join(" ") < b.tokens.join(" ") ? -1 : 1));
                }
                children = node.children;
            }
        }

        function drawn(children) {
            const tree = document.createElement("ul");
            for (const node of children) {
                const block = document.createElement("span");
                block.className = "block";
                node.tokens.forEach((token, at) => block.append(Object.assign(text("i", token), { className: at < node.copied ? "copied" : `by-${node.chat}` }), " "));
                const by = (whole) => node.found.filter(([, most]) => (most === node.tokens.length) === whole);
                const whole = by(true).map(([chat]) => chat).join(" and ");
                const part = by(false).map(([chat, most]) => `; ${most} of ${node.tokens.length} found by ${chat}`);
                const of = text("small", `chat ${node.chat}${whole && `; found by ${whole}`}${part.join("")}`);
                tree.append(text("li", block, [" ", of, ...(node.children.length ? [drawn(node.children)] : [])]));
            }
            return tree;
        }

        const texts = figure.querySelectorAll(".texts li");
        const inputs = typed(figure, (at) => `Chat ${at + 1}`, show);
        const say = before(figure.querySelector(".tree"));

        function show() {
            const [root, count] = [[], { all: 0, found: 0, apart: 0 }];
            inputs.forEach((input, at) => {
                const ids = tokens(input.value);
                const found = match(root, ids.slice(0, -1), at + 1); // the last token is always computed
                insert(root, ids, found, at + 1);
                texts[at].querySelector("small").textContent = `${found} of ${ids.length} tokens found`;
                count.all += ids.length;
                count.found += found;
                count.apart += Math.ceil(ids.length / BLOCK);
            });
            const tree = drawn(root);
            figure.querySelector(".tree").replaceChildren(...tree.childNodes);
            const blocks = figure.querySelectorAll(".block").length;
            say(`Of ${count.all} tokens ${count.found} are found and ${count.all - count.found} computed. The tree has ${blocks} blocks; three caches that know nothing of each other would have ${count.apart}.`);
        }
        show();
    }

    // ---- A block of weights with fewer bits, in "What rounding costs"

    function bits(figure) {
        // A block of the tiny model's first layer, and what the model writes: ch05-few-bits.json. A test compares them.
        const INTS = [25, 40, 6, 25, 3, -71, 55, 35, -61, 32, -34, 80, 9, -91, -31, -25, -27, 127, 36, 44, 65, 89, -60, -4, -1, -35, -15, 3, 74, -112, -51, -27];
        const [STOPS, MOST] = [[8, 7, 6, 5, 4, 3, 2], 127];
        const [LEFT, WIDE, MIDDLE, HIGH, FLOOR, BAR] = [16, 14.2, 92, 78, 284, 62];
        const svg = figure.querySelector("svg");
        const list = figure.querySelector(".texts");
        const texts = Array.from(list.children);
        const chosen = slider("Bits of a weight", STOPS, 4, "bits of a weight", show);
        const say = before(svg, chosen.row);

        const steps = (count) => 2 ** (count - 1) - 1; // from zero to the largest
        const nearest = (int, count) => Math.round(int * steps(count) / MOST) * MOST / steps(count);
        const error = (count) => Math.sqrt(INTS.reduce((sum, int) => sum + (nearest(int, count) - int) ** 2, 0) / INTS.reduce((sum, int) => sum + int ** 2, 0));
        const percent = (count) => (100 * error(count)).toFixed(1);
        const place = (int) => (MIDDLE - HIGH * int / MOST).toFixed(1);

        function show() {
            const count = chosen.value();
            const levels = 2 * steps(count) + 1;
            let out = "";
            if (levels < 40) {
                for (let level = -steps(count); level <= steps(count); level += 1) {
                    out += `<path d="M8 ${place(level * MOST / steps(count))}H472" stroke="var(--figure-quiet)" stroke-opacity="${level ? 0.3 : 0.7}"/>`;
                }
            }
            INTS.forEach((int, at) => {
                const [x, to] = [(LEFT + at * WIDE).toFixed(1), nearest(int, count)];
                out += `<path d="M${x} ${place(int)}V${place(to)}" stroke="var(--figure-five)" stroke-width="3"/>` +
                    `<circle cx="${x}" cy="${place(int)}" r="3.5" fill="none" stroke="var(--figure-quiet)"/>` +
                    `<circle cx="${x}" cy="${place(to)}" r="3" fill="var(--figure-one)"/>`;
            });
            STOPS.forEach((stop, at) => {
                const [x, high] = [LEFT + at * 65, Math.max(1, BAR * error(stop) / error(2))];
                const now = stop === count ? ' font-weight="600"' : "";
                out += `<rect x="${x}" y="${(FLOOR - high).toFixed(1)}" width="46" height="${high.toFixed(1)}" fill="var(--figure-${now ? "five" : "quiet"})" fill-opacity="${now ? 0.9 : 0.4}"/>` +
                    `<text x="${x + 23}" y="${(FLOOR - high - 6).toFixed(1)}" text-anchor="middle"${now}>${percent(stop)} %</text>` +
                    `<text x="${x + 23}" y="${FLOOR + 18}" text-anchor="middle"${now}>${stop} ${at ? "" : "bits"}</text>`;
            });
            figure.querySelector(".drawn").innerHTML = out;
            list.replaceChildren(texts[STOPS.indexOf(count)]);
            const words = `With ${count} bits a weight has one of ${levels} levels, and the typical error is ${percent(count)}\u00a0% of the typical weight.`;
            svg.setAttribute("aria-label", `32 weights of a block, each drawn to the nearest level. ${words}`);
            say(words);
        }
        show();
    }

    // ---- Two texts and the rows that both begin with, in "What both texts begin with"

    function kept(figure) {
        const inputs = typed(figure, (at) => ["In the cache", "The new text"][at], show);
        const say = before(figure.querySelector(".tree"));
        const row = (ids, names, words) => {
            const block = Object.assign(document.createElement("span"), { className: "block" });
            ids.forEach((token, at) => block.append(Object.assign(text("i", token), { className: names(at) }), " "));
            return text("li", block, [" ", text("small", words)]);
        };

        function show() {
            const [old, next] = inputs.map((input) => tokens(input.value));
            const same = common(old, next);
            const most = Math.min(same, Math.max(0, next.length - 1)); // the last token's logits are wanted
            figure.querySelector(".tree").replaceChildren(
                row(old, (at) => (at < most ? "by-1" : "gone"), `${old.length} rows, ${old.length - most} cut off`),
                row(next, (at) => (at < most ? "by-1" : "by-3"), `${most} kept, ${next.length - most} computed`));
            const last = same > most ? " Its last token is computed once more, because nothing has kept its logits." : "";
            say(`Of the new text\u2019s ${next.length} tokens ${most} are kept and ${next.length - most} computed.${last}`);
        }
        show();
    }

    for (const [name, figure] of Object.entries({ passes, tile, chats, bits, kept })) {
        const place = document.getElementById(`input-${name}`);
        if (place) figure(place);
    }
})();
