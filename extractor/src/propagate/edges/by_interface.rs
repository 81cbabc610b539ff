//! What interfaces say where the objects behind them are a library's.
//!
//! ```go
//! type dialer interface{ Dial(network, address string) (net.Conn, error) }
//! func build() dialer { return &net.Dialer{} }
//! build().Dial("tcp", "x")              // `net.Dialer.Dial`, and a call of `dialer.Dial` all the same
//! type guarded struct{ *bolt.Tx }       // whose methods nobody knows:
//! var _ locker = guarded{}              // it has those of `locker`, says who compiles this
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CallEdge, Collector, End, Flows};
use crate::facts::{Position, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::scope::TypeMeaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::object::Object;
use crate::propagate::solve::{Solver, Target};

/// How many variables stand between a value and where its type is declared.
const DEPTH_LIMIT: u8 = 3;

impl Collector<'_, '_> {
    /// Whether an object is of a library's type that is no interface: what is declared with one of the index stands for nothing else then.
    pub(super) fn is_of_library(&self, file: FileIndex, object: Object) -> bool {
        let Object::External(name) = object else { return false };
        let name = self.solver.program.symbols.text(name);
        !self.solver.untyped.contains(&file) && self.solver.is_concrete_outside(name)
    }
}

/// Places that are declared with interfaces of the index.
pub(super) type Declared = FxHashMap<PlaceIndex, TypeIndex>;

/// Those of the files in which types are declared.
pub(super) fn declared(solver: &mut Solver<'_>) -> Declared {
    let mut found = Declared::default();
    for index in 0..solver.program.files.len() {
        let file = FileIndex(index as u32);
        if solver.untyped.contains(&file) {
            continue;
        }
        let facts = solver.program.files[index].facts.clone();
        for (place, declared) in &facts.declared {
            let place = solver.program.place(file, *place);
            found.extend(interface(solver, file, *declared).map(|interface| (place, interface)));
        }
        for (member, declared) in solver.program.declared_fields(file) {
            found.extend(interface(solver, file, declared).map(|interface| (member, interface)));
        }
    }
    found
}

fn interface(solver: &mut Solver<'_>, file: FileIndex, declared: TypeExpressionId) -> Option<TypeIndex> {
    let TypeExpression::Path { parts, function } = solver.program.type_expression(file, declared).clone() else {
        return None;
    };
    match solver.program.type_named(file, function, &parts) {
        TypeMeaning::Type(index) => {
            Some(index).filter(|index| solver.program.type_facts(*index).kind == TypeKind::Interface)
        }
        _ => None,
    }
}

/// Structures that have what an interface asks for, since objects of theirs are where it is declared: what they embed of libraries lends it.
pub(super) fn note_proven(solver: &mut Solver<'_>, declared: &Declared) {
    let mut found: FxHashSet<(TypeIndex, TypeIndex)> = FxHashSet::default();
    for (place, interface) in declared {
        for (_, object) in solver.held(*place) {
            let Object::Instance(own) = object else { continue };
            if !found.contains(&(own, *interface)) && is_lent(solver, own, *interface) {
                found.insert((own, *interface));
            }
        }
    }
    solver.implementations.extend(found);
    solver.implementations.sort_unstable();
    solver.implementations.dedup();
}

/// Whether a structure may have all methods of an interface, by what it embeds of libraries.
fn is_lent(solver: &Solver<'_>, own: TypeIndex, interface: TypeIndex) -> bool {
    let lent = solver.bases_outside(own);
    if lent.is_empty() || solver.program.type_facts(own).kind != TypeKind::Struct {
        return false;
    }
    let (has, wanted) = (solver.program.method_set(own), solver.program.method_set(interface));
    let is_open = lent.iter().any(|of| solver.is_of_other_module(*of));
    let mut wanted = wanted.keys().peekable();
    wanted.peek().is_some() && wanted.all(|name| is_open || has.contains_key(name) || solver.is_lent(&lent, *name))
}

/// Calls of an interface's methods of which only a library's objects are known to come.
pub(super) fn calls(solver: &Solver<'_>, declared: &Declared, flows: &mut Flows) {
    if declared.is_empty() {
        return;
    }
    // One call of the source may be several: of what an object embeds, too.
    let mut inside: FxHashSet<(FileIndex, Position)> = FxHashSet::default();
    let mut outside: FxHashMap<u32, CallEdge> = FxHashMap::default();
    let names: FxHashSet<Symbol> = declared
        .values()
        .flat_map(|interface| solver.program.types[interface.at()].order.iter())
        .flat_map(|above| solver.program.types[above.at()].members.keys().copied())
        .collect();
    for edge in &flows.calls {
        match edge.target {
            End::External(_) if !solver.untyped.contains(&edge.site.file) => {
                _ = outside.entry(edge.call).or_insert(*edge)
            }
            _ => _ = inside.insert((edge.site.file, edge.site.position)),
        }
    }
    outside.retain(|call, edge| {
        (*call as usize) < solver.calls.len() && !inside.contains(&(edge.site.file, edge.site.position))
    });
    let mut callees: FxHashMap<PlaceIndex, Vec<u32>> = FxHashMap::default();
    for call in outside.keys() {
        callees
            .entry(solver.calls[*call as usize].callee)
            .or_default()
            .push(*call);
    }
    let mut asked: Vec<(u32, PlaceIndex, Symbol)> = Vec::new();
    for row in solver.loads.iter().filter(|row| names.contains(&row.member)) {
        let calls = callees.get(&row.to).into_iter().flatten();
        asked.extend(calls.map(|call| (*call, row.base, row.member)));
    }
    asked.sort_unstable();
    asked.dedup();
    if asked.is_empty() {
        return;
    }
    let mut sources = Sources::new(solver, declared);
    for (call, base, member) in asked {
        let method = sources
            .interface(base, 0)
            .and_then(|interface| method(solver, interface, member));
        if let Some(method) = method {
            flows.calls.push(CallEdge {
                target: End::Function(method),
                rule: Rule::DeclaredType,
                how: How::Method,
                ..outside[&call]
            });
        }
    }
}

/// The method of an interface.
fn method(solver: &Solver<'_>, interface: TypeIndex, name: Symbol) -> Option<FunctionIndex> {
    let place = solver.program.find_member(interface, name)?;
    solver.held(place).find_map(|(_, object)| match object {
        Object::Function(function) => Some(function),
        _ => None,
    })
}

/// Where values come from, file by file.
struct Sources<'a, 's> {
    solver: &'a Solver<'s>,
    declared: &'a Declared,
    /// What variables are given.
    flows: FxHashMap<FileIndex, FxHashMap<PlaceIndex, PlaceIndex>>,
    /// Calls by their values.
    values: FxHashMap<PlaceIndex, (u32, usize)>,
}

impl<'a, 's> Sources<'a, 's> {
    fn new(solver: &'a Solver<'s>, declared: &'a Declared) -> Self {
        let calls = 0..solver.calls.len() as u32;
        let values = calls.flat_map(|call| {
            let results = solver.call_results(call).iter().enumerate();
            results.map(move |(index, value)| (*value, (call, index)))
        });
        Self {
            solver,
            declared,
            flows: FxHashMap::default(),
            values: values.collect(),
        }
    }

    /// The interface that a value is declared with, where it is, or where it comes from.
    fn interface(&mut self, place: PlaceIndex, depth: u8) -> Option<TypeIndex> {
        if let Some(interface) = self.declared.get(&place) {
            return Some(*interface);
        }
        if depth > DEPTH_LIMIT {
            return None;
        }
        let solver = self.solver;
        if let Some((call, index)) = self.values.get(&place) {
            let functions = solver.calls[*call as usize]
                .targets
                .iter()
                .filter_map(|target| match target {
                    Target::Function { function, .. } => Some(*function),
                    _ => None,
                });
            let mut results = functions.filter_map(|function| solver.function_results(function).get(*index).copied());
            return results.find_map(|result| self.declared.get(&result).copied());
        }
        let (file, _) = solver.program.local_place(place)?;
        let flows = self.flows.entry(file).or_insert_with(|| {
            let facts = &solver.program.files[file.at()].facts;
            let flows = facts.flows.iter().filter(|flow| flow.same);
            let place = |local| solver.program.place(file, local);
            flows.map(|flow| (place(flow.to), place(flow.from))).collect()
        });
        let from = *flows.get(&place)?;
        self.interface(from, depth + 1)
    }
}
