//! What a function hands back of what it was given: `return value`, also behind tests and where it meets something else.
//!
//! ```python
//! def tidy(value, spare):
//!     if isinstance(value, str):
//!         return value           # what this call put in, as far as it passes the test
//!     return spare or make()     # what this call put in, or what `make` gives
//! ```
//!
//! The caller gets its own arguments back, not those of every caller.

use ripple_schema::How;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{FileFacts, ParameterKind, PlaceId, PlaceKind};

/// Most places between a parameter and a result.
const DEPTH_LIMIT: u32 = 12;

/// Most ways that lead to a result.
const WAY_LIMIT: usize = 8;

/// What arrives at a place.
#[derive(Debug, Default)]
pub(super) struct Handed {
    /// Parameters, each with the tests that it passes, as indices of the file's narrowings.
    pub parameters: Vec<(PlaceId, Vec<u32>)>,
    /// Places that hold something else.
    pub others: Vec<PlaceId>,
    /// Places where something else and a parameter passed a test together.
    pub mixed: Vec<(PlaceId, PlaceId)>,
}

/// How things travel as they are inside the functions of a file.
#[derive(Debug)]
pub(super) struct Ways<'f> {
    facts: &'f FileFacts,
    /// Whether what a variable holds is told by its assignments.
    through_names: bool,
    incoming: FxHashMap<PlaceId, Vec<PlaceId>>,
    narrowed: FxHashMap<PlaceId, (PlaceId, u32)>,
    /// Places that get something in other ways.
    ends: FxHashSet<PlaceId>,
    /// Parameters that hold something else than an argument: what is left of them, or what is handed by name.
    no_arguments: FxHashSet<PlaceId>,
}

impl<'f> Ways<'f> {
    pub(super) fn new(facts: &'f FileFacts, through_names: bool) -> Self {
        let mut incoming: FxHashMap<PlaceId, Vec<PlaceId>> = FxHashMap::default();
        for flow in facts.flows.iter().filter(|flow| flow.same) {
            incoming.entry(flow.to).or_default().push(flow.from);
        }
        let narrowings = facts.narrowings.iter().enumerate();
        let narrowed = narrowings
            .map(|(index, row)| (row.to, (row.from, index as u32)))
            .collect();
        let loaded = facts.loads.iter().map(|row| row.to);
        let parts = facts.element_loads.iter().map(|row| row.to);
        let made = facts.objects.iter().map(|(place, _)| *place);
        let declared = facts.declared.iter().map(|(place, _)| *place);
        let parameters = facts.functions.iter().flat_map(|function| &function.parameters);
        let gathers = |kind| matches!(kind, ParameterKind::Rest | ParameterKind::RestKeywords);
        let gathering = parameters.filter(|parameter| gathers(parameter.kind));
        let gathering = gathering.map(|parameter| parameter.place);
        let is_parameter = |place: PlaceId| facts.places[place.0 as usize].kind == PlaceKind::Parameter;
        let by_name = facts
            .flows
            .iter()
            .filter(|flow| flow.how != How::Default && is_parameter(flow.to));
        let no_arguments = gathering.chain(by_name.map(|flow| flow.to)).collect();
        let ends = loaded.chain(parts).chain(made).chain(declared).collect();
        Self {
            facts,
            through_names,
            incoming,
            narrowed,
            ends,
            no_arguments,
        }
    }

    /// What arrives at this place; no parameters where it is not known which.
    pub(super) fn to(&self, place: PlaceId) -> Handed {
        let mut handed = Handed::default();
        let mut seen = FxHashSet::default();
        self.follow(place, DEPTH_LIMIT, &mut seen, &mut handed);
        if handed.parameters.len() > WAY_LIMIT {
            return Handed::default();
        }
        handed
    }

    fn follow(&self, place: PlaceId, depth: u32, seen: &mut FxHashSet<PlaceId>, handed: &mut Handed) {
        let row = self.facts.places[place.0 as usize];
        if matches!(row.kind, PlaceKind::Parameter | PlaceKind::Receiver) {
            match self.no_arguments.contains(&place) {
                true => handed.others.push(place),
                false => handed.parameters.push((place, Vec::new())),
            }
            return;
        }
        if !seen.insert(place) {
            return;
        }
        if let Some((from, test)) = self.narrowed.get(&place) {
            let mut inner = Handed::default();
            if depth > 0 {
                self.follow(*from, depth - 1, &mut FxHashSet::default(), &mut inner);
            }
            let is_plain = inner.others.is_empty() && inner.mixed.is_empty();
            match inner.parameters.first() {
                Some((parameter, _)) if !is_plain => handed.mixed.push((place, *parameter)),
                Some(_) => {}
                None => handed.others.push(place),
            }
            let parameters = inner.parameters.into_iter().map(|(parameter, mut tests)| {
                tests.push(*test);
                (parameter, tests)
            });
            handed.parameters.extend(parameters);
            return;
        }
        let is_name = self.through_names && row.kind == PlaceKind::Local;
        let passes = is_name || row.kind == PlaceKind::Value;
        let sources = self.incoming.get(&place).map_or(&[][..], Vec::as_slice);
        let is_own = |from: &PlaceId| self.facts.places[from.0 as usize].function == row.function;
        if depth == 0 || !passes || self.ends.contains(&place) || sources.is_empty() || !sources.iter().all(is_own) {
            handed.others.push(place);
            return;
        }
        for from in sources {
            self.follow(*from, depth - 1, seen, handed);
        }
    }
}
