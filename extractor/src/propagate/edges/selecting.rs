//! Arguments of library calls that select, cut, order or rewrite: nothing of them is in what comes of the call, and what that is depends on them.
//!
//! ```python
//! sorted(items, reverse=newest)       # newest ~> result, by a test
//! items.discard(name)                 # name ~> items
//! re.sub(pattern, "", text)           # pattern ~> result
//! rows.sort(key=itemgetter("day"))    # what lies under "day" in each row ~> rows
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite};
use crate::link::{Part, PlaceIndex};
use crate::propagate::library::{Change, Effect, End, EndPart, Entry, Getter, Subject};
use crate::propagate::object::Object;
use crate::propagate::solve::Target;

impl Collector<'_, '_> {
    /// What the table says nothing of decides what a call gives, and what it does to what it changes.
    pub(super) fn chosen_by_arguments(&mut self, call: u32, entry: &Entry) {
        let Some((told, changed)) = self.told_of(call, entry) else {
            return;
        };
        let solver = self.solver;
        let arguments = solver.call_arguments(call).iter().filter_map(|argument| argument.place);
        let given = arguments.chain(solver.calls[call as usize].receiver);
        let choosing: Vec<PlaceIndex> = given.filter(|place| !told.contains(place)).collect();
        if choosing.is_empty() {
            return;
        }
        let site: EdgeSite = self.call_site(call);
        let results = solver.call_results(call).iter().copied();
        let results: Vec<PlaceIndex> = results.filter(|result| self.is_used(*result)).collect();
        for result in results {
            for from in &choosing {
                self.summarize((*from, result), How::Test, Rule::LibraryTable, site);
            }
        }
        for place in changed {
            for from in choosing.iter().filter(|from| **from != place) {
                self.summarize((*from, place), How::Test, Rule::LibraryTable, site);
            }
            self.chooses_in(&choosing, place, site);
        }
    }

    /// What the functions give that a place holds, or that are methods of what it holds, with all that lies in it: library code calls them
    /// with these arguments, and chooses by that.
    pub(super) fn chosen_by(
        &self,
        call: u32,
        (place, method): (PlaceIndex, Option<&str>),
        arguments: &[End],
    ) -> Vec<PlaceIndex> {
        let solver = self.solver;
        let method = method.map(|name| solver.program.symbols.find(name));
        let mut chosen = Vec::new();
        let called = solver.held(place).flat_map(|(_, object)| match (method, object) {
            (None, object) => vec![object],
            (Some(Some(name)), Object::Instance(class) | Object::AnyOf(class)) => {
                let member = solver.program.find_member(class, name).into_iter();
                member
                    .flat_map(|member| solver.held(member))
                    .map(|(_, object)| object)
                    .collect()
            }
            _ => Vec::new(),
        });
        for object in called {
            match object {
                Object::Function(function) | Object::Bound { function, .. } => {
                    for result in solver.function_results(function) {
                        chosen.extend(self.parts_of(result).into_iter().map(|(_, part)| part));
                        chosen.push(result);
                    }
                }
                Object::Partial(made) if solver.getter(made) == Some(Getter::Parts) => {
                    let names = solver.call_arguments(made).iter().filter_map(|argument| argument.text);
                    let named: Vec<Part> = names.map(Part::Text).collect();
                    let given = arguments
                        .iter()
                        .filter(|end| matches!(end.part, EndPart::Parts | EndPart::Each));
                    let wholes = given.flat_map(|end| solver.subject_places(call, &end.subject));
                    for (_, row) in wholes.flat_map(|whole| self.parts_of(whole)) {
                        let parts = self.parts_of(row).into_iter();
                        chosen.extend(parts.filter(|(part, _)| named.contains(part)).map(|(_, part)| part));
                    }
                }
                _ => {}
            }
        }
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }

    /// A value, and what it was converted from: `sort.Sort(byAge(people))` puts `people` in order.
    pub(super) fn with_converted(&self, call: u32, place: PlaceIndex) -> Vec<PlaceIndex> {
        let solver = self.solver;
        // What the call gives itself is no other's, and need not be looked for among all before it.
        let is_own = solver.call_results(call).contains(&place);
        let gives = (!is_own).then(|| solver.call_that_gives(call, place)).flatten();
        let gives = gives.filter(|gives| {
            let mut targets = solver.calls[*gives as usize].targets.iter();
            targets.any(|target| matches!(target, Target::Conversion(_)))
        });
        let of = gives.and_then(|gives| solver.call_arguments(gives).first()?.place);
        std::iter::once(place).chain(of).collect()
    }

    /// What lies in the containers of a place.
    fn parts_of(&self, place: PlaceIndex) -> Vec<(Part, PlaceIndex)> {
        let containers = self
            .solver
            .held(place)
            .filter(|(_, object)| matches!(object, Object::Container { .. }));
        let parts = containers.flat_map(|(id, _)| self.solver.parts.get(&id).into_iter().flatten());
        parts.copied().collect()
    }

    /// What is changed was read from a field, or is a variable of a file: that is another then for all who read it.
    pub(super) fn chooses_in(&mut self, choosing: &[PlaceIndex], changed: PlaceIndex, site: EdgeSite) {
        for (kept, _) in self.read_from(changed) {
            for from in choosing {
                self.between(*from, kept, How::Test, Rule::LibraryTable, site);
            }
        }
    }

    /// What the table says where it goes, and what is changed; nothing where it says more than that.
    fn told_of(&self, call: u32, entry: &Entry) -> Option<(FxHashSet<PlaceIndex>, FxHashSet<PlaceIndex>)> {
        let solver = self.solver;
        let places = |subject: &Subject| solver.subject_places(call, subject);
        let (mut told, mut changed) = (FxHashSet::default(), FxHashSet::default());
        for effect in &entry.flows {
            match effect {
                Effect::Move { from, to, .. } => {
                    told.extend(places(&from.subject));
                    if !matches!(to.subject, Subject::Result | Subject::ResultAt(_)) {
                        changed.extend(places(&to.subject));
                    }
                }
                Effect::Decode { from, to, .. } | Effect::Encode { from, to, .. } => {
                    told.extend(places(&from.subject).into_iter().chain(places(&to.subject)));
                }
                // Whether it is the one that is meant, its own method says: `items.remove(item)`.
                Effect::Call {
                    result: None,
                    chooses: None,
                    ..
                } => {}
                Effect::Call { callee, arguments, .. } => {
                    told.extend(places(&callee.subject));
                    told.extend(arguments.iter().flat_map(|argument| places(&argument.subject)));
                }
                Effect::Iterate { over: of, .. } => told.extend(places(&of.subject)),
                Effect::Drop(of) | Effect::Resize(of) | Effect::Stir(of) => changed.extend(places(&of.subject)),
                _ => return None,
            }
        }
        let receiver = solver.calls[call as usize].receiver;
        let arguments = solver.call_arguments(call);
        let put = |index: usize| arguments.get(index).and_then(|argument| argument.place);
        for change in &entry.edits {
            changed.extend(receiver);
            told.extend(match change {
                Change::Append | Change::Prepend | Change::Extend | Change::Update => put(0),
                Change::Insert | Change::Put | Change::Default => put(1),
                Change::Pop | Change::PopFirst | Change::Clear | Change::Reverse | Change::Take => None,
            });
        }
        // What is changed does not decide about itself.
        told.extend(&changed);
        (!entry.flows.is_empty() || !entry.edits.is_empty()).then_some((told, changed))
    }
}
