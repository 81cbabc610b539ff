//! What is made of the solver before edges are written, since only one may add to it: what unknown calls and containers are called,
//! and what named types stand for.
//!
//! `shop.cart.send()` of an unknown `shop` is a call of `send`; `handlers[kind]()` one of `(value)`, since there is no name.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::{Binding, FieldKind, Function, Naming, TypeKind};
use crate::link::{FileIndex, PlaceIndex, Symbol, TypeIndex};
use crate::propagate::cut::Cut;
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::solve::{Solver, Target};

/// See the module's documentation.
pub(super) struct Names {
    calls: FxHashMap<u32, Symbol>,
    containers: FxHashMap<PlaceIndex, Symbol>,
    value: Symbol,
    container: Symbol,
    /// Whoever looks up what a text names.
    pub(super) text: Symbol,
    underlying: FxHashMap<TypeIndex, Vec<ObjectId>>,
    /// Attributes of things of libraries that the index writes: the thing, the attribute, and both in one name.
    attributes: FxHashMap<(Symbol, Symbol), Symbol>,
    /// The names of those attributes.
    attribute_names: FxHashSet<Symbol>,
    /// The names of methods.
    methods: FxHashSet<Symbol>,
    /// The names of functions at file level: a module has them as an object has its methods.
    functions: FxHashSet<Symbol>,
    /// The names of properties.
    properties: FxHashSet<Symbol>,
    /// The names of fields.
    fields: FxHashSet<Symbol>,
    /// What fields are called on a wire where their class calls all of them otherwise.
    renamed: FxHashMap<(Naming, Symbol), Symbol>,
}

impl Names {
    /// Of the calls that no function answers, of what budgets leave out, and of all types.
    pub(super) fn new(solver: &mut Solver<'_>, cut: &Cut) -> Self {
        let mut names = Self {
            calls: FxHashMap::default(),
            containers: FxHashMap::default(),
            value: solver.program.symbols.intern("(value)"),
            container: solver.program.symbols.intern("(container)"),
            text: solver.program.symbols.intern("a text that names it"),
            underlying: FxHashMap::default(),
            attributes: FxHashMap::default(),
            attribute_names: FxHashSet::default(),
            methods: FxHashSet::default(),
            functions: FxHashSet::default(),
            properties: FxHashSet::default(),
            fields: FxHashSet::default(),
            renamed: FxHashMap::default(),
        };
        names.rename_fields(solver);
        names.name_columns(solver);
        let rows = solver.calls.iter().enumerate();
        let is_unknown = |targets: &[Target]| matches!(targets, [] | [Target::Opaque]);
        let unknown = rows.filter(|(_, row)| !row.silent && is_unknown(&row.targets));
        let unknown: Vec<u32> = unknown.map(|(call, _)| call as u32).collect();
        for call in unknown.iter().chain(&cut.calls) {
            let symbols = &mut solver.program.symbols;
            let text = symbols.text(solver.calls[*call as usize].text);
            let last = text.rsplit('.').next().unwrap_or(text).to_owned();
            if !last.is_empty() {
                names.calls.insert(*call, symbols.intern(&last));
            }
        }
        for write in &cut.writes {
            let program = &mut *solver.program;
            let named = program.local_place(write.container).map(|(file, local)| {
                let name = program.files[file.at()].facts.places[local.0 as usize].name;
                program.symbol(file, name)
            });
            if let Some(name) = named.filter(|name| !program.symbols.text(*name).is_empty()) {
                names.containers.insert(write.container, name);
            }
        }
        for index in (0..solver.program.types.len() as u32).map(TypeIndex) {
            let objects = solver.underlying_objects(index);
            if !objects.is_empty() {
                names.underlying.insert(index, objects);
            }
        }
        names.note_attributes(solver);
        let members = solver.program.types.iter().flat_map(|row| &row.members);
        let is_method = |place| {
            solver
                .program
                .member_of(place)
                .is_some_and(|member| member.field.is_none())
        };
        for (index, file) in solver.program.files.iter().enumerate() {
            let functions = file.facts.functions.iter();
            let alone = functions.clone().filter(|function| function.owner.is_none());
            let properties = functions.filter(|function| function.binding == Binding::Property);
            let name = |function: &Function| solver.program.symbol(FileIndex(index as u32), function.name);
            names.functions.extend(alone.map(name));
            names.properties.extend(properties.map(name));
        }
        for (name, place) in members {
            if is_descriptor(solver, *place) {
                names.properties.insert(*name);
            }
            let names = match is_method(*place) {
                true => &mut names.methods,
                false => &mut names.fields,
            };
            names.insert(*name);
        }
        names
    }

    fn note_attributes(&mut self, solver: &mut Solver<'_>) {
        for row in solver.stores.iter().filter(|row| row.from.is_some()) {
            for object in &solver.slots[row.base.at()].contents {
                if let Object::External(of) = solver.objects.get(*object) {
                    let symbols = &mut solver.program.symbols;
                    let name = format!("{}.{}", symbols.text(of), symbols.text(row.member));
                    self.attributes.insert((of, row.member), symbols.intern(&name));
                    self.attribute_names.insert(row.member);
                }
            }
        }
    }

