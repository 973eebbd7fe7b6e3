use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ground::chat::Message;
use ground::error::Error;
use ground::text::path_line;
use ndarray::Array2;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::context::Context;
use crate::session::Session;

// What a file consists of; all numbers have their low byte first.
//
//   8   MAGIC
//   4   VERSION
//   32  the model's identity
//   8   bytes of the messages
//   8   how many tokens have rows
//       the messages as JSON
//       the tokens, 4 bytes each
//       layer by layer their keys, then their values, as f32
//   32  SHA-256 of everything before
const MAGIC: [u8; 8] = *b"ch07chat";
const VERSION: u32 = 1;
const HEADER: usize = 60;
const HASH: usize = 32;

/// Why a conversation cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path_line(path))]
pub struct SavedError {
    path: PathBuf,
    pub reason: Reason,
}

#[derive(Debug, thiserror::Error)]
pub enum Reason {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("there is something that is no ordinary file: give another name")]
    NotAFile,
    #[error("it is no saved conversation: it does not begin with \"ch07chat\"")]
    Magic,
    #[error("a saved conversation of version {found}, expected {VERSION}: save it again")]
    Version { found: u32 },
    #[error("saved with another model: start with that --model to load it")]
    Model,
    #[error(
        "it has {found} tokens, but the context holds {holds}: start with --context {found}"
    )]
    TooLong { found: u64, holds: usize },
    #[error("it has {found} bytes, expected {expected}: it is damaged")]
    Length { found: u64, expected: u128 },
    #[error("its checksum is not that of its bytes: it is damaged")]
    Checksum,
    #[error("{0}: it is damaged")]
    Content(String),
}

/// Writes a conversation, whole or not at all: into a file beside `path`, which takes its name at the end.
pub fn save(
    path: &Path,
    session: &Session,
    messages: &[Message],
    context: &Context,
) -> Result<(), Error> {
    write(path, session, messages, context).map_err(|reason| at(path, reason))
}

/// Reads the messages of a conversation, and their rows into the context. After an error it is unchanged.
pub fn load(
    path: &Path,
    session: &Session,
    context: &mut Context,
) -> Result<Vec<Message>, Error> {
    read(path, session, context).map_err(|reason| at(path, reason))
}

fn at(path: &Path, reason: Reason) -> Error {
    Error::chapter(SavedError { path: path.into(), reason })
}

fn write(
    path: &Path,
    session: &Session,
    messages: &[Message],
    context: &Context,
) -> Result<(), Reason> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(Reason::NotAFile);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    let mut hash = Sha256::new();
    let mut put = |bytes: &[u8]| {
        hash.update(bytes);
        file.write_all(bytes)
    };
    let messages = serde_json::to_vec(messages).map_err(io::Error::from)?;
    put(&MAGIC)?;
    put(&VERSION.to_le_bytes())?;
    put(&identity(session))?;
    put(&(messages.len() as u64).to_le_bytes())?;
    put(&(context.ids().len() as u64).to_le_bytes())?;
    put(&messages)?;
    put(&bytes_of(context.ids().iter().map(|id| id.to_le_bytes())))?;
    for layer in 0..session.model.config.layers {
        if let Some((k, v)) = context.rows(layer) {
            put(&bytes_of(k.iter().map(|number| number.to_le_bytes())))?;
            put(&bytes_of(v.iter().map(|number| number.to_le_bytes())))?;
        }
    }
    let hash = hash.finalize();
    file.write_all(&hash)?;
    // All of it is on the disk before it has the name.
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

