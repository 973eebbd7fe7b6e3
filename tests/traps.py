"""Puts each known trap into a copy of the project and sees a named test turn red.

    python tests/traps.py [--only rope,eps] [--keep]

Takes some minutes: every trap is compiled. The copy and its target directory lie in a temporary folder. A trap
whose test stays green is a fault of the tests, and the exit status says so; so is a trap whose line is no longer
in the code, because then nobody knows whether it is still guarded.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CH00, CH02, CH03 = ("chapters/" + name + "/src/" for name in ("ch00-naive-forward", "ch02-kv-cache", "ch03-simd-matmul"))
JUDGE, PARTS = "--test judge ", "--test parts "

# name, file, what stands there, what the trap makes of it, the test that must turn red
TRAPS = [
    ("rope pairs neighbours", CH00 + "rope.rs",
     "let (a, b) = (head[i], head[i + half]);\n                head[i] = a * cos - b * sin;\n                head[i + half] = b * cos + a * sin;",
     "let (a, b) = (head[2 * i], head[2 * i + 1]);\n                head[2 * i] = a * cos - b * sin;\n                head[2 * i + 1] = b * cos + a * sin;",
     PARTS + "rotations"),
    ("rope angles with ten bits", CH00 + "rope.rs", "libm::sincos(position * frequency)",
     "libm::sincos(f64::from(f32::from_bits(((position * frequency) as f32).to_bits() & 0xffff_e000)))", PARTS + "rotations"),
    ("rope angles in f32", CH00 + "rope.rs", "libm::sincos(position * frequency)",
     "libm::sincos(f64::from(position as f32 * *frequency as f32))", PARTS + "rotations"),
    ("eps outside the root", CH00 + "norm.rs", "1.0 / (sum_of_squares / x.len() as f32 + eps).sqrt()",
     "1.0 / ((sum_of_squares / x.len() as f32).sqrt() + eps)", PARTS + "norms"),
    ("softmax looks for the largest from 0 on", CH00 + "softmax.rs", "f32::NEG_INFINITY", "0.0_f32", PARTS + "softmax"),
    ("no norm for queries", CH00 + "attention.rs", "rms_norm_heads(&mut q, layer.q_norm.view(), config.rms_eps);", "",
     JUDGE + "ch00_layer_by_layer"),
    ("no norm for keys", CH00 + "attention.rs", "rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);", "",
     JUDGE + "ch00_layer_by_layer"),
    ("norm over all heads at once", CH00 + "norm.rs",
     "        for head in row.chunks_exact_mut(weight.len()) {\n            rms_norm(head, weight, eps);\n        }",
     "        let sum: f32 = row.iter().map(|x| x * x).sum();\n        let scale = 1.0 / (sum / row.len() as f32 + eps).sqrt();\n"
     "        for (i, x) in row.iter_mut().enumerate() {\n            *x *= scale * weight[i % weight.len()];\n        }",
     JUDGE + "ch00_layer_by_layer"),
    ("rotated before the norm", CH00 + "attention.rs",
     "    rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);\n    rope(&mut q, config.head_dim, config.rope_theta, 0);\n    rope(&mut k, config.head_dim, config.rope_theta, 0);",
     "    rope(&mut q, config.head_dim, config.rope_theta, 0);\n    rope(&mut k, config.head_dim, config.rope_theta, 0);\n    rms_norm_heads(&mut k, layer.k_norm.view(), config.rms_eps);",
     JUDGE + "ch00_layer_by_layer"),
    ("heads dealt out like cards", CH00 + "attention.rs", "|head| head / queries_per_kv_head;", "|head| head % config.kv_heads;",
     JUDGE + "ch00_layer_by_layer"),
    ("head_dim is hidden / heads", CH00 + "attention.rs", "1.0 / (head_dim as f32).sqrt()",
     "1.0 / ((config.hidden / config.heads) as f32).sqrt()", JUDGE + "ch00_layer_by_layer"),
    ("sees the next token", CH00 + "attention.rs", "let key_count = row + 1;", "let key_count = (row + 2).min(k.nrows());",
     JUDGE + "ch00_layer_by_layer"),
    ("always tied", CH00 + "model.rs", "self.weights.output.as_ref().unwrap_or(&self.weights.embedding)", "&self.weights.embedding",
     JUDGE + "ch00_teacher_forced"),
    ("eps is a constant", CH00 + "model.rs", "let eps = self.config.rms_eps;", "let eps = 1e-3;", JUDGE + "ch00_layer_by_layer"),
    ("theta is a constant", CH00 + "attention.rs", "rope(&mut q, config.head_dim, config.rope_theta, 0);\n    rope(&mut k, config.head_dim, config.rope_theta, 0);",
     "rope(&mut q, config.head_dim, 1e6, 0);\n    rope(&mut k, config.head_dim, 1e6, 0);", JUDGE + "ch00_layer_by_layer"),
    ("softmax keeps its large scores", CH00 + "softmax.rs", "libm::expf(*score - largest)", "libm::expf(*score - 0.0 * largest)",
     PARTS + "softmax"),
    ("dimensions in the wrong order", "src/ground/gguf.rs",
     "let rows = info.dimensions[1..].iter().product::<u64>() as usize;\n    let columns = info.dimensions[0] as usize;",
     "let columns = info.dimensions[1..].iter().product::<u64>() as usize;\n    let rows = info.dimensions[0] as usize;",
     "--test gguf_open"),
    ("a pass that nobody reads", CH00 + "generate.rs",
     "        if ids.len() == request.prompt_ids.len() + request.max_new_tokens {\n            break FinishReason::Length;\n        }\n        let logits = forward(&ids)?;",
     "        let logits = forward(&ids)?;\n        if ids.len() == request.prompt_ids.len() + request.max_new_tokens {\n            break FinishReason::Length;\n        }",
     "--test generation_loop"),
    ("positions begin at 0 on every step", CH02 + "attention.rs",
     "rope(&mut q, config.head_dim, config.rope_theta, position);", "rope(&mut q, config.head_dim, config.rope_theta, 0);",
     "--test kv_cache other_shapes"),
    ("the mask forgets the cache", CH02 + "attention.rs", "(q_base + row + 1).min(k.nrows())", "(row + 1).min(k.nrows())",
     "--test kv_cache other_shapes"),
    ("keys cached before they are rotated", CH02 + "attention.rs",
     "rope(&mut k, config.head_dim, config.rope_theta, position);", "rope(&mut k, config.head_dim, config.rope_theta, 0);",
     "--test kv_cache other_shapes"),
    ("a rollback forgets one layer", CH02 + "cache/contiguous.rs", "self.written.fill(self.length);", "self.written[0] = self.length;",
     "--test kv_cache truncated"),
    ("a full cache is written anyway", CH02 + "cache/check.rs", "Some(capacity) if rows > capacity - length =>", "Some(capacity) if rows > capacity =>",
     "--test kv_cache refused"),
    ("a second prompt on a used cache", CH02 + "generate.rs", "cache::check_empty(*cache)?;", "let _ = cache::check_empty(*cache);",
     "--test kv_cache second_prompt"),
    ("the position is not checked", CH02 + "cache/check.rs", "if position != shape.length {", "if position > shape.length + 99 {",
     "--test kv_cache a_forward_pass_checks"),
    ("white space without a look-ahead", "src/ground/tokenizer.rs", r'r"|\s+(?!\S)"', r'r"|\s+"', "--test tokenizer_text"),
    ("half a character is printed", "src/ground/stream.rs", "let Some(wrong) = error.error_len() else { return };", "let wrong = error.error_len().unwrap_or(self.partial.len());",
     "--test stream_pieces"),
    ("chapter 3 deals its keys out like cards", CH03 + "kernels.rs", "[m / rows_per_part * inner..]", "[m % parts * inner..]",
     "--test ch03_kernels products_by_parts"),
    ("chapter 3 deals its values out like cards", CH03 + "kernels.rs", "m / (outputs / parts) * width", "m % parts * width",
     "--test ch03_kernels weighted_sums"),
    ("chapter 3 forgets the cut before the softmax", CH03 + "attention.rs", "&mut scores[..seen(start + index / heads)]",
     "&mut scores[..seen(queries.end - 1)]", "--test ch03_model every_backend"),
]


def copy(to):
    files = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    for name in files.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--only", default="", help="words in the names of the wanted traps, separated by commas")
    args.add_argument("--list", action="store_true")
    args = args.parse_args()
    wanted = [t for t in TRAPS if t[4] and (not args.only or any(word in t[0] for word in args.only.split(",")))]
    if args.list:
        for name, file, *_, test in wanted:
            print(f"{name:40} {file:50} {test}")
        return
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        house = Path(folder) / "house"
        copy(house)
        environment = {**os.environ, "CARGO_TARGET_DIR": str(Path(folder) / "target"), "INSTA_UPDATE": "no"}
        for name, file, before, after, test in wanted:
            path = house / file
            text = path.read_text()
            if text.count(before) != 1:
                print(f"STALE  {name}: its line stands {text.count(before)} times in {file}", flush=True)
                failed += 1
                continue
            path.write_text(text.replace(before, after))
            run = subprocess.run(["cargo", "test", "-q", "-p", "course-tests", *test.split()], cwd=house, env=environment,
                                 capture_output=True, text=True)
            path.write_text(text)
            out = run.stdout + run.stderr
            if "could not compile" in out:
                print(f"BROKEN {name}: does not compile\n{out[-1500:]}", flush=True)
                failed += 1
            elif run.returncode == 0:
                print(f"GREEN  {name}: {test} did not notice", flush=True)
                failed += 1
            else:
                said = next((line.strip() for line in out.splitlines() if "judge says" in line or "differ" in line), "")
                print(f"red    {name}: {test}: {said[:110]}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
