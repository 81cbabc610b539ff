//! Texts that say a name: what is asked for by them may be what the question is about.
//!
//! ```python
//! frame[["email", "age"]]              # columns of a table: is that the wire key `email`?
//! Order.objects.values_list("email")   # library code reads the field of a model by its name
//! ```
//!
//! The graph knows the ways of naming a key that the language and the libraries it knows have. The rest is looked for in the source: a text that is
//! the name and nothing else, and for fields of classes with a base of a library's also an argument by that name.

use std::ops::Range;

use rayon::prelude::*;
use ripple_graphdb::net::EdgeKinds;
use ripple_schema::NodeKind;
use rustc_hash::FxHashSet;

use super::Room;
use super::outside::{class_of, has_library_base};
use super::verdict::reason;
use crate::Error;
use crate::view::Reason;

/// Most names that are looked for.
const MOST: usize = 8;

/// Most places that are told.
const SHOWN: usize = 3;

/// What is looked for, and where it is known already.
struct Wanted {
    name: String,
    /// The language of the files that may mean it; any if none.
    language: Option<String>,
    known: FxHashSet<(u32, u32)>,
    by: By,
}

/// How a name may be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    /// As a text.
    Text,
    /// As a text, or as an argument of that name.
    TextOrArgument,
    /// By the word itself.
    Word,
}

/// Where a name that is declared no more is still said, if anywhere.
pub(super) fn still_named(room: &Room<'_>, name: &str) -> Result<Option<Reason>, Error> {
    let wanted = Wanted {
        name: name.to_owned(),
        language: None,
        known: FxHashSet::default(),
        by: By::Word,
    };
    let (count, shown) = wanted.places(room, true)?;
    if count == 0 {
        return Ok(None);
    }
    let message = format!("`{name}` is declared no more where the change took it out, and is still named in {shown}");
    Ok(Some(reason("removed", message, count)))
}

/// What keeps the uses of these keys, and of these fields of library classes, from being all.
pub(super) fn reasons(room: &Room<'_>, seeds: &[u32], tests: bool) -> Result<Vec<Reason>, Error> {
    let net = &room.net;
    let mut reasons = Vec::new();
    for &seed in seeds.iter().take(MOST) {
        let is_field = net.label(seed) == NodeKind::Field;
        if net.label(seed) != NodeKind::Key && !(is_field && is_of_library_class(room, seed)?) {
            continue;
        }
        let card = net.card(seed)?;
        let edges = net
            .entering(seed, EdgeKinds::ALL)
            .chain(net.leaving(seed, EdgeKinds::ALL));
        let edges: Vec<u32> = edges.map(|arrow| arrow.edge).collect();
        let sites = net.sites(&edges)?;
        let wanted = Wanted {
            name: card.name,
            language: is_field.then_some(card.language),
            known: sites.iter().map(|site| (site.file, site.line)).collect(),
            by: if is_field { By::TextOrArgument } else { By::Text },
        };
        reasons.extend(wanted.reason(room, tests)?);
    }
    Ok(reasons)
}

fn is_of_library_class(room: &Room<'_>, field: u32) -> Result<bool, Error> {
    class_of(&room.net, field).map_or(Ok(false), |class| has_library_base(room, class))
}

impl Wanted {
    fn reason(&self, room: &Room<'_>, tests: bool) -> Result<Option<Reason>, Error> {
        let (count, shown) = self.places(room, tests)?;
        let message = format!(
            "the name `{}` stands as a text where it may mean this as well, in {shown}",
            self.name
        );
        Ok((count > 0).then(|| reason("named-in-texts", message, count)))
    }

