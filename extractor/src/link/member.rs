//! Members of types: fields and methods, each with a place; bases, lookup order, and who implements what.
//!
//! `class B(A)` with `A.x` set in `A.__init__` and `def f` in `B`: `A` has the member `x`, `B` has `f`, `B`'s order is
//! `[B, A]`, and a look-up of `x` in `B` finds `A`'s place. A Go struct that embeds another finds the other's members the same
//! way, nearest first.

use ripple_schema::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::scope::TypeMeaning;
use super::{Base, DerivedPlace, FileIndex, PlaceIndex, Program, Symbol, TypeIndex};
use crate::facts::{Binding, FieldKind, Position, TypeExpression, TypeExpressionId, TypeKind};

/// A member of a type.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// The type.
    pub owner: TypeIndex,
    /// Its name.
    pub name: Symbol,
    /// A field or attribute; otherwise a method or what else a class body binds.
    pub field: Option<FieldKind>,
    /// Index among the type's fields, if it was declared there.
    pub declared: Option<u32>,
    /// Where it is declared or first set.
    pub position: Position,
    /// File of that position.
    pub file: FileIndex,
}

pub(super) fn fill(program: &mut Program) {
    own_members(program);
    bases(program);
    orders(program);
    inherited_properties(program);
}

/// `self.status = 304` below a class with a property `status` asks that, and makes no attribute.
fn inherited_properties(program: &mut Program) {
    let mut properties: FxHashMap<Symbol, FxHashSet<TypeIndex>> = FxHashMap::default();
    for (index, file) in program.files.iter().enumerate() {
        let file_index = FileIndex(index as u32);
        for (local, function) in file.facts.functions.iter().enumerate() {
            // An object may have an attribute in the place of what a class of the program makes.
            let is_kept = || file.facts.described.iter().any(|(own, _)| own.0 as usize == local);
            if let (Some(owner), Binding::Property) = (function.owner, function.binding)
                && !is_kept()
            {
                let name = program.symbol(file_index, function.name);
                let owner = program.type_index(file_index, owner);
                properties.entry(name).or_default().insert(owner);
            }
        }
    }
    if properties.is_empty() {
        return;
    }
    for index in 0..program.types.len() {
        let row = &program.types[index];
        let above = row.order.get(1..).unwrap_or_default();
        let is_property = |name: &Symbol| {
            let owners = properties.get(name);
            owners.is_some_and(|owners| {
                let is_own = owners.contains(&TypeIndex(index as u32));
                !is_own && above.iter().any(|base| owners.contains(base))
            })
        };
        let is_attribute = |place: &PlaceIndex| {
            let member = program.member_of(*place);
            member.is_some_and(|member| member.field == Some(FieldKind::Attribute))
        };
        let members = row
            .members
            .iter()
            .filter(|(name, place)| is_attribute(place) && is_property(name));
        let asked: Vec<Symbol> = members.map(|(name, _)| *name).collect();
        for name in asked {
            program.types[index].members.remove(&name);
        }
    }
    program.properties = properties;
}

fn own_members(program: &mut Program) {
    for index in 0..program.types.len() {
        let owner = TypeIndex(index as u32);
        let file = program.types[index].file;
        let facts = program.files[file.at()].facts.clone();
        let local = program.types[index].local;
        for (number, field) in facts.types[local.0 as usize].fields.iter().enumerate() {
            let name = program.symbol(file, field.name);
            let kind = Some(field.kind);
            program.add_member(Member {
                owner,
                name,
                field: kind,
                declared: Some(number as u32),
                position: field.position,
                file,
            });
        }
    }
    for index in 0..program.files.len() {
        let file = FileIndex(index as u32);
        let facts = program.files[index].facts.clone();
        for value in &facts.member_values {
            let owner = program.type_index(file, value.owner);
            let name = program.symbol(file, value.member);
            program.add_member(Member {
                owner,
                name,
                field: None,
                declared: None,
                position: value.position,
                file,
            });
        }
        for (local, function) in facts.functions.iter().enumerate() {
            let id = program.function(file, crate::facts::FunctionId(local as u32));
            let owner = match (function.owner, function.receiver_type) {
                (Some(owner), _) => Some(program.type_index(file, owner)),
                (None, Some(receiver)) => program.receiver_type(file, receiver),
                (None, None) => None,
            };
            program.functions[id.at()].owner = owner;
            if let Some(owner) = owner
                && program.files[index].language == Language::Go
            {
                let name = program.symbol(file, function.name);
                let position = function.position;
                program.add_member(Member {
                    owner,
                    name,
                    field: None,
                    declared: None,
                    position,
                    file,
                });
            }
        }
    }
}

