//! Functions that nobody in the index calls, and whose name stands somewhere all the same: who looks that up may call them.
//!
//! ```text
//! .github/workflows/nightly.yml:12   python -c "import db; db.seed()"      a file that is not source
//! shop/jobs.py:8                     runner.start("shop.jobs.nightly")     a text in the source
//! shop/bill.py:3                     >>> round_up(2.5)                     an example in it
//! ```
//!
//! The first are found when the index is built ([`ripple_extractor::mentions`]). The second are looked for here, and only where nothing else keeps the
//! answer open: the whole of a text has to be the name with the dotted parts before it, or a name that nobody writes by chance. A class is
//! named for its methods, and a module for what can be imported from it.

use rayon::prelude::*;
use ripple_extractor::mentions::{is_distinctive, is_linked, words};
use ripple_graphdb::Net;
use ripple_graphdb::net::{Card, Role};
use ripple_schema::{Mention, NodeKind};
use rustc_hash::FxHashSet;

use super::outside::{MAKING, MOST, class_of, is_hidden};
use super::published::{READS, is_called, is_left_alone};
use super::texts::exported;
use super::verdict::reason;
use super::{Found, Room, nearby};
use crate::Error;
use crate::view::Reason;

/// A name that is looked for, and what it says of what was asked for.
struct Wanted {
    /// What was asked for.
    about: String,
    name: String,
    of: Of,
}

/// What a name is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    /// What is called: the name alone may be the whole text.
    Function,
    /// What has others, or is read: with parts before it.
    Holder,
    /// A module, with all its parts.
    Module,
    /// The file of a module, by its path.
    File,
}

/// Adds what keeps "nobody calls this", or reads it, from being all.
pub(super) fn add(room: &Room<'_>, operation: &str, found: &mut Found, tests: bool) -> Result<(), Error> {
    let (of_functions, of_globals) = match operation {
        "callers" | "tests_for" => (true, false),
        "impact" => (true, true),
        "readers_writers" | "flows" => (false, true),
        _ => return Ok(()),
    };
    if of_functions && found.reasons.is_empty() {
        found.reasons.extend(nearby::reasons(room, &found.seeds, tests)?);
    }
    let (mut called, mut read) = (Vec::new(), Vec::new());
    for &seed in found.seeds.iter().take(MOST) {
        match room.net.label(seed) {
            NodeKind::Function | NodeKind::Type if of_functions => of_function(room, seed, &mut called)?,
            _ if of_globals && is_unread(&room.net, seed) => {
                of_node(room, seed, room.net.card(seed)?, Of::Holder, &mut read)?;
            }
            _ => {}
        }
    }
    for (wanted, words) in [
        (called, ("called-from-outside", "calls")),
        (read, ("read-from-outside", "reads")),
    ] {
        // What is open anyway is not looked for in all the source.
        let with_texts = found.reasons.is_empty();
        found.reasons.extend(tell(room, &wanted, with_texts, tests, words)?);
    }
    Ok(())
}

fn is_unread(net: &Net, node: u32) -> bool {
    net.role(node) == Role::Global && net.entering(node, READS).all(|reader| net.is_test(reader.node))
}

/// The names by which a function may be asked for that nobody calls.
fn of_function(room: &Room<'_>, function: u32, wanted: &mut Vec<Wanted>) -> Result<(), Error> {
    let net = &room.net;
    if is_called(room, function) {
        return Ok(());
    }
    let card = net.card(function)?;
    match class_of(net, function) {
        // Who asks for the class makes its objects.
        Some(class) if MAKING.contains(&card.name.as_str()) => {
            of_node(room, class, net.card(class)?, Of::Function, wanted)
        }
        _ if card.name.starts_with(['<']) || card.name.starts_with("__") => Ok(()),
        _ => of_node(room, function, card, Of::Function, wanted),
    }
}

