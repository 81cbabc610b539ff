//! Members that are asked for by names which come as data: from callers, from fields, from loops over texts.
//!
//! ```python
//! class View:
//!     action = "show"
//!     def show(self): ...
//!     def run(self): getattr(self, self.action)()        # View.show
//!     def ask(self, name): getattr(self, name.lower())()
//! for name in ("SHOW",): View().ask(name)                # View.show
//! ```
//!
//! The texts that may come to a name are looked for backwards, from where it is asked. There may be others: what is read stays one of the
//! members that nobody knows ([`super::any_member`]).

use rustc_hash::{FxHashMap, FxHashSet};

use super::conditions::default_of;
use super::object::Object;
use super::rows::RowSite;
use super::solve::{LoadRow, Solver, Target};
use crate::facts::{Constant, MadeFrom, PlaceKind, Position};
use crate::link::{FileIndex, FunctionIndex, Part, PlaceIndex, Symbol, TypeIndex};

/// Most places that are looked at for one name.
const PLACE_LIMIT: usize = 96;

/// Most texts that one name is told to be.
const TEXT_LIMIT: usize = 24;

/// What is done to a text on its way to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Changed {
    AsItIs,
    Lower,
    Upper,
}

/// Where a member is asked for: of what, by which name, and where it comes to.
struct Asked {
    base: PlaceIndex,
    name: PlaceIndex,
    to: PlaceIndex,
    at: RowSite,
    /// Where the name stands.
    named_at: Position,
}

impl Solver<'_> {
    /// Reads the members whose names are known by now. Whether there was anything new.
    pub(super) fn named_members(&mut self) -> bool {
        let asked = self.members_asked();
        if asked.is_empty() {
            return false;
        }
        // The names that its own file tells are read each under its own condition.
        let own = self.loads.iter().filter(|row| row.implicit);
        let own: FxHashSet<_> = own.map(|row| (row.file, row.position, row.member)).collect();
        let mut found: Vec<LoadRow> = Vec::new();
        let mut texts = Texts::new(self);
        for Asked {
            base,
            name,
            to,
            at,
            named_at,
        } in asked
        {
            let classes = self.held(base).filter_map(|(_, object)| match object {
                Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) => Some(class),
                _ => None,
            });
            let classes: Vec<TypeIndex> = classes.collect();
            let is_module = self.held(base).any(|(_, object)| matches!(object, Object::Package(_)));
            if classes.is_empty() && !is_module {
                continue;
            }
            for text in texts.of(name) {
                let Some(member) = self.program.symbols.find(&text) else {
                    continue;
                };
                let is_there = is_module
                    || classes
                        .iter()
                        .any(|class| self.program.find_member(*class, member).is_some());
                let is_known = own.contains(&(at.file, named_at, member));
                if is_there && !is_known {
                    found.push(LoadRow::implicit(base, member, to, at));
                }
            }
        }
        let mut is_new = false;
        for row in found {
            if self.named_read.insert((row.to, row.member, row.function)) {
                is_new = true;
                self.push_load(row);
            }
        }
        is_new
    }

    /// All places where a member is asked for by a name that is computed.
    fn members_asked(&self) -> Vec<Asked> {
        let mut bases: FxHashMap<PlaceIndex, PlaceIndex> = FxHashMap::default();
        for (index, file) in self.program.files.iter().enumerate() {
            let place = |local| self.program.place(FileIndex(index as u32), local);
            let rows = file.facts.computed_members.iter();
            bases.extend(rows.map(|(base, to)| (place(*to), place(*base))));
        }
        if bases.is_empty() {
            return Vec::new();
        }
        let mut asked = Vec::new();
        for call in 0..self.calls.len() as u32 {
            let Some(to) = self.call_results(call).first().copied() else {
                continue;
            };
            if let (Some(base), Some(row)) = (bases.get(&to), self.call_arguments(call).get(1))
                && let Some(name) = row.place
                && !self.answers_for_attributes(self.calls[call as usize].function)
            {
                let (base, at) = (*base, self.calls[call as usize].at());
                let named_at = row.position;
                asked.push(Asked {
                    base,
                    name,
                    to,
                    at,
                    named_at,
                });
            }
        }
        asked
    }

    /// Whether a function is `__getattr__`: what it is asked for is told by who asks.
    fn answers_for_attributes(&self, function: FunctionIndex) -> bool {
        let file = self.program.functions[function.at()].file;
        let name = self.program.function_facts(function).name;
        let name = self.program.files[file.at()].facts.text(name);
        matches!(name, "__getattr__" | "__getattribute__")
    }
}