fn bases(program: &mut Program) {
    for index in 0..program.types.len() {
        let file = program.types[index].file;
        let facts = program.files[file.at()].facts.clone();
        let own = &facts.types[program.types[index].local.0 as usize];
        let embedded = own
            .fields
            .iter()
            .filter(|field| field.embedded)
            .filter_map(|field| field.declared);
        // A named type has the methods of what it names only if that is an interface, or a struct's promoted ones.
        let underlying = own
            .underlying
            .filter(|_| matches!(own.kind, TypeKind::Named | TypeKind::Alias));
        let named: Vec<TypeExpressionId> = own.bases.iter().copied().chain(embedded).chain(underlying).collect();
        let mut bases = Vec::new();
        for expression in named {
            match program.head_type(file, expression, 0) {
                TypeMeaning::Type(base) if base.at() != index => bases.push(Base::Type(base)),
                TypeMeaning::External(name) => bases.push(Base::External(name)),
                TypeMeaning::Unknown => {
                    if let Some(name) = program.written_type(file, expression) {
                        bases.push(Base::External(name));
                    }
                }
                _ => {}
            }
        }
        program.types[index].bases = bases;
    }
}

/// Whether a base from outside brings nothing along that could be asked for.
pub fn has_no_members(base: &str) -> bool {
    matches!(
        base,
        "object" | "abc.ABC" | "ABC" | "typing.Generic" | "typing.Protocol" | "typing_extensions.Protocol"
    )
}

impl Program {
    /// Whether nobody knows what a base of a class is, or of one that it derives from: callers hand it in, or a call gives it.
    pub fn has_unknown_base(&self, class: TypeIndex) -> bool {
        let mut order = self.types[class.at()].order.iter();
        order.any(|base| self.names_unknown_base(*base))
    }

    fn names_unknown_base(&self, class: TypeIndex) -> bool {
        let row = &self.types[class.at()];
        let facts = &self.files[row.file.at()].facts;
        let mut bases = facts.types[row.local.0 as usize].bases.iter();
        bases.any(|base| matches!(facts.type_expressions[base.0 as usize], TypeExpression::Unknown))
    }
}

fn orders(program: &mut Program) {
    let mut orders: Vec<Option<Vec<TypeIndex>>> = vec![None; program.types.len()];
    for index in 0..program.types.len() {
        order_of(program, TypeIndex(index as u32), &mut orders, &mut Vec::new());
    }
    for (index, order) in orders.into_iter().enumerate() {
        let own = TypeIndex(index as u32);
        let order = order.unwrap_or_else(|| vec![own]);
        for base in order.iter().filter(|base| **base != own) {
            program.types[base.at()].subtypes.push(own);
        }
        let is_external = |base: &TypeIndex| {
            program.types[base.at()].bases.iter().any(|base| match base {
                Base::External(name) => !has_no_members(program.symbols.text(*name)),
                Base::Type(_) => false,
            })
        };
        let open = order
            .iter()
            .any(|base| is_external(base) || program.names_unknown_base(*base));
        program.types[index].open = open;
        program.types[index].order = order;
    }
}

/// C3 linearization (Barrett et al. 1996, <https://www.python.org/download/releases/2.3/mro/>); where it does not exist, breadth first. For Go,
/// what is embedded least deep (The Go Programming Language Specification, *Selectors*).
fn order_of(
    program: &Program,
    own: TypeIndex,
    orders: &mut Vec<Option<Vec<TypeIndex>>>,
    open: &mut Vec<TypeIndex>,
) -> Vec<TypeIndex> {
    if let Some(order) = &orders[own.at()] {
        return order.clone();
    }
    if program.type_language(own) == Language::Go {
        let order = by_depth(program, own);
        orders[own.at()] = Some(order.clone());
        return order;
    }
    if open.contains(&own) || open.len() > 200 {
        return vec![own];
    }
    open.push(own);
    let bases: Vec<TypeIndex> = program.types[own.at()]
        .bases
        .iter()
        .filter_map(|base| match base {
            Base::Type(base) => Some(*base),
            Base::External(_) => None,
        })
        .collect();
    let mut lists: Vec<Vec<TypeIndex>> = bases
        .iter()
        .map(|base| order_of(program, *base, orders, open))
        .collect();
    open.pop();
    lists.push(bases);
    let mut order = vec![own];
    order.extend(merge(lists.clone()).unwrap_or_else(|| breadth_first(lists)));
    let mut seen = FxHashSet::default();
    order.retain(|entry| seen.insert(*entry));
    orders[own.at()] = Some(order.clone());
    order
}

