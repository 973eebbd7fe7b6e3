use std::io;
use std::path::Path;

use ground::chat::Message;
use ground::checksummed_file::{Seal, identity, open, save};
use ground::error::Error;
use ground::text::one_line;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::conversation::Conversation;
use crate::session::Session;

// Two parts: what was said, as JSON; and the numbers, that is the tokens, then layer by layer their keys and
// their values, each number in 4 bytes.
fn seal(session: &Session) -> Seal {
    Seal {
        what: "saved conversation",
        magic: *b"ch07chat",
        version: 2,
        model: identity(&session.model.config, session.file),
    }
}

/// Far more than fits into any context. A sparse file can announce any length and take no room on the disk.
const SAID: u64 = 16 << 20;

impl Conversation<'_> {
    /// Writes all of it to a file, with the rows of the cache.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let said = Said { drawn: self.drawn, messages: self.messages.clone() };
        let said = serde_json::to_vec(&said).map_err(io::Error::from)?;
        let ids = self.context.ids();
        let config = &self.session.model.config;
        let numbers = ids.len() * (1 + 2 * config.layers * config.kv_heads * config.head_dim);
        let lengths = [said.len() as u64, 4 * numbers as u64];
        save(path, &seal(self.session), lengths, |file| {
            file.write_all(&said)?;
            file.write_all(&bytes_of(ids.iter().map(|id| id.to_le_bytes())))?;
            for layer in 0..config.layers {
                let keys = self.context.blocks(layer).map(|(k, _)| k);
                let values = self.context.blocks(layer).map(|(_, v)| v);
                for rows in keys.chain(values) {
                    file.write_all(&bytes_of(rows.iter().map(|number| number.to_le_bytes())))?;
                }
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Continues the conversation that a file holds. After an error the conversation is as it was.
    pub fn load(&mut self, path: &Path) -> Result<(), Error> {
        let config = &self.session.model.config;
        let width = config.kv_heads * config.head_dim;
        let token = 4 * (1 + 2 * config.layers * width) as u64;
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
        let mut numbers = numbers.chunks_exact(4).map(|four| four.try_into().expect("4 bytes"));
        let ids: Vec<u32> =
            numbers.by_ref().take(count as usize).map(u32::from_le_bytes).collect();
        if let Some(id) = ids.iter().find(|id| **id as usize >= config.vocab) {
            let why = format!("token id {id} is not in the vocabulary: it is damaged");
            return Err(file.refused(why).into());
        }
        let mut numbers = numbers.map(f32::from_le_bytes);
        let shape = (ids.len(), width);
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

fn bytes_of(numbers: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    numbers.flatten().collect()
}