/// The calls of each function, with whether they hand it its receiver.
type Callers = FxHashMap<FunctionIndex, Vec<(u32, bool)>>;

/// The texts that come to places.
struct Texts<'s, 'p> {
    solver: &'s Solver<'p>,
    /// What is assigned to the places of a file.
    flows: FxHashMap<FileIndex, FxHashMap<PlaceIndex, Vec<PlaceIndex>>>,
    /// The texts of the displays of all files.
    listed: FxHashMap<PlaceIndex, Vec<Symbol>>,
    /// Reads and calls by what they give, calls by what they call, writes by what they write.
    loads: FxHashMap<PlaceIndex, u32>,
    element_loads: FxHashMap<PlaceIndex, u32>,
    calls: FxHashMap<PlaceIndex, u32>,
    callers: Callers,
    stores: FxHashMap<Symbol, Vec<u32>>,
    /// Calls of classes that have no constructor of their own.
    constructed: FxHashMap<TypeIndex, Vec<u32>>,
    /// Constants that constructors put in fields.
    made: FxHashMap<Symbol, Vec<(FunctionIndex, Symbol)>>,
}

impl<'s, 'p> Texts<'s, 'p> {
    fn new(solver: &'s Solver<'p>) -> Self {
        let (of_files, by_result) = rayon::join(
            || (listed(solver), made(solver), loads(solver), element_loads(solver)),
            || (calls(solver), called(solver), stores(solver)),
        );
        let (listed, made, loads, element_loads) = of_files;
        let (calls, (callers, constructed), stores) = by_result;
        Self {
            solver,
            flows: FxHashMap::default(),
            listed,
            loads,
            element_loads,
            calls,
            callers,
            stores,
            constructed,
            made,
        }
    }

