//! Tables that are made of rows without names, and of a list of names: `DataFrame(rows, columns=["fare", "distance"])`.
//!
//! What stands at a position of each row is the column that the list names there.

use rustc_hash::{FxHashMap, FxHashSet};

use super::library::Subject;
use super::object::Object;
use super::solve::{RowKey, Solver};
use crate::link::{FileIndex, PlaceIndex, Symbol};

/// One such table.
#[derive(Debug)]
pub(super) struct ColumnsRow {
    call: u32,
    rows: PlaceIndex,
    names: PlaceIndex,
    result: PlaceIndex,
    told: FxHashSet<(u32, Symbol)>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct ColumnsNamed {
    rows: Vec<ColumnsRow>,
    /// The texts of lists that are written down, by the list.
    texts: Option<FxHashMap<PlaceIndex, Vec<(u32, Symbol)>>>,
}

impl Solver<'_> {
    /// A call makes one.
    pub(super) fn note_columns(&mut self, call: u32, rows: &Subject, names: &Subject) {
        let [rows, names] = [rows, names].map(|subject| self.subject_places(call, subject).first().copied());
        if let (Some(rows), Some(names), Some(result)) = (rows, names, self.call_results(call).first().copied()) {
            let told = FxHashSet::default();
            self.columns_named.rows.push(ColumnsRow {
                call,
                rows,
                names,
                result,
                told,
            });
        }
    }

    /// Gives tables the columns whose names were found since. Whether there are any.
    pub(super) fn name_columns(&mut self) -> bool {
        if self.columns_named.rows.is_empty() {
            return false;
        }
        let texts = self.columns_named.texts.take().unwrap_or_else(|| self.texts_of_lists());
        let mut is_new = false;
        for index in 0..self.columns_named.rows.len() {
            let ColumnsRow {
                call,
                rows,
                names,
                result,
                ..
            } = self.columns_named.rows[index];
            let lists = self.held(names).filter_map(|(_, object)| match object {
                Object::Container { site, .. } => texts.get(&site),
                _ => None,
            });
            let found: Vec<(u32, Symbol)> = lists.flatten().copied().collect();
            for (position, name) in found {
                if self.columns_named.rows[index].told.insert((position, name)) {
                    is_new = true;
                    let (row, value) = (self.inner(call, rows), self.passing(call));
                    self.push_element_load(self.element_row(call, row, RowKey::Index(position), value));
                    self.push_element_store(self.element_row(call, result, RowKey::Text(name), value));
                }
            }
        }
        self.columns_named.texts = Some(texts);
        is_new
    }

    fn texts_of_lists(&self) -> FxHashMap<PlaceIndex, Vec<(u32, Symbol)>> {
        let mut texts: FxHashMap<PlaceIndex, Vec<(u32, Symbol)>> = FxHashMap::default();
        for (index, file) in self.program.files.iter().enumerate() {
            let file_index = FileIndex(index as u32);
            for (list, text, position) in &file.facts.texts_listed {
                if let Some(position) = position {
                    let text = self.program.symbol(file_index, *text);
                    let list = self.program.place(file_index, *list);
                    texts.entry(list).or_default().push((*position, text));
                }
            }
        }
        texts
    }
}
