//! The book as mdBook built it: nothing comes from another host, every formula rendered, every link leads somewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::links::attributes;
use crate::book::resolve;
use crate::fault::{BookError, Fault, files_under, read};

pub fn built_html(folder: &Path) -> Result<Vec<Fault>, BookError> {
    let mut faults = Vec::new();
    let files = files_under(folder)?;
    let mut pages = BTreeMap::new();
    for file in &files {
        if file.ends_with(".html") {
            pages.insert(file.as_str(), read(&folder.join(file))?);
        } else if file.ends_with(".css") || file.ends_with(".svg") {
            faults.extend(remote_urls(file, &read(&folder.join(file))?));
        }
    }
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        pages.iter().map(|(file, html)| (*file, attributes(html, "id=\"").collect())).collect();
    for (file, html) in &pages {
        faults.extend(remote_tags(file, html));
        faults.extend(remote_urls(file, html));
        if let Some(at) = html.find("<merror") {
            faults.push(Fault::at(file, line(html, at), "a formula failed to render"));
        }
        for target in attributes(html, "href=\"") {
            if let Some(message) = broken(file, target, &files, &ids) {
                faults.push(Fault::in_file(file, message));
            }
        }
    }
    Ok(faults)
}

fn is_remote(address: &str) -> bool {
    let address = address.trim().trim_matches(['"', '\'']);
    ["http:", "https:", "//"].iter().any(|start| address.starts_with(start))
}

fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Tags that load what they name. A plain link does not: following it is the reader's choice.
fn remote_tags(file: &str, html: &str) -> Vec<Fault> {
    const LOADING: &[&str] = &[
        "script", "link", "img", "image", "iframe", "source", "video", "audio", "embed",
        "object", "use", "track", "input",
    ];
    let mut faults = Vec::new();
    for (at, _) in html.match_indices('<') {
        let tag = html[at + 1..].split('>').next().unwrap_or_default();
        let name =
            tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or_default();
        if !LOADING.contains(&name) {
            continue;
        }
        for attribute in
            ["src=\"", "href=\"", "data=\"", "srcset=\"", "poster=\"", "xlink:href=\""]
        {
            for address in attributes(tag, attribute).filter(|address| is_remote(address)) {
                faults.push(Fault::at(
                    file,
                    line(html, at),
                    format!("<{name}> loads {address} from another host"),
                ));
            }
        }
    }
    faults
}

fn remote_urls(file: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    for start in ["url(", "@import "] {
        for (at, _) in text.match_indices(start) {
            let address =
                text[at + start.len()..].split([')', ';', '\n']).next().unwrap_or_default();
            if is_remote(address) {
                faults.push(Fault::at(
                    file,
                    line(text, at),
                    format!("loads {address} from another host"),
                ));
            }
        }
    }
    faults
}

fn broken(
    file: &str,
    target: &str,
    files: &[String],
    ids: &BTreeMap<&str, BTreeSet<&str>>,
) -> Option<String> {
    let outside = target.contains(':')
        || is_remote(target)
        || file == "404.html"
        || target.starts_with('/');
    if outside {
        return None;
    }
    let (path, id) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { file.to_string() } else { resolve(file, path)? };
    if !files.contains(&path) {
        return Some(format!("the link '{target}' leads nowhere"));
    }
    let known = ids.get(path.as_str()).is_none_or(|ids| id.is_empty() || ids.contains(id));
    (!known).then(|| format!("the link '{target}' leads to no such place on its page"))
}
