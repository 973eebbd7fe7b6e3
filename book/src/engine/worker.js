"use strict";
// The engine beside the page: a thread of its own, so that no computation holds up what a reader sees. `book/js/engine.js`
// starts it and speaks to it. What `engine.wasm` exports is described in `book/engine`.

let engine = null;
let model = null; // what the engine says of it
let current = 0; // the run that may go on; 0 for none

// A refusal in the engine's own words, such as "the prompt is empty". Whatever else fails is a fault of the engine.
class Refused extends Error {}

// The engine makes room for bytes, and they are copied there.
function give(bytes) {
    const at = engine.reserve(bytes.length);
    if (!at) throw new Refused(`the browser has no ${bytes.length} bytes of memory for this`);
    new Uint8Array(engine.memory.buffer).set(bytes, at);
    return bytes.length;
}

// Every answer is one JSON object. `memory.buffer` is another one after each time that the memory grew.
function answer() {
    const bytes = new Uint8Array(engine.memory.buffer, engine.result_pointer(), engine.result_length());
    const result = JSON.parse(new TextDecoder().decode(bytes));
    if (result.error) throw new Refused(result.error);
    return result;
}

function open({ module, bytes }) {
    engine = new WebAssembly.Instance(module, {}).exports;
    give(new Uint8Array(bytes));
    engine.open();
    model = answer();
}

// Lets messages in between two steps. A timer would wait for four milliseconds, as long as a step takes.
const door = new MessageChannel();
const turn = () => new Promise((done) => {
    door.port1.onmessage = done;
    door.port2.postMessage(0);
});

async function reply({ run, prompt, chapter, cache, chat, limit, past }) {
    current = run;
    const length = give(new TextEncoder().encode(prompt));
    engine.begin(chapter === 3 ? 1 : 0, Number(cache), Number(chat), limit, Number(past), length);
    postMessage({ run, begun: { ...model, ...answer() } });
    for (let ended = null; !ended;) {
        await turn();
        if (run !== current) return postMessage({ run, stopped: true });
        const start = performance.now();
        engine.step();
        const ms = performance.now() - start;
        const step = answer();
        ended = step.ended;
        postMessage({ run, step: { ...step, ms } });
    }
}

function attention(question) {
    engine.attention(question.layer, question.head, question.position);
    postMessage({ ...question, weights: answer().weights });
}

onmessage = async ({ data }) => {
    try {
        if (data.module) open(data);
        else if (data.prompt !== undefined) await reply(data);
        else if (data.layer !== undefined) attention(data);
        else current = 0;
    } catch (error) {
        current = 0;
        postMessage({ run: data.run, error: error.message, broken: !(error instanceof Refused) });
    }
};
