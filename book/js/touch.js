"use strict";
// Drawings with a handle: a reader drags it, or moves it with the arrow keys, and the drawing follows. The still picture in
// the page is its first state, and all that there is without scripts.

// `move` hears where the handle is dragged to, in the drawing's own units; `key` how far an arrow would move it, right and up.
function bookHandle(handle, label, { move, key, end = () => {} }) {
    const svg = handle.ownerSVGElement;
    svg.setAttribute("role", "group"); // a picture would hide its handle from screen readers
    for (const [name, value] of Object.entries({ tabindex: 0, role: "slider", "aria-label": label })) handle.setAttribute(name, value);
    // What is dragged by a finger must not scroll the page; the style `touch-action` of a part of a drawing doesn't see to that.
    handle.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    handle.addEventListener("pointerdown", (event) => handle.setPointerCapture(event.pointerId));
    handle.addEventListener("pointermove", (event) => {
        if (!handle.hasPointerCapture(event.pointerId)) return;
        const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
        move(x, y);
    });
    handle.addEventListener("lostpointercapture", end);
    const KEYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], PageUp: [0, 10], PageDown: [0, -10], Home: [-Infinity, 0], End: [Infinity, 0] };
    handle.addEventListener("keydown", (event) => {
        const by = KEYS[event.key];
        if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        // Elsewhere on the page the arrows turn to the next chapter.
        event.preventDefault();
        event.stopPropagation();
        key(...by);
    });
    return {
        put: (x, y) => handle.setAttribute("transform", `translate(${x} ${y})`),
        say: (value, least, most, words) => {
            const values = { "aria-valuenow": value, "aria-valuemin": least, "aria-valuemax": most, "aria-valuetext": words };
            for (const [name, one] of Object.entries(values)) handle.setAttribute(name, one);
        },
    };
}

(function () {
    const within = (value, least, most) => Math.max(least, Math.min(most, value));
    const number = (value, digits) => (Math.abs(value) < 0.5 * 10 ** -digits ? 0 : value).toFixed(digits).replace("-", "\u2212");

    // ---- The query of `bank`, in "Attention"

    function query(figure) {
        const all = (name) => figure.querySelectorAll(`.${name}`);
        const [KEYS, VALUES] = [[[0, 1], [1, 1], [1, 0]], [[5, 5], [10, 0], [0, 10]]];
        const NAMES = ["the", "river", "bank"];
        const MOST = 2.5;
        const plane = ([x, y]) => `${(130 + 46 * x).toFixed(1)} ${(154 - 46 * y).toFixed(1)}`;
        const place = ([x, y]) => [304 + 10 * x, 262 - 9 * y];
        let q = [2, 1];

        function show() {
            const dots = KEYS.map((key) => q[0] * key[0] + q[1] * key[1]);
            const most = Math.max(...dots);
            const raised = dots.map((dot) => Math.exp((dot - most) / Math.SQRT2));
            const sum = raised.reduce((a, b) => a + b);
            const weights = raised.map((one) => one / sum);
            const mean = [0, 1].map((at) => weights.reduce((all, weight, token) => all + weight * VALUES[token][at], 0));
            const length = q[0] * q[0] + q[1] * q[1];
            const [x, y] = place(mean);
            all("q")[0].setAttribute("d", `M${plane([0, 0])} L${plane(q)}`);
            weights.forEach((weight, token) => {
                const share = length ? dots[token] / length : 0;
                all("along")[token].setAttribute("d", `M${plane(KEYS[token])} L${plane([q[0] * share, q[1] * share])}`);
                all("bar")[token].setAttribute("width", 100 * weight);
                all("weight")[token].textContent = number(weight, 2);
                all("pull")[token].setAttribute("d", `M${place(VALUES[token]).join(" ")} L${x} ${y}`);
                all("pull")[token].setAttribute("stroke-width", 1 + 10 * weight);
            });
            all("mean")[0].setAttribute("cx", x);
            all("mean")[0].setAttribute("cy", y);
            const [at, result] = [q.map((one) => number(one, 1)).join(", "), mean.map((one) => number(one, 2)).join(", ")];
            all("at")[0].textContent = `query [${at}]`;
            all("result")[0].textContent = `result [${result}]`;
            handle.put(...plane(q).split(" "));
            const shares = weights.map((weight, token) => `${NAMES[token]} ${number(weight, 2)}`).join(", ");
            handle.say(q[0], -MOST, MOST, `[${at}]: weights ${shares}; result [${result}]`);
        }
        function set(x, y) {
            q = [x, y].map((one) => Math.round(10 * within(one, -MOST, MOST)) / 10);
            show();
        }
        const handle = bookHandle(all("handle")[0], "The query of bank", {
            move: (x, y) => set((x - 130) / 46, (154 - y) / 46),
            key: (right, up) => set(q[0] + right / 10, q[1] + up / 10),
        });
        show();
    }

    // ---- A query and a key that turn, in "Positions"

    function turn(figure) {
        const all = (name) => figure.querySelectorAll(`.${name}`);
        const [QUERY, KEY, APART] = [[2, 1], [1, 1], 2];
        const SPEEDS = [0, 4, 8].map((pair) => 1e6 ** (-2 * pair / 64));
        const MOST = 200; // then the third hand has been round once
        const CENTRES = [84, 240, 396];
        const turned = ([x, y], angle) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
        const point = (centre, [x, y]) => [(centre + 27 * x).toFixed(1), (112 - 27 * y).toFixed(1)];
        let position = 3;

        function show() {
            SPEEDS.forEach((speed, dial) => {
                const [query, key] = [turned(QUERY, position * speed), turned(KEY, (position - APART) * speed)];
                all("q")[dial].setAttribute("d", `M${CENTRES[dial]} 112 L${point(CENTRES[dial], query).join(" ")}`);
                all("k")[dial].setAttribute("d", `M${CENTRES[dial]} 112 L${point(CENTRES[dial], key).join(" ")}`);
                all("dot")[dial].textContent = `dot product ${number(query[0] * key[0] + query[1] * key[1], 2)}`;
                if (dial === 0) handle.put(...point(CENTRES[0], query));
            });
            const now = Math.round(position);
            all("query")[0].textContent = `query at position ${now}`;
            all("key")[0].textContent = `key at position ${now - APART}`;
            handle.say(now, APART, MOST, `query at position ${now}, key at position ${now - APART}`);
        }
        function set(to) {
            position = within(to, APART, MOST);
            show();
        }
        const handle = bookHandle(all("handle")[0], "The position of the query", {
            // By the shorter way round from where the hand is, so that turns add up. Between two tokens only while it is held.
            move: (x, y) => {
                const by = Math.atan2(112 - y, x - CENTRES[0]) - Math.atan2(QUERY[1], QUERY[0]) - position;
                set(position + by - 2 * Math.PI * Math.round(by / (2 * Math.PI)));
            },
            key: (right, up) => set(position + right + up),
            end: () => set(Math.round(position)),
        });
        show();
    }

    for (const [name, figure] of Object.entries({ query, turn })) {
        const place = document.getElementById(`touch-${name}`);
        if (place) figure(place);
    }
})();
