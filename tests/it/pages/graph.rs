//! A section's graph, asked as a user would ask it: what is at this position, what reaches it, what is called there.

use std::collections::BTreeSet;

use ripple_schema::{Edge, EdgeKind, Graph, How, Node, NodeId, NodeKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::page::{Expectation, Section};
use crate::reach::Walk;

/// One section's graph.
pub struct View<'g> {
    graph: &'g Graph,
    section: &'g Section,
    nodes: FxHashMap<NodeId, &'g Node>,
    walk: Walk<'g>,
    incoming: FxHashMap<NodeId, Vec<&'g Edge>>,
    /// Each source by name, with everything it reaches, and what comes to hold it too.
    sources: Vec<(String, FxHashSet<NodeId>, FxHashSet<NodeId>)>,
}

impl<'g> View<'g> {
    /// Looks at a graph.
    pub fn new(graph: &'g Graph, section: &'g Section) -> Self {
        let mut view = Self {
            graph,
            section,
            nodes: graph.nodes.iter().map(|node| (node.id, node)).collect(),
            walk: Walk::new(graph, false),
            incoming: FxHashMap::default(),
            sources: Vec::new(),
        };
        for edge in &graph.edges {
            view.incoming.entry(edge.to).or_default().push(edge);
        }
        for expectation in section
            .expectations
            .iter()
            .filter(|expectation| expectation.verb == "source")
        {
            let (mut reached, mut holding) = (FxHashSet::default(), FxHashSet::default());
            for place in view.places(expectation).unwrap_or_default() {
                for start in view.cells(place).into_iter().chain([place]) {
                    reached.extend(view.walk.reach_and_held(start));
                    holding.extend(view.walk.reach_and_holders(start));
                }
            }
            view.sources.push((expectation.expected.clone(), reached, holding));
        }
        view
    }

    /// Where the objects are known, a field has a cell for each of them, and who starts from it starts from those too.
    fn cells(&self, place: NodeId) -> Vec<NodeId> {
        let is_field = self.nodes[&place].label == NodeKind::Field;
        let into = self.incoming.get(&place).filter(|_| is_field).into_iter().flatten();
        into.filter(|edge| edge.kind == EdgeKind::FlowsTo && self.nodes[&edge.from].kind == "element")
            .map(|edge| edge.from)
            .collect()
    }