    /// How many places say it, those in tests only where they are asked for, and the first of them.
    fn places(&self, room: &Room<'_>, tests: bool) -> Result<(u64, String), Error> {
        let files = room.reader.files()?;
        let found: Vec<Vec<(u32, u32)>> = (0u32..)
            .zip(files.iter())
            .filter(|(_, file)| tests || !ripple_extractor::is_test(&file.path))
            .filter(|(_, file)| self.language.as_ref().is_none_or(|own| file.language.name() == own))
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|(number, file)| {
                let source = room.reader.source(&file.path)?.unwrap_or_default();
                Ok(self.lines(&source).map(|line| (number, line)).collect())
            })
            .collect::<Result<_, Error>>()?;
        let (mut shown, mut count) = (Vec::new(), 0);
        for (file, line) in found.into_iter().flatten().filter(|place| !self.known.contains(place)) {
            count += 1;
            if let (true, Some(file)) = (shown.len() < SHOWN, files.get(file as usize)) {
                shown.push(format!("{}:{line}", file.path));
            }
        }
        let (more, plural) = (
            if count > shown.len() as u64 { ", …" } else { "" },
            if count == 1 { "" } else { "s" },
        );
        Ok((count, format!("{count} place{plural}: {}{more}", shown.join(", "))))
    }

    /// The lines, from 1, in which a text says the name.
    fn lines<'s>(&'s self, source: &'s str) -> impl Iterator<Item = u32> + 's {
        let (mut line, mut counted, mut last) = (1, 0, 0);
        let exported: Vec<Range<usize>> = exported(source).collect();
        let hits = source.match_indices(self.name.as_str());
        let hits = hits.filter(move |(at, _)| !exported.iter().any(|range| range.contains(at)));
        let hits = hits.filter(|(at, _)| self.is_said(&source[..*at], &source[at + self.name.len()..]));
        hits.filter_map(move |(at, _)| {
            line += source[counted..at].matches('\n').count() as u32;
            counted = at;
            (std::mem::replace(&mut last, line) != line).then_some(line)
        })
    }

    fn is_said(&self, before: &str, behind: &str) -> bool {
        let quote = before.chars().next_back();
        let quote = quote.filter(|quote| matches!(quote, '"' | '\'' | '`'));
        let is_text = quote.is_some() && behind.chars().next() == quote;
        // `filter(code=…)`, `filter(code__in=…)` of a model's field.
        let is_argument = || {
            let name = behind.trim_start_matches(is_word);
            let is_lookup = name.len() == behind.len() || behind.starts_with("__");
            before.ends_with(['(', ' ', '\n']) && is_lookup && name.starts_with('=') && !name.starts_with("==")
        };
        match self.by {
            By::Text => is_text,
            By::TextOrArgument => is_text || is_argument(),
            By::Word => stands_alone(before, behind),
        }
    }
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether what stands between these two parts of a text is a word of its own.
pub(crate) fn stands_alone(before: &str, behind: &str) -> bool {
    !before.ends_with(is_word) && !behind.starts_with(is_word)
}

/// Where a module lists the names that it hands out: those are no keys.
pub(super) fn exported(source: &str) -> impl Iterator<Item = Range<usize>> {
    let lists = source.match_indices("__all__").map(|(at, _)| at);
    let end = |at: usize| source[at..].find([']', ')']).map_or(source.len(), |end| at + end);
    lists.map(move |at| at..end(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_name_and_nothing_else() {
        let wanted = |by: By| Wanted {
            name: "code".into(),
            language: None,
            known: FxHashSet::default(),
            by,
        };
        let source =
            "row['code']\nrow[\"codes\"]\nfilter(code=1, x=2)\nget(code__in=a)\nif code == 1: pass\ncode = 2\n";
        assert_eq!(wanted(By::Text).lines("__all__ = [\n    'code',\n]\n").count(), 0);
        assert_eq!(wanted(By::Text).lines(source).collect::<Vec<_>>(), [1]);
        assert_eq!(wanted(By::TextOrArgument).lines(source).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(wanted(By::Word).lines(source).collect::<Vec<_>>(), [1, 3, 5, 6]);
    }
}