    /// Those that may come to a place, as far as they are known; none of more than a few.
    fn of(&mut self, name: PlaceIndex) -> Vec<String> {
        let mut seen: FxHashSet<(PlaceIndex, Changed)> = FxHashSet::from_iter([(name, Changed::AsItIs)]);
        let mut open = vec![(name, Changed::AsItIs)];
        let mut found: Vec<String> = Vec::new();
        while let Some((place, changed)) = open.pop() {
            let (texts, places) = self.step(place);
            found.extend(texts.into_iter().map(|text| {
                let text = self.solver.program.symbols.text(text);
                match changed {
                    Changed::AsItIs => text.to_owned(),
                    Changed::Lower => text.to_lowercase(),
                    Changed::Upper => text.to_uppercase(),
                }
            }));
            for (from, own) in places {
                let changed = if changed == Changed::AsItIs { own } else { changed };
                if seen.len() < PLACE_LIMIT && seen.insert((from, changed)) {
                    open.push((from, changed));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        match found.len() > TEXT_LIMIT {
            true => Vec::new(),
            false => found,
        }
    }

    /// The texts that a place holds, and where else it has its own from.
    fn step(&mut self, place: PlaceIndex) -> (Vec<Symbol>, Vec<(PlaceIndex, Changed)>) {
        let solver = self.solver;
        let mut texts: Vec<Symbol> = Vec::new();
        let mut places: Vec<PlaceIndex> = Vec::new();
        if let Some(Part::Text(text)) = solver.handed_keys.constants.get(&place) {
            texts.push(*text);
        }
        if solver.program.place_kind(place) == Some(PlaceKind::Parameter)
            && let Some(function) = solver.program.owner_of(place)
        {
            self.handed(function, place, (&mut texts, &mut places));
        }
        places.extend(self.assigned(place));
        if let Some(index) = self.loads.get(&place) {
            self.read(*index, (&mut texts, &mut places));
        }
        if let Some(index) = self.element_loads.get(&place) {
            for (_, object) in solver.held(solver.element_loads[*index as usize].base) {
                if let Object::Container { site, .. } = object {
                    texts.extend(self.listed.get(&site).into_iter().flatten());
                }
            }
        }
        let mut places: Vec<_> = places.into_iter().map(|place| (place, Changed::AsItIs)).collect();
        if let Some(call) = self.calls.get(&place) {
            let row = &solver.calls[*call as usize];
            let changed = match solver.program.symbols.text(row.text).rsplit('.').next() {
                Some("lower" | "casefold") => Some(Changed::Lower),
                Some("upper") => Some(Changed::Upper),
                Some("strip") if solver.call_arguments(*call).is_empty() => Some(Changed::AsItIs),
                _ => None,
            };
            places.extend(row.receiver.zip(changed));
            let results = row.targets.iter().filter_map(|target| match target {
                Target::Function { function, .. } => Some(solver.function_results(*function)),
                _ => None,
            });
            places.extend(results.flatten().map(|place| (place, Changed::AsItIs)));
        }
        (texts, places)
    }

    /// What callers hand over for a parameter, and what it is where they hand over nothing.
    fn handed(
        &self,
        function: FunctionIndex,
        parameter: PlaceIndex,
        (texts, places): (&mut Vec<Symbol>, &mut Vec<PlaceIndex>),
    ) {
        let mut is_left_out = !self.callers.contains_key(&function);
        for (call, bound) in self.callers.get(&function).into_iter().flatten() {
            let given = self.solver.arguments_given(*call, function, *bound);
            let Some((_, Some(row))) = given.into_iter().find(|(to, _)| *to == parameter) else {
                is_left_out = true;
                continue;
            };
            match (row.text, row.constant) {
                (Some(text), _) | (None, Some(Constant::Text(text))) => texts.push(text),
                _ => places.extend(row.place),
            }
        }
        let default = default_of(self.solver, function, parameter).filter(|_| is_left_out);
        if let Some(Constant::Text(text)) = default {
            texts.push(text);
        }
    }

    /// What a member holds: a constant of the class, or what is put in it.
    fn read(&self, load: u32, (texts, places): (&mut Vec<Symbol>, &mut Vec<PlaceIndex>)) {
        let solver = self.solver;
        let row = &solver.loads[load as usize];
        let mut classes: FxHashSet<TypeIndex> = FxHashSet::default();
        for (_, object) in solver.held(row.base) {
            if let Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) = object {
                classes.extend(&solver.program.types[class.at()].order);
                classes.extend(&solver.program.types[class.at()].subtypes);
            }
        }
        let members = classes.iter().map(|class| &solver.program.types[class.at()].members);
        for member in members.filter_map(|members| members.get(&row.member)) {
            if let Some(Part::Text(text)) = solver.handed_keys.constants.get(member) {
                texts.push(*text);
            }
        }
        for (constructor, text) in self.made.get(&row.member).into_iter().flatten() {
            let owner = solver.program.functions[constructor.at()].owner;
            texts.extend(owner.filter(|owner| classes.contains(owner)).map(|_| *text));
        }
        // What constructors are given that nobody wrote: those of data classes.
        let constructed = classes
            .iter()
            .filter_map(|class| Some((*class, self.constructed.get(class)?)));
        for (class, call) in constructed.flat_map(|(class, calls)| calls.iter().map(move |call| (class, *call))) {
            for (field, given) in solver.filled_fields(call, class) {
                if solver
                    .program
                    .member_of(field)
                    .is_some_and(|member| member.name == row.member)
                {
                    match given.text {
                        Some(text) => texts.push(text),
                        None => places.extend(given.place),
                    }
                }
            }
        }
        for store in self.stores.get(&row.member).into_iter().flatten() {
            let store = &solver.stores[*store as usize];
            let is_of_it = |(_, object)| match object {
                Object::Instance(class) | Object::AnyOf(class) | Object::Class(class) => classes.contains(&class),
                _ => false,
            };
            places.extend(store.from.filter(|_| solver.held(store.base).any(is_of_it)));
        }
    }

    /// What is assigned to a place of the source.
    fn assigned(&mut self, place: PlaceIndex) -> Vec<PlaceIndex> {
        let solver = self.solver;
        let Some((file, _)) = solver.program.local_place(place) else {
            return Vec::new();
        };
        let flows = self.flows.entry(file).or_insert_with(|| {
            let mut flows: FxHashMap<PlaceIndex, Vec<PlaceIndex>> = FxHashMap::default();
            let facts = &solver.program.files[file.at()].facts;
            for flow in facts.flows.iter().filter(|flow| flow.how != ripple_schema::How::Test) {
                let [from, to] = [flow.from, flow.to].map(|local| solver.program.place(file, local));
                flows.entry(to).or_default().push(from);
            }
            flows
        });
        flows.get(&place).cloned().unwrap_or_default()
    }
}

/// See [`Texts::listed`].
fn listed(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, Vec<Symbol>> {
    let mut listed: FxHashMap<PlaceIndex, Vec<Symbol>> = FxHashMap::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let index = FileIndex(index as u32);
        for (list, text, _) in &file.facts.texts_listed {
            let texts = listed.entry(solver.program.place(index, *list)).or_default();
            texts.push(solver.program.symbol(index, *text));
        }
    }
    listed
}

/// See [`Texts::made`].
fn made(solver: &Solver<'_>) -> FxHashMap<Symbol, Vec<(FunctionIndex, Symbol)>> {
    let mut made: FxHashMap<Symbol, Vec<(FunctionIndex, Symbol)>> = FxHashMap::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let index = FileIndex(index as u32);
        for row in &file.facts.fields_made {
            if let MadeFrom::Constant(Constant::Text(text)) = row.from {
                let function = solver.program.function(index, row.function);
                let by_field = made.entry(solver.program.symbol(index, row.field)).or_default();
                by_field.push((function, solver.program.symbol(index, text)));
            }
        }
    }
    made
}

fn loads(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, u32> {
    let rows = (0..).zip(&solver.loads).filter(|(_, row)| !row.implicit);
    rows.map(|(index, row)| (row.to, index)).collect()
}

fn element_loads(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, u32> {
    let rows = (0..).zip(&solver.element_loads);
    rows.map(|(index, row)| (row.value, index)).collect()
}

fn stores(solver: &Solver<'_>) -> FxHashMap<Symbol, Vec<u32>> {
    let mut stores: FxHashMap<Symbol, Vec<u32>> = FxHashMap::default();
    for (index, row) in (0..).zip(&solver.stores) {
        stores.entry(row.member).or_default().push(index);
    }
    stores
}

fn calls(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, u32> {
    let calls = (0..).zip(&solver.calls).filter(|(_, row)| !row.silent);
    calls
        .filter_map(|(call, _)| Some((*solver.call_results(call).first()?, call)))
        .collect()
}

/// See [`Texts::callers`] and [`Texts::constructed`].
fn called(solver: &Solver<'_>) -> (Callers, FxHashMap<TypeIndex, Vec<u32>>) {
    let (mut callers, mut constructed) = (Callers::default(), FxHashMap::<TypeIndex, Vec<u32>>::default());
    for (call, row) in (0..).zip(&solver.calls).filter(|(_, row)| !row.silent) {
        for target in &row.targets {
            let callee = match target {
                Target::Function { function, receiver, .. } => (*function, receiver.is_some()),
                Target::Constructor { function, .. } => (*function, true),
                Target::Class(class) => {
                    constructed.entry(*class).or_default().push(call);
                    continue;
                }
                _ => continue,
            };
            callers.entry(callee.0).or_default().push((call, callee.1));
        }
    }
    (callers, constructed)
}
