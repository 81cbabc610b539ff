//! What names mean across files: imports, star imports, the package's other files, and types by dotted name.
//!
//! A name in Go means: an import of this file, else a declaration of any file of the package, else what a dot import brings,
//! else a name of the language. In Python: a binding of this file, else what a star import brings, else a name of the language.

use ripple_schema::Language;
use rustc_hash::FxHashMap;

use super::package::Package;
use super::{FileIndex, PackageIndex, PlaceIndex, Program, Symbol, TypeIndex};
use crate::facts::{FileFacts, FunctionId, Import, Name, TypeExpressionId};

/// What a name or import stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Whatever these places hold.
    Places(Vec<PlaceIndex>),
    /// A package or module.
    Package(PackageIndex),
    /// Something that the index does not hold, by its full name: `encoding/json`, `os.path.join`.
    External(Symbol),
    /// Nothing that the index can see binds it.
    Unbound,
}

/// How many imports in a row are followed.
const CHAIN_LIMIT: u32 = 16;

pub(super) fn fill(program: &mut Program) {
    for index in 0..program.files.len() {
        let file = &program.files[index];
        let mut own: FxHashMap<Symbol, Vec<PlaceIndex>> = FxHashMap::default();
        for (name, place) in &file.facts.exports {
            let symbol = file.symbols[name.0 as usize];
            own.entry(symbol)
                .or_default()
                .push(PlaceIndex(file.first_place + place.0));
        }
        let (package, excluded) = (file.package, file.facts.excluded);
        if !excluded {
            let scope = &mut program.packages[package.at()].scope;
            for (symbol, places) in &own {
                scope.entry(*symbol).or_default().extend(places);
            }
        }
        program.files[index].own_scope = own;
    }
}

impl Program {
    /// What a name means in a file, outside of the scopes of its functions.
    pub fn meaning(&mut self, file: FileIndex, name: Name) -> Meaning {
        let symbol = self.symbol(file, name);
        self.meaning_of(file, symbol)
    }

    /// The same of a name in the program's numbers.
    pub fn meaning_of(&mut self, file: FileIndex, symbol: Symbol) -> Meaning {
        if self.files[file.at()].language == Language::Go
            && let Some(meaning) = self.go_import(file, symbol)
        {
            return meaning;
        }
        if let Some(places) = self.files[file.at()].own_scope.get(&symbol) {
            return Meaning::Places(places.clone());
        }
        let package = self.files[file.at()].package;
        if let Some(places) = self.packages[package.at()].scope.get(&symbol) {
            return Meaning::Places(places.clone());
        }
        self.star_imported(file, symbol, 0).unwrap_or(Meaning::Unbound)
    }

    /// What a member of a package means from outside.
    pub fn package_member(&mut self, package: PackageIndex, symbol: Symbol) -> Meaning {
        if let Some(known) = self.members.get(&(package, symbol)) {
            return known.clone();
        }
        let meaning = self.package_member_at(package, symbol, 0);
        self.members.insert((package, symbol), meaning.clone());
        meaning
    }

    /// A package has a member that it does not bind itself.
    pub fn add_package_member(&mut self, package: PackageIndex, symbol: Symbol, place: PlaceIndex) {
        self.members.insert((package, symbol), Meaning::Places(vec![place]));
    }

    /// As [`Program::package_member`], if that was asked before.
    pub fn known_package_member(&self, package: PackageIndex, symbol: Symbol) -> Option<&Meaning> {
        self.members.get(&(package, symbol))
    }

    fn package_member_at(&mut self, package: PackageIndex, symbol: Symbol, depth: u32) -> Meaning {
        if let Some(places) = self.packages[package.at()].scope.get(&symbol) {
            return Meaning::Places(places.clone());
        }
        for file in self.packages[package.at()].files.clone() {
            if let Some(meaning) = self.star_imported(file, symbol, depth) {
                return meaning;
            }
        }
        match self.packages[package.at()].children.get(&symbol) {
            Some(child) => Meaning::Package(*child),
            None if self.is_asked_for_names(package) => self.given_when_asked(package, symbol),
            None => Meaning::Unbound,
        }
    }

