//! Arguments of library calls that select, cut, order or rewrite: nothing of them is in what comes of the call, and what that is depends on them.
//!
//! ```python
//! sorted(items, reverse=newest)       # newest ~> result, by a test
//! items.discard(name)                 # name ~> items
//! re.sub(pattern, "", text)           # pattern ~> result
//! ```

use ripple_schema::{How, Rule};
use rustc_hash::FxHashSet;

use super::{Collector, EdgeSite};
use crate::link::PlaceIndex;
use crate::propagate::library::{Change, Effect, Entry, Subject};

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
