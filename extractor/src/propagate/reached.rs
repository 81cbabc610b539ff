//! What library code reaches from what it is given, and asks by methods of its own choice.
//!
//! ```go
//! errors.Is(err, ErrGone)      // asks `err`, what `err.Unwrap()` gives, what that one's `Unwrap` gives, …
//! json.Marshal(order)          // asks `order`, what is in its fields, and in theirs
//! ```
//!
//! All of it comes to one place for each call, which is then asked as any argument is. No data flows there: what the call carries is told
//! apart from that.

use ripple_schema::How;

use super::library::{Effect, EndPart};
use super::object::{Object, ObjectId};
use super::solve::{CallRow, Constraint, ElementRow, RowKey, Solver, Target};
use crate::facts::TypeKind;
use crate::link::{DerivedPlace, Part, PlaceIndex};

impl Solver<'_> {
    /// What is in a place, and what a method of it gives, and so on.
    pub(super) fn reached_through(&mut self, call: u32, start: PlaceIndex, method: &str) -> PlaceIndex {
        let (reached, is_new) = self.reached_from(call, start);
        if !is_new {
            return reached;
        }
        self.copy(start, reached);
        if self.program.symbols.find(method).is_none() {
            return reached;
        }
        let row = self.calls[call as usize].clone();
        let callee = self.method_of(call, reached, method);
        let given = self.derive_place(DerivedPlace::Passing(row.function));
        let asked = CallRow {
            callee,
            receiver: Some(reached),
            how: How::Callback,
            targets: Vec::new(),
            ..row
        };
        self.push_call(asked, &[], &[given]);
        self.copy(given, reached);
        // Several at once: `Unwrap() []error`.
        let several = self.element_row(call, given, RowKey::Any, reached);
        self.push_element_load(ElementRow {
            silent: true,
            ..several
        });
        reached
    }

    /// What is in a place, and in its fields and parts, as deep as it goes: up to what answers by itself.
    pub(super) fn within(&mut self, call: u32, start: PlaceIndex) -> PlaceIndex {
        let (reached, is_new) = self.reached_from(call, start);
        if !is_new {
            return reached;
        }
        let row = &self.calls[call as usize];
        let mut asked: Vec<String> = Vec::new();
        for target in &row.targets {
            let Target::External(name) = target else { continue };
            let flows = self.table_entry(row.file, *name).map_or(&[][..], |entry| &entry.flows);
            asked.extend(flows.iter().filter_map(|effect| match effect {
                Effect::Call { callee, method, .. } if callee.part == EndPart::Within => method.clone(),
                _ => None,
            }));
        }
        asked.retain(|method| self.program.symbols.find(method).is_some());
        if !asked.is_empty() {
            self.answering.insert(reached, asked);
            self.attach(start, Constraint::Within(reached));
        }
        reached
    }

    /// Where all comes that a call reaches from a place, and whether that was made just now.
    fn reached_from(&mut self, call: u32, start: PlaceIndex) -> (PlaceIndex, bool) {
        if let Some(known) = self.reached.get(&(call, start)) {
            return (*known, false);
        }
        let reached = self.passing(call);
        self.reached.insert((call, start), reached);
        (reached, true)
    }

    /// Something arrives that such a call looks into.
    pub(super) fn look_within(&mut self, reached: PlaceIndex, object: ObjectId) {
        if !self.looked_within.insert((reached, object)) {
            return;
        }
        match self.objects.get(object) {
            Object::Instance(class) => {
                let asked = self.answering.get(&reached).cloned().unwrap_or_default();
                if asked.iter().any(|method| self.has(class, method)) {
                    return self.add(reached, object);
                }
                if self.program.type_facts(class).kind != TypeKind::Struct {
                    return;
                }
                let members = self.program.types[class.at()].members.iter();
                let mut seen: Vec<PlaceIndex> = members
                    .filter(|(name, place)| {
                        let member = self.program.member_of(**place);
                        let text = self.program.symbols.text(**name);
                        text.starts_with(char::is_uppercase) && member.is_some_and(|member| member.field.is_some())
                    })
                    .map(|(_, place)| *place)
                    .collect();
                seen.sort_unstable();
                for place in seen {
                    self.attach(place, Constraint::Within(reached));
                }
            }
            Object::Container { .. } | Object::Typed { .. } => {
                let all = self.element(object, Part::All);
                self.attach(all, Constraint::Within(reached));
            }
            _ => {}
        }
    }
}
