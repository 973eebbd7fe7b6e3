//! `NAME.part`, the bytes that are here, and `NAME.part.json`, which says of what file they are.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Which file it is, as the server told it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    pub url: String,
    pub size: Option<u64>,
    pub sum: Option<String>,
    pub tag: Option<String>,
}

pub struct Part {
    file: File,
    hash: Sha256,
    path: PathBuf,
    note: PathBuf,
    pub len: u64,
    pub origin: Origin,
}

impl Part {
    /// What an earlier run left for `path` of this address, or an empty one. It is ours alone while it is open.
    pub fn open(path: &Path, url: &str) -> io::Result<Part> {
        let (part, note) = (beside(path, ".part"), beside(path, ".part.json"));
        let mut open = OpenOptions::new();
        let mut file = open.read(true).write(true).create(true).truncate(false).open(&part)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let why = "another download is writing it: wait until that one is done";
                return Err(io::Error::other(why));
            }
            // A network's disk may know no locks. That is no reason to have no model.
            Err(TryLockError::Error(_)) => {}
        }
        // Whoever had the lock before may have given this very file its name.
        if path.exists() {
            return Err(io::Error::other("another download has just finished it"));
        }
        let known = fs::read(&note).ok().and_then(|note| serde_json::from_slice(&note).ok());
        let origin: Origin = known.unwrap_or_default();
        let empty = file.metadata()?.len() == 0;
        if !empty && origin.url != url {
            let why = "its .part is of another download: finish that one, or remove the .part";
            return Err(io::Error::other(why));
        }
        let (hash, len) = hash(&mut file)?;
        let mut part = Part { file, hash, path: part, note, len, origin };
        if empty {
            part.begin(Origin { url: url.into(), ..Origin::default() })?;
        }
        Ok(part)
    }

    /// Drops what is here, for the file of this origin.
    pub fn begin(&mut self, origin: Origin) -> io::Result<()> {
        // In this order: bytes without a note are never taken for another file's.
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        (self.hash, self.len) = (Sha256::new(), 0);
        fs::write(&self.note, serde_json::to_vec(&origin)?)?;
        self.origin = origin;
        Ok(())
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        // As many as went to the disk count, also if not all did.
        let mut rest = bytes;
        while !rest.is_empty() {
            let written = match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                written => written?,
            };
            self.hash.update(&rest[..written]);
            self.len += written as u64;
            rest = &rest[written..];
        }
        Ok(())
    }

    /// The SHA-256 of all that is here, in hexadecimal.
    pub fn sum(&self) -> String {
        hexadecimal(self.hash.clone())
    }

    /// Gives the file its name, once every byte of it is on the disk.
    pub fn finish(self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, path)?;
        let _ = fs::remove_file(&self.note); // of a whole file it is only litter
        Ok(())
    }

    /// Takes both away.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)?;
        fs::remove_file(&self.note)
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// The SHA-256 of a file that is there already.
pub fn sum_of(path: &Path) -> io::Result<String> {
    Ok(hexadecimal(hash(&mut File::open(path)?)?.0))
}

/// Hashes from where the file is to its end, and counts.
fn hash(file: &mut File) -> io::Result<(Sha256, u64)> {
    let (mut hash, mut len, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((hash, len)),
            read => {
                hash.update(&buffer[..read]);
                len += read as u64;
            }
        }
    }
}

fn hexadecimal(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