/// The names by which something may be asked for.
fn of_node(room: &Room<'_>, node: u32, card: Card, of: Of, wanted: &mut Vec<Wanted>) -> Result<(), Error> {
    let net = &room.net;
    let is_open = !is_hidden(net, node);
    let about = card.name.clone();
    let mut want = |name: String, of: Of| {
        let about = about.clone();
        wanted.push(Wanted { about, name, of });
    };
    let mut module = card
        .qualified_name
        .strip_suffix(&format!(".{}", card.name))
        .map(str::to_owned);
    if let Some(class) = class_of(net, node).filter(|_| is_open) {
        let class = net.card(class)?;
        module = class
            .qualified_name
            .strip_suffix(&format!(".{}", class.name))
            .map(str::to_owned);
        want(class.name, Of::Holder);
    }
    // A module of one part is a word like others, unless nothing else begins with it.
    let is_left = is_open && is_left_alone(net, &card.file);
    if let Some(name) = module.filter(|module| is_open && !module.contains('/') && (is_left || module.contains('.'))) {
        want(name, Of::Module);
    }
    if is_left {
        want(card.file.rsplit('/').next().unwrap_or(&card.file).to_owned(), Of::File);
    }
    want(card.name, of);
    Ok(())
}

fn tell(
    room: &Room<'_>,
    wanted: &[Wanted],
    with_texts: bool,
    tests: bool,
    (code, verb): (&str, &str),
) -> Result<Vec<Reason>, Error> {
    let mut reasons = Vec::new();
    let mut told = FxHashSet::default();
    let mentions = if wanted.is_empty() {
        None
    } else {
        Some(room.reader.mentions()?)
    };
    for wanted in wanted {
        let said = mentions.iter().flat_map(|mentions| of_name(mentions, &wanted.name));
        let said: Vec<&Mention> = said
            .filter(|mention| tests || !ripple_extractor::is_test(&mention.path))
            .collect();
        if let Some(first) = said.first().filter(|_| told.insert(wanted.about.as_str())) {
            let Wanted { about, name, .. } = wanted;
            let message = format!(
                "nothing in the index {verb} `{about}`, and `{}:{}`, which is not read as source, names `{name}`",
                first.path, first.line
            );
            reasons.push(reason(code, message, said.len() as u64));
        }
    }
    if with_texts && reasons.is_empty() {
        reasons.extend(in_texts(room, wanted, tests)?.map(|(wanted, place)| {
            let Wanted { about, name, .. } = wanted;
            let message = format!("nothing in the index {verb} `{about}`, and `{name}` stands as a text in `{place}`");
            reason(code, message, 1)
        }));
    }
    Ok(reasons)
}

fn of_name<'m>(mentions: &'m [Mention], name: &str) -> &'m [Mention] {
    let start = mentions.partition_point(|mention| mention.name.as_str() < name);
    let length = mentions[start..].partition_point(|mention| mention.name == name);
    &mentions[start..start + length]
}

/// The first place in the source where a text says one of the names.
fn in_texts<'w>(room: &Room<'_>, wanted: &'w [Wanted], tests: bool) -> Result<Option<(&'w Wanted, String)>, Error> {
    if wanted.is_empty() {
        return Ok(None);
    }
    let files = room.reader.files()?;
    let found = files
        .par_iter()
        .filter(|file| tests || !ripple_extractor::is_test(&file.path))
        .map(|file| {
            let source = room.reader.source(&file.path)?.unwrap_or_default();
            let said = said_in(&source, wanted);
            Ok(said.map(|(wanted, line)| (wanted, format!("{}:{line}", file.path))))
        })
        .find_first(|found: &Result<Option<_>, Error>| !matches!(found, Ok(None)));
    found.unwrap_or(Ok(None))
}

/// The first of the names that a text in a source says, and the line.
fn said_in<'w>(source: &str, wanted: &'w [Wanted]) -> Option<(&'w Wanted, usize)> {
    let is_there = |wanted: &&Wanted| source.contains(&wanted.name);
    let wanted: Vec<&Wanted> = wanted.iter().filter(is_there).collect();
    if wanted.is_empty() {
        return None;
    }
    let handed_out: Vec<_> = exported(source).collect();
    let is_any = hands_getattr_on(source);
    for wanted in wanted {
        for (at, _) in source.match_indices(&wanted.name) {
            let (before, behind) = (&source[..at], &source[at + wanted.name.len()..]);
            if is_said(wanted, is_any, before, behind) && !handed_out.iter().any(|list| list.contains(&at)) {
                return Some((wanted, before.matches('\n').count() + 1));
            }
        }
    }
    None
}

