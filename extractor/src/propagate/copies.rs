//! Functions that put what they are given into what they give: each caller gets a copy of that way.
//!
//! ```python
//! def last(values):
//!     previous = None
//!     for value in values:
//!         if previous: yield False, previous
//!         previous = value
//!     yield True, previous
//!
//! for is_last, cat in last(cats): cat.meow()       # cats come out, whatever others hand to `last`
//!
//! def build(kind, *given): return kind.make(*given)       # what `make` of this `kind` gives
//! ```
//!
//! A **recipe** is the part of a function that leads from its parameters to its result: assignments, parts read and put, library
//! calls, calls of parameters and of methods that classes have, containers made. A call follows it with places of its own (call-site
//! sensitivity of depth one, for this part alone).
//! What is not on that way is shared by all callers. Copies carry objects only: the edges are told by the function itself, and
//! after solving the containers of a copy are those of the function again.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::library::Effect;
use super::narrow::NarrowingRow;
use super::object::{Object, ObjectId};
use super::solve::{ArgumentRow, CallRow, ElementRow, LoadRow, Solver};
use crate::facts::{self, ContainerKind, FileFacts, FunctionId, ParameterKind, PlaceId, PlaceKind};
use crate::link::{DerivedPlace, FileIndex, FunctionIndex, Part, PlaceIndex, Program};

/// Most steps of a recipe.
const STEP_LIMIT: usize = 60;

/// Most copies of one function; more callers share it.
const COPY_LIMIT: u32 = 200;

/// Indices of a file's first rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct First {
    pub load: u32,
    pub narrowing: u32,
    pub element_load: u32,
    pub element_store: u32,
    pub part_copy: u32,
    pub call: u32,
}

impl First {
    pub(super) fn of(solver: &Solver<'_>) -> Self {
        Self {
            load: solver.loads.len() as u32,
            narrowing: solver.narrowings.len() as u32,
            element_load: solver.element_loads.len() as u32,
            element_store: solver.element_stores.len() as u32,
            part_copy: solver.part_copies.len() as u32,
            call: solver.calls.len() as u32,
        }
    }
}

/// The way from the parameters of a function to its result.
#[derive(Debug, Default)]
pub(super) struct Recipe {
    places: Vec<PlaceIndex>,
    containers: Vec<(PlaceIndex, ContainerKind)>,
    /// What comes there from elsewhere is there in each copy: globals.
    shared: Vec<PlaceIndex>,
    flows: Vec<(PlaceIndex, PlaceIndex)>,
    narrowings: Vec<u32>,
    /// Of methods of parameters.
    loads: Vec<u32>,
    element_loads: Vec<u32>,
    element_stores: Vec<u32>,
    part_copies: Vec<u32>,
    calls: Vec<u32>,
    copies: AtomicU32,
}

/// All recipes.
#[derive(Debug, Default)]
pub(super) struct Recipes {
    of: FxHashMap<FunctionIndex, Arc<Recipe>>,
    /// The names of methods that are asked of classes, once they were looked for.
    of_classes: Option<FxHashSet<String>>,
}

/// The facts of a file by function, as far as recipes are made of them.
#[derive(Debug, Default)]
struct Own {
    flows: Vec<usize>,
    narrowings: Vec<usize>,
    /// Reads of methods of parameters that are called, and what is called of parameters.
    loads: Vec<usize>,
    called: FxHashSet<PlaceId>,
    element_loads: Vec<usize>,
    element_stores: Vec<usize>,
    part_copies: Vec<usize>,
    calls: Vec<usize>,
    containers: Vec<(PlaceId, ContainerKind)>,
    /// Uses of names of the file.
    from_elsewhere: Vec<PlaceId>,
}

impl Own {
    /// Finds what is called of parameters: themselves, and their methods that are asked of classes.
    fn note_called(&mut self, facts: &FileFacts, of_classes: &FxHashSet<String>) {
        let is_parameter = |place: PlaceId| facts.places[place.0 as usize].kind == PlaceKind::Parameter;
        let narrowed = self.narrowings.iter().map(|index| &facts.narrowings[*index]);
        let narrowed: FxHashSet<PlaceId> = narrowed
            .filter(|row| is_parameter(row.from))
            .map(|row| row.to)
            .collect();
        let is_given = |place: PlaceId| is_parameter(place) || narrowed.contains(&place);
        for call in self.calls.iter().map(|index| &facts.calls[*index]) {
            let text = facts.text(call.text);
            let is_of_class = || of_classes.contains(text.rsplit('.').next().unwrap_or(text));
            if is_given(call.callee) || call.receiver.is_some_and(is_given) && is_of_class() {
                self.called.insert(call.callee);
            }
        }
    }
}

