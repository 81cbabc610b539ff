//! Linked program and flows to rows.
//!
//! Places that a person would name become nodes. What an expression is worth on its way does not: its flows are joined end to end
//! ([`contract`]), so that `y = o.f + 1` is one edge from the field to `y`. The value of a call stays a node where an edge needs
//! it: what comes out of one call and goes straight into another (`f(g(x))`) has to stand somewhere.

mod contract;
mod nodes;
mod wholes;

use rayon::slice::ParallelSliceMut as _;
use ripple_schema::{Diagnostic, Edge, EdgeKind, FileId, FileStatus, Graph, How, IndexedFile, Language, Rule, Site};

use crate::config::Config;
use crate::discover::Discovery;
use crate::link::member::Member;
use crate::link::{Base, FileIndex, Program};
use crate::propagate::edges::EdgeSite;
use crate::propagate::{End, Flows, solve};

/// Makes the graph.
pub fn emit(discovery: &Discovery, program: &Program, mut flows: Flows, configs: &[Config]) -> Graph {
    let mut graph = Graph {
        files: files(discovery, program),
        ..Graph::default()
    };
    graph.diagnostics = diagnostics(discovery, program);
    graph.diagnostics.extend(overflow(&flows));
    let (values, wholes) = (std::mem::take(&mut flows.values), std::mem::take(&mut flows.wholes));
    let flows = &flows;
    let mut emitter = nodes::Emitter::new(program, flows, configs);
    let (contracted, ()) = rayon::join(
        || contract::contract(program, values, (&wholes, &flows.whole)),
        || emitter.structure(),
    );
    let whole = wholes::places(program, flows, &contracted.edges);
    emitter.places(&contracted.kept, &whole);
    let mut edges = std::mem::take(&mut emitter.edges);
    let more = contracted.edges.len() + flows.calls.len() + flows.through.len() + flows.accesses.len();
    // Of each function may be told what it overrides, and what it implements.
    let more = more + flows.types.len() + flows.field_keys.len() + 2 * program.functions.len();
    edges.reserve_exact(more);
    for edge in &contracted.edges {
        if let (Some(from), Some(to)) = (emitter.end(edge.from), emitter.end(edge.to)) {
            let site = site(edge.site);
            edges.push(Edge {
                kind: edge.kind,
                from,
                to,
                site,
                rule: edge.rule,
                how: edge.how,
            });
        }
    }
    let calls = flows.calls.iter().map(|call| (EdgeKind::Calls, call));
    let through = flows.through.iter().map(|call| (EdgeKind::CallsThrough, call));
    for (kind, call) in calls.chain(through) {
        if let (Some(from), Some(to)) = (emitter.function(call.function), emitter.end(call.target)) {
            let site = site(call.site);
            edges.push(Edge {
                kind,
                from,
                to,
                site,
                rule: call.rule,
                how: call.how,
            });
        }
    }
    for access in &flows.accesses {
        if let (Some(from), Some(to)) = (emitter.function(access.function), emitter.end(access.target)) {
            let site = site(access.site);
            edges.push(Edge {
                kind: access.kind,
                from,
                to,
                site,
                rule: access.rule,
                how: access.how,
            });
        }
    }
    for held in &flows.types {
        if let (Some(from), Some(to), Some(at)) = (
            emitter.place(held.place),
            emitter.end(held.target),
            emitter.place_site(held.place),
        ) {
            edges.push(Edge {
                kind: EdgeKind::HasType,
                from,
                to,
                site: at,
                rule: held.rule,
                how: How::None,
            });
        }
    }
    for (member, key) in &flows.field_keys {
        if let (Some(from), Some(to), Some(at)) = (
            emitter.place(*member),
            emitter.end(End::Key(*key)),
            emitter.place_site(*member),
        ) {
            let rule = Rule::FieldTag;
            edges.push(Edge {
                kind: EdgeKind::SerializedAs,
                from,
                to,
                site: at,
                rule,
                how: How::None,
            });
        }
    }
    hierarchy(program, flows, &mut emitter, &mut edges);
    imports(program, &mut emitter, &mut edges);
    graph.nodes = emitter.nodes;
    graph.edges = edges;
    // What is sorted already is sorted again in no time.
    graph.edges.par_sort_unstable();
    graph.normalize();
    graph
}

fn site(site: EdgeSite) -> Site {
    Site {
        file: FileId(site.file.0),
        line: site.position.line,
        column: site.position.column,
    }
}

fn files(discovery: &Discovery, program: &Program) -> Vec<IndexedFile> {
    let sources = discovery.sources.iter().zip(&program.files);
    sources
        .map(|(source, file)| {
            let mut row = source.file.clone();
            row.lines = file.facts.lines;
            let partial = file
                .facts
                .diagnostics
                .iter()
                .any(|diagnostic| matches!(diagnostic.code.as_str(), "syntax" | "too-deep"));
            if row.status == FileStatus::Indexed && partial {
                row.status = FileStatus::Partial;
            }
            row
        })
        .collect()
}

fn diagnostics(discovery: &Discovery, program: &Program) -> Vec<Diagnostic> {
    let mut diagnostics = discovery.diagnostics.clone();
    for (source, file) in discovery.sources.iter().zip(&program.files) {
        diagnostics.extend(file.facts.diagnostics.iter().map(|diagnostic| Diagnostic {
            path: source.file.path.clone(),
            line: diagnostic.line,
            code: diagnostic.code.clone(),
            message: diagnostic.message.clone(),
        }));
    }
    diagnostics
}