    fn star_imported(&mut self, file: FileIndex, symbol: Symbol, depth: u32) -> Option<Meaning> {
        if depth > CHAIN_LIMIT {
            return None;
        }
        let facts = self.files[file.at()].facts.clone();
        // The last one that brings the name wins.
        for import in facts.imports.iter().rev().filter(|import| import.star) {
            let Some(package) = self.imported_package(file, import) else {
                continue;
            };
            if !self.gives_away(package, symbol) || self.is_taken_from(package, symbol, self.files[file.at()].package) {
                continue;
            }
            match self.package_member_at(package, symbol, depth + 1) {
                Meaning::Unbound => {}
                meaning => return Some(meaning),
            }
        }
        None
    }

    /// Whether a package has a name from another by importing it: `from shop import log` in `shop.tools`, which `shop` takes all of.
    fn is_taken_from(&self, package: PackageIndex, symbol: Symbol, other: PackageIndex) -> bool {
        self.packages[package.at()].files.iter().any(|file| {
            let imports = self.files[file.at()].facts.imports.iter().filter(|import| !import.star);
            let is_it = |name| self.symbol(*file, name) == symbol;
            let mut named = imports.filter(|import| is_it(import.alias) && import.member.is_some_and(is_it));
            named.any(|import| self.imported_package(*file, import) == Some(other))
        })
    }

    /// Whether `import *` of the package brings the name.
    fn gives_away(&self, package: PackageIndex, symbol: Symbol) -> bool {
        let package = &self.packages[package.at()];
        let listed = package.files.iter().find_map(|file| {
            let file = &self.files[file.at()];
            let names = file.facts.star_names.as_ref()?;
            Some(names.iter().any(|name| file.symbols[name.0 as usize] == symbol))
        });
        listed.unwrap_or_else(|| package.language == Language::Go || !self.symbols.text(symbol).starts_with('_'))
    }

    fn go_import(&mut self, file: FileIndex, symbol: Symbol) -> Option<Meaning> {
        let facts = self.files[file.at()].facts.clone();
        for import in facts.imports.iter().filter(|import| !import.star) {
            let written = self.symbol(file, import.alias);
            if self.symbols.text(written) == "_" {
                continue;
            }
            let package = self.imported_package(file, import);
            let path = facts.text(import.path);
            let bound = if import.alias.0 != 0 {
                written
            } else {
                // What the build leaves out may be of another package: a program that writes files of this one.
                let files = package.map_or(&[][..], |package| &self.packages[package.at()].files);
                let is_built = |file: &&FileIndex| !self.files[file.at()].facts.excluded;
                let clause = files.iter().find(is_built).or(files.first());
                let clause = clause.map(|file| self.files[file.at()].facts.package.clone());
                let name = clause.unwrap_or_else(|| go_package_name(path).to_owned());
                self.symbols.intern(&name)
            };
            if bound == symbol {
                return Some(match package {
                    Some(package) => Meaning::Package(package),
                    None => Meaning::External(self.symbols.intern(path)),
                });
            }
        }
        None
    }

