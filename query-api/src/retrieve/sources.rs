//! The sources: each gives rows, the best first, with a score that is 1 for the best; and their fusion by rank.

use std::collections::BTreeMap;

use rayon::prelude::*;
use ripple_extractor::pattern::Structure;
use ripple_graphdb::nodes::NONE;
use ripple_graphdb::search::Allowed;
use ripple_graphdb::{Reader, SearchIndex};
use ripple_schema::{Language, NodeKind};

use super::Asked;
use crate::Error;
use crate::view::{Source, StructurePattern};

/// Chunks that are looked at.
pub const CHUNKS: usize = 60;
/// Rows that full text and vectors give.
const ROWS: usize = 300;
/// Rows of test code that full text and vectors give where nobody asked for tests.
const TESTS: usize = 20;
/// Words of like meaning that are looked for with each word of a question.
const NEAR: usize = 5;
/// Rows that names give.
const NAMES: usize = 60;
/// The score of a name that only begins as the question does.
const BEGINS: f32 = 0.3;
/// How much a field counts when full text picks candidates, in the order of `text::FIELDS`.
pub const BOOSTS: [f32; 7] = [3.0, 0.8, 1.5, 0.7, 0.5, 1.0, 0.5];

/// What one source found.
#[derive(Debug, Clone)]
pub struct List {
    /// The source.
    pub source: Source,
    /// Rows and scores, the best first.
    pub found: Vec<(u32, f32)>,
}

impl List {
    /// A list whose best has score 1.
    pub fn of(source: Source, mut found: Vec<(u32, f32)>) -> Self {
        let best = found.iter().map(|(_, score)| *score).fold(0.0, f32::max);
        if best > 0.0 {
            found.iter_mut().for_each(|(_, score)| *score /= best);
        }
        Self { source, found }
    }
}

/// Reciprocal rank fusion: a row's score is the sum of `1 / (60 + rank)` over the lists that have it.
pub fn fuse(lists: &[List]) -> Vec<(u32, f32)> {
    let mut scores: BTreeMap<u32, f32> = BTreeMap::new();
    for list in lists {
        for (rank, (row, _)) in (1u16..).zip(&list.found) {
            *scores.entry(*row).or_default() += 1.0 / (60.0 + f32::from(rank));
        }
    }
    let mut fused: Vec<(u32, f32)> = scores.into_iter().collect();
    fused.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    fused
}

/// Words of a question that look like code, and the others.
pub fn mentions(question: &str) -> (Vec<&str>, Vec<&str>) {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut code = Vec::new();
    let mut plain = Vec::new();
    for word in question.split(|c| !is_part(c)).map(|word| word.trim_matches('.')) {
        let mut chars = word.chars();
        chars.next();
        let is_code =
            word.contains(['_', '.']) || chars.any(char::is_uppercase) && word.chars().any(char::is_lowercase);
        match word.chars().count() {
            0..3 => {}
            _ if is_code => code.push(word),
            _ => plain.push(word),
        }
        if code.len() + plain.len() > 64 {
            break;
        }
    }
    (code, plain)
}

/// The name that is all of a question, as somebody types it who knows what it is called: `Cart.to`, not "the cart's total".
pub fn lone_name(question: &str) -> Option<&str> {
    let name = question.trim().trim_end_matches("()");
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    (!name.is_empty() && name.chars().all(is_part)).then_some(name)
}

/// How well a row bears a name: 4 if just so, as its short name, with what it belongs to, or whole; 3 if in another case; 2 if it begins so; 0 if not.
pub fn bears(index: &SearchIndex, row: u32, name: &str) -> u8 {
    let entry = index.nodes.entry(row);
    let ends = |whole: &str, end: &str| {
        let before = whole.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
    };
    if ends(&entry.qualified_name, name) || entry.name == name {
        return 4;
    }
    let (whole, short, name) = (
        entry.qualified_name.to_lowercase(),
        entry.name.to_lowercase(),
        name.to_lowercase(),
    );
    if ends(&whole, &name) || short == name {
        return 3;
    }
    let owner = whole.strip_suffix(&short).unwrap_or("").trim_end_matches('.');
    let last = owner.rsplit(['.', '/']).next().unwrap_or("");
    let begins = match name.contains(['.', '/']) {
        true => whole.starts_with(&name) || format!("{last}.{short}").starts_with(&name),
        false => short.starts_with(&name),
    };
    if begins { 2 } else { 0 }
}

