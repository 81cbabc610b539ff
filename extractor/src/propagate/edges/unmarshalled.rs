//! Values that read themselves from the wire: what stands under the key of a field goes to the method that fills it.
//!
//! ```go
//! type Duration struct{ time.Duration }
//! func (d *Duration) UnmarshalText(text []byte) error { d.Duration, _ = time.ParseDuration(string(text)); … }
//! type Config struct { Timeout Duration `json:"timeout"` }      // the key `timeout` comes to `text`
//! ```

use ripple_schema::{EdgeKind, How, Rule};

use super::{Collector, EdgeSite, End, ValueEdge};
use crate::link::{PlaceIndex, Symbol, TypeIndex};
use crate::propagate::library::WireNames;
use crate::propagate::object::Object;

/// Methods by which libraries fill a value of its own kind: from a text, and from a column.
const FROM_TEXT: &[&str] = &["UnmarshalJSON", "UnmarshalText", "UnmarshalYAML", "UnmarshalBSON"];
const FROM_COLUMN: &[&str] = &["Scan"];

impl Collector<'_, '_> {
    pub(super) fn fills_itself(
        &mut self,
        call: u32,
        (field, key, by): (PlaceIndex, Symbol, WireNames),
        site: EdgeSite,
    ) {
        let methods = match by {
            WireNames::Keys => FROM_TEXT,
            WireNames::Columns => FROM_COLUMN,
        };
        let mut classes: Vec<TypeIndex> = Vec::new();
        for (_, object) in self.solver.held(field) {
            match object {
                Object::Instance(class) => classes.push(class),
                Object::Address(target) => {
                    let pointed = self.solver.held(target).filter_map(|(_, object)| match object {
                        Object::Instance(class) => Some(class),
                        _ => None,
                    });
                    classes.extend(pointed);
                }
                _ => {}
            }
        }
        classes.sort_unstable();
        classes.dedup();
        for class in classes {
            for method in methods {
                let program = &self.solver.program;
                let name = program.symbols.find(method);
                let member = name.and_then(|name| program.find_member(class, name));
                let functions = member.into_iter().flat_map(|member| self.solver.held(member));
                let functions = functions.filter_map(|(_, object)| match object {
                    Object::Function(function) => Some(function),
                    _ => None,
                });
                for function in functions.collect::<Vec<_>>() {
                    let facts = self.solver.program.function_facts(function);
                    let file = self.solver.program.functions[function.at()].file;
                    let Some(text) = facts.parameters.first() else {
                        continue;
                    };
                    let text = self.solver.program.place(file, text.place);
                    self.flows.values.push(ValueEdge {
                        kind: EdgeKind::PassesTo,
                        from: End::Key(key),
                        to: End::Place(text),
                        how: How::Decode,
                        rule: Rule::LibraryTable,
                        site,
                        call,
                    });
                }
            }
        }
    }
}
