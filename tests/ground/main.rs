//! The ground floor: what a file may hold, and that text, tokens and templates come out as the reference has them.

mod bar_shown;
mod chat_render;
mod command_line;
mod config_numbers;
mod families;
mod gguf_open;
mod hostile_gguf;
mod hostile_template;
mod layer_states;
mod machine_cores;
mod request_checks;
mod sample_choose;
mod sealed_file;
mod stored_types;
mod stream_pieces;
mod thought_pieces;
mod tokenizer_build;
mod tokenizer_text;
