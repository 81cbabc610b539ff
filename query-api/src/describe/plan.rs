//! [`plan`]: which functions are to be described, in which batches, and what that takes.
//!
//! The most called come first, so that a limit leaves out what matters least. A function that has a description for the source it has now
//! is not asked for again.

use rayon::prelude::*;
use ripple_graphdb::kept::Kept;
use ripple_graphdb::net::EdgeKinds;
use ripple_graphdb::search::described;
use ripple_graphdb::{Net, Reader};
use ripple_schema::{EdgeKind, NodeKind};

use super::{PROMPT, TOKENS};
use crate::Error;
use crate::llm;

/// Tokens of source in one request.
const BATCH_TOKENS: usize = 3_000;
/// Functions in one request.
const BATCH: usize = 10;
/// Most source of a function that is shown, in bytes.
const SOURCE: usize = 6_000;

/// Which functions to describe.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Only those whose file's path begins so; all if there is none.
    pub paths: Vec<String>,
    /// Also those that have documentation.
    pub documented: bool,
    /// Also test code.
    pub tests: bool,
    /// Most functions.
    pub limit: Option<usize>,
}

/// What is to be described, and what it takes.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Requests, each with its functions.
    pub batches: Vec<Batch>,
    /// Functions of the kind that is wanted that have a description already.
    pub known: usize,
    /// Tokens that are sent, about.
    pub prompt_tokens: u64,
    /// Tokens that come back, about.
    pub completion_tokens: u64,
}

impl Plan {
    /// Functions in it.
    pub fn functions(&self) -> usize {
        self.batches.iter().map(|batch| batch.functions.len()).sum()
    }
}

/// Functions that are described with one request.
#[derive(Debug, Clone, Default)]
pub struct Batch {
    /// The functions.
    pub functions: Vec<Function>,
    tokens: usize,
}

/// A function to describe.
#[derive(Debug, Clone)]
pub struct Function {
    /// What its description is kept by.
    pub key: u64,
    /// Dotted path from the package down.
    pub qualified_name: String,
    /// Its file.
    pub file: String,
    source: String,
}

impl Batch {
    /// What the model is asked.
    pub(super) fn prompt(&self) -> String {
        let shown = (1..)
            .zip(&self.functions)
            .map(|(number, function)| function.shown(number));
        PROMPT.replace("{{functions}}", &shown.collect::<Vec<_>>().join("\n"))
    }
}

impl Function {
    fn shown(&self, number: usize) -> String {
        let Self {
            qualified_name,
            file,
            source,
            ..
        } = self;
        llm::fenced(&format!("## {number}\n{qualified_name} in {file}\n{source}\n"))
    }
}

/// Plans what to describe. `model` tells how to count tokens.
///
/// # Errors
///
/// Whatever the store says.
pub fn plan(reader: &Reader, model: &str, wanted: &Wanted) -> Result<Plan, Error> {
    let net = reader.net()?;
    let kept = Kept::read(&described::path(reader.folder()))?;
    let mut plan = Plan::default();
    let mut functions = Vec::new();
    let mut text: Option<(String, String)> = None;
    for (node, card) in candidates(&net, wanted)? {
        // Functions of a file follow one another: its text is fetched once.
        if text.as_ref().is_none_or(|(path, _)| *path != card.file) {
            text = Some((card.file.clone(), reader.source(&card.file)?.unwrap_or_default()));
        }
        let source = text
            .as_ref()
            .map_or("", |(_, text)| described::lines(text, card.line, card.end_line));
        if source.trim().is_empty() {
            continue;
        }
        let key = described::key(&card.qualified_name, source);
        if kept.get(key).is_some() {
            plan.known += 1;
            continue;
        }
        let calls = net.entering(node, EdgeKinds::of(&[EdgeKind::Calls])).count();
        let function = Function {
            key,
            qualified_name: card.qualified_name,
            file: card.file,
            source: cut(source).to_owned(),
        };
        functions.push((calls, function));
    }
    // The sort keeps the order of equals: file by file.
    functions.sort_by_key(|(calls, _)| std::cmp::Reverse(*calls));
    functions.truncate(wanted.limit.unwrap_or(usize::MAX));
    let functions: Vec<Function> = functions.into_iter().map(|(_, function)| function).collect();
    let sizes: Vec<usize> = functions
        .par_iter()
        .map(|function| llm::tokens(&function.shown(1), model))
        .collect();
    for (function, size) in functions.into_iter().zip(sizes) {
        let fits = |batch: &&mut Batch| batch.functions.len() < BATCH && batch.tokens + size <= BATCH_TOKENS;
        match plan.batches.last_mut().filter(fits) {
            Some(batch) => {
                batch.functions.push(function);
                batch.tokens += size;
            }
            None => plan.batches.push(Batch {
                functions: vec![function],
                tokens: size,
            }),
        }
    }
    let around = llm::tokens(PROMPT, model) as u64;
    plan.prompt_tokens = plan.batches.iter().map(|batch| batch.tokens as u64 + around).sum();
    plan.completion_tokens = TOKENS * plan.functions() as u64;
    Ok(plan)
}

/// The functions that are wanted, file by file.
fn candidates(net: &Net, wanted: &Wanted) -> Result<Vec<(u32, ripple_graphdb::Card)>, Error> {
    let mut candidates = Vec::new();
    for node in net.of_label(NodeKind::Function) {
        if net.is_test(node) && !wanted.tests {
            continue;
        }
        let card = net.card(node)?;
        let inside = wanted.paths.is_empty() || wanted.paths.iter().any(|path| card.file.starts_with(path.as_str()));
        let is_wanted = inside && card.kind != "initializer" && card.line > 0;
        if is_wanted && (wanted.documented || card.doc.trim().is_empty()) {
            candidates.push((node, card));
        }
    }
    candidates.sort_by(|a, b| {
        a.1.file
            .cmp(&b.1.file)
            .then(a.1.line.cmp(&b.1.line))
            .then(a.0.cmp(&b.0))
    });
    Ok(candidates)
}

/// The beginning of a long function says what it is for.
fn cut(source: &str) -> &str {
    let mut end = source.len().min(SOURCE);
    while !source.is_char_boundary(end) {
        end -= 1;
    }
    &source[..end]
}
