//! What objects are made with: the texts that their makers put in members, and what else they put there.
//!
//! ```go
//! var all = []feature{{"north", north}, {name: "promo", of: promo}}     // "north" in `name` with `north` in `of`, and so on
//! ```
//!
//! Objects of one class are told apart by where they are made, and of what a function makes of its parameters by the calls of it:
//! `mk("north", north)`, with `func mk(name string, of fn) feature { return feature{name, of} }`. In Python, by the arguments of the constructor; where a class binds the
//! member itself (`name = "north"`, `func (North) Name() string { return "north" }`), all objects of that class have it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Constant, ElementKey, MadeFrom, PlaceKind};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::edges::Tables;
use crate::propagate::made_with::set_by_constructors;
use crate::propagate::object::Object;
use crate::propagate::solve::{ArgumentRow, RowKey, Solver, Target};

/// Most functions inside each other that hand on what an object is made with.
const DEPTH_LIMIT: usize = 3;

/// What one object is made with.
#[derive(Debug, Default, Clone)]
pub(super) struct MadeHere {
    pub texts: FxHashMap<Symbol, Symbol>,
    pub places: FxHashMap<Symbol, PlaceIndex>,
}

/// What a function makes of what it is given.
#[derive(Debug, Clone)]
struct OfGiven {
    class: TypeIndex,
    /// What it puts there itself.
    here: MadeHere,
    /// Members, with the parameters that go there.
    given: Vec<(Symbol, PlaceIndex)>,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct Made {
    by_class: FxHashMap<TypeIndex, Vec<MadeHere>>,
    /// What classes bind members to.
    of_classes: FxHashMap<(TypeIndex, Symbol), Symbol>,
    /// What methods give back, each time.
    returned: FxHashMap<FunctionIndex, Symbol>,
    /// What functions make of their parameters.
    of_given: FxHashMap<FunctionIndex, Vec<OfGiven>>,
    /// What literals of structures are made of: members, with the parameters that go there.
    given_at: FxHashMap<PlaceIndex, Vec<(Symbol, PlaceIndex)>>,
}

impl Made {
    pub(super) fn new(solver: &Solver<'_>, tables: &Tables, wanted: &FxHashSet<TypeIndex>) -> Self {
        let mut made = Self::default();
        let program = &*solver.program;
        for (index, file) in program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for (class, member, key, is_member) in &file.facts.class_constants {
                let (ElementKey::Text(text), false) = (key, *is_member) else {
                    continue;
                };
                if let [class] = program.types_named(index, program.symbol(index, *class)) {
                    let class = program.type_index(index, *class);
                    let text = program.symbol(index, *text);
                    made.of_classes.insert((class, program.symbol(index, *member)), text);
                }
            }
            for (class, member, constant) in &file.facts.bound_in_classes {
                if let Constant::Text(text) = constant {
                    let (class, member) = (program.type_index(index, *class), program.symbol(index, *member));
                    made.of_classes.insert((class, member), program.symbol(index, *text));
                }
            }
            for (function, text) in &file.facts.texts_returned {
                let function = program.function(index, *function);
                made.returned.insert(function, program.symbol(index, *text));
            }
        }
        made.add_literals(solver, tables, wanted);
        made.add_constructed(solver);
        for _ in 0..DEPTH_LIMIT {
            made.hand_in(solver);
        }
        made
    }

    /// Notes an object that is made here, or, of what its function is given, by the callers.
    fn note(&mut self, solver: &Solver<'_>, class: TypeIndex, here: MadeHere, given: Vec<(Symbol, PlaceIndex)>) {
        let function = given
            .first()
            .and_then(|(_, parameter)| solver.program.owner_of(*parameter));
        // Whoever calls the function may not be in the index.
        if !here.texts.is_empty() || !here.places.is_empty() && given.is_empty() {
            self.by_class.entry(class).or_default().push(here.clone());
        }
        if let Some(function) = function {
            let made = OfGiven { class, here, given };
            self.of_given.entry(function).or_default().push(made);
        }
    }

