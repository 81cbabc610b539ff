//! Operations: what can be asked without writing Cypher. One table, the same for every door.
//!
//! First, some terminology:
//!
//! - **target**: the words that name what is asked about; [`target`] tells which words mean which nodes.
//! - **seed**: a node that the target means.
//! - **walk**: how the graph is followed from the seeds; [`walk`] keeps ways apart that no run of the program takes.
//! - **finding**: a node that the answer names, with the way to it.
//! - **verdict**: how complete the answer is; [`verdict`] looks for what could not be resolved in reach of it.
//!
//! `impact` of `key:email` in the sample shop, step by step: the target means one seed, the key; the walk goes up through results and
//! down through arguments and reaches places in five packages; places are told as the functions, fields and keys that they belong to,
//! nearest first; calls that were not resolved among them make the verdict a lower bound.
//!
//! Walks run on the graph as arrays ([`ripple_graphdb::Net`]): the engine's own walks have no memory of phases and are too slow from many
//! starts. Each operation still has its Cypher beside it (`cypher/`), which finds the same nodes, so that everybody can check and go on.

mod already_there;
mod answer;
mod as_values;
mod bases;
mod builds;
mod calls;
mod change;
mod computed;
mod entry;
pub mod explain;
mod failing;
mod ground;
mod laid_in;
mod makers;
mod named;
mod nearby;
mod outside;
mod published;
mod relations;
mod table;
mod target;
mod texts;
mod unknown;
mod value;
mod verdict;
pub mod walk;

use std::sync::Arc;
use std::time::Instant;

use ripple_graphdb::net::Arrow;
use ripple_graphdb::{Net, Reader};
use ripple_schema::NodeId;

use crate::answer::prose;
use crate::view::{Ground, ImpactReport, ImpactRequest, OperationAnswer, Parameters, Reason, Verdict};
use crate::{Error, git};
pub(crate) use answer::node_view;
pub use table::{Operation, TABLE, find, list};
pub(crate) use texts::stands_alone;
pub(crate) use verdict::reason;
use walk::{Reach, Reached};

/// What every operation works with.
pub struct Room<'r> {
    /// The index.
    pub reader: &'r Reader,
    /// Its graph as arrays.
    pub net: Arc<Net>,
}

/// What an operation has found, before it is told.
#[derive(Default)]
pub(crate) struct Found {
    seeds: Vec<u32>,
    /// Where a way was to end.
    ends: Vec<u32>,
    findings: Vec<RawFinding>,
    /// The walks that the findings' ways lie in.
    walks: Vec<Reach>,
    /// Test functions that run what was found.
    tests: Vec<u32>,
    /// What keeps the answer from being complete.
    reasons: Vec<Reason>,
    source: Vec<crate::view::Excerpt>,
    entry_points: bool,
}

/// A result before it is told.
#[derive(Clone, Copy)]
pub(crate) struct RawFinding {
    node: u32,
    relation: &'static str,
    distance: u32,
    confidence: f32,
    ground: Ground,
    /// The way: a place in one of the walks, or one edge.
    way: Trail,
}

impl RawFinding {
    /// A place that a walk has reached, or what it belongs to.
    fn reached(node: u32, relation: &'static str, walk: usize, reached: Reached) -> Self {
        Self {
            node,
            relation,
            distance: reached.distance,
            confidence: reached.confidence,
            ground: reached.ground,
            way: Trail::Walk(walk, reached),
        }
    }

    /// What is one edge away.
    fn one_step(room: &Room<'_>, arrow: Arrow, relation: &'static str) -> Self {
        Self {
            node: arrow.node,
            relation,
            distance: 1,
            confidence: room.net.rule(arrow.edge).confidence() as f32,
            ground: Ground::Flow,
            way: Trail::Edge(arrow.edge),
        }
    }
}

/// How a finding is reached.
#[derive(Clone, Copy)]
pub(crate) enum Trail {
    /// In that walk, to that place.
    Walk(usize, Reached),
    /// By one edge.
    Edge(u32),
}

