//! What somebody puts in members beside what classes say: a function that a class is given is a method of it from then on, one that an object is
//! given is read as it is; and functions have attributes themselves.
//!
//! ```python
//! Cart.total = total_of        # `cart.total()` is `total_of(cart)`
//! cart.total = print           # `cart.total()` is `print()`
//! total_of.check = positive    # `total_of.check()` is `positive()`
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{Object, ObjectId};
use super::solve::Solver;
use crate::facts::{FieldKind, FunctionId, PlaceKind};
use crate::link::{FunctionIndex, PackageIndex, PlaceIndex, Symbol};

/// Most functions that have an attribute of one name.
const FUNCTION_LIMIT: u32 = 32;

/// Most modules that have an attribute of one name which none of them binds itself.
const MODULE_LIMIT: u32 = 8;

/// What functions and modules have of their own.
pub(super) const OWN: &[&str] = &[
    "__annotations__",
    "__call__",
    "__class__",
    "__closure__",
    "__code__",
    "__defaults__",
    "__dict__",
    "__doc__",
    "__get__",
    "__globals__",
    "__kwdefaults__",
    "__module__",
    "__name__",
    "__qualname__",
    "__type_params__",
    "__wrapped__",
];

/// Members that are written from outside.
#[derive(Debug, Default)]
pub(super) struct PutIn {
    /// By somebody who has the class.
    pub on_classes: FxHashSet<PlaceIndex>,
    /// Methods that objects are given, and what they are given.
    on_objects: FxHashMap<PlaceIndex, FxHashSet<PlaceIndex>>,
}

impl Solver<'_> {
    /// Something is put in a member of an object, where its class may have a method.
    pub(super) fn note_put_on_object(&mut self, member: Option<PlaceIndex>, from: Option<PlaceIndex>) {
        let (Some(member), Some(from)) = (member, from) else {
            return;
        };
        let is_method = |place| {
            self.program
                .member_of(place)
                .is_some_and(|member| member.field.is_none())
        };
        if is_method(member) {
            self.put_in.on_objects.entry(member).or_default().insert(from);
        }
    }

    /// Whether a function is in a member since an object was given it: one of those that callers brought, since a function's own ones are told apart.
    pub(super) fn is_put_on_object(&self, base: PlaceIndex, member: PlaceIndex, function: ObjectId) -> bool {
        let given = self.put_in.on_objects.get(&member);
        let is_brought = || {
            matches!(
                self.program.place_kind(base),
                Some(PlaceKind::Parameter | PlaceKind::Receiver)
            )
        };
        let mut given = given.filter(|_| is_brought()).into_iter().flatten();
        given.any(|from| self.slots[from.at()].holds(function))
    }

    /// Whether a class body puts a function in a member, or somebody who has the class: what only an object has is read as it is, be it that the class
    /// says `send: Callable[[str], None]`.
    pub(super) fn is_put_in_class(&self, place: PlaceIndex, function: ObjectId) -> bool {
        let Some(values) = self
            .class_values
            .get(&place)
            .filter(|_| !self.put_in.on_classes.contains(&place))
        else {
            return true;
        };
        values.iter().any(|value| self.slots[value.at()].holds(function)) && !self.is_given_by_constructor(place)
    }

    /// Whether each object has such a member for itself, and not from its class.
    pub(super) fn is_of_each_object(&self, place: PlaceIndex) -> bool {
        match self.program.member_of(place).and_then(|member| member.field) {
            Some(FieldKind::Field | FieldKind::Attribute) => true,
            Some(FieldKind::ClassAttribute) => self.is_given_by_constructor(place),
            None => false,
        }
    }

    /// Whether each object has a member of its own: a generated constructor gives it what the class body says, where the caller says nothing.
    fn is_given_by_constructor(&self, place: PlaceIndex) -> bool {
        // A method is no field, and most members are methods.
        let field = self.program.member_of(place).filter(|member| member.field.is_some());
        field.is_some_and(|member| {
            self.has_generated_constructor(member.owner)
                && self
                    .constructor_fields(member.owner)
                    .iter()
                    .any(|field| field.place == place)
        })
    }

    /// The attribute of a function.
    pub(super) fn function_member(&mut self, function: FunctionIndex, name: Symbol) -> Option<PlaceIndex> {
        if OWN.contains(&self.program.symbols.text(name)) {
            return None;
        }
        if let Some(place) = self.function_members.get(&(function, name)) {
            return Some(*place);
        }
        // A decorator that gives an attribute to whatever it decorates says nothing of any one function.
        let known = self.function_member_counts.entry(name).or_default();
        *known += 1;
        if *known > FUNCTION_LIMIT {
            return None;
        }
        let place = self.derive_place(crate::link::DerivedPlace::Passing(function));
        self.function_members.insert((function, name), place);
        self.find_now(Object::Function(function), name, place);
        Some(place)
    }

    /// The attribute that a module is given from outside, and does not bind itself: `settings.REGION = region`.
    pub(super) fn module_member(&mut self, package: PackageIndex, name: Symbol) -> Option<PlaceIndex> {
        let file = *self.program.packages[package.at()].files.first()?;
        if !self.untyped.contains(&file) || OWN.contains(&self.program.symbols.text(name)) {
            return None;
        }
        // What gives an attribute to whatever module it finds says nothing of any one module.
        let known = self.module_member_counts.entry(name).or_default();
        *known += 1;
        if *known > MODULE_LIMIT {
            return None;
        }
        let body = self.program.function(file, FunctionId(0));
        let place = self.derive_place(crate::link::DerivedPlace::Passing(body));
        self.program.add_package_member(package, name, place);
        self.find_now(Object::Package(package), name, place);
        Some(place)
    }

    /// Who asked for a member before it was there finds it now.
    fn find_now(&mut self, object: Object, name: Symbol, place: PlaceIndex) {
        let object = self.objects.intern(object);
        if self.loads_of.is_empty() {
            for (index, row) in self.loads.iter().enumerate() {
                self.loads_of.entry(row.member).or_default().push(index as u32);
            }
        }
        let asked = self.loads_of.get(&name).into_iter().flatten();
        let asked = asked.map(|index| &self.loads[*index as usize]);
        let asked: Vec<PlaceIndex> = asked
            .filter(|row| !row.implicit)
            .filter(|row| self.contents(row.base).contains(&object))
            .map(|row| row.to)
            .collect();
        for to in asked {
            self.copy(place, to);
        }
    }
}
