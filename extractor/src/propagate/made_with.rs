//! What objects are made with: `Options(True)` has `True` in the field that its constructor puts that parameter in, and an object of a
//! class whose body says `escape = True` has that in `escape`, unless a base that comes first says otherwise.
//!
//! ```python
//! class Options:
//!     def __init__(self, verbose): self.verbose = verbose      # and nobody else puts anything there
//! show(Options(True))                                          # where `show` asks `options.verbose`, it is true
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::Changes;
use super::conditions::Given;
use super::flags::Switches;
use super::solve::{Solver, Target};
use crate::facts::{Constant, MadeFrom, Position};
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// Most variables from the call to where the object is handed over.
const COPY_LIMIT: usize = 4;

type Fields = FxHashMap<(FunctionIndex, Symbol), MadeFrom<PlaceIndex, Symbol>>;

/// See the module's documentation.
#[derive(Debug, Default)]
pub(super) struct ByConstructors {
    /// What constructors put in fields.
    fields: Fields,
    /// What class bodies bind to constants that nobody changes.
    switches: Switches,
    /// Where all that is in a place comes from, if that is one place.
    from: FxHashMap<PlaceIndex, Option<PlaceIndex>>,
    /// The calls that values are of.
    calls: FxHashMap<PlaceIndex, u32>,
    /// Classes of which somebody sets members by names that nobody knows.
    set_by_name: FxHashSet<TypeIndex>,
    /// The fields of which something is told.
    told: FxHashSet<Symbol>,
}

impl ByConstructors {
    /// Of fields that conditions ask for, those that constructors alone put something in.
    pub(super) fn new(solver: &Solver<'_>, asked: &FxHashSet<Symbol>) -> Self {
        let mut made = Self::default();
        let files = || (0..solver.program.files.len() as u32).map(FileIndex);
        if asked.is_empty() {
            return made;
        }
        let mut changes;
        (made.fields, changes) = set_by_constructors(solver, asked);
        let owner = |function: FunctionIndex| solver.program.functions[function.at()].owner;
        made.fields
            .retain(|(function, field), _| owner(*function).is_some_and(|class| !changes.reach(solver, class, *field)));
        // To what a class body binds, a constructor is one of the others.
        for (function, field) in made.fields.keys() {
            if let Some(class) = owner(*function) {
                changes.note(class, *field);
            }
        }
        let by_name = solver.set_by_name();
        made.switches = solver.bound_in_classes();
        made.switches.retain(|(class, member), _| {
            asked.contains(member) && !by_name.contains(member) && !changes.reach(solver, *class, *member)
        });
        if made.fields.is_empty() && made.switches.is_empty() {
            return Self::default();
        }
        made.told.extend(made.fields.keys().map(|(_, field)| *field));
        made.told.extend(made.switches.keys().map(|(_, field)| *field));
        made.set_by_name = solver.classes_set_by_name();
        for file in files() {
            note_sources(solver, file, &mut made.from);
        }
        for (index, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
            for target in &row.targets {
                if matches!(target, Target::Constructor { .. } | Target::Class(_)) {
                    let results = solver.call_results(index as u32).iter();
                    made.calls.extend(results.map(|result| (*result, index as u32)));
                }
            }
        }
        made
    }

    /// The values of calls that make objects, with the classes.
    pub(super) fn made(&self, solver: &Solver<'_>) -> impl Iterator<Item = (PlaceIndex, TypeIndex)> {
        self.calls
            .iter()
            .filter_map(|(place, call)| match solver.calls[*call as usize].targets.as_slice() {
                [Target::Constructor { class, .. } | Target::Class(class)] => Some((*place, *class)),
                _ => None,
            })
    }

    /// The fields that the constructor of each class fills.
    pub(super) fn fields_of_classes(&self, solver: &Solver<'_>) -> FxHashMap<TypeIndex, Vec<Symbol>> {
        let mut fields: FxHashMap<TypeIndex, Vec<Symbol>> = FxHashMap::default();
        for (function, field) in self.fields.keys() {
            if let Some(class) = solver.program.functions[function.at()].owner {
                fields.entry(class).or_default().push(*field);
            }
        }
        fields
    }