/// Where a question is a name and nothing else: rows that bear it first, then those whose names begin with it, the shortest first, then the rest. Of
/// those that bear it alike, test code comes last.
pub fn names_first(index: &SearchIndex, question: &str, ranked: &mut [(u32, f32)]) {
    let Some(name) = lone_name(question) else { return };
    let key = |row: u32| {
        let bears = bears(index, row, name);
        let length = if bears == 2 {
            index.nodes.kind_and_name(row).1.len()
        } else {
            0
        };
        let is_test = bears > 0 && index.nodes.is_test(row);
        (std::cmp::Reverse(bears), is_test, length)
    };
    ranked.sort_by_cached_key(|(row, _)| key(*row));
}

/// Rows whose name the question says, exactly or nearly.
pub fn names(index: &SearchIndex, asked: &Asked) -> Result<List, Error> {
    let text = &index.text;
    let allowed = asked.allowed.as_ref();
    let mut best: BTreeMap<u32, f32> = BTreeMap::new();
    let mut add = |rows: Vec<u32>, score: f32| {
        // A name that many share says little of each.
        let score = score / (1.0 + (rows.len() as f32).ln() * 0.3);
        for row in rows {
            let known = best.entry(row).or_default();
            *known = known.max(score);
        }
    };
    let (code, plain) = mentions(&asked.text);
    for name in code {
        let mut found = text.named(name, NAMES, allowed)?;
        let mut score = if name.contains('.') { 1.0 } else { 0.9 };
        let parts: Vec<&str> = name.rsplit('.').collect();
        if let (true, [last, owner, ..]) = (found.is_empty(), parts.as_slice()) {
            found = text.named(&format!("{owner}.{last}"), NAMES, allowed)?;
        }
        let last = parts.first().copied().unwrap_or(name);
        if found.is_empty() && parts.len() > 1 {
            (found, score) = (text.named(last, NAMES, allowed)?, 0.8);
        }
        for edits in [1, 2] {
            if found.is_empty() && last.chars().count() >= 4 * usize::from(edits) {
                (found, score) = (
                    text.nearly_named(last, edits, NAMES, allowed)?,
                    0.8 - 0.2 * f32::from(edits),
                );
            }
        }
        add(found, score);
    }
    for name in plain {
        let found = text.named(name, NAMES, allowed)?;
        let lone = asked.terms.words.len() <= 2;
        if found.is_empty() && lone && name.chars().count() >= 5 {
            add(text.nearly_named(name, 1, NAMES, allowed)?, 0.4);
        } else {
            add(found, if lone { 0.8 } else { 0.4 });
        }
    }
    if let Some(name) = lone_name(&asked.text) {
        for row in text.named(name, NAMES, allowed)? {
            best.entry(row).or_insert(1.0);
        }
        // One letter is the beginning of too much.
        if name.chars().count() > 1 {
            for row in text.named_like(name, NAMES, allowed)? {
                best.entry(row).or_insert(BEGINS);
            }
        }
    }
    let mut found: Vec<(u32, f32)> = best.into_iter().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(2 * NAMES);
    Ok(List {
        source: Source::Name,
        found,
    })
}

/// Rows whose words fit.
pub fn text(index: &SearchIndex, asked: &Asked) -> Result<List, Error> {
    let find = |limit: usize, allowed: Option<&Allowed>| index.text.nodes(&asked.terms, &BOOSTS, limit, allowed);
    let found = with_tests(find(ROWS, asked.proper.as_ref())?, find(TESTS, asked.allowed.as_ref())?);
    Ok(List::of(Source::Text, found))
}

