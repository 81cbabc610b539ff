//! What is embedded of a node: its names in words, its declaration, its documentation, and whom it meets in the graph.
//!
//! `email_domain` of `pipeline.features.email` is `email domain. pipeline features email. email domain event order event str. Domain of
//! the customer's address. split lower. build features`.

use super::table::Rows;
use crate::text::words::spoken;

/// Longest documentation that counts, in bytes: what a thing is for stands at the beginning.
const DOC: usize = 400;

/// Most names of neighbours on each side.
const NEIGHBOURS: usize = 8;

/// The text of a row.
pub(crate) fn describe(rows: &Rows<'_>, row: usize) -> String {
    let Some(node) = rows.node(row) else {
        return String::new();
    };
    let mut text = names_only(&node.name, &node.qualified_name, &node.signature);
    let mut add = |part: &str| {
        if !part.is_empty() {
            text.push_str(". ");
            text.push_str(part);
        }
    };
    add(cut(&node.doc, DOC));
    add(&spoken(&node.tags));
    for names in [&rows.out_names[row], &rows.in_names[row]] {
        let names: Vec<String> = names.iter().take(NEIGHBOURS).map(|name| spoken(name)).collect();
        add(&names.join(" "));
    }
    text
}

/// Its names and its declaration.
pub(crate) fn names_only(name: &str, qualified_name: &str, signature: &str) -> String {
    let before = qualified_name.strip_suffix(name).unwrap_or("");
    // The last steps of the path say most: the class, the module, the package it is in.
    let mut steps: Vec<&str> = before
        .split(['.', '/'])
        .filter(|step| !step.is_empty())
        .rev()
        .take(3)
        .collect();
    steps.reverse();
    let parts = [spoken(name), spoken(&steps.join(" ")), spoken(cut(signature, 300))];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(". ")
}

fn cut(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
