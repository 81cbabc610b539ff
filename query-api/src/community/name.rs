//! Names and summaries of communities, made of what the index knows of them.
//!
//! Nine members in `pipeline.features.email` and eight in `pipeline.features.clock`, in whose middle stands `build`, are called
//! `pipeline.features · build`.

use std::fmt::Write as _;

use ripple_graphdb::Community;

use crate::view::NodeView;

/// Longest documentation that is told of a member, in characters.
const DOC: usize = 110;

/// The innermost package that more than half of the members are in; empty if only the root of all is.
pub(super) fn package(packages: &[(String, u32)]) -> String {
    let total: u32 = packages.iter().map(|(_, count)| count).sum();
    let inside = |outer: &str| -> u32 {
        let holds = |name: &str| {
            name.strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/']))
        };
        packages
            .iter()
            .filter(|(name, _)| holds(name))
            .map(|(_, count)| count)
            .sum()
    };
    // Every package that a name of the list is in, itself included.
    let mut candidates: Vec<&str> = Vec::new();
    for (name, _) in packages {
        // A dot in a path is part of a host or a folder; in a dotted name it separates.
        let separator = if name.contains('/') { '/' } else { '.' };
        candidates.extend(name.match_indices(separator).map(|(at, _)| &name[..at]));
        candidates.push(name);
    }
    let most = candidates.into_iter().filter(|outer| 2 * inside(outer) > total);
    // The innermost; of two as long, the first in the alphabet.
    most.max_by(|a, b| a.len().cmp(&b.len()).then(b.cmp(a)))
        .unwrap_or_default()
        .to_owned()
}

/// The name of a community.
pub(super) fn name(package: &str, top: &[NodeView]) -> String {
    with_names(package, top, 1)
}

/// The same with so many members of its middle; public ones tell more.
pub(super) fn with_names(package: &str, top: &[NodeView], names: usize) -> String {
    let is_private = |node: &&NodeView| node.name.starts_with('_');
    let (private, public): (Vec<&NodeView>, Vec<&NodeView>) = top.iter().partition(is_private);
    let names = public.into_iter().chain(private).take(names);
    let names: Vec<&str> = names.map(|node| short(node, package)).collect();
    match (package, names.join(", ")) {
        ("", names) => names,
        (package, names) if names.is_empty() => package.to_owned(),
        (package, names) => format!("{package} · {names}"),
    }
}

/// A method with its type, everything else by its name alone.
fn short<'n>(node: &'n NodeView, package: &str) -> &'n str {
    let whole = node.qualified_name.as_str();
    let inner = whole.strip_prefix(package).unwrap_or(whole);
    let mut dots = inner.rmatch_indices('.');
    let at = match node.kind.as_str() {
        "method" => dots.nth(1),
        _ => dots.next(),
    };
    let start = whole.len() - inner.len();
    at.map_or(node.name.as_str(), |(at, _)| &whole[start + at + 1..])
}

/// What a community holds, and what documentation says of its middle.
pub(super) fn summary(community: &Community, package: &str, top: &[NodeView]) -> String {
    let mut text = counted(community.functions, "function");
    if community.types > 0 {
        let _ = write!(text, " and {}", counted(community.types, "type"));
    }
    let _ = write!(text, " in {}", counted(community.files, "file"));
    let mut names = community.packages.iter().map(|(name, _)| name.as_str());
    match (package, names.next()) {
        ("", Some(first)) => {
            let _ = write!(text, ", `{first}` and others");
        }
        (package, Some(_)) => {
            let _ = write!(text, ", mostly `{package}`");
        }
        _ => {}
    }
    text.push('.');
    let told = top.iter().take(4).map(|node| {
        let name = short(node, package);
        match first_sentence(&node.doc) {
            doc if doc.is_empty() => format!("`{name}`"),
            doc => format!("`{name}` ({doc})"),
        }
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        let _ = write!(text, " In the middle: {}.", told.join(", "));
    }
    text
}

/// The first sentence of a documentation, on one line.
pub(super) fn first_sentence(doc: &str) -> String {
    let mut line = String::new();
    for word in doc
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.ends_with(['.', '!', '?']) || line.len() > 4 * DOC {
            break;
        }
    }
    let line = line.trim_end_matches('.');
    match line.char_indices().nth(DOC) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

fn counted(count: u32, noun: &str) -> String {
    crate::cli::units::count(u64::from(count), noun)
}
