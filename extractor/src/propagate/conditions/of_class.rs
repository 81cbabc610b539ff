//! Tests of classes that callers decide: `isinstance(value, C)` of a parameter, by what each call hands over.
//!
//! ```python
//! def show(value, text):
//!     if isinstance(value, int):
//!         return text              # where a number is handed in, or a `Grade(int)`
//!     return "-"
//! show("three", secret)            # nothing of the secret comes back
//! ```
//!
//! And whether there is one at all: `store = store or Store()` makes none for `run(mail, Fake())`. A call's argument answers where it is a
//! literal, a display, or an instance that one call makes. What nobody knows, answers nothing.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::builtins::is_plain_class;
use crate::facts::{Binding, Condition, Constant, ContainerKind, Question};
use crate::link::{Base, FileIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::made_with::note_sources;
use crate::propagate::narrow::Asked;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Solver, Target};

/// How many variables are gone back through, from an argument to what made it.
const STEP_LIMIT: usize = 4;

/// What tests ask of parameters, and which values are instances of one class.
#[derive(Debug, Default)]
pub(in crate::propagate) struct Tests {
    /// The parameters that are tested.
    asked: FxHashSet<PlaceIndex>,
    /// The program's row of a file's test.
    rows: FxHashMap<(FileIndex, u32), u32>,
    /// The rows by where what passes goes; and what calls make. Found once something is asked.
    by_place: Option<FxHashMap<PlaceIndex, u32>>,
    made: FxHashMap<PlaceIndex, TypeIndex>,
    /// Classes of which members are set by computed names, and members that are set by their own. Found once something is asked.
    set_by_name: FxHashSet<TypeIndex>,
    stored: FxHashSet<Symbol>,
    /// Where the values of a file's places come from.
    from: FxHashMap<FileIndex, FxHashMap<PlaceIndex, Option<PlaceIndex>>>,
}

impl Tests {
    /// A condition asks something of a parameter: maybe a test of classes.
    pub(in crate::propagate) fn ask(
        &mut self,
        solver: &Solver<'_>,
        file: FileIndex,
        row: &Condition,
        parameter: PlaceIndex,
    ) {
        let test = match (row.question, row.constant) {
            (_, Constant::Test(test)) => Some(test),
            (Question::IsTrue, _) | (Question::Equals, Constant::Nothing) => None,
            _ => return,
        };
        let by_place = self.by_place.get_or_insert_with(|| {
            self.made = made(solver);
            self.set_by_name = solver.classes_set_by_name();
            self.stored = solver.stores.iter().map(|store| store.member).collect();
            let rows = solver.narrowings.iter().enumerate();
            rows.map(|(index, row)| (row.to, index as u32)).collect()
        });
        let Some(test) = test else {
            self.asked.insert(parameter);
            return;
        };
        let narrowing = solver.program.files[file.at()].facts.narrowings.get(test as usize);
        let place = narrowing.map(|narrowing| solver.program.place(file, narrowing.to));
        if let Some(index) = place.and_then(|place| by_place.get(&place)) {
            self.asked.insert(parameter);
            self.rows.insert((file, test), *index);
        }
    }

    /// A caller hands on a parameter of its own.
    pub(super) fn hand_on(&mut self, tested: PlaceIndex, parameter: PlaceIndex) {
        if self.asked.contains(&tested) {
            self.asked.insert(parameter);
        }
    }

    /// Of which class an argument for a tested parameter is, where one call made it.
    pub(in crate::propagate) fn made(
        &mut self,
        solver: &Solver<'_>,
        (file, argument): (FileIndex, PlaceIndex),
        parameter: PlaceIndex,
    ) -> Option<Constant<Symbol>> {
        if !self.asked.contains(&parameter) {
            return None;
        }
        let from = self.from.entry(file).or_insert_with(|| {
            let mut from = FxHashMap::default();
            note_sources(solver, file, &mut from);
            from
        });
        let mut place = argument;
        for _ in 0..STEP_LIMIT {
            if let Some(class) = self.made.get(&place) {
                return Some(Constant::InstanceOf(class.0));
            }
            place = (*from.get(&place)?)?;
        }
        None
    }