    /// The name of an attribute of something of a library's, if the index writes it.
    pub(super) fn of_attribute(&self, of: Symbol, member: Symbol) -> Option<Symbol> {
        self.attributes.get(&(of, member)).copied()
    }

    /// Whether the index writes an attribute of that name of anything of a library's.
    pub(super) fn is_of_an_attribute(&self, member: Symbol) -> bool {
        self.attribute_names.contains(&member)
    }

    /// Whether a method of the index is called so.
    pub(super) fn is_of_a_method(&self, name: Symbol) -> bool {
        self.methods.contains(&name)
    }

    /// Whether a function of the index that is no method is called so.
    pub(super) fn is_of_a_function(&self, name: Symbol) -> bool {
        self.functions.contains(&name)
    }

    /// Whether a field of the index is called so.
    pub(super) fn is_of_a_field(&self, name: Symbol) -> bool {
        self.fields.contains(&name)
    }

    /// Whether a property of the index is called so.
    pub(super) fn is_of_a_property(&self, name: Symbol) -> bool {
        self.properties.contains(&name)
    }

    /// What a call calls, by its last name.
    pub(super) fn of_call(&self, call: u32) -> Symbol {
        self.calls.get(&call).copied().unwrap_or(self.value)
    }

    /// What a container is called where it is written.
    pub(super) fn of_container(&self, place: PlaceIndex) -> Symbol {
        self.containers.get(&place).copied().unwrap_or(self.container)
    }

    fn rename_fields(&mut self, solver: &mut Solver<'_>) {
        for index in 0..solver.program.types.len() {
            let index = TypeIndex(index as u32);
            let Some(naming) = solver.naming_of(index) else {
                continue;
            };
            for base in solver.program.types[index.at()].order.clone() {
                let file = solver.program.types[base.at()].file;
                for field in solver.program.type_facts(base).fields.clone() {
                    let name = solver.program.symbol(file, field.name);
                    let renamed = naming.of(solver.program.symbols.text(name));
                    let renamed = solver.program.symbols.intern(&renamed);
                    self.renamed.insert((naming, name), renamed);
                }
            }
        }
    }

    /// What the columns are called in which fields of Go structures are kept that name none, where a library keeps them so.
    fn name_columns(&mut self, solver: &mut Solver<'_>) {
        let is_kept = |file: &crate::link::File| {
            let mut imports = file.facts.imports.iter();
            imports.any(|import| file.facts.text(import.path).ends_with("/gorm"))
        };
        if !solver.program.files.iter().any(is_kept) {
            return;
        }
        for index in 0..solver.program.types.len() {
            let index = TypeIndex(index as u32);
            let facts = solver.program.type_facts(index);
            if facts.kind != TypeKind::Struct {
                continue;
            }
            let file = solver.program.types[index.at()].file;
            let unnamed = facts
                .fields
                .iter()
                .filter(|field| field.columns.is_empty() && field.keys.is_empty());
            let unnamed: Vec<Symbol> = unnamed.map(|field| solver.program.symbol(file, field.name)).collect();
            for name in unnamed {
                let column = Naming::Snake.of(solver.program.symbols.text(name));
                let column = solver.program.symbols.intern(&column);
                self.renamed.insert((Naming::Snake, name), column);
            }
        }
    }

    /// What a field of this name is called on a wire.
    pub(super) fn renamed(&self, naming: Naming, name: Symbol) -> Symbol {
        self.renamed.get(&(naming, name)).copied().unwrap_or(name)
    }

    /// What a named type is a name for.
    pub(super) fn underlying(&self, index: TypeIndex) -> &[ObjectId] {
        self.underlying.get(&index).map_or(&[], Vec::as_slice)
    }
}

/// Whether a class attribute answers for what is read under its name: `x = property(get_x)`, `timeout = Parameter()` of a class with `__get__`.
fn is_descriptor(solver: &Solver<'_>, place: PlaceIndex) -> bool {
    let program = &solver.program;
    let is_attribute = program
        .member_of(place)
        .is_some_and(|member| member.field == Some(FieldKind::ClassAttribute));
    let has = |class: TypeIndex, method: &str| {
        let method = program.symbols.find(method);
        method.is_some_and(|method| program.find_member(class, method).is_some())
    };
    solver.member_bindings.contains_key(&place)
        || is_attribute
            && solver.held(place).any(|(_, object)| match object {
                Object::External(name) => {
                    let name = program.symbols.text(name).trim_end_matches("()");
                    matches!(name, "property" | "functools.cached_property")
                }
                Object::Instance(class) => has(class, "__get__") || has(class, "__set__"),
                Object::Function(function) => solver.property_made(function, place).is_some(),
                _ => false,
            })
}