/// The types that one embeds, and those that these embed, one level after the other.
fn by_depth(program: &Program, own: TypeIndex) -> Vec<TypeIndex> {
    let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
    let mut level = vec![own];
    while !level.is_empty() {
        level.retain(|entry| seen.insert(*entry));
        order.extend(&level);
        let bases = level.iter().flat_map(|entry| &program.types[entry.at()].bases);
        let bases = bases.filter_map(|base| match base {
            Base::Type(base) => Some(*base),
            Base::External(_) => None,
        });
        level = bases.collect();
    }
    order
}

fn merge(mut lists: Vec<Vec<TypeIndex>>) -> Option<Vec<TypeIndex>> {
    let mut merged = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return Some(merged);
        }
        let next = lists
            .iter()
            .map(|list| list[0])
            .find(|head| !lists.iter().any(|list| list[1..].contains(head)))?;
        merged.push(next);
        for list in &mut lists {
            if list.first() == Some(&next) {
                list.remove(0);
            }
        }
    }
}

fn breadth_first(lists: Vec<Vec<TypeIndex>>) -> Vec<TypeIndex> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .flat_map(|index| {
            lists
                .iter()
                .filter_map(move |list| list.get(index).copied())
                .collect::<Vec<_>>()
        })
        .collect()
}

impl Program {
    /// Adds a member, or gives the place of the one that is there. A field stays a field.
    pub fn add_member(&mut self, member: Member) -> PlaceIndex {
        if let Some(place) = self.types[member.owner.at()].members.get(&member.name) {
            let place = *place;
            if let Some(DerivedPlace::Member(known)) =
                self.derived_places.get_mut((place.0 - self.local_places) as usize)
            {
                known.field = known.field.or(member.field);
                known.declared = known.declared.or(member.declared);
            }
            return place;
        }
        let place = self.derive_place(DerivedPlace::Member(member));
        self.types[member.owner.at()].members.insert(member.name, place);
        place
    }

    /// The nearest member of that name along the type's order.
    pub fn find_member(&self, owner: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        self.types[owner.at()]
            .order
            .iter()
            .find_map(|base| self.types[base.at()].members.get(&name).copied())
    }

    /// As [`Program::find_member`], past `after` in the order: what `super()` finds.
    pub fn find_member_after(&self, owner: TypeIndex, after: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        let order = &self.types[owner.at()].order;
        let start = order.iter().position(|base| *base == after)? + 1;
        order[start..]
            .iter()
            .find_map(|base| self.types[base.at()].members.get(&name).copied())
    }

    /// Where a write to a member of an instance goes: the most basic class that sets it on instances, else the nearest that
    /// has it. Reads then find it from any class in between.
    pub fn find_attribute_owner(&self, owner: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        if let Some(property) = self.find_property(owner, name) {
            return Some(property);
        }
        let places = self.types[owner.at()]
            .order
            .iter()
            .filter_map(|base| self.types[base.at()].members.get(&name));
        let places: Vec<PlaceIndex> = places.copied().collect();
        let on_instances = places.iter().rev().find(|place| {
            self.member_of(**place)
                .is_some_and(|member| member.field == Some(FieldKind::Attribute))
        });
        on_instances.or(places.first()).copied()
    }

    /// The property of that name that a class has: it goes before whatever objects have
    /// (<https://docs.python.org/3/howto/descriptor.html#invocation-from-an-instance>).
    fn find_property(&self, owner: TypeIndex, name: Symbol) -> Option<PlaceIndex> {
        let owners = self.properties.get(&name)?;
        let mut order = self.types[owner.at()].order.iter();
        let base = order.find(|base| owners.contains(base))?;
        let place = self.types[base.at()].members.get(&name)?;
        // A class in between may bind the name to something else.
        (self.find_member(owner, name) == Some(*place)).then_some(*place)
    }

