//! The module in an interpreter, and the way in and out that a page takes.

use std::path::{Path, PathBuf};

use engine::Wish;
use serde_json::Value;
use wasmi::{Engine, ExternType, Instance, Linker, Module, Store, Val};

/// Where the module and its model are.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/engine")
}

pub struct Machine {
    module: Module,
    store: Store<()>,
    instance: Instance,
}

impl Machine {
    pub fn new() -> Machine {
        let bytes =
            std::fs::read(folder().join("engine.wasm")).expect("book/engine/build.sh makes it");
        let engine = Engine::default();
        let module = Module::new(&engine, bytes).unwrap();
        let mut store = Store::new(&engine, ());
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).unwrap();
        Machine { module, store, instance }
    }

    pub fn with_model() -> Machine {
        let mut machine = Machine::new();
        let opened = machine.open(ground::embedded::tiny_qwen3_bytes());
        assert_eq!(opened["name"], "Tiny Qwen3 of One Diff at a Time", "{opened}");
        machine
    }

    /// Calls a function of the module. A trap ends the test.
    fn call(&mut self, name: &str, arguments: &[usize]) -> usize {
        let arguments: Vec<Val> = arguments.iter().map(|&n| Val::I32(n as i32)).collect();
        let mut result = [Val::I32(0)];
        let function = self.instance.get_func(&self.store, name).unwrap();
        function
            .call(&mut self.store, &arguments, &mut result)
            .unwrap_or_else(|trap| panic!("{name}{arguments:?}: {trap}"));
        result[0].i32().unwrap() as u32 as usize
    }

    fn give(&mut self, bytes: &[u8]) {
        let at = self.call("reserve", &[bytes.len()]);
        assert_ne!(at, 0, "no room for {} bytes", bytes.len());
        let memory = self.instance.get_memory(&self.store, "memory").unwrap();
        memory.write(&mut self.store, at, bytes).unwrap();
    }

    /// Calls a function that answers: its status says whether the answer is an error of one line.
    fn ask(&mut self, name: &str, arguments: &[usize]) -> Value {
        let status = self.call(name, arguments);
        let (at, length) = (self.call("result_pointer", &[]), self.call("result_length", &[]));
        let mut bytes = vec![0; length];
        let memory = self.instance.get_memory(&self.store, "memory").unwrap();
        memory.read(&self.store, at, &mut bytes).unwrap();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        match answer["error"].as_str() {
            Some(error) => {
                assert_eq!(status, 1, "{answer}");
                assert!(!error.contains('\n') && error.len() < 400, "not one line: {error}");
            }
            None => assert_eq!(status, 0, "{answer}"),
        }
        answer
    }

    pub fn open(&mut self, bytes: &[u8]) -> Value {
        self.give(bytes);
        self.ask("open", &[])
    }

    pub fn refuses_model(&mut self, bytes: &[u8]) {
        let answer = self.open(bytes);
        assert!(answer["error"].is_string(), "{} bytes: {answer}", bytes.len());
    }

    pub fn begin(&mut self, prompt: &str, wish: Wish) -> Value {
        self.begin_with(prompt.as_bytes(), wish)
    }

    pub fn begin_with(&mut self, prompt: &[u8], wish: Wish) -> Value {
        self.give(prompt);
        let Wish { chapter_3, cache, chat, new_tokens, ignore_eos } = wish;
        let [chapter_3, cache, chat, ignore_eos] =
            [chapter_3, cache, chat, ignore_eos].map(usize::from);
        self.ask("begin", &[chapter_3, cache, chat, new_tokens, ignore_eos, prompt.len()])
    }

    pub fn step(&mut self) -> Value {
        self.ask("step", &[])
    }

    /// All steps of a reply, to its end.
    pub fn steps(&mut self) -> Vec<Value> {
        let mut steps = vec![self.step()];
        while steps.last().unwrap()["ended"].is_null() {
            let step = self.step();
            assert!(step["error"].is_null(), "{step}");
            steps.push(step);
        }
        steps
    }

    pub fn attention(&mut self, layer: usize, head: usize, position: usize) -> Value {
        self.ask("attention", &[layer, head, position])
    }

    pub fn heads(&mut self, position: usize) -> Value {
        self.ask("heads", &[position])
    }

    pub fn draw(&mut self, temperature: f32, top_k: i32, top_p: f32, seed: i32) {
        let float = |number: f32| Val::from(wasmi::F32::from(number));
        let arguments = [float(temperature), Val::I32(top_k), float(top_p), Val::I32(seed)];
        let function = self.instance.get_func(&self.store, "draw").unwrap();
        function.call(&mut self.store, &arguments, &mut []).unwrap();
    }

    pub fn branch(&mut self, kept: usize, id: u32) -> Value {
        self.ask("branch", &[kept, id as usize])
    }

    pub fn shares(&mut self, position: usize) -> Value {
        self.ask("shares", &[position])
    }

    pub fn imports(&self) -> Vec<String> {
        self.module
            .imports()
            .map(|import| format!("{}.{}", import.module(), import.name()))
            .collect()
    }

    /// What it exports for a page, with the types: an interface that changed is noticed here.
    pub fn functions(&self) -> Vec<String> {
        let mut functions = Vec::new();
        for export in self.module.exports() {
            let ExternType::Func(kind) = export.ty() else { continue };
            let list = |types: &[wasmi::ValType]| {
                types
                    .iter()
                    .map(|one| format!("{one:?}").to_lowercase())
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            let (from, to) = (list(kind.params()), list(kind.results()));
            // Of the tokenizer's crates: no page calls it.
            if export.name() != "__getrandom_v03_custom" {
                functions.push(format!("{}({from}) -> {to}", export.name()));
            }
        }
        functions.sort();
        functions
    }
}
