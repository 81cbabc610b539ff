//! Names that are put together, and names that callers hand in.
//!
//! ```python
//! def put(out, name, row): out[name + "_cents"] = row[name] * 100
//! put(out, "price", row)                                    # ["price_cents"] is made of what came as `price`
//! {f"sum_{days}": total(row, days) for days in (7, 30)}     # ["sum_7"], ["sum_30"]
//! ```

use rustc_hash::{FxHashMap, FxHashSet};

use ripple_schema::{EdgeKind, How, Rule};

use super::{Entries, Finder, Found, PLACE_LIMIT, Reads, Source, Way};
use crate::facts::ContainerKind;
use crate::link::{FunctionIndex, PlaceIndex, Symbol, Symbols};
use crate::propagate::edges::{End, ValueEdge};
use crate::propagate::keyed::Key;
use crate::propagate::object::Object;
use crate::propagate::solve::ElementRow;

/// What stands around names.
#[derive(Debug, Default, Clone)]
pub(super) struct Around {
    before: String,
    behind: String,
}

impl Around {
    fn is_nothing(&self) -> bool {
        self.before.is_empty() && self.behind.is_empty()
    }

    fn text(&self, symbols: &Symbols, core: Symbol) -> String {
        format!("{}{}{}", self.before, symbols.text(core), self.behind)
    }

    /// A whole name. A number alone is none.
    pub(super) fn name(&self, symbols: &mut Symbols, core: Symbol) -> Option<Symbol> {
        if !self.is_nothing() {
            let text = self.text(symbols, core);
            return Some(symbols.intern(&text));
        }
        let is_number = symbols.text(core).parse::<i64>().is_ok();
        (!is_number).then_some(core)
    }

    /// A whole name, if it is written down somewhere.
    pub(super) fn known(&self, symbols: &Symbols, core: Symbol) -> Option<Symbol> {
        match self.is_nothing() {
            true => Some(core),
            false => symbols.find(&self.text(symbols, core)),
        }
    }
}

/// A store under what callers hand in.
pub(super) struct Handed {
    row: ElementRow,
    /// The function, and its parameter that brings the name.
    hole: (FunctionIndex, PlaceIndex),
    around: Around,
    what: What,
}

/// What is put there.
enum What {
    /// What other parameters bring, or is made of that.
    Given(Vec<PlaceIndex>),
    /// What comes from outside under a name that the same parameter brings: what stands around it, and where it is read.
    Asked(Vec<(Around, PlaceIndex)>),
    Whatever,
}

impl Finder<'_, '_> {
    /// The part of a name that is not constant, and what stands around it.
    pub(super) fn core(&self, key: PlaceIndex) -> (PlaceIndex, Around) {
        let (mut core, mut place, mut around) = (key, key, Around::default());
        for _ in 0..PLACE_LIMIT {
            if let Some((before, value, behind)) = self.composed.get(&place) {
                let [before, behind] = [before, behind].map(|text| self.solver.program.symbols.text(*text));
                around.before.push_str(before);
                around.behind.insert_str(0, behind);
                (core, place) = (*value, *value);
                continue;
            }
            match self.same(place) {
                Some(from) => place = from,
                None => break,
            }
        }
        (core, around)
    }

    /// A store under a name that a parameter brings. Where the parameter is the name, and the table not the function's own, calls are told apart as
    /// they are ([`crate::propagate::keyed`]).
    pub(super) fn handed(&self, row: &ElementRow, core: PlaceIndex, around: &Around) -> Option<Handed> {
        if around.is_nothing() && !self.is_own_table(row) {
            return None;
        }
        let name = self.solver.parameter_at(self.first(core))?;
        let what = match self.solver.parameter_at(self.first(row.value)) {
            Some(given) => What::Given(vec![given]),
            None if around.is_nothing() => return None,
            None => self.what_is_put(row.value, name),
        };
        let function = match &what {
            What::Given(given) => self.solver.program.owner_of(*given.first()?)?,
            _ => self.solver.program.owner_of(name)?,
        };
        Some(Handed {
            row: *row,
            hole: (function, name),
            around: around.clone(),
            what,
        })
    }

