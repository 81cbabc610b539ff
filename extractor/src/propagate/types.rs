//! Declared types as objects, and which types implement which interfaces.
//!
//! `orders []*Order` holds a typed container whose elements hold `Instance(Order)`; `store Store`, an interface, holds
//! `AnyOf(Store)`; `w http.ResponseWriter` holds the external `net/http.ResponseWriter`.

use ripple_schema::Language;
use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{ListId, Object, ObjectId};
use super::records::FRAME;
use super::signatures::Method;
use super::solve::{RowKey, Solver};
use crate::facts::{ContainerKind, TypeExpression, TypeExpressionId, TypeKind};
use crate::link::member::has_no_members;
use crate::link::scope::TypeMeaning;
use crate::link::{Base, FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// How deep types nest before they are cut.
const DEPTH_LIMIT: u32 = 8;

/// Most classes that `type[Base]` may be for each of them to be told.
const CLASS_LIMIT: usize = 64;

/// An interface by the names of its methods.
struct Implied {
    index: TypeIndex,
    names: FxHashSet<Symbol>,
    /// Interfaces of a library are part of it.
    embeds: bool,
    /// The methods of all of those are known.
    is_complete: bool,
}

impl Solver<'_> {
    /// What a place declared with this type may hold.
    pub(super) fn type_objects(&mut self, file: FileIndex, id: TypeExpressionId) -> Vec<ObjectId> {
        self.type_objects_at(file, id, 0)
    }

    fn type_objects_at(&mut self, file: FileIndex, id: TypeExpressionId, depth: u32) -> Vec<ObjectId> {
        if let Some(known) = self.type_cache.get(&(file, id.0)) {
            return known.clone();
        }
        if depth > DEPTH_LIMIT {
            return Vec::new();
        }
        // Names of types may lead back to themselves.
        self.type_cache.insert((file, id.0), Vec::new());
        let expression = self.program.type_expression(file, id).clone();
        let objects = match expression {
            TypeExpression::Path { ref parts, function } => {
                let parts = parts.clone();
                match self.program.type_named(file, function, &parts) {
                    TypeMeaning::Type(index) => self.instances_of(index, depth),
                    TypeMeaning::External(name) if is_anything(self.program.symbols.text(name)) => Vec::new(),
                    TypeMeaning::External(name) if is_any_function(self.program.symbols.text(name)) => {
                        let results = self.objects.intern_list(Vec::new());
                        vec![self.objects.intern(Object::Callable(results))]
                    }
                    TypeMeaning::External(name) => vec![self.outside_type(file, name)],
                    TypeMeaning::Alias(file, named) => self.type_objects_at(file, named, depth + 1),
                    _ => self.builtin_type(file, &parts),
                }
            }
            TypeExpression::Local(local) => {
                let index = self.program.type_index(file, local);
                self.instances_of(index, depth)
            }
            TypeExpression::Pointer(inner) => self.type_objects_at(file, inner, depth + 1),
            TypeExpression::Generic(head, ref of) => {
                let mut objects = self.type_objects_at(file, head, depth + 1);
                if let (Some(of), true) = (of.first(), objects.iter().any(|object| self.gives_rows(file, *object))) {
                    let of = self.type_objects_at(file, *of, depth + 1);
                    objects.push(self.one_by_one(of));
                }
                objects
            }
            TypeExpression::Container { kind, key, element } => {
                let key = key
                    .map(|key| self.type_objects_at(file, key, depth + 1))
                    .unwrap_or_default();
                let element = element
                    .map(|element| self.type_objects_at(file, element, depth + 1))
                    .unwrap_or_default();
                let (key, element) = (self.objects.intern_list(key), self.objects.intern_list(element));
                vec![self.objects.intern(Object::Typed { kind, key, element })]
            }
            TypeExpression::Tuple(parts) => {
                let parts: Vec<Vec<ObjectId>> = parts
                    .iter()
                    .map(|part| self.type_objects_at(file, *part, depth + 1))
                    .collect();
                vec![self.typed_tuple(parts)]
            }
            TypeExpression::Function { results, .. } => {
                let results = results
                    .iter()
                    .flat_map(|part| self.type_objects_at(file, *part, depth + 1))
                    .collect();
                let results = self.objects.intern_list(results);
                vec![self.objects.intern(Object::Callable(results))]
            }
            TypeExpression::Union(sides) => sides
                .iter()
                .flat_map(|side| self.type_objects_at(file, *side, depth + 1))
                .collect(),
            TypeExpression::ElementOf(inner) => {
                let containers = self.type_objects_at(file, inner, depth + 1);
                self.elements_of_types(&containers)
            }
            TypeExpression::Class(inner) => {
                let instances = self.type_objects_at(file, inner, depth + 1);
                instances
                    .into_iter()
                    .flat_map(|object| self.classes_of(object))
                    .collect()
            }
            TypeExpression::Unknown => Vec::new(),
        };
        self.type_cache.insert((file, id.0), objects.clone());
        objects
    }

    /// `type[Base]`: the class, or one below it.
    fn classes_of(&mut self, object: ObjectId) -> Vec<ObjectId> {
        let (Object::AnyOf(index) | Object::Instance(index)) = self.objects.get(object) else {
            return vec![object];
        };
        let below = self.subtypes(index).into_iter().filter(|below| *below != index);
        let mut classes: Vec<TypeIndex> = std::iter::once(index).chain(below).collect();
        if classes.len() > CLASS_LIMIT {
            classes.truncate(1);
        }
        classes
            .into_iter()
            .map(|class| self.objects.intern(Object::Class(class)))
            .collect()
    }

    /// `Instance` where the type is exact (a Go type that is no interface), `AnyOf` where subtypes may come.
    fn instances_of(&mut self, index: TypeIndex, depth: u32) -> Vec<ObjectId> {
        let facts = self.program.type_facts(index);
        let (kind, underlying) = (facts.kind, facts.underlying);
        let file = self.program.types[index.at()].file;
        if let (TypeKind::Alias, Some(underlying)) = (kind, underlying) {
            return self.type_objects_at(file, underlying, depth + 1);
        }
        let exact = self.program.type_language(index) == Language::Go && kind != TypeKind::Interface;
        vec![self.objects.intern(if exact {
            Object::Instance(index)
        } else {
            Object::AnyOf(index)
        })]
    }

    /// Types of the language with members worth knowing: `str`, `error`.
    fn builtin_type(&mut self, file: FileIndex, parts: &[crate::facts::Name]) -> Vec<ObjectId> {
        let [name] = parts else { return Vec::new() };
        let language = self.program.files[file.at()].language;
        let symbol = self.program.symbol(file, *name);
        let text = self.program.symbols.text(symbol).to_owned();
        let kind = match (language, text.as_str()) {
            (Language::Python, "list") => ContainerKind::List,
            (Language::Python, "dict") => ContainerKind::Map,
            (Language::Python, "tuple") => ContainerKind::Tuple,
            (Language::Python, "set" | "frozenset") => ContainerKind::Set,
            (Language::Python, "str" | "bytes" | "object") | (Language::Go, "error") => {
                let name = if text == "object" { return Vec::new() } else { text };
                let name = self.program.symbols.intern(&name);
                return vec![self.outside_type(file, name)];
            }
            _ => return Vec::new(),
        };
        let none = self.objects.intern_list(Vec::new());
        vec![self.objects.intern(Object::Typed {
            kind,
            key: none,
            element: none,
        })]
    }

    /// A type of a library: whatever has its methods, if it is an interface.
    fn outside_type(&mut self, file: FileIndex, name: Symbol) -> ObjectId {
        let language = self.program.files[file.at()].language;
        let library = self.libraries.get(&language);
        let text = self.program.symbols.text(name);
        // `polars.DataFrame`: the tables know tables by one name.
        let is_frame = library.and_then(|library| library.get(text)?.returns.as_deref()) == Some(FRAME);
        let name = if is_frame {
            self.program.symbols.intern(FRAME)
        } else {
            name
        };
        let text = self.program.symbols.text(name);
        let is_interface = library.is_some_and(|library| library.signatures().interface(text).is_some());
        self.objects.intern(if is_interface {
            Object::AnyExternal(name)
        } else {
            Object::External(name)
        })
    }

    /// What `tuple[Order, Price]` holds: the parts stand behind each other as its keys, each as a tuple of its own.
    fn typed_tuple(&mut self, parts: Vec<Vec<ObjectId>>) -> ObjectId {
        let kind = ContainerKind::Tuple;
        let none = self.objects.intern_list(Vec::new());
        let all = parts.concat();
        let row = parts.into_iter().map(|part| {
            let element = self.objects.intern_list(part);
            self.objects.intern(Object::Typed {
                kind,
                key: none,
                element,
            })
        });
        let row: Vec<ObjectId> = row.collect();
        let key = self.objects.intern_row(row);
        let element = self.objects.intern_list(all);
        self.objects.intern(Object::Typed { kind, key, element })
    }

    /// The part of a tuple of that type at a position, if it has so many.
    pub(super) fn part_of_typed(&self, key: ListId, at: RowKey) -> Option<ListId> {
        let row = self.objects.list(key);
        let position = match at {
            RowKey::Index(position) => Some(position as usize),
            RowKey::Back(back) => row.len().checked_sub(back as usize),
            _ => None,
        };
        match self.objects.get(*row.get(position?)?) {
            Object::Typed { element, .. } => Some(element),
            _ => None,
        }
    }

    /// The types of the index that have the methods of a library's interface.
    pub(super) fn implementers_outside(&mut self, interface: Symbol) -> Vec<TypeIndex> {
        if let Some(known) = self.outside_implementers.get(&interface) {
            return known.clone();
        }
        let mut found = Vec::new();
        let libraries = self.libraries;
        for library in libraries.values() {
            if let Some(methods) = library.signatures().interface(self.program.symbols.text(interface)) {
                found = self.types_with(methods);
            }
        }
        self.outside_implementers.insert(interface, found.clone());
        found
    }

    /// Which types of the index have the methods of which interfaces that library code is declared with.
    pub(super) fn outside_implementations(&mut self) -> Vec<(TypeIndex, Symbol)> {
        let libraries = self.libraries;
        let mut found = Vec::new();
        for library in libraries.values() {
            for name in library.signatures().interfaces() {
                // Only those that the code speaks of.
                if let Some(symbol) = self.program.symbols.find(name) {
                    let implementers = self.implementers_outside(symbol);
                    found.extend(implementers.into_iter().map(|implementer| (implementer, symbol)));
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn types_with(&mut self, methods: &[Method]) -> Vec<TypeIndex> {
        let symbols: Option<Vec<Symbol>> = methods
            .iter()
            .map(|method| self.program.symbols.find(method.name))
            .collect();
        let Some(symbols) = symbols else { return Vec::new() };
        let rarest = symbols
            .iter()
            .map(|symbol| self.by_method.get(symbol).map_or(&[][..], Vec::as_slice))
            .min_by_key(|list| list.len());
        let mut found = Vec::new();
        for index in rarest.unwrap_or_default().to_vec() {
            let places = symbols
                .iter()
                .map(|symbol| self.method_sets[index].1.get(symbol).copied());
            let Some(places) = places.collect::<Option<Vec<PlaceIndex>>>() else {
                continue;
            };
            let fits = places.into_iter().zip(methods).all(|(place, method)| {
                let own = self.method_at.get(&place).copied();
                own.is_none_or(|own| self.has_signature(own, method))
            });
            if fits {
                found.push(self.method_sets[index].0);
            }
        }
        found
    }

    /// Whether a method takes and gives what one of a library's interface does, as far as that is known.
    fn has_signature(&mut self, own: FunctionIndex, wanted: &Method) -> bool {
        let file = self.program.functions[own.at()].file;
        let facts = self.program.function_facts(own);
        let parameters: Vec<_> = facts.parameters.iter().map(|parameter| parameter.place).collect();
        let results = facts.results.clone();
        if parameters.len() != wanted.parameters.len() || results.len() != wanted.results.len() {
            return false;
        }
        let pairs = parameters.into_iter().zip(&wanted.parameters);
        pairs
            .chain(results.into_iter().zip(&wanted.results))
            .all(|(own, wanted)| wanted.contains('?') || self.declared_name(file, own).is_none_or(|own| own == *wanted))
    }

    /// Elements of a named type on a container, results of a named function type.
    pub(super) fn underlying_objects(&mut self, index: TypeIndex) -> Vec<ObjectId> {
        let facts = self.program.type_facts(index);
        let (TypeKind::Named, Some(underlying)) = (facts.kind, facts.underlying) else {
            return Vec::new();
        };
        let file = self.program.types[index.at()].file;
        self.type_objects(file, underlying)
    }

    /// What is in containers that are known by their types.
    pub(super) fn elements_of_types(&mut self, containers: &[ObjectId]) -> Vec<ObjectId> {
        let mut elements = Vec::new();
        for container in containers {
            let under = match self.objects.get(*container) {
                Object::Instance(index) => self.underlying_objects(index),
                _ => vec![*container],
            };
            for object in under {
                if let Object::Typed { element, .. } = self.objects.get(object) {
                    elements.extend_from_slice(self.objects.list(element));
                }
            }
        }
        elements
    }

    /// Whether a type is another name for types of the index that are no interfaces.
    pub(super) fn is_structure_renamed(&mut self, index: TypeIndex) -> bool {
        let under = self.underlying_objects(index);
        let mut under = under.into_iter().map(|object| self.objects.get(object));
        under.len() > 0 && under.all(|object| matches!(object, Object::Instance(_)))
    }

    /// For each Go interface the types with all its methods; for each Python class its subclasses.
    pub(super) fn find_implementers(&mut self) {
        let methods = self.methods_by_place();
        let mut sets: Vec<(TypeIndex, MethodSet)> = Vec::new();
        let mut by_method: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        let mut interfaces = Vec::new();
        let mut by_declared: FxHashMap<Symbol, Vec<usize>> = FxHashMap::default();
        for index in 0..self.program.types.len() {
            let index = TypeIndex(index as u32);
            if self.program.type_language(index) != Language::Go {
                continue;
            }
            let set = self.program.method_set(index);
            let is_interface = self.program.type_facts(index).kind == TypeKind::Interface;
            if set.is_empty() && (!is_interface || self.bases_outside(index).is_empty()) {
                continue;
            }
            if is_interface {
                for method in set.keys() {
                    by_declared.entry(*method).or_default().push(interfaces.len());
                }
                interfaces.push((index, set));
                continue;
            }
            for method in set.keys() {
                by_method.entry(*method).or_default().push(sets.len());
            }
            sets.push((index, set));
        }
        // Embedded interfaces lend the same few methods to many.
        let mut same: FxHashMap<(FunctionIndex, FunctionIndex), bool> = FxHashMap::default();
        let mut fits = |solver: &mut Self, candidate: &MethodSet, wanted: &MethodSet| {
            wanted.iter().all(|(name, place)| {
                let own = candidate.get(name).and_then(|own| methods.get(own));
                match (own, methods.get(place)) {
                    (Some(own), Some(wanted)) => {
                        let is_same = || own == wanted || solver.same_signature(*own, *wanted);
                        *same.entry((*own, *wanted)).or_insert_with(is_same)
                    }
                    (own, _) => own.is_some() || candidate.contains_key(name),
                }
            })
        };
        // Those that embed one from outside come below.
        let whole = |row: &(usize, &(TypeIndex, MethodSet))| self.bases_outside(row.1.0).is_empty();
        let whole: Vec<_> = interfaces.iter().enumerate().filter(whole).collect();
        for (index, (interface, wanted)) in whole {
            for other in rarest_of(wanted.keys(), &by_declared) {
                let (narrower, candidate) = &interfaces[*other];
                if index != *other && candidate.len() > wanted.len() && fits(self, candidate, wanted) {
                    self.implementations.push((*narrower, *interface));
                }
            }
        }
        self.imply_outside();
        let mut lent: Vec<Vec<Symbol>> = vec![Vec::new(); sets.len()];
        for (lent, (index, _)) in lent.iter_mut().zip(&sets) {
            *lent = self.bases_outside(*index);
        }
        for (interface, wanted) in interfaces {
            let outside = self.bases_outside(interface);
            let known: Vec<_> = outside.iter().filter_map(|name| self.outside_methods(*name)).collect();
            if wanted.is_empty() && known.len() < outside.len() {
                continue;
            }
            let asked: Vec<Symbol> = known.into_iter().flatten().collect();
            // `interface { io.WriteCloser }` has no method of its own.
            let first = match wanted.is_empty() {
                true => rarest_of(asked.iter(), &by_method).to_vec(),
                false => rarest_of(wanted.keys(), &by_method).to_vec(),
            };
            // What stands in a type of something of a library's lends it that one's methods.
            let others = (0..sets.len()).filter(|candidate| !lent[*candidate].is_empty() && !first.contains(candidate));
            let others: Vec<usize> = others.collect();
            let fitting: Vec<TypeIndex> = first
                .into_iter()
                .chain(others)
                .filter(|candidate| {
                    let (_, own) = &sets[*candidate];
                    let (has, lent) = (|name: &Symbol| own.contains_key(name), &lent[*candidate]);
                    // What a type of another module lends is not known: it lends what an interface asks for beside its own methods.
                    let is_open = !wanted.is_empty() && lent.iter().any(|of| self.is_of_other_module(*of));
                    let missing = |name: &Symbol| !has(name) && !self.is_lent(lent, *name);
                    let is_asked = |name: &Symbol| !is_open && missing(name);
                    let mut all = wanted.keys().chain(&asked);
                    if !all.any(has) || wanted.keys().any(missing) || asked.iter().any(is_asked) {
                        return false;
                    }
                    let known = wanted.iter().filter(|(name, _)| has(name));
                    let known: MethodSet = known.map(|(name, place)| (*name, *place)).collect();
                    fits(self, own, &known)
                })
                .map(|candidate| sets[candidate].0)
                .collect();
            self.implementations
                .extend(fitting.iter().map(|implementer| (*implementer, interface)));
            self.implementers.insert(interface, fitting);
        }
        self.implementations.sort_unstable();
        self.implementations.dedup();
        self.method_sets = sets;
        self.by_method = by_method;
        self.method_at = methods;
    }

    /// Interfaces that others imply, where one of both embeds interfaces of a library: by the names of their methods.
    fn imply_outside(&mut self) {
        let mut found: Vec<Implied> = Vec::new();
        for index in 0..self.program.types.len() {
            let index = TypeIndex(index as u32);
            let is_interface = self.program.type_facts(index).kind == TypeKind::Interface;
            if !is_interface || self.program.type_language(index) != Language::Go {
                continue;
            }
            let mut names: FxHashSet<Symbol> = self.program.method_set(index).into_keys().collect();
            let (mut embeds, mut is_complete) = (false, true);
            for base in self.program.types[index.at()].order.clone() {
                for outside in self.program.types[base.at()].bases.clone() {
                    let Base::External(outside) = outside else { continue };
                    embeds = true;
                    match self.outside_methods(outside) {
                        Some(methods) => names.extend(methods),
                        None => is_complete = false,
                    }
                }
            }
            found.push(Implied {
                index,
                names,
                embeds,
                is_complete,
            });
        }
        for wanted in found.iter().filter(|row| row.is_complete && !row.names.is_empty()) {
            for narrower in found.iter().filter(|row| row.embeds || wanted.embeds) {
                if narrower.names.len() > wanted.names.len() && narrower.names.is_superset(&wanted.names) {
                    self.implementations.push((narrower.index, wanted.index));
                }
            }
        }
    }

    /// What of libraries a type embeds, and what it embeds itself.
    pub(super) fn bases_outside(&self, index: TypeIndex) -> Vec<Symbol> {
        let order = self.program.types[index.at()].order.iter();
        let bases = order.flat_map(|base| self.program.types[base.at()].bases.iter());
        bases
            .filter_map(|base| match base {
                Base::External(name) => Some(*name),
                Base::Type(_) => None,
            })
            .collect()
    }

    /// Whether one of these types of libraries has a method of that name.
    pub(super) fn is_lent(&self, types: &[Symbol], method: Symbol) -> bool {
        let method = self.program.symbols.text(method);
        types.iter().any(|of| {
            let of = self.program.symbols.text(*of);
            let name = format!("{of}.{method}");
            self.libraries.values().any(|library| {
                let signatures = library.signatures();
                let asked = signatures.interface(of).into_iter().flatten();
                signatures.function(&name).is_some() || asked.into_iter().any(|asked| asked.name == method)
            })
        })
    }

    /// Whether a type of a library is one whose methods are known, and no interface.
    pub(super) fn is_concrete_outside(&self, name: &str) -> bool {
        self.libraries.values().any(|library| {
            let signatures = library.signatures();
            !signatures.is_interface(name) && signatures.has_type(name)
        })
    }

    /// Whether a type is of a module that is neither in the index nor the language's own library: of a path with a host.
    pub(super) fn is_of_other_module(&self, of: Symbol) -> bool {
        let path = self.program.symbols.text(of);
        path.split_once('/').is_some_and(|(host, _)| host.contains('.'))
    }

    /// The names of the methods of a library's interface, if its table has it.
    fn outside_methods(&mut self, interface: Symbol) -> Option<Vec<Symbol>> {
        let libraries = self.libraries;
        let text = self.program.symbols.text(interface).to_owned();
        let methods = libraries
            .values()
            .find_map(|library| library.signatures().interface(&text))?;
        Some(
            methods
                .iter()
                .map(|method| self.program.symbols.intern(method.name))
                .collect(),
        )
    }

    /// The method behind each member that is one.
    fn methods_by_place(&self) -> FxHashMap<PlaceIndex, FunctionIndex> {
        let mut methods = FxHashMap::default();
        for (index, row) in self.program.functions.iter().enumerate() {
            let Some(owner) = row.owner else { continue };
            let name = self.program.files[row.file.at()].facts.functions[row.local.0 as usize].name;
            let name = self.program.symbol(row.file, name);
            if let Some(place) = self.program.types[owner.at()].members.get(&name) {
                methods.insert(*place, FunctionIndex(index as u32));
            }
        }
        methods
    }

    /// Whether two methods take and give the same types, as far as their types are known.
    fn same_signature(&mut self, a: FunctionIndex, b: FunctionIndex) -> bool {
        let shape = |solver: &Self, function: FunctionIndex| {
            let facts = solver.program.function_facts(function);
            let parameters: Vec<_> = facts.parameters.iter().map(|parameter| parameter.place).collect();
            (
                solver.program.functions[function.at()].file,
                parameters,
                facts.results.clone(),
            )
        };
        let ((a_file, a_parameters, a_results), (b_file, b_parameters, b_results)) = (shape(self, a), shape(self, b));
        if a_parameters.len() != b_parameters.len() || a_results.len() != b_results.len() {
            return false;
        }
        let pairs = a_parameters.into_iter().zip(b_parameters);
        pairs.chain(a_results.into_iter().zip(b_results)).all(|(a, b)| {
            let (a, b) = (self.declared_name(a_file, a), self.declared_name(b_file, b));
            a.is_none() || b.is_none() || a == b
        })
    }

    /// The declared type of a place under one name wherever it is written; none where that is not known.
    fn declared_name(&mut self, file: FileIndex, place: crate::facts::PlaceId) -> Option<String> {
        let declared = *self.program.files[file.at()].declared.get(&place)?;
        self.type_name(file, declared, 0)
    }

    fn type_name(&mut self, file: FileIndex, id: TypeExpressionId, depth: u32) -> Option<String> {
        if depth > DEPTH_LIMIT {
            return None;
        }
        match self.program.type_expression(file, id).clone() {
            TypeExpression::Path { parts, function } => match self.program.type_named(file, function, &parts) {
                TypeMeaning::Type(index) => {
                    let facts = self.program.type_facts(index);
                    let own = self.program.types[index.at()].file;
                    match (facts.kind, facts.underlying) {
                        (TypeKind::Alias, Some(underlying)) => self.type_name(own, underlying, depth + 1),
                        _ => Some(format!("#{}", index.0)),
                    }
                }
                TypeMeaning::External(name) => Some(self.program.symbols.text(name).to_owned()),
                TypeMeaning::Alias(file, named) => self.type_name(file, named, depth + 1),
                _ => match parts.as_slice() {
                    // `byte` and `rune` are other names; a type parameter is a name that stands for any.
                    [name] => match self.program.symbols.text(self.program.symbol(file, *name)) {
                        "byte" => Some("uint8".to_owned()),
                        "rune" => Some("int32".to_owned()),
                        text if crate::builtins::is_builtin(Language::Go, text) => Some(text.to_owned()),
                        _ => None,
                    },
                    _ => None,
                },
            },
            TypeExpression::Pointer(inner) => Some(format!("*{}", self.type_name(file, inner, depth + 1)?)),
            TypeExpression::Container { kind, key, element } => {
                let key = match key {
                    Some(key) => self.type_name(file, key, depth + 1)?,
                    None => String::new(),
                };
                let element = self.type_name(file, element?, depth + 1)?;
                Some(format!("{kind:?}[{key}]{element}"))
            }
            _ => None,
        }
    }

    /// Types that may stand where this one is declared.
    pub(super) fn subtypes(&self, index: TypeIndex) -> Vec<TypeIndex> {
        match self.program.type_language(index) {
            Language::Go => self.implementers.get(&index).cloned().unwrap_or_default(),
            _ => match self.implementers.get(&index) {
                Some(conforming) => conforming.clone(),
                None => self.program.types[index.at()].subtypes.clone(),
            },
        }
    }

    /// What takes the place of a type's member in a subtype because another base of that has one and comes first.
    pub(super) fn mixed_in(&self, subtype: TypeIndex, declared: TypeIndex, member: Symbol) -> Option<PlaceIndex> {
        let types = &self.program.types;
        if types[subtype.at()].bases.len() < 2 {
            return None;
        }
        let found = self.program.find_member(subtype, member)?;
        let owner = self.program.member_of(found)?.owner;
        // What is of the declared type or of one below that is met there.
        let is_other = !types[owner.at()].order.contains(&declared) && !types[declared.at()].order.contains(&owner);
        is_other.then_some(found)
    }

    /// Whether a value of type `object` may stand where `declared` is declared, and is more exact than that.
    pub(super) fn is_narrower(&self, object: Object, declared: TypeIndex) -> bool {
        let index = match object {
            Object::Instance(index) => index,
            Object::AnyOf(index) if index != declared => index,
            _ => return false,
        };
        match self.program.type_language(declared) {
            Language::Go => self
                .implementers
                .get(&declared)
                .is_some_and(|list| list.contains(&index)),
            _ => self.program.types[index.at()].order.contains(&declared) || self.conforms(index, declared),
        }
    }

    /// The first base of a type, along its order, that is not in the index: it may have the member.
    pub(super) fn external_base(&self, index: TypeIndex) -> Option<Symbol> {
        self.program.types[index.at()].order.iter().find_map(|base| {
            self.program.types[base.at()].bases.iter().find_map(|base| match base {
                Base::External(name) if !has_no_members(self.program.symbols.text(*name)) => Some(*name),
                _ => None,
            })
        })
    }
}

/// Types that say nothing of what they are given to.
fn is_anything(name: &str) -> bool {
    matches!(
        name,
        "typing.Any"
            | "typing_extensions.Any"
            | "typing.TypeVar"
            | "unsafe.Pointer"
            // What never returns gives nothing.
            | "typing.NoReturn"
            | "typing_extensions.NoReturn"
            | "typing.Never"
            | "typing_extensions.Never"
    )
}

/// The type of whatever can be called, where no more is said.
fn is_any_function(name: &str) -> bool {
    matches!(
        name,
        "typing.Callable" | "collections.abc.Callable" | "typing_extensions.Callable"
    )
}

/// Methods by name.
type MethodSet = FxHashMap<Symbol, PlaceIndex>;

/// Who has that of these methods which the fewest have.
fn rarest_of<'m, 'w>(
    wanted: impl Iterator<Item = &'w Symbol>,
    by_method: &'m FxHashMap<Symbol, Vec<usize>>,
) -> &'m [usize] {
    let lists = wanted.map(|method| by_method.get(method).map_or(&[][..], Vec::as_slice));
    lists.min_by_key(|list| list.len()).unwrap_or_default()
}
