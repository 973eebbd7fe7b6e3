//! A sealed file is written whole or not at all; what is read is what was written, or refused in one line.

use std::fs;
use std::io;
use std::path::Path;

use ground::checksummed_file::{HASH, Reason, Seal, SealedError, identity, open, save};
use ground::config::Config;
use ground::gguf::Gguf;
use tempfile::tempdir;
use test_support::tiny::{TinyShape, Value, tiny_gguf, tiny_gguf_of};

const SEAL: Seal = Seal { what: "list", magic: *b"a list..", version: 3, model: [7; HASH] };

fn write(path: &Path, seal: &Seal, parts: [&[u8]; 2]) -> Result<(), SealedError> {
    let lengths = parts.map(|part| part.len() as u64);
    save(path, seal, lengths, |file| {
        parts.into_iter().try_for_each(|part| file.write_all(part))
    })
}

fn read(path: &Path, seal: &Seal) -> Result<[Vec<u8>; 2], SealedError> {
    open(path, seal)?.read()
}

/// The error, of which only this is left over: one line that begins with the path.
fn refused(path: &Path, seal: &Seal) -> Reason {
    let error = read(path, seal).expect_err("it is refused");
    let text = error.to_string();
    assert!(
        text.starts_with(&path.display().to_string()) && text.lines().count() == 1,
        "{text}"
    );
    error.reason
}

#[test]
fn what_is_read_is_what_was_written() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("file");
    for parts in [[&b"first"[..], &b"and second"[..]], [b"", b"x"], [b"", b""]] {
        write(&path, &SEAL, parts).expect("it can be written");
        assert_eq!(read(&path, &SEAL).expect("it is whole"), parts);
    }
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "nothing is left over"
    );
    let whole = fs::read(&path).expect("it is there");
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).expect("it can be written");
        match refused(&path, &SEAL) {
            Reason::Magic { .. } => assert!(end < 8, "{end}"),
            Reason::Length { found, expected } => {
                assert_eq!((found, expected), (end as u64, whole.len() as u128));
            }
            reason => panic!("{end}: {reason}"),
        }
    }
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).expect("it can be written");
        let reason = refused(&path, &SEAL);
        let right = match at {
            0..8 => matches!(reason, Reason::Magic { .. }),
            8..12 => matches!(reason, Reason::Version { .. }),
            12..44 => matches!(reason, Reason::Model { .. }),
            44..60 => matches!(reason, Reason::Length { .. }),
            _ => matches!(reason, Reason::Checksum),
        };
        assert!(right, "byte {at}: {reason}");
    }
    fs::write(&path, [&whole[..], b"x"].concat()).expect("it can be written");
    assert!(matches!(refused(&path, &SEAL), Reason::Length { .. }));
}

#[test]
fn a_length_that_lies_is_no_reason_to_make_room() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("file");
    write(&path, &SEAL, [b"first", b"second"]).expect("it can be written");
    let whole = fs::read(&path).expect("it is there");
    for lies in [[u64::MAX, u64::MAX], [u64::MAX, 12], [5, u64::MAX - 4], [1 << 60, 0]] {
        let mut changed = whole.clone();
        changed[44..60].copy_from_slice(lies.map(u64::to_le_bytes).as_flattened());
        fs::write(&path, &changed).expect("it can be written");
        assert!(matches!(refused(&path, &SEAL), Reason::Length { .. }), "{lies:?}");
    }
}

#[test]
fn an_error_leaves_the_old_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("file");
    write(&path, &SEAL, [b"old", b""]).expect("it can be written");
    let error = save(&path, &SEAL, [3], |file| {
        file.write_all(b"ne")?;
        Err(io::Error::other("no more"))
    });
    assert!(matches!(error.expect_err("it ended").reason, Reason::Io(_)));
    assert_eq!(read(&path, &SEAL).expect("the old one"), [&b"old"[..], b""]);
    assert_eq!(
        fs::read_dir(folder.path()).expect("a folder").count(),
        1,
        "nothing is left over"
    );
    for path in [folder.path().to_path_buf(), folder.path().join("..")] {
        let error = write(&path, &SEAL, [b"", b""]).expect_err("a folder");
        assert!(matches!(error.reason, Reason::NotAFile), "{error}");
        assert!(matches!(refused(&path, &SEAL), Reason::NotAFile));
    }
    let path = folder.path().join("no/such");
    assert!(matches!(write(&path, &SEAL, [b"", b""]).expect_err("no").reason, Reason::Io(_)));
    assert!(matches!(refused(&path, &SEAL), Reason::Io(_)));
}

/// As an ordinary program writes: through a link, and with the rights that the file has or that new files get.
#[cfg(unix)]
#[test]
fn links_and_rights_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let rights =
        |name: &str| fs::metadata(at(name)).expect("a file").permissions().mode() & 0o777;

    fs::write(at("usual"), "").expect("it can be written");
    write(&at("new"), &SEAL, [b"", b""]).expect("it can be written");
    assert_eq!(rights("new"), rights("usual"), "as the umask says");
    fs::set_permissions(at("new"), fs::Permissions::from_mode(0o600)).expect("rights");
    write(&at("new"), &SEAL, [b"a", b""]).expect("it can be written");
    assert_eq!(rights("new"), 0o600, "as they were");
    fs::set_permissions(at("new"), fs::Permissions::from_mode(0o400)).expect("rights");
    let error = write(&at("new"), &SEAL, [b"b", b""]).expect_err("it is not to be written");
    assert!(error.to_string().contains("permission denied"), "{error}");
    assert_eq!(read(&at("new"), &SEAL).expect("the old one")[0], b"a");

    fs::create_dir(at("far")).expect("a folder");
    fs::write(at("far/file"), "").expect("it can be written");
    symlink("far/file", at("link")).expect("a link");
    write(&at("link"), &SEAL, [b"through", b""]).expect("it can be written");
    assert!(at("link").is_symlink() && !at("far/file").is_symlink());
    assert_eq!(read(&at("far/file"), &SEAL).expect("it is whole")[0], b"through");
    symlink("nowhere", at("lost")).expect("a link");
    let error = write(&at("lost"), &SEAL, [b"", b""]).expect_err("it leads nowhere");
    assert!(matches!(error.reason, Reason::Io(_)) && at("lost").is_symlink(), "{error}");
}

#[test]
fn a_model_is_known_by_its_weights_and_its_numbers() {
    let identity_of = |bytes: Vec<u8>| {
        let file = Gguf::from_vec(bytes).expect("it opens");
        identity(&Config::from_gguf(&file).expect("its config is sound"), &file)
    };
    let first = identity_of(tiny_gguf().to_bytes());
    assert_eq!(first, identity_of(tiny_gguf().to_bytes()));
    let mut weights = tiny_gguf();
    weights.tensor_mut("blk.1.ffn_up.weight").bytes[2] ^= 1;
    let mut theta = tiny_gguf();
    theta.set("qwen3.rope.freq_base", Value::F32(1e4));
    let deeper = tiny_gguf_of(TinyShape { layers: 3, ..TinyShape::default() });
    for other in [weights, theta, deeper] {
        assert_ne!(first, identity_of(other.to_bytes()));
    }
}