impl Solver<'_> {
    /// Finds the recipes of a file's functions.
    pub(super) fn note_recipes(&mut self, file: FileIndex, facts: &FileFacts, first: First) {
        let mut own: Vec<Own> = Vec::new();
        own.resize_with(facts.functions.len(), Own::default);
        let function = |place: PlaceId| facts.places[place.0 as usize].function.0 as usize;
        for (index, flow) in facts.flows.iter().enumerate().filter(|(_, flow)| flow.same) {
            own[function(flow.to)].flows.push(index);
        }
        for (index, row) in facts.narrowings.iter().enumerate() {
            own[function(row.to)].narrowings.push(index);
        }
        for (index, row) in facts.element_loads.iter().enumerate() {
            own[row.function.0 as usize].element_loads.push(index);
        }
        for (index, row) in facts.element_stores.iter().enumerate() {
            own[row.function.0 as usize].element_stores.push(index);
        }
        for (index, row) in facts.part_copies.iter().enumerate() {
            own[row.function.0 as usize].part_copies.push(index);
        }
        for (index, row) in facts.calls.iter().enumerate() {
            own[row.function.0 as usize].calls.push(index);
        }
        let named = facts.name_uses.iter().map(|row| row.to);
        for place in named.chain(facts.computed_members.iter().map(|(_, member)| *member)) {
            own[function(place)].from_elsewhere.push(place);
        }
        let program = &*self.program;
        let of_classes = self
            .recipes
            .of_classes
            .get_or_insert_with(|| methods_of_classes(program));
        own.iter_mut().for_each(|own| own.note_called(facts, of_classes));
        for (index, row) in facts.loads.iter().enumerate() {
            let own = &mut own[row.function.0 as usize];
            if own.called.contains(&row.to) {
                own.loads.push(index);
            }
        }
        for (place, object) in &facts.objects {
            if let facts::Object::Container(kind) = object {
                own[function(*place)].containers.push((*place, *kind));
            }
        }
        for (local, own) in own.iter_mut().enumerate().skip(1) {
            let function = FunctionId(local as u32);
            if !own.called.is_empty() && self.is_told_otherwise(file, facts, function) {
                (own.called, own.loads) = Default::default();
            }
            let steps = own.flows.len() + own.element_loads.len() + own.element_stores.len() + own.calls.len();
            // A way through no container is told by what is handed back.
            let is_plain = own.element_loads.is_empty() && own.element_stores.is_empty() && own.called.is_empty();
            if is_plain || steps > 10 * STEP_LIMIT {
                continue;
            }
            if let Some(places) = places_on_the_way(facts, function, own) {
                let recipe = self.recipe(file, facts, first, function, own, &places);
                if let Some(recipe) = recipe {
                    let function = self.program.function(file, function);
                    self.recipes.of.insert(function, Arc::new(recipe));
                }
            }
        }
    }

    /// Whether what a function gives is told by its receiver, or by the type that it is declared with.
    fn is_told_otherwise(&mut self, file: FileIndex, facts: &FileFacts, function: FunctionId) -> bool {
        let result = facts.functions[function.0 as usize].results.first();
        let declared = result.and_then(|result| self.program.declared_type(file, *result));
        let is_declared = declared.is_some_and(|declared| !self.type_objects(file, declared).is_empty());
        is_declared || self.has_own_calls(self.program.function(file, function))
    }

    fn recipe(
        &self,
        file: FileIndex,
        facts: &FileFacts,
        first: First,
        function: FunctionId,
        own: &Own,
        places: &FxHashSet<PlaceId>,
    ) -> Option<Recipe> {
        let at = |place: PlaceId| self.program.place(file, place);
        let on = |place: PlaceId| places.contains(&place);
        let flows = own.flows.iter().map(|index| facts.flows[*index]);
        let members = own.loads.iter().copied();
        let loads = own.element_loads.iter().copied();
        let stores = own.element_stores.iter().copied();
        let copies = own.part_copies.iter().copied();
        let calls = own.calls.iter().copied();
        let narrowings = own.narrowings.iter().copied();
        let parameters = facts.functions[function.0 as usize].parameters.iter();
        let gathering = parameters.filter_map(|parameter| match parameter.kind {
            ParameterKind::Rest => Some((parameter.place, ContainerKind::List)),
            ParameterKind::RestKeywords => Some((parameter.place, ContainerKind::Map)),
            _ => None,
        });
        let mut sorted: Vec<PlaceIndex> = places.iter().map(|place| at(*place)).collect();
        sorted.sort_unstable();
        let recipe = Recipe {
            places: sorted,
            shared: own
                .from_elsewhere
                .iter()
                .copied()
                .filter(|place| on(*place))
                .map(at)
                .collect(),
            containers: own
                .containers
                .iter()
                .copied()
                .chain(gathering)
                .filter(|(place, _)| on(*place))
                .map(|(place, kind)| (at(place), kind))
                .collect(),
            flows: flows
                .filter(|flow| on(flow.to))
                .map(|flow| (at(flow.from), at(flow.to)))
                .collect(),
            narrowings: narrowings
                .filter(|index| on(facts.narrowings[*index].to))
                .map(|index| first.narrowing + index as u32)
                .collect(),
            loads: members
                .filter(|index| on(facts.loads[*index].to))
                .map(|index| first.load + index as u32)
                .collect(),
            element_loads: loads
                .filter(|index| on(facts.element_loads[*index].to))
                .map(|index| first.element_load + index as u32)
                .collect(),
            element_stores: stores
                .filter(|index| on(facts.element_stores[*index].base))
                .map(|index| first.element_store + index as u32)
                .collect(),
            part_copies: copies
                .filter(|index| on(facts.part_copies[*index].to))
                .map(|index| first.part_copy + index as u32)
                .collect(),
            calls: calls
                .filter(|index| {
                    let call = &facts.calls[*index];
                    call.results.iter().any(|result| on(*result)) || call.receiver.is_some_and(on)
                })
                .map(|index| first.call + index as u32)
                .collect(),
            copies: Default::default(),
        };
        let steps = recipe.flows.len() + recipe.element_loads.len() + recipe.element_stores.len() + recipe.calls.len();
        let calls_parameter = own.called.iter().any(|callee| on(*callee));
        let has_parts = !(recipe.element_loads.is_empty() && recipe.element_stores.is_empty()) || calls_parameter;
        (has_parts && steps <= STEP_LIMIT).then_some(recipe)
    }

    /// The places of a call's own copy of a function; none where the function has no recipe.
    pub(super) fn copy_for(&mut self, call: u32, function: FunctionIndex) -> FxHashMap<PlaceIndex, PlaceIndex> {
        if self.calls[call as usize].silent {
            return FxHashMap::default();
        }
        let Some(recipe) = self.recipes.of.get(&function).cloned() else {
            return FxHashMap::default();
        };
        if let Some(known) = self.copied.get(&(call, function)) {
            return known.clone();
        }
        if recipe.copies.load(Relaxed) >= COPY_LIMIT {
            return FxHashMap::default();
        }
        recipe.copies.fetch_add(1, Relaxed);
        let caller = self.calls[call as usize].function;
        let mut own: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
        for place in &recipe.places {
            let copy = self.derive_place(DerivedPlace::Passing(caller));
            own.insert(*place, copy);
        }
        self.follow(&recipe, &own);
        self.copied.insert((call, function), own.clone());
        own
    }

    fn follow(&mut self, recipe: &Recipe, own: &FxHashMap<PlaceIndex, PlaceIndex>) {
        let to = |place: PlaceIndex| own.get(&place).copied().unwrap_or(place);
        for (site, kind) in &recipe.containers {
            let original = self.objects.intern(Object::Container {
                kind: *kind,
                site: *site,
            });
            let copy = self.objects.intern(Object::Container {
                kind: *kind,
                site: to(*site),
            });
            self.container_copies.insert(copy, original);
            if let Some(length) = self.lengths.get(site).copied() {
                self.lengths.insert(to(*site), length);
            }
            self.add(to(*site), copy);
        }
        for place in &recipe.shared {
            self.copy(*place, to(*place));
        }
        for (from, target) in &recipe.flows {
            self.copy(to(*from), to(*target));
        }
        for index in &recipe.narrowings {
            let row = self.narrowings[*index as usize].clone();
            self.push_narrowing(NarrowingRow {
                from: to(row.from),
                to: to(row.to),
                ..row
            });
        }
        for index in &recipe.loads {
            let row = self.loads[*index as usize];
            self.push_load(LoadRow {
                base: to(row.base),
                to: to(row.to),
                silent: true,
                ..row
            });
        }
        let copied = |row: ElementRow| ElementRow {
            base: to(row.base),
            value: to(row.value),
            index: row.index.map(to),
            silent: true,
            ..row
        };
        for index in &recipe.element_loads {
            self.push_element_load(copied(self.element_loads[*index as usize]));
        }
        for index in &recipe.element_stores {
            self.push_element_store(copied(self.element_stores[*index as usize]));
        }
        for index in &recipe.part_copies {
            let mut row = self.part_copies[*index as usize].clone();
            (row.from, row.to, row.silent) = (to(row.from), to(row.to), true);
            (row.iterated, row.pairs) = (false, None);
            self.part_copies.push(row);
        }
        for index in &recipe.calls {
            let row = CallRow {
                callee: to(self.calls[*index as usize].callee),
                receiver: self.calls[*index as usize].receiver.map(to),
                targets: Vec::new(),
                silent: true,
                copy_of: Some(*index),
                ..self.calls[*index as usize].clone()
            };
            let arguments = self.call_arguments(*index).to_vec();
            let arguments: Vec<ArgumentRow> = arguments
                .into_iter()
                .map(|argument| ArgumentRow {
                    place: argument.place.map(to),
                    ..argument
                })
                .collect();
            let results: Vec<PlaceIndex> = self.call_results(*index).iter().copied().map(to).collect();
            self.push_call(row, &arguments, &results);
        }
    }

    /// Whether a copy of a call of this can do what the call does: library code that moves things, and what this copy's parameters bring.
    pub(super) fn is_copied_through(&self, call: u32, object: ObjectId) -> bool {
        let row = &self.calls[call as usize];
        if row
            .copy_of
            .is_some_and(|own| self.calls[own as usize].callee != row.callee)
        {
            return true;
        }
        let Object::External(name) = self.objects.get(object) else {
            return false;
        };
        let language = self.program.files[self.calls[call as usize].file.at()].language;
        let library = self.libraries.get(&language);
        let entry = library.and_then(|library| library.get(self.program.symbols.text(name)));
        entry.is_some_and(|entry| entry.flows.iter().all(|effect| matches!(effect, Effect::Move { .. })))
    }

    /// What the function's own call gives is what its copy gives.
    pub(super) fn share_results(&mut self, own: u32, copy: u32) {
        let pairs: Vec<_> = self
            .call_results(own)
            .iter()
            .copied()
            .zip(self.call_results(copy).iter().copied())
            .collect();
        for (from, to) in pairs {
            self.copy(from, to);
        }
    }

    /// Nothing travels any more, and nobody asks where it would have.
    pub(super) fn forget_constraints(&mut self) {
        self.arena = Vec::new();
        self.left_out = Default::default();
    }

    /// After solving: what holds a container of a copy holds that of the function.
    pub(super) fn forget_copies(&mut self) {
        if self.container_copies.is_empty() {
            return;
        }
        let copies = &self.container_copies;
        self.slots.par_iter_mut().for_each(|slot| {
            let (held, mut changed) = (&mut slot.contents, false);
            for object in held.iter_mut() {
                if let Some(original) = copies.get(object) {
                    (*object, changed) = (*original, true);
                }
            }
            if changed {
                let mut seen = FxHashSet::default();
                held.retain(|object| seen.insert(*object));
            }
        });
        self.hand_parts_back();
    }

    /// What a caller puts under a key into what its copy made is a part of what the function makes.
    fn hand_parts_back(&mut self) {
        let copied = self.elements.keys().filter_map(|(copy, part)| {
            let original = *self.container_copies.get(copy)?;
            let is_told = matches!(part, Part::Text(_));
            (is_told && !self.elements.contains_key(&(original, *part))).then_some((original, *part))
        });
        let mut copied: Vec<(ObjectId, Part)> = copied.collect();
        copied.sort_unstable();
        copied.dedup();
        for (original, part) in copied {
            if let Object::Container { site, .. } = self.objects.get(original) {
                let place = self.derive_place(DerivedPlace::Element { container: site, part });
                self.elements.insert((original, part), place);
                self.parts.entry(original).or_default().push((part, place));
            }
        }
    }
}

