// How long a token takes in Node, in modules that are run in turn:
//     node book/engine/time.mjs NAME=CHAPTER:FILE.wasm ... > FILE.json
import { readFileSync } from "node:fs";
import { cpus } from "node:os";

const [ROUNDS, TOKENS, PROMPT] = [7, 64, new TextEncoder().encode("Once upon a time")];
const model = readFileSync(new URL("../../src/ground/embedded/tiny-qwen3.gguf", import.meta.url));

const runs = process.argv.slice(2).map((argument) => {
    const [, name, chapter, file] = argument.match(/^(\w+)=([23]):(.+)$/) ?? [];
    if (!name) throw new Error(`expected NAME=CHAPTER:FILE.wasm, such as simd128=3:engine.wasm; found ${argument}`);
    return { name, chapter, module: new WebAssembly.Module(readFileSync(file)), raw: [] };
});

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

// Milliseconds of the middle one of all steps but the first, which has the whole prompt; and the digest of the logits.
function reply({ module, chapter }) {
    const engine = new WebAssembly.Instance(module, {}).exports;
    const give = (bytes) => {
        const at = engine.reserve(bytes.length); // after which the memory may be another one
        new Uint8Array(engine.memory.buffer).set(bytes, at);
    };
    const answer = () => JSON.parse(new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.result_pointer(), engine.result_length())));
    give(model);
    engine.open();
    give(PROMPT);
    engine.begin(chapter - 2, 1, 0, TOKENS, 1, PROMPT.length);
    const times = [];
    for (let token = 0; token < TOKENS; token++) {
        const start = performance.now();
        if (engine.step()) throw new Error(answer().error);
        times.push(performance.now() - start);
    }
    return { ms: median(times.slice(1)), digest: answer().digest, memory: engine.memory.buffer.byteLength };
}

for (let round = 0; round < ROUNDS; round++) {
    for (const run of runs) {
        const { ms, ...same } = reply(run);
        run.raw.push(ms);
        Object.assign(run, same);
    }
}
const figures = ({ raw, digest, memory }) => ({ median: median(raw), min: Math.min(...raw), max: Math.max(...raw), raw, digest, memory });
console.log(JSON.stringify({
    machine: { cpu: cpus()[0].model, cores: cpus().length, arch: process.arch, os: process.platform, node: process.version },
    command: "node book/engine/time.mjs " + process.argv.slice(2).map((argument) => argument.replace(/:.*\//, ":")).join(" "),
    ms_per_token: Object.fromEntries(runs.map((run) => [run.name, figures(run)])),
}, null, 1));