    /// Whether what is known of a value passes a test; none where it may.
    pub(in crate::propagate) fn passes(
        &self,
        solver: &Solver<'_>,
        test: (FileIndex, u32),
        known: Constant<Symbol>,
    ) -> Option<bool> {
        let row = &solver.narrowings[*self.rows.get(&test)? as usize];
        let exactly = match row.asked {
            Asked::Class => false,
            Asked::Exactly => true,
            Asked::Member(member) => return self.has_member(solver, known, member),
            Asked::End(_) | Asked::Lacks(_) => return None,
        };
        let mut is_none = !row.unknown && row.named.is_empty() && !row.classes.is_empty();
        for class in &row.classes {
            match is_of(solver, known, *class, exactly) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => is_none = false,
            }
        }
        is_none.then_some(false)
    }

    /// Whether what is known of a value has a member; none where somebody may give it one, or take it.
    fn has_member(&self, solver: &Solver<'_>, known: Constant<Symbol>, member: Symbol) -> Option<bool> {
        let Constant::InstanceOf(class) = known else {
            return None;
        };
        let class = TypeIndex(class);
        let row = &solver.program.types[class.at()];
        // What begins with two lines goes by another name in its class.
        if solver.program.symbols.text(member).contains("__") {
            return None;
        }
        let answers = ["__getattr__", "__getattribute__"].iter().any(|name| {
            let name = solver.program.symbols.find(name);
            name.is_some_and(|name| solver.program.find_member(class, name).is_some())
        });
        if row.open || answers || solver.program.type_facts(class).metaclass.is_some() {
            return None;
        }
        match solver.program.find_member(class, member) {
            None => (!self.stored.contains(&member) && !self.set_by_name.contains(&class)).then_some(false),
            // What a property gives may be nothing but an error.
            Some(place) if !solver.program.is_field(place) => {
                let is_method = |object| match object {
                    Object::Function(function) => solver.program.function_facts(function).binding == Binding::Instance,
                    _ => false,
                };
                solver.held(place).all(|(_, object)| is_method(object)).then_some(true)
            }
            Some(_) => {
                let declared = row.order.iter().flat_map(|base| {
                    let file = solver.program.types[base.at()].file;
                    let fields = solver.program.type_facts(*base).fields.iter();
                    fields.filter(move |field| solver.program.symbol(file, field.name) == member)
                });
                let mut declared = declared;
                declared.any(|field| field.is_always_set).then_some(true)
            }
        }
    }
}

/// Whether all instances of a class count as true; none where something may say otherwise.
/// <https://docs.python.org/3/library/stdtypes.html#truth-value-testing>
pub(super) fn is_true(solver: &Solver<'_>, class: u32) -> Option<bool> {
    let class = TypeIndex(class);
    let says = |name: &&str| {
        let name = solver.program.symbols.find(name);
        name.is_some_and(|name| solver.program.find_member(class, name).is_some())
    };
    let says_nothing = !["__bool__", "__len__"].iter().any(says);
    (says_nothing && !solver.program.types[class.at()].open).then_some(true)
}

/// What calls make that call one class, and nothing else.
fn made(solver: &Solver<'_>) -> FxHashMap<PlaceIndex, TypeIndex> {
    let mut made = FxHashMap::default();
    for (call, row) in solver.calls.iter().enumerate().filter(|(_, row)| !row.silent) {
        let class = match row.targets.as_slice() {
            [Target::Constructor { class, .. } | Target::Class(class)] => *class,
            _ => continue,
        };
        if let [result] = solver.call_results(call as u32) {
            let mut held = solver.held(*result).map(|(_, object)| object);
            if (held.next(), held.next()) == (Some(Object::Instance(class)), None) {
                made.insert(*result, class);
            }
        }
    }
    made
}