    /// What is in a field of the object in a place, where it is told how that was made.
    pub(super) fn given(&self, solver: &Solver<'_>, place: PlaceIndex, field: Symbol) -> Option<Given> {
        let mut place = place;
        let mut call = self.calls.get(&place);
        for _ in 0..COPY_LIMIT {
            if call.is_some() {
                break;
            }
            place = (*self.from.get(&place)?)?;
            call = self.calls.get(&place);
        }
        let call = *call?;
        let row = &solver.calls[call as usize];
        let mut targets = row.targets.iter().filter_map(|target| match target {
            Target::Constructor { function, class } => Some(Some((*class, Some(*function)))),
            Target::Class(class) => Some(Some((*class, None))),
            Target::Function { .. } => Some(None),
            _ => None,
        });
        let (Some(Some((class, constructor))), None) = (targets.next(), targets.next()) else {
            return None;
        };
        // A property of that name, or the class itself, may make something else of what is put there.
        let asks_others = ["__setattr__", "__getattribute__"].iter().any(|name| {
            let name = solver.program.symbols.find(name);
            name.is_some_and(|name| solver.program.find_member(class, name).is_some())
        });
        let member = solver.program.find_member(class, field);
        if asks_others || member.is_some_and(|member| !solver.program.is_field(member)) {
            return None;
        }
        let put = constructor.and_then(|constructor| Some((constructor, self.fields.get(&(constructor, field))?)));
        let (constructor, parameter) = match put {
            Some((_, MadeFrom::Constant(constant))) => return Some(Given::Constant(*constant)),
            Some((constructor, MadeFrom::Parameter(parameter))) => (constructor, *parameter),
            None => return self.bound_in_class(solver, class, field).map(Given::Constant),
        };
        let given = solver.constant_for(call, (constructor, true), parameter);
        given
            .filter(|constant| !matches!(constant, Constant::Display(_)))
            .map(Given::Constant)
    }

    /// What the body of a class, or of a base of it, binds to a name, where no object has anything else there.
    fn bound_in_class(&self, solver: &Solver<'_>, class: TypeIndex, field: Symbol) -> Option<Constant<Symbol>> {
        let row = &solver.program.types[class.at()];
        let is_plain =
            |base: &TypeIndex| !self.set_by_name.contains(base) && solver.program.type_facts(*base).metaclass.is_none();
        let is_told = !row.open && row.order.iter().all(is_plain);
        solver.switch_of(&self.switches, class, field).filter(|_| is_told)
    }

    /// Whether a constructor or a class body puts something in the field, and nobody else does.
    pub(super) fn has(&self, field: Symbol) -> bool {
        self.told.contains(&field)
    }
}

/// What constructors put in these fields, and which of them others put something in.
pub(super) fn set_by_constructors(solver: &Solver<'_>, asked: &FxHashSet<Symbol>) -> (Fields, Changes) {
    let mut fields = Fields::default();
    let mut by_constructor: FxHashSet<(FileIndex, Position)> = FxHashSet::default();
    for (index, file) in solver.program.files.iter().enumerate() {
        let index = FileIndex(index as u32);
        for row in &file.facts.fields_made {
            let field = solver.program.symbol(index, row.field);
            if !asked.contains(&field) {
                continue;
            }
            let from = match row.from {
                MadeFrom::Parameter(place) => MadeFrom::Parameter(solver.program.place(index, place)),
                MadeFrom::Constant(constant) => {
                    MadeFrom::Constant(constant.map(|text| solver.program.symbol(index, text)))
                }
            };
            fields.insert((solver.program.function(index, row.function), field), from);
            by_constructor.insert((index, row.position));
        }
    }
    let others = solver.stores.iter();
    let others = others.filter(|row| asked.contains(&row.member));
    let others = others.filter(|row| !by_constructor.contains(&(row.file, row.position)));
    (fields, Changes::of_rows(solver, others))
}

impl Solver<'_> {
    /// The first parameter of a function: of a method, what it is called on.
    pub(super) fn first_parameter(&self, function: FunctionIndex) -> Option<PlaceIndex> {
        let file = self.program.functions[function.at()].file;
        let first = self.program.function_facts(function).parameters.first()?;
        Some(self.program.place(file, first.place))
    }
}

/// The one place that each place of a file gets what it holds from; none where there are several.
pub(super) fn note_sources(
    solver: &Solver<'_>,
    file: FileIndex,
    sources: &mut FxHashMap<PlaceIndex, Option<PlaceIndex>>,
) {
    let flows = solver.program.files[file.at()].facts.flows.iter();
    for flow in flows.filter(|flow| flow.same) {
        let from = solver.program.place(file, flow.from);
        let source = sources.entry(solver.program.place(file, flow.to));
        source
            .and_modify(|known| *known = known.filter(|known| *known == from))
            .or_insert(Some(from));
    }
}