fn read(path: &Path, session: &Session, context: &mut Context) -> Result<Vec<Message>, Reason> {
    let config = &session.model.config;
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Reason::NotAFile);
    }
    let mut file = File::open(path)?;
    let mut header = Vec::new();
    (&mut file).take(HEADER as u64).read_to_end(&mut header)?;
    if !header.starts_with(&MAGIC) {
        return Err(Reason::Magic);
    }
    let damaged = |expected| Err(Reason::Length { found: found.len(), expected });
    if header.len() < HEADER {
        return damaged((HEADER + HASH) as u128);
    }
    let mut rest = &header[MAGIC.len()..];
    let found_version = u32::from_le_bytes(take(&mut rest));
    if found_version != VERSION {
        return Err(Reason::Version { found: found_version });
    }
    if take(&mut rest) != identity(session) {
        return Err(Reason::Model);
    }
    let said = u64::from_le_bytes(take(&mut rest));
    let count = u64::from_le_bytes(take(&mut rest));
    // No byte more is read, and no room is made, unless the file has exactly this length.
    let width = config.kv_heads * config.head_dim;
    let of_token = 4 + 8 * config.layers as u128 * width as u128;
    let expected = of_token
        .saturating_mul(u128::from(count))
        .saturating_add((HEADER + HASH) as u128 + u128::from(said));
    if u128::from(found.len()) != expected {
        return damaged(expected);
    }
    let holds = context.positions();
    if count > holds as u64 {
        return Err(Reason::TooLong { found: count, holds });
    }

    let mut body = Vec::with_capacity(found.len() as usize - HEADER);
    file.take(found.len() - HEADER as u64).read_to_end(&mut body)?;
    if (HEADER + body.len()) as u128 != expected {
        return damaged(expected); // another program cut it meanwhile
    }
    let hash = body.split_off(body.len() - HASH);
    let right = Sha256::new().chain_update(&header).chain_update(&body).finalize();
    if right[..] != hash[..] {
        return Err(Reason::Checksum);
    }

    // The checksum finds accidents. A file that was made on purpose can have the right one, so all is checked.
    let (messages, numbers) = body.split_at(said as usize);
    let messages = messages_of(messages)?;
    let (ids, rows) = numbers.split_at(4 * count as usize);
    let ids: Vec<u32> = fours(ids).map(u32::from_le_bytes).collect();
    if let Some(id) = ids.iter().find(|id| **id as usize >= config.vocab) {
        return Err(Reason::Content(format!("token id {id} is not in the vocabulary")));
    }
    let mut numbers = fours(rows).map(f32::from_le_bytes);
    let shape = (ids.len(), width);
    let mut next = || Array2::from_shape_simple_fn(shape, || numbers.next().unwrap_or(0.0));
    let rows = |_layer| (next(), next());
    context.replace(ids, rows).map_err(|error| Reason::Content(error.to_string()))?;
    Ok(messages)
}

/// Perhaps a system message, then pairs of a question and an answer.
fn messages_of(json: &[u8]) -> Result<Vec<Message>, Reason> {
    let messages: Vec<Message> = serde_json::from_slice(json)
        .map_err(|error| Reason::Content(format!("its messages cannot be read: {error}")))?;
    let roles: Vec<&str> = messages.iter().map(|message| message.role.as_str()).collect();
    let turns = roles.strip_prefix(&["system"]).unwrap_or(&roles);
    if turns.chunks(2).all(|turn| turn == ["user", "assistant"]) {
        return Ok(messages);
    }
    Err(Reason::Content("its messages are not questions and answers in turn".into()))
}

/// What tells a model from others, and can be read at once: its numbers, the names, shapes and types of its
/// tensors, and of each tensor's bytes some.
fn identity(session: &Session) -> [u8; HASH] {
    let mut hash = Sha256::new();
    hash.update(format!("{:?}", session.model.config));
    for tensor in session.file.tensors() {
        let (rows, columns, stored) = (tensor.rows, tensor.columns, tensor.stored.name());
        hash.update(format!("{:?} {rows} {columns} {stored}", tensor.name));
        let pieces = tensor.bytes.chunks(64);
        let apart = (pieces.len() / 16).max(1);
        pieces.step_by(apart).for_each(|piece| hash.update(piece));
    }
    hash.finalize().into()
}

/// The next bytes of a header that is whole.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("the header is whole");
    *bytes = rest;
    *first
}

fn fours(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.chunks_exact(4).map(|four| four.try_into().expect("four bytes"))
}

fn bytes_of(numbers: impl Iterator<Item = [u8; 4]>) -> Vec<u8> {
    numbers.flatten().collect()
}