    /// What an import binds its name to.
    pub fn import_meaning(&mut self, file: FileIndex, import: &Import) -> Meaning {
        let facts = self.files[file.at()].facts.clone();
        let path = facts.text(import.path);
        if import.binds_first {
            let first = path.split('.').next().unwrap_or(path).to_owned();
            return self.module_meaning(file, &first);
        }
        let Some(member) = import.member else {
            return self.module_meaning(file, path);
        };
        let member = self.symbol(file, member);
        match self.imported_package(file, import) {
            Some(package) => {
                let own = self.files[file.at()].package;
                let meaning = match self.packages[package.at()].children.get(&member) {
                    // `from . import x` in a package's own `__init__` means the module, not itself.
                    Some(child) if package == own => Meaning::Package(*child),
                    _ => self.package_member(package, member),
                };
                if meaning == Meaning::Unbound && !self.is_asked_for_names(package) {
                    let name = format!("{}.{}", self.packages[package.at()].name, self.symbols.text(member));
                    return Meaning::External(self.symbols.intern(&name));
                }
                meaning
            }
            None => {
                let name = format!("{path}.{}", self.symbols.text(member));
                // `from a import b` where `a` is a folder without `__init__.py`.
                let near = self.packages[self.files[file.at()].package.at()].source_root.clone();
                let module = name.trim_start_matches('.');
                let beside = (import.level > 0).then(|| self.find_module(file, module)).flatten();
                if let Some(package) = beside.or_else(|| self.find_namespace_module(module, &near)) {
                    return Meaning::Package(package);
                }
                Meaning::External(self.symbols.intern(name.trim_start_matches('.')))
            }
        }
    }

    /// Whether a module has a function for the names that it does not bind ([PEP 562](https://peps.python.org/pep-0562/)).
    pub fn is_asked_for_names(&self, package: PackageIndex) -> bool {
        let asked = self.symbols.find("__getattr__");
        asked.is_some_and(|asked| self.packages[package.at()].scope.contains_key(&asked))
    }

    /// What such a module gives: what is called so in the one module below it that defines the name, as with lazy imports, and else nothing known.
    fn given_when_asked(&self, package: PackageIndex, member: Symbol) -> Meaning {
        let mut found = None;
        let mut open: Vec<PackageIndex> = self.packages[package.at()].children.values().copied().collect();
        while let Some(below) = open.pop() {
            let row = &self.packages[below.at()];
            open.extend(row.children.values());
            let places = row
                .scope
                .get(&member)
                .filter(|places| !places.iter().any(|place| self.is_imported(*place)));
            if let Some(places) = places
                && found.replace(places).is_some()
            {
                return Meaning::Unbound;
            }
        }
        found.map_or(Meaning::Unbound, |places| Meaning::Places(places.clone()))
    }

    fn is_imported(&self, place: PlaceIndex) -> bool {
        let Some((file, local)) = self.local_place(place) else {
            return false;
        };
        let mut objects = self.files[file.at()].facts.objects.iter();
        objects.any(|(of, object)| *of == local && matches!(object, crate::facts::Object::Import(_)))
    }

    /// The modules that an import means of which only a part of the name is known: `plugins.*`, `plugins.*.setup`. None for any other import.
    pub fn modules_fitting(&self, file: FileIndex, import: &Import) -> Option<Vec<PackageIndex>> {
        let facts = &self.files[file.at()].facts;
        let (first, behind) = facts.text(import.member?).split_once('*')?;
        let (last, further) = behind
            .split_once('.')
            .map_or((behind, None), |(last, further)| (last, Some(further)));
        let around = self.imported_package(file, import);
        let around = around.map(|package| &self.packages[package.at()].children);
        let fitting = around
            .into_iter()
            .flatten()
            .filter(|(name, _)| fits(self.symbols.text(**name), first, last));
        let inside = |package: &PackageIndex| {
            let mut parts = further.into_iter().flat_map(|further| further.split('.'));
            parts.try_fold(*package, |package, part| {
                let child = self.symbols.find(part)?;
                self.packages[package.at()].children.get(&child).copied()
            })
        };
        let mut found: Vec<PackageIndex> = fitting.filter_map(|(_, package)| inside(package)).collect();
        found.sort_unstable();
        Some(found)
    }

    fn module_meaning(&mut self, file: FileIndex, name: &str) -> Meaning {
        match self.find_module(file, name) {
            Some(package) => Meaning::Package(package),
            None => Meaning::External(self.symbols.intern(name)),
        }
    }

    /// A module beside another in a folder that is no package but by the dots of its imports: whoever starts a script there finds it first.
    fn find_beside(&self, name: &str, own: &Package) -> Option<PackageIndex> {
        let around = own
            .parent
            .filter(|around| !name.is_empty() && self.packages[around.at()].files.is_empty())?;
        self.find_below(around, name)
    }

