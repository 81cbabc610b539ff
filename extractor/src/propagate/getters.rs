//! Functions that library code makes to take something out of what they are called with.
//!
//! ```python
//! mail = itemgetter("mail")
//! mail(row)                        # is `row["mail"]`
//! methodcaller("strip")(text)      # is `text.strip()`
//! ```
//!
//! Each is an [`Object::Partial`] of the call that made it; what it takes is what that call's arguments name.

use super::library::{Effect, Getter};
use super::object::Object;
use super::rows::LoadRow;
use super::solve::{ElementRow, RowBase, RowKey, Solver, Target};
use crate::facts::ContainerKind;
use crate::link::{PlaceIndex, Symbol};

impl Solver<'_> {
    /// What a function is made to take out of what it is called with, by the call that made it.
    pub(super) fn getter(&self, made: u32) -> Option<Getter> {
        let row = &self.calls[made as usize];
        let mut effects = row.targets.iter().filter_map(|target| match target {
            Target::External(name) => Some(&self.table_entry(row.file, *name)?.flows),
            _ => None,
        });
        effects.find_map(|effects| match effects.as_slice() {
            [Effect::Getter(getter)] => Some(*getter),
            _ => None,
        })
    }

    /// Such a function is called.
    pub(super) fn call_getter(&mut self, call: u32, made: u32, getter: Getter) {
        self.add_target(call, Target::Elsewhere);
        let base = self.call_arguments(call).first().and_then(|argument| argument.place);
        let (Some(base), Some(result)) = (base, self.call_results(call).first().copied()) else {
            return;
        };
        let named = self.call_arguments(made).to_vec();
        if getter == Getter::Method {
            let Some((method, given)) = named.split_first() else {
                return;
            };
            let callee = match method.text.map(|text| self.program.symbols.text(text).to_owned()) {
                Some(method) => self.method_of(call, base, &method),
                None => {
                    let any = self.passing(call);
                    self.computed.push((base, any, call));
                    any
                }
            };
            let callback = self.callback(call, callee, Some(base));
            self.push_call(callback, given, &[result]);
            return;
        }
        for (index, argument) in named.iter().enumerate() {
            let value = match named.len() {
                1 => result,
                _ => self.passing(call),
            };
            match (getter, argument.text) {
                (Getter::Parts, text) => {
                    let number = self.numbers.get(&made).filter(|_| index == 0 && text.is_none());
                    let key = match (text, number) {
                        (Some(text), _) => RowKey::Text(text),
                        (None, Some(index @ 0..)) => RowKey::Index(*index as u32),
                        (None, Some(back)) => RowKey::Back(back.unsigned_abs()),
                        (None, None) => RowKey::Any,
                    };
                    let row = self.element_row(call, base, key, value);
                    let of = RowBase::Plain;
                    self.push_element_load(ElementRow { of, ..row });
                }
                (Getter::Members, Some(text)) => self.load_path(call, base, text, (value, false)),
                (Getter::Members, None) => self.computed.push((base, value, call)),
                (Getter::Method, _) => {}
            }
            if named.len() > 1 {
                let kind = ContainerKind::Tuple;
                let object = self.objects.intern(Object::Container { kind, site: result });
                self.add(result, object);
                self.push_element_store(self.element_row(call, result, RowKey::Index(index as u32), value));
            }
        }
    }

    /// `owner.name`: a member, by way of others; of mappings the parts under these names, where they count as well.
    pub(super) fn load_path(
        &mut self,
        call: u32,
        base: PlaceIndex,
        path: Symbol,
        (value, or_parts): (PlaceIndex, bool),
    ) {
        let names: Vec<String> = self.program.symbols.text(path).split('.').map(str::to_owned).collect();
        let mut base = base;
        for (index, name) in names.iter().enumerate() {
            let to = match index + 1 == names.len() {
                true => value,
                false => self.passing(call),
            };
            let member = self.program.symbols.intern(name);
            let at = self.calls[call as usize].at();
            self.push_load(LoadRow {
                implicit: false,
                ..LoadRow::implicit(base, member, to, at)
            });
            if or_parts {
                let part = self.element_row(call, base, RowKey::Text(member), to);
                self.push_element_load(ElementRow {
                    of: RowBase::Argument,
                    ..part
                });
            }
            base = to;
        }
    }
}
