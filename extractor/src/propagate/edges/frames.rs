//! Columns of tables that are made in the index: each has a name that others read it by.
//!
//! ```python
//! out = orders.copy()
//! out["basket"] = out["total"] / out["items"]     # the key `basket`, for whoever reads it out of a file or an argument
//! frame.rename(columns={"total": "amount"})       # the key `total` becomes `amount`
//! ```

use std::sync::Arc;

use ripple_schema::{EdgeKind, How, Rule};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Collector, EdgeSite, End};
use crate::facts::{ColumnsNamed, Constant, ContainerKind, ElementKey};
use crate::link::{Part, PlaceIndex, Symbol};
use crate::propagate::object::{Object, ObjectId};
use crate::propagate::records::FRAME;
use crate::propagate::solve::{RowKey, Target};

/// Tables made of tables, one after the other.
const COPIES_LIMIT: u32 = 6;

/// Most rows of a column that are told one by one.
const ROW_LIMIT: usize = 64;

/// What is known of columns.
#[derive(Debug)]
pub(super) struct Columns {
    /// Those that tables and rows are known to have.
    put: FxHashMap<ObjectId, FxHashSet<Symbol>>,
    /// Tables and rows whose columns got names that nobody sees: `table.columns = names`.
    renamed: FxHashSet<ObjectId>,
}

impl Columns {
    /// Whether what is asked for under this name may have had any other before.
    pub(super) fn may_be_any(&self, table: ObjectId, name: Symbol) -> bool {
        self.renamed.contains(&table) && !self.has(table, name)
    }

    fn has(&self, table: ObjectId, name: Symbol) -> bool {
        self.put.get(&table).is_some_and(|names| names.contains(&name))
    }
}

impl Collector<'_, '_> {
    pub(super) fn frames(&mut self) {
        let mut seen = FxHashSet::default();
        for call in 0..self.solver.calls.len() as u32 {
            let row = &self.solver.calls[call as usize];
            let makes_frame = |target: &Target| match target {
                Target::External(name) => {
                    let entry = self.solver.table_entry(row.file, *name);
                    entry.is_some_and(|entry| entry.holds.is_some() && entry.returns.as_deref() == Some(FRAME))
                }
                _ => false,
            };
            if row.silent || !row.targets.iter().any(makes_frame) {
                continue;
            }
            let site = self.call_site(call);
            for result in self.solver.call_results(call).to_vec() {
                for (id, object) in self.solver.held(result).collect::<Vec<_>>() {
                    if !matches!(object, Object::Container { .. }) || !seen.insert(id) {
                        continue;
                    }
                    let known = self.columns_known();
                    for (part, place) in self.solver.parts.get(&id).cloned().unwrap_or_default() {
                        let Part::Text(column) = part else { continue };
                        if !known.has(id, column) {
                            continue;
                        }
                        let Some(key) = self.wire_name(RowKey::Text(column)) else {
                            continue;
                        };
                        // A column that is given as a list has its rows in it.
                        let lists = self.solver.held(place).filter_map(|(id, _)| self.solver.parts.get(&id));
                        let rows: Vec<PlaceIndex> = lists.flatten().map(|(_, row)| *row).collect();
                        // Of many, the column as a whole is told: they lie in it.
                        let told = Some(rows).filter(|rows| rows.len() <= ROW_LIMIT).into_iter().flatten();
                        for place in std::iter::once(place).chain(told) {
                            self.flow(End::Place(place), End::Key(key), How::Encode, Rule::WireName, site);
                        }
                        self.worked_out(place, key, Rule::WireName, site);
                    }
                }
            }
        }
    }

    /// The columns of tables and rows.
    pub(super) fn columns_known(&mut self) -> Arc<Columns> {
        let known = self.columns.take().unwrap_or_else(|| {
            Arc::new(Columns {
                put: self.columns_put(),
                renamed: self.tables_renamed(),
            })
        });
        self.columns = Some(known.clone());
        known
    }

    /// Tables, and what is made of them, whose columns get names that are computed.
    fn tables_renamed(&self) -> FxHashSet<ObjectId> {
        let solver = self.solver;
        let Some(columns) = solver.program.symbols.find("columns") else {
            return FxHashSet::default();
        };
        let stores = solver.stores.iter().filter(|row| row.member == columns);
        let tables = stores.flat_map(|row| solver.contents(row.base)).copied();
        let mut renamed: FxHashSet<ObjectId> = tables.filter(|id| solver.frames.contains(id)).collect();
        for _ in 0..COPIES_LIMIT {
            let before = renamed.len();
            for row in solver.part_copies.iter().filter(|_| before > 0) {
                if solver.contents(row.from).iter().any(|from| renamed.contains(from)) {
                    renamed.extend(solver.contents(row.to));
                }
            }
            if renamed.len() == before {
                break;
            }
        }
        renamed
    }

