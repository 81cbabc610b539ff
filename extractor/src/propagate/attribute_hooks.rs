//! Attributes that a class answers for by methods of its own: `__getattr__`, `__setattr__`, and what descriptors are asked by.
//!
//! ```python
//! class Proxy:
//!     def __init__(self, inner): self._inner = inner
//!     def __getattr__(self, name): return getattr(self._inner, name)
//! Proxy(store).put(mail)            # `put` of what lies in `_inner`
//! ```
//!
//! A `__getattr__` that asks something else by the same name hands on: what is asked of the whole is asked of that.

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::implicit_row;
use super::arguments::Passing;
use super::object::{Object, ObjectId};
use super::rows::RowSite;
use super::solve::{ArgumentRow, Constraint, LoadRow, Solver};
use crate::facts::order::Point;
use crate::facts::{Constant, ElementKey, ElementStore, FieldKind, Function, FunctionId, Import};
use crate::link::{DerivedPlace, FileIndex, PackageIndex, PlaceIndex, Symbol, TypeIndex};

/// What a descriptor of a class is asked: for the value that comes to a place, or to keep what a store writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Asked {
    ForValue(PlaceIndex, TypeIndex),
    /// As `ForValue`, of a class and not of one of its objects.
    OfClass(PlaceIndex, TypeIndex),
    ToKeep(u32, TypeIndex),
}

/// Calls of descriptors, which are asked for what some objects keep.
#[derive(Debug, Default)]
pub(super) struct Hooks {
    calls: FxHashMap<Asked, u32>,
    asked: FxHashMap<u32, Hook>,
    /// What is asked of modules: by each load.
    modules: FxHashSet<(PlaceIndex, PackageIndex)>,
}

#[derive(Debug)]
struct Hook {
    /// Where the objects are, and others.
    base: PlaceIndex,
    receivers: Vec<ObjectId>,
    /// Where the descriptor gets them.
    parameters: Vec<PlaceIndex>,
}

impl Hooks {
    fn begin(&mut self, asked: Asked, call: u32, base: PlaceIndex) {
        self.calls.insert(asked, call);
        let (receivers, parameters) = Default::default();
        self.asked.insert(
            call,
            Hook {
                base,
                receivers,
                parameters,
            },
        );
    }
}

/// Most things that hand on to each other.
const CHAIN_LIMIT: u8 = 4;

