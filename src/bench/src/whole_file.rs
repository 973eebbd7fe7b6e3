//! A file that gets its name when it is whole, and not before.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use catalog::error::problem_at;
use ground::error::Error;
use tempfile::{Builder, NamedTempFile};

/// A file that is not whole yet. It goes away if the work fails.
pub enum Unfinished {
    /// It has no name at all, and goes away however the program ends: Ctrl-C leaves nothing.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// Where the system has no such files. Only a program that is killed leaves it there.
    Named(NamedTempFile),
}

/// Begins a file that will be `path`, in the same folder.
pub fn begin(path: &Path) -> io::Result<Unfinished> {
    #[cfg(target_os = "linux")]
    if let Some(file) = nameless::begin(folder(path)) {
        return Ok(Unfinished::Nameless(file));
    }
    begin_named(path).map(Unfinished::Named)
}

impl Unfinished {
    pub fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Unfinished::Nameless(file) => file,
            Unfinished::Named(file) => file.as_file_mut(),
        }
    }

    /// Under which it can be opened once more.
    pub fn path(&self) -> PathBuf {
        match self {
            #[cfg(target_os = "linux")]
            Unfinished::Nameless(file) => nameless::path(file),
            Unfinished::Named(file) => file.path().to_owned(),
        }
    }

    /// Gives it its name, which must still be free.
    pub fn finish(self, path: &Path) -> io::Result<File> {
        match self {
            #[cfg(target_os = "linux")]
            Unfinished::Nameless(file) => nameless::finish(file, path),
            Unfinished::Named(file) => Ok(file.persist_noclobber(path)?),
        }
    }
}

#[cfg(target_os = "linux")]
mod nameless {
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};

    /// `None` where the file system has no such files, or they could not be named later.
    pub fn begin(folder: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let file = File::from(openat(CWD, folder, flags, Mode::from_raw_mode(0o666)).ok()?);
        path(&file).exists().then_some(file)
    }

    /// A way to the file, as long as it is open.
    pub fn path(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }

    pub fn finish(file: File, name: &Path) -> io::Result<File> {
        linkat(CWD, path(&file), CWD, name, AtFlags::SYMLINK_FOLLOW)?;
        Ok(file)
    }
}

/// Begins a file beside `path`, as `NAME.unfinished-XXXXXX`.
fn begin_named(path: &Path) -> io::Result<NamedTempFile> {
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
        let mut file = begin_named(path)?;
        file.write_all(text.as_bytes())?;
        Ok(file.persist(path)?)
    };
    match written() {
        Ok(_) => Ok(()),
        Err(error) => Err(problem_at(path, error)),
    }
}

/// The folder that a file of this name lies in.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn names(folder: &Path) -> Vec<OsString> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    }

    #[test]
    fn a_file_has_its_name_when_it_is_whole_and_takes_it_from_no_other() {
        let named = |path: &Path| begin_named(path).map(Unfinished::Named);
        for (way, begin) in [("as usual", &begin as &dyn Fn(&Path) -> _), ("named", &named)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("model");
            let write = |text: &str| {
                let mut file = begin(&path).unwrap();
                file.file().write_all(text.as_bytes()).unwrap();
                assert_eq!(fs::read_to_string(file.path()).unwrap(), text, "{way}");
                file
            };
            let (first, second) = (write("first"), write("second"));
            assert!(!path.exists(), "{way}: it is not whole");
            first.finish(&path).unwrap();
            let error = second.finish(&path).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::AlreadyExists, "{way}");
            drop(write("third"));
            assert_eq!(fs::read_to_string(&path).unwrap(), "first", "{way}");
            assert_eq!(names(folder.path()), ["model"], "{way}: nothing else is left");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_has_no_name_cannot_be_left() {
        let folder = tempfile::tempdir().unwrap();
        let unfinished = begin(&folder.path().join("model")).unwrap();
        let shown = names(folder.path()).len();
        match unfinished {
            Unfinished::Nameless(_) => assert_eq!(shown, 0),
            Unfinished::Named(_) => assert_eq!(shown, 1), // this file system has no such files
        }
    }
}