/// Runs an operation.
///
/// # Errors
///
/// [`Error::Parameter`] for a parameter that the operation does not take or cannot read, [`Error::NoMatch`] for a target that means
/// nothing in this index, and whatever the store says.
pub fn run(reader: &Reader, name: &str, parameters: &Parameters) -> Result<OperationAnswer, Error> {
    let started = Instant::now();
    let operation = find(name)?;
    operation.check(parameters)?;
    let room = Room {
        reader,
        net: reader.net()?,
    };
    let mut found = (operation.run)(&room, parameters)?;
    verdict::add(&room, operation, parameters, &mut found)?;
    answer::tell(&room, operation, parameters, found, started)
}

/// How complete an answer can be that no walk made: what was left out of the index, and names that it does not have.
pub fn verdict_of_index(reader: &Reader, missing: &[String]) -> Verdict {
    verdict::of_index(reader, missing)
}

/// What a change sets off: the symbols that it touches, what changes with them, the tests to run.
///
/// # Errors
///
/// As [`run`]; a diff that is none; whatever git says.
pub fn impact_of_change(reader: &Reader, request: &ImpactRequest) -> Result<ImpactReport, Error> {
    let started = Instant::now();
    let room = Room {
        reader,
        net: reader.net()?,
    };
    let parameters = Parameters {
        target: request.target.clone(),
        depth: request.depth,
        limit: request.limit,
        min_confidence: request.min_confidence,
        ground: request.ground,
        tests: request.tests,
        ..Parameters::default()
    };
    let operation = find("impact")?;
    let (seeds, touched, left_out) = match &request.target {
        Some(target) => {
            let seeds = target::resolve(&room, "target", target)?;
            (seeds, change::Touched::default(), Vec::new())
        }
        None => {
            let (diff, left_out) = diff_of(reader, request)?;
            let touched = change::touched(&room, &diff)?;
            let seeds = touched
                .changed
                .iter()
                .filter_map(|changed| room.net.index(NodeId(changed.node)))
                .collect();
            (seeds, touched, left_out)
        }
    };
    // The diff stands for the target.
    operation.check(&Parameters {
        target: Some(String::new()),
        ..parameters.clone()
    })?;
    let mut found = value::impact_of(&room, &parameters, seeds)?;
    verdict::add(&room, operation, &parameters, &mut found)?;
    for name in &touched.gone {
        found.reasons.extend(texts::still_named(&room, name)?);
    }
    for message in left_out {
        found.reasons.push(reason("unread-change", message, 1));
    }
    for file in &touched.unknown {
        let message = format!("{file} is not in the index; run `ripple index`");
        found.reasons.push(reason("stale-index", message, 1));
    }
    let answer = answer::tell(&room, operation, &parameters, found, started)?;
    Ok(ImpactReport {
        tests_to_run: answer.tests.clone(),
        markdown: prose::pull_request(&touched.changed, &answer),
        changed: touched.changed,
        unknown_files: touched.unknown,
        answer,
    })
}

/// The diff that a request means, of all roots of the index that have it; what is wrong with the others.
fn diff_of(reader: &Reader, request: &ImpactRequest) -> Result<(String, Vec<String>), Error> {
    if let Some(diff) = &request.diff {
        return Ok((diff.clone(), Vec::new()));
    }
    if request.base.is_none() && request.head.is_none() && !request.staged {
        return Err(Error::Parameter {
            name: "diff".into(),
            message: "name a change: `diff`, `base` and `head`, `staged`, or a `target`".into(),
        });
    }
    let (mut all, mut wrong) = (String::new(), Vec::new());
    let roots = &reader.manifest().roots;
    for root in roots {
        let diff = git::diff(
            &root.path,
            request.base.as_deref(),
            request.head.as_deref(),
            request.staged,
        );
        match diff {
            Ok(diff) => all.push_str(&change::below(&diff, &root.prefix)),
            // Repositories side by side seldom have the same revisions.
            Err(error @ Error::Usage(_)) => wrong.push(error),
            Err(error) => return Err(error),
        }
    }
    if wrong.len() == roots.len()
        && let Some(error) = wrong.pop()
    {
        return Err(error);
    }
    let left_out = wrong
        .iter()
        .map(|error| format!("what changed there is not known: {error}"));
    Ok((all, left_out.collect()))
}

/// The nodes that a target means, at most 50: code before tests.
pub fn resolve(reader: &Reader, target: &str) -> Result<Vec<crate::view::NodeView>, Error> {
    let room = Room {
        reader,
        net: reader.net()?,
    };
    let nodes = target::resolve(&room, "target", target)?;
    nodes.into_iter().map(|node| node_view(&room.net, node)).collect()
}