/// Places where more could arrive than is followed: an answer that comes by their calls is a lower bound.
fn overflow(flows: &Flows) -> Option<Diagnostic> {
    let (callables, instances) = (solve::CALLABLES_LIMIT, solve::CONTENTS_LIMIT);
    let (calls, functions) = flows.cut;
    let writes = flows.writes_cut.len();
    let message = format!(
        "{calls} calls go to more than {callables} functions or {instances} instances: what was left out, with {functions} functions by name, is \
         an `over-budget` call in the graph; {writes} writes into containers go to more of them than are followed"
    );
    let (path, line, code) = (String::new(), 0, "budget".to_owned());
    (calls + writes > 0).then_some(Diagnostic {
        path,
        line,
        code,
        message,
    })
}

/// Bases, embedded types, interfaces and what overrides what.
fn hierarchy(program: &Program, flows: &Flows, emitter: &mut nodes::Emitter<'_>, edges: &mut Vec<Edge>) {
    for (index, row) in program.types.iter().enumerate() {
        let index = crate::link::TypeIndex(index as u32);
        let (Some(from), Some(at)) = (emitter.type_node(index), emitter.type_site(index)) else {
            continue;
        };
        let is_go = program.files[row.file.at()].language == Language::Go;
        let kind = if is_go { EdgeKind::Embeds } else { EdgeKind::Inherits };
        for base in &row.bases {
            let to = match base {
                Base::Type(base) => emitter.type_node(*base),
                Base::External(name) => emitter.end(End::External(*name)),
            };
            if let Some(to) = to {
                edges.push(Edge {
                    kind,
                    from,
                    to,
                    site: at,
                    rule: Rule::Syntax,
                    how: How::None,
                });
            }
        }
        if is_go {
            continue;
        }
        for (name, place) in &row.members {
            let is_method = |member: &Member| member.field.is_none();
            if !program.member_of(*place).is_some_and(is_method) {
                continue;
            }
            let above = row
                .order
                .iter()
                .skip(1)
                .find_map(|base| program.types[base.at()].members.get(name));
            let (Some(own), Some(above)) = (emitter.method(*place), above.and_then(|above| emitter.method(*above)))
            else {
                continue;
            };
            if own.0 != above.0 {
                let (from, to) = (own.0, above.0);
                edges.push(Edge {
                    kind: EdgeKind::Overrides,
                    from,
                    to,
                    site: own.1,
                    rule: Rule::Scope,
                    how: How::None,
                });
            }
        }
    }
    for (from, name) in &flows.outside_implementations {
        let language = program.type_language(*from);
        let to = emitter.library(language, program.symbols.text(*name));
        if let (Some(from), Some(at)) = (emitter.type_node(*from), emitter.type_site(*from)) {
            edges.push(Edge {
                kind: EdgeKind::Implements,
                from,
                to,
                site: at,
                rule: Rule::MethodSet,
                how: How::None,
            });
        }
    }
    for ends in &flows.below_given {
        between_types(emitter, *ends, (EdgeKind::Inherits, Rule::Propagated), edges);
    }
    for (from, to) in &flows.implementations {
        between_types(emitter, (*from, *to), (EdgeKind::Implements, Rule::MethodSet), edges);
        stand_ins(program, emitter, (*from, *to), edges);
    }
}

/// An edge from one type to another, where both are told.
fn between_types(
    emitter: &nodes::Emitter<'_>,
    (from, to): (crate::link::TypeIndex, crate::link::TypeIndex),
    (kind, rule): (EdgeKind, Rule),
    edges: &mut Vec<Edge>,
) {
    let ends = (emitter.type_node(from), emitter.type_node(to), emitter.type_site(from));
    if let (Some(from), Some(to), Some(site)) = ends {
        edges.push(Edge {
            kind,
            from,
            to,
            site,
            rule,
            how: How::None,
        });
    }
}

/// The methods by which a type has what an interface asks for.
fn stand_ins(
    program: &Program,
    emitter: &mut nodes::Emitter<'_>,
    (class, interface): (crate::link::TypeIndex, crate::link::TypeIndex),
    edges: &mut Vec<Edge>,
) {
    if program.type_facts(class).kind == crate::facts::TypeKind::Interface {
        return;
    }
    for (name, asked) in &program.types[interface.at()].members {
        let own = program.find_member(class, *name).and_then(|own| emitter.method(own));
        if let (Some((from, site)), Some((to, _))) = (own, emitter.method(*asked))
            && from != to
        {
            edges.push(Edge {
                kind: EdgeKind::Overrides,
                from,
                to,
                site,
                rule: Rule::MethodSet,
                how: How::None,
            });
        }
    }
}

fn imports(program: &Program, emitter: &mut nodes::Emitter<'_>, edges: &mut Vec<Edge>) {
    for index in 0..program.files.len() {
        let file = FileIndex(index as u32);
        let row = &program.files[index];
        let Some(from) = emitter.file_node(file) else { continue };
        for import in &row.facts.imports {
            let member_module = import.member.and_then(|member| {
                let package = program.imported_package(file, import)?;
                program.packages[package.at()]
                    .children
                    .get(&program.symbol(file, member))
                    .copied()
            });
            let package = member_module.or_else(|| program.imported_package(file, import));
            let to = match package {
                Some(package) => emitter.package_node(package),
                None => {
                    let path = row.facts.text(import.path);
                    if path.is_empty() {
                        None
                    } else {
                        Some(emitter.library(row.language, path))
                    }
                }
            };
            if let Some(to) = to {
                let site = Site {
                    file: FileId(file.0),
                    line: import.position.line,
                    column: import.position.column,
                };
                edges.push(Edge {
                    kind: EdgeKind::Imports,
                    from,
                    to,
                    site,
                    rule: Rule::Syntax,
                    how: How::None,
                });
            }
        }
    }
}