    /// Every place that a read of an instance's member may find: the nearest, and those that instances are given.
    pub fn find_readable(&self, owner: TypeIndex, name: Symbol) -> Vec<PlaceIndex> {
        if let Some(property) = self.find_property(owner, name) {
            return vec![property];
        }
        let mut found: Vec<PlaceIndex> = Vec::new();
        for base in &self.types[owner.at()].order {
            if let Some(place) = self.types[base.at()].members.get(&name) {
                let on_instances = self
                    .member_of(*place)
                    .is_some_and(|member| member.field == Some(FieldKind::Attribute));
                if found.is_empty() || on_instances {
                    found.push(*place);
                }
            }
        }
        found
    }

    /// The named type at the head of an expression: through pointers, generics and aliases.
    pub fn head_type(&mut self, file: FileIndex, id: TypeExpressionId, depth: u32) -> TypeMeaning {
        if depth > 16 {
            return TypeMeaning::Unknown;
        }
        match self.type_expression(file, id).clone() {
            TypeExpression::Path { parts, function } => match self.type_named(file, function, &parts) {
                TypeMeaning::Type(index) => self.through_alias(index, depth),
                meaning => meaning,
            },
            TypeExpression::Local(local) => TypeMeaning::Type(self.type_index(file, local)),
            TypeExpression::Pointer(inner) | TypeExpression::Generic(inner, _) => {
                self.head_type(file, inner, depth + 1)
            }
            TypeExpression::Union(sides) if sides.len() == 1 => self.head_type(file, sides[0], depth + 1),
            _ => TypeMeaning::Unknown,
        }
    }

    fn through_alias(&mut self, index: TypeIndex, depth: u32) -> TypeMeaning {
        let facts = self.type_facts(index);
        if facts.kind == TypeKind::Alias
            && let Some(underlying) = facts.underlying
        {
            let file = self.types[index.at()].file;
            return match self.head_type(file, underlying, depth + 1) {
                TypeMeaning::Unknown => TypeMeaning::Type(index),
                meaning => meaning,
            };
        }
        TypeMeaning::Type(index)
    }

    /// A dotted type name as written, for a type that nothing binds.
    fn written_type(&mut self, file: FileIndex, id: TypeExpressionId) -> Option<Symbol> {
        match self.type_expression(file, id).clone() {
            TypeExpression::Path { parts, .. } => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.files[file.at()].facts.text(*part).to_owned())
                    .collect();
                Some(self.symbols.intern(&parts.join(".")))
            }
            TypeExpression::Generic(head, _) | TypeExpression::Pointer(head) => self.written_type(file, head),
            _ => None,
        }
    }

    fn receiver_type(&mut self, file: FileIndex, id: TypeExpressionId) -> Option<TypeIndex> {
        match self.head_type(file, id, 0) {
            TypeMeaning::Type(index) => Some(index),
            _ => None,
        }
    }

    /// Method names of a Go type, promoted ones included, with the place of each.
    pub fn method_set(&self, owner: TypeIndex) -> FxHashMap<Symbol, PlaceIndex> {
        let order = &self.types[owner.at()].order;
        // A type that is defined by another has its fields and not its methods, unless that is an interface.
        let mut left_out: Vec<TypeIndex> = Vec::new();
        for named in order
            .iter()
            .filter(|named| self.type_facts(**named).kind == TypeKind::Named)
        {
            let bases = self.types[named.at()].bases.iter().filter_map(|base| match base {
                Base::Type(base) => Some(*base),
                Base::External(_) => None,
            });
            left_out.extend(bases.filter(|base| self.type_facts(*base).kind != TypeKind::Interface));
        }
        let mut set = FxHashMap::default();
        for base in order.iter().filter(|base| !left_out.contains(base)) {
            for (name, place) in &self.types[base.at()].members {
                if self.member_of(*place).is_some_and(|member| member.field.is_none()) {
                    set.entry(*name).or_insert(*place);
                }
            }
        }
        set
    }
}