    fn what_is_put(&self, value: PlaceIndex, name: PlaceIndex) -> What {
        let Reads { reads, is_of } = self.reads(value);
        let asked = reads
            .iter()
            .filter(|read| read.ways.as_slice() == [Way::Value] && self.is_from_outside(read));
        let asked = asked.filter_map(|read| {
            let (core, around) = self.core(read.index?);
            (self.solver.parameter_at(self.first(core)) == Some(name)).then_some((around, read.at))
        });
        let asked: Vec<(Around, PlaceIndex)> = asked.collect();
        if !asked.is_empty() {
            return What::Asked(asked);
        }
        let given = is_of.iter().filter_map(|place| self.solver.parameter_at(*place));
        let mut given: Vec<PlaceIndex> = given.filter(|given| *given != name).collect();
        given.sort_unstable();
        given.dedup();
        match given.is_empty() {
            true => What::Whatever,
            false => What::Given(given),
        }
    }

    /// Something is put under a name of which no more is known: it has a `*` there. A table in which names that are computed are looked up is read
    /// where the graph tells.
    pub(super) fn any_name(&self, row: &ElementRow, around: &Around) -> Option<Found> {
        let mut tables = self.solver.contents(row.base).iter();
        if around.is_nothing() || tables.any(|table| self.looked_up.contains(table)) {
            return None;
        }
        let star = self.solver.program.symbols.find("*")?;
        Some(Found {
            base: row.base,
            site: (row.file, row.position).into(),
            around: around.clone(),
            entries: vec![(star, Source::Place(row.value))],
        })
    }

    /// What callers have a function put into tables: those of the function itself, and those that they hand in.
    /// What comes from outside for that is read there as well.
    pub(super) fn put_for_callers(&self, all: Vec<Handed>) -> (Vec<Found>, Vec<ValueEdge>) {
        let holes: FxHashSet<_> = all.iter().map(|handed| handed.hole).collect();
        let (mut found, mut read) = (Vec::new(), Vec::new());
        if holes.is_empty() {
            return (found, read);
        }
        let keys: FxHashMap<_, _> = self.solver.keys_by(&holes, &self.callers).into_iter().collect();
        for Handed {
            row,
            hole,
            around,
            what,
        } in all
        {
            let keys = keys.get(&hole).map_or(&[][..], Vec::as_slice);
            let symbols = &self.solver.program.symbols;
            let table = self.solver.parameter_at(self.first(row.base));
            let is_said = |(_, key): &(u32, Key)| key.text().is_some();
            if !keys.iter().any(is_said) {
                found.extend(self.any_name(&row, &around));
            }
            for (call, key) in keys {
                let Some(text) = key.text() else { continue };
                let sources: Vec<Source> = match &what {
                    What::Given(given) => {
                        let given = given.iter().flat_map(|given| self.arguments_for(*call, *given));
                        given.map(Source::Place).collect()
                    }
                    What::Asked(asked) => {
                        let asked = asked
                            .iter()
                            .filter_map(|(around, at)| Some((around.known(symbols, text)?, *at)));
                        let asked: Vec<(Symbol, PlaceIndex)> = asked.collect();
                        read.extend(asked.iter().map(|(key, at)| {
                            let ends = (End::Key(*key), End::Place(*at));
                            let site = (row.file, row.position).into();
                            ValueEdge::of_no_call(EdgeKind::FlowsTo, ends, How::Decode, Rule::WireName, site)
                        }));
                        asked.into_iter().map(|(key, _)| Source::Key(key)).collect()
                    }
                    What::Whatever => vec![Source::Place(row.value)],
                };
                let bases = match table {
                    Some(table) => self.arguments_for(*call, table),
                    None => vec![row.base],
                };
                let entries: Entries = sources.into_iter().map(|source| (text, source)).collect();
                found.extend(bases.into_iter().map(|base| Found {
                    base,
                    site: (row.file, row.position).into(),
                    around: around.clone(),
                    entries: entries.clone(),
                }));
            }
        }
        (found, read)
    }

    /// Whether what is written into is a table that the function makes itself.
    fn is_own_table(&self, row: &ElementRow) -> bool {
        self.solver.held(row.base).any(|(_, object)| match object {
            Object::Container { kind, site } => {
                kind == ContainerKind::Map && self.solver.program.owner_of(site) == Some(row.function)
            }
            _ => false,
        })
    }
}