/// The names of all methods that are asked of classes.
fn methods_of_classes(program: &Program) -> FxHashSet<String> {
    let files = program.files.iter();
    let functions = files.flat_map(|file| file.facts.functions.iter().map(|function| (&file.facts, function)));
    let of_classes = functions.filter(|(_, function)| function.binding == facts::Binding::Class);
    of_classes
        .map(|(facts, function)| facts.text(function.name).to_owned())
        .collect()
}

/// The places between the parameters of a function and its result; none if there is no way.
fn places_on_the_way(facts: &FileFacts, function: FunctionId, own: &Own) -> Option<FxHashSet<PlaceId>> {
    let row = &facts.functions[function.0 as usize];
    let result = *row.results.first()?;
    let mut into: FxHashMap<PlaceId, Vec<PlaceId>> = FxHashMap::default();
    let is_own = |place: PlaceId| facts.places[place.0 as usize].function == function;
    let mut join = |from: PlaceId, to: PlaceId| {
        if is_own(from) && is_own(to) {
            into.entry(to).or_default().push(from);
        }
    };
    for flow in own.flows.iter().map(|index| facts.flows[*index]) {
        join(flow.from, flow.to);
    }
    for row in own.narrowings.iter().map(|index| &facts.narrowings[*index]) {
        join(row.from, row.to);
    }
    for row in own.element_loads.iter().map(|index| &facts.element_loads[*index]) {
        join(row.base, row.to);
    }
    for row in own.loads.iter().map(|index| &facts.loads[*index]) {
        join(row.base, row.to);
    }
    let mut put: Vec<(PlaceId, PlaceId)> = Vec::new();
    for row in own.element_stores.iter().map(|index| &facts.element_stores[*index]) {
        put.push((row.from, row.base));
    }
    for row in own.part_copies.iter().map(|index| &facts.part_copies[*index]) {
        put.push((row.from, row.to));
    }
    for call in own.calls.iter().map(|index| &facts.calls[*index]) {
        let arguments = call.arguments.iter().filter_map(|argument| argument.place);
        for from in arguments.clone().chain(call.receiver) {
            call.results.iter().for_each(|result| join(from, *result));
        }
        if own.called.contains(&call.callee) {
            call.results.iter().for_each(|result| join(call.callee, *result));
        }
        if let Some(receiver) = call.receiver {
            put.extend(arguments.map(|from| (from, receiver)));
        }
    }
    for (from, to) in &put {
        join(*from, *to);
    }
    // What is put into a container is in it under each of its names.
    let bases: FxHashSet<PlaceId> = put.iter().map(|(_, to)| *to).collect();
    let mut named: Vec<(PlaceId, PlaceId)> = Vec::new();
    for base in bases {
        let mut open = vec![base];
        let mut seen = FxHashSet::default();
        while let Some(place) = open.pop() {
            if seen.len() > STEP_LIMIT || !seen.insert(place) {
                continue;
            }
            let flows = own.flows.iter().map(|index| facts.flows[*index]);
            open.extend(
                flows
                    .filter(|flow| flow.to == place && is_own(flow.from))
                    .map(|flow| flow.from),
            );
            if place != base {
                named.push((base, place));
            }
        }
    }
    for (base, name) in named {
        into.entry(name).or_default().push(base);
    }
    let backward = closure(std::iter::once(result), &into);
    let mut out: FxHashMap<PlaceId, Vec<PlaceId>> = FxHashMap::default();
    for (to, sources) in &into {
        for from in sources {
            out.entry(*from).or_default().push(*to);
        }
    }
    let is_parameter = |place: &PlaceId| {
        let kind = facts.places[place.0 as usize].kind;
        matches!(kind, PlaceKind::Parameter | PlaceKind::Receiver)
    };
    let parameters = row
        .parameters
        .iter()
        .map(|parameter| parameter.place)
        .filter(is_parameter);
    let forward = closure(parameters, &out);
    let places: FxHashSet<PlaceId> = forward.intersection(&backward).copied().collect();
    places.contains(&result).then_some(places)
}

fn closure(start: impl Iterator<Item = PlaceId>, next: &FxHashMap<PlaceId, Vec<PlaceId>>) -> FxHashSet<PlaceId> {
    let mut open: Vec<PlaceId> = start.collect();
    let mut seen = FxHashSet::default();
    while let Some(place) = open.pop() {
        if seen.insert(place) {
            open.extend(next.get(&place).into_iter().flatten());
        }
    }
    seen
}
