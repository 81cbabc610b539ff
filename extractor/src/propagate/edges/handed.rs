//! Functions that are handed to library code, which may call them: the call stands where they are handed over.
//!
//! `&cobra.Command{Run: serve}` and `group.Go(work)` are `CALLS` of `serve` and `work` with the rule `handed-to-library`, where the
//! table of library code does not say that, or what, is called. `sort.Sort(byName)` calls the methods of the interface that it asks for.

use super::{CallEdge, Collector, EdgeSite, End, Flows, ValueEdge};
use crate::facts::FunctionKind;
use crate::link::{FunctionIndex, PlaceIndex};
use crate::propagate::heap::Heap;
use crate::propagate::library::{Effect, Entry, Subject};
use crate::propagate::object::Object;
use crate::propagate::signatures::{Asked, Method};
use crate::propagate::solve::Solver;
use ripple_schema::{EdgeKind, How, Rule};

/// Most functions that a place may hold for each of them to be handed over: with more, it is what anybody's decorator was given.
const MOST: usize = 8;

/// A closure that library code has, of which nobody knows when it calls it, may keep whatever any closure of its kind does.
pub(super) fn kept_outside(solver: &Solver<'_>, heap: &Heap, flows: &mut Flows) {
    let program = &*solver.program;
    let mut outside = std::mem::take(&mut flows.outside);
    outside.retain(|function| program.function_facts(*function).kind == FunctionKind::Closure);
    outside.sort_unstable();
    outside.dedup();
    for function in outside {
        let row = program.functions[function.at()];
        let facts = &program.files[row.file.at()].facts;
        let captures = facts.flows.iter().filter(|flow| flow.how == How::Capture);
        for flow in captures.filter(|flow| facts.places[flow.to.0 as usize].function == row.local) {
            let (from, to) = (program.place(row.file, flow.from), program.place(row.file, flow.to));
            let site = EdgeSite {
                file: row.file,
                position: flow.position,
            };
            if heap.captures(from, to).is_some() {
                let ends = (End::Place(from), End::Place(to));
                let edge = ValueEdge::of_no_call(EdgeKind::FlowsTo, ends, How::Capture, Rule::HandedToLibrary, site);
                flows.values.push(edge);
            }
        }
    }
}

impl Collector<'_, '_> {
    /// What a library call is given to call.
    pub(super) fn handed_over(&mut self, call: u32, text: &str, entry: Option<&Entry>) {
        let row = &self.solver.calls[call as usize];
        let language = self.solver.program.files[row.file.at()].language;
        let libraries = self.solver.libraries;
        let library = libraries.get(&language);
        let signature = library.and_then(|library| library.signatures().function(text));
        if let Some(entry) = entry.filter(|_| signature.is_none()) {
            return self.handed_by_other_keywords(call, entry);
        }
        for (index, argument) in self.solver.call_arguments(call).to_vec().into_iter().enumerate() {
            let Some(place) = argument.place else { continue };
            let is_told = |effect: &Effect| match effect {
                Effect::Call { callee, .. } => {
                    callee.subject == Subject::Argument(index) || callee.subject == Subject::Arguments
                }
                _ => false,
            };
            if entry.is_some_and(|entry| entry.flows.iter().any(is_told)) {
                continue;
            }
            let asked = signature.map(|signature| signature.asked.get(index).or(signature.asked.last()));
            let functions = match asked {
                None | Some(Some(Asked::Function)) => self.functions_in(place),
                Some(Some(Asked::Interface(name))) if *name != "error" => {
                    let methods = library.and_then(|library| library.signatures().interface(name));
                    self.methods_in(place, methods.unwrap_or_default())
                }
                _ => continue,
            };
            for function in functions {
                self.call_edge(call, End::Function(function), Rule::HandedToLibrary, How::Callback);
                self.flows.outside.extend(entry.is_none().then_some(function));
            }
        }
    }

    /// `json.dump(row, fp=file, default=plain)`: of a keyword that the table does not name, nobody knows what becomes of a function.
    fn handed_by_other_keywords(&mut self, call: u32, entry: &Entry) {
        if entry.flows.is_empty() {
            return;
        }
        for argument in self.solver.call_arguments(call).to_vec() {
            let (Some(name), Some(place)) = (argument.name, argument.place) else {
                continue;
            };
            let name = self.solver.program.symbols.text(name);
            if entry.flows.iter().any(|effect| effect.names_keyword(name)) {
                continue;
            }
            for function in self.functions_in(place) {
                self.call_edge(call, End::Function(function), Rule::HandedToLibrary, How::Callback);
            }
        }
    }

    /// What is put into a value of library code, for it to call.
    pub(super) fn put_outside(&mut self, base: PlaceIndex, from: PlaceIndex, at: (FunctionIndex, EdgeSite), call: u32) {
        let outside = self.solver.held(base).find_map(|(_, object)| match object {
            Object::External(name) => Some(name),
            _ => None,
        });
        let Some(outside) = outside else { return };
        if self.may_be_called(from) {
            self.hand_over(End::Place(from), (End::External(outside), How::Store), at.1, call);
            self.hand_made(call, from, (End::External(outside), How::Store), at.1);
        }
        for function in self.functions_in(from) {
            self.flows.outside.push(function);
            self.flows.calls.push(CallEdge {
                function: at.0,
                target: End::Function(function),
                how: How::Callback,
                rule: Rule::HandedToLibrary,
                site: at.1,
                call,
            });
        }
    }

    /// The functions in a place, if they are few.
    fn functions_in(&self, place: PlaceIndex) -> Vec<FunctionIndex> {
        let functions = self.solver.held(place).filter_map(|(_, object)| match object {
            Object::Function(function) | Object::Bound { function, .. } => Some(function),
            _ => None,
        });
        let mut functions: Vec<FunctionIndex> = functions.collect();
        functions.sort_unstable();
        functions.dedup();
        if functions.len() > MOST {
            functions.clear();
        }
        functions
    }

    /// The methods by which an interface's are called on what is in a place.
    fn methods_in(&self, place: PlaceIndex, methods: &[Method]) -> Vec<FunctionIndex> {
        let mut found = Vec::new();
        for (_, object) in self.solver.held(place) {
            let Object::Instance(index) = object else { continue };
            for method in methods {
                let name = self.solver.program.symbols.find(method.name);
                let member = name.and_then(|name| self.solver.program.find_member(index, name));
                found.extend(member.into_iter().flat_map(|member| self.functions_in(member)));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
