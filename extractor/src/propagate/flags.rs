//! Constants of other modules and of classes that conditions ask for: `from settings import DEBUG`, `settings.DEBUG`, `Settings.DEBUG`.
//!
//! ```python
//! class Settings: debug = False            # settings.py
//! if Settings.debug: log(order)            # never, as long as nobody sets it: by `Settings.debug = …`, `setattr(Settings, name, …)` or `patch.object`
//! ```
//!
//! A file says which of its own names hold a constant, and what its conditions ask of names that it imports. Here each of those that
//! are asked for is found, once, so that a condition which that constant rules out is known as such: see [`super::ruled_out`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::Changes;
use super::object::Object as Held;
use super::solve::Solver;
use crate::facts::{Condition, Constant, Name, Object};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, PackageIndex, PlaceIndex, Symbol, TypeIndex};

/// Most imports in a row from the name that is asked for to the constant.
const CHAIN_LIMIT: usize = 4;

/// What is known of names that are asked for, by what stands for them.
pub(super) type Flags = FxHashMap<PlaceIndex, Flag>;

/// Members of classes that stand for a constant.
pub(super) type Switches = FxHashMap<(TypeIndex, Symbol), Constant<Symbol>>;

/// A constant that a name stands for as long as nobody sets it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Flag {
    /// The variable of the other module; of a member of a class what stands for it here.
    pub(super) place: PlaceIndex,
    class: Option<TypeIndex>,
    pub(super) constant: Constant<Symbol>,
}

/// What a condition asks of which one has to be so: itself, and what goes with it.
pub(super) fn either<'f>(row: &'f Condition, conditions: &'f [Condition]) -> impl Iterator<Item = &'f Condition> {
    std::iter::successors(Some(row), |row| row.or.row(conditions))
}

