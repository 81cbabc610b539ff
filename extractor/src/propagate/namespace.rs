//! Dictionaries of what an object keeps: `vars(order)` gives each member under its name.

use rustc_hash::FxHashSet;

use super::object::Object;
use super::solve::{ElementRow, LoadRow, RowBase, RowKey, RowSite, Solver, StoreRow};
use crate::facts::{ContainerKind, FieldKind, PlaceKind};
use crate::link::{DerivedPlace, Part, PlaceIndex, Symbol, TypeIndex};

/// Most members that are told apart; of more, none is read.
const MEMBER_LIMIT: usize = 128;

/// Most classes of a method's own object whose members are told.
const CLASS_LIMIT: usize = 8;

/// Most dictionaries inside each other.
const DEPTH_LIMIT: u8 = 3;

/// A dictionary of the members of an object.
#[derive(Debug)]
pub(super) struct Namespace {
    of: PlaceIndex,
    to: PlaceIndex,
    at: RowSite,
    told: FxHashSet<Symbol>,
    /// What its parts are, as long as none of them was found to be an object with fields of its own.
    values: Vec<(Symbol, PlaceIndex)>,
    /// How many others it lies in.
    depth: u8,
    kind: Kind,
}

/// What becomes of the members of an object.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// A tuple of them, in the order of the constructor's parameters: `astuple(order)`.
    pub is_tuple: bool,
    /// Members that are such objects are dictionaries, too: `asdict(order)["customer"]["name"]`. In `vars(order)` they stay what they are.
    pub is_deep: bool,
}