/// Whether what takes members by their names is taken as a value itself: `map(getattr, items, names)`. Any text may be a name then.
fn hands_getattr_on(source: &str) -> bool {
    let mut uses = source.match_indices("getattr");
    uses.any(|(at, getattr)| {
        let (before, behind) = (&source[..at], &source[at + getattr.len()..]);
        super::stands_alone(before, behind) && (!behind.starts_with('(') || behind.starts_with("(*"))
    })
}

/// Whether what stands between these parts of a source is a name in a text.
fn is_said(wanted: &Wanted, is_any: bool, before: &str, behind: &str) -> bool {
    if !super::stands_alone(before, behind) {
        return false;
    }
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    if line.trim_start().starts_with(">>> ") && matches!(wanted.of, Of::Function | Of::Holder) {
        return true;
    }
    if line.starts_with("//go:linkname ") {
        return is_linked(before);
    }
    // Back over the parts that belong to it.
    let joining = if wanted.of == Of::File { "_.-/" } else { "_.:" };
    let parts = line.trim_end_matches(|letter: char| letter.is_alphanumeric() || joining.contains(letter));
    let Some(quote) = parts.chars().next_back().filter(|quote| "\"'`".contains(*quote)) else {
        return false;
    };
    let is_whole = parts.len() == line.len();
    let called = behind.strip_prefix("()").unwrap_or(behind);
    let is_end = called.starts_with(quote);
    // Of a class a method may be named behind it; what is named behind a module is that alone.
    let goes_on = behind.starts_with(['.', ':'])
        && words(behind)
            .next()
            .is_some_and(|(at, word)| behind[at + word.len()..].starts_with(quote));
    match (wanted.of, is_whole) {
        (Of::File, whole) => is_end && (whole || before.ends_with('/')),
        (Of::Module, whole) => is_end && whole,
        (Of::Function, true) => is_end && (is_any || is_distinctive(&wanted.name)),
        (Of::Holder, true) => false,
        (Of::Function, false) => is_linked(before) && is_end,
        (Of::Holder, false) => is_linked(before) && (is_end || goes_on),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(source: &str, name: &str, of: Of) -> Option<usize> {
        let wanted = [Wanted {
            about: String::new(),
            name: name.into(),
            of,
        }];
        said_in(source, &wanted).map(|(_, line)| line)
    }

    #[test]
    fn a_text_that_is_a_name_says_it() {
        let source = "run('app.jobs.nightly')\nrun(\"on_boot\")\nrun(\"start\")\n# on_exit\nx = 'see on_exit'\n";
        assert_eq!(line_of(source, "nightly", Of::Function), Some(1));
        assert_eq!(line_of(source, "on_boot", Of::Function), Some(2));
        assert_eq!(line_of(source, "app.jobs", Of::Module), None);
        assert_eq!(line_of("load('app.jobs')", "app.jobs", Of::Module), Some(1));
        assert_eq!(line_of(source, "start", Of::Function), None);
        assert_eq!(line_of(source, "on_exit", Of::Function), None);
        assert_eq!(line_of("__all__ = ['on_boot']", "on_boot", Of::Function), None);
        assert_eq!(line_of("serve('wsgi:create()')", "create", Of::Function), Some(1));
        assert_eq!(line_of("{'()': 'app.Hooks.run'}", "Hooks", Of::Holder), Some(1));
        assert_eq!(
            line_of("exec(open('etc/conf.py').read())", "conf.py", Of::File),
            Some(1)
        );
        assert_eq!(line_of("open('my_conf.py')", "conf.py", Of::File), None);
        assert_eq!(line_of("map(getattr, all, ['start'])", "start", Of::Function), Some(1));
        assert_eq!(line_of("    >>> half(4)\n    2", "half", Of::Function), Some(1));
        assert_eq!(
            line_of("//go:linkname hidden app/inner.hidden_one", "hidden_one", Of::Function),
            Some(1)
        );
    }
}