    /// What was put into mappings under constant keys, and into those that have their parts from others: what is only asked for is no column.
    fn columns_put(&self) -> FxHashMap<ObjectId, FxHashSet<Symbol>> {
        let solver = self.solver;
        let mut put: FxHashMap<ObjectId, FxHashSet<Symbol>> = FxHashMap::default();
        for row in &solver.element_stores {
            if let RowKey::Text(key) = row.key {
                for id in solver.contents(row.base) {
                    put.entry(*id).or_default().insert(key);
                }
            }
        }
        // A constant has no place that is put there.
        for (site, keys) in &solver.keyed {
            let kind = ContainerKind::Map;
            let Some(id) = solver.objects.find(Object::Container { kind, site: *site }) else {
                continue;
            };
            let names = keys.iter().filter_map(|part| match part {
                Part::Text(key) => Some(*key),
                _ => None,
            });
            put.entry(id).or_default().extend(names);
        }
        for _ in 0..COPIES_LIMIT {
            let mut is_new = false;
            for row in &solver.part_copies {
                for from in solver.contents(row.from) {
                    let Some(keys) = put.get(from).cloned() else { continue };
                    for into in solver.contents(row.to).iter().filter(|into| *into != from) {
                        let known = put.entry(*into).or_default();
                        let before = known.len();
                        known.extend(keys.iter().filter(|key| row.only.is_empty() || row.only.contains(key)));
                        is_new |= known.len() > before;
                    }
                }
            }
            if !is_new {
                break;
            }
        }
        put
    }

    /// `rows.assign(share=rows["a"], rate=lambda rows: rows["b"])`: what is given by keyword goes out by that name. So does the column that
    /// `rows.agg(total=("price", "sum"))` names.
    pub(super) fn send_keywords(&mut self, call: u32) {
        let (function, site) = (self.solver.calls[call as usize].function, self.call_site(call));
        let file = self.solver.calls[call as usize].file;
        for argument in self.solver.call_arguments(call).to_vec() {
            let Some(key) = argument.name else { continue };
            if let Some(Constant::Display(display)) = argument.constant {
                let display = self.solver.program.files[file.at()]
                    .facts
                    .displays
                    .get(display as usize);
                let first = display.and_then(|display| display.parts.first());
                if let Some((ElementKey::Index(0), Some(Constant::Text(column)))) = first {
                    let column = self.solver.program.symbol(file, *column);
                    self.flow(End::Key(column), End::Key(key), How::Encode, Rule::LibraryTable, site);
                }
            }
            let Some(place) = argument.place else { continue };
            self.written_by_key(function, (place, key), Rule::LibraryTable, site);
            self.worked_out(place, key, Rule::LibraryTable, site);
        }
    }

    /// `frame.assign(share=lambda frame: …)`: a column that a function gives.
    fn worked_out(&mut self, place: PlaceIndex, key: Symbol, rule: Rule, site: EdgeSite) {
        for (_, object) in self.solver.held(place).collect::<Vec<_>>() {
            let Object::Function(function) = object else { continue };
            for result in self.solver.function_results(function) {
                self.flow(End::Place(result), End::Key(key), How::Encode, rule, site);
            }
        }
    }

    /// `frame.query("hours > 0")`, `frame.eval("share = won / played")`.
    pub(super) fn named_in_expressions(&mut self, call: u32, is_test: bool) {
        let row = &self.solver.calls[call as usize];
        let (file, function, site) = (row.file, row.function, self.call_site(call));
        let result = self.solver.call_results(call).first().copied();
        let how = if is_test { How::Test } else { How::Decode };
        let program = &*self.solver.program;
        let symbol = |name| program.symbol(file, name);
        let given: Vec<Symbol> = self
            .solver
            .call_arguments(call)
            .iter()
            .filter_map(|given| given.text)
            .collect();
        let told = program.files[file.at()].facts.expressions.iter();
        for ColumnsNamed { reads, makes } in told
            .filter(|(text, _)| given.contains(&symbol(*text)))
            .flat_map(|(_, told)| told)
        {
            let makes = makes.map(symbol);
            if let Some(makes) = makes {
                self.access(EdgeKind::UsesKey, function, End::Key(makes), Rule::LibraryTable, site);
            }
            for key in reads.iter().map(|read| symbol(*read)) {
                self.access(EdgeKind::UsesKey, function, End::Key(key), Rule::LibraryTable, site);
                if let Some(makes) = makes {
                    self.flow(End::Key(key), End::Key(makes), How::Encode, Rule::LibraryTable, site);
                }
                if let Some(result) = result {
                    self.flow(End::Key(key), End::Place(result), how, Rule::LibraryTable, site);
                }
            }
        }
    }

    /// `frame.rename(columns={"total": "amount"})`: what a mapping of constants calls otherwise.
    pub(super) fn renamed(&mut self, call: u32) {
        let row = &self.solver.calls[call as usize];
        let (file, site) = (row.file, self.call_site(call));
        let facts = &self.solver.program.files[file.at()].facts;
        let mut names: Vec<(Symbol, Symbol)> = Vec::new();
        for argument in self.solver.call_arguments(call) {
            let Some(Constant::Display(display)) = argument.constant else {
                continue;
            };
            // `rename(index=…)` is of rows.
            let is_of_rows = argument
                .name
                .is_some_and(|name| self.solver.program.symbols.text(name) == "index");
            let display = facts.displays.get(display as usize).filter(|_| !is_of_rows);
            for (key, value) in display.into_iter().flat_map(|display| &display.parts) {
                if let (ElementKey::Text(from), Some(Constant::Text(to))) = (key, value) {
                    names.push((
                        self.solver.program.symbol(file, *from),
                        self.solver.program.symbol(file, *to),
                    ));
                }
            }
        }
        for (from, to) in names {
            self.flow(End::Key(from), End::Key(to), How::Encode, Rule::LibraryTable, site);
        }
    }
}
