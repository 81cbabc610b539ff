//! Classes whose objects are rows of tables that others of the index write or read: a table joins them, and no column alone.
//!
//! ```python
//! cursor.execute("INSERT INTO loans (income) VALUES (%s)", (body["income"],))      # in one service
//! class Loan(Base):
//!     __tablename__ = "loans"
//!     income = Column(Integer)                                                     # in another: what comes from the key `income`
//! ```

use ripple_schema::Rule;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Collector;
use crate::link::{FileIndex, PlaceIndex, Symbol, TypeIndex};

/// Who speaks of a column: a statement, or a type.
type Speaker = Option<TypeIndex>;

impl Collector<'_, '_> {
    pub(super) fn stored(&mut self) {
        let mut spoken: FxHashMap<(Symbol, Symbol), FxHashSet<Speaker>> = FxHashMap::default();
        for (index, file) in self.solver.program.files.iter().enumerate() {
            let symbol = |name| self.solver.program.symbol(FileIndex(index as u32), name);
            for (_, statement) in &file.facts.statements {
                for table in &statement.tables {
                    let named = statement.named.iter().map(|column| (symbol(*table), symbol(*column)));
                    named.for_each(|column| _ = spoken.entry(column).or_default().insert(None));
                }
            }
        }
        let mut models: Vec<(TypeIndex, PlaceIndex, (Symbol, Symbol))> = Vec::new();
        for class in (0..self.solver.program.types.len() as u32).map(TypeIndex) {
            let Some(table) = self.table_of(class) else { continue };
            for (column, field) in self.columns_of(class) {
                spoken.entry((table, column)).or_default().insert(Some(class));
                if self.solver.program.type_facts(class).kind.is_class() {
                    models.push((class, field, (table, column)));
                }
            }
        }
        for (class, field, of) in models {
            let others = spoken.get(&of).into_iter().flatten();
            let is_joined = others.into_iter().any(|other| *other != Some(class));
            if is_joined {
                self.joined(of.1, field, Rule::WireName);
            }
        }
    }

    /// The table of which the objects of a type are rows: as it says, or by its name and that of the folder of its file.
    fn table_of(&self, class: TypeIndex) -> Option<Symbol> {
        let program = &self.solver.program;
        let file = program.types[class.at()].file;
        if let Some(table) = program.type_facts(class).table {
            return Some(program.symbol(file, table));
        }
        let library = self.solver.libraries.get(&program.type_language(class))?;
        let names_table = |name: &str| library.get(name).is_some_and(|entry| entry.declares_table);
        if !self.solver.external_bases(class).any(names_table) {
            return None;
        }
        let mut folders = program.files[file.at()].relative.rsplit('/').skip(1);
        let folder = folders.find(|folder| *folder != "models")?;
        let own = program.type_name(class);
        let own = own.rsplit('.').next().unwrap_or(&own);
        program.symbols.find(&format!("{folder}_{own}").to_lowercase())
    }

    /// The fields of a type, those of types above it included, with their columns: those that they name, else what they are called.
    fn columns_of(&self, class: TypeIndex) -> Vec<(Symbol, PlaceIndex)> {
        let program = &self.solver.program;
        let mut found = Vec::new();
        for base in &program.types[class.at()].order {
            let file = program.types[base.at()].file;
            for field in &program.type_facts(*base).fields {
                let name = program.symbol(file, field.name);
                let Some(place) = program.types[base.at()].members.get(&name) else {
                    continue;
                };
                let named = field.columns.iter().filter(|column| column.0 != 0);
                found.extend(named.map(|column| (program.symbol(file, *column), *place)));
                if field.columns.is_empty() {
                    found.push((name, *place));
                }
            }
        }
        found
    }
}