    /// What holds today, in the form of the page.
    pub fn answer(&self, expectation: &Expectation) -> Result<String, String> {
        let names: BTreeSet<String> = match expectation.verb {
            "source" => {
                self.places(expectation)?;
                return Ok(expectation.expected.clone());
            }
            verb @ ("sees" | "holds") => {
                let places = match self.read_here(expectation) {
                    Some(places) => places,
                    None => self.places(expectation)?,
                };
                let sees = |reached: &FxHashSet<NodeId>| places.iter().any(|place| reached.contains(place));
                self.sources
                    .iter()
                    .filter(|(_, reached, holding)| sees(if verb == "sees" { reached } else { holding }))
                    .map(|(name, ..)| name.clone())
                    .collect()
            }
            "calls" => self.callees(expectation, false)?,
            "asks" => self.callees(expectation, true)?,
            "type" => self.ends(expectation, EdgeKind::HasType, false)?,
            "written by" => self.ends(expectation, EdgeKind::Writes, true)?,
            "read by" => self.ends(expectation, EdgeKind::Reads, true)?,
            _ => self.ends(expectation, EdgeKind::SerializedAs, false)?,
        };
        if names.is_empty() {
            return Ok("nothing".to_owned());
        }
        Ok(names.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// Whether two lists of names mean the same: in any order, each by any suffix of the full name.
    pub fn same(&self, expectation: &Expectation, actual: &str, wanted: &str) -> bool {
        let list = |text: &str| -> Vec<String> {
            text.split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| !name.is_empty() && name != "nothing")
                .collect()
        };
        let (actual, wanted) = (list(actual), list(wanted));
        let exact = matches!(expectation.verb, "sees" | "holds" | "source" | "key");
        let fits = |full: &String, short: &String| {
            full == short
                || !exact
                    && !short.contains(' ')
                    && (full.ends_with(&format!(".{short}")) || full.ends_with(&format!("/{short}")))
        };
        actual.len() == wanted.len()
            && wanted.iter().all(|short| actual.iter().any(|full| fits(full, short)))
            && actual.iter().all(|full| wanted.iter().any(|short| fits(full, short)))
    }

    fn text_line(&self, expectation: &Expectation) -> &str {
        let file = self.section.files.iter().find(|file| file.path == expectation.file);
        file.and_then(|file| file.text.lines().nth(expectation.code_line as usize - 1))
            .unwrap_or("")
    }

    /// The identifier under the caret: where it starts, from 1, and its text.
    fn identifier(&self, expectation: &Expectation) -> (u32, &str) {
        let line = self.text_line(expectation);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        let bytes = line.as_bytes();
        let at = expectation.column as usize - 1;
        if at >= bytes.len() || !is_part(bytes[at]) {
            return (expectation.column, "");
        }
        let start = (0..=at)
            .rev()
            .take_while(|index| is_part(bytes[*index]))
            .last()
            .unwrap_or(at);
        let end = (at..bytes.len())
            .take_while(|index| is_part(bytes[*index]))
            .last()
            .unwrap_or(at)
            + 1;
        (start as u32 + 1, &line[start..end])
    }

    /// The places that the caret means: what is defined there, a wire key in quotes, or a function's result.
    fn places(&self, expectation: &Expectation) -> Result<Vec<NodeId>, String> {
        let (column, name) = self.identifier(expectation);
        let here = |node: &&Node| {
            node.site.is_some_and(|site| {
                self.graph.path(site.file) == expectation.file
                    && site.line == expectation.code_line
                    && site.column == column
            })
        };
        let may_vary = |node: &Node| matches!(node.label, NodeKind::Variable | NodeKind::Field);
        let named = |node: &&Node| may_vary(node) && !matches!(node.kind, "value" | "element") && node.name == name;
        let found: Vec<NodeId> = self
            .graph
            .nodes
            .iter()
            .filter(named)
            .filter(here)
            .map(|node| node.id)
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
        if let Some(function) = self
            .graph
            .nodes
            .iter()
            .filter(here)
            .find(|node| node.label == NodeKind::Function)
        {
            let parts = self.walk.parts(function.id);
            return Ok(parts.filter(|part| self.nodes[part].kind == "result").collect());
        }
        if let Some(text) = quoted(self.text_line(expectation), expectation.column as usize - 1) {
            let key = self
                .graph
                .nodes
                .iter()
                .find(|node| node.label == NodeKind::Key && node.name == text);
            return key.map(|key| vec![key.id]).ok_or_else(|| format!("no key `{text}`"));
        }
        // A use: each definition that is taken on from here. What others write, by its address or from a closure, is a place of its own
        // from there on.
        let is_used = |edge: &&Edge| {
            let is_flow = matches!(edge.kind, EdgeKind::FlowsTo | EdgeKind::PassesTo);
            is_flow
                && self.nodes.get(&edge.from).is_some_and(|from| {
                    let is_here = edge.site.column == column;
                    let is_target = is_here && (from.kind == "element" || edge.kind == EdgeKind::PassesTo);
                    may_vary(from) && (from.name == name || is_target)
                })
        };
        let mut used: Vec<NodeId> = self
            .edges_on_line(expectation)
            .filter(is_used)
            .map(|edge| edge.from)
            .collect();
        if !used.is_empty() {
            used.sort_unstable();
            used.dedup();
            return Ok(used);
        }
        // A later definition of a web: its node stands at the first.
        let later = self
            .edges_on_line(expectation)
            .filter(|edge| edge.kind != EdgeKind::Contains)
            .map(|edge| edge.to)
            .find(|to| self.nodes.get(to).is_some_and(&named));
        let above = || {
            let candidates = self.graph.nodes.iter().filter(named).filter(|node| {
                node.site.is_some_and(|site| {
                    self.graph.path(site.file) == expectation.file && site.line <= expectation.code_line
                })
            });
            candidates
                .max_by_key(|node| node.site.map(|site| site.line))
                .map(|node| node.id)
        };
        if later.is_none() && self.is_handed_to_library(expectation) {
            return Ok(Vec::new());
        }
        later
            .or_else(above)
            .map(|place| vec![place])
            .ok_or_else(|| format!("no place `{name}` here"))
    }

    /// Whether the caret means an argument of library code: where no flow begins at it, nothing comes to that.
    fn is_handed_to_library(&self, expectation: &Expectation) -> bool {
        let (column, _) = self.identifier(expectation);
        let before = self.text_line(expectation).get(..column as usize - 1).unwrap_or("");
        let is_of_library = |edge: &Edge| {
            let callee = self.nodes.get(&edge.to);
            edge.kind == EdgeKind::Calls && callee.is_some_and(|callee| callee.label == NodeKind::External)
        };
        before.ends_with('(') && self.edges_on_line(expectation).any(is_of_library)
    }

    /// The edges that have their site on the line that is asked for.
    fn edges_on_line<'e>(&'e self, expectation: &'e Expectation) -> impl Iterator<Item = &'g Edge> + use<'e, 'g> {
        let edges = self.graph.edges.iter();
        edges.filter(|edge| {
            edge.site.line == expectation.code_line && self.graph.path(edge.site.file) == expectation.file
        })
    }

    /// What is handed on from here where a field is read and handed on: the field, or what it holds just here.
    fn read_here(&self, expectation: &Expectation) -> Option<Vec<NodeId>> {
        let (column, name) = self.identifier(expectation);
        let edges = || self.edges_on_line(expectation);
        let is_read = edges().any(|edge| edge.kind == EdgeKind::Reads && edge.site.column == column);
        if !is_read {
            return None;
        }
        let is_flow = |edge: &&Edge| matches!(edge.kind, EdgeKind::FlowsTo | EdgeKind::PassesTo | EdgeKind::Summarizes);
        // `print(page.title)`: what goes on begins where `page` does, and may bear the name of what was put there.
        let line = self.text_line(expectation).as_bytes();
        let is_of_chain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.[]*&'\"".contains(byte);
        let is_it = |edge: &Edge| {
            let before = line.get(edge.site.column as usize - 1..column as usize - 1);
            before.is_some_and(|before| before.iter().all(is_of_chain))
                || self.nodes.get(&edge.from).is_some_and(|node| node.name == name)
        };
        let flows = edges().filter(is_flow).filter(|edge| is_it(edge));
        let mut places: Vec<NodeId> = flows.map(|edge| edge.from).collect();
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    fn callees(&self, expectation: &Expectation, by_itself: bool) -> Result<BTreeSet<String>, String> {
        let (column, _) = self.identifier(expectation);
        let is_asked = |edge: &&Edge| {
            edge.kind == EdgeKind::Calls && (edge.how == How::Implicit) == by_itself && edge.site.column == column
        };
        let edges: Vec<&Edge> = self.edges_on_line(expectation).filter(is_asked).collect();
        if edges.is_empty() && expectation.expected != "nothing" {
            return Err("no call here".to_owned());
        }
        Ok(edges
            .iter()
            .filter_map(|edge| self.nodes.get(&edge.to))
            .map(|node| full_name(node))
            .collect())
    }

    /// The other ends of a place's edges of one kind.
    fn ends(&self, expectation: &Expectation, kind: EdgeKind, backwards: bool) -> Result<BTreeSet<String>, String> {
        let mut names = BTreeSet::new();
        for place in self.places(expectation)? {
            let incoming = || self.incoming.get(&place).map_or(&[][..], Vec::as_slice);
            let edges = if backwards {
                incoming()
            } else {
                self.walk.outgoing(place)
            };
            for edge in edges.iter().filter(|edge| edge.kind == kind) {
                let end = if backwards { edge.from } else { edge.to };
                let node = self.nodes[&end];
                if node.kind != "interface" {
                    names.insert(if kind == EdgeKind::SerializedAs {
                        node.name.clone()
                    } else {
                        full_name(node)
                    });
                }
            }
        }
        Ok(names)
    }
}

fn full_name(node: &Node) -> String {
    match (node.label, node.kind) {
        (NodeKind::External, "unresolved") => format!("unresolved {}", node.name),
        (NodeKind::External, kind) => format!("{kind} {}", node.qualified_name),
        _ => node.qualified_name.clone(),
    }
}

/// The string literal around a byte of a line.
fn quoted(line: &str, at: usize) -> Option<&str> {
    for quote in ['"', '\'', '`'] {
        let mut open: Option<usize> = None;
        for (index, character) in line.char_indices() {
            if character != quote {
                continue;
            }
            match open {
                Some(start) if (start..=index).contains(&at) => return Some(&line[start + 1..index]),
                Some(_) => open = None,
                None => open = Some(index),
            }
        }
    }
    None
}
