//! Functions that nobody in the index calls, and that others may import.
//!
//! ```python
//! # structlog/__init__.py
//! from structlog.processors import ExceptionPrettyPrinter     # nobody here calls its methods: whoever uses the package does
//! ```
//!
//! Only where no code but tests calls a function is this said: who has callers is needed anyway, and what one may import is much.
//! It is what a module lists in `__all__` and what the `__init__.py` of a package above imports.

use std::ops::Range;

use ripple_schema::NodeKind;

use super::Room;
use super::calls::CALLS;
use super::outside::{MOST, class_of};
use super::texts::exported;
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// The file that a package of Python begins with.
const PACKAGE_FILE: &str = "__init__.py";

/// What keeps "nobody calls these functions" from being all that is to be said of them.
pub(super) fn reasons(room: &Room<'_>, functions: &[u32]) -> Result<Option<Reason>, Error> {
    let (mut first, mut count) = (None, 0);
    for &function in functions.iter().take(MOST) {
        if room.net.label(function) == NodeKind::Function
            && !is_called(room, function)
            && let Some(by) = published_by(room, function)?
        {
            count += 1;
            first.get_or_insert((room.net.card(function)?.name, by));
        }
    }
    let told = |(name, by): (String, String)| {
        let message =
            format!("nothing in the index calls `{name}`, and `{by}` hands it out: code elsewhere may import it");
        reason("called-from-outside", message, count)
    };
    Ok(first.map(told))
}

/// Whether code other than tests calls it.
pub(super) fn is_called(room: &Room<'_>, function: u32) -> bool {
    let mut callers = room.net.entering(function, CALLS);
    callers.any(|arrow| !room.net.is_test(arrow.node) && arrow.node != function)
}

/// The file that hands a function, or the class that it is a method of, out to whoever imports its package.
fn published_by(room: &Room<'_>, function: u32) -> Result<Option<String>, Error> {
    let net = &room.net;
    let class = class_of(net, function);
    let is_open = |node: u32| net.is_exported(node) && !net.is_test(node);
    if !is_open(function) || class.is_some_and(|class| !is_open(class)) {
        return Ok(None);
    }
    let card = net.card(function)?;
    let path = card.file;
    let source = room.reader.source(&path)?.unwrap_or_default();
    let name = class.map_or(Ok(card.name), |class| net.card(class).map(|card| card.name))?;
    if says(&source, exported(&source), &name) {
        return Ok(Some(path));
    }
    let mut folder = path.as_str();
    while !folder.is_empty() {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        let package = if folder.is_empty() {
            PACKAGE_FILE.to_owned()
        } else {
            format!("{folder}/{PACKAGE_FILE}")
        };
        let Some(source) = room.reader.source(&package)? else {
            break;
        };
        let named = exported(&source).chain(imported(&source));
        if package != path && says(&source, named, &name) {
            return Ok(Some(package));
        }
    }
    Ok(None)
}

/// Where a module of Python imports from others.
fn imported(source: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let lines = source.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    });
    let imports = lines.filter(|(_, line)| line.trim_start().starts_with("from "));
    imports.map(|(at, line)| {
        let close = if line.contains('(') { ')' } else { '\n' };
        at..source[at..].find(close).map_or(source.len(), |end| at + end)
    })
}

/// Whether the name stands in one of these parts of a source, as a word.
fn says(source: &str, parts: impl Iterator<Item = Range<usize>>, name: &str) -> bool {
    let mut words =
        parts.flat_map(|part| source[part].split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
    words.any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_hands_out_what_it_imports() {
        let source = "\"\"\"Talks of run.\"\"\"\nfrom .a import (\n    fetch,\n    Client as Session,\n)\nfrom .b import send\nrun = 1\n";
        let hands_out = |name: &str| says(source, imported(source), name);
        assert!(["fetch", "Client", "Session", "send"].into_iter().all(hands_out));
        assert!(!hands_out("run") && !hands_out("fetc"));
        assert!(says(
            "__all__ = ['open']\nclose",
            exported("__all__ = ['open']\nclose"),
            "open"
        ));
    }
}
