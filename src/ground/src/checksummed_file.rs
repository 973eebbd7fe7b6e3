//! A file that belongs to a model: written whole or not at all, and not believed when it is read.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use sha2::{Digest, Sha256};

use crate::config::Config;
use crate::gguf::Gguf;
use crate::text::{one_line, path_line};

// What a file consists of; all numbers have their low byte first.
//
//   8       the seal's magic
//   4       its version
//   32      its model
//   8 each  the lengths of the parts
//           the parts
//   32      SHA-256 of everything before
const FIXED: usize = 44;

/// Bytes of a SHA-256.
pub const HASH: usize = 32;

/// What must be the same when a file is read as it was when it was written.
#[derive(Clone, Debug)]
pub struct Seal {
    /// What the file is, in words: "saved conversation".
    pub what: &'static str,
    /// What it begins with.
    pub magic: [u8; 8],
    /// In which way its parts are written.
    pub version: u32,
    /// Which model it is for: see [`identity`].
    pub model: [u8; HASH],
}

/// Why a file cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path_line(path))]
pub struct SealedError {
    path: PathBuf,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum Reason {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("there is something that is no ordinary file: give another name")]
    NotAFile,
    #[error("it is no {what}: it does not begin with \"{}\"", magic.escape_ascii())]
    Magic { what: &'static str, magic: [u8; 8] },
    #[error(
        "a {what} of version {found}, expected {expected}: load it with the program that saved it"
    )]
    Version { what: &'static str, found: u32, expected: u32 },
    #[error("a {what} of another model: it can be loaded with that one only")]
    Model { what: &'static str },
    #[error("it has {found} bytes, expected {expected}: it is damaged")]
    Length { found: u64, expected: u128 },
    #[error("its checksum is not that of its bytes: it is damaged")]
    Checksum,
    #[error("{}", one_line(.0, 300))]
    Content(String),
}

/// What tells a model from others, and can be read at once: its numbers, the names, shapes and types of its
/// tensors, and of each tensor's bytes some.
pub fn identity(config: &Config, file: &Gguf) -> [u8; HASH] {
    let mut hash = Sha256::new();
    hash.update(format!("{config:?}"));
    for tensor in file.tensors() {
        let (rows, columns, stored) = (tensor.rows, tensor.columns, tensor.stored.name());
        hash.update(format!("{:?} {rows} {columns} {stored}", tensor.name));
        let pieces = tensor.bytes.chunks(64);
        let apart = (pieces.len() / 16).max(1);
        pieces.step_by(apart).for_each(|piece| hash.update(piece));
    }
    hash.finalize().into()
}

/// Writes a file whose parts have these lengths; `write` gives their bytes. After an error, what had the
/// name before still has it.
pub fn save<const PARTS: usize>(
    path: &Path,
    seal: &Seal,
    lengths: [u64; PARTS],
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), SealedError> {
    let result = replace(path, |file| {
        let mut hashed = Hashed { file, hash: Sha256::new(), written: 0 };
        hashed.write_all(&header(seal, lengths))?;
        write(&mut hashed)?;
        let Hashed { file, hash, written } = hashed;
        let announced = (FIXED + 8 * PARTS) as u64 + lengths.iter().sum::<u64>();
        assert_eq!(written, announced, "the parts have the lengths that the header says");
        file.write_all(&hash.finalize())?;
        // All of it is on the disk before it has the name.
        file.sync_all()
    });
    result.map_err(|reason| at(path, reason))
}

/// Writes into a file beside `path`, which takes its name at the end.
fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> Result<(), Reason> {
    let old = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => None,
        found => Some(found?.permissions()).filter(|_| path.is_file()),
    };
    // A link stays one: what it leads to is replaced.
    let path = match &old {
        Some(old) if old.readonly() => {
            return Err(io::Error::from(ErrorKind::PermissionDenied).into());
        }
        Some(_) => fs::canonicalize(path)?,
        None if path.exists() => return Err(Reason::NotAFile),
        None => path.to_path_buf(),
    };
    let (beside, mut file) = beside(&path)?;
    let done = old
        .map_or(Ok(()), |old| file.set_permissions(old))
        .and_then(|()| write(&mut file))
        .and_then(|()| fs::rename(&beside, path));
    if done.is_err() {
        let _ = fs::remove_file(&beside); // the first error is the one to tell
    }
    Ok(done?)
}

