//! A file that gets its name when it is whole, and not before.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use ground::error::Error;
use ground::text::path_line;
use tempfile::{Builder, NamedTempFile};

/// Begins a file beside `path`, as `NAME.unfinished-XXXXXX`. It goes away if the work fails.
/// Only a program that is killed in the middle (Ctrl-C) leaves it there, under that name.
pub fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let mut prefix = OsString::from(path.file_name().unwrap_or_default());
    prefix.push(".unfinished-");
    let mut builder = Builder::new();
    builder.prefix(&prefix);
    // A temporary file is private; this one is to be as any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(path))
}

/// Writes a text under a name, in place of an older file of this name.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    let written = || {
        if path.exists() && !path.is_file() {
            return Err(io::Error::other("is there already, and is no ordinary file"));
        }
        let mut file = begin(path)?;
        file.write_all(text.as_bytes())?;
        Ok(file.persist(path)?)
    };
    match written() {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::chapter(format!("{}: {error}", path_line(path)))),
    }
}

/// The folder that a file of this name lies in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