/// Whether what is known of a value is of a class; none where it may be.
fn is_of(solver: &Solver<'_>, known: Constant<Symbol>, class: ObjectId, exactly: bool) -> Option<bool> {
    match (known, solver.objects.get(class)) {
        (Constant::InstanceOf(own), Object::AnyOf(wanted)) => {
            let own = TypeIndex(own);
            if own == wanted {
                return Some(true);
            }
            match solver.program.types[own.at()].order.contains(&wanted) {
                true => Some(!exactly),
                false => {
                    let is_known = !solver.program.has_unknown_base(own) && !derives_from_variable(solver, own);
                    let is_told = exactly || !takes_others(solver, wanted) && is_known;
                    is_told.then_some(false)
                }
            }
        }
        (Constant::InstanceOf(own), Object::External(name)) => {
            let name = solver.program.symbols.text(name);
            match solver.derives(TypeIndex(own), name) {
                false => is_plain_class(name).then_some(false),
                true if exactly => Some(false),
                true => solver
                    .external_bases(TypeIndex(own))
                    .any(|base| base == name)
                    .then_some(true),
            }
        }
        (Constant::Text(text), _) if is_member(solver.program.symbols.text(text)) => None,
        (literal, Object::AnyOf(wanted)) => {
            // A member of an enumeration of numbers or texts is handed over as one of these.
            let is_value = class_of(literal).is_some() && !derives_from_values(solver, wanted);
            (is_value && (exactly || !takes_others(solver, wanted))).then_some(false)
        }
        (literal, Object::External(name)) => {
            let (own, name) = (class_of(literal)?, solver.program.symbols.text(name));
            match own == name || own == "bool" && name == "int" && !exactly {
                true => (!exactly).then_some(true),
                false => is_plain_class(name).then_some(false),
            }
        }
        _ => None,
    }
}

/// The class of a literal, or of a display.
fn class_of(literal: Constant<Symbol>) -> Option<&'static str> {
    Some(match literal {
        Constant::Nothing => "NoneType",
        Constant::Truth(_) => "bool",
        Constant::Number(_) => "int",
        Constant::Empty => "str",
        Constant::Text(_) => "str",
        Constant::Container(ContainerKind::Map) => "dict",
        Constant::Container(ContainerKind::Set) => "set",
        Constant::Container(ContainerKind::Tuple) => "tuple",
        Constant::Container(ContainerKind::List) => "list",
        _ => return None,
    })
}

/// Whether a text may stand for a member of an enumeration: `Color.RED`.
fn is_member(text: &str) -> bool {
    text.split_once('.').is_some_and(|(class, member)| {
        let is_name = |part: &str| part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        class.starts_with(char::is_uppercase) && is_name(class) && is_name(member)
    })
}

/// Whether a class may count instances of others among its own: protocols, abstract classes, what has a class of its own.
fn takes_others(solver: &Solver<'_>, class: TypeIndex) -> bool {
    let order = &solver.program.types[class.at()].order;
    let is_meta = |base: &TypeIndex| solver.program.type_facts(*base).metaclass.is_some();
    let takes = |base: &str| {
        let is_abstract = ["collections.abc.", "typing.", "numbers."]
            .iter()
            .any(|module| base.starts_with(module));
        is_abstract || matches!(base.rsplit('.').next(), Some("Protocol" | "ABC"))
    };
    order.iter().any(is_meta) || solver.external_bases(class).any(takes)
}

/// Whether a base goes by a name that its file binds, and stands for nobody knows what: `Base = A`.
fn derives_from_variable(solver: &Solver<'_>, class: TypeIndex) -> bool {
    let order = &solver.program.types[class.at()].order;
    order.iter().any(|own| {
        let row = &solver.program.types[own.at()];
        let scope = &solver.program.files[row.file.at()].own_scope;
        let is_bound = |base: &Base| matches!(base, Base::External(name) if scope.contains_key(name));
        row.bases.iter().any(is_bound)
    })
}

/// Whether instances of a class are numbers or texts, too.
fn derives_from_values(solver: &Solver<'_>, class: TypeIndex) -> bool {
    let is_value = |base: &str| {
        let last = base.rsplit('.').next().unwrap_or(base);
        matches!(
            last,
            "int" | "str" | "float" | "IntEnum" | "StrEnum" | "IntFlag" | "Flag" | "Enum"
        )
    };
    solver.external_bases(class).any(is_value)
}