impl Solver<'_> {
    /// What is not there is asked of `__getattr__`, and of what that hands it on to.
    pub(super) fn ask_for_attribute(&mut self, row: LoadRow, index: TypeIndex) {
        if !self.special_reads.insert((row.to, index)) {
            return;
        }
        self.special_read(row, ("__getattr__", index), row.base, &[None]);
        let depth = self.handed_on.get(&row.base).copied().unwrap_or_default();
        if depth >= CHAIN_LIMIT {
            return;
        }
        for path in self.asked_instead(index) {
            let (mut base, mut only) = (row.base, Some(index));
            for member in path {
                let inner = self.derive_place(DerivedPlace::Passing(row.function));
                self.handed_on.insert(inner, depth + 1);
                let load = LoadRow {
                    only,
                    ..LoadRow::implicit(base, member, inner, row.at())
                };
                self.push_load(load);
                (base, only) = (inner, None);
            }
            self.push_load(LoadRow {
                base,
                implicit: false,
                ..row
            });
        }
        // What no path leads to: `getattr(self.find(), name)`.
        for from in self.asked_elsewhere(index) {
            let inner = self.derive_place(DerivedPlace::Passing(row.function));
            self.handed_on.insert(inner, depth + 1);
            self.copy(from, inner);
            self.push_load(LoadRow { base: inner, ..row });
        }
    }

    /// What a module does not bind is asked of its own `__getattr__` ([PEP 562](https://peps.python.org/pep-0562/)).
    pub(super) fn ask_module(&mut self, row: LoadRow, package: PackageIndex) {
        let hook = self.program.symbols.find("__getattr__");
        let Some(hook) = hook.filter(|_| !row.implicit && self.program.is_asked_for_names(package)) else {
            return;
        };
        if row.member == hook || !self.hooks.modules.insert((row.to, package)) {
            return;
        }
        let callee = self.derive_place(DerivedPlace::Passing(row.function));
        let load = LoadRow::implicit(row.base, hook, callee, row.at());
        self.push_load(load);
        let given = ArgumentRow {
            text: Some(row.member),
            constant: Some(Constant::Text(row.member)),
            ..ArgumentRow::positional(None, row.position)
        };
        self.push_call(implicit_row(callee, load), &[given], &[row.to]);
    }

    /// `from lazy import reader`, where `lazy` does not bind it.
    pub(super) fn import_asked_for(&mut self, (file, import): (FileIndex, &Import), place: PlaceIndex) {
        let package = self.program.imported_package(file, import);
        let (Some(package), Some(member)) = (package, import.member) else {
            return;
        };
        let function = self.program.function(file, FunctionId(0));
        let base = self.derive_place(DerivedPlace::Passing(function));
        let module = self.objects.intern(Object::Package(package));
        self.add(base, module);
        let at = RowSite {
            file,
            function,
            position: import.position,
            point: Point::default(),
            silent: false,
        };
        let member = self.program.symbol(file, member);
        self.push_load(LoadRow {
            implicit: false,
            ..LoadRow::implicit(base, member, place, at)
        });
    }

    /// What a class's `__getattr__` asks by a name, where that is no member of its own object.
    fn asked_elsewhere(&self, index: TypeIndex) -> Vec<PlaceIndex> {
        let Some((_, (file, function))) = self.answering(index) else {
            return Vec::new();
        };
        let facts = &self.program.files[file.at()].facts;
        if facts.handed_on.iter().any(|(own, _)| *own == function) {
            return Vec::new();
        }
        let rows = facts.computed_members.iter();
        let rows = rows.filter(|(_, to)| facts.places[to.0 as usize].function == function);
        rows.map(|(base, _)| self.program.place(file, *base)).collect()
    }

    /// The `__getattr__` of a class, with the class that has it.
    fn answering(&self, index: TypeIndex) -> Option<(TypeIndex, (FileIndex, FunctionId))> {
        let mut order = self.program.types[index.at()].order.iter();
        order.find_map(|base| Some((*base, self.own_method(*base, "__getattr__")?)))
    }

    /// The method of that name that a class has by itself, with its file.
    fn own_method(&self, class: TypeIndex, method: &str) -> Option<(FileIndex, FunctionId)> {
        let file = self.program.types[class.at()].file;
        let facts = &self.program.files[file.at()].facts;
        let is_own = |function: &Function| {
            let owner = function.owner.map(|owner| self.program.type_index(file, owner));
            owner == Some(class) && facts.text(function.name) == method
        };
        let function = facts.functions.iter().position(is_own)?;
        Some((file, FunctionId(function as u32)))
    }

    /// Whether the `__setattr__` of a class, or one that it may call, keeps what goes by one name apart from the others.
    fn picks_a_name(&self, class: TypeIndex) -> bool {
        let order = self.program.types[class.at()].order.iter();
        let mut methods = order.filter_map(|base| self.own_method(*base, "__setattr__"));
        methods.any(|(file, function)| {
            let facts = &self.program.files[file.at()].facts;
            let stored = facts
                .stores
                .iter()
                .any(|store| store.function == function && store.from.is_some() && !store.implicit);
            let is_own = |store: &ElementStore| store.function == function && matches!(store.key, ElementKey::Text(_));
            stored || facts.element_stores.iter().any(is_own)
        })
    }

    /// What a class's `__getattr__` asks by the name that it is asked for: each by the members that lead there.
    fn asked_instead(&self, index: TypeIndex) -> Vec<Vec<Symbol>> {
        let Some((owner, (file, function))) = self.answering(index) else {
            return Vec::new();
        };
        let facts = &self.program.files[file.at()].facts;
        let rows = facts.handed_on.iter().filter(|(own, _)| *own == function);
        let paths = rows.map(|(_, path)| path.iter().map(|name| self.program.symbol(file, *name)).collect());
        // What a base keeps there is of all kinds that its other subclasses put in.
        let is_kept_here = |path: &Vec<Symbol>| {
            let field = path.first().and_then(|first| self.program.find_member(owner, *first));
            let kept_by = field.and_then(|field| self.program.member_of(field));
            kept_by.is_some_and(|member| member.owner == owner)
        };
        paths.filter(is_kept_here).collect()
    }

    /// Writing an attribute calls the class's `__setattr__`.
    pub(super) fn hand_to_class(&mut self, store: u32, index: TypeIndex) {
        let row = self.stores[store as usize];
        let is_plain = row.implicit || row.is_direct || row.deletes || !self.has(index, "__setattr__");
        if is_plain || !self.stores_handed.insert((store, index)) {
            return;
        }
        // One that goes by names would be given what goes by others: that it is called is told, and nothing more.
        if self.picks_a_name(index) {
            let mut order = self.program.types[index.at()].order.iter();
            let method = order.find_map(|base| self.own_method(*base, "__setattr__"));
            let method = method.map(|(file, function)| self.program.function(file, function));
            self.setters_told.extend(method.map(|method| (store, method)));
            return;
        }
        let name = ArgumentRow {
            text: Some(row.member),
            ..ArgumentRow::positional(None, row.position)
        };
        let value = ArgumentRow::positional(row.from, row.position);
        self.call_hook((row.base, index), "__setattr__", row.at(), &[name, value]);
    }

    fn call_hook(
        &mut self,
        (base, index): (PlaceIndex, TypeIndex),
        name: &str,
        at: RowSite,
        given: &[ArgumentRow],
    ) -> u32 {
        let member = self.program.symbols.intern(name);
        let callee = self.derive_place(DerivedPlace::Passing(at.function));
        let load = LoadRow {
            only: Some(index),
            ..LoadRow::implicit(base, member, callee, at)
        };
        self.push_load(load);
        self.push_call(implicit_row(callee, load), given, &[])
    }

    /// Reading a member that holds a descriptor calls its `__get__`.
    pub(super) fn call_descriptor(
        &mut self,
        row: LoadRow,
        index: TypeIndex,
        (place, receiver): (PlaceIndex, ObjectId),
    ) {
        let of_class = matches!(self.objects.get(receiver), Object::Class(_));
        let asked = match of_class {
            true => Asked::OfClass(row.to, index),
            false => Asked::ForValue(row.to, index),
        };
        if !self.hooks.calls.contains_key(&asked) {
            // `__get__(self, instance, owner)`: no instance, where a class is asked.
            let given = match of_class {
                true => [None, Some(row.base)],
                false => {
                    let owner = self.derive_place(DerivedPlace::Passing(row.function));
                    self.attach(row.base, Constraint::ClassOf(owner));
                    [Some(row.base), Some(owner)]
                }
            };
            // What was just written comes back as it is: that is told already.
            let to = match row.known {
                true => self.derive_place(DerivedPlace::Passing(row.function)),
                false => row.to,
            };
            let call = self.special_read(LoadRow { to, ..row }, ("__get__", index), place, &given);
            self.hooks.begin(asked, call, row.base);
        }
        self.ask_of(asked, receiver);
    }

    /// Whether a member is one of the class, and not only of its objects: `clock = Clock()` in its body, `Shop.clock = Clock()` from outside.
    pub(super) fn is_put_on_class(&self, place: PlaceIndex) -> bool {
        let member = self.program.member_of(place);
        let is_of_object = member.is_none_or(|member| member.field == Some(FieldKind::Attribute));
        !is_of_object || self.put_in.on_classes.contains(&place)
    }

    /// Writing a member that holds a descriptor calls its `__set__`.
    pub(super) fn set_descriptor(&mut self, store: u32, index: TypeIndex, (place, receiver): (PlaceIndex, ObjectId)) {
        let row = self.stores[store as usize];
        // What an object keeps itself is no descriptor: `self.clock = Clock()`.
        if !self.has(index, "__set__") || !self.is_put_on_class(place) {
            return;
        }
        let asked = Asked::ToKeep(store, index);
        if !self.hooks.calls.contains_key(&asked) {
            let given = [Some(row.base), row.from].map(|place| ArgumentRow::positional(place, row.position));
            let call = self.call_hook((place, index), "__set__", row.at(), &given);
            self.hooks.begin(asked, call, row.base);
        }
        self.ask_of(asked, receiver);
    }

    /// Whether what is written to a member goes to a descriptor, and what is read comes from it: all that is there is one that does both.
    pub(super) fn is_kept_by_descriptor(&self, place: PlaceIndex) -> bool {
        let is_descriptor = |object| match object {
            Object::Instance(class) => self.has(class, "__set__") && self.has(class, "__get__"),
            _ => false,
        };
        let mut held = self.held(place).map(|(_, object)| object).peekable();
        held.peek().is_some() && held.all(is_descriptor) && self.is_put_on_class(place)
    }

    /// A descriptor is asked for what one more object keeps there.
    fn ask_of(&mut self, asked: Asked, receiver: ObjectId) {
        let hook = self
            .hooks
            .calls
            .get(&asked)
            .and_then(|call| self.hooks.asked.get_mut(call));
        if let Some(hook) = hook.filter(|hook| !hook.receivers.contains(&receiver)) {
            hook.receivers.push(receiver);
            for parameter in hook.parameters.clone() {
                self.add(parameter, receiver);
            }
        }
    }

    /// What a descriptor is asked for goes to it, and nothing that lies beside: whether this is such an argument.
    pub(super) fn pass_to_hook(&mut self, call: u32, passing: Passing) -> bool {
        let plain = passing.gathered.is_none() && passing.spread.is_none();
        let hook = self.hooks.asked.get_mut(&call);
        let Some(hook) = hook.filter(|hook| plain && hook.base == passing.from) else {
            return false;
        };
        hook.parameters.push(passing.to);
        for receiver in hook.receivers.clone() {
            self.add(passing.to, receiver);
        }
        true
    }

    /// A call of `base.name(arguments)` whose value is what a load finds.
    pub(super) fn special_read(
        &mut self,
        row: LoadRow,
        (name, index): (&str, TypeIndex),
        base: PlaceIndex,
        given: &[Option<PlaceIndex>],
    ) -> u32 {
        let member = self.program.symbols.intern(name);
        let callee = self.derive_place(DerivedPlace::Passing(row.function));
        let load = LoadRow {
            base,
            member,
            to: callee,
            after: None,
            implicit: true,
            known: false,
            only: (name == "__getattr__").then_some(index),
            without: [None; 2],
            ..row
        };
        self.push_load(load);
        // `__getattr__` is told what is asked for.
        let asked = (name == "__getattr__").then_some(row.member);
        let given = given.iter().map(|place| ArgumentRow {
            text: asked,
            constant: match asked {
                Some(asked) => Some(Constant::Text(asked)),
                // Of a class, `__get__` is asked for no instance.
                None => place.is_none().then_some(Constant::Nothing),
            },
            ..ArgumentRow::positional(*place, row.position)
        });
        let given: Vec<ArgumentRow> = given.collect();
        self.push_call(implicit_row(callee, load), &given, &[row.to])
    }
}