/// Rows whose words mean nearly what the question's do: by their names, and by full text with the nearest words added.
pub fn meanings(index: &SearchIndex, asked: &Asked) -> Result<Vec<List>, Error> {
    let (Some(meanings), Some(likeness)) = (&index.meanings, &asked.likeness) else {
        return Ok(Vec::new());
    };
    let passes = |row: u32| asked.proper.as_ref().is_none_or(|allowed| allowed.row(row));
    let by_name = meanings.best(likeness, ROWS, &passes);
    let near: Vec<(String, f32)> = meanings
        .nearest(likeness, NEAR, 0.3)
        .into_iter()
        .map(|(word, like)| (word, like * 0.5))
        .collect();
    let terms = index.text.expanded(&asked.terms, &near);
    let by_text = index.text.nodes(&terms, &BOOSTS, ROWS, asked.proper.as_ref())?;
    Ok(vec![
        List::of(Source::Meaning, by_name),
        List::of(Source::Meaning, by_text),
    ])
}

/// The best, and after them the best of test code that are not there yet.
fn with_tests(mut found: Vec<(u32, f32)>, all: Vec<(u32, f32)>) -> Vec<(u32, f32)> {
    for (row, score) in all {
        if !found.iter().any(|(known, _)| *known == row) {
            found.push((row, score));
        }
    }
    found
}

/// Rows whose vectors are near.
pub fn vectors(index: &SearchIndex, asked: &Asked) -> Option<List> {
    let (vectors, question) = (index.vectors.as_ref()?, asked.vector.as_ref()?);
    let mut found = vectors.nearest(question, ROWS, asked.proper.as_ref());
    if asked.proper != asked.allowed {
        found = with_tests(found, vectors.nearest(question, TESTS, asked.allowed.as_ref()));
    }
    Some(List::of(Source::Vector, found))
}

/// Rows that the best chunks are or hold: a type for its chunk, and for a piece of a file what is declared in it.
pub fn chunks(index: &SearchIndex, asked: &Asked, chunks: &[(u32, f32)]) -> List {
    let mut found: Vec<(u32, f32)> = Vec::new();
    for &(number, score) in chunks {
        let Some(chunk) = index.chunk(number) else { continue };
        let rows: Vec<u32> = match chunk.row {
            NONE => index.declared_in(chunk.file, chunk.line, chunk.end_line),
            row => vec![row],
        };
        for row in rows.into_iter().take(12) {
            let passes = asked.allowed.as_ref().is_none_or(|allowed| allowed.row(row));
            if passes && !found.iter().any(|(known, _)| *known == row) {
                found.push((row, score));
            }
        }
    }
    found.truncate(ROWS);
    List::of(Source::Chunk, found)
}

/// Rows that hold the structure that was asked for: the innermost function around each place.
pub fn pattern(reader: &Reader, index: &SearchIndex, asked: &Asked, pattern: &StructurePattern) -> Result<List, Error> {
    let language = Language::ALL
        .iter()
        .copied()
        .find(|known| known.name() == pattern.language.to_lowercase());
    let Some(language) = language else {
        return Err(Error::Usage(format!(
            "pattern: no language is called `{}`",
            pattern.language
        )));
    };
    let structure = Structure::parse(language, &pattern.pattern)
        .map_err(|message| Error::Usage(format!("pattern `{}`: {message}", pattern.pattern)))?;
    let files: Vec<(u32, String)> = (0..)
        .zip(reader.files()?.iter())
        .filter(|(_, file)| file.language == language)
        .map(|(number, file)| (number, file.path.clone()))
        .collect();
    let found: Vec<Vec<u32>> = files
        .into_par_iter()
        .map(|(file, path)| -> Result<Vec<u32>, Error> {
            let Some(source) = reader.source(&path)? else {
                return Ok(Vec::new());
            };
            let places = structure.find(&source, 1000);
            Ok(places
                .into_iter()
                .filter_map(|(line, _)| index.around(file, line))
                .collect())
        })
        .collect::<Result<_, _>>()?;
    let mut counts: BTreeMap<u32, f32> = BTreeMap::new();
    for row in found.into_iter().flatten() {
        if asked.allowed.as_ref().is_none_or(|allowed| allowed.row(row)) {
            *counts.entry(row).or_default() += 1.0;
        }
    }
    let mut found: Vec<(u32, f32)> = counts.into_iter().collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok(List::of(Source::Pattern, found))
}

/// Whether a row is of a label.
pub fn is(index: &SearchIndex, row: u32, label: NodeKind) -> bool {
    index.nodes.label(row) == Some(label)
}
