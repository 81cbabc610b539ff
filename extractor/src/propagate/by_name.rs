//! Functions whose values are handed by name: which one a name means where it is asked for ([`crate::facts::by_name`]).
//!
//! ```text
//! tests/conftest.py            @fixture def client(app)      given to all files below `tests/`
//! tests/api/conftest.py        @fixture def client(client)   nearer, and asks for the one above
//! tests/api/test_orders.py     def test_list(client)         means the nearer one
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use super::object::Object;
use super::solve::Solver;
use crate::facts::by_name::Asked;
use crate::link::scope::Meaning;
use crate::link::{FileIndex, FunctionIndex, PlaceIndex, Symbol, TypeIndex};

/// Where a function is given: to a class, to its file, or to all files below its folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Scope {
    Class(TypeIndex),
    File(FileIndex),
    Folder(String),
}

/// What is given, by scope and name, and the files that give to all below their folders, by folder.
#[derive(Default)]
struct Given {
    functions: FxHashMap<(Scope, Symbol), FunctionIndex>,
    below: FxHashMap<String, FileIndex>,
}

/// What a name means.
enum Meant {
    Function(FunctionIndex),
    /// What is in these places: the file imports it.
    Imported(Vec<PlaceIndex>),
}

impl Solver<'_> {
    /// Puts the functions where they are asked for, and what runs around tests where these call it.
    pub(super) fn seed_by_name(&mut self) {
        self.seed_around_tests();
        self.look_up_texts();
        let given = self.given_by_name();
        if given.functions.is_empty() {
            return;
        }
        for index in 0..self.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.program.files[index].facts.clone();
            for asked in &facts.by_name.asked {
                let callee = self.program.place(file, asked.callee);
                match self.asked_by_name(&given, file, asked) {
                    Some(Meant::Function(function)) => {
                        let object = self.objects.intern(Object::Function(function));
                        self.add(callee, object);
                    }
                    Some(Meant::Imported(places)) => places.into_iter().for_each(|place| self.copy(place, callee)),
                    None => {}
                }
            }
        }
    }

    /// Looks up what texts name, through what modules import of others, to be known when the edges are told.
    fn look_up_texts(&mut self) {
        for index in 0..self.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.program.files[index].facts.clone();
            for (name, _) in &facts.by_name.texts {
                if let Some((package, member)) = self.program.named_in_text(file, facts.text(*name)) {
                    self.program.package_member(package, member);
                }
            }
        }
    }

    fn seed_around_tests(&mut self) {
        let around = self.around_tests();
        if around.is_empty() {
            return;
        }
        for index in 0..self.program.files.len() {
            let file = FileIndex(index as u32);
            let facts = self.program.files[index].facts.clone();
            if facts.by_name.tests.is_empty() {
                continue;
            }
            let mut shared: Vec<FunctionIndex> = around.get(&Scope::File(file)).cloned().unwrap_or_default();
            for folder in folders_above(&self.program.files[index].relative) {
                shared.extend(around.get(&Scope::Folder(folder.to_owned())).into_iter().flatten());
            }
            for test in &facts.by_name.tests {
                let owner = self.program.functions[self.program.function(file, test.function).at()].owner;
                let of_class = owner.and_then(|owner| around.get(&Scope::Class(owner)));
                let callee = self.program.place(file, test.callee);
                for function in shared.iter().chain(of_class.into_iter().flatten()) {
                    let object = self.objects.intern(Object::Function(*function));
                    self.add(callee, object);
                }
            }
        }
    }

    /// What runs around tests, by where these are: in a class, there or inherited; in a file; in files below a folder.
    fn around_tests(&self) -> FxHashMap<Scope, Vec<FunctionIndex>> {
        let mut own: FxHashMap<TypeIndex, Vec<(Symbol, FunctionIndex)>> = FxHashMap::default();
        let mut around: FxHashMap<Scope, Vec<FunctionIndex>> = FxHashMap::default();
        for (index, row) in self.program.files.iter().enumerate() {
            let file = FileIndex(index as u32);
            for one in &row.facts.by_name.around {
                let function = self.program.function(file, one.function);
                let scope = match self.program.functions[function.at()].owner {
                    Some(owner) => {
                        let name = self.program.symbol(file, one.name);
                        own.entry(owner).or_default().push((name, function));
                        continue;
                    }
                    None if row.facts.by_name.below => Scope::Folder(folder(&row.relative).to_owned()),
                    None => Scope::File(file),
                };
                around.entry(scope).or_default().push(function);
            }
        }
        if own.is_empty() {
            return around;
        }
        for class in &self.program.types {
            let mut names = FxHashSet::default();
            let all = class.order.iter().filter_map(|above| own.get(above)).flatten();
            let run: Vec<FunctionIndex> = all
                .filter(|(name, _)| names.insert(*name))
                .map(|(_, function)| *function)
                .collect();
            for above in class.order.iter().filter(|_| !run.is_empty()) {
                around.entry(Scope::Class(*above)).or_default().extend(&run);
            }
        }
        for functions in around.values_mut() {
            functions.sort_unstable();
            functions.dedup();
        }
        around
    }

    fn given_by_name(&self) -> Given {
        let mut given = Given::default();
        for (index, row) in self.program.files.iter().enumerate() {
            let file = FileIndex(index as u32);
            if row.facts.by_name.below {
                given.below.insert(folder(&row.relative).to_owned(), file);
            }
            for one in &row.facts.by_name.given {
                let scope = match one.owner {
                    Some(owner) => Scope::Class(self.program.type_index(file, owner)),
                    None => Scope::File(file),
                };
                let name = self.program.symbol(file, one.name);
                let function = self.program.function(file, one.function);
                given.functions.insert((scope, name), function);
            }
        }
        given
    }

    fn asked_by_name(&mut self, given: &Given, file: FileIndex, asked: &Asked) -> Option<Meant> {
        let name = self.program.symbol(file, asked.name);
        let asking = self.program.function(file, asked.function);
        let another = |scope: Scope| {
            let function = given.functions.get(&(scope, name)).copied();
            // One that asks for its own name means the one above.
            function.filter(|function| *function != asking)
        };
        let owner = self.program.functions[asking.at()].owner;
        let order = owner.map(|owner| self.program.types[owner.at()].order.clone());
        let of_class = order
            .into_iter()
            .flatten()
            .find_map(|owner| another(Scope::Class(owner)));
        if let Some(function) = of_class.or_else(|| another(Scope::File(file))) {
            return Some(Meant::Function(function));
        }
        if let Some(places) = self.imported_by_name(file, asked.name) {
            return Some(Meant::Imported(places));
        }
        let path = self.program.files[file.at()].relative.clone();
        for at in folders_above(&path) {
            if let Some(above) = given.below.get(at).copied() {
                if let Some(function) = another(Scope::File(above)) {
                    return Some(Meant::Function(function));
                }
                if above != file
                    && let Meaning::Places(places) = self.program.meaning_of(above, name)
                {
                    return Some(Meant::Imported(places));
                }
            }
        }
        None
    }

    fn imported_by_name(&mut self, file: FileIndex, name: crate::facts::Name) -> Option<Vec<PlaceIndex>> {
        let facts = self.program.files[file.at()].facts.clone();
        let is_imported = facts
            .imports
            .iter()
            .any(|import| import.member.is_some() && import.alias == name);
        match self.program.meaning(file, name) {
            Meaning::Places(places) if is_imported => Some(places),
            _ => None,
        }
    }
}

/// The folders that a file is in, the nearest first; the last is the root.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder(path)), |at| (!at.is_empty()).then(|| folder(at)))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