impl Solver<'_> {
    /// A place gets the dictionary of what is in another one.
    pub(super) fn give_namespace(&mut self, ends: (PlaceIndex, PlaceIndex), at: RowSite, kind: Kind) {
        self.give_namespace_inside(ends, at, 0, kind);
    }

    fn give_namespace_inside(&mut self, (of, to): (PlaceIndex, PlaceIndex), at: RowSite, depth: u8, kind: Kind) {
        let object = self.objects.intern(Object::Container {
            kind: if kind.is_tuple {
                ContainerKind::Tuple
            } else {
                ContainerKind::Map
            },
            site: to,
        });
        self.add(to, object);
        if self.namespaces.iter().all(|row| row.to != to) {
            let told = FxHashSet::default();
            self.namespaces.push(Namespace {
                of,
                to,
                at,
                told,
                values: Vec::new(),
                depth,
                kind,
            });
        }
    }

    /// Members that objects were found to have since. Whether there are any.
    pub(super) fn fill_namespaces(&mut self) -> bool {
        let mut new = false;
        for index in 0..self.namespaces.len() {
            let Namespace { of, to, at, .. } = self.namespaces[index];
            for member in self.members_kept(of) {
                let told = &mut self.namespaces[index].told;
                if told.len() >= MEMBER_LIMIT || !told.insert(member) {
                    continue;
                }
                let key = match self.namespaces[index].kind.is_tuple {
                    true => self.position_in(of, member).map(RowKey::Index),
                    false => Some(RowKey::Text(member)),
                };
                let Some(key) = key else { continue };
                new = true;
                let value = self.derive_place(DerivedPlace::Passing(at.function));
                self.push_load(LoadRow::implicit(of, member, value, at));
                let part = (to, key, value);
                self.push_element_store(ElementRow::made(part, RowBase::Result, at));
                self.namespaces[index].values.push((member, value));
            }
            new |= self.keep_put(index);
            new |= self.nest(index);
        }
        new
    }

    /// `asdict(order)["customer"]` is a dictionary as well, where the field is such an object, and a list of them where it is a list. Whether
    /// any was found.
    fn nest(&mut self, index: usize) -> bool {
        let Namespace {
            to, at, depth, kind, ..
        } = self.namespaces[index];
        if depth >= DEPTH_LIMIT || kind.is_tuple || !kind.is_deep {
            return false;
        }
        let mut values = std::mem::take(&mut self.namespaces[index].values);
        let before = values.len();
        values.retain(|(member, value)| {
            let part = |inner| (to, RowKey::Text(*member), inner);
            if self.holds_fields(*value) {
                let inner = self.derive_place(DerivedPlace::Passing(at.function));
                self.give_namespace_inside((*value, inner), at, depth + 1, kind);
                self.push_element_store(ElementRow::made(part(inner), RowBase::Result, at));
                return false;
            }
            let element = self.listed(*value).filter(|element| self.holds_fields(*element));
            let Some(element) = element else { return true };
            let [inner, list] = [(); 2].map(|()| self.derive_place(DerivedPlace::Passing(at.function)));
            self.give_namespace_inside((element, inner), at, depth + 1, kind);
            let object = self.objects.intern(Object::Container {
                kind: ContainerKind::List,
                site: list,
            });
            self.add(list, object);
            self.push_element_store(ElementRow::made((list, RowKey::Any, inner), RowBase::Result, at));
            self.push_element_store(ElementRow::made(part(list), RowBase::Result, at));
            false
        });
        let is_new = values.len() < before;
        self.namespaces[index].values = values;
        is_new
    }

    /// Whether a place holds objects of classes whose constructor their fields make.
    fn holds_fields(&self, place: PlaceIndex) -> bool {
        self.held(place).any(|(_, object)| match object {
            Object::Instance(class) | Object::AnyOf(class) => self.has_generated_constructor(class),
            _ => false,
        })
    }

    /// A part of the list in a place that holds such an object, if there is one.
    fn listed(&self, place: PlaceIndex) -> Option<PlaceIndex> {
        let lists = self.held(place).filter_map(|(id, _)| self.parts.get(&id));
        lists
            .flatten()
            .map(|(_, part)| *part)
            .find(|part| self.holds_fields(*part))
    }

    /// `vars(self).update(options)`: what is put into the dictionary under a constant key is a member. Whether there is any.
    fn keep_put(&mut self, index: usize) -> bool {
        let Namespace { of, to, at, .. } = self.namespaces[index];
        let site = to;
        let own = self.objects.find(Object::Container {
            kind: ContainerKind::Map,
            site,
        });
        let parts = own.and_then(|own| self.parts.get(&own)).cloned().unwrap_or_default();
        let mut new = false;
        for (part, place) in parts {
            let Part::Text(member) = part else { continue };
            let told = &mut self.namespaces[index].told;
            if told.len() < MEMBER_LIMIT && told.insert(member) {
                new = true;
                self.push_store(StoreRow::implicit(of, member, place, at));
            }
        }
        new
    }

    /// Which parameter of the constructor of what is in a place fills a member.
    fn position_in(&self, of: PlaceIndex, member: Symbol) -> Option<u32> {
        self.held(of).find_map(|(_, object)| {
            let (Object::Instance(index) | Object::AnyOf(index)) = object else {
                return None;
            };
            let fields = self.constructor_fields(index);
            let position = fields.iter().position(|field| field.name == member)?;
            Some(position as u32)
        })
    }

    /// The names of what the objects in a place keep themselves; none if there are too many.
    fn members_kept(&self, of: PlaceIndex) -> Vec<Symbol> {
        let mut names: Vec<Symbol> = Vec::new();
        let classes = self.held(of).filter_map(|(_, object)| match object {
            Object::Instance(index) | Object::AnyOf(index) => Some(index),
            _ => None,
        });
        let mut classes: Vec<TypeIndex> = classes.collect();
        // A method's own object may be of any class below, each with members of its own: of many, those of its own class are told.
        if classes.len() > CLASS_LIMIT && self.program.place_kind(of) == Some(PlaceKind::Receiver) {
            let owner = self.program.owner_of(of);
            let owner = owner.and_then(|function| self.program.functions[function.at()].owner);
            classes = owner.into_iter().collect();
        }
        for index in classes {
            for base in &self.program.types[index.at()].order {
                let members = self.program.types[base.at()].members.iter();
                let is_kept = |place: &PlaceIndex| {
                    let member = self.program.member_of(*place);
                    member.is_some_and(|member| matches!(member.field, Some(FieldKind::Field | FieldKind::Attribute)))
                };
                names.extend(members.filter(|(_, place)| is_kept(place)).map(|(name, _)| *name));
            }
            // What a generated constructor fills stands in the class's body.
            if self.is_model(index) {
                names.extend(self.constructor_fields(index).iter().map(|field| field.name));
            }
        }
        names.sort_unstable_by_key(|name| self.program.symbols.text(*name));
        names.dedup();
        if names.len() > MEMBER_LIMIT {
            names.clear();
        }
        names
    }
}
