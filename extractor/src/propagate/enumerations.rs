//! Classes of which all objects are named in their bodies, and what is known of these: which there are, by name, one by one, and by value.
//!
//! ```python
//! class Color(Enum):
//!     RED = "#f00"
//! Color["RED"], Color("#f00"), next(iter(Color))      # each of them `Color.RED`
//! ```
//!
//! Python's manual, `enum`: members are made once, when the body has run; calling the class afterwards looks one up.

use super::object::Object;
use super::solve::{ElementRow, LoadRow, RowKey, Solver};
use crate::facts::{self, MEMBER};
use crate::link::{Base, PlaceIndex, Symbol, TypeIndex};

/// Most members of an enumeration for each of them to be given where one is asked for that nobody names.
const MEMBER_LIMIT: usize = 32;

impl Solver<'_> {
    /// What the body of an enumeration assigns are its members: instances of it.
    pub(super) fn seed_enumeration(&mut self, owner: TypeIndex) {
        let symbols = &self.program.symbols;
        let is_enumeration = |base: &TypeIndex| {
            self.program.types[base.at()].bases.iter().any(|base| match base {
                Base::External(name) => symbols.text(*name).starts_with("enum."),
                Base::Type(_) => false,
            })
        };
        if !self.program.types[owner.at()].order.iter().any(is_enumeration) {
            return;
        }
        let member = self.objects.intern(Object::Instance(owner));
        for (_, place) in self.members_of_enumeration(owner) {
            self.add(place, member);
        }
    }

    /// The members of an enumeration, by name.
    fn members_of_enumeration(&self, owner: TypeIndex) -> Vec<(Symbol, PlaceIndex)> {
        let file = self.program.types[owner.at()].file;
        let fields = self.program.type_facts(owner).fields.iter();
        let named = fields.filter(|field| field.kind == facts::FieldKind::ClassAttribute);
        let names = named.map(|field| self.program.symbol(file, field.name));
        let names = names.filter(|name| !self.program.symbols.text(*name).starts_with('_'));
        names
            .filter_map(|name| Some((name, *self.program.types[owner.at()].members.get(&name)?)))
            .collect()
    }

    /// Which members a read of an enumeration as if it were a container gives: each in turn, or that of a name.
    pub(super) fn members_read(&self, row: &ElementRow, class: TypeIndex) -> Vec<PlaceIndex> {
        if !self.is_enumeration(class) {
            return Vec::new();
        }
        let mut members = self.members_of_enumeration(class);
        match row.key {
            RowKey::Text(name) => members.retain(|(member, _)| *member == name),
            RowKey::Any if members.len() <= MEMBER_LIMIT => {}
            key if key.is_iteration() && members.len() <= MEMBER_LIMIT => {}
            _ => members.clear(),
        }
        members.into_iter().map(|(_, place)| place).collect()
    }

    /// Whether what the body says of a member is read: `color.value`.
    pub(super) fn reads_value(&self, row: &LoadRow, class: TypeIndex) -> bool {
        let name = self.program.symbols.text(row.member);
        matches!(name, "value" | "_value_") && self.is_enumeration(class)
    }

    /// Whether what is read of a place that holds a member is its value, which lies there as well: `PLANS.FREE.value` with `FREE = Plan(0)`.
    pub(super) fn is_value_of_member(&self, row: &LoadRow) -> bool {
        let mut held = self.held(row.base);
        held.any(|(_, object)| matches!(object, Object::Instance(class) if self.reads_value(row, class)))
    }

    /// Which members a call of an enumeration may give.
    pub(super) fn members_called(&self, call: u32, class: TypeIndex) -> Vec<PlaceIndex> {
        if self.makes_member(call) || !self.is_enumeration(class) {
            return Vec::new();
        }
        let members = self.members_of_enumeration(class);
        let members = members.into_iter().map(|(_, place)| place).collect::<Vec<_>>();
        if members.len() > MEMBER_LIMIT {
            Vec::new()
        } else {
            members
        }
    }

    /// Whether a call stands for what a class does with one name of its body, if that is a member.
    fn makes_member(&self, call: u32) -> bool {
        self.program.symbols.text(self.calls[call as usize].text) == MEMBER
    }

    /// Whether a call stands for a member that is none, or that no constructor of the index makes.
    pub(super) fn makes_no_member(&self, call: u32, class: TypeIndex) -> bool {
        let has = |name: &str| {
            let name = self.program.symbols.find(name);
            name.is_some_and(|name| self.program.find_member(class, name).is_some())
        };
        self.makes_member(call) && !(self.is_enumeration(class) && (has("__init__") || has("__new__")))
    }
}
