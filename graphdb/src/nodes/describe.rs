//! What is embedded of a node: its names in words, its declaration, its documentation, and whom it meets in the graph.
//!
//! `email_domain` of `pipeline/features/email.py` is `email domain email domain email event order event str pipeline features email split lower
//! build features domain of the customer s address`: the fields in the order that the model was trained on. The name stands twice, for a vector is
//! the mean of its words, and the name says most.

use super::table::Rows;
use crate::text::words::spoken;

/// Longest documentation that counts, in bytes: what a thing is for stands at the beginning.
const DOC: usize = 600;

/// Most names of what it calls, and of its callers.
const NEIGHBOURS: [usize; 2] = [16, 6];

/// The text of a row.
pub(crate) fn describe(rows: &Rows<'_>, row: usize) -> String {
    let Some(node) = rows.node(row) else {
        return String::new();
    };
    let path = node.site.map_or("", |site| rows.graph.path(site.file));
    let signature = if node.signature.is_empty() {
        &node.type_text
    } else {
        &node.signature
    };
    let mut text = names_only(&node.name, &node.qualified_name, signature, path);
    let mut add = |part: &str| {
        if !part.is_empty() {
            text.push(' ');
            text.push_str(part);
        }
    };
    for (names, most) in [&rows.out_names[row], &rows.in_names[row]].into_iter().zip(NEIGHBOURS) {
        names.iter().take(most).for_each(|name| add(&spoken(name)));
    }
    add(&spoken(cut(&rows.doc(row), DOC)));
    add(&spoken(&node.tags));
    text
}

/// Its names, its declaration and its path.
pub(crate) fn names_only(name: &str, qualified_name: &str, signature: &str, path: &str) -> String {
    let before = qualified_name.strip_suffix(name).unwrap_or("").trim_end_matches('.');
    let owner = before.rsplit(['.', '/']).next().unwrap_or("");
    let path = path.rsplit_once('.').map_or(path, |(path, _)| path);
    let parts = [name, name, owner, cut(signature, 300), path].map(spoken);
    let parts: Vec<&str> = parts
        .iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect();
    parts.join(" ")
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
