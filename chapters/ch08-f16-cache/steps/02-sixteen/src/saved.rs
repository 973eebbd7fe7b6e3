use std::io;
use std::path::Path;

use ground::chat::Message;
use ground::checksummed_file::{Seal, identity, open, save};
use ground::config::Config;
use ground::error::Error;
use ground::text::one_line;
use half::f16;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::cache::KvType;
use crate::conversation::Conversation;
use crate::session::Session;

// Two parts: what was said, as JSON; and the numbers, that is the tokens, then layer by layer their keys and
// their values. An id has 4 bytes, another number as many as its type.
fn seal(session: &Session) -> Seal {
    let (what, magic) = match session.model.kv_type {
        KvType::F32 => ("conversation saved with --kv-type f32", *b"chat-f32"),
        KvType::F16 => ("conversation saved with --kv-type f16", *b"chat-f16"),
    };
    Seal { what, magic, version: 1, model: identity(&session.model.config, session.file) }
}

/// Far more than fits into any context. A sparse file can announce any length and take no room on the disk.
const SAID: u64 = 16 << 20;

impl Conversation<'_> {
    /// Writes all of it to a file, with the rows of the cache.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let said = Said { drawn: self.drawn, messages: self.messages.clone() };
        let said = serde_json::to_vec(&said).map_err(io::Error::from)?;
        let ids = self.context.ids();
        let (config, kv_type) = (&self.session.model.config, self.session.model.kv_type);
        let lengths = [said.len() as u64, ids.len() as u64 * bytes_of_token(config, kv_type)];
        save(path, &seal(self.session), lengths, |file| {
            file.write_all(&said)?;
            file.write_all(&bytes_of(ids.iter().map(|id| id.to_le_bytes())))?;
            for (layer, part) in (0..config.layers).flat_map(|layer| [(layer, 0), (layer, 1)]) {
                for (block, rows) in self.context.blocks(layer) {
                    let rows = &block.rows(rows, config.kv_heads, config.head_dim)[part];
                    file.write_all(&match kv_type {
                        KvType::F32 => bytes_of(rows.iter().map(|x| x.to_le_bytes())),
                        // They were rounded when they were written, and so this changes none.
                        KvType::F16 => {
                            bytes_of(rows.iter().map(|&x| f16::from_f32(x).to_le_bytes()))
                        }
                    })?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Continues the conversation that a file holds. After an error the conversation is as it was.
    pub fn load(&mut self, path: &Path) -> Result<(), Error> {
        let config = &self.session.model.config;
        let kv_type = self.session.model.kv_type;
        let token = bytes_of_token(config, kv_type);
        let mut file = open(path, &seal(self.session))?;
        let [said, numbers] = file.lengths;
        let (count, holds) = (numbers / token, self.context.positions());
        if said > SAID || count > config.context_length as u64 {
            let why =
                format!("it has {said} bytes of messages and {count} tokens: it is damaged");
            return Err(file.refused(why).into());
        }
        if numbers % token != 0 {
            return Err(file.refused("it has half a token: it is damaged").into());
        }
        if count > holds as u64 {
            let why = format!(
                "it has {count} tokens, but the context holds {holds}: a context of {count} has room for it"
            );
            return Err(file.refused(why).into());
        }
        let [said, numbers] = file.read()?;

        // The checksum finds accidents. A file that was made on purpose can have the right one, so everything is checked.
        let Said { drawn, messages } =
            said_in(&said).map_err(|why| file.refused(why + ": it is damaged"))?;
        let (ids, numbers) = numbers.split_at(4 * count as usize);
        let ids: Vec<u32> =
            ids.as_chunks().0.iter().map(|id| u32::from_le_bytes(*id)).collect();
        if let Some(id) = ids.iter().find(|id| **id as usize >= config.vocab) {
            let why = format!("token id {id} is not in the vocabulary: it is damaged");
            return Err(file.refused(why).into());
        }
        let number = |bytes: &[u8]| match kv_type {
            KvType::F32 => f32::from_le_bytes(bytes.try_into().expect("4 bytes")),
            KvType::F16 => f16::from_le_bytes(bytes.try_into().expect("2 bytes")).to_f32(),
        };
        let mut numbers = numbers.chunks_exact(kv_type.bytes()).map(number);
        let shape = (ids.len(), config.kv_heads * config.head_dim);
        let mut next = || Array2::from_shape_simple_fn(shape, || numbers.next().unwrap_or(0.0));
        self.context.replace(ids, |_layer| (next(), next()))?;
        (self.drawn, self.messages) = (drawn, messages);
        Ok(())
    }
}

/// All of a conversation but its rows, so that the next answer is drawn as if it had never been
/// saved.
#[derive(Serialize, Deserialize)]
struct Said {
    drawn: u64,
    messages: Vec<Message>, // perhaps of the system, then pairs of a question and an answer
}

fn said_in(json: &[u8]) -> Result<Said, String> {
    let said: Said = serde_json::from_slice(json)
        .map_err(|error| one_line(&format!("its messages cannot be read: {error}"), 200))?;
    let roles: Vec<&str> = said.messages.iter().map(|message| message.role.as_str()).collect();
    let turns = roles.strip_prefix(&["system"]).unwrap_or(&roles);
    if turns.chunks(2).all(|turn| turn == ["user", "assistant"]) {
        return Ok(said);
    }
    Err("its messages are not questions and answers in turn".into())
}

fn bytes_of<const N: usize>(numbers: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.flatten().collect()
}

/// A token and its rows.
fn bytes_of_token(config: &Config, kv_type: KvType) -> u64 {
    (4 + 2 * config.layers * config.kv_heads * config.head_dim * kv_type.bytes()) as u64
}