    /// What the callers of such functions give.
    fn hand_in(&mut self, solver: &Solver<'_>) {
        let of_given = std::mem::take(&mut self.of_given);
        if of_given.is_empty() {
            return;
        }
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            for target in &row.targets {
                let Target::Function { function, receiver, .. } = *target else {
                    continue;
                };
                let Some(all) = of_given.get(&function) else { continue };
                let arguments = solver.arguments_given(call as u32, function, receiver.is_some());
                for made in all {
                    let (mut here, mut given) = (made.here.clone(), Vec::new());
                    for (field, parameter) in &made.given {
                        here.places.remove(field);
                        let argument = arguments.iter().find(|(to, _)| to == parameter);
                        if let Some(argument) = argument.and_then(|(_, argument)| argument.as_ref()) {
                            put(solver, (*field, argument), &mut here, &mut given);
                        }
                    }
                    self.note(solver, made.class, here, given);
                }
            }
        }
    }

    /// The objects of a class that something is known of.
    pub(super) fn of(&self, class: TypeIndex) -> &[MadeHere] {
        self.by_class.get(&class).map_or(&[], Vec::as_slice)
    }

    /// The parameter that a literal of a structure has in a member.
    pub(super) fn given_at(&self, literal: PlaceIndex, member: Symbol) -> Option<PlaceIndex> {
        let mut given = self.given_at.get(&literal)?.iter();
        given.find(|(own, _)| *own == member).map(|(_, parameter)| *parameter)
    }

    /// The text that a class, or the first base that has the member, gives for it.
    pub(super) fn text_of_class(&self, solver: &Solver<'_>, class: TypeIndex, member: Symbol) -> Option<Symbol> {
        let mut order = solver.program.types[class.at()].order.iter();
        let owner = *order.find(|base| solver.program.types[base.at()].members.contains_key(&member))?;
        let bound = self.of_classes.get(&(owner, member)).copied();
        bound.or_else(|| {
            let place = solver.program.types[owner.at()].members.get(&member)?;
            self.returned.get(solver.method_at.get(place)?).copied()
        })
    }

    /// Literals of structures.
    fn add_literals(&mut self, solver: &Solver<'_>, tables: &Tables, wanted: &FxHashSet<TypeIndex>) {
        let program = &*solver.program;
        let mut literals: FxHashMap<PlaceIndex, (MadeHere, Vec<(Symbol, PlaceIndex)>)> = FxHashMap::default();
        let class_of = |place: PlaceIndex| {
            solver.held(place).find_map(|(_, object)| match object {
                Object::Instance(class) => Some(class),
                _ => None,
            })
        };
        let field_of = |place: PlaceIndex, position: u32| {
            let field = solver.field_at(class_of(place)?, RowKey::Index(position))?;
            Some(program.member_of(field)?.name)
        };
        for (index, file) in program.files.iter().enumerate() {
            let index = FileIndex(index as u32);
            for (literal, field, text, _) in &file.facts.texts_in_fields {
                let (made, _) = literals.entry(program.place(index, *literal)).or_default();
                made.texts
                    .insert(program.symbol(index, *field), program.symbol(index, *text));
            }
            for (literal, text, position) in &file.facts.texts_listed {
                let literal = program.place(index, *literal);
                if let Some(field) = position.and_then(|position| field_of(literal, position)) {
                    let (made, _) = literals.entry(literal).or_default();
                    made.texts.insert(field, program.symbol(index, *text));
                }
            }
        }
        let is_literal = |place: PlaceIndex| program.place_kind(place) == Some(PlaceKind::Value);
        let mut note = |base: PlaceIndex, field: Symbol, from: PlaceIndex| {
            let parameter = solver.parameter_at(from).filter(|_| is_literal(base));
            let is_read =
                || tables.load_of.contains_key(&from) && class_of(base).is_some_and(|own| wanted.contains(&own));
            if parameter.is_some() || literals.contains_key(&base) || literals.contains_key(&from) || is_read() {
                let (made, given) = literals.entry(base).or_default();
                made.places.insert(field, from);
                given.extend(parameter.map(|parameter| (field, parameter)));
            }
        };
        for row in solver.stores.iter().filter(|row| !row.implicit) {
            if let Some(from) = row.from {
                note(row.base, row.member, from);
            }
        }
        for row in solver.element_stores.iter().filter(|row| !row.silent) {
            if let RowKey::Index(position) = row.key
                && let Some(field) = field_of(row.base, position)
            {
                note(row.base, field, row.value);
            }
        }
        let mut literals: Vec<_> = literals.into_iter().collect();
        literals.sort_unstable_by_key(|(literal, _)| *literal);
        // What is embedded brings its members: `north{base{"north"}}`.
        let is_embedded = |(field, from): (&Symbol, &PlaceIndex)| {
            let name = program.type_name(class_of(*from)?);
            (name.rsplit('.').next() == Some(program.symbols.text(*field))).then_some(*from)
        };
        let places: FxHashSet<PlaceIndex> = literals.iter().map(|(at, _)| *at).collect();
        let embedded: Vec<Vec<PlaceIndex>> = literals
            .iter()
            .map(|(_, (made, _))| {
                let inner = made.places.iter().filter(|(_, from)| places.contains(from));
                inner.filter_map(is_embedded).collect()
            })
            .collect();
        let wanted: FxHashSet<PlaceIndex> = embedded.iter().flatten().copied().collect();
        let inner = literals.iter().filter(|(at, _)| wanted.contains(at));
        let inner: FxHashMap<PlaceIndex, FxHashMap<Symbol, Symbol>> =
            inner.map(|(at, (made, _))| (*at, made.texts.clone())).collect();
        for ((_, (made, _)), embedded) in literals.iter_mut().zip(embedded) {
            for (member, text) in embedded.iter().flat_map(|from| &inner[from]) {
                made.texts.entry(*member).or_insert(*text);
            }
        }
        for (literal, (made, given)) in literals {
            if let Some(class) = class_of(literal) {
                if !given.is_empty() {
                    self.given_at.insert(literal, given.clone());
                }
                self.note(solver, class, made, given);
            }
        }
    }

    /// What constructors are given.
    fn add_constructed(&mut self, solver: &Solver<'_>) {
        let program = &*solver.program;
        let mut names: FxHashSet<Symbol> = FxHashSet::default();
        for (index, file) in program.files.iter().enumerate() {
            let made = file.facts.fields_made.iter();
            names.extend(made.map(|row| program.symbol(FileIndex(index as u32), row.field)));
        }
        let (fields, _) = set_by_constructors(solver, &names);
        let mut by_constructor: FxHashMap<FunctionIndex, Vec<(Symbol, PlaceIndex)>> = FxHashMap::default();
        for ((function, field), from) in fields {
            match from {
                MadeFrom::Parameter(parameter) => by_constructor.entry(function).or_default().push((field, parameter)),
                // All objects of the class have it.
                MadeFrom::Constant(Constant::Text(text)) => {
                    if let Some(class) = program.functions[function.at()].owner {
                        let texts = FxHashMap::from_iter([(field, text)]);
                        let places = FxHashMap::default();
                        self.note(solver, class, MadeHere { texts, places }, Vec::new());
                    }
                }
                MadeFrom::Constant(_) => {}
            }
        }
        for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            let is_given = |place: PlaceIndex| solver.program.place_kind(place) == Some(PlaceKind::Parameter);
            let is_named = solver
                .call_arguments(call as u32)
                .iter()
                .any(|argument| argument.text.is_some() || argument.place.is_some_and(is_given));
            for target in row.targets.iter().filter(|_| is_named) {
                let (class, given): (_, Vec<(Symbol, ArgumentRow)>) = match *target {
                    Target::Class(class) => {
                        let filled = solver.filled_fields(call as u32, class).into_iter();
                        let named = filled.filter_map(|(field, given)| Some((program.member_of(field)?.name, given)));
                        (class, named.collect())
                    }
                    Target::Constructor { function, class } => {
                        let Some(kept) = by_constructor.get(&function) else {
                            continue;
                        };
                        let given = solver.arguments_given(call as u32, function, true);
                        let of = |parameter: &PlaceIndex| given.iter().find(|(to, _)| to == parameter);
                        let kept = kept.iter();
                        let kept = kept.filter_map(|(field, parameter)| Some((*field, of(parameter)?.1?)));
                        (class, kept.collect())
                    }
                    // `super().__init__("north")` in a constructor.
                    Target::Function { function, .. } => {
                        let within = &program.functions[row.function.at()];
                        let (Some(kept), Some(class)) = (by_constructor.get(&function), within.owner) else {
                            continue;
                        };
                        let above = program.functions[function.at()].owner;
                        let is_above = above.is_some_and(|above| program.types[class.at()].order.contains(&above));
                        if !is_above || above == Some(class) {
                            continue;
                        }
                        let given = solver.arguments_given(call as u32, function, true);
                        let of = |parameter: &PlaceIndex| given.iter().find(|(to, _)| to == parameter);
                        let kept = kept.iter();
                        let kept = kept.filter_map(|(field, parameter)| Some((*field, of(parameter)?.1?)));
                        (class, kept.collect())
                    }
                    _ => continue,
                };
                let (mut here, mut handed) = (MadeHere::default(), Vec::new());
                for (field, argument) in &given {
                    put(solver, (*field, argument), &mut here, &mut handed);
                }
                self.note(solver, class, here, handed);
            }
        }
    }
}

/// What an argument brings to a member: a text, a value, or what the function around is given itself.
fn put(
    solver: &Solver<'_>,
    (field, argument): (Symbol, &ArgumentRow),
    here: &mut MadeHere,
    given: &mut Vec<(Symbol, PlaceIndex)>,
) {
    here.texts.extend(argument.text.map(|text| (field, text)));
    here.places.extend(argument.place.map(|place| (field, place)));
    let parameter = argument.place.and_then(|place| solver.parameter_at(place));
    given.extend(parameter.map(|parameter| (field, parameter)));
}
