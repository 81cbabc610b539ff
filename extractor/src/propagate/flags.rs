//! Constants of other modules that conditions ask for: `from settings import DEBUG`, `settings.DEBUG`.
//!
//! A file says which of its own names hold a constant, and what its conditions ask of names that it imports. Here each of those that
//! are asked for is found, once, so that a condition which that constant rules out is known as such: see [`super::conditions`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::solve::Solver;
use crate::facts::{Condition, ConditionId, Constant, FileFacts, Object, PlaceKind};
use crate::link::scope::Meaning;
use crate::link::{FileIndex, PlaceIndex, Symbol};

/// Most imports in a row from the name that is asked for to the constant.
const CHAIN_LIMIT: usize = 4;

/// What stands for names that are asked for: the variable of the other module, and what that holds.
pub(super) type Flags = FxHashMap<PlaceIndex, (PlaceIndex, Constant<Symbol>)>;

/// What a condition asks of which one has to be so: itself, and what goes with it.
fn either<'f>(row: &'f Condition, conditions: &'f [Condition]) -> impl Iterator<Item = &'f Condition> {
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
        let files: Vec<FileIndex> = files().collect();
        let asked: Vec<_> = files.iter().map(|file| (*file, facts(*file))).collect();
        for (file, facts) in asked {
            for row in &facts.flags_asked {
                let name = self.program.symbol(file, row.name);
                let found = self.program.files[file.at()].own_scope.get(&name).cloned();
                let mut meaning = found.map_or(Meaning::Unbound, Meaning::Places);
                if let Some(member) = row.member {
                    let member = self.program.symbol(file, member);
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
                        self.flags.insert(asked, (*place, *constant));
                        break;
                    }
                    meaning = self.import_behind(meaning).unwrap_or(Meaning::Unbound);
                }
            }
        }
    }

    /// What the import stands for that a name is bound by.
    fn import_behind(&mut self, meaning: Meaning) -> Option<Meaning> {
        let Meaning::Places(places) = meaning else { return None };
        let [place] = places.as_slice() else { return None };
        let (file, _) = self.program.local_place(*place)?;
        let facts = self.program.files[file.at()].facts.clone();
        let mut objects = facts.objects.iter();
        let import = objects.find_map(|(own, object)| match object {
            Object::Import(import) if self.program.place(file, *own) == *place => Some(*import),
            _ => None,
        })?;
        let import = facts.imports.get(import.0 as usize)?;
        Some(self.program.import_meaning(file, import))
    }

    /// Whether constants of files rule something out, but for what is assigned.
    pub(super) fn is_ruled_out(
        &self,
        file: FileIndex,
        facts: &FileFacts,
        condition: ConditionId,
        assigned: &FxHashSet<PlaceIndex>,
    ) -> bool {
        let says_no = |row: &Condition| {
            let place = self.program.place(file, row.parameter);
            if facts.places[row.parameter.0 as usize].kind != PlaceKind::Value {
                // Of its own names a file tells only what they rule out.
                return !assigned.contains(&place);
            }
            self.flags.get(&place).is_some_and(|(flag, constant)| {
                let with = row.constant.map(|text| self.program.symbol(file, text));
                constant.answer(row.question, with) == Some(!row.holds) && !assigned.contains(flag)
            })
        };
        super::conditions::rows(condition, &facts.conditions)
            .filter(|row| facts.places[row.parameter.0 as usize].function.0 == 0)
            .any(|row| either(row, &facts.conditions).all(says_no))
    }
}
