//! Any bytes as a model: opened, described, read as a Qwen3, every tensor widened.
#![no_main]

use fuzz::{of_file, one_line, within};
use ground::config::Config;
use ground::gguf::Gguf;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    within(of_file(data.len()), || {
        let file = match Gguf::from_vec(data.to_vec()) {
            Ok(file) => file,
            Err(error) => return drop(one_line(error)),
        };
        for key in file.keys() {
            one_line(file.describe(key));
            let _ = file.text(key).map_err(one_line);
            let _ = file.integer(key).map_err(one_line);
            let _ = file.float(key).map_err(one_line);
            let _ = file.flag(key).map_err(one_line);
            let _ = file.texts(key).map_err(one_line);
            let _ = file.integers(key).map_err(one_line);
        }
        for tensor in file.tensors() {
            let whole = tensor.to_f32();
            let mut row = vec![0.0; tensor.columns];
            tensor.row_to_f32(tensor.rows - 1, &mut row);
            let last = &whole[whole.len() - row.len()..];
            assert!(last.iter().zip(&row).all(|(a, b)| a.to_bits() == b.to_bits()));
            if let Some(numbers) = tensor.as_f32() {
                assert_eq!(numbers.len(), whole.len());
            }
            if let Some(numbers) = tensor.as_f16() {
                assert_eq!(numbers.len(), whole.len());
            }
            if let Some(numbers) = tensor.as_bf16() {
                assert_eq!(numbers.len(), whole.len());
            }
            if let Some(blocks) = tensor.as_blocks::<34>() {
                assert_eq!(blocks.len() * tensor.stored.block_len(), whole.len());
            }
        }
        match Config::from_gguf(&file) {
            // What it promises to those who make room by its numbers.
            Ok(config) => {
                assert!(
                    config.heads.is_multiple_of(config.kv_heads) && config.head_dim % 2 == 0
                );
                assert!(config.eos_ids.iter().all(|&id| (id as usize) < config.vocab));
                assert_eq!(config.tensors().count(), file.tensors().count());
            }
            Err(error) => drop(one_line(error)),
        }
    });
});