/// A new file in the folder of `path`. What a killed program left there keeps its name: it cannot be told from what
/// another program is writing, since numbers of processes repeat.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0_u64;
    loop {
        let beside = path.with_file_name(format!(".saving-{}-{number}", process::id()));
        match File::create_new(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            file => return Ok((beside, file?)),
        }
    }
}

/// A file whose beginning is right. What it says of itself is known, and nothing of its parts was read.
#[derive(Debug)]
pub struct Sealed<const PARTS: usize> {
    path: PathBuf,
    file: File,
    header: Vec<u8>,
    /// How many bytes each part has: together as many as are in the file.
    pub lengths: [u64; PARTS],
}

/// Opens a file, and looks whether it is whole and of this kind, version and model.
pub fn open<const PARTS: usize>(
    path: &Path,
    seal: &Seal,
) -> Result<Sealed<PARTS>, SealedError> {
    begin(path, seal).map_err(|reason| at(path, reason))
}

fn begin<const PARTS: usize>(path: &Path, seal: &Seal) -> Result<Sealed<PARTS>, Reason> {
    let what = seal.what;
    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(Reason::NotAFile);
    }
    let mut file = File::open(path)?;
    let size = FIXED + 8 * PARTS;
    let mut header = Vec::new();
    (&mut file).take(size as u64).read_to_end(&mut header)?;
    let Some(mut rest) = header.strip_prefix(&seal.magic) else {
        return Err(Reason::Magic { what, magic: seal.magic });
    };
    let whole = (size + HASH) as u128;
    if header.len() < size {
        return Err(Reason::Length { found: found.len(), expected: whole });
    }
    let version = u32::from_le_bytes(take(&mut rest));
    if version != seal.version {
        return Err(Reason::Version { what, found: version, expected: seal.version });
    }
    if take(&mut rest) != seal.model {
        return Err(Reason::Model { what });
    }
    let lengths = [(); PARTS].map(|()| u64::from_le_bytes(take(&mut rest)));
    // No byte more is read, and no room is made, unless the file has exactly this length.
    let expected = whole + lengths.iter().map(|&length| u128::from(length)).sum::<u128>();
    if u128::from(found.len()) != expected {
        return Err(Reason::Length { found: found.len(), expected });
    }
    Ok(Sealed { path: path.into(), file, header, lengths })
}

impl<const PARTS: usize> Sealed<PARTS> {
    /// All parts, if the checksum is theirs. They come into memory as a whole, and a file can have a length that takes
    /// no room on the disk: hold `lengths` against what there can be first.
    pub fn read(&mut self) -> Result<[Vec<u8>; PARTS], SealedError> {
        self.parts().map_err(|reason| at(&self.path, reason))
    }

    /// The error that what is in this file cannot be used. The checksum finds accidents: a file that was
    /// made on purpose can have the right one.
    pub fn refused(&self, why: impl Into<String>) -> SealedError {
        at(&self.path, Reason::Content(why.into()))
    }

    fn parts(&mut self) -> Result<[Vec<u8>; PARTS], Reason> {
        let mut hash = Sha256::new_with_prefix(&self.header);
        let mut read = |length: u64| -> io::Result<Vec<u8>> {
            let mut part = Vec::new();
            part.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
            (&mut self.file).take(length).read_to_end(&mut part)?;
            Ok(part)
        };
        let mut parts = [const { Vec::new() }; PARTS];
        for (part, length) in parts.iter_mut().zip(self.lengths) {
            *part = read(length)?;
            hash.update(&*part);
        }
        // If another program has cut the file meanwhile, this is where it shows, too.
        if read(HASH as u64)? != hash.finalize()[..] {
            return Err(Reason::Checksum);
        }
        Ok(parts)
    }
}

fn header<const PARTS: usize>(seal: &Seal, lengths: [u64; PARTS]) -> Vec<u8> {
    let lengths = lengths.map(u64::to_le_bytes);
    [&seal.magic[..], &seal.version.to_le_bytes(), &seal.model, lengths.as_flattened()].concat()
}

fn at(path: &Path, reason: Reason) -> SealedError {
    SealedError { path: path.into(), reason }
}

/// The next bytes of a header that is whole.
fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (first, rest) = bytes.split_first_chunk().expect("the header is whole");
    *bytes = rest;
    *first
}

/// A file, and the hash of what was written to it.
struct Hashed<'a> {
    file: &'a mut File,
    hash: Sha256,
    written: u64,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.hash.update(&bytes[..count]);
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
