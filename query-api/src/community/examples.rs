//! [`examples`]: questions drawn from this very index, each of which has an answer here.
//!
//! For the shop of the tests: "If a client stops sending `email`, what changes?", "Who calls `pipeline.events.parse`?", and so on. A
//! question is shown only after its operation has found something.

use ripple_graphdb::net::{EdgeKinds, Role};
use ripple_graphdb::{Net, Reader};
use ripple_schema::{EdgeKind, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::view::{Examples, Parameters};
use crate::{Error, operation};

/// Things that are tried for one question before it is given up.
const TRIED: usize = 4;

/// Most questions.
const MOST: usize = 10;

/// Questions that this index can answer: none of an index that holds nothing.
///
/// # Errors
///
/// Whatever the store says.
pub fn examples(reader: &Reader) -> Result<Examples, Error> {
    let net = reader.net()?;
    let busy = Busy::of(&net);
    let drawer = Drawer { reader, net: &net };
    let mut questions = Vec::new();
    if !reader.communities()?.all.is_empty() {
        questions.push("How is this code organised?".to_owned());
    }
    questions.extend(drawer.draw(&busy.keys, "impact", |name| {
        format!("If a client stops sending the key `{name}`, what changes?")
    })?);
    questions.extend(drawer.tagged(&busy.keys)?);
    questions.extend(drawer.draw(&busy.called, "callers", |name| format!("Who calls `{name}`?"))?);
    questions.extend(drawer.draw(&busy.written, "readers_writers", |name| format!("Who writes `{name}`?"))?);
    questions.extend(drawer.draw(&busy.implemented, "implementations", |name| {
        format!("What implements `{name}`?")
    })?);
    questions.extend(drawer.draw(&busy.derived, "hierarchy", |name| {
        format!("What is the hierarchy of `{name}`?")
    })?);
    questions.extend(drawer.draw(&busy.called, "tests_for", |name| format!("Which tests cover `{name}`?"))?);
    questions.extend(drawer.draw(&busy.calling, "callees", |name| format!("What does `{name}` call?"))?);
    questions.extend(drawer.draw(&busy.packages, "explain", |name| format!("What is `{name}`?"))?);
    questions.truncate(MOST);
    Ok(Examples { questions })
}

/// What of each kind there is most to tell of, most first.
struct Busy {
    keys: Vec<u32>,
    called: Vec<u32>,
    calling: Vec<u32>,
    written: Vec<u32>,
    implemented: Vec<u32>,
    derived: Vec<u32>,
    packages: Vec<u32>,
}

impl Busy {
    fn of(net: &Net) -> Self {
        let entering = |kinds: &'static [EdgeKind]| {
            move |node: u32| {
                let from = net.entering(node, EdgeKinds::of(kinds)).map(|arrow| arrow.node);
                from.filter(|other| !net.is_test(*other))
                    .collect::<FxHashSet<u32>>()
                    .len()
            }
        };
        let leaving = |kinds: &'static [EdgeKind], to: NodeKind| {
            move |node: u32| {
                let ends = net.leaving(node, EdgeKinds::of(kinds)).map(|arrow| arrow.node);
                ends.filter(|other| net.label(*other) == to)
                    .collect::<FxHashSet<u32>>()
                    .len()
            }
        };
        let both = |node: u32| {
            entering(&[EdgeKind::SerializedAs, EdgeKind::UsesKey])(node)
                + net.leaving(node, EdgeKinds::of(&[EdgeKind::FlowsTo])).count()
        };
        let of = |labels: &[NodeKind], least: usize, busy: &dyn Fn(u32) -> usize| {
            let nodes = labels
                .iter()
                .flat_map(|label| net.of_label(*label))
                .filter(|node| !net.is_test(*node));
            let counted = nodes
                .map(|node| (busy(node), node))
                .filter(|(count, _)| *count >= least);
            let mut counted: Vec<(usize, u32)> = counted.collect();
            counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            counted.truncate(TRIED);
            counted.into_iter().map(|(_, node)| node).collect::<Vec<u32>>()
        };
        let global = |node: u32| net.label(node) == NodeKind::Field || net.role(node) == Role::Global;
        let written = entering(&[EdgeKind::Writes]);
        Self {
            keys: of(&[NodeKind::Key], 1, &both),
            called: of(&[NodeKind::Function], 2, &entering(&[EdgeKind::Calls])),
            calling: of(
                &[NodeKind::Function],
                3,
                &leaving(&[EdgeKind::Calls], NodeKind::Function),
            ),
            written: of(&[NodeKind::Field, NodeKind::Variable], 2, &|node| {
                if global(node) { written(node) } else { 0 }
            }),
            implemented: of(&[NodeKind::Type], 1, &entering(&[EdgeKind::Implements])),
            derived: of(&[NodeKind::Type], 1, &entering(&[EdgeKind::Inherits, EdgeKind::Embeds])),
            packages: of(&[NodeKind::Package], 1, &|node| {
                net.leaving(node, EdgeKinds::of(&[EdgeKind::Contains])).count()
            }),
        }
    }
}

struct Drawer<'r> {
    reader: &'r Reader,
    net: &'r Net,
}

impl Drawer<'_> {
    /// A question about the first of these that the operation says something of.
    fn draw(&self, nodes: &[u32], name: &str, question: impl Fn(&str) -> String) -> Result<Option<String>, Error> {
        for &node in nodes {
            let card = self.net.card(node)?;
            let (shown, target) = match self.net.label(node) {
                NodeKind::Key => (card.name.clone(), format!("key:{}", card.name)),
                _ => (card.qualified_name.clone(), card.qualified_name),
            };
            if is_plain(&shown) && self.finds(name, &target, None)? {
                return Ok(Some(question(&shown)));
            }
        }
        Ok(None)
    }

    /// A question about tagged code that a key comes to.
    fn tagged(&self, keys: &[u32]) -> Result<Option<String>, Error> {
        for tag in self.tags()? {
            for &key in keys {
                let name = self.net.card(key)?.name;
                if is_plain(&name) && is_plain(&tag) && self.finds("impact", &format!("key:{name}"), Some(&tag))? {
                    return Ok(Some(format!(
                        "If a client stops sending the key `{name}`, which functions tagged `{tag}` change?"
                    )));
                }
            }
        }
        Ok(None)
    }

    /// Tags of functions, most used first.
    fn tags(&self) -> Result<Vec<String>, Error> {
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        for node in self.net.of_label(NodeKind::Function) {
            for tag in self.net.card(node)?.tags.split_whitespace() {
                *counts.entry(tag.to_owned()).or_default() += 1;
            }
        }
        let mut tags: Vec<(String, usize)> = counts.into_iter().collect();
        tags.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(tags.into_iter().take(2).map(|(tag, _)| tag).collect())
    }

    fn finds(&self, name: &str, target: &str, tag: Option<&str>) -> Result<bool, Error> {
        let parameters = Parameters {
            target: Some(target.to_owned()),
            tag: tag.map(str::to_owned),
            limit: Some(1),
            ..Parameters::default()
        };
        match operation::run(self.reader, name, &parameters) {
            Ok(answer) => Ok(!answer.results.is_empty()),
            Err(Error::NoMatch { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Whether a name can stand in a sentence: no blank, no quote, not a page long.
fn is_plain(name: &str) -> bool {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '`' | '"' | '\'' | '<' | '>');
    (1..=120).contains(&name.len()) && !name.contains(odd)
}