impl Solver<'_> {
    pub(super) fn find_flags(&mut self) {
        let mut held: FxHashMap<PlaceIndex, Constant<Symbol>> = FxHashMap::default();
        let files = || (0..self.program.files.len() as u32).map(FileIndex);
        let facts = |file: FileIndex| self.program.files[file.at()].facts.clone();
        if files().all(|file| self.program.files[file.at()].facts.flags_asked.is_empty()) {
            return;
        }
        for file in files() {
            for (place, constant) in &self.program.files[file.at()].facts.flags {
                let constant = constant.map(|text| self.program.symbol(file, text));
                held.insert(self.program.place(file, *place), constant);
            }
        }
        let switches = self.switches();
        let files: Vec<FileIndex> = files().collect();
        let asked: Vec<_> = files.iter().map(|file| (*file, facts(*file))).collect();
        for (file, facts) in asked {
            for row in &facts.flags_asked {
                let name = self.program.symbol(file, row.name);
                let found = self.program.files[file.at()].own_scope.get(&name).cloned();
                let mut meaning = found.map_or(Meaning::Unbound, Meaning::Places);
                if let Some(member) = row.member {
                    let member = self.program.symbol(file, member);
                    let class = self.class_behind(&meaning);
                    if let Some(constant) = class.and_then(|class| self.switch_of(&switches, class, member)) {
                        let asked = self.program.place(file, row.place);
                        let place = asked;
                        self.flags.insert(asked, Flag { place, class, constant });
                        continue;
                    }
                    meaning = match self.import_behind(meaning) {
                        Some(Meaning::Package(package)) => self.program.package_member(package, member),
                        _ => continue,
                    };
                }
                for _ in 0..CHAIN_LIMIT {
                    let Meaning::Places(places) = &meaning else { break };
                    let [place] = places.as_slice() else { break };
                    if let Some(constant) = held.get(place) {
                        let asked = self.program.place(file, row.place);
                        let (place, class, constant) = (*place, None, *constant);
                        self.flags.insert(asked, Flag { place, class, constant });
                        break;
                    }
                    meaning = self.import_behind(meaning).unwrap_or(Meaning::Unbound);
                }
            }
        }
    }

    /// Members of classes that their bodies bind to a constant and nobody sets.
    fn switches(&self) -> Switches {
        let mut found = self.bound_in_classes();
        if found.is_empty() {
            return found;
        }
        let (set, changes) = (self.set_by_name(), Changes::as_written(self));
        found.retain(|(class, member), _| !set.contains(member) && !changes.reach(self, *class, *member));
        found
    }

    /// Members of classes that their bodies bind to a constant.
    pub(super) fn bound_in_classes(&self) -> Switches {
        let mut found = Switches::default();
        for (index, file) in self.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            for (class, member, constant) in &file.facts.bound_in_classes {
                let class = self.program.type_index(file_index, *class);
                let text = |text| self.program.symbol(file_index, text);
                found.insert((class, text(*member)), constant.map(text));
            }
        }
        found
    }

    /// What a member is of a class: its own constant, or that of the first base that has such a member.
    pub(super) fn switch_of(&self, switches: &Switches, class: TypeIndex, member: Symbol) -> Option<Constant<Symbol>> {
        // What else derives from libraries may be made anew by them: members of an enumeration are no constants.
        let row = &self.program.types[class.at()];
        let mut order = row.order.iter().filter(|_| !row.open);
        let first = order.find(|base| self.program.types[base.at()].members.contains_key(&member))?;
        switches.get(&(*first, member)).copied()
    }

    /// Names that somebody sets for others: see [`crate::facts::ByName::set`].
    pub(super) fn set_by_name(&self) -> FxHashSet<Symbol> {
        let files = self.program.files.iter().enumerate();
        let symbol = |file: usize, name: &Name| self.program.symbol(FileIndex(file as u32), *name);
        files
            .flat_map(|(index, file)| file.facts.by_name.set.iter().map(move |name| symbol(index, name)))
            .collect()
    }

    /// Variables of files that somebody may set by their names, and what stands for such members of classes.
    pub(super) fn variables_set_by_name(&self) -> FxHashSet<PlaceIndex> {
        let set = self.set_by_name();
        let files = self.program.files.iter().filter(|_| !set.is_empty());
        let places = files.flat_map(|file| set.iter().filter_map(|name| file.own_scope.get(name)));
        let mut places: FxHashSet<PlaceIndex> = places.flatten().copied().collect();
        let mut classes = FxHashSet::default();
        for object in self.objects_set_by_name() {
            match object {
                Held::Class(class) => _ = classes.insert(class),
                Held::Package(package) => places.extend(self.variables_of(package)),
                _ => {}
            }
        }
        let flags = self.flags.values();
        let members = flags.filter(|flag| flag.class.is_some_and(|class| classes.contains(&class)));
        places.extend(members.map(|flag| flag.place));
        places
    }

    /// Of which objects members are set by names of which only some are known.
    fn objects_set_by_name(&self) -> impl Iterator<Item = Held> + '_ {
        self.program.files.iter().enumerate().flat_map(move |(index, file)| {
            let used = file.facts.computed_uses.iter().filter(|used| used.is_written);
            let bases = used.map(|used| used.base);
            let bases = bases.chain(file.facts.by_name.set_any.iter().copied());
            let places = bases.map(move |base| self.program.place(FileIndex(index as u32), base));
            places.flat_map(|place| self.held(place).map(|(_, object)| object))
        })
    }

    /// Classes of which, or of objects of which, members are set so, and those below them.
    pub(super) fn classes_set_by_name(&self) -> FxHashSet<TypeIndex> {
        self.and_below(self.objects_set_by_name().filter_map(|object| match object {
            Held::Class(class) | Held::Instance(class) | Held::AnyOf(class) => Some(class),
            _ => None,
        }))
    }

    /// Classes that are given members so themselves, and those below them: all their objects have these.
    pub(super) fn classes_filled_by_name(&self) -> FxHashSet<TypeIndex> {
        self.and_below(self.objects_set_by_name().filter_map(|object| match object {
            Held::Class(class) => Some(class),
            _ => None,
        }))
    }

    fn and_below(&self, classes: impl Iterator<Item = TypeIndex>) -> FxHashSet<TypeIndex> {
        let mut all = FxHashSet::default();
        for class in classes {
            all.insert(class);
            all.extend(&self.program.types[class.at()].subtypes);
        }
        all
    }

    fn variables_of(&self, package: PackageIndex) -> impl Iterator<Item = PlaceIndex> + '_ {
        let files = self.program.packages[package.at()].files.iter();
        files.flat_map(|file| self.program.files[file.at()].own_scope.values().flatten().copied())
    }

    /// The class that a name is bound to, here or where it is imported from.
    fn class_behind(&mut self, meaning: &Meaning) -> Option<TypeIndex> {
        let mut meaning = meaning.clone();
        for _ in 0..CHAIN_LIMIT {
            let class = self.bound_to(&meaning, |object| match object {
                Object::Class(class) => Some(*class),
                _ => None,
            });
            if let Some((file, class)) = class {
                return Some(self.program.type_index(file, class));
            }
            meaning = self.import_behind(meaning)?;
        }
        None
    }

    /// What the import stands for that a name is bound by.
    fn import_behind(&mut self, meaning: Meaning) -> Option<Meaning> {
        let (file, import) = self.bound_to(&meaning, |object| match object {
            Object::Import(import) => Some(*import),
            _ => None,
        })?;
        let facts = self.program.files[file.at()].facts.clone();
        let import = facts.imports.get(import.0 as usize)?;
        Some(self.program.import_meaning(file, import))
    }

    /// What of some kind a name is bound to, and the file in which it is.
    fn bound_to<T>(&self, meaning: &Meaning, of_kind: impl Fn(&Object) -> Option<T>) -> Option<(FileIndex, T)> {
        let Meaning::Places(places) = meaning else { return None };
        let [place] = places.as_slice() else { return None };
        let (file, local) = self.program.local_place(*place)?;
        let mut objects = self.program.files[file.at()].facts.objects.iter();
        let found = objects.find_map(|(own, object)| (*own == local).then(|| of_kind(object))?)?;
        Some((file, found))
    }
}