    fn find_module(&self, file: FileIndex, name: &str) -> Option<PackageIndex> {
        let own = &self.packages[self.files[file.at()].package.at()];
        let near = &own.source_root;
        if let Some(beside) = self.find_beside(name, own) {
            return Some(beside);
        }
        self.find_package(Language::Python, name, Some(near))
            .or_else(|| self.find_namespace_module(name, near))
            .or_else(|| self.find_in_root_package(name, near))
            .or_else(|| self.find_inside(name, own))
    }

    /// The package that an import names, if the index holds it.
    pub fn imported_package(&self, file: FileIndex, import: &Import) -> Option<PackageIndex> {
        let row = &self.files[file.at()];
        let path = row.facts.text(import.path);
        if row.language == Language::Go {
            return self.find_package(Language::Go, path, None);
        }
        if import.level == 0 {
            return self.find_module(file, path);
        }
        let mut package = row.package;
        let mut up = import.level;
        if self.packages[package.at()].is_init {
            up -= 1;
        }
        for _ in 0..up {
            match self.packages[package.at()].parent {
                Some(parent) => package = parent,
                // A module beside this one, in a folder without `__init__.py`.
                None => return self.find_module(file, path),
            }
        }
        self.find_below(package, path)
    }

    /// What lies below a package under a dotted name; itself under none.
    fn find_below(&self, package: PackageIndex, path: &str) -> Option<PackageIndex> {
        let mut parts = path.split('.').filter(|part| !part.is_empty());
        parts.try_fold(package, |package, part| {
            let part = self.symbols.find(part)?;
            self.packages[package.at()].children.get(&part).copied()
        })
    }

    /// The type that a dotted name means, seen from a function of a file; or the full name of one that is not in the index.
    pub fn type_named(&mut self, file: FileIndex, function: FunctionId, parts: &[Name]) -> TypeMeaning {
        let Some((first, rest)) = parts.split_first() else {
            return TypeMeaning::Unknown;
        };
        let first = self.symbol(file, *first);
        let rest: Vec<Symbol> = rest.iter().map(|name| self.symbol(file, *name)).collect();
        let mut meaning = self.type_in_file(file, Some(function), first, 0);
        for part in rest {
            meaning = match meaning {
                TypeMeaning::Package(package) => self.type_in_package(package, part, 0),
                TypeMeaning::Type(outer) => self.type_inside(outer, part),
                TypeMeaning::External(name) => {
                    let name = format!("{}.{}", self.symbols.text(name), self.symbols.text(part));
                    TypeMeaning::External(self.symbols.intern(&name))
                }
                TypeMeaning::Alias(..) | TypeMeaning::Unknown => TypeMeaning::Unknown,
            };
        }
        meaning
    }

    pub(crate) fn types_named(&self, file: FileIndex, name: Symbol) -> &[crate::facts::TypeId] {
        self.files[file.at()].types_named.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The package, and the member of it, that a text names: `shop.cache.DummyPolicy`, `shop.cache:make`.
    pub fn named_in_text(&self, file: FileIndex, text: &str) -> Option<(PackageIndex, Symbol)> {
        let (package, member) = text.rsplit_once([':', '.'])?;
        let member = self.symbols.find(member)?;
        let Some(beside) = package.strip_prefix('.') else {
            return Some((self.find_module(file, package)?, member));
        };
        // `config.add_view(".views.home")`: from the package of who says so.
        let own = self.files[file.at()].package;
        let around = match self.packages[own.at()].is_init {
            true => Some(own),
            false => self.packages[own.at()].parent,
        };
        let package = match around {
            Some(around) => self.find_below(around, beside)?,
            None => self.find_module(file, beside)?,
        };
        Some((package, member))
    }

    /// Whether the file has another type of that name in the same place: `if TYPE_CHECKING: class A: … else: class A: …`.
    pub fn is_defined_twice(&self, index: TypeIndex) -> bool {
        let row = &self.types[index.at()];
        let types = &self.files[row.file.at()].facts.types;
        let place = |local: crate::facts::TypeId| (types[local.0 as usize].function, types[local.0 as usize].outer);
        let name = self.symbol(row.file, types[row.local.0 as usize].name);
        let same = self
            .types_named(row.file, name)
            .iter()
            .filter(|other| place(**other) == place(row.local));
        same.count() > 1
    }

    fn type_inside(&self, outer: TypeIndex, name: Symbol) -> TypeMeaning {
        let row = &self.types[outer.at()];
        let types = &self.files[row.file.at()].facts.types;
        let mut named = self.types_named(row.file, name).iter();
        let inner = named.find(|inner| types[inner.0 as usize].outer == Some(row.local));
        inner.map_or(TypeMeaning::Unknown, |inner| {
            TypeMeaning::Type(self.type_index(row.file, *inner))
        })
    }

    fn type_in_file(&mut self, file: FileIndex, function: Option<FunctionId>, name: Symbol, depth: u32) -> TypeMeaning {
        if depth > CHAIN_LIMIT {
            return TypeMeaning::Unknown;
        }
        let facts = self.files[file.at()].facts.clone();
        let candidates = self.types_named(file, name).to_vec();
        let mut scope = function.or(Some(FunctionId(0)));
        while let Some(current) = scope {
            let found = candidates.iter().rev().find(|index| {
                let candidate = &facts.types[index.0 as usize];
                candidate.function == current && candidate.outer.is_none()
            });
            if let Some(found) = found {
                return TypeMeaning::Type(self.type_index(file, *found));
            }
            scope = facts
                .functions
                .get(current.0 as usize)
                .and_then(|function| function.parent);
        }
        if self.files[file.at()].language == Language::Go {
            if let Some(meaning) = self.go_import(file, name) {
                return match meaning {
                    Meaning::Package(package) => TypeMeaning::Package(package),
                    Meaning::External(path) => TypeMeaning::External(path),
                    _ => TypeMeaning::Unknown,
                };
            }
            let package = self.files[file.at()].package;
            let own = self.type_in_package(package, name, depth + 1);
            return match own {
                TypeMeaning::Unknown => self.type_of_star(file, &facts, name, depth),
                own => own,
            };
        }
        for import in facts.imports.iter().rev() {
            if self.symbol(file, import.alias) == name && !import.star {
                let imported = self.type_imported(file, import, depth + 1);
                // `except ImportError: Base = shop.Plain`
                if let TypeMeaning::External(_) = imported
                    && let Some(own @ TypeMeaning::Type(_)) = self.class_called(file, &facts, name, depth)
                {
                    return own;
                }
                return imported;
            }
        }
        if let Some(found) = candidates.last() {
            return TypeMeaning::Type(self.type_index(file, *found));
        }
        if let Some(meaning) = self.class_called(file, &facts, name, depth) {
            return meaning;
        }
        let mut aliases = facts.type_aliases.iter().rev();
        if let Some((_, alias)) = aliases.find(|(alias, _)| self.symbol(file, *alias) == name) {
            return TypeMeaning::Alias(file, *alias);
        }
        self.type_of_star(file, &facts, name, depth)
    }

    /// The type that an import of all names brings.
    fn type_of_star(&mut self, file: FileIndex, facts: &FileFacts, name: Symbol, depth: u32) -> TypeMeaning {
        for import in facts.imports.iter().filter(|import| import.star) {
            if let Some(package) = self.imported_package(file, import)
                && self.gives_away(package, name)
            {
                let meaning = self.type_in_package(package, name, depth + 1);
                if meaning != TypeMeaning::Unknown {
                    return meaning;
                }
            }
        }
        TypeMeaning::Unknown
    }

    /// The class that a variable of the file gives another name; of several, one that is in the index.
    fn class_called(&mut self, file: FileIndex, facts: &FileFacts, name: Symbol, depth: u32) -> Option<TypeMeaning> {
        // `Order = Order` is no name for another class.
        if facts.class_names.is_empty() || self.naming.contains(&(file, name)) {
            return None;
        }
        self.naming.push((file, name));
        let found = self.class_named_so(file, facts, name, depth);
        self.naming.pop();
        found
    }

    fn class_named_so(&mut self, file: FileIndex, facts: &FileFacts, name: Symbol, depth: u32) -> Option<TypeMeaning> {
        let mut found = None;
        let mut rows: Vec<_> = facts.class_names.iter().collect();
        rows.retain(|row| self.symbol(file, row.name) == name);
        // A variable that is written as variables are holds what it was given last.
        if self.symbols.text(name).starts_with(char::is_lowercase) {
            rows.reverse();
        }
        rows.sort_by_key(|row| row.rarely);
        for row in rows {
            match self.head_type(file, row.class, depth + 1) {
                TypeMeaning::Type(index) => return Some(TypeMeaning::Type(index)),
                meaning @ TypeMeaning::External(_) => found = Some(meaning),
                TypeMeaning::Package(_) | TypeMeaning::Alias(..) | TypeMeaning::Unknown => {}
            }
        }
        found
    }

    fn type_imported(&mut self, file: FileIndex, import: &Import, depth: u32) -> TypeMeaning {
        let Some(member) = import.member else {
            return match self.import_meaning(file, import) {
                Meaning::Package(package) => TypeMeaning::Package(package),
                Meaning::External(name) => TypeMeaning::External(name),
                _ => TypeMeaning::Unknown,
            };
        };
        let member = self.symbol(file, member);
        match self.imported_package(file, import) {
            Some(package) if package != self.files[file.at()].package => self.type_in_package(package, member, depth),
            _ => match self.import_meaning(file, import) {
                Meaning::Package(package) => TypeMeaning::Package(package),
                Meaning::External(name) => TypeMeaning::External(name),
                _ => TypeMeaning::Unknown,
            },
        }
    }

    fn type_in_package(&mut self, package: PackageIndex, name: Symbol, depth: u32) -> TypeMeaning {
        for index in 0..self.packages[package.at()].files.len() {
            let file = self.packages[package.at()].files[index];
            if self.files[file.at()].facts.excluded {
                continue;
            }
            if self.packages[package.at()].language == Language::Go {
                let types = &self.files[file.at()].facts.types;
                let mut named = self.types_named(file, name).iter();
                if let Some(found) = named.find(|found| types[found.0 as usize].function == FunctionId(0)) {
                    return TypeMeaning::Type(self.type_index(file, *found));
                }
                continue;
            }
            let meaning = self.type_in_file(file, None, name, depth + 1);
            if meaning != TypeMeaning::Unknown {
                return meaning;
            }
        }
        match self.packages[package.at()].children.get(&name) {
            Some(child) => TypeMeaning::Package(*child),
            None => TypeMeaning::Unknown,
        }
    }
}

/// What a dotted name means as a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeMeaning {
    /// A type of the index.
    Type(TypeIndex),
    /// A package: more parts must follow.
    Package(PackageIndex),
    /// A name that a file gives to what it writes there.
    Alias(FileIndex, TypeExpressionId),
    /// Not in the index, by its full name.
    External(Symbol),
    /// Not bound to a type that can be seen.
    Unknown,
}

/// Whether a name begins and ends as a pattern does, and has something between.
pub fn fits(name: &str, first: &str, last: &str) -> bool {
    name.len() > first.len() + last.len() && name.starts_with(first) && name.ends_with(last)
}

/// The name that an import path binds when its package is not in the index: `gopkg.in/yaml.v3` binds `yaml`.
pub fn go_package_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let mut last = parts.next().unwrap_or(path);
    let is_version = last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|byte| byte.is_ascii_digit());
    if is_version {
        last = parts.next().unwrap_or(last);
    }
    let last = last.split_once(".v").map_or(last, |(name, _)| name);
    last.strip_prefix("go-").unwrap_or(last)
}
